# expect: failure
# error: ModuleNotFoundError
# told: ["prophet", "statsmodels"]
# without: prophet
# cut
from prophet import Prophet
m = Prophet(); print(m)
