"""job - the present run: its options, and its remaining room for displays."""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .channels import (DISPLAY, DROPPED, forget_warnings, json_string, send,
                       warn)

import time
from typing import Any, Optional

_monotonic = time.monotonic

FORM_S = 10.0               # of one form of a value, at most


# Tasks, and formats of the final value; shared with the worker.
RUN, COMPILE, PARSE = 0, 1, 2
JSON, REPR, STRICT = 0, 1, 2

# Habits of other interpreters, as bits; shared with the worker.
OWN_BACKEND, EXIT_RAISES, VALUE_ALWAYS, HOME_SANDBOX = 1, 2, 4, 8
SCRIPT, TRACEBACK, BOUND, OPTIMIZE, MODULE = 16, 32, 64, 128, 256
ORDERED, ERROR_VALUE, ENV_ONCE, SETUP = 512, 1024, 2048, 4096

# Forms of rich values, as bits; shared with the worker.
(TEXT, HTML, MARKDOWN, SVG, PNG, JPEG, PDF, LATEX, JSON_FORM, JAVASCRIPT, DATA,
 CHART, OTHER, DRAW, MAIN) = (1 << bit for bit in range(15))
FORMS = DRAW - 1            # those that a request names

FILE = "<exec>"             # name of the program in tracebacks
COMMAND = "<string>"        # the same of one that python3 -c runs

# The options of a job that gives none.
DEFAULTS = {"imported": False, "call_main": False, "task": RUN, "value": JSON,
          "merge_output": False, "shows": True, "forms": 0, "habits": 0, "name": "",
          "args": (),
          "value_bytes": 0, "displays": 0,
          "displays_bytes": 0, "home_bytes": 0, "home_inodes": 0,
          "memory_mb": 0, "threads": 0, "timeout_ms": 0}


class Job:
    """One run: its task, its source, its remaining displays, whether and how
    it failed. OPTIONS has the keys of DEFAULTS."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.imported: bool = options["imported"]
        self.call_main: bool = options["call_main"]
        self.task: int = options["task"]
        self.value: int = options["value"]
        self.merge_output: bool = options["merge_output"]
        self.value_room: int = options["value_bytes"]
        self.displays: int = options["displays"]
        self.room: int = options["displays_bytes"]
        self.home_bytes: int = options["home_bytes"]
        self.home_inodes: int = options["home_inodes"]
        self.memory_mb: int = options["memory_mb"]
        self.threads: int = options["threads"]
        self.timeout_ms: int = options["timeout_ms"]
        self.shows: bool = options["shows"]
        self.forms: int = options["forms"]
        self.habits: int = options["habits"]
        name: str = options["name"] or ""
        self.argv: list[str] = ["-c" if name == COMMAND else name,
                                *options["args"]]
        self.file: str = options["name"] or FILE
        self.lines: list[str] = []  # of the source
        self.translated: list[str] = []  # the same without magics, if it has
        self.names: Optional[dict[str, Any]] = None  # a session's __main__
        self.final: Any = None  # the program's value
        self.dropped = 0
        self.failed = False
        self.noted = 0  # exceptions with a hint, see notes.py
        self.missed: dict[str, str] = {}  # missing files, and the hint
        self.has_value = False  # it was sent
        self.exit_code = 0
        self.slow: list[type] = []  # whose forms took too long
        self.began = _monotonic() if self.shows else 0.0
        self.limits = self.displays, self.room
        # id of a figure: (the figure, hash of its picture)
        self.drawn: dict[int, tuple[Any, Optional[int]]] = {}
        self.reserve: Optional[bytes] = None  # freed to report a MemoryError
        forget_warnings()

    def has_room(self) -> bool:
        """Whether one more display is wanted and fits. If not, it need not be
        made. One that does not fit counts as dropped."""
        if not self.shows:
            return False
        if self.displays > 0 and self.room > 0:
            return True
        self.dropped += 1
        return False

    def wants(self, form: int) -> bool:
        """Whether values are sent in a form. DATA and CHART are sent only if
        the request names them."""
        return bool(self.forms & form) if self.forms & FORMS \
            else form not in (DATA, CHART)

    def time_for_forms(self) -> float:
        """Seconds that one form of a value may take."""
        if not self.timeout_ms:
            return FORM_S
        spent = _monotonic() - self.began
        return max(0.01, min(FORM_S, (self.timeout_ms / 1000 - spent) / 2))

    def show(self, parts: dict[str, str]) -> None:
        """Send media types and their data as JSON text. Those that do not fit
        are left out, or the display if no more than its text fits."""
        if not self.shows:
            return
        if self.displays <= 0:
            self.dropped += 1
            return
        fitting: list[str] = []
        left, rich = self.room - 2, False
        for media, text in parts.items():
            member = f"{json_string(media)}:{text}"
            if len(member) + 1 > left:
                self.tell_cut(media)
                continue
            left -= len(member) + 1
            fitting.append(member)
            rich = rich or media != "text/plain"
        if not fitting or (not rich and len(parts) > 1):
            self.dropped += 1
            return
        self.displays -= 1
        self.room = left + 1
        send(DISPLAY, ("{" + ",".join(fitting) + "}").encode("ascii"))

    def tell_cut(self, media: str) -> None:
        warn(f"{media} of a result was left out: an answer has room for "
             f"{self.limits[1]:,} bytes of results (limits.displays_mb)")

    def tell_dropped(self) -> None:
        """Send how many displays were not sent."""
        if self.dropped:
            send(DROPPED, b"%d" % self.dropped)
            warn(f"results were left out: {self.dropped:,}. An answer has "
                 f"room for {self.limits[0]:,} (limits.displays) of "
                 f"{self.limits[1]:,} bytes in all (limits.displays_mb)")


class _Now:
    """job: the one under way."""
    __slots__ = ("job",)

    def __init__(self) -> None:
        self.job = Job(DEFAULTS)


Now = _Now()
