# expect: ok
# What the server was started with: its environment and its arguments, also
# where the kernel put them, at the top of the stack.
import re

known = {"HOME", "USER", "LOGNAME", "PATH", "LANG", "LC_ALL", "TZ",
         "TMPDIR", "MPLBACKEND", "MPLCONFIGDIR", "XDG_CACHE_HOME",
         "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
         "NUMEXPR_NUM_THREADS", "JOBLIB_MULTIPROCESSING", "LC_CTYPE",
         "NUMBA_DISABLE_JIT", "PYTHONHASHSEED",
         "HOSTNAME", "PWD"}
tell(set(os.environ) - known, set(os.environ) - known)
tell(len(sys.argv) > 1 or len(sys.orig_argv) > 1, sys.argv, sys.orig_argv)
at = ctypes.c_void_p.in_dll(LIBC, "__libc_stack_end").value & ~4095
read, write = os.pipe()
top = b""
while True:
    try:
        os.write(write, (ctypes.c_char * 4096).from_address(at))
    except OSError:
        break
    top += os.read(read, 4096)
    at += 4096
names = {name.decode() for name in re.findall(rb"([A-Z][A-Z0-9_]+)=", top)}
tell(not top or names - known, len(top), names - known)
tell(re.search(rb"[a-z]+\.(conf|sock|pid)\b", top), "no path of the server")
