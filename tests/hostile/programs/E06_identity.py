# expect: ok
# Who the host is.
import platform

names = os.uname()
tell(names.nodename == HOST_NAME, names)
tell(platform.node() == HOST_NAME, platform.node())
tell(os.getpid() > 2 or os.getppid() != 0, os.getpid(), os.getppid())
refused(os.getloadavg)
no_call("sysinfo", ctypes.create_string_buffer(256))
disk = os.statvfs("/usr")
tell(disk.f_blocks * disk.f_frsize > 1 << 30, disk)
others = [name for name in attempt(os.listdir, "/etc/alternatives")[1]
          if not name.startswith("lib")] \
    if os.path.isdir("/etc/alternatives") else []
tell(others, "software of the host", others[:5], len(others))
