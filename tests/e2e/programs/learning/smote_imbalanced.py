# expect: success
# needs: imblearn
# stdout: "[181  19]\n[181 181]\nTrue\n"
# stderr-like: .*
# cut
import numpy as np
from imblearn.over_sampling import SMOTE
from imblearn.pipeline import Pipeline
from imblearn.under_sampling import RandomUnderSampler
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

X, y = make_classification(200, weights=[0.9], flip_y=0, random_state=0)
print(np.bincount(y))
print(np.bincount(SMOTE(random_state=0).fit_resample(X, y)[1]))
steps = Pipeline([("more", SMOTE(k_neighbors=3, random_state=0)),
                  ("less", RandomUnderSampler(random_state=0)),
                  ("model", LogisticRegression())])
print(cross_val_score(steps, X, y, cv=3, scoring="f1").mean() > 0.4)
