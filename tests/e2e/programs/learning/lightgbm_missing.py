# expect: failure
# error: ModuleNotFoundError
# told: ["lightgbm", "sklearn"]
# without: lightgbm
# cut
import lightgbm as lgb
from sklearn.datasets import load_breast_cancer

X, y = load_breast_cancer(return_X_y=True)
print(lgb.LGBMClassifier().fit(X, y).score(X, y))
