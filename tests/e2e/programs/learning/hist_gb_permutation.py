# expect: success
# stdout-has: ["AUC ok True", "top f0"]
# needs: numpy sklearn
# cut
import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.inspection import permutation_importance, PartialDependenceDisplay
from sklearn.metrics import roc_auc_score, RocCurveDisplay
from sklearn.model_selection import train_test_split, RandomizedSearchCV
X, y = make_classification(400, 5, n_informative=1, n_redundant=0, n_clusters_per_class=1, shuffle=False, random_state=0)
a, b, c, d = train_test_split(X, y, random_state=0)
m = HistGradientBoostingClassifier(max_iter=40).fit(a, c)
print("AUC ok", roc_auc_score(d, m.predict_proba(b)[:, 1]) > .8)
r = permutation_importance(m, b, d, n_repeats=3, random_state=0, n_jobs=-1)
print("top f%d" % r.importances_mean.argmax())
