"""forks - the libraries' fork hooks, and which of them are run.

os.register_at_fork() collects hooks, and a guest would run them all before it
is armed. They write several hundred pages to make locks anew that no thread
holds, because the fork server has one thread and forks between two statements
of C. Hooks registered here are kept apart. Known ones are left out; those of
other libraries are run.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__

import os
import sys
from typing import Any, Callable, Optional

_register = os.register_at_fork

# Modules with hooks that are not needed, or are replaced by other means.
_NEEDLESS = frozenset([
    "concurrent.futures.thread",  # a lock
    "logging",                    # locks
    "matplotlib.font_manager",    # a cache, which preload() empties
    "random",                     # after_fork() seeds it
    "threading",                  # locks, and threads that do not exist
])

_before: list[Callable[[], Any]] = []
_after: list[Callable[[], Any]] = []
_in_copies: list[Callable[[], Any]] = []


def _collect(*, before: Optional[Callable[[], Any]] = None,
             after_in_child: Optional[Callable[[], Any]] = None,
             after_in_parent: Optional[Callable[[], Any]] = None) -> None:
    """Replaces os.register_at_fork()."""
    caller = sys._getframe(1).f_globals.get("__name__")
    for hook in (before, after_in_child, after_in_parent):
        if hook is not None and not callable(hook):
            raise TypeError("a fork hook must be callable")
    if after_in_child is not None and caller != "random":
        _in_copies.append(after_in_child)
    if caller in _NEEDLESS:
        return
    if before is not None:
        _before.insert(0, before)
    if after_in_child is not None:
        _after.append(after_in_child)


def stop_collecting() -> None:
    """From now on a program's hooks go to Python itself. In the fork server,
    last."""
    os.register_at_fork = _register
    for hook in _before:
        hook()


def run_hooks() -> None:
    """Run the libraries' hooks. In a new guest."""
    _run_all(_after)


def run_copy_hooks() -> None:
    """Run the hooks in a copy of a session's guest, when it takes over,
    because locks that other threads held when it was made have no holder here.
    Random numbers go on."""
    _run_all(_in_copies)


def _run_all(hooks: list[Callable[[], Any]]) -> None:
    for hook in hooks:
        try:
            hook()
        except Exception as exc:  # as Python does
            sys.unraisablehook(_Unraisable(hook, exc))


class _Unraisable:
    """The argument of sys.unraisablehook()."""

    def __init__(self, hook: Any, exc: BaseException) -> None:
        self.exc_type, self.exc_value = type(exc), exc
        self.exc_traceback = exc.__traceback__
        self.err_msg, self.object = "Exception ignored in fork hook", hook


os.register_at_fork = _collect
