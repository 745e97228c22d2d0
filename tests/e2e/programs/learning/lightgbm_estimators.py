# LightGBM: the estimators beside scikit-learn, and their errors.
# expect: success
# needs: sklearn
# without: lightgbm
# stdout:
#     "LGBMClassifier(n_estimators=40, random_state=1, verbose=-1) ['no'
#     'yes'] 2\n1.0 ['kind', 'noise_part'] binary int32 0\n['no' 'yes' 'no']
#     (120, 2) 0\n40 [1. 1. 1.]\n1.0\n0.99 1.0 4 120\n{'n_estimators':
#     60}\n0.995\nLGBMNotFittedError Estimator not fitted, call fit before
#     exploiting the model. True\nValueError Number of features of the model
#     must match the input. Model n_features_ is 1 and input n_features is 3
#     False\nTypeError LGBMClassifier.fit() got an unexpected keyword argument
#     'early_stopping_rounds' False\nNotImplementedError the parameter
#     linear_tree=True is not here False\nLightGBMError Check failed:
#     (num_leaves) > (1) False\nValueError pandas dtypes must be int, float or
#     bool. False\nLightGBMError Binary objective only supports 0 and 1 labels
#     False\nAttributeError lightgbm.plot_tree is not here; the estimators,
#     train(), cv(), plot_importance() and plot_metric() are False\n"
# cut
import lightgbm as lgb
import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

table = pd.DataFrame({
    "kind": pd.Categorical(["a", "b", "c"] * 40),
    "noise part": [float(one * 37 % 11) for one in range(120)]})
label = np.where(table["kind"] == "b", "yes", "no")
model = lgb.LGBMClassifier(n_estimators=40, random_state=1, verbose=-1)
print(model, model.fit(table, label).classes_, model.n_features_in_)
print(model.score(table, label), model.feature_name_, model.objective_,
      model.feature_importances_.dtype, model.best_iteration_)
print(model.predict(table[:3]), model.predict_proba(table).shape,
      model.booster_.feature_importance("gain").argmax())
print(clone(model).get_params()["n_estimators"],
      cross_val_score(model, table, label, cv=3))
# A missing category is none of the others.
some = pd.DataFrame({"kind": pd.Categorical(["a", None, "b"] * 40)})
print(model.fit(some, np.tile([1, 0, 1], 40)).score(some, np.tile([1, 0, 1],
                                                                  40)))
X, y = np.arange(200.0).reshape(-1, 1), np.arange(200) // 50
many = lgb.LGBMClassifier(verbose=-1, n_estimators=30)
print(many.fit(X, y).score(X, y), many.predict_proba(X).sum(axis=1).round(9)[0],
      many.n_classes_, many.booster_.num_trees())
search = GridSearchCV(lgb.LGBMRegressor(verbose=-1), {"n_estimators": [1, 60]},
                      cv=3).fit(X[::-1], X[::-1, 0] % 7 * 0 + y)
print(search.best_params_)
piped = make_pipeline(StandardScaler(), lgb.LGBMRegressor(verbose=-1))
print(round(piped.fit(X, y).score(X, y), 3))


def says(call):
    try:
        call()
    except Exception as exc:
        print(type(exc).__name__, str(exc).split("\n")[0],
              isinstance(exc, NotFittedError))


says(lambda: lgb.LGBMClassifier().predict(X))
says(lambda: many.predict(np.ones((2, 3))))
says(lambda: many.fit(X, y, early_stopping_rounds=5))
says(lambda: lgb.LGBMRegressor(linear_tree=True).fit(X, y))
says(lambda: lgb.LGBMRegressor(num_leaves=1).fit(X, y))
says(lambda: lgb.LGBMRegressor().fit(table.astype(str), y[:120]))
says(lambda: lgb.train({"objective": "binary"}, lgb.Dataset(X, y)))
says(lambda: lgb.plot_tree)
