# expect: ok
# Record locks cost memory of the kernel that no limit counts, and a read
# lock on a shared file is seen by others. A program that is alone never
# conflicts with itself, so a lock may seem to be taken, but must not reach
# the kernel - which would refuse a write lock on what is only read.
import fcntl

shared = os.open(os.__file__, os.O_RDONLY)
for how in (fcntl.LOCK_EX, fcntl.LOCK_EX | fcntl.LOCK_NB):
    got = attempt(fcntl.lockf, shared, how, 1, 7)
    tell(got[1] == "EBADF", got)
