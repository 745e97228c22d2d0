"""session - one call of a session: the program's objects stay.

The last of the runner's files, and the one that C knows. Apart from calls of
sessions it only passes on run's functions.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from . import channels
from .deadline import install_handlers, stop_interrupts
from .errors import forget_source
from .figures import close_left, show_left
from .forks import run_copy_hooks
from .job import ENV_ONCE, FILE, HOME_SANDBOX, SETUP, Job, Now
from .kernel import call_home
from .processes import forget_living
from .program import fresh_main
from .run import (RESERVE, absent, after_fork, conclude, fail_internally,
                  get_ready, packages, preload, rehearse, run, sources,
                  take_reserve, work)

import io
import os
import sys
from typing import Any, Optional, Sequence

__all__ = ["absent", "after_copy", "after_fork", "get_ready", "packages",
           "preload", "rehearse", "run", "session_run", "sources"]

_BytesIO, _Text = io.BytesIO, io.TextIOWrapper
_environ = os.environ
_modules = sys.modules


SOURCES = 100               # calls whose source tracebacks can show
VALUES = 20                 # final values that Out keeps


class _Session:
    """The runner's own state from one call to the next."""
    calls = 0
    main: Any = None
    streams: list[Any] = []
    merged: list[Any] = []
    left: list[Any] = []
    reserve: Optional[bytes] = None
    inputs: list[str] = [""]            # In
    values: dict[int, Any] = {}         # Out
    newest: list[Any] = [None] * 3      # _, __ and ___


def _open_input(given: Optional[bytes]) -> Any:
    stream = _Text(_BytesIO(given or b""), "utf-8", "replace")
    stream.mode = "r"
    return stream


def _usable(stream: Any) -> bool:
    """Whether the program has left an output stream usable."""
    try:
        return not stream.closed and stream.buffer is not None
    except ValueError:
        return False  # detached


def _streams(given: Optional[bytes], merge: bool) -> list[Any]:
    """The streams of a call. Standard input is new with each call. The others
    stay, because the program may have passed them on, unless it closed them.
    """
    kept = _Session.streams
    if not kept or not all(_usable(stream) for stream in kept[1:]):
        kept = channels.open_streams((0, 1, 2))
        _Session.merged = []
    if merge and not _Session.merged:
        _Session.merged = channels.merge_streams(kept)
    _Session.streams = kept
    return [_open_input(given)] + (_Session.merged if merge else kept)[1:]


def _file_of(call: int) -> str:
    return FILE if call == 0 else f"<exec {call + 1}>"


def _next_file() -> str:
    """The file name of this call's code. Each call has another, so that
    tracebacks show the source of earlier calls' functions, too."""
    call = _Session.calls
    _Session.calls += 1
    if call >= SOURCES:
        forget_source(_file_of(call - SOURCES))
    return _file_of(call)


def _take_reserve() -> bytes:
    """The reserve of the call before, or the fork server's if it was not
    needed: memory that no process has written costs nothing. A new one from
    malloc(3)'s free blocks may have been written."""
    reserve = _Session.reserve or take_reserve()
    _Session.reserve = None
    return reserve or bytes(RESERVE)


def after_copy() -> None:
    """Take over from the guest that this process is a copy of. Its other
    threads do not exist here, but the locks that they held do. The runner's
    are those of the streams and of the frames."""
    run_copy_hooks()
    channels.unlock_frames()
    forget_living()
    old, new = _Session.streams, channels.open_streams((0, 1, 2))
    # Keep the old streams, because freeing them would flush them.
    _Session.left.append((old, _Session.merged))
    _Session.streams, _Session.merged = new, []
    logging = _modules.get("logging")
    for reference in list(getattr(logging, "_handlerList", ())):
        handler = reference()
        for was, now in zip(old, new):
            if was is not None and getattr(handler, "stream", None) is was:
                handler.stream = now


def _enter_main() -> dict[str, Any]:
    """The names of __main__, as the call before left them."""
    if _Session.main is None:
        fresh_main()
        _Session.main = _modules["__main__"]
        if Now.job.habits & HOME_SANDBOX:
            call_home("/sandbox")
        vars(_Session.main).update(In=_Session.inputs, Out=_Session.values)
    _modules["__main__"] = _Session.main
    return vars(_Session.main)


def _remember(names: dict[str, Any], job: Job) -> None:
    """Keep the call's source and value under the names that notebooks give
    them: In, Out, _, __, ___ and _N. A program that gives an underscore a
    value of its own keeps that."""
    number, value = len(_Session.inputs), job.final
    _Session.inputs.append("\n".join(job.lines))
    if value is None or job.failed:
        return
    unders = ("_", "__", "___")
    ours = all(names.get(name) is known
               for name, known in zip(unders, _Session.newest))
    if ours:
        _Session.newest = [value, *_Session.newest[:2]]
        names.update(zip(unders, _Session.newest))
    names[f"_{number}"] = _Session.values[number] = value
    for old in sorted(_Session.values)[:-VALUES]:
        del _Session.values[old]
        names.pop(f"_{old}", None)


def _borrow_env(job: Job, env: Sequence[str]) -> dict[str, Optional[str]]:
    """The present values of the variables that ENV sets for this call only."""
    if not job.habits & ENV_ONCE:
        return {}
    names = [assignment.partition("=")[0] for assignment in env]
    return {name: _environ.get(name) for name in names}


def _return_env(had: dict[str, Optional[str]]) -> None:
    for name, value in had.items():
        if value is None:
            _environ.pop(name, None)
        else:
            _environ[name] = value


def session_run(code: bytes, arguments: bytes, env: Sequence[str],
                options: dict[str, Any], given: Optional[bytes]) -> int:
    """run(), for one call of a session. GIVEN is the content of sys.stdin."""
    streams: Sequence[Any] = ()
    job = Now.job = Job(options)
    try:
        stop_interrupts()
        install_handlers()
        job.reserve = _take_reserve()
        streams = _streams(given, job.merge_output)
        channels.install_streams(streams)
        job.names, job.file = _enter_main(), _next_file()
        had = _borrow_env(job, env)
        work(job, code, arguments, env)
        _return_env(had)
        if not job.habits & SETUP:
            _remember(job.names, job)
        conclude(job, streams,
                 (channels.flush_users, show_left, close_left))
    except BaseException as exc:
        fail_internally(job, streams, exc)
    _Session.reserve, job.reserve = job.reserve, None
    return job.exit_code
