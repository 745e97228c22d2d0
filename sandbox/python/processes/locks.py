"""locks - multiprocessing's semaphores, within one process.

The standard library makes them of named semaphores below /dev/shm, which a
guest does not have. Without them even code fails that needs no process, such
as multiprocessing.pool.ThreadPool. A guest has no second process, see processes.py, so a
semaphore of its threads does the same.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__

import _multiprocessing
import threading
from typing import Any, Optional

RECURSIVE_MUTEX = 0


class SemLock:
    """_multiprocessing.SemLock, as multiprocessing.synchronize uses it:
    a semaphore, or with kind RECURSIVE_MUTEX a lock of its holder."""

    SEM_VALUE_MAX = _multiprocessing.SemLock.SEM_VALUE_MAX

    def __init__(self, kind: int, value: int, maxvalue: int, name: str,
                 unlink: bool) -> None:
        if not 0 <= value <= maxvalue:
            raise ValueError("invalid value")
        self.kind, self.maxvalue = kind, maxvalue
        self.name = None  # with a name, it would have to be removed
        self.handle = id(self)
        self._value = value
        self._held = 0
        self._holder: Optional[int] = None
        self._changed = threading.Condition(threading.Lock())

    def acquire(self, block: bool = True,
                timeout: Optional[float] = None) -> bool:
        me = threading.get_ident()
        with self._changed:
            if self.kind == RECURSIVE_MUTEX and self._holder == me:
                self._held += 1
                return True
            if timeout is not None and timeout < 0:
                timeout = 0
            free = self._changed.wait_for(lambda: self._value > 0,
                                          timeout if block else 0)
            if not free:
                return False
            self._value -= 1
            self._held += 1
            self._holder = me
            return True

    def release(self) -> None:
        with self._changed:
            if self.kind == RECURSIVE_MUTEX:
                if not self._is_mine():
                    raise AssertionError("attempt to release recursive lock "
                                         "not owned by thread")
                if self._held > 1:
                    self._held -= 1
                    return
            elif self._value >= self.maxvalue:
                raise ValueError("semaphore or lock released too many times")
            self._held -= 1
            if self._held == 0:
                self._holder = None
            self._value += 1
            self._changed.notify()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: Any) -> None:
        self.release()

    def _count(self) -> int:
        return self._held

    def _is_mine(self) -> bool:
        return self._held > 0 and self._holder == threading.get_ident()

    def _get_value(self) -> int:
        return self._value

    def _is_zero(self) -> bool:
        return self._value == 0

    def _after_fork(self) -> None:
        """There is no fork."""


_multiprocessing.SemLock = SemLock  # type: ignore[misc]
_multiprocessing.sem_unlink = lambda name: None
