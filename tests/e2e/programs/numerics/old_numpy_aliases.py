# expect: failure
# needs: numpy
# error: AttributeError
# told: ["np.float", "builtin"]
# cut
import numpy as np

values = np.array(["1.5", "2.5"]).astype(np.float)
mask = np.ones(2, dtype=np.bool)
print(values[mask].sum())
