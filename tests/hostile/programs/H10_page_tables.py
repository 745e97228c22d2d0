# expect: ok|memory|timeout memory_mb=200 timeout_ms=3000
# Memory of the kernel's own: one byte in each 2 MB of terabytes.
import mmap

touched = 0
maps = []
try:
    for shift in range(38, 20, -1):
        for _ in range(4):
            try:
                maps.append(mmap.mmap(-1, 1 << shift, flags=0x4022))
            except OSError:
                break
    for one in maps:
        for at in range(0, len(one), 1 << 21):
            one[at] = 1
            touched += 1
except MemoryError:
    pass
print("touched", touched)
