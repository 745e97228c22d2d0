# expect: crash
# A bad pointer.
print("partial", end="", flush=True)
ctypes.string_at(0)
