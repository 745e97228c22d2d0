# mmap of files and of nothing, resized, flushed; large arrays come and go.
import mmap
import os

import numpy as np

with open("map", "w+b") as file:
    file.truncate(10000)
    with mmap.mmap(file.fileno(), 0) as view:
        view[:5] = b"hello"
        view.flush()
        view.resize(20000)
        view.madvise(mmap.MADV_SEQUENTIAL)
        place = view.find(b"lo")
    size = os.fstat(file.fileno()).st_size
    file.seek(0)
    text = file.read(5).decode()
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY) as view:
        view[:5] = b"other"
    with mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as view:
        kept = view[:5].decode()
with mmap.mmap(-1, 1 << 20) as nothing:
    nothing[-1] = 7
    last = nothing[(1 << 20) - 1]
os.remove("map")
total = 0
for _ in range(5):
    total += int(np.ones(4_000_000, dtype=np.int32).sum())
try:
    np.ones(1 << 40)
    huge = "no error"
except MemoryError:
    huge = "MemoryError"
words = [bytearray(100_000) for _ in range(300)]
words = [word + b"x" for word in words]
{"place": place, "size": size, "text": text, "kept": kept, "last": last,
 "total": total, "huge": huge, "words": len(words[-1])}
# expected: {
#   "place": 3,
#   "size": 20000,
#   "text": "hello",
#   "kept": "hello",
#   "last": 7,
#   "total": 20000000,
#   "huge": "MemoryError",
#   "words": 100001
# }
