# expect: failure
# needs: sklearn
# error: ImportError
# told: "load_boston"
# cut
from sklearn.datasets import load_boston

boston = load_boston()
print(boston.data.shape)
