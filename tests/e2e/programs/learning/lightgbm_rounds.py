# LightGBM: rounds, scores and leaves that are known by hand.
# expect: success
# needs: sklearn
# without: lightgbm
# stdout:
#     "[LightGBM] [Info] Total Bins 3\n[LightGBM] [Info] Number of data points
#     in the train set: 40, number of used features: 1\n[LightGBM] [Info]
#     Start training from score 5.000000\n[1]\ttrain's l2: 20.25\tlater's l2:
#     0\nTraining until validation scores don't improve for 2
#     rounds\n[2]\ttrain's l2: 16.4025\tlater's l2: 0.2025\n[3]\ttrain's l2:
#     13.286\tlater's l2: 0.731025\nEarly stopping, best iteration
#     is:\n[1]\ttrain's l2: 20.25\tlater's l2: 0\n1 1 [4.5 5.5]\n[4.5 5.5]
#     {'l2': 0.0} ['place']\n[1] [1000.]\n[20.25, 16.4025, 13.286025]
#     ['train', 'later']\n[4.5 5.5] 4\n[LightGBM] [Info] Total Bins
#     3\n[LightGBM] [Info] Number of data points in the train set: 40, number
#     of used features: 1\n[LightGBM] [Info] Start training from score
#     5.000000\n[LightGBM] [Warning] Stopped training because there are no
#     more leaves that meet the split requirements\n[5. 5.] 1\n"
# cut
import lightgbm as lgb
import numpy as np

# Two leaves of 20 rows, 5 below and above the mean: a round of rate 0.1 leaves
# nine tenths of it, so that l2 is 25 * 0.81 ** rounds.
X = np.repeat([[1.0], [2.0]], 20, axis=0)
y = np.where(X[:, 0] < 2, 0.0, 10.0)
data = lgb.Dataset(X, label=y, feature_name=["place"])
later = lgb.Dataset(X[:20], label=y[:20] + 4.5, reference=data)
scores = {}
model = lgb.train(
    {"objective": "regression", "metric": "l2", "num_leaves": 4,
     "verbosity": 1},
    data, num_boost_round=20, valid_sets=[data, later],
    valid_names=["train", "later"],
    callbacks=[lgb.log_evaluation(1), lgb.early_stopping(2),
               lgb.record_evaluation(scores)])
print(model.best_iteration, model.num_trees(), model.predict([[1], [2]]))
print(model.predict(np.array([[1.5], [1.6]]), num_iteration=1),
      dict(model.best_score["later"]), model.feature_name())
print(model.feature_importance(), model.feature_importance("gain").round(6))
print([round(one, 6) for one in scores["train"]["l2"]], list(scores))
# Each round leaves all trees out and makes them smaller by as much as it adds:
# the sum stays that of the first.
dart = lgb.LGBMRegressor(boosting_type="dart", drop_rate=1.0, skip_drop=0.0,
                         n_estimators=4, verbose=-1).fit(X, y)
print(dart.predict([[1], [2]]).round(6), dart.n_estimators_)
# One leaf is too small: no split, the mean remains.
lonely = lgb.LGBMRegressor(min_child_samples=21, n_estimators=5).fit(X, y)
print(lonely.predict(X[:2]), lonely.n_estimators_)
