# HDBSCAN and TargetEncoder of scikit-learn 1.3, on the library's own examples.
# expect: success
# needs: sklearn
# final: [[2, 6, -1], 8, 912, true, [44.14, 44.44, 44.28],
#    [20.93, 80.82, 43.18], 44.29, ["c"], true, 1.0]
# cut
import pickle

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.cluster import HDBSCAN
from sklearn.datasets import load_digits, make_blobs
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import TargetEncoder

digits = HDBSCAN(min_cluster_size=20).fit(load_digits().data)
labels = digits.labels_
X, y = make_blobs(60, centers=[[0, 0], [9, 9]], random_state=0)
found = clone(HDBSCAN(store_centers="centroid")).fit(X)

pets = pd.DataFrame({"c": ["dog"] * 20 + ["cat"] * 30 + ["snake"] * 38})
worth = np.array([90.3] * 5 + [80.1] * 15 + [20.4] * 5 + [20.1] * 25 +
                 [21.2] * 8 + [49] * 30)
high = TargetEncoder(smooth=5000.0).fit(pets, worth)
low = TargetEncoder(smooth=1.0).fit(pets, worth)
model = make_pipeline(TargetEncoder(random_state=0), LinearRegression())
model.set_output(transform="pandas").fit(pets, worth)
again = pickle.loads(pickle.dumps(model))
[labels[:3].tolist(), int(labels.max() + 1), int((labels == -1).sum()),
 bool(found.labels_.max() == 1 and found.centroids_.shape == (2, 2)),
 high.encodings_[0].round(2).tolist(), low.encodings_[0].round(2).tolist(),
 round(float(low.target_mean_), 2), list(model[0].get_feature_names_out()),
 bool(again.score(pets, worth) > 0.8),
 float(len(model[0].transform(pets.head(2))["c"].unique()))]
