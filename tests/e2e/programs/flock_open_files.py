# expect: success
# final: ["held", "shared twice", "a duplicate's", "closed", "reopened",
#    "waited", "EBADF", "EINVAL", "none"]
# files-out: {"a.lock": ""}
# flock() locks conflict between two open files of one program, as anywhere.
import errno
import fcntl
import os
import struct
import threading
import time

told = []
EX, SH, UN, NB = fcntl.LOCK_EX, fcntl.LOCK_SH, fcntl.LOCK_UN, fcntl.LOCK_NB


def error(fd, operation):
    try:
        fcntl.flock(fd, operation)
    except OSError as caught:
        return errno.errorcode[caught.errno]


first, second = open("a.lock", "w"), open("a.lock")
fcntl.flock(first, EX)
if error(second, SH | NB) == "EAGAIN" and not error(first, EX | NB):
    told.append("held")
fcntl.flock(first, SH)
if not error(second, SH | NB) and error(first, EX | NB) == "EAGAIN":
    told.append("shared twice")
fcntl.flock(first, UN)
copy = os.dup(second.fileno())
if not error(copy, EX | NB) and not error(second.fileno(), UN) and \
        not error(first, EX | NB):
    told.append("a duplicate's")
first.close()
os.close(copy)
if not error(second, EX | NB):
    told.append("closed")
number = second.fileno()
second.close()
third, fourth = os.open("a.lock", os.O_RDONLY), os.open("a.lock", os.O_RDWR)
if number in (third, fourth) and not error(fourth, EX | NB) and \
        error(third, EX | NB) == "EAGAIN":
    told.append("reopened")


def release():
    time.sleep(0.1)
    fcntl.flock(fourth, UN)


threading.Thread(target=release).start()
before = time.monotonic()
fcntl.flock(third, EX)
if time.monotonic() - before > 0.05:
    told.append("waited")
told += [error(99, EX), error(third, 16)]
asked = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0)
fcntl.lockf(third, EX | NB)
if struct.unpack("hhqqi4x", fcntl.fcntl(third, fcntl.F_GETLK, asked))[0] == \
        fcntl.F_UNLCK:
    told.append("none")
told
