# expect: success
# needs: sklearn
# stdout: "['C', 'kernel']\n3 True\n"
# cut
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.svm import SVC

X, y = load_wine(return_X_y=True)
grid = GridSearchCV(SVC(), {'C': [1, 10], 'kernel': ['linear']}, cv=3,
                    n_jobs=-1, verbose=0)
grid.fit(X, y)
print(sorted(grid.best_params_))
scores = cross_val_score(grid.best_estimator_, X, y, cv=3, n_jobs=2)
print(len(scores), scores.mean() > 0.9)
