# expect: success
# final: ["libc.so.6", true, null, true]
# Libraries are found without a process.
import ctypes
import ctypes.util

libm = ctypes.CDLL(ctypes.util.find_library("m"))
libm.cos.restype, libm.cos.argtypes = ctypes.c_double, [ctypes.c_double]
[ctypes.util.find_library("c"), libm.cos(0.0) == 1.0,
 ctypes.util.find_library("nothing"),
 ctypes.util.find_library("crypto").startswith("libcrypto.so")]
