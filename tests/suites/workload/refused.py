# What a guest may not do, and how each answers: an error, not a crash.
import ctypes
import os
import socket
import subprocess


def attempt(call, *words, **named):
    try:
        return repr(call(*words, **named))
    except Exception as error:
        return type(error).__name__


def callback():
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    return kind(lambda a, b: 0)(None, None)


{
    "fork": attempt(os.fork),
    "subprocess": attempt(subprocess.run, ["true"]),
    "system": attempt(os.system, "true"),
    "socket": attempt(socket.create_connection, ("127.0.0.1", 80)),
    "name": attempt(socket.getaddrinfo, "localhost", 80),
    "callback": attempt(callback),
    "foreign": attempt(ctypes.CDLL(None).abs, -3),
    "proc": os.path.exists("/proc/self"),
    "exec": attempt(os.execv, "/bin/true", ["true"]),
    "write": attempt(open, "/usr/x", "w"),
    "kill": attempt(os.kill, 1, 9),
}
# expected: {
#   "fork": "PermissionError",
#   "subprocess": "PermissionError",
#   "system": "32512",
#   "socket": "OSError",
#   "name": "gaierror",
#   "callback": "0",
#   "foreign": "3",
#   "proc": false,
#   "exec": "PermissionError",
#   "write": "OSError",
#   "kill": "PermissionError"
# }
