# expect: failure
# needs: sklearn
# error: URLError
# told: "network"
# stderr-like: .*
# cut
from sklearn.datasets import fetch_california_housing

housing = fetch_california_housing(as_frame=True)
print(housing.frame.head())
