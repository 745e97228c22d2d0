# expect: ok timeout_ms=20000
# Whatever is in reach of a pointer: the token, a cookie, another request.
# SECRETS has the words with each byte raised by one, so that neither this
# text nor what we compare holds them.
import gc

UP = bytes((i + 1) & 255 for i in range(256))
read, write = os.pipe()
os.set_blocking(read, False)
os.set_blocking(write, False)
hits = scanned = 0


def copy(at):
    """A page into the pipe, if there is one. Linux 6.1 leaves an empty buffer
    for each that is not; when the pipe is full of them they are read."""
    try:
        return os.write(write, (ctypes.c_char * 4096).from_address(at))
    except BlockingIOError:
        attempt(os.read, read, 4096)
        return copy(at)
    except OSError:
        return 0


def scan(low, high):
    global hits, scanned
    for at in range(low, high, 4096):
        if not copy(at):
            continue
        page = os.read(read, 4096).translate(UP)
        scanned += 4096
        hits += sum(page.count(word) for word in SECRETS)


LIBC.sbrk.restype = ctypes.c_long
top = LIBC.sbrk(0)
scan(top - (96 << 20) & ~4095, top)
for area in sorted({id(thing) >> 20 for thing in gc.get_objects()}):
    scan(area << 20, area + 1 << 20)
stack = ctypes.c_void_p.in_dll(LIBC, "__libc_stack_end").value
scan(stack - (1 << 20) & ~4095, stack + 65536 & ~4095)
tell(hits or scanned < 1 << 20, "hits", hits, "scanned", scanned)
