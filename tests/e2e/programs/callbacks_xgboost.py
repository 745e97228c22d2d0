# needs: xgboost
# expect: success
# final: [true, 5]
# Training calls back for each message and for data that are handed on.
import numpy
import xgboost

class Rows(xgboost.DataIter):
    def __init__(self):
        self.at = 0
        super().__init__()

    def next(self, input_data):
        if self.at == 2:
            return 0
        part = slice(self.at * 100, self.at * 100 + 100)
        input_data(data=data[part], label=label[part])
        self.at += 1
        return 1

    def reset(self):
        self.at = 0

numbers = numpy.random.default_rng(1)
data = numbers.normal(size=(200, 4))
label = (data[:, 0] + data[:, 1] > 0).astype(int)
model = xgboost.XGBClassifier(n_estimators=20, max_depth=3, verbosity=0)
model.fit(data, label)
trained = xgboost.train({"objective": "binary:logistic", "verbosity": 0,
                         "tree_method": "hist"},
                        xgboost.QuantileDMatrix(Rows()), 5)
[bool(model.score(data, label) > 0.9), trained.num_boosted_rounds()]
