# expect: success
# needs: numba
# stdout: "332833500.0\n111\n"
# stderr-like: .*
# cut
import numpy as np
from numba import njit, prange

@njit(parallel=True, fastmath=True)
def total(a):
    s = 0.0
    for i in prange(a.shape[0]):
        s += a[i] ** 2
    return s

@njit
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps

print(total(np.arange(1000.0)))
print(collatz(27))
