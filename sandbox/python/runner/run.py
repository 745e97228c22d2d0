"""run - one job from its start to its last frame; and its rehearsal.

C calls it by way of session.py: preload(), packages() and get_ready() in the
fork server, after_fork() in a new guest, and run() once when its job arrives.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from . import apart, channels
from .channels import (flush_ours, flush_users, install_streams,
                       merge_streams, open_streams, order_streams, send,
                       send_error, unbuffer_streams, utf8)
from .deadline import Clock, Timeout, guarded, stop_interrupts, timeout
from .display import present
from .errors import fail, forget_source, format_plainly
from .figures import show_left
from .job import DEFAULTS, ORDERED, RUN, STRICT, Job, Now
from .notes import tell_missed
from .own import type_name
from .forks import stop_collecting
from .preload import (absent, after_fork, packages, preload,
                      rehearse_fork, sources)
from .program import bind_names, run_program
from .stand_ins import hide_all, leave_modules

import _signal
import _thread
import atexit
import gc
import os
import sys
import threading
from typing import Any, Callable, Optional, Sequence

__all__ = ["absent", "after_fork", "get_ready", "packages", "preload",
           "rehearse", "run", "sources"]

_exit_hooks = atexit._run_exitfuncs
_get_depth, _set_depth = sys.getrecursionlimit, sys.setrecursionlimit
_join = threading._shutdown
_mask = _signal.pthread_sigmask
# With numbers that are no signals, it would warn: by code of Python's.
_ALL_SIGNALS = _signal.valid_signals()
_modules = sys.modules
_main_thread: Any = threading.main_thread()
_thread_count = _thread._count

RESERVE = 4 << 20           # bytes kept free to report a MemoryError


class _Prepared:
    """Objects that a run uses up and that can be made before there is a job.
    Also the objects that it replaces: freeing them would cost each guest forty
    pages."""
    __slots__ = ("streams", "reserve", "replaced")

    def __init__(self) -> None:
        self.streams: Sequence[Any] = ()
        self.reserve: Optional[bytes] = None
        self.replaced: Sequence[Any] = ()


_Ready = _Prepared()


def _make_ready() -> None:
    """Make them where 0, 1 and 2 are pipes."""
    _Ready.reserve = bytes(RESERVE)  # from calloc: its pages stay untouched
    _Ready.streams = open_streams((0, 1, 2))


def take_reserve() -> Optional[bytes]:
    reserve, _Ready.reserve = _Ready.reserve, None
    return reserve


def work(job: Job, code: bytes, arguments: bytes,
         env: Sequence[str]) -> None:
    """Run the program and send its value."""
    value, exc = guarded(run_program, job, code, arguments, env)
    if _get_depth() < 1000:
        _set_depth(1000)  # the following must not fail by the program's limit
    job.final = value
    strict = job.value == STRICT and job.task == RUN  # None is a value: null
    if exc is None and (value is not None or strict):
        _, exc = guarded(present, job, value)
    if exc is not None:
        fail(job, exc)


def _join_threads() -> None:
    """Wait for the threads that are not daemons."""
    if _thread_count():
        _join()


def _run_exit_hooks() -> None:
    apart(_exit_hooks)


_AFTER: tuple[Callable[[], Any], ...] = (
    _join_threads, _run_exit_hooks, flush_users, show_left)


def conclude(job: Job, streams: Sequence[Any],
             steps: Sequence[Callable[[], Any]]) -> None:
    """The steps after the program, in CPython's order."""
    for step in steps:
        _, exc = guarded(step)
        if exc is not None and (type(exc) is Timeout or
                                step is _join_threads):
            fail(job, exc)
    flush_ours(streams)
    if Clock.expired:
        fail(job, Clock.last or timeout())
    stop_interrupts()
    job.tell_dropped()
    tell_missed(job)


def fail_internally(job: Job, streams: Sequence[Any],
                    exc: BaseException) -> None:
    """End a run that failed where nothing should fail: a signal handler or a
    trace function of the program interrupted the runner. Signals are blocked
    by now."""
    try:
        stop_interrupts()
    except BaseException:
        pass
    text = utf8(format_plainly(exc))
    job.exit_code = job.exit_code or 1
    send_error(job, utf8(type_name(type(exc))) + b"\0" + text)
    flush_ours(streams)


