# expect: ok
# Locks, leases and watches on a file that all guests see. A lock may seem to
# be taken, but must not reach the kernel: there two open files conflict.
import fcntl
import glob
import struct

path = glob.glob("/usr/lib/*/libc.so.6")[0]
first, second = (os.open(path, os.O_RDONLY) for _ in range(2))
folder = os.open("/tmp", os.O_RDONLY)
for fd in first, second:
    got = call("flock", fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    tell(got[0] != 0, "flock is a lock of the kernel's", got)
lock = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0)
for fd in first, second:
    refused(fcntl.fcntl, fd, 36, lock)  # F_OFD_GETLK
    got = attempt(fcntl.fcntl, fd, 37, lock)  # F_OFD_SETLK
    tell(got[1] == "EBADF", "a lock of an open file", got)
refused(fcntl.fcntl, first, 1024, 1)  # F_SETLEASE
refused(fcntl.fcntl, folder, 1026, 0x80000001)  # F_NOTIFY
refused(fcntl.fcntl, first, 8, os.getpid())  # F_SETOWN
own = os.open("/tmp/db", os.O_CREAT | os.O_RDWR)
tell(attempt(fcntl.lockf, own, fcntl.LOCK_EX | fcntl.LOCK_NB)[0] != "OK",
     "sqlite needs a lock on its own file")
tell(attempt(fcntl.flock, own, fcntl.LOCK_EX | fcntl.LOCK_NB)[0] != "OK",
     "h5py needs a lock on its own file")
