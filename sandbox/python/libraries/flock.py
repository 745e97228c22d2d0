"""flock - fcntl.flock(), among the open files of one program.

No lock of a program reaches the kernel, because other guests and the host's
own processes would see a lock on a shared file. The filter answers each with
success. For fcntl.lockf() that is right: such locks are a process's, and a
process never conflicts with itself. flock() locks are an open file's, so two
of one program can conflict. This module keeps a record of those; C code that
calls flock(2) itself always gets its lock.

A held lock's open file bears a mark that has no effect on regular files,
O_NONBLOCK. So a file that was closed, or was opened again under the same
number, is told from the one that holds the lock. Duplicates share the mark
and, as in the kernel, the lock.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .deadline import check_clock

import _thread
import errno
import fcntl
import os
import time
from typing import Any, Optional

_AGAIN_S = 0.002            # seconds between two attempts
_SHARED, _ALONE, _NONE = fcntl.LOCK_SH, fcntl.LOCK_EX, fcntl.LOCK_UN
_DO_NOT_WAIT = fcntl.LOCK_NB
_flock, _fcntl, _fstat = fcntl.flock, fcntl.fcntl, os.fstat
_GETFL, _SETFL, _MARK = fcntl.F_GETFL, fcntl.F_SETFL, os.O_NONBLOCK
_sleep, _strerror = time.sleep, os.strerror

_guard = _thread.allocate_lock()
_held: dict[int, tuple[tuple[int, int], int]] = {}  # by descriptor: file, kind


def _file_of(fd: int) -> tuple[int, int]:
    info = _fstat(fd)
    return info.st_dev, info.st_ino


def _is_marked(fd: int) -> bool:
    return bool(_fcntl(fd, _GETFL) & _MARK)


def _mark(fd: int, marked: bool) -> None:
    flags = _fcntl(fd, _GETFL)
    _fcntl(fd, _SETFL, flags | _MARK if marked else flags & ~_MARK)


def _holds(fd: int, file: tuple[int, int]) -> bool:
    """Whether FD still is the open file that holds a lock of FILE."""
    try:
        return _file_of(fd) == file and _is_marked(fd)
    except OSError:
        return False


def _is_same(fd: int, holder: int) -> bool:
    """Whether FD is the open file HOLDER, or a duplicate of it."""
    if fd == holder:
        return True
    _mark(holder, False)
    try:
        return not _is_marked(fd)
    finally:
        _mark(holder, True)


def _forget(fd: int) -> None:
    _held.pop(fd, None)


def _take(fd: int, file: tuple[int, int], kind: int) -> bool:
    """Change FD's lock of FILE to KIND, unless another open file's lock
    conflicts. Locks of files that were closed are released."""
    own: Optional[int] = None
    for holder, (locked, how) in list(_held.items()):
        if not _holds(holder, locked):
            _forget(holder)
        elif locked != file:
            continue
        elif _is_marked(fd) and _is_same(fd, holder):
            own = holder
        elif kind != _NONE and _ALONE in (how, kind):
            return False
    if own is not None:
        _forget(own)
    if kind == _NONE:
        if own is not None:
            _mark(fd, False)
        return True
    _mark(fd, True)
    _held[fd] = file, kind
    return True


def flock(fd: Any, operation: int, /) -> None:
    """Perform the lock operation `operation` on file descriptor `fd`.

See the Unix manual page for flock(2) for details (On some systems, this
function is emulated using fcntl())."""
    _flock(fd, operation)  # checks the arguments, and takes no lock
    number = fd if isinstance(fd, int) else fd.fileno()
    file = _file_of(number)
    kind = operation & ~_DO_NOT_WAIT
    if kind not in (_SHARED, _ALONE, _NONE):
        raise OSError(errno.EINVAL, _strerror(errno.EINVAL))
    while True:
        with _guard:
            if _take(number, file, kind):
                return
        if operation & _DO_NOT_WAIT:
            raise OSError(errno.EWOULDBLOCK, _strerror(errno.EWOULDBLOCK))
        _sleep(_AGAIN_S)
        check_clock()


fcntl.flock = flock
