"""kernel - replaces calls that a guest is refused, and gives home a name.

Two calls of the standard library would show facts of the host, or take memory
that no limit bounds:
  - os.statvfs() reports the room on any file system. Here it reports home
    and /tmp by the limits and by the files in them. All else is read-only
    and full.
  - mmap.mmap(-1, ...) makes memory that processes share, each a file of the
    kernel's. A guest is one process, so private memory does the same. When
    a call ended a session, it is also rolled back with all other memory.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .job import Now
from .stand_ins import stand_in

import mmap as _mmap
import os
import posix
from typing import Any, Union

_HOME = "/home/user"
_FOLDERS = (_HOME, "/tmp")
_PAGE = 4096
_FULL = 1 << 18             # pages, or files, of any other file system
_NAME_MAX = 255
_getcwd, _fsencode, _samestat = os.getcwd, os.fsencode, os.path.samestat
_stat, _fstat, _lstat, _walk = os.stat, os.fstat, os.lstat, os.walk
_join, _result = os.path.join, os.statvfs_result
_READ_ONLY = os.ST_RDONLY | os.ST_NOSUID
_HOMES = os.ST_NOSUID | os.ST_NODEV | os.ST_NOEXEC


def _used() -> tuple[int, int]:
    """Pages and files of home and /tmp."""
    sizes: dict[int, int] = {}
    for top in _FOLDERS:
        for folder, _, names in _walk(top):
            for name in (".", *names):
                try:
                    info = _lstat(_join(folder, name))
                except OSError:
                    continue
                sizes[info.st_ino] = -(-info.st_blocks * 512 // _PAGE)
    return sum(sizes.values()), len(sizes)


def _room(device: int) -> Any:
    job = Now.job
    if device != _stat(_HOME).st_dev or not job.home_bytes:
        return _result((_PAGE, _PAGE, _FULL, 0, 0, _FULL, 0, 0, _READ_ONLY,
                        _NAME_MAX, 0))
    pages, files = _used()
    blocks = job.home_bytes // _PAGE
    free, inodes = max(0, blocks - pages), max(0, job.home_inodes - files)
    return _result((_PAGE, _PAGE, blocks, free, free, job.home_inodes,
                    inodes, inodes, _HOMES, _NAME_MAX, 0))


def statvfs(path: Union[str, bytes, int, os.PathLike]) -> Any:
    """Perform a statvfs system call on the given path."""
    return _room(_stat(path).st_dev)


def fstatvfs(fd: int) -> Any:
    """Perform an fstatvfs system call on the given fd."""
    return _room(_fstat(fd).st_dev)


def call_home(name: str) -> None:
    """Call home NAME, an alias of it, where a program asks for home or for
    its working directory. No change if it is no alias of home here."""
    try:
        if not _samestat(_stat(name), _stat(_HOME)):
            return
    except OSError:
        return

    def getcwd() -> str:
        """Return a unicode string representing the current working directory.
        """
        found = _getcwd()
        whole = found == _HOME or found.startswith(_HOME + "/")
        return name + found[len(_HOME):] if whole else found

    def getcwdb() -> bytes:
        """Return a bytes string representing the current working directory."""
        return _fsencode(getcwd())

    for module in (os, posix):
        for call in (getcwd, getcwdb):
            setattr(module, call.__name__,
                    stand_in(call, module, call.__name__))
    os.environ["HOME"] = name


class mmap(_mmap.mmap):
    __doc__ = _mmap.mmap.__doc__
    __slots__ = ()

    def __new__(cls, fileno: int, length: int, *words: Any,
                **named: Any) -> Any:
        if fileno == -1:
            named.update(zip(("flags", "prot", "access", "offset"), words))
            words = ()
            _make_private(named)
        return _mmap_new(cls, fileno, length, *words, **named)

    def __repr__(self) -> str:
        return "<mmap." + _mmap_repr(self)[1:]  # the name of C's own class


def _make_private(named: dict[str, Any]) -> None:
    """Change the arguments of an anonymous mapping."""
    access = named.get("access", _mmap.ACCESS_DEFAULT)
    if access == _mmap.ACCESS_COPY or (
            access and ("flags" in named or "prot" in named)):
        return  # it is private, or an error
    if access in (_mmap.ACCESS_READ, _mmap.ACCESS_WRITE):
        del named["access"]
        if access == _mmap.ACCESS_READ:
            named["prot"] = _mmap.PROT_READ
    flags = named.get("flags", _mmap.MAP_SHARED)
    if flags & 0xf == _mmap.MAP_SHARED:
        named["flags"] = flags ^ _mmap.MAP_SHARED | _mmap.MAP_PRIVATE


_mmap_new, _mmap_repr = _mmap.mmap.__new__, _mmap.mmap.__repr__
mmap.__module__ = "mmap"
_mmap.mmap = mmap  # type: ignore[misc]
for _module in (os, posix):
    _module.statvfs, _module.fstatvfs = statvfs, fstatvfs  # type: ignore
