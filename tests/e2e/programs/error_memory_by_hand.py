# expect: failure
# error: MemoryError
# line: 4
raise MemoryError("by hand")
