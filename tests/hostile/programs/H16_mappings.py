# expect: ok|memory memory_mb=300
# As many mappings as there may be, all to be taken down at the end.
import mmap

kept = []
try:
    while len(kept) < 1000000:
        kept.append(mmap.mmap(-1, 4096, prot=1 + 2 * (len(kept) % 2)))
except OSError as error:
    print(len(kept), error)
tell(len(kept) == 1000000, len(kept))
