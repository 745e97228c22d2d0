# Words of scikit-learn 1.3 to 1.5: categories by their type, names of classes
# in a tree's text, a validation curve.
# expect: success
# needs: sklearn
# final: [1.0, [0.0, 1.0], 1.0, true, true, ["max_depth", "linear"], "log",
#    2, ["c", "g"], true]
# cut
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_selection import mutual_info_classif
from sklearn.inspection import partial_dependence
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ValidationCurveDisplay, cross_val_score
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier, export_text

rng = np.random.default_rng(0)
table = pd.DataFrame({"a": rng.normal(size=200),
                      "c": pd.Categorical(list("wxyz") * 50)})
y = table["c"].isin(["w", "y"]).astype(int)
model = HistGradientBoostingClassifier(categorical_features="from_dtype")
model.fit(table, y)
fresh = pd.DataFrame({"a": [0.0, 0.0], "c": ["x", "y"]}).astype(
    {"c": "category"})
score = cross_val_score(model, table, y, cv=3).mean()

X, kind = load_iris(return_X_y=True)
tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, kind)
text = export_text(tree, class_names=["setosa", "versicolor", "virginica"])
curve = ValidationCurveDisplay.from_estimator(
    DecisionTreeClassifier(random_state=0), X, kind, param_name="max_depth",
    param_range=[1, 2, 3], cv=3)
other = ValidationCurveDisplay.from_estimator(
    LogisticRegression(max_iter=2000), X, kind, param_name="C",
    param_range=[0.01, 0.1, 1], cv=3, score_type="test")
shown = [curve.ax_.get_xlabel(), curve.ax_.get_xscale()]
columns = make_column_transformer(
    (OneHotEncoder(sparse_output=False), ["c"]), remainder="passthrough",
    verbose_feature_names_out=False, force_int_remainder_cols=False)
names = columns.fit(table.rename(columns={"a": "g"})).get_feature_names_out()
grid = partial_dependence(tree, X, [2])["grid_values"]
plt.close("all")
[float(model.score(table, y)), model.predict(fresh).astype(float).tolist(),
 round(float(score), 2), "class: virginica" in text,
 "class: 0" not in text, shown, other.ax_.get_xscale(),
 len(mutual_info_classif(table[["a"]].assign(b=1), y, n_jobs=1)),
 [names[0][0], names[-1]], len(grid) == 1]
