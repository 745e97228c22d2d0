# needs: cffi
# expect: success
# final: [[1, 2, 3], 7.5, 9, "x", 3, ["ValueError"], "boom", true]
# stderr-has: ["From cffi callback", "ValueError: told"]
import gc

import cffi

ffi = cffi.FFI()
ffi.cdef("""
    typedef int (*compare_t)(const void *, const void *);
    void qsort(void *, size_t, size_t, compare_t);
    typedef struct { int x, y; } pair_t;
""")
libc = ffi.dlopen(None)


@ffi.callback("compare_t")
def compare(one, two):
    return ffi.cast("int *", one)[0] - ffi.cast("int *", two)[0]


numbers = ffi.new("int[3]", [3, 1, 2])
libc.qsort(numbers, 3, 4, compare)
add = ffi.callback("double(double, float, int8_t)", lambda *all: sum(all))
pair = ffi.new("pair_t *", [4, 5])
total = ffi.callback("int(*)(pair_t *)", lambda p: p.x + p.y)
letter = ffi.callback("char(char)", lambda c: c)


@ffi.callback("int(void)", error=3)
def fails():
    raise ValueError("told")


seen = []
quiet = ffi.callback("void(void)", lambda: {}["boom"],
                     onerror=lambda kind, exc, trace: seen.append(exc.args[0]))
quiet()
told = fails()
for _ in range(5000):
    one = ffi.callback("int(int)", lambda n: n)
try:
    ffi.callback("int(pair_t)", lambda pair: 0)
    by_value = False
except NotImplementedError:
    by_value = True
[list(numbers), add(4.0, 2.5, 1), total(pair), letter(b"x").decode(), told,
 ["ValueError"], seen[0], by_value]
