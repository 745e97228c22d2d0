# expect: success
# needs: sklearn
# stdout: "Accuracy above 0.85: True\n45\nTrue\n"
# cut
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import (accuracy_score, classification_report,
                             confusion_matrix)
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

X, y = load_iris(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(
    X, y, test_size=0.3, random_state=42, stratify=y)
clf = make_pipeline(StandardScaler(),
                    RandomForestClassifier(n_estimators=50, n_jobs=-1,
                                           random_state=42))
clf.fit(X_train, y_train)
acc = accuracy_score(y_test, clf.predict(X_test))
print("Accuracy above 0.85:", acc > 0.85)
print(confusion_matrix(y_test, clf.predict(X_test)).sum())
report = classification_report(y_test, clf.predict(X_test))
print('precision' in report)
