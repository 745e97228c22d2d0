# expect: success
# final: [[1, 2, 3, 5, 8], 8.25, [100, 100], true, true]
# stderr: "4096 callbacks from C are in use; there can be no more at once.\n"
# Callbacks from C: as many as 4,096 at once, and each can be used again.
import ctypes

libc = ctypes.CDLL(None)
Compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int),
                           ctypes.POINTER(ctypes.c_int))
numbers = (ctypes.c_int * 5)(5, 3, 8, 1, 2)
libc.qsort(numbers, 5, ctypes.sizeof(ctypes.c_int),
           Compare(lambda a, b: a[0] - b[0]))


class Pair(ctypes.Structure):
    _fields_ = [("x", ctypes.c_double), ("n", ctypes.c_long)]


Mixed = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_long, Pair,
                         *[ctypes.c_double] * 9)


@Mixed
def mixed(x, n, pair, *more):
    return x + pair.x + n + pair.n + sum(more)


got = mixed(0.25, 1, Pair(0.5, 2), *[0.5] * 9)
Plain = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)
kept = []
try:
    while True:
        kept.append(Plain(lambda n, at=len(kept): n + at))
except MemoryError:
    most = len(kept)
called = sum(one(0) == at for at, one in enumerate(kept))
del kept[100:200]
again = [Plain(lambda n: n * 2) for _ in range(100)]
[list(numbers), got, [len(again), sum(one(4) == 8 for one in again)],
 4000 < most < 4096, called == most]
