# Stands before each program: helpers that try something and print the result.
# NUMBERS, above, has this machine's numbers of the system calls it names.
import ctypes
import errno
import os
import sys
import time

LIBC = ctypes.CDLL(None, use_errno=True)


def call(name, *words):
    """A raw system call: its result and the name of its errno."""
    ctypes.set_errno(0)
    number = name if isinstance(name, int) else NUMBERS.get(name)
    if number is None:
        return -1, "ENOSYS"
    result = LIBC.syscall(ctypes.c_long(number), *[
        ctypes.c_long(w) if isinstance(w, int) else w for w in words])
    return result, errno.errorcode.get(ctypes.get_errno(), "0")


def tell(escaped, *what):
    print("ESCAPED" if escaped else "CONTAINED", *what, flush=True)


def attempt(function, *arguments, **named):
    """("OK", value), or the exception's name and its errno's."""
    try:
        return "OK", function(*arguments, **named)
    except BaseException as error:
        number = getattr(error, "errno", None)
        return (type(error).__name__,
                errno.errorcode.get(number, str(error)[:60]))


def refused(function, *arguments, **named):
    """This must fail."""
    got = attempt(function, *arguments, **named)
    tell(got[0] == "OK", getattr(function, "__name__", "?"), arguments, got)


def no_call(name, *words):
    """So must this system call."""
    got = call(name, *words)
    tell(got[0] >= 0, name, words, got)
