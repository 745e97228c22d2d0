"""shared - multiprocessing's shared memory, within one process.

The standard library makes it of files below /dev/shm and maps them, and has a
process of its own that removes them. Here it is the guest's own memory, which
its limit bounds.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .processes import current_process

import errno
import mmap
import os
from typing import Any, Optional

_blocks: dict[str, Any] = {}  # names and memory


def _missing(number: int, name: str) -> OSError:
    return OSError(number, os.strerror(number), name)


def _unused(module: Any) -> str:
    while True:
        name = module._make_filename()
        if name not in _blocks:
            return name


def _adopt_shared_memory(module: Any) -> None:
    def __init__(self: Any, name: Optional[str] = None, create: bool = False,
                 size: int = 0, *, track: bool = True) -> None:
        if not size >= 0:
            raise ValueError("'size' must be a positive integer")
        if create and size == 0:
            raise ValueError("'size' must be a positive number different "
                             "from zero")
        if name is None and not create:
            raise ValueError("'name' can only be None if create=True")
        self._name = "/" + name if name is not None else _unused(module)
        if create and self._name in _blocks:
            raise _missing(errno.EEXIST, self._name)
        if not create and self._name not in _blocks:
            raise _missing(errno.ENOENT, self._name)
        if create:
            _blocks[self._name] = mmap.mmap(-1, size)
        block = _blocks[self._name]
        self._size, self._buf = len(block), memoryview(block)
        self._owner, self._closed_by = current_process(), set()

    def close(self: Any) -> None:
        """Close access to the shared memory from this instance."""
        here = current_process()
        if here is getattr(self, "_owner", None):
            release(self)
        elif self._buf is not None:  # of a process that inherited it
            self._closed_by.add(here)

    def buf(self: Any) -> Any:
        """A memoryview of contents of the shared memory block."""
        closed = self._closed_by and current_process() in self._closed_by
        return None if closed else self._buf

    def unlink(self: Any) -> None:
        """Destroy the memory block."""
        if _blocks.pop(self._name, None) is None:
            raise _missing(errno.ENOENT, self._name)

    release = module.SharedMemory.close
    module.SharedMemory.__init__ = __init__
    module.SharedMemory.close, module.SharedMemory.unlink = close, unlink
    module.SharedMemory.buf = property(buf)


def _adopt_heap(module: Any) -> None:
    def __init__(self: Any, size: int, fd: int = -1) -> None:
        self.size, self.fd = size, fd
        self.buffer = mmap.mmap(-1, size)

    module.Arena.__init__ = __init__


def _adopt_tracker(module: Any) -> None:
    def nothing(*_args: Any) -> None:
        """Nothing outlives the program."""

    for name in ("ensure_running", "register", "unregister"):
        setattr(module.ResourceTracker, name, nothing)
        setattr(module, name, nothing)


when_imported({
    "multiprocessing.shared_memory": _adopt_shared_memory,
    "multiprocessing.heap": _adopt_heap,
    "multiprocessing.resource_tracker": _adopt_tracker,
})
