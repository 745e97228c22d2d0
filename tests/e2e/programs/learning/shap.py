# expect: failure
# error: ModuleNotFoundError
# told: ["shap"]
# without: shap
# cut
import shap
from sklearn.ensemble import RandomForestRegressor
print(shap.__version__)
