# expect: success
# needs: sklearn
# final: [[9.0], [1.0, 0.0]]
import numpy as np
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression
x = np.arange(4.0).reshape(-1, 1)
line = LinearRegression().fit(x, 2 * x.ravel() + 1)
groups = KMeans(2, n_init=2, random_state=0).fit([[0], [0.1], [9], [9.1]])
apart = float(len(set(groups.labels_[:2])) == 1
              and groups.labels_[0] != groups.labels_[3])
[line.predict([[4.0]]).round(9), [apart, 0.0]]
