# expect: success
# stdout: "from C\n"
import ctypes
ctypes.CDLL(None).puts(b"from C");
