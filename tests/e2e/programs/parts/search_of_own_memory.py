import base64, contextlib, ctypes, errno, gc, json, os, re
LOWER = bytes((i - 1) & 255 for i in range(256))
WORDS = [base64.b64decode(word) for word in json.loads('@')]
LIBC = ctypes.CDLL(None, use_errno=True)
CHUNK = 65536
read, write = os.pipe()
os.set_blocking(read, False)
os.set_blocking(write, False)
seen, found = 0, set()
raw = LIBC.write
raw.argtypes = [ctypes.c_int, ctypes.c_size_t, ctypes.c_size_t]
raw.restype = ctypes.c_ssize_t
one = re.compile(b'|'.join(map(re.escape, WORDS)))


def scan(low, high):
    global seen
    at, tail = low & ~4095, b''
    while at < high:
        got = raw(write, at, CHUNK)
        if got < 0 and ctypes.get_errno() == errno.EAGAIN:
            with contextlib.suppress(BlockingIOError):
                os.read(read, CHUNK)
            continue
        if got <= 0:
            at, tail = at + 4096, b''
            continue
        data = tail + os.read(read, CHUNK).translate(LOWER)
        seen += got // 4096
        found.update(WORDS.index(hit) for hit in one.findall(data))
        at, tail = at + got, data[-200:]


LIBC.sbrk.restype = ctypes.c_long
top = LIBC.sbrk(0)
scan(top - (64 << 20), top)      # the program and its heap
mapped = [id(thing) for thing in gc.get_objects() if id(thing) > top]
mapped.append(ctypes.cast(LIBC.malloc, ctypes.c_void_p).value)
stack = ctypes.c_void_p.in_dll(LIBC, '__libc_stack_end').value
scan(min(mapped) - (32 << 20), min(max(mapped) + (32 << 20), stack))
scan(stack - (8 << 20), stack + (1 << 20))
[seen, sorted(found)]
