# expect: success
# final: ["ab", 5, "TypeError", "bytes", [8192, 7], "ValueError", "OK", true]
# Memory without a file, in each way that Python asks for it.
import mmap

with mmap.mmap(-1, 4096) as one:
    one[:2] = b"ab"
    text = one[:2].decode()
with mmap.mmap(-1, 4096, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS,
               mmap.PROT_READ | mmap.PROT_WRITE) as two:
    two[0] = 5
    byte = two[0]
with mmap.mmap(-1, 4096, access=mmap.ACCESS_READ) as three:
    try:
        three[0] = 1
        refusal = "no error"
    except TypeError as error:
        refusal = type(error).__name__
with mmap.mmap(-1, 4096, access=mmap.ACCESS_COPY) as four:
    kind = type(four[:1]).__name__
with mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE) as five:
    five[0] = 7
    five.resize(8192)
    size = [len(five), five[0]]
try:
    mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE, access=mmap.ACCESS_WRITE)
    both = "no error"
except ValueError as error:
    both = type(error).__name__
with mmap.mmap(-1, 1 << 20) as six:
    six.madvise(mmap.MADV_RANDOM)
    advised = "OK"
[text, byte, refusal, kind, size, both, advised, type(six) is mmap.mmap]
