"""deadline - time that is up is raised in the program, and nowhere else.

The worker sends SIGXCPU. The user's code is entered through guarded() alone,
which lets nothing out, and only what guarded() called is ever interrupted.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .own import is_ours

import _signal
import _thread
import signal
import sys
import threading
import types
from typing import Any, Callable, Optional

AGAIN_S = 0.02              # a swallowed deadline comes back after this

_MAIN_THREAD = threading.main_thread().ident
_TIMER = signal.ITIMER_REAL  # the only one that guests have
_set_itimer = _signal.setitimer  # of _signal: calls of C, that no handler
_set_signal = _signal.signal     # can cut in on between their first and last
_set_trace, _set_profile = sys.settrace, sys.setprofile
_thread_id = _thread.get_ident


class Timeout(BaseException):
    """Raised in the user's code when its time is up."""


Timeout.__module__ = "builtins"
Timeout.__name__ = Timeout.__qualname__ = "Timeout"


class _Clock:
    """expired: the worker has said that time is up. inside: how many
    guarded() calls are under way. last: what was raised last. (Of an object,
    here and elsewhere: setting a class's attribute makes the interpreter
    look up all of them anew, and write down in new places what it found.)"""
    __slots__ = ("expired", "inside", "last")

    def __init__(self) -> None:
        self.expired = False
        self.inside = 0
        self.last: Optional[Timeout] = None


Clock = _Clock()


def timeout() -> Timeout:
    """What is raised when time is up."""
    return Timeout("the time limit was reached")


def _on_deadline(_signum: int, frame: Optional[types.FrameType]) -> None:
    """Raise in the user's code, and until it gets out again and again; never
    in ours, where it could lose what is about to be told."""
    Clock.expired = True
    _set_signal(signal.SIGALRM, _on_deadline)
    _set_itimer(_TIMER, AGAIN_S)
    if Clock.inside and frame and not is_ours(frame):
        Clock.last = error = timeout()
        raise error from None


def listen() -> None:
    """Begin anew, and take the worker's signals as they are meant. In a new
    guest."""
    Clock.expired, Clock.inside, Clock.last = False, 0, None
    _set_signal(signal.SIGXCPU, _on_deadline)
    _set_signal(signal.SIGINT, signal.default_int_handler)
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):
        _set_signal(ignored, _signal.SIG_IGN)


def raise_again_in(seconds: float) -> None:
    """When time is up: leave so much for what is called next."""
    if Clock.expired:
        _set_itimer(_TIMER, seconds)


def check_clock() -> None:
    """Where the program calls us: what it does nothing else but that would
    hardly ever be interrupted outside of our own code."""
    if Clock.expired and _thread_id() == _MAIN_THREAD:
        raise timeout() from None


def guarded(call: Callable[..., Any], *args: Any) -> tuple[
        Any, Optional[BaseException]]:
    """Call what is, or may reach, the user's code. Returns its value and
    None, or None and what it raised."""
    if Clock.expired:
        return None, Clock.last or timeout()
    return guarded_late(call, *args)


def guarded_late(call: Callable[..., Any], *args: Any) -> tuple[
        Any, Optional[BaseException]]:
    """guarded(), even though time may be up."""
    Clock.inside += 1
    try:
        return call(*args), None
    except BaseException as exc:
        return None, exc
    finally:
        Clock.inside -= 1
        _set_trace(None)
        _set_profile(None)


def hush() -> None:
    """Stop what could still interrupt us."""
    _set_trace(None)
    _set_profile(None)
    _set_itimer(_TIMER, 0)
