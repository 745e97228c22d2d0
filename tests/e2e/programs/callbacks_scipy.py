# needs: scipy
# expect: success
# final: [0.3333, 0.6667, [1.0, 2.0], [1.0, 3.0, 2.0]]
# A callback as a C function pointer, and plain ones.
import ctypes

import numpy
from scipy import LowLevelCallable, integrate, ndimage, optimize

Integrand = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int,
                             ctypes.POINTER(ctypes.c_double))
square = Integrand(lambda n, x: x[0] * x[0])
low = integrate.quad(LowLevelCallable(square), 0, 1)[0]
twice = integrate.quad(LowLevelCallable(square), 0, 1)[0] * 2
found = optimize.minimize(lambda p: (p[0] - 1) ** 2 + (p[1] - 2) ** 2,
                          [0, 0]).x
spread = ndimage.generic_filter(
    numpy.array([1.0, 2.0, 4.0]), lambda near: near.max() - near.min(), 3)
[round(low, 4), round(twice, 4), found.round(3).tolist(), spread.tolist()]
