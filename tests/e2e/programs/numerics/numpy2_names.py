# expect: success
# needs: numpy
# stdout: "2.0\n[0, 1, 0, 1]\n[1, -1]\nTrue (3, 2)\n"
# cut
import numpy as np

x = np.linspace(0, np.pi, 101)
print(round(float(np.trapezoid(np.sin(x), x)), 3))
print(np.concat([np.arange(2), np.arange(2)]).tolist())
print(np.astype(np.array([1.9, -1.9]), np.int64).tolist())
print(np.bool(True), np.permute_dims(np.zeros((2, 3))).shape)
