"""run - one job from its start to its last frame; and its rehearsal.

C calls, by way of session: preload(), packages() and get_ready() in the mold,
after_fork() in a new guest, and run() once when its job arrives.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from . import channels
from .channels import (DROPPED, flush_ours, flush_users, install_streams,
                       merge_streams, open_streams, send, send_error, utf8)
from .deadline import Clock, Timeout, guarded, hush, timeout
from .display import present
from .errors import fail, forget_source, format_plainly
from .figures import show_left
from .job import RUN, STRICT, WISHES, Job, Now
from .own import type_name
from .forks import stop_collecting
from .preload import after_fork, packages, preload, rehearse_fork
from .program import run_program

import _signal
import _thread
import atexit
import gc
import os
import sys
import threading
from typing import Any, Callable, Optional, Sequence

__all__ = ["after_fork", "get_ready", "packages", "preload", "rehearse",
           "run"]

_exit_hooks = atexit._run_exitfuncs
_get_depth, _set_depth = sys.getrecursionlimit, sys.setrecursionlimit
_join = threading._shutdown
_mask, _ALL_SIGNALS = _signal.pthread_sigmask, range(1, _signal.NSIG)
_modules = sys.modules
_main_thread: Any = threading.main_thread()
_thread_count = _thread._count

RESERVE = 4 << 20           # bytes kept for telling of a MemoryError


class _Things:
    """What a run uses up that can be made before there is a job; and what it
    replaces, whose end would cost each guest forty pages."""
    __slots__ = ("streams", "reserve", "replaced")

    def __init__(self) -> None:
        self.streams: Sequence[Any] = ()
        self.reserve: Optional[bytes] = None
        self.replaced: Sequence[Any] = ()


_Ready = _Things()


def _make_ready() -> None:
    """Where 0, 1 and 2 are pipes."""
    _Ready.reserve = bytes(RESERVE)  # from calloc: its pages stay untouched
    _Ready.streams = open_streams((0, 1, 2))


def take_reserve() -> Optional[bytes]:
    reserve, _Ready.reserve = _Ready.reserve, None
    return reserve


def work(job: Job, code: bytes, arguments: bytes,
         env: Sequence[str]) -> None:
    """The program itself and its value."""
    value, exc = guarded(run_program, job, code, arguments, env)
    if _get_depth() < 1000:
        _set_depth(1000)  # what follows must not fail by the program's limit
    strict = job.value == STRICT and job.task == RUN  # null is a value
    if exc is None and (value is not None or strict):
        _, exc = guarded(present, job, value)
    if exc is not None:
        fail(job, exc)


def _join_threads() -> None:
    """Wait for the threads that are not daemons."""
    if _thread_count():
        _join()


_AFTER: tuple[Callable[[], Any], ...] = (
    _join_threads, _exit_hooks, flush_users, show_left)


def settle(job: Job, streams: Sequence[Any],
           steps: Sequence[Callable[[], Any]]) -> None:
    """What comes after the program, in CPython's order."""
    for step in steps:
        _, exc = guarded(step)
        if exc is not None and (type(exc) is Timeout or
                                step is _join_threads):
            fail(job, exc)
    flush_ours(streams)
    if Clock.expired:
        fail(job, Clock.last or timeout())
    hush()
    if job.dropped:
        send(DROPPED, b"%d" % job.dropped)


def last_words(job: Job, streams: Sequence[Any], exc: BaseException) -> None:
    """End a run that failed where nothing should have: a signal handler or a
    trace function of the program got to us. It may come again at any call:
    block signals, with what is due already spent on the first of two
    tries."""
    try:
        _mask(_signal.SIG_BLOCK, _ALL_SIGNALS)
    except BaseException:
        pass
    try:
        hush()
    except BaseException:
        pass
    text = utf8(format_plainly(exc))
    job.exit_code = job.exit_code or 1
    send_error(job, utf8(type_name(type(exc))) + b"\0" + text)
    flush_ours(streams)


def run(code: bytes, arguments: bytes, env: Sequence[str],
        wishes: dict[str, Any]) -> int:
    """Do one job. CODE is UTF-8 source; ARGUMENTS is the JSON text of
    main()'s, if main is called; ENV is "NAME=value" texts; WISHES are those
    of job.py. Never raises: the outcome is in the frames. Returns the exit
    code."""
    streams: Sequence[Any] = ()
    job = Now.job = Job(wishes)
    try:
        if not _Ready.streams:
            _make_ready()
        streams, _Ready.streams = _Ready.streams, ()
        job.reserve = take_reserve()
        if job.merge_output:
            streams = merge_streams(streams)
        install_streams(streams)
        work(job, code, arguments, env)
        settle(job, streams, _AFTER)
    except BaseException as exc:
        last_words(job, streams, exc)
    return job.exit_code


# What programs are made of, and a failure.
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
    """One job, but for what can be done once only in a process."""
    Now.job = job = Job({**WISHES, "value_bytes": 1 << 16, "displays": 1,
                         "displays_bytes": 1 << 16})
    work(job, code, b"", [])
    settle(job, streams, _AFTER[2:])  # hooks can be called but once


_REPLACED = ("stdin", "stdout", "stderr",
             "__stdin__", "__stdout__", "__stderr__", "argv")  # of sys


def rehearse() -> None:
    """Run two jobs, one of which fails, into pipes that nobody reads, so
    that what a first job would do has been done. Leaves no trace. In the
    mold."""
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
    """Where a rehearsal's frames go."""


# By then the interpreter has specialised what it will (PEP 659), and a
# guest's code writes no more into its own instructions.
_REHEARSALS = 64


def _make_ready_here() -> None:
    """In the mold, whose 0, 1 and 2 are something else."""
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
    """Do once what every child would do again. In the mold, when nothing
    else is left for it to do."""
    for _ in range(_REHEARSALS):
        rehearse_fork()
        rehearse()
    _make_ready_here()
    _Ready.replaced = [*(getattr(sys, name) for name in _REPLACED), Now.job,
                       _modules["__main__"], _main_thread._native_id]
    stop_collecting()
    gc.collect()
    gc.freeze()
