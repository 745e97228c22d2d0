# dual="auto" of scikit-learn 1.3, and for xgboost categories without a
# tree_method, and device="cpu", without a warning.
# expect: success
# needs: sklearn xgboost numpy
# stdout: "True auto\nTrue True\n(30, 3)\n"
# stderr-like: .*
# cut
import numpy as np
import pandas as pd
import xgboost as xgb
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR, LinearSVC, LinearSVR

rng = np.random.default_rng(0)
X = rng.normal(size=(90, 4))
y = (X[:, 0] + X[:, 1] > 0).astype(int)
machine = LinearSVC(dual="auto").fit(X, y)
print(machine.score(X, y) > 0.9, machine.get_params()["dual"])
scores = cross_val_score(
    make_pipeline(StandardScaler(), LinearSVC(dual="auto")), X, y, cv=3)
print(scores.mean() > 0.9, LinearSVR(dual="auto").fit(X, X[:, 0]).score(
    X, X[:, 0]) > 0.9)

table = pd.DataFrame({"a": rng.normal(size=30),
                      "c": pd.Categorical(list("xyz") * 10)})
model = xgb.XGBClassifier(n_estimators=5, enable_categorical=True,
                          device="cpu")
print(model.fit(table, [0, 1, 2] * 10).predict_proba(table).shape)
