"""deadline - raises an exception in the program when its time is up.

The worker sends SIGXCPU. Only guarded() enters the user's code, and it lets no
exception out. Only code that guarded() called is ever interrupted.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from . import unseen  # C's: without a frame in the program's tracebacks
from .own import is_ours

import _signal
import _thread
import signal
import sys
import threading
import time
import types
from typing import Any, Callable, Optional

# seconds until a swallowed exception is raised again
AGAIN_S = 0.02

_MAIN_THREAD = threading.main_thread().ident
_TIMER = signal.ITIMER_REAL  # the only timer that guests may use
_set_itimer = _signal.setitimer  # C functions of _signal, because no
_set_signal = _signal.signal     # handler can run in the middle of one
_get_signal = _signal.getsignal
_monotonic = time.monotonic
_set_trace, _set_profile = sys.settrace, sys.setprofile
_thread_id = _thread.get_ident


class Timeout(BaseException):
    """Raised in the user's code when its time is up."""


Timeout.__module__ = "builtins"
Timeout.__name__ = Timeout.__qualname__ = "Timeout"


class Overdue(BaseException):
    """Raised in a part of the user's code that has a time of its own."""


Overdue.__module__ = "builtins"


class _Clock:
    """expired: the worker has sent SIGXCPU. inside: number of guarded() calls
    under way. last: the exception raised last. These are attributes of an
    object, because setting a class's attribute makes the interpreter look up
    all of them anew, and write its caches in other places."""
    __slots__ = ("expired", "inside", "last", "limited")

    def __init__(self) -> None:
        self.expired = False
        self.inside = 0
        self.limited = False  # a call of limited() is under way
        self.last: Optional[Timeout] = None


Clock = _Clock()


def timeout() -> Timeout:
    """The exception for the end of the time."""
    return Timeout("the time limit was reached")


@unseen
def _on_deadline(_signum: int, frame: Optional[types.FrameType]) -> None:
    """Raise in the user's code, again and again until the exception leaves it.
    Never raise in the runner's code, which could lose an outcome by it."""
    Clock.expired = True
    _set_signal(signal.SIGALRM, _on_deadline)
    _set_itimer(_TIMER, AGAIN_S)
    if Clock.inside and frame and not is_ours(frame):
        Clock.last = error = timeout()
        raise error from None


def install_handlers() -> None:
    """Start a new account and install the signal handlers. In a new guest."""
    Clock.expired, Clock.inside, Clock.last = False, 0, None
    Clock.limited = False
    _set_signal(signal.SIGXCPU, _on_deadline)
    _set_signal(signal.SIGINT, signal.default_int_handler)
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):
        _set_signal(ignored, _signal.SIG_IGN)


@unseen
def _on_overdue(_signum: int, frame: Optional[types.FrameType]) -> None:
    """Raise in the user's code, again and again until limited() ends."""
    if Clock.limited and frame and not is_ours(frame):
        raise Overdue("it took too long") from None


def limited(seconds: float, call: Callable[[], Any]) -> Any:
    """CALL(), which is or may reach the user's code. Raises Overdue in it
    after SECONDS. Code in C is not interrupted, and no thread but the main
    one. The program's own timer goes on afterwards."""
    if Clock.expired or Clock.limited or _thread_id() != _MAIN_THREAD:
        return call()
    delay, interval = _set_itimer(_TIMER, 0)
    handler = _get_signal(signal.SIGALRM)
    _set_signal(signal.SIGALRM, _on_overdue)
    _set_itimer(_TIMER, seconds, AGAIN_S)
    began = _monotonic()
    Clock.limited = True
    try:
        return call()
    finally:
        Clock.limited = False
        _set_itimer(_TIMER, 0)
        _set_signal(signal.SIGALRM,
                    _signal.SIG_DFL if handler is None else handler)
        if delay:
            delay = max(delay - (_monotonic() - began), 1e-6)
            _set_itimer(_TIMER, delay, interval)
        if Clock.expired:  # meanwhile, also in the lines above
            _set_signal(signal.SIGALRM, _on_deadline)
            _set_itimer(_TIMER, AGAIN_S)


def raise_again_in(seconds: float) -> None:
    """After the deadline: leave SECONDS to the next step."""
    if Clock.expired:
        _set_itimer(_TIMER, seconds)


def check_clock() -> None:
    """Called where the program calls the runner. A program that does little
    else would hardly ever be interrupted outside of the runner's code."""
    if Clock.expired and _thread_id() == _MAIN_THREAD:
        raise timeout() from None


def guarded(call: Callable[..., Any], *args: Any) -> tuple[
        Any, Optional[BaseException]]:
    """Call code that is, or may reach, the user's code. Returns its value and
    None, or None and its exception."""
    if Clock.expired:
        return None, Clock.last or timeout()
    return guarded_late(call, *args)


def guarded_late(call: Callable[..., Any], *args: Any) -> tuple[
        Any, Optional[BaseException]]:
    """guarded(), even when time may be up."""
    Clock.inside += 1
    try:
        return call(*args), None
    except BaseException as exc:
        return None, exc
    finally:
        Clock.inside -= 1
        _set_trace(None)
        _set_profile(None)


def stop_interrupts() -> None:
    """Stop all sources of interruption: the trace functions and the timer."""
    _set_trace(None)
    _set_profile(None)
    _set_itimer(_TIMER, 0)