def run(code: bytes, arguments: bytes, env: Sequence[str],
        options: dict[str, Any]) -> int:
    """Run one job. CODE is UTF-8 source. ARGUMENTS is the JSON text of
    main()'s arguments, if main is called. ENV holds "NAME=value" texts.
    OPTIONS has the keys of job.DEFAULTS. Never raises: the outcome is in the
    frames. Returns the exit code."""
    streams: Sequence[Any] = ()
    job = Now.job = Job(options)
    try:
        if not _Ready.streams:
            _make_ready()
        streams, _Ready.streams = _Ready.streams, ()
        job.reserve = take_reserve()
        if job.merge_output:
            streams = merge_streams(streams)
        elif job.habits & ORDERED:
            streams = order_streams(streams)
        if "PYTHONUNBUFFERED=1" in env:
            streams = unbuffer_streams(streams)
        install_streams(streams)
        work(job, code, arguments, env)
        conclude(job, streams, _AFTER)
    except BaseException as exc:
        # The program's handler may interrupt again, and does so first when a
        # function of Python's begins or one of C's has ended. So the first step
        # is a call of C's, which blocks signals; one that is pending by then
        # can break this step only.
        try:
            _mask(_signal.SIG_BLOCK, _ALL_SIGNALS)
        except BaseException:
            pass
        fail_internally(job, streams, exc)
    return job.exit_code


# Ordinary statements, and a failure.
_REHEARSAL = (
    b"""
import math, sys

def f(n):
    return n * 2.5 + 1

class C:
    pass

x = [f(i) for i in range(3)]
print(x, f'{x[0]:.2f}', len('a b'.split()))
{'a': x, 'b': 'c', 'd': (1, None)}
""",
    b"print('rehearsal', file=sys.stderr)\nraise ValueError('rehearsal')",
)


def _rehearse_once(code: bytes, streams: Sequence[Any]) -> None:
    """Run one job, without the steps that can run only once in a process."""
    Now.job = job = Job({**DEFAULTS, "value_bytes": 1 << 16, "displays": 1,
                         "displays_bytes": 1 << 16})
    work(job, code, b"", [])
    conclude(job, streams, _AFTER[2:])  # exit hooks can be called only once


_REPLACED = ("stdin", "stdout", "stderr",
             "__stdin__", "__stdout__", "__stderr__", "argv")  # of sys


def rehearse() -> None:
    """Run two jobs, one of which fails, into pipes without a reader, so that
    the work of a first job is done. Leaves no trace. In the fork server."""
    kept = {name: getattr(sys, name) for name in _REPLACED}
    kept_main, kept_emit = _modules.get("__main__"), channels.emit
    kept_path, kept_job = sys.path[:], Now.job
    fds = os.pipe() + os.pipe()
    os.close(fds[1])
    channels.emit = _rehearsed
    try:
        streams = open_streams((fds[0], fds[3], fds[3]))
        install_streams(streams)
        for code in _REHEARSAL:
            _rehearse_once(code, streams)
    finally:
        channels.emit, Now.job = kept_emit, kept_job
        _modules["__main__"] = kept_main
        sys.path[:] = kept_path
        for name, value in kept.items():
            setattr(sys, name, value)
        forget_source()
        for fd in (fds[0], fds[2], fds[3]):
            os.close(fd)


def _rehearsed(_kind: int, _payload: bytes) -> None:
    """Discards a rehearsal's frames."""


# After that many the interpreter has specialised its code (PEP 659), so a
# guest's code writes no more into its own instructions.
_REHEARSALS = 64


def _make_ready_here() -> None:
    """Make them in the fork server, where 0, 1 and 2 are not pipes."""
    kept = [os.dup(fd) for fd in (0, 1, 2)]
    pipe = os.pipe()
    try:
        for fd, end in ((0, pipe[0]), (1, pipe[1]), (2, pipe[1])):
            os.dup2(end, fd)
        _make_ready()
    finally:
        for fd, end in enumerate(kept):
            os.dup2(end, fd)
        for fd in kept + list(pipe):
            os.close(fd)


def get_ready() -> None:
    """Do once the work that each child would repeat. The last step in the fork
    server."""
    bind_names()
    hide_all()
    for _ in range(_REHEARSALS):
        rehearse_fork()
        rehearse()
    _make_ready_here()
    _Ready.replaced = [*(getattr(sys, name) for name in _REPLACED), Now.job,
                       _modules["__main__"], _main_thread._native_id]
    stop_collecting()
    leave_modules()
    gc.collect()
    gc.freeze()
