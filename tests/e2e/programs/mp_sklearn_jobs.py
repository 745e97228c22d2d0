# expect: success
# needs: sklearn
# final: [true, 3]
# n_jobs=-1 warns of nothing.
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_score

X, y = make_classification(n_samples=60, random_state=0)
model = RandomForestClassifier(n_estimators=5, n_jobs=-1, random_state=0)
scores = cross_val_score(model, X, y, cv=3, n_jobs=-1)
[bool(scores.mean() > 0.5), len(scores)]
