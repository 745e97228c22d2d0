# expect: success
# needs: numpy
# final: [[1.0, 0.0], [0.0, 1.0]]
import numpy as np
a = np.array([[2.0, 1.0], [1.0, 3.0]])
(np.linalg.inv(a) @ a).round(9) + 0.0
