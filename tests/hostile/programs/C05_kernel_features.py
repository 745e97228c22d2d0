# expect: ok
# Large interfaces that nobody here needs.
for name, words in (("userfaultfd", (0,)), ("bpf", (0, 0, 0)),
                    ("perf_event_open", (0, 0, -1, -1, 0)),
                    ("keyctl", (0, -3, 0, 0, 0)),
                    ("add_key", (b"user", b"a", b"b", 1, -3)),
                    ("request_key", (b"user", b"a", b"b", -3)),
                    ("fanotify_init", (0, 0)), ("inotify_init1", (0,)),
                    ("signalfd4", (-1, b"\0" * 8, 8, 0)),
                    ("timerfd_create", (1, 0)), ("timer_create", (1, 0, 0)),
                    ("memfd_secret", (0,)), ("membarrier", (0, 0, 0)),
                    ("io_setup", (1, 0)), ("lookup_dcookie", (0, 0, 0)),
                    ("rseq_slice_yield", ()), ("map_shadow_stack", (0,))):
    no_call(name, *words)
# Parts of what is allowed that are another thing behind the same number.
import fcntl
import signal

for flags in (0o40000, 0o200, 0o20000):  # packets, a queue of notices, signals
    no_call("pipe2", (ctypes.c_int * 2)(), flags)
one, other = os.pipe()
for flags in (0o40000, 0o20000, 0o44000):
    refused(fcntl.fcntl, other, fcntl.F_SETFL, flags)
for flags in (0o10000000, 0o20200002, 0o40000, 0o20000):
    no_call("openat", -100, b"/home/user", flags, 0)
no_call("openat", -100, b"set", 0o101, 0o4755)
no_call("mkdir", b"sticky", 0o1777)
for timer in (signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
    refused(signal.setitimer, timer, 1)
no_call("socketpair", 1, 1, 1, (ctypes.c_int * 2)())
# How full the host's disk is.
for name in ("statfs", "fstatfs", "ustat", "quotactl", "sysinfo"):
    no_call(name, b"/usr", b"\0" * 256)
