# The value would be some 100 MB of JSON: a text stands in for it.
# expect: success
# needs: numpy
# final-like: ^array\(
import numpy as np
np.arange(20_000_000)
