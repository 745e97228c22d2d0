"""job - the present run: its options, and its remaining room for displays."""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .channels import DISPLAY, forget_warnings, json_string, send
from .own import NAME_CHARS
from .values import encode

import base64
from typing import Any, Optional

_b64encode = base64.b64encode


def _media(data: Any, room: int) -> str:
    """The data of one media type as JSON text."""
    if isinstance(data, str):
        return json_string(str.__str__(data))
    if isinstance(data, (bytes, bytearray, memoryview)):
        return json_string(_b64encode(data).decode("ascii"))
    return encode(data, room)


# Tasks, and formats of the final value; shared with the worker.
RUN, COMPILE, PARSE = 0, 1, 2
JSON, REPR, STRICT = 0, 1, 2

# Habits of other interpreters, as bits; shared with the worker.
OWN_BACKEND, EXIT_RAISES, VALUE_ALWAYS, HOME_SANDBOX = 1, 2, 4, 8
SCRIPT, TRACEBACK, BOUND, OPTIMIZE, MODULE = 16, 32, 64, 128, 256

FILE = "<exec>"             # name of the program in tracebacks
COMMAND = "<string>"        # the same of one that python3 -c runs

# The options of a job that gives none.
DEFAULTS = {"imported": False, "call_main": False, "task": RUN, "value": JSON,
          "merge_output": False, "shows": True, "habits": 0, "name": "",
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
        self.exit_code = 0
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

    def show(self, bundle: dict[str, Any]) -> None:
        """Send media types and their data, if there is room."""
        if not self.shows:
            return
        parts = [f"{json_string(media[:NAME_CHARS])}:"
                 f"{_media(data, self.room)}"
                 for media, data in bundle.items()]
        payload = ("{" + ",".join(parts) + "}").encode("ascii")
        if len(payload) > self.room or self.displays <= 0:
            self.dropped += 1
            return
        self.displays -= 1
        self.room -= len(payload)
        send(DISPLAY, payload)


class _Now:
    """job: the one under way."""
    __slots__ = ("job",)

    def __init__(self) -> None:
        self.job = Job(DEFAULTS)


Now = _Now()
