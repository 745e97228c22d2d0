"""where - tells the worker where the program is, for the log of slow runs.

The worker sends SIGURG, because a process without a handler ignores it. The
program goes on. Only files, lines and names of functions are sent, no code.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .own import is_ours
from .channels import WHERE, send, utf8
from .deadline import Clock

import _signal
import signal
import types
from typing import Optional

# The innermost frames, characters of a name, and frames to the worker, which
# takes no more of them.
_FRAMES, _CHARS, _TIMES = 20, 100, 10


class _Told:
    __slots__ = ("times",)

    def __init__(self) -> None:
        self.times = 0


_told = _Told()


def _line(frame: types.FrameType) -> str:
    code = frame.f_code
    text = (f"{code.co_filename[-_CHARS:]}:{frame.f_lineno} "
            f"{code.co_name[:_CHARS]}")
    return text.replace("\n", "?")


def _on_asked(_signum: int, frame: Optional[types.FrameType]) -> None:
    """Answer, unless the runner's own code was interrupted: it may be in the
    middle of another frame. The worker asks again."""
    if not Clock.inside or frame is None or is_ours(frame) or \
            _told.times >= _TIMES:
        return
    _told.times += 1
    lines = []
    at: Optional[types.FrameType] = frame
    try:
        while at is not None and len(lines) < _FRAMES:
            if not is_ours(at):
                lines.append(_line(at))
            at = at.f_back
        send(WHERE, utf8("\n".join(lines))[:4096])
    except Exception:
        pass  # it must not be the program's


def install_where() -> None:
    """Answer from now on. In the fork server."""
    _signal.signal(signal.SIGURG, _on_asked)
