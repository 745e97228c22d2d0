# expect: ok machine=x86_64
# The 32-bit calls need machine code, and there is no memory for it.
import mmap

got = attempt(mmap.mmap, -1, 4096, prot=7)
tell(got[0] == "OK", got)
if got[0] == "OK":
    got[1].write(b"\xb8\x14\0\0\0\xcd\x80\xc3")
    at = ctypes.addressof(ctypes.c_char.from_buffer(got[1]))
    tell(ctypes.CFUNCTYPE(ctypes.c_int)(at)() > 0, "int 0x80")
