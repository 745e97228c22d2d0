"""job - what is known of the run under way, and what it may still show."""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .channels import DISPLAY, json_string, send
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


# What is done with the code, and what becomes of its value; shared with the
# worker.
RUN, COMPILE, PARSE = 0, 1, 2
JSON, REPR, STRICT = 0, 1, 2

FILE = "<exec>"             # the program's, in tracebacks

# What is wished of a job when nobody says more.
WISHES = {"call_main": False, "task": RUN, "value": JSON,
          "merge_output": False, "value_bytes": 0, "displays": 0,
          "displays_bytes": 0, "home_bytes": 0, "home_inodes": 0}


class Job:
    """One run: what is to be done, its source, what it may still display,
    whether and how it failed. WISHES has the keys of the one above."""

    def __init__(self, wishes: dict[str, Any]) -> None:
        self.call_main: bool = wishes["call_main"]
        self.task: int = wishes["task"]
        self.value: int = wishes["value"]
        self.merge_output: bool = wishes["merge_output"]
        self.value_room: int = wishes["value_bytes"]
        self.displays: int = wishes["displays"]
        self.room: int = wishes["displays_bytes"]
        self.home_bytes: int = wishes["home_bytes"]
        self.home_inodes: int = wishes["home_inodes"]
        self.file = FILE
        self.lines: list[str] = []  # of the source
        self.names: Optional[dict[str, Any]] = None  # a session's __main__
        self.dropped = 0
        self.failed = False
        self.exit_code = 0
        # id of a figure: (the figure, hash of its picture)
        self.drawn: dict[int, tuple[Any, Optional[int]]] = {}
        self.reserve: Optional[bytes] = None  # freed to tell of MemoryError

    def has_room(self) -> bool:
        """Whether one more may be displayed; if not, it counts as dropped,
        and need not be made."""
        if self.displays > 0 and self.room > 0:
            return True
        self.dropped += 1
        return False

    def show(self, bundle: dict[str, Any]) -> None:
        """Send media types and their data, if there is room."""
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
        self.job = Job(WISHES)


Now = _Now()
