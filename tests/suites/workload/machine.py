# What programs ask about the machine and themselves.
import getpass
import locale
import os
import platform
import resource
import socket
import sys
import time
import uuid

result = {
    "user": [getpass.getuser(), os.path.expanduser("~")],
    "uid": os.getuid() == os.geteuid() and os.getgid() == os.getegid(),
    "groups": len(os.getgroups()) < 2,
    "system": platform.system(),
    "machine": platform.machine() == os.uname().machine,
    "platform": platform.platform().startswith("Linux"),
    "implementation": platform.python_implementation(),
    "encoding": [sys.getfilesystemencoding(), sys.stdout.encoding,
                 locale.getpreferredencoding()],
    "zone": time.tzname[0],
    "limits": resource.getrlimit(resource.RLIMIT_CORE)[0],
    "usage": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > 0,
    "cpus": os.cpu_count() >= 1,
    "affinity": len(os.sched_getaffinity(0)) >= 1,
    "times": os.times().elapsed > 0,
    "clocks": sorted(name for name in ("monotonic", "perf_counter",
                                       "time")
                     if time.get_clock_info(name).resolution < 0.1),
    "random": len({os.urandom(8), uuid.uuid4().bytes[:8],
                   uuid.uuid1().bytes[:8]}),
    "cpu time": time.process_time() > 0 and time.thread_time() > 0,
    "terminal": os.get_terminal_size is not None and os.isatty(1),
    "host": bool(socket.gethostname()),
    "load": None,
}
try:
    result["load"] = len(os.getloadavg())
except OSError as error:
    result["load"] = type(error).__name__
result
# expected: {
#   "user": ["user", "/home/user"],
#   "uid": true,
#   "groups": true,
#   "system": "Linux",
#   "machine": true,
#   "platform": true,
#   "implementation": "CPython",
#   "encoding": ["utf-8", "utf-8", "utf-8"],
#   "zone": "UTC",
#   "limits": 0,
#   "usage": true,
#   "cpus": true,
#   "affinity": true,
#   "times": true,
#   "clocks": ["monotonic", "perf_counter", "time"],
#   "random": 3,
#   "cpu time": true,
#   "terminal": false,
#   "host": true,
#   "load": "OSError"
# }
