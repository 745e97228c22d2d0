# needs: numba
# expect: success
# final: [499500, 6.0, [0.0, 2.0], [2.0, 3.0, 4.0], [[3.0], [12.0]], true, 3,
#    "NotImplementedError"]
# Without machine code numba runs functions as plain Python.
import math

import numpy
from numba import (cfunc, float64, guvectorize, int64, jit, njit, prange,
                   typed, types, vectorize)
from numba.experimental import jitclass


@njit(parallel=True, fastmath=True, cache=True)
def total(n):
    found = 0
    for i in prange(n):
        found += i
    return found


@jit("f8(f8)", nopython=True)
def twice(x):
    return math.fabs(x) * 2


@jitclass([("x", float64)])
class Point:
    def __init__(self, x):
        self.x = x

    def moved(self):
        return [self.x, self.x + 2]


@vectorize([float64(float64, float64)], target="parallel")
def add(a, b):
    return a + b


@guvectorize([(float64[:], float64[:])], "(n)->()")
def summed(row, out):
    out[0] = row.sum()


known = typed.Dict.empty(types.int64, types.float64)
known[1] = 2.0
items = typed.List([1, 2, 3])
try:
    cfunc("f8(f8)")(lambda x: x)
    told = None
except NotImplementedError as error:
    told = type(error).__name__
table = numpy.arange(6.0).reshape(2, 3)
[total(1000), twice(-3.0), Point(0.0).moved(),
 add(numpy.arange(3.0), 2.0).tolist(),
 summed(table).reshape(2, 1).tolist(), total.py_func(10) == 45, len(items),
 told]
