"""case - an exception that ended a program, with what hints ask of it."""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .job import Job
from .own import is_ours, mro_of, type_name

import os
from typing import Any, Iterator, Optional

_errno_of = OSError.__dict__["errno"].__get__
_file_of = OSError.__dict__["filename"].__get__
_fsdecode, _str_of = os.fsdecode, str
_traceback_of = BaseException.__dict__["__traceback__"].__get__

TEXT_CHARS = 4000           # of an exception's text that is looked at
PATH_CHARS = 1000
FRAMES = 2000
SHOWN = 10                  # names in a list
SHOWN_CHARS = 80            # of each


class Case:
    """An exception, with what rows ask of it."""

    def __init__(self, exc: BaseException, job: Job) -> None:
        self.exc, self.job = exc, job
        self.classes = [type_name(cls) for cls in mro_of(type(exc))]
        self._text: Optional[str] = None

    @property
    def text(self) -> str:
        if self._text is None:
            try:
                self._text = _str_of(self.exc)[:TEXT_CHARS]
            except Exception:
                self._text = ""
        return self._text

    def number(self) -> Any:
        """The errno value of an OSError."""
        return _errno_of(self.exc) if "OSError" in self.classes else None

    def path(self) -> str:
        """The file name of an OSError, or ""."""
        found = _file_of(self.exc)
        return _fsdecode(found)[:PATH_CHARS] \
            if isinstance(found, (str, bytes)) else ""

    def frames(self) -> Iterator[Any]:
        """The frames of the traceback, innermost first."""
        entry, found = _traceback_of(self.exc), []
        while entry is not None and len(found) < FRAMES:
            if not is_ours(entry.tb_frame):
                found.append(entry.tb_frame)
            entry = entry.tb_next
        return reversed(found)

    def line(self) -> str:
        """The line of the program's own file that failed, if it is the
        innermost."""
        frame = next(self.frames(), None)
        if frame is None or frame.f_code.co_filename != self.job.file:
            return ""
        return "".join(self.job.lines[frame.f_lineno - 1:frame.f_lineno])

    def within(self, *parts: str) -> bool:
        """Whether a frame's file has one of PARTS in its path."""
        return any(part in frame.f_code.co_filename
                   for frame in self.frames() for part in parts)


def listed(names: list[str], total: int) -> str:
    """Names as a text, bounded."""
    shown = ", ".join(name[:SHOWN_CHARS] for name in names[:SHOWN])
    return shown + (f" and {total - SHOWN} more" if total > SHOWN else "")
