# LightGBM: scores and trees are held against scikit-learn.
# expect: success
# needs: sklearn
# without: lightgbm
# files-kinds: {"model.txt": "text"}
# stdout:
#     "[LightGBM] [Info] Number of positive: 286, number of negative:
#     169\n[LightGBM] [Info] Total Bins 4548\n[LightGBM] [Info] Number of data
#     points in the train set: 455, number of used features: 30\n[LightGBM]
#     [Info] [binary:BoostFromScore]: pavg=0.628571 ->
#     initscore=0.526093\n[LightGBM] [Info] Start training from score
#     0.526093\n['auc', 'binary_logloss'] True True True\n3 True\n[('valid
#     auc-mean', 20), ('valid auc-stdv', 20)] True 5\nTrue\nTrue False\nTrue
#     25\ndart True True\nrf True True\ngoss True True\n"
# cut
import lightgbm as lgb
import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import train_test_split

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
one, two, y_one, y_two = train_test_split(X, y, test_size=0.2,
                                          random_state=42)
model = lgb.LGBMClassifier(random_state=42).fit(
    one, y_one, eval_set=[(two, y_two)], eval_metric="auc",
    callbacks=[lgb.early_stopping(20, verbose=False)])
chance = model.predict_proba(two)[:, 1]
best = model.best_score_["valid_0"]
print(list(best), abs(best["auc"] - roc_auc_score(y_two, chance)) < 1e-9,
      abs(best["binary_logloss"] - log_loss(y_two, chance)) < 1e-9,
      model.score(two, y_two) > 0.94)
few = lgb.LGBMClassifier(num_leaves=3, n_estimators=1, verbose=-1).fit(
    one, y_one, eval_set=(two, y_two), eval_metric="auc")
tied = few.predict_proba(two)[:, 1]
print(len(set(tied)), abs(few.best_score_["valid_0"]["auc"] -
                          roc_auc_score(y_two, tied)) < 1e-9)
found = lgb.cv({"objective": "binary", "metric": "auc", "verbose": -1},
               lgb.Dataset(X, label=y), num_boost_round=20, nfold=5,
               return_cvbooster=True)
print([(name, len(values)) for name, values in found.items()
       if name != "cvbooster"], found["valid auc-mean"][-1] > 0.98,
      len(found["cvbooster"].boosters))

# Few values in each column: each has a bin of its own, and the trees are those
# of scikit-learn.
X, y = load_diabetes(return_X_y=True)
X = np.round(X, 2)
ours = lgb.LGBMRegressor(verbose=-1, min_data_in_bin=1, n_estimators=25,
                         num_leaves=10).fit(X, y)
theirs = HistGradientBoostingRegressor(
    max_iter=25, max_leaf_nodes=10, early_stopping=False).fit(X, y)
print(abs(ours.predict(X) - theirs.predict(X)).max() < 1e-8)
# Rows that are not drawn count only with a frequency.
same = lgb.LGBMRegressor(verbose=-1, min_data_in_bin=1, n_estimators=25,
                         num_leaves=10, subsample=0.5).fit(X, y)
drawn = lgb.LGBMRegressor(verbose=-1, n_estimators=25, subsample=0.5,
                          subsample_freq=1, random_state=3).fit(X, y)
print((same.predict(X) == ours.predict(X)).all(),
      (drawn.predict(X) == ours.predict(X)).all())
ours.booster_.save_model("model.txt")
again = lgb.Booster(model_file="model.txt")
print((again.predict(X) == ours.predict(X)).all(), again.num_trees())
for kind in ("dart", "rf", "goss"):
    other = lgb.LGBMRegressor(boosting_type=kind, verbose=-1, subsample=0.7,
                              subsample_freq=1).fit(X, y, eval_set=(X, y))
    print(kind, abs(other.evals_result_["training"]["l2"][-1] -
                    np.mean((other.predict(X) - y) ** 2)) < 1e-6,
          other.score(X, y) > 0.5)
