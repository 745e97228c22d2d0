# expect: success
# needs: xgboost sklearn
# stdout: "RMSE below 0.25: True\nTop feature: 0\n"
# stderr-like: .*
# cut
import numpy as np
import xgboost as xgb
from sklearn.metrics import mean_squared_error
from sklearn.model_selection import train_test_split

rng = np.random.default_rng(42)
X = rng.random((300, 4))
y = 3 * X[:, 0] - 2 * X[:, 1] + rng.normal(0, .05, 300)
Xt, Xv, yt, yv = train_test_split(X, y, random_state=0)
model = xgb.XGBRegressor(n_estimators=60, max_depth=3, learning_rate=0.2)
model.fit(Xt, yt, eval_set=[(Xv, yv)], verbose=False)
rmse = mean_squared_error(yv, model.predict(Xv)) ** 0.5
print("RMSE below 0.25:", rmse < 0.25)
print("Top feature:", int(np.argmax(model.feature_importances_)))
