# expect: ok
# No process file system, so none of its side doors.
for path in ("/proc", "/proc/self/mem", "/proc/1/environ", "/proc/kcore",
             "/proc/self/maps", "/proc/sysrq-trigger", "/proc/self/root",
             "/proc/sys/kernel/core_pattern", "/proc/self/fd",
             "/dev/fd", "/dev/stdin"):
    refused(os.stat, path)
