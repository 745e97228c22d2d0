# The other packages: scikit-learn, statsmodels, networkx, parsers, YAML.
import io

import bs4
import joblib
import lxml.etree
import networkx as nx
import numpy as np
import openpyxl
import statsmodels.api as sm
from sklearn.cluster import KMeans
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_score, train_test_split

x = np.arange(40.0).reshape(20, 2)
y = x @ [1.0, 2.0] + 3
labels = (x[:, 0] > 20).astype(int)
book = openpyxl.Workbook()
book.active.append([1, "two"])
made = io.BytesIO()
book.save(made)
forest = RandomForestClassifier(10, random_state=0).fit(x, labels)
joblib.dump(forest, "forest.joblib")
result = {
    "linear": LinearRegression().fit(x, y).predict([[1.0, 1.0]])
    .round(6).tolist(),
    "forest": forest.score(x, labels),
    "again": joblib.load("forest.joblib").score(x, labels),
    "kmeans": len(set(KMeans(2, n_init=3, random_state=0).fit(x).labels_)),
    "cross": round(float(cross_val_score(LinearRegression(), x, y,
                                         cv=3).mean()), 6),
    "split": len(train_test_split(x, test_size=0.25)[1]),
    "jobs": RandomForestClassifier(10, n_jobs=2, random_state=0)
    .fit(x, labels).score(x, labels),
    "ols": sm.OLS(y, sm.add_constant(x[:, :1])).fit().params
    .round(6).tolist(),
    "path": nx.shortest_path(nx.cycle_graph(6), 0, 2),
    "layout": len(nx.spring_layout(nx.cycle_graph(4), seed=1)),
    "soup": bs4.BeautifulSoup("<p>a<b>c</b>", "lxml").b.text,
    "html5": bs4.BeautifulSoup("<p>a<b>d</b>", "html5lib").b.text,
    "xpath": lxml.etree.fromstring("<a><b>1</b></a>").xpath("//b/text()"),
    "parallel": joblib.Parallel(n_jobs=2, prefer="threads")(
        joblib.delayed(abs)(-n) for n in range(4)),
    "book": openpyxl.load_workbook(made).active["B1"].value,
}
import os
os.remove("forest.joblib")
result
# expected: {
#   "linear": [6.5],
#   "forest": 1.0,
#   "again": 1.0,
#   "kmeans": 2,
#   "cross": 1.0,
#   "split": 5,
#   "jobs": 1.0,
#   "ols": [5.0, 3.0],
#   "path": [0, 1, 2],
#   "layout": 4,
#   "soup": "c",
#   "html5": "d",
#   "xpath": ["1"],
#   "parallel": [0, 1, 2, 3],
#   "book": "two"
# }
