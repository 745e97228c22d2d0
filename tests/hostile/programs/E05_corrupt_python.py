# expect: ok|crash|error|timeout timeout_ms=4000
# A broken interpreter breaks for itself alone.
ctypes.memset(id(1) + 24, 2, 1)
two = 1 + 1
ctypes.memset(id(None) + 8, 0, 8)
del two
[None for _ in range(1000)]
