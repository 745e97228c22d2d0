# expect: crash
# Lengths that nobody should believe.
import struct

for kind in (1, 2, 3):
    for size in (0xffffffff, 0x7fffffff, 0x80000000, 1 << 30):
        attempt(os.write, 3, struct.pack("=II", kind, size) + b"x" * 10)
time.sleep(0.2)
