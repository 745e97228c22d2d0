# expect: ok
# Machine code in memory.
import mmap

READ, WRITE, EXEC = mmap.PROT_READ, mmap.PROT_WRITE, mmap.PROT_EXEC
for bits in (READ | WRITE | EXEC, READ | EXEC, EXEC, WRITE | EXEC):
    refused(mmap.mmap, -1, 4096, prot=bits)
    refused(mmap.mmap, -1, 4096, prot=bits, flags=mmap.MAP_PRIVATE | 0x20)
LIBC.mmap.restype = ctypes.c_long
page = LIBC.mmap(0, 4096, READ | WRITE, 0x22, -1, 0)
no_call("mprotect", page, 4096, READ | EXEC)
no_call("pkey_mprotect", page, 4096, READ | EXEC, -1)
no_call("remap_file_pages", page, 4096, 0, 0, 0)
code = ctypes.cast(LIBC.getpid, ctypes.c_void_p).value & ~4095
attempt(call, "mprotect", code, 4096, READ)
no_call("mprotect", code, 4096, READ | WRITE | EXEC)
import numpy
data = id(numpy.ndarray) & ~4095  # of a library, beside its constants
attempt(call, "mprotect", data, 4096, READ | WRITE)
no_call("mprotect", data, 4096, READ | EXEC)
no_call("mprotect", data, 4096, READ | WRITE | EXEC)
