# expect: ok
# Locks, leases and watches on a file that all guests see.
import fcntl
import glob

shared = os.open(glob.glob("/usr/lib/*/libc.so.6")[0], os.O_RDONLY)
folder = os.open("/tmp", os.O_RDONLY)
refused(fcntl.flock, shared, fcntl.LOCK_EX | fcntl.LOCK_NB)
refused(fcntl.fcntl, shared, 1024, 1)  # F_SETLEASE
refused(fcntl.fcntl, folder, 1026, 0x80000001)  # F_NOTIFY
refused(fcntl.fcntl, shared, 37, b"\0" * 32)  # F_OFD_SETLK
refused(fcntl.fcntl, shared, 8, os.getpid())  # F_SETOWN
own = os.open("/tmp/db", os.O_CREAT | os.O_RDWR)
tell(attempt(fcntl.lockf, own, fcntl.LOCK_EX | fcntl.LOCK_NB)[0] != "OK",
     "sqlite needs a lock on its own file")
