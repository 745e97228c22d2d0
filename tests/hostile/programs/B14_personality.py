# expect: ok
# Would make whatever is readable executable.
for value in (0x0400000, 0x0040000, 0x0400000 | 0x0040000, 0x8, 0xffffffff):
    no_call("personality", value)
