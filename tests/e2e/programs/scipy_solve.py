# expect: success
# needs: scipy
# final: [1.0, 2.0]
import numpy as np
from scipy import linalg, optimize
x = linalg.solve(np.array([[3.0, 2.0], [1.0, 2.0]]), np.array([7.0, 5.0]))
assert abs(optimize.brentq(lambda t: t * t - 2, 0, 2) - 2 ** 0.5) < 1e-9
x.round(9)
