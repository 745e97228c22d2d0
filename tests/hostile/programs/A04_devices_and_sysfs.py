# expect: ok
# Devices of the host, control groups and their release agents.
for path in ("/dev/mem", "/dev/kmsg", "/dev/kvm", "/dev/vda", "/dev/sda",
             "/dev/fuse", "/dev/ptmx", "/dev/tty", "/dev/vsock",
             "/dev/loop0", "/dev/shm", "/dev/mqueue", "/dev/log",
             "/dev/net/tun", "/sys", "/sys/fs/cgroup", "/sys/kernel"):
    refused(os.stat, path)
known = {"null", "zero", "full", "random", "urandom"}
tell(set(os.listdir("/dev")) - known, os.listdir("/dev"))
