# expect: ok
# Operations with a history of bugs.
words = (ctypes.c_int * 2)()
for operation in (2, 3, 4, 5, 6, 7, 8, 11, 12, 13):
    for flags in (0, 128, 256):
        no_call("futex", ctypes.byref(words), operation | flags, 0, 0, 0, 0)
for name in ("futex_waitv", "futex_wake", "futex_wait", "futex_requeue"):
    no_call(name, 0, 0, 0, 0, 0)
no_call("futex", ctypes.byref(words), 1 | 1 << 32, 1, 0, 0, 0)
