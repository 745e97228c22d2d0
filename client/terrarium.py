"""Client of a Terrarium server, which runs untrusted Python on another
machine.

    from terrarium import Terrarium, sandboxed

    client = Terrarium("https://sandbox.example:8443", token,
                       ca_file="ca.crt")

    result = client.run("print('hello')\\n1 + 1")
    result.stdout, result.value             # ('hello\\n', 2)

    @sandboxed(client, timeout=5)
    def mean(numbers):
        return statistics.mean(numbers)

    mean([1, 2, 3])                         # 2, computed on the server

`run` returns a Result, also for a program that failed; `check()` or
`check=True` makes a failure an exception. `stream` yields the same as events
while the program runs. `call`, `apply` and `sandboxed` run one function with
arguments, and raise when it fails; the imports, constants and helpers that it
names travel with it. `session` keeps variables and files from run to run.
`AsyncTerrarium` is the same for asyncio. `ToolSandbox` is a backend for
frameworks that run tools.

Values cross as JSON and bytes, never by pickle, because unpickling a guest's
bytes would run code of the guest on this machine. Values that JSON lacks have
tags: bytes are `{"$bytes": BASE64}`, tuples `{"$tuple": [...]}`, and an object
with a key that begins with `$` is `{"$object": {...}}`. An answer imports no
module and uses no class but those that the caller named. A program's output
(names of files, HTML, text) is as hostile as the program.

Certificates are verified. Redirects are not followed. Proxies of the
environment are not used unless `proxy="environment"`. A request that may have
run is never sent twice. Connections that failed, and refusals with Retry-After
(429, 503), are tried again, `retries` times at most.

Threads may share a client. It needs Python 3.9 and no other package.
"""

from __future__ import annotations

import ast
import asyncio
import base64
import binascii
import builtins
import concurrent.futures
import contextvars
import dataclasses
import datetime
import decimal
import dis
import enum
import errno
import fractions
import functools
import http.client
import inspect
import io
import json
import logging
import math
import os
import random
import re
import reprlib
import selectors
import site
import socket
import ssl
import sys
import sysconfig
import textwrap
import threading
import time
import types
import typing
import urllib.request
import uuid
import zoneinfo
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import (Any, AsyncGenerator, Callable, Dict, FrozenSet, Generator,
                    Iterable, List, Mapping, Optional, Sequence, Set, Tuple,
                    Type, TypeVar, Union, cast)
from urllib.parse import quote, unquote, urlsplit

__version__ = "0.1.0"
__all__ = [
    "About", "AsyncSession", "AsyncTerrarium", "BadReply", "BadRequest",
    "BadReturn", "Busy", "Called", "ConnectionBroke", "Display", "Displayed",
    "End", "Event", "Failed", "Failure", "File", "Forbidden", "Health",
    "NotFound", "NotSendable", "Package", "ProgramExited", "ProgramFailed",
    "ProgramFlooded", "ProgramKilled", "ProgramNotRun", "ProgramOutOfMemory",
    "ProgramRaised", "ProgramTimedOut", "Refused", "ReplyLate", "Repr",
    "Result", "ServerFailed", "Session", "SessionsOff", "Stderr", "Stdout",
    "Terrarium", "TerrariumError", "TooLarge", "TooManyRequests", "ToolFailed",
    "ToolSandbox", "Unauthorized", "Unreachable", "Untrusted", "Usage",
    "sandboxed"]

Content = Union[bytes, bytearray, memoryview, "os.PathLike[str]"]
Files = Union[Mapping[str, Content], Iterable["os.PathLike[str]"]]
Json = Any  # of None, bool, int, float, str, list and dict with str keys
Function = TypeVar("Function", bound=Callable[..., Any])

MEGABYTE = 1 << 20
IDLE_S = 5.0            # an idle connection is kept; the server keeps it 10 s
IDLE_MOST = 16          # idle connections, at most
PIECE = 1 << 16         # bytes sent or read at a time
PAUSE_S = 0.1           # until the second connection is tried; then doubled
MESSAGE_CHARS = 2000    # of a server's text in an exception, at most
DIGITS = 4000           # digits of an integer that int() takes by default
DIGITS_MOST = 1 << 17   # digits of an integer in an answer, at most
INTEGER_BITS = 1024     # of an integer that is shown with its digits, at most
LOOKUP_FILES = 8        # files that a look-up of a name has open, at most
ABORT_S = 1.0           # for a cancelled call to end, at most
REPR_CHARS = 10000      # of a value that is returned as its repr, at most

CONTEXT = "\n\nCode context:\n"
_SURROGATE = re.compile("[\ud800-\udfff]")

_log = logging.getLogger("terrarium")


class _Brief(reprlib.Repr):
    """Of any value: Python has no decimal digits for long integers."""

    def repr_int(self, x: int, level: int) -> str:
        if x.bit_length() <= INTEGER_BITS:
            return super().repr_int(x, level)
        return f"<int of {x.bit_length()} bits>"


_BRIEF = _Brief()
_BRIEF.maxstring = _BRIEF.maxother = _BRIEF.maxlong = 200


# ---- exceptions -----------------------------------------------------------

class TerrariumError(Exception):
    """Any failure of a call. `id` names the execution in the server's logs,
    or is empty."""

    def __init__(self, message: str, id: str = "") -> None:
        super().__init__(message)
        self.id = id


class NotSendable(TerrariumError, TypeError):
    """The function or a value cannot be sent. Nothing was sent."""


class Unreachable(TerrariumError, ConnectionError):
    """No connection could be made. Nothing ran. `certain`: there is no server
    at this address, or no route to it. Otherwise something answered, or this
    machine itself failed."""

    def __init__(self, message: str, id: str = "",
                 certain: bool = False) -> None:
        super().__init__(message, id)
        self.certain = certain


class Untrusted(Unreachable):
    """The server's certificate could not be verified. Nothing was sent."""


class ConnectionBroke(TerrariumError, ConnectionError):
    """The connection broke during the answer. The program may have run."""


class ReplyLate(TerrariumError, TimeoutError):
    """The answer did not arrive in time. The program may have run; the server
    ends it when it sees the closed connection."""


class BadReply(TerrariumError):
    """The answer is not Terrarium's: a redirect, not JSON, a field of the
    wrong type, or too long."""


class Refused(TerrariumError):
    """The server did not run the request (except for ServerFailed). `status`
    is HTTP's, `code` the server's word for the reason, `retry_after` seconds
    or None."""

    def __init__(self, message: str, status: int = 0, code: str = "",
                 retry_after: Optional[float] = None, id: str = "") -> None:
        super().__init__(message, id)
        self.status = status
        self.code = code
        self.retry_after = retry_after


class BadRequest(Refused):
    """The request was malformed; the message names the field (400 and similar
    statuses)."""


class Unauthorized(Refused):
    """The token is missing or wrong (401)."""


class Forbidden(Refused):
    """This client may not do that (403)."""


class SessionsOff(Forbidden):
    """This server has no sessions."""


class NotFound(Refused):
    """There is nothing at this address (404, 405)."""


class TooLarge(Refused):
    """The request is larger than the server allows (413)."""


class TooManyRequests(Refused):
    """This client sends too many requests (429)."""


class Busy(Refused):
    """The server cannot run it now (503). Without `retry_after` the run was
    broken off, and the program may have run."""


class ServerFailed(Refused):
    """The server failed, not the program, which may have run (500, 504)."""


class ProgramFailed(TerrariumError):
    """The program ran, or was to run, and failed. `result` has its output
    until then, `failure` the reason, with the remote traceback."""

    def __init__(self, result: Result) -> None:
        assert result.failure is not None
        self.result = result
        self.failure: Failure = result.failure
        super().__init__(self._words(), result.id)

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.result,)

    def _words(self) -> str:
        return self.failure.text

    @property
    def traceback(self) -> str:
        """The remote traceback, as Python prints it; may be empty."""
        return self.failure.traceback

    @property
    def exit_code(self) -> int:
        """The exit code that a shell would show: 128 and the number for a
        signal."""
        return self._exit_code

    _exit_code = 1


class ProgramRaised(ProgramFailed):
    """An exception was not caught; `failure.type` is its class's name."""

    def _words(self) -> str:
        text, name = self.failure.text, self.failure.type
        return f"{name}: {text}" if text else name


class ProgramTimedOut(ProgramFailed):
    """The time limit was reached."""

    _exit_code = 124


class ProgramOutOfMemory(ProgramFailed):
    """The memory limit was reached, and Python could not raise MemoryError. If
    it could, this is a ProgramRaised of type MemoryError."""

    _exit_code = 137


class ProgramFlooded(ProgramFailed):
    """The program printed more than the limits allow, and was killed."""


class ProgramExited(ProgramFailed):
    """sys.exit() or os._exit() with a status other than 0."""

    @property
    def exit_code(self) -> int:
        found = re.search(r"status (\d{1,9})\b|^(-?\d{1,9})$",
                          self.failure.text)
        return int(found[1] or found[2]) if found else 1


class ProgramKilled(ProgramFailed):
    """A signal ended the program: a crash, or one of the walls."""

    @property
    def exit_code(self) -> int:
        found = re.search(r"signal (\d{1,9})\b", self.failure.text)
        return 128 + int(found[1]) if found else 1


class ProgramNotRun(ProgramFailed):
    """There is no code, or a file entry is malformed."""


class BadReturn(TerrariumError):
    """A call's return value did not arrive complete. `result` has the rest."""

    def __init__(self, message: str, result: Result) -> None:
        super().__init__(message, result.id)
        self.result = result

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (str(self), self.result)


class ToolFailed(TerrariumError, RuntimeError):
    """The exception of ToolSandbox.execute(); its cause has the details."""


_FAILURES: Dict[str, Type[ProgramFailed]] = {
    "timeout": ProgramTimedOut, "memory": ProgramOutOfMemory,
    "output": ProgramFlooded, "exited": ProgramExited,
    "SystemExit": ProgramExited, "killed": ProgramKilled,
    "parsing": ProgramNotRun}

_REFUSALS: Dict[int, Type[Refused]] = {
    401: Unauthorized, 403: Forbidden, 404: NotFound, 405: NotFound,
    413: TooLarge, 429: TooManyRequests, 503: Busy}


# ---- results --------------------------------------------------------------

@dataclass(frozen=True)
class Failure:
    """The reason of a failure: `type` is the exception's class, or one of
    timeout, memory, output, killed, exited, parsing; `message` is the server's
    complete text."""

    type: str
    message: str

    @property
    def traceback(self) -> str:
        """The traceback alone; empty when there is none."""
        text = self.message.rpartition(CONTEXT)[0] or self.message
        begin = text.find("Traceback (most recent call last):")
        if begin < 0:
            begin = text.find('  File "')
        return text[begin:] if begin >= 0 else ""

    @property
    def context(self) -> str:
        """The lines around the failing one, as `N: text`."""
        return self.message.rpartition(CONTEXT)[2] \
            if CONTEXT in self.message else ""

    @property
    def text(self) -> str:
        """The exception's message, or the server's sentence."""
        if self.type in _FAILURES and self.type != "SystemExit":
            return self.message.partition("\n")[0]
        name = re.escape(self.type)
        found = list(re.finditer(
            rf"^(?:[\w.<>]+\.)?{name}(?:: |$)", self.traceback, re.M))
        if not found:
            return ""
        return self.traceback[found[-1].end():].strip("\n")


@dataclass(frozen=True)
class Display:
    """A figure or rich value: media types and their data. Images and PDF are
    base64, as sent; `binary` decodes them. All of it is as hostile as the
    program: do not put HTML or SVG into a page of your own."""

    data: Dict[str, Json]

    def binary(self, media: str) -> bytes:
        """The bytes of one media type, such as `image/png`. KeyError when
        there is none, ValueError when they are not base64."""
        data = self.data[media]
        if not isinstance(data, str):
            raise ValueError(f"{media} is not base64")
        return base64.b64decode(data, validate=True)

    def __repr__(self) -> str:
        return f"Display({', '.join(_shown(one, 100) for one in self.data)})"


@dataclass(frozen=True)
class Usage:
    """The resources that a run used. `armed`: whether a guest was ready for
    it."""

    cpu_ms: int = 0
    memory_peak_kb: int = 0
    queue_ms: int = 0
    armed: bool = False


@dataclass(frozen=True)
class Result:
    """The result of one run.

    `value` is the last expression's, or main()'s return value, when
    `has_value`; values that JSON cannot represent arrive as their repr.
    `files` are those that the program made or changed, by name. `truncated`
    has the amounts left out, by field. `failure` is None exactly when
    `success`. `session` is the state of the session that it ran in: new,
    kept, rolled_back (only the run's files remain) or ended.
    """

    success: bool
    value: Json = None
    has_value: bool = False
    stdout: str = ""
    stderr: str = ""
    files: Dict[str, bytes] = field(default_factory=dict)
    displays: List[Display] = field(default_factory=list)
    failure: Optional[Failure] = None
    runtime_ms: int = 0
    usage: Usage = Usage()
    truncated: Dict[str, int] = field(default_factory=dict)
    session: str = ""
    id: str = ""

    def __repr__(self) -> str:
        """All but the bytes of files and figures, and long texts in short."""
        parts = ["success" if self.success else "failed"]
        if self.failure:
            parts.append(f"{_shown(self.failure.type, 100)}: "
                         f"{_brief(self.failure.text)}")
        if self.has_value:
            parts.append(f"value={_brief(self.value)}")
        for name in ("stdout", "stderr"):
            if getattr(self, name):
                parts.append(f"{name}={_brief(getattr(self, name))}")
        if self.files:
            parts.append("files={" + ", ".join(
                f"{name!r:.100}: {len(content)} bytes"
                for name, content in list(self.files.items())[:10]) +
                (", ..." if len(self.files) > 10 else "") + "}")
        if self.displays:
            parts.append(f"displays={self.displays[:10]!r}")
        if self.truncated:
            parts.append(f"truncated={self.truncated!r}")
        if self.session:
            parts.append(f"session={self.session!r:.50}")
        return f"<Result {', '.join(parts)}; {self.runtime_ms} ms>"

    def check(self) -> Result:
        """Return self when the program succeeded; otherwise raise the matching
        ProgramFailed."""
        if self.failure is None:
            return self
        raise _FAILURES.get(self.failure.type, ProgramRaised)(self)

    def save(self, folder: Union[str, "os.PathLike[str]"]) -> List[Path]:
        """Write the files below FOLDER and return their paths. A name that
        leads elsewhere raises ValueError before any file is written."""
        root = Path(folder).resolve()
        paths = [_place_below(root, name) for name in self.files]
        for path, content in zip(paths, self.files.values()):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return paths


def _brief(value: Any) -> str:
    """The repr of a value, at most 200 characters of it."""
    return reprlib.Repr.repr(_BRIEF, value)


def _place_below(root: Path, name: str) -> Path:
    """The path for a guest's file, with a name that the guest chose."""
    parts = name.split("/")
    if any(part in ("", ".", "..") for part in parts) or \
            "\0" in name or os.name == "nt" and re.search(r"[\\:]", name):
        raise ValueError(f"{_shown(name)} is not a valid file name")
    path = root.joinpath(*parts)
    if path.is_symlink() or root not in path.resolve().parents:
        raise ValueError(f"{_shown(name)} leads out of {root}")
    return path


@dataclass(frozen=True)
class Called:
    """The result of apply(): the function's return value, and the run."""

    value: Any
    result: Result


@dataclass(frozen=True)
class Package:
    """A package that programs can import. `preloaded`: it is in memory
    already."""

    name: str
    version: str
    preloaded: bool = False


@dataclass(frozen=True)
class About:
    """A server: its version, the version of programs' Python, its paths by
    API, its limits by the names of its options, and whether it has sessions
    and streams."""

    version: str = ""
    python: str = ""
    doors: Dict[str, List[str]] = field(default_factory=dict)
    limits: Dict[str, int] = field(default_factory=dict)
    sessions: bool = False
    streaming: bool = False


@dataclass(frozen=True)
class Health:
    """Whether the server accepts requests, and if not, why. As a bool: ok."""

    ok: bool
    reason: str = ""

    def __bool__(self) -> bool:
        return self.ok


# -- events of a stream


@dataclass(frozen=True)
class Event:
    """An event of a run; one of the classes below."""


@dataclass(frozen=True)
class Stdout(Event):
    """A piece of the program's standard output."""
    text: str


@dataclass(frozen=True)
class Stderr(Event):
    """A piece of the program's standard error."""
    text: str


@dataclass(frozen=True)
class Displayed(Event):
    """A figure, a rich value, or (`is_main`) the final value."""
    display: Display
    is_main: bool = False


@dataclass(frozen=True)
class File(Event):
    """A file that the program made or changed."""
    name: str
    content: bytes

    def __repr__(self) -> str:
        return f"File({self.name!r:.100}, {len(self.content)} bytes)"


@dataclass(frozen=True)
class Failed(Event):
    """The program failed."""
    type: str
    text: str
    traceback: str


@dataclass(frozen=True)
class End(Event):
    """The last event: the complete result, as run() returns it."""
    result: Result


# ---- reading answers ------------------------------------------------------

def _shown(text: str, most: int = MESSAGE_CHARS) -> str:
    """Text of a server or guest for an exception: cut, and without characters
    that control a terminal."""
    out = "".join(c if c.isprintable() or c == "\n" else
                  c.encode("unicode_escape").decode("ascii")
                  for c in text[:most])
    return out + ("..." if len(text) > most else "")


def _integer(digits: str) -> int:
    """int() of any length. Python's own has a limit that a process may set."""
    if len(digits) <= DIGITS:
        return int(digits)
    if len(digits) > DIGITS_MOST:
        raise ValueError("an integer is too long")
    if digits[0] == "-":
        return -_integer(digits[1:])
    low = len(digits) // 2
    high: int = _integer(digits[:-low]) * 10 ** low
    return high + _integer(digits[-low:])


def _no_constant(name: str) -> Json:
    raise ValueError(f"{name} is not JSON")


def _parse(body: Union[bytes, str]) -> Json:
    """Parse JSON; raises ValueError."""
    text = body if isinstance(body, str) else body.decode("utf-8")
    try:
        return json.loads(text, parse_int=_integer,
                          parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _object(body: bytes) -> Dict[str, Json]:
    try:
        found = _parse(body)
    except ValueError as error:
        raise BadReply(f"The answer is not JSON: {_shown(str(error))}") \
            from None
    if not isinstance(found, dict):
        raise BadReply("The answer is not a JSON object")
    return found


Kind = TypeVar("Kind")


def _take(reply: Mapping[str, Json], name: str, kind: Type[Kind],
          default: Optional[Kind] = None) -> Kind:
    """A field of an answer; it is required unless there is a DEFAULT."""
    found = reply.get(name)
    if found is None and default is not None:
        return default
    if not isinstance(found, kind) or \
            (kind is int and isinstance(found, bool)):
        raise BadReply(f"The answer's field {_shown(name, 100)} is not of "
                       f"type {kind.__name__}")
    if isinstance(found, int) and found.bit_length() > 63:
        raise BadReply(f"The answer's field {_shown(name, 100)} is too large")
    return found


def _bytes_of(text: str, what: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise BadReply(f"The answer's {what} is not base64") from None


def _read_file(entry: Json) -> Tuple[str, bytes]:
    if not isinstance(entry, dict):
        raise BadReply("The answer's output_files are not objects")
    name = _take(entry, "filename", str)
    return name, _bytes_of(_take(entry, "b64_data", str), _shown(name, 100))


def _read_displays(found: List[Json]) -> List[Display]:
    if not all(isinstance(one, dict) for one in found):
        raise BadReply("The answer's results are not objects")
    return [Display(one) for one in found]


def _read_paths(found: List[Json]) -> List[str]:
    if not all(isinstance(one, str) for one in found):
        raise BadReply("The answer's doors are not lists of paths")
    return found


def _read_failure(reply: Mapping[str, Json]) -> Failure:
    error: Dict[str, Json] = _take(reply, "error", dict)
    return Failure(_take(error, "type", str), _take(error, "message", str))


def _read_usage(found: Dict[str, Json]) -> Usage:
    return Usage(_take(found, "cpu_ms", int, 0),
                 _take(found, "memory_peak_kb", int, 0),
                 _take(found, "queue_ms", int, 0),
                 _take(found, "armed", bool, False))


def _read_result(reply: Mapping[str, Json]) -> Result:
    success = _take(reply, "success", bool)
    truncated: Dict[str, Json] = _take(reply, "truncated", dict, {})
    return Result(
        success=success,
        value=reply.get("final_expression"),
        has_value="final_expression" in reply,
        stdout=_take(reply, "std_out", str, ""),
        stderr=_take(reply, "std_err", str, ""),
        files=dict(_read_file(entry) for entry in
                   _take(reply, "output_files", list, [])),
        displays=_read_displays(_take(reply, "results", list, [])),
        failure=None if success else _read_failure(reply),
        runtime_ms=_take(reply, "code_runtime", int, 0),
        usage=_read_usage(_take(reply, "usage", dict, {})),
        truncated={name: _take(truncated, name, int) for name in truncated},
        session=_take(_take(reply, "session", dict, {}), "state", str, ""),
        id=_take(reply, "id", str, ""))


# ---- HTTP -----------------------------------------------------------------

class _Abort:
    """Ends a call from another thread: by the end of its connection, which
    the server takes as the end of the run."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.socket: Optional[socket.socket] = None
        self.aborted = False

    def use(self, sock: socket.socket) -> None:
        """The socket of the call, from now on."""
        with self.lock:
            if self.aborted:
                raise ConnectionBroke("The call was cancelled")
            self.socket = sock

    def forget(self, sock: socket.socket) -> None:
        """The socket is about to be used by another call, or closed."""
        with self.lock:
            if self.socket is sock:
                self.socket = None

    def abort(self) -> None:
        with self.lock:
            self.aborted = True
            if self.socket is not None:
                try:  # not the TLS layer's, which another thread may be in
                    socket.socket.shutdown(self.socket, socket.SHUT_RDWR)
                except OSError:
                    pass


_abort: contextvars.ContextVar[Optional[_Abort]] = \
    contextvars.ContextVar("terrarium_abort", default=None)


class _Deadline:
    """The time by which a call must be complete."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.end = time.monotonic() + seconds
        self.abort = _abort.get()

    def left(self) -> float:
        """Seconds left; raises when there are none."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise self.late()
        return left

    def late(self) -> ReplyLate:
        return ReplyLate(f"No whole answer within {self.seconds:g} s")

    def allows(self, pause: float) -> bool:
        return time.monotonic() + pause < self.end


class _TimedSocket:
    """A socket for http.client with one deadline for all of its calls. A
    socket's own timeout would start again with each byte that arrives."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.deadline: Optional[_Deadline] = None
        self.users = 1  # http.client closes the socket while a reply is read

    def wait(self) -> None:
        if self.deadline is not None:
            self.sock.settimeout(self.deadline.left())

    def sendall(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            self.wait()
            left = left[self.sock.send(left[:PIECE]):]

    def makefile(self, *mode: Any, **options: Any) -> io.BufferedReader:
        self.users += 1
        return io.BufferedReader(_TimedReader(self), PIECE)

    def close(self) -> None:
        self.users -= 1
        if self.users == 0:
            self.rest()
            self.sock.close()

    def rest(self) -> None:
        """No call uses it."""
        if self.deadline is not None and self.deadline.abort is not None:
            self.deadline.abort.forget(self.sock)
        self.deadline = None

    def is_quiet(self) -> bool:
        """Whether nothing arrived unasked, not even the end of the stream."""
        with selectors.DefaultSelector() as selector:
            selector.register(self.sock, selectors.EVENT_READ)
            return not selector.select(0)


class _TimedReader(io.RawIOBase):
    def __init__(self, timed: _TimedSocket) -> None:
        self.timed = timed

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self.timed.wait()
        return int(self.timed.sock.recv_into(buffer))

    def close(self) -> None:
        if not self.closed:
            self.timed.close()
        super().close()


class _Connection:
    """One connection, used by one request at a time."""

    def __init__(self, web: http.client.HTTPConnection) -> None:
        self.web = web
        self.timed = _TimedSocket(web.sock)
        self.since = 0.0
        web.sock = self.timed

    def send(self, method: str, path: str, body: Optional[bytes],
             headers: Dict[str, str], deadline: _Deadline) -> _Answer:
        self.timed.deadline = deadline
        try:
            if deadline.abort is not None:
                deadline.abort.use(self.timed.sock)
            try:
                self.web.request(method, path, body, headers)
            except (BrokenPipeError, ConnectionResetError):
                pass  # refused before all was sent; there may be an answer
            return _Answer(self, self.web.getresponse(), deadline)
        except BaseException as error:
            self.web.close()
            raise _broken(error, deadline) from None

    def is_fresh(self) -> bool:
        return time.monotonic() - self.since < IDLE_S and \
            self.timed.is_quiet()


# Errors that prove that there is no server, or no route to it. Other failures
# before a connection exists (descriptors, ports, TLS, a proxy's answer) do not
# prove that, and an attacker may have caused them.
_NO_SERVER = frozenset({
    errno.ECONNREFUSED, errno.ENETUNREACH, errno.EHOSTUNREACH,
    errno.ENETDOWN, errno.EHOSTDOWN})
_NO_NAME = frozenset({
    getattr(socket, name) for name in
    ("EAI_NONAME", "EAI_NODATA", "EAI_AGAIN", "EAI_FAIL")
    if hasattr(socket, name)})


def _has_descriptors() -> bool:
    """Whether a name could be looked up. Without file descriptors for its
    libraries and sockets getaddrinfo() says that there is no such name."""
    made: List[socket.socket] = []
    try:
        for _ in range(LOOKUP_FILES):
            made.append(socket.socket())
        return True
    except OSError:
        return False
    finally:
        for one in made:
            one.close()


def _is_no_server(error: BaseException) -> bool:
    """Check an error from before the connection existed."""
    if isinstance(error, socket.gaierror):
        return error.errno in _NO_NAME and _has_descriptors()
    if isinstance(error, ssl.SSLError) or not isinstance(error, OSError):
        return False
    # A server that is too busy to accept a connection does exist.
    return error.errno in _NO_SERVER


def _broken(error: BaseException, deadline: _Deadline) -> BaseException:
    """The exception of this module for an error of a connection in use."""
    if isinstance(error, TerrariumError):
        return error
    if isinstance(error, socket.timeout):
        return deadline.late()
    if isinstance(error, (http.client.RemoteDisconnected,
                          http.client.IncompleteRead, OSError)):
        return ConnectionBroke("The connection broke during the answer"
                               f": {_shown(str(error), 200)}")
    if isinstance(error, (http.client.HTTPException, ValueError)):
        # Without the error's text, which repeats bytes of the server.
        return BadReply(f"The answer is not HTTP ({type(error).__name__})")
    return error


class _Answer:
    """A reply, after its head was read."""

    def __init__(self, connection: _Connection,
                 response: http.client.HTTPResponse,
                 deadline: _Deadline) -> None:
        self.connection = connection
        self.response = response
        self.deadline = deadline
        self.status = response.status
        self.reusable = False

    def header(self, name: str) -> str:
        return self.response.getheader(name) or ""

    def retry_after(self) -> Optional[float]:
        given = self.header("Retry-After").strip()
        return float(given) if re.fullmatch("[0-9]{1,6}", given) else None

    def read(self, most: int) -> bytes:
        """The whole body."""
        announced = self.response.length
        if announced is not None and announced > most:
            raise self.too_long(most)
        pieces: List[bytes] = []
        try:
            while True:
                piece = self.response.read(PIECE)
                if not piece:
                    break
                pieces.append(piece)
                most -= len(piece)
                if most < 0:
                    raise self.too_long(most)
            if self.response.length:  # a short read(n) is not yet an error
                raise http.client.IncompleteRead(b"", self.response.length)
        except BaseException as error:
            self.close()
            raise _broken(error, self.deadline) from None
        self.reusable = not self.response.will_close
        return b"".join(pieces)

    def lines(self, most: int) -> Generator[bytes, None, None]:
        """The body line by line, as the lines arrive; at most MOST bytes in
        all."""
        try:
            while True:
                line = self.response.readline(most + 1)
                if not line:
                    break
                most -= len(line)
                if most < 0:
                    raise self.too_long(most)
                yield line
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise _broken(error, self.deadline) from None

    def too_long(self, most: int) -> BadReply:
        self.close()
        return BadReply("The answer is longer than max_reply_mb allows")

    def close(self) -> None:
        self.response.close()
        self.connection.web.close()


@dataclass(frozen=True)
class _Address:
    """The server's address. Only `proxy_auth` is secret."""

    scheme: str
    host: str
    port: int
    prefix: str = ""
    proxy: Optional[Tuple[str, int]] = None
    proxy_auth: str = field(default="", repr=False)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}{self.prefix}"


def _read_url(url: str, schemes: Sequence[str]) -> Tuple[_Address, str, str]:
    """Address, user and password of a URL. No message repeats the URL, because
    it may hold a token."""
    if not isinstance(url, str):
        raise TypeError("the URL must be a str")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ValueError("the URL's host or port is malformed") from None
    if parts.scheme not in schemes or not parts.hostname:
        raise ValueError("the URL must be like https://host:port")
    if parts.query or parts.fragment:
        raise ValueError("the URL must have no query and no fragment")
    if re.search(r"[^!-~]", parts.hostname + parts.path):
        raise ValueError("the URL must be printable ASCII")
    address = _Address(parts.scheme, parts.hostname,
                       port or (443 if parts.scheme == "https" else 80),
                       parts.path.rstrip("/"))
    return address, unquote(parts.username or ""), \
        unquote(parts.password or "")


def _with_proxy(address: _Address, proxy: Optional[str]) -> _Address:
    if proxy == "environment":
        if urllib.request.proxy_bypass(f"{address.host}:{address.port}"):
            return address
        proxy = urllib.request.getproxies().get(address.scheme)
    if not proxy:
        return address
    via, user, password = _read_url(proxy, ("http",))
    auth = base64.b64encode(f"{user}:{password}".encode()).decode() \
        if user else ""
    return _Address(address.scheme, address.host, address.port,
                    address.prefix, (via.host, via.port), auth)


def _is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or \
        re.fullmatch(r"127(\.[0-9]{1,3}){3}", host) is not None


class _Http:
    """Requests to one address, over connections that are kept for a while.
    Threads may share it; a forked child makes connections of its own."""

    def __init__(self, address: _Address, context: Optional[ssl.SSLContext],
                 connect_timeout: float, retries: int) -> None:
        self.address = address
        self.context = context
        self.connect_timeout = connect_timeout
        self.retries = retries
        self.lock = threading.Lock()
        self.idle: List[_Connection] = []
        self.pid = os.getpid()

    def request(self, method: str, path: str, body: Optional[bytes],
                headers: Dict[str, str], deadline: _Deadline,
                again: bool = True) -> _Answer:
        """Send a request and return the answer's head, after as many tries as
        are allowed. AGAIN: whether a refusal with Retry-After may be tried
        again."""
        answered = False
        for tried in range(self.retries + 1):
            last = tried == self.retries
            try:
                answer = self.once(method, path, body, headers, deadline)
            except Untrusted:
                raise
            except Unreachable as error:
                error.certain = error.certain and not answered
                pause = PAUSE_S * 2 ** tried * random.uniform(1, 1.25)
                if last or not deadline.allows(pause):
                    raise
            else:
                answered = True
                wanted = answer.retry_after() if again and \
                    answer.status in (429, 503) else None
                if wanted is None or last or not deadline.allows(wanted):
                    return answer
                pause = wanted * random.uniform(1, 1.25)
                answer.read(MEGABYTE)
                self.finish(answer)
            time.sleep(min(pause, deadline.left()))
        raise AssertionError("the last try returns or raises")

    def once(self, method: str, path: str, body: Optional[bytes],
             headers: Dict[str, str], deadline: _Deadline) -> _Answer:
        connection = self.take() or self.connect(deadline)
        headers = {"User-Agent": f"terrarium-client/{__version__}", **headers}
        return connection.send(method, self.address.prefix + path, body,
                               headers, deadline)

    def take(self) -> Optional[_Connection]:
        """An idle connection that is still usable."""
        while True:
            with self.lock:
                # after a fork they are the parent's
                if self.pid != os.getpid():
                    self.idle, self.pid = [], os.getpid()
                if not self.idle:
                    return None
                connection = self.idle.pop()
            if connection.is_fresh():
                return connection
            connection.web.close()

    def finish(self, answer: _Answer) -> None:
        """Keep the connection if it can be used again."""
        if not answer.reusable:
            answer.close()
            return
        answer.response.close()
        answer.connection.timed.rest()
        answer.connection.since = time.monotonic()
        with self.lock:
            if len(self.idle) < IDLE_MOST and self.pid == os.getpid():
                self.idle.append(answer.connection)
                return
        answer.close()

    def make(self, timeout: float) -> http.client.HTTPConnection:
        """A new connection, not made yet."""
        address = self.address
        host, port = address.proxy or (address.host, address.port)
        if self.context is None:
            web = http.client.HTTPConnection(host, port, timeout)
        else:
            web = http.client.HTTPSConnection(host, port, timeout=timeout,
                                              context=self.context)
        if address.proxy:
            web.set_tunnel(address.host, address.port, {
                "Proxy-Authorization": f"Basic {address.proxy_auth}"}
                if address.proxy_auth else {})
        return web

    def connect(self, deadline: _Deadline) -> _Connection:
        address = self.address
        web = self.make(min(self.connect_timeout, deadline.left()))
        try:
            web.connect()
        except ssl.SSLCertVerificationError as error:
            web.close()
            raise Untrusted(f"{address}: the certificate is not trusted: "
                            f"{error.verify_message}") from None
        except (OSError, http.client.HTTPException) as error:
            # With a socket there was an answer, so TLS or a proxy failed.
            certain = web.sock is None and _is_no_server(error)
            web.close()
            raise Unreachable(f"{address} cannot be reached: "
                              f"{_shown(str(error), 200)}",
                              certain=certain) from None
        return _Connection(web)

    def close(self) -> None:
        with self.lock:
            idle, self.idle = self.idle, []
        for connection in idle:
            connection.web.close()

    def __del__(self) -> None:
        for connection in self.idle:
            connection.web.close()


def _make_context(ca_file: Optional[str]) -> ssl.SSLContext:
    """TLS that verifies certificates. No option turns that off."""
    context = ssl.create_default_context(cafile=ca_file)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    return context


# ---- writing requests -----------------------------------------------------

def _read_content(name: str, content: Content) -> bytes:
    if isinstance(content, (bytes, bytearray, memoryview)):
        return bytes(content)
    if isinstance(content, os.PathLike):
        return Path(content).read_bytes()
    raise NotSendable(f"files: {name!r} must be bytes or a Path, not "
                      f"{type(content).__name__}")


def _entries(files: Files) -> List[Dict[str, str]]:
    """The `files` field. A path alone is sent under its last component."""
    if isinstance(files, (str, bytes)):
        raise NotSendable("files must be a mapping of names, or paths")
    if not isinstance(files, Mapping):
        files = {Path(path).name: path for path in files}
    return [{"filename": name, "b64_data": base64.b64encode(
        _read_content(name, content)).decode("ascii")}
        for name, content in files.items()]


def _whole(value: Optional[float], factor: int, name: str) -> Optional[int]:
    """A limit as the whole number that the server takes."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or \
            not 0 < value < 1 << 31:
        raise NotSendable(f"{name} must be a number above 0, not {value!r}")
    return math.ceil(value * factor)


def _strings(value: Optional[Mapping[str, str]]) -> Optional[Dict[str, str]]:
    if value is None:
        return None
    for name, text in value.items():
        if not isinstance(name, str) or not isinstance(text, str):
            raise NotSendable(f"env: {name!r} and its value must be str")
    return dict(value)


def _names(forms: Iterable[str]) -> List[str]:
    """The server knows which there are. A text would be many short ones."""
    names = [] if isinstance(forms, str) else list(forms)
    if not names or not all(isinstance(name, str) for name in names):
        raise NotSendable("forms must be names, at least one, in a list")
    return names


def _text(value: str, where: str) -> str:
    """VALUE, if a server accepts it."""
    if "\0" in value or _SURROGATE.search(value):
        what = "a NUL" if "\0" in value else "half a surrogate pair"
        raise NotSendable(f"{where} holds {what}, which cannot be sent")
    return value


def _plain(value: Any, where: str) -> Json:
    """VALUE, if all of it is JSON. NotSendable names the first part that is
    not."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        return _text(value, where)
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        raise NotSendable(f"{where} is {value}, which JSON has no form for")
    if isinstance(value, (list, tuple)):
        return [_plain(item, f"{where}[{n}]") for n, item in enumerate(value)]
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise NotSendable(f"{where} has the key {key!r:.100}, which "
                                  "is not a str")
        return {_text(key, f"a key of {where}"):
                _plain(item, f"{where}[{key!r:.100}]")
                for key, item in value.items()}
    raise NotSendable(f"{where} is of type {type(value).__name__}, which "
                      "JSON has no form for")


def _shallow(value: Any, where: str) -> Json:
    try:
        return _plain(value, where)
    except RecursionError:
        raise NotSendable(f"{where} contains itself, or is nested too "
                          "deeply") from None


def _dump(fields: Mapping[str, Any]) -> bytes:
    given = {name: value for name, value in fields.items()
             if value is not None}
    try:
        return json.dumps(given, allow_nan=False).encode("ascii")
    except ValueError as error:  # an integer of too many digits
        raise NotSendable(f"arguments: {error}") from None
    except RecursionError:
        raise NotSendable("arguments are nested too deeply") from None


# ---- values ---------------------------------------------------------------

# The forms of values that JSON lacks. The guest's half is in _READ and _WRITE
# below. A guest's answer is read strictly: nothing is unpickled, no module is
# imported, and no class is used but those that the caller named (see _Types).

class Repr(str):
    """The repr of a value that has no form here; only with
    on_unknown="repr"."""


_ZONE = re.compile(r"(?!dateutil)[A-Za-z][A-Za-z0-9_+-]{0,31}"
                   r"(?:/[A-Za-z][A-Za-z0-9_+-]{0,31}){0,2}")
_DECIMAL = re.compile(r"-?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:E[+-]?\d{1,15})?"
                      r"|Infinity|NaN)", re.ASCII)
_DTYPE = re.compile(
    r"\|b1|\|[iu]1|<[iu][248]|<f[248]|<c(?:8|16)|<U[1-9]\d{0,6}|\|S[1-9]\d{0,6}"
    r"|<[mM]8(?:\[(?:[1-9]\d{0,3})?(?:Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)\])?",
    re.ASCII)
_COLUMNS = frozenset({
    "object", "category", "string", "boolean", "Float32", "Float64",
    *(f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64))})
_CROWD = 20             # values of one hash in a set or dict, at most
_RATIO_BITS = 1 << 15   # of each half of a fraction in an answer, at most


def _known(module: str, name: str) -> Any:
    """A class, if its module is imported already; else no class."""
    return getattr(sys.modules.get(module), name, ())


def _is_record(kind: Any) -> bool:
    """Whether KIND is a class of plain data: dataclass, namedtuple, enum."""
    return isinstance(kind, type) and (
        dataclasses.is_dataclass(kind) or issubclass(kind, enum.Enum) or
        issubclass(kind, tuple) and hasattr(kind, "_fields"))


class _Types:
    """The classes that an answer may use: those of the arguments, of the
    function's annotations and names, and those that the caller lists. Their
    fields' annotations count too."""

    def __init__(self, given: Iterable[Any] = ()) -> None:
        self.found: Dict[Tuple[str, str], Any] = {}
        for one in given:
            self.add(one)

    def add(self, hint: Any) -> None:
        """HINT is a class or an annotation."""
        if _is_record(hint):
            key = (hint.__module__, hint.__qualname__)
            if key in self.found:
                return
            self.found[key] = hint
            self.add_hints(hint)
        for inner in typing.get_args(hint):
            self.add(inner)

    def add_hints(self, owner: Any) -> None:
        try:
            hints = typing.get_type_hints(owner)
        except Exception:  # a name that exists for type checkers only
            return
        for hint in hints.values():
            self.add(hint)


class _Writer:
    """Turns values into JSON. NotSendable names the first part that has no
    form. `types` collects the classes of plain data among them."""

    def __init__(self) -> None:
        self.types = _Types()

    def write(self, value: Any, where: str) -> Json:
        try:
            return self.encode(value, where)
        except RecursionError:
            raise NotSendable(f"{where} contains itself, or is nested too "
                              "deeply") from None

    def encode(self, value: Any, where: str) -> Json:
        kind = type(value)
        if value is None or kind in (bool, int):
            return value
        if kind is str:
            return _text(value, where)
        if isinstance(value, enum.Enum):
            return self.member(value, where)
        if isinstance(value, (_known("numpy", "generic"),
                              _known("numpy", "ndarray"))):
            return self.array(value, where)
        if isinstance(value, float):
            return _float(value)
        if isinstance(value, (bytes, bytearray, memoryview)):
            return {"$bytes": base64.b64encode(value).decode("ascii")}
        if isinstance(value, list):
            return self.items(value, where)
        if isinstance(value, tuple):
            return self.named(value, where) if _is_record(kind) else \
                {"$tuple": self.items(value, where)}
        if isinstance(value, dict):
            return self.mapping(value, where)
        if isinstance(value, (set, frozenset)):
            name = "$set" if isinstance(value, set) else "$frozenset"
            return {name: [self.encode(item, f"an item of {where}")
                           for item in value]}
        return self.rare(value, where)

    def rare(self, value: Any, where: str) -> Json:
        if isinstance(value, _known("pandas", "DataFrame")):
            return self.frame(value, where)
        if isinstance(value, _known("pandas", "Series")):
            return {"$series": [self.encode(value.name, where),
                                self.labels(value.index, where),
                                self.column(value, where)]}
        for name in ("NaT", "NA"):
            if value is getattr(sys.modules.get("pandas"), name, self):
                return {"$missing": name}
        if isinstance(value, complex):
            return {"$complex": [_float(value.real), _float(value.imag)]}
        if isinstance(value, _known("decimal", "Decimal")):
            return {"$decimal": str(value)}
        if isinstance(value, _known("fractions", "Fraction")):
            return {"$fraction": [value.numerator, value.denominator]}
        if isinstance(value, datetime.datetime):
            return _moment(value)
        if isinstance(value, datetime.date):
            return {"$date": value.isoformat()}
        if isinstance(value, datetime.time):
            return {"$time": [value.isoformat(), value.fold]}
        if isinstance(value, datetime.timedelta):
            return {"$timedelta": [value.days, value.seconds,
                                   value.microseconds]}
        if isinstance(value, uuid.UUID):
            return {"$uuid": str(value)}
        if isinstance(value, PurePath):
            return {"$path": _text(value.as_posix(), where)}
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self.data(value, where)
        if isinstance(value, int):
            return int.__int__(value)
        if isinstance(value, str):
            return _text(str.__str__(value), where)
        raise NotSendable(f"{where} is of type {type(value).__name__}, which "
                          "has no form that can be sent")

    def items(self, value: Iterable[Any], where: str) -> List[Json]:
        return [self.encode(item, f"{where}[{n}]")
                for n, item in enumerate(value)]

    def mapping(self, value: Dict[Any, Any], where: str) -> Json:
        if not all(type(key) is str for key in value):
            return {"$dict": [[self.encode(key, f"a key of {where}"),
                               self.encode(item, f"{where}[{key!r:.100}]")]
                              for key, item in value.items()]}
        out = {_text(key, f"a key of {where}"):
               self.encode(item, f"{where}[{key!r:.100}]")
               for key, item in value.items()}
        return {"$object": out} if any(k[:1] == "$" for k in out) else out

    # -- classes of plain data

    def member(self, value: enum.Enum, where: str) -> Json:
        kind = type(value)
        self.types.add(kind)
        name = value.name if kind.__members__.get(value.name) is value \
            else None
        return {"$enum": [kind.__module__, kind.__qualname__, name,
                          self.encode(value.value, where)]}

    def data(self, value: Any, where: str) -> Json:
        kind = type(value)
        self.types.add(kind)
        return {"$data": [kind.__module__, kind.__qualname__, {
            one.name: self.encode(getattr(value, one.name),
                                  f"{where}.{one.name}")
            for one in dataclasses.fields(value)}]}

    def named(self, value: Any, where: str) -> Json:
        kind = type(value)
        self.types.add(kind)
        return {"$named": [kind.__module__, kind.__qualname__, [
            [name, self.encode(item, f"{where}.{name}")]
            for name, item in zip(kind._fields, value)]]}

    # -- arrays and tables

    def array(self, value: Any, where: str) -> Json:
        numpy = sys.modules["numpy"]
        scalar = isinstance(value, numpy.generic)
        value = value if isinstance(value, numpy.ma.MaskedArray) else \
            numpy.asarray(value)
        if value.dtype.kind == "O" and not scalar:
            return {"$array": ["O", list(value.shape),
                               self.items(value.ravel(), where)]}
        if value.dtype.kind not in "biufcMmUS" or \
                not value.dtype.itemsize or \
                isinstance(value, numpy.ma.MaskedArray):
            raise NotSendable(f"{where} is an array of {value.dtype}, which "
                              "has no form that can be sent")
        value = value.astype(value.dtype.newbyteorder("<"), order="C")
        kind = value.dtype.str
        if not _DTYPE.fullmatch(kind):
            raise NotSendable(f"{where} is an array of {value.dtype}, which "
                              "has no form that can be sent")
        data = base64.b64encode(value.tobytes()).decode("ascii")
        return {"$scalar": [kind, data]} if scalar else \
            {"$array": [kind, list(value.shape), data]}

    def column(self, value: Any, where: str) -> List[Json]:
        kind, numpy = value.dtype, sys.modules["numpy"]
        if isinstance(kind, numpy.dtype) and kind.kind in "biufcMm":
            return ["array", self.array(value.to_numpy(), where), None]
        zone = str(getattr(kind, "tz", None) or "")
        if _ZONE.fullmatch(zone):
            plain = getattr(value, "dt", value).tz_convert("UTC")
            plain = getattr(plain, "dt", plain).tz_localize(None)
            return ["array", self.array(plain.to_numpy(), where), zone]
        name = str(kind)
        return [name if name in _COLUMNS else "object",
                self.items(list(value), where), None]

    def labels(self, value: Any, where: str) -> List[Json]:
        names = self.items(list(value.names), where)
        if value.nlevels > 1:
            return [names, "multi", self.items(list(value), where)]
        kind, *rest = self.column(value, where)
        return [names, kind, rest]

    def frame(self, value: Any, where: str) -> Json:
        return {"$frame": [
            self.labels(value.columns, where), self.labels(value.index, where),
            [self.column(value.iloc[:, n], f"{where}[{name!r:.100}]")
             for n, name in enumerate(value.columns)]]}


def _float(value: float) -> Json:
    plain = float(value)
    return plain if math.isfinite(plain) else {"$float": repr(plain)}


def _moment(value: datetime.datetime) -> Json:
    """A time zone of a name keeps it; others become an offset."""
    zone = getattr(value.tzinfo, "key", None)
    if hasattr(value, "to_pydatetime"):
        value = value.to_pydatetime(warn=False)
    if not isinstance(zone, str) or not _ZONE.fullmatch(zone):
        return {"$datetime": [value.isoformat(), value.fold, None]}
    return {"$datetime": [value.replace(tzinfo=None).isoformat(), value.fold,
                          zone]}


def _want(value: Json, *kinds: Any) -> List[Any]:
    """VALUE, if it is a list with an item of each kind; an `object` is any."""
    if not isinstance(value, list) or len(value) != len(kinds) or \
            not all(isinstance(item, kind) and
                    (kind is not int or not isinstance(item, bool))
                    for item, kind in zip(value, kinds)):
        raise ValueError("malformed")
    return value


def _text_of(value: Json) -> str:
    if not isinstance(value, str):
        raise ValueError("malformed")
    return value


def _uncrowded(values: Iterable[Any]) -> List[Any]:
    """A list of VALUES. Many different ones of one hash, which a guest can
    choose, would make a set or dict of them take hours."""
    out = list(values)
    alike: Dict[int, List[Any]] = {}
    for value in out:
        seen = alike.setdefault(hash(value), [])
        if value not in seen:
            seen.append(value)
            if len(seen) > _CROWD:
                raise ValueError("too many values have the same hash")
    return out


class _Reader:
    """Turns the JSON of an answer into values. Any exception means that the
    answer is not of our making."""

    def __init__(self, types: _Types) -> None:
        self.types = types.found

    def decode(self, value: Json) -> Any:
        if isinstance(value, list):
            return [self.decode(item) for item in value]
        if not isinstance(value, dict):
            return value
        marked = [key for key in value if key[:1] == "$"]
        if not marked:
            return {key: self.decode(item) for key, item in value.items()}
        if len(value) != 1:
            raise ValueError("unknown form")
        read = _READERS.get(marked[0])
        if read is None:
            raise ValueError("unknown form")
        return read(self, value[marked[0]])

    def escaped(self, given: Json) -> Any:
        if not isinstance(given, dict):
            raise ValueError("malformed")
        return {key: self.decode(item) for key, item in given.items()}

    def items(self, given: Json) -> List[Any]:
        if not isinstance(given, list):
            raise ValueError("malformed")
        return [self.decode(item) for item in given]

    def pairs(self, given: Json) -> Dict[Any, Any]:
        if not isinstance(given, list):
            raise ValueError("malformed")
        found = [_want(pair, object, object) for pair in given]
        keys = _uncrowded(self.decode(pair[0]) for pair in found)
        return dict(zip(keys, (self.decode(pair[1]) for pair in found)))

    def blob(self, given: Json) -> bytes:
        return base64.b64decode(_text_of(given), validate=True)

    def special(self, given: Json) -> float:
        return {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}[given]

    def imaginary(self, given: Json) -> complex:
        parts = [self.decode(part) for part in _want(given, object, object)]
        _want(parts, (int, float), (int, float))
        return complex(*parts)

    def exact(self, given: Json) -> Any:
        if not _DECIMAL.fullmatch(_text_of(given)):
            raise ValueError("malformed")
        return decimal.Decimal(given)

    def ratio(self, given: Json) -> Any:
        parts = _want(given, int, int)
        if any(part.bit_length() > _RATIO_BITS for part in parts):
            raise ValueError("too long")
        return fractions.Fraction(*parts)

    def moment(self, given: Json) -> Any:
        text, fold, zone = _want(given, str, int, (str, type(None)))
        value = datetime.datetime.fromisoformat(text).replace(fold=fold)
        if zone is None:
            return value
        return value.replace(tzinfo=_zone(zone))

    def day(self, given: Json) -> Any:
        return datetime.date.fromisoformat(_text_of(given))

    def clock(self, given: Json) -> Any:
        text, fold = _want(given, str, int)
        return datetime.time.fromisoformat(text).replace(fold=fold)

    def span(self, given: Json) -> Any:
        return datetime.timedelta(*_want(given, int, int, int))

    def unique(self, given: Json) -> Any:
        return uuid.UUID(_text_of(given))

    def path(self, given: Json) -> Path:
        if "\0" in _text_of(given):
            raise ValueError("malformed")
        return Path(given)

    # -- classes of plain data. A class that the caller did not name is not
    # used, and neither is its module.

    def data(self, given: Json) -> Any:
        module, name, fields = _want(given, str, str, dict)
        values = self.escaped(fields)
        kind = self.types.get((module, name))
        if kind is None or not dataclasses.is_dataclass(kind):
            return values
        made = {one.name for one in dataclasses.fields(kind) if one.init}
        return kind(**{key: values[key] for key in values if key in made or
                       key not in kind.__dataclass_fields__})

    def named(self, given: Json) -> Any:
        module, name, fields = _want(given, str, str, list)
        values = {_text_of(_want(pair, str, object)[0]): self.decode(pair[1])
                  for pair in fields}
        kind = self.types.get((module, name))
        if kind is None or getattr(kind, "_fields", None) != tuple(values):
            return values
        return kind(*values.values())

    def member(self, given: Json) -> Any:
        module, name, member, value = _want(given, str, str, object, object)
        kind = self.types.get((module, name))
        if kind is None or not issubclass(kind, enum.Enum):
            return self.decode(value)
        return kind(self.decode(value)) if member is None else \
            kind.__members__[member]

    # -- arrays and tables: only if the caller has imported their packages

    def array(self, given: Json) -> Any:
        numpy = _imported("numpy")
        kind, shape, data = _want(given, str, list, (str, list))
        if len(shape) > 32 or not all(
                type(n) is int and 0 <= n < 1 << 31 for n in shape):
            raise ValueError("malformed")
        count = math.prod(shape)
        if kind == "O":
            items = self.items(data)
            if len(items) != count:
                raise ValueError("malformed")
            value = numpy.empty(count, "O")
            for n, item in enumerate(items):
                value[n] = item
            return value.reshape(shape)
        if not _DTYPE.fullmatch(kind):
            raise ValueError("malformed")
        dtype, raw = numpy.dtype(kind), self.blob(data)
        if len(raw) != count * dtype.itemsize:
            raise ValueError("malformed")
        if kind == "|b1":
            value = numpy.frombuffer(raw, "u1") != 0
        elif raw:
            value = numpy.frombuffer(raw, dtype).copy()
        else:
            value = numpy.zeros(0, dtype)
        if dtype.kind == "U" and raw and \
                numpy.frombuffer(raw, "<u4").max() > sys.maxunicode:
            raise ValueError("malformed")
        return value.reshape(shape)

    def scalar(self, given: Json) -> Any:
        kind, data = _want(given, str, str)
        return self.array([kind, [], data])[()]

    def column(self, given: Json) -> Any:
        pandas = _imported("pandas")
        kind, values, zone = _want(given, str, object, (str, type(None)))
        found = self.decode(values)
        if kind == "array":
            if not isinstance(found, _known("numpy", "ndarray")) or \
                    found.ndim != 1:
                raise ValueError("malformed")
            value = pandas.Series(found)
            if zone is not None:
                _zone(zone)
                value = value.dt.tz_localize("UTC").dt.tz_convert(zone)
            return value
        if kind not in _COLUMNS or not isinstance(found, list) or zone:
            raise ValueError("malformed")
        if kind == "category":
            return pandas.Series(_uncrowded(found), dtype="object"
                                 ).astype("category")
        value = pandas.Series([None] * len(found), dtype="object")
        for n, item in enumerate(found):
            value.iat[n] = item
        return value if kind == "object" else value.astype(kind)

    def labels(self, given: Json) -> Any:
        pandas = _imported("pandas")
        names, kind, values = _want(given, list, str, list)
        if kind == "multi":
            return pandas.MultiIndex.from_tuples(
                _uncrowded(self.items(values)), names=self.items(names))
        found = self.column([kind, *values])
        made = pandas.Index(found.array, dtype=found.dtype)
        if kind != "array":
            _uncrowded(made)
        made.name = self.decode(_want(names, object)[0])
        return made

    def frame(self, given: Json) -> Any:
        columns, index, data = _want(given, list, list, list)
        rows = self.labels(index)
        series = [self.column(one) for one in data]
        if any(len(one) != len(rows) for one in series):
            raise ValueError("malformed")
        value = _imported("pandas").DataFrame(
            {n: one.array for n, one in enumerate(series)}, index=rows)
        value.columns = self.labels(columns)
        return value

    def series(self, given: Json) -> Any:
        name, index, data = _want(given, object, list, list)
        return _imported("pandas").Series(
            self.column(data).array, index=self.labels(index),
            name=self.decode(name))

    def missing(self, given: Json) -> Any:
        pandas = _imported("pandas")
        return {"NaT": pandas.NaT, "NA": pandas.NA}[_text_of(given)]


_READERS: Dict[str, Callable[[_Reader, Json], Any]] = {
    "$bytes": _Reader.blob, "$object": _Reader.escaped,
    "$tuple": lambda reader, given: tuple(reader.items(given)),
    "$set": lambda reader, given: set(_uncrowded(reader.items(given))),
    "$frozenset": lambda reader, given: frozenset(
        _uncrowded(reader.items(given))),
    "$dict": _Reader.pairs, "$float": _Reader.special,
    "$complex": _Reader.imaginary, "$decimal": _Reader.exact,
    "$fraction": _Reader.ratio, "$datetime": _Reader.moment,
    "$date": _Reader.day, "$time": _Reader.clock,
    "$timedelta": _Reader.span, "$uuid": _Reader.unique,
    "$path": _Reader.path, "$data": _Reader.data, "$named": _Reader.named,
    "$enum": _Reader.member, "$array": _Reader.array,
    "$scalar": _Reader.scalar, "$frame": _Reader.frame,
    "$series": _Reader.series, "$missing": _Reader.missing,
    "$repr": lambda reader, given: Repr(_text_of(given))}


def _imported(name: str) -> Any:
    """A module that this program has imported already."""
    if name not in sys.modules:
        raise ValueError(f"{name} is not imported")
    return sys.modules[name]


def _zone(name: str) -> Any:
    if not _ZONE.fullmatch(name):
        raise ValueError("malformed")
    return zoneinfo.ZoneInfo(name)


# ---- functions ------------------------------------------------------------

# The guest's half of a call. _CORE runs first and has all that plain values
# need. The others take longer to compile, and are compiled when something needs
# them: other values that arrive or leave, or names that travel with the
# function. The return value crosses as text, so that no limit on the shape of
# values changes it.
_CORE = r'''
import base64, importlib, json, sys


class Unknown(Exception):
    pass


def more(part, name):
    if name not in globals():
        exec(compile(PARTS[part], "<terrarium>", "exec"), globals())
    return globals()[name]


def walk(found, path):
    for name in path.split("."):
        found = getattr(found, name)
    return found


def find(module, path):
    try:
        if module in scopes:
            name, _, rest = path.partition(".")
            found = scopes[module][name]
            return walk(found, rest) if rest else found
        return walk(importlib.import_module(module), path)
    except Exception:
        return None


def decode(value):
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        (key, given), = value.items()
        if key == "$bytes":
            return base64.b64decode(given)
        if key[:1] == "$":
            return more("read", "FORMS")[key](given)
    return {key: decode(item) for key, item in value.items()}


def encode(value, where):
    kind = type(value)
    if value is None or kind in (bool, int, str) or \
            kind is float and value - value == 0:
        return value
    if kind is bytes:
        return {"$bytes": base64.b64encode(value).decode()}
    if kind is list:
        return [encode(item, "%s[%d]" % (where, number))
                for number, item in enumerate(value)]
    if kind is dict and all(type(key) is str for key in value):
        out = {key: encode(item, "%s[%.100r]" % (where, key))
               for key, item in value.items()}
        return {"$object": out} if any(
            key[:1] == "$" for key in out) else out
    try:
        return more("write", "form")(value, where)
    except Unknown:
        if not reprs:
            raise
        return {"$repr": repr(value)[:bundle["repr"]]}


def returned(value):
    try:
        return json.dumps({"returned": encode(value, "the return value")})
    except Unknown as error:
        return json.dumps({"unknown": str(error)})
    except RecursionError:
        return json.dumps({"unknown": "the return value contains itself, or "
                           "is nested too deeply"})


async def finish(value):
    return returned(await value)


def start(name):
    function = world.get(name)
    if not callable(function):
        raise NameError("name %r is not defined: the call needs it" % name)
    if space:
        world.pop(name)
        if name in mine:
            world[name] = before
        setattr(world[space], name, (
            classmethod if bundle["kind"] == "class" else staticmethod)(
                function))
    kept = world.get("main")

    def main(args, kwargs):
        if "main" in mine:
            world["main"] = kept
        if space:
            called = getattr(world[space], name)
        else:
            called = world[name] = function
        value = called(*decode(args), **decode(kwargs))
        if hasattr(type(value), "__await__"):
            return finish(value)
        return returned(value)

    return main


bundle = json.loads(bundle)
arrays, tables, reprs = bundle["arrays"], bundle["tables"], bundle["reprs"]
space, mine = bundle["space"], bundle["mine"]
scopes = {bundle["names"][0]: world}
if bundle["steps"]:
    more("install", "install")()
before = world.get(bundle["function"])
world["_terrarium"] = start
'''

_READ = r'''
import importlib


def pairs(given):
    return {decode(key): decode(item) for key, item in given}


def moment(text, fold, zone):
    import datetime
    value = datetime.datetime.fromisoformat(text).replace(fold=fold)
    if zone:
        import zoneinfo
        value = value.replace(tzinfo=zoneinfo.ZoneInfo(zone))
    return value


def made(module, path, given):
    fields = {key: decode(item) for key, item in given.items()}
    kind = find(module, path)
    if kind is None or not hasattr(kind, "__dataclass_fields__"):
        return fields
    value = kind.__new__(kind)
    for key, item in fields.items():
        object.__setattr__(value, key, item)
    return value


def named(module, path, given):
    fields = pairs(given)
    kind = find(module, path)
    if getattr(kind, "_fields", None) != tuple(fields):
        return fields
    return kind(*fields.values())


def member(module, path, name, value):
    kind = find(module, path)
    if kind is None:
        return decode(value)
    return kind[name] if name else kind(decode(value))


def array(kind, shape, data):
    import numpy
    if kind == "O":
        value = numpy.empty(len(data), "O")
        value[:] = [decode(item) for item in data]
    else:
        data = base64.b64decode(data)
        value = numpy.frombuffer(data, kind).copy() if data else \
            numpy.zeros(0, kind)
    return value.reshape(shape)


def column(given):
    import pandas
    kind, values, zone = given
    values = decode(values)
    if zone:
        return pandas.Series(values).dt.tz_localize("UTC") \
            .dt.tz_convert(zone)
    if kind == "array":
        return pandas.Series(values)
    if kind == "category":
        return pandas.Series(values, dtype="object").astype(kind)
    return pandas.Series(values, dtype=kind)


def labels(given):
    import pandas
    names, kind, values = given
    if kind == "multi":
        return pandas.MultiIndex.from_tuples(decode(values), names=decode(
            names))
    found = column((kind, *values))
    made = pandas.Index(found.array, dtype=found.dtype)
    made.name = decode(names)[0]
    return made


def frame(columns, index, data):
    import pandas
    value = pandas.DataFrame(
        {n: column(one).array for n, one in enumerate(data)},
        index=labels(index))
    value.columns = labels(columns)
    return value


def series(name, index, data):
    import pandas
    return pandas.Series(column(data).array, index=labels(index),
                         name=decode(name))


def missing(kind):
    import pandas
    return getattr(pandas, kind)


FORMS = {
    "$bytes": lambda given: base64.b64decode(given),
    "$object": lambda given: {k: decode(v) for k, v in given.items()},
    "$tuple": lambda given: tuple(map(decode, given)),
    "$set": lambda given: set(map(decode, given)),
    "$frozenset": lambda given: frozenset(map(decode, given)),
    "$dict": pairs,
    "$float": float,
    "$complex": lambda given: complex(*map(decode, given)),
    "$decimal": lambda given: importlib.import_module(
        "decimal").Decimal(given),
    "$fraction": lambda given: importlib.import_module(
        "fractions").Fraction(*given),
    "$datetime": lambda given: moment(*given),
    "$date": lambda given: importlib.import_module(
        "datetime").date.fromisoformat(given),
    "$time": lambda given: importlib.import_module(
        "datetime").time.fromisoformat(given[0]).replace(fold=given[1]),
    "$timedelta": lambda given: importlib.import_module(
        "datetime").timedelta(*given),
    "$uuid": lambda given: importlib.import_module("uuid").UUID(given),
    "$path": lambda given: importlib.import_module("pathlib").Path(given),
    "$pattern": lambda given: importlib.import_module("re").compile(
        decode(given[0]), given[1]),
    "$logger": lambda given: importlib.import_module(
        "logging").getLogger(given),
    "$data": lambda given: made(*given),
    "$named": lambda given: named(*given),
    "$enum": lambda given: member(*given),
    "$array": lambda given: array(*given),
    "$scalar": lambda given: array(given[0], [], given[1])[()],
    "$frame": lambda given: frame(*given),
    "$series": lambda given: series(*given),
    "$missing": missing,
}
'''

_WRITE = r'''
COLUMNS = bundle["columns"]


def known(module, name):
    return getattr(sys.modules.get(module), name, ())


def items(value, where):
    return [encode(item, "%s[%d]" % (where, number))
            for number, item in enumerate(value)]


def key(value, where):
    if isinstance(value, (bool, int, float, str, bytes, tuple, frozenset)) \
            or value is None or type(value).__module__ in (
                "datetime", "decimal", "fractions", "uuid") or \
            isinstance(value, known("enum", "Enum") or ()) or \
            isinstance(value, known("numpy", "generic") or ()):
        return encode(value, "a key of " + where)
    raise Unknown("%s has a key of type %s" % (where, type(value).__name__))


def mapping(value, where):
    if not all(type(one) is str for one in value):
        return {"$dict": [
            [key(one, where), encode(item, "%s[%.100r]" % (where, one))]
            for one, item in value.items()]}
    out = {one: encode(item, "%s[%.100r]" % (where, one))
           for one, item in value.items()}
    return {"$object": out} if any(
        one[:1] == "$" for one in out) else out


def is_plain(kind):
    return kind.kind in "biufcMmUS" and kind.itemsize and \
        kind.str[1:] not in ("f16", "c32")


def out_array(value, where):
    if value.dtype.kind == "O":
        return {"$array": ["O", list(value.shape),
                           items(value.ravel(), where)]}
    if not is_plain(value.dtype):
        raise Unknown("%s is an array of %s" % (where, value.dtype))
    value = value.astype(value.dtype.newbyteorder("<"), order="C")
    return {"$array": [value.dtype.str, list(value.shape),
                       base64.b64encode(value.tobytes()).decode()]}


def out_column(value, where):
    kind, numpy = value.dtype, sys.modules["numpy"]
    if isinstance(kind, numpy.dtype) and kind.kind in "biufcMm":
        return ["array", out_array(value.to_numpy(), where), None]
    if getattr(kind, "tz", None) is not None:
        plain = getattr(value, "dt", value).tz_convert("UTC")
        plain = getattr(plain, "dt", plain).tz_localize(None)
        return ["array", out_array(plain.to_numpy(), where), str(kind.tz)]
    name = str(kind)
    return [name if name in COLUMNS else "object",
            items(list(value), where), None]


def out_labels(value, where):
    names = items(list(value.names), where)
    if value.nlevels > 1:
        return [names, "multi", items(list(value), where)]
    kind, *rest = out_column(value, where)
    return [names, kind, rest]


def out_frame(value, where):
    if isinstance(value, sys.modules["pandas"].Series):
        if not tables:
            return encode({"name": value.name, "index": list(value.index),
                           "data": list(value)}, where)
        return {"$series": [encode(value.name, where),
                            out_labels(value.index, where),
                            out_column(value, where)]}
    if not tables:
        return encode(value.to_dict("split"), where)
    return {"$frame": [
        out_labels(value.columns, where), out_labels(value.index, where),
        [out_column(value.iloc[:, n], "%s[%.100r]" % (where, one))
         for n, one in enumerate(value.columns)]]}


def out_numpy(value, where):
    numpy = sys.modules["numpy"]
    if isinstance(value, numpy.ma.MaskedArray):
        raise Unknown("%s is a masked array" % where)
    if not arrays:
        return encode(value.tolist(), where)
    if isinstance(value, numpy.ndarray):
        return out_array(numpy.asarray(value), where)
    if isinstance(value, numpy.void) or not is_plain(value.dtype):
        raise Unknown("%s is of type %s" % (where, value.dtype))
    made = out_array(numpy.asarray(value), where)["$array"]
    return {"$scalar": [made[0], made[2]]}


def out_moment(value, where):
    zone = getattr(value.tzinfo, "key", None)
    if hasattr(value, "to_pydatetime"):
        value = value.to_pydatetime(warn=False)
    if zone:
        value = value.replace(tzinfo=None)
    return {"$datetime": [value.isoformat(), value.fold, zone]}


def of(kind):
    name = kind.__module__
    if name in ("__main__", "__mp_main__"):
        name = bundle["names"][0]
    return [name, kind.__qualname__]


def out_member(value, where):
    name = value.name if type(value).__members__.get(value.name) is value \
        else None
    return {"$enum": of(type(value)) + [name, encode(value.value, where)]}


def out_data(value, where):
    return {"$data": of(type(value)) + [
        {one: encode(getattr(value, one), "%s.%s" % (where, one))
         for one in value.__dataclass_fields__
         if value.__dataclass_fields__[one]._field_type.name == "_FIELD"}]}


def out_named(value, where):
    return {"$named": of(type(value)) + [
        [[one, encode(item, "%s.%s" % (where, one))]
         for one, item in zip(value._fields, value)]]}


def out_number(value, where):
    if value - value == 0:
        return float(value)
    return {"$float": float.__repr__(value)}


RULES = (
    ("enum", "Enum", out_member),
    ("numpy", "generic", out_numpy), ("numpy", "ndarray", out_numpy),
    ("pandas", "DataFrame", out_frame), ("pandas", "Series", out_frame),
    ("pandas._libs.tslibs.nattype", "NaTType",
     lambda value, where: {"$missing": "NaT"} if tables else None),
    ("pandas._libs.missing", "NAType",
     lambda value, where: {"$missing": "NA"} if tables else None),
    ("builtins", "complex", lambda value, where: {"$complex": [
        out_number(value.real, where), out_number(value.imag, where)]}),
    ("builtins", "set", lambda value, where: {
        "$set": [key(item, where) for item in value]}),
    ("builtins", "frozenset", lambda value, where: {
        "$frozenset": [key(item, where) for item in value]}),
    ("decimal", "Decimal", lambda value, where: {"$decimal": str(value)}),
    ("fractions", "Fraction", lambda value, where: {
        "$fraction": [value.numerator, value.denominator]}),
    ("datetime", "datetime", out_moment),
    ("datetime", "date", lambda value, where: {"$date": value.isoformat()}),
    ("datetime", "time", lambda value, where: {
        "$time": [value.isoformat(), value.fold]}),
    ("datetime", "timedelta", lambda value, where: {"$timedelta": [
        value.days, value.seconds, value.microseconds]}),
    ("uuid", "UUID", lambda value, where: {"$uuid": str(value)}),
    ("pathlib", "PurePath", lambda value, where: {"$path": str(value)}),
)


def form(value, where):
    kind = type(value)
    if isinstance(value, (bytes, bytearray, memoryview)) and \
            kind.__module__ != "numpy":
        return {"$bytes": base64.b64encode(value).decode()}
    if isinstance(value, list):
        return items(value, where)
    if isinstance(value, tuple):
        return out_named(value, where) if hasattr(kind, "_fields") and \
            len(value) == len(kind._fields) else \
            {"$tuple": items(value, where)}
    if isinstance(value, dict):
        return mapping(value, where)
    for module, name, rule in RULES:
        if isinstance(value, known(module, name)):
            return rule(value, where)
    if hasattr(kind, "__dataclass_fields__") and kind is not type:
        return out_data(value, where)
    for base, plain in ((str, str.__str__), (int, int.__int__)):
        if isinstance(value, base):
            return plain(value)
    if isinstance(value, float):
        return out_number(value, where)
    raise Unknown("%s is of type %s, which has no form here"
                  % (where, kind.__name__))
'''

_INSTALL = r'''
import __future__, collections, importlib, types


class Loader:
    """Gives tracebacks the lines of the sources that were sent."""

    def __init__(self):
        self.lines = {}

    def get_source(self, name):
        return "".join(self.lines.get(n, "\n")
                       for n in range(1, max(self.lines) + 1))


def build(scope, name, file, line, text):
    if not isinstance(scope.get("__loader__"), Loader):
        scope["__loader__"] = Loader()
    for number, one in enumerate(text.splitlines(True)):
        scope["__loader__"].lines[line + number] = one
    code = compile("\n" * (line - 1) + text, file, "exec",
                   __future__.annotations.compiler_flag, dont_inherit=True)
    made = {}
    exec(code, scope, made)
    return made[name]


def do_import(scope, name, module, attribute):
    found = importlib.import_module(module)
    scope[name] = walk(found, attribute) if attribute else found


def do_code(scope, name, file, line, text):
    scope[name] = made = build(scope, name, file, line, text)
    if isinstance(made, type) and made.__module__ == "__main__":
        made.__module__ = bundle["names"][0]


def do_member(scope, space, name, kind, file, line, text):
    made = build(scope, name, file, line, text)
    setattr(scope[space], name, {"class": classmethod}.get(
        kind, staticmethod)(made))


def do_namedtuple(scope, name, fields, defaults):
    scope[name] = collections.namedtuple(
        name, fields, defaults=decode(defaults), module=scope["__name__"])


def do_space(scope, name):
    scope[name] = type(name, (), {})


DO = {
    "import": do_import, "code": do_code, "member": do_member,
    "namedtuple": do_namedtuple, "space": do_space,
    "submodule": lambda scope, module: importlib.import_module(module),
    "module": lambda scope, name, other: scope.update(
        {name: sys.modules[other]}),
    "link": lambda scope, name, other, there: scope.update(
        {name: scopes[other][there]}),
    "value": lambda scope, name, value: scope.update({name: decode(value)}),
    "constant": lambda scope, space, name, value: setattr(
        scope[space], name, decode(value)),
}

def install():
    for name in bundle["names"][1:]:
        module = types.ModuleType(name)
        scopes[name] = sys.modules.setdefault(name, module).__dict__
    for kind, module, *rest in bundle["steps"]:
        DO[kind](scopes[module], *rest)
'''


@dataclass(frozen=True)
class _Program:
    """A function, prepared to run elsewhere. `code` is the whole program but
    for the bundle of names; the function's own lines are `first` to `last`,
    the others are this module's."""

    name: str
    code: str
    first: int
    last: int
    signature: Optional[inspect.Signature]
    names: _Names
    bundled: bool

    def finish(self, reprs: bool) -> str:
        """The program with its bundle."""
        parts = {"read": _READ, "write": _WRITE, "install": _INSTALL}
        start = f"exec(compile({_CORE!r}, '<terrarium>', 'exec'), " \
            f"{{'world': globals(), 'bundle': {self.names.bundle(reprs)!r}, " \
            f"'PARTS': {parts!r}}})"
        if self.bundled:
            return f"from __future__ import annotations; {start}\n" + \
                f"{self.code}\nmain = _terrarium({self.name!r})\n"
        return f"{self.code}\n\n{start}\nmain = _terrarium({self.name!r})\n"


class _Bare(ast.NodeTransformer):
    """Removes annotations, which are not evaluated there."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)


# CPython's instructions that use a global name.
_STEPS = {
    "load": ("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"),
    "store": ("STORE_NAME",)}
_KNOWN = frozenset(dir(builtins)) | {"__name__", "__builtins__", "display",
                                     "__module__", "__qualname__",
                                     "__annotations__",
                                     "__conditional_annotations__"}


def _foreign_names(bare: ast.Module, own: str) -> List[str]:
    """Global names that the source uses, and that neither it nor Python
    defines. A name that it both uses and assigns is foreign: its first value
    is from elsewhere. OWN is the name that it defines itself, or empty."""
    codes = [compile(bare, "<function>", "exec", dont_inherit=True)]
    used: Set[str] = set()
    while codes:
        code = codes.pop()
        codes += [one for one in code.co_consts
                  if isinstance(one, types.CodeType)]
        names = {kind: {step.argval for step in dis.get_instructions(code)
                        if step.opname in kinds}
                 for kind, kinds in _STEPS.items()}
        used |= names["load"] - names["store"]
    return sorted(used - {own} - _KNOWN)


def _assigned_names(tree: ast.Module) -> FrozenSet[str]:
    """Names that the source declares as global."""
    return frozenset(name for node in ast.walk(tree)
                     if isinstance(node, ast.Global) for name in node.names)


CALLED = "()"


def _uses(tree: ast.AST) -> Dict[str, Set[Optional[str]]]:
    """The dotted names behind each name; None where it stands alone, also
    CALLED where it is called."""
    found: Dict[str, Set[Optional[str]]] = {}
    inner: Set[int] = set()
    for node in ast.walk(tree):
        path: List[str] = []
        base: ast.AST = node
        while isinstance(base, ast.Attribute):
            path.insert(0, base.attr)
            base = base.value
        if isinstance(base, ast.Name) and path:
            inner.add(id(base))
            found.setdefault(base.id, set()).add(".".join(path))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and id(node) not in inner:
            found.setdefault(node.id, set()).add(None)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found.setdefault(node.func.id, set()).add(CALLED)
    return found


@dataclass(frozen=True)
class _Source:
    """The source of one function or class: its text from line `line` of
    `file` on, which may be indented, and what it uses."""

    name: str
    file: str
    line: int
    text: str
    decorated: bool
    foreign: Tuple[str, ...]
    uses: Mapping[str, Set[Optional[str]]]
    assigned: FrozenSet[str]
    first_argument: str

    @property
    def indented(self) -> bool:
        return self.text[:1] in (" ", "\t")

    def placed(self) -> List[Json]:
        """Line and text of a module of its own."""
        if self.indented:
            return [max(self.line - 1, 1), "if True:\n" + self.text]
        return [self.line, self.text]


Definition = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_sources: Dict[Tuple[Any, bool], _Source] = {}
_sources_lock = threading.Lock()
SOURCES_MOST = 1000


def _source_of(thing: Any, decorated: bool = False) -> _Source:
    """The source of a function or class, with or without decorators."""
    key = (getattr(thing, "__code__", thing), decorated)
    with _sources_lock:
        if key in _sources:
            return _sources[key]
    found = _read_source(thing, decorated)
    with _sources_lock:
        if len(_sources) >= SOURCES_MOST:
            _sources.clear()
        _sources[key] = found
    return found


def _read_source(thing: Any, decorated: bool) -> _Source:
    try:
        lines, first = inspect.getsourcelines(thing)
    except (OSError, TypeError, IndexError, SyntaxError):
        raise NotSendable(f"the source of {thing.__qualname__} cannot be "
                          "found") from None
    indent = ["if True:\n"] if lines[0][:1] in (" ", "\t") else []
    try:
        body = ast.parse("".join(indent + lines)).body
    except SyntaxError:
        body = []
    while len(body) == 1 and isinstance(body[0], ast.If):
        body = body[0].body
    if len(body) != 1 or not isinstance(body[0], Definition) or \
            body[0].name != thing.__name__:
        raise NotSendable(f"the source of {thing.__qualname__} has "
                          "changed since it was loaded")
    node = body[0]
    start = 0
    has_decorators = bool(node.decorator_list)
    if not decorated:
        start = node.lineno - 1 - len(indent)
        node.decorator_list = []
    tree = ast.Module([node], [])
    uses = _uses(tree)
    first_argument = ""
    if not isinstance(node, ast.ClassDef):
        given = node.args.posonlyargs + node.args.args
        first_argument = given[0].arg if given else ""
    bare = ast.fix_missing_locations(_Bare().visit(tree))
    code = getattr(thing, "__code__", None)
    file = code.co_filename if code else \
        inspect.getsourcefile(thing) or "<source>"
    return _Source(thing.__name__, os.path.basename(file),
                   max(first, 1) + start, "".join(lines[start:]),
                   has_decorators,
                   tuple(_foreign_names(bare, "" if _is_member(thing) else
                                        thing.__name__)), uses,
                   _assigned_names(tree), first_argument)


def _is_member(thing: Any) -> bool:
    """Whether it was defined in the body of a class."""
    outer = thing.__qualname__.rpartition(".")[0]
    return bool(outer) and not outer.endswith("<locals>")


# -- the function that is behind whatever was given

def _name_of(thing: Any) -> str:
    return getattr(thing, "__qualname__", None) or repr(thing)[:100]


def _owner_of(function: types.FunctionType) -> Any:
    """The class that the function was defined in; None if it was in none, or
    is not there."""
    outer = function.__qualname__.rpartition(".")[0]
    if not outer or outer.endswith("<locals>"):
        return None
    found: Any = function.__globals__
    for name in outer.split("."):
        found = found.get(name) if isinstance(found, dict) else \
            getattr(found, name, None)
    return found if isinstance(found, type) else None


@dataclass(frozen=True)
class _Target:
    """The function to send. `kind` is static or class for a method of
    `owner`, else empty. `whole` is the callable that has its signature."""

    function: types.FunctionType
    kind: str
    owner: Any
    whole: Any


def _target(given: Any) -> _Target:
    name = _name_of(given)
    owner, kind, whole = None, "", given
    if isinstance(given, (staticmethod, classmethod)):
        if isinstance(given, classmethod):
            raise NotSendable(f"{_name_of(given.__func__)} is a classmethod "
                              "without its class; give it as CLASS.NAME")
        given = whole = given.__func__
        kind = "static"
    elif inspect.ismethod(given):
        owner, kind = given.__self__, "class"
        if not isinstance(owner, type):
            raise NotSendable(f"{name} is a method of an object with state; "
                              "only a function, or a static or class method, "
                              "can be sent")
        given = given.__func__
    try:
        function = inspect.unwrap(given)
    except ValueError:
        function = given
    if not isinstance(function, types.FunctionType):
        what = "a class" if inspect.isclass(function) else \
            "not written in Python"
        raise NotSendable(f"{name} is {what}; only a function, or a static or "
                          "class method, can be sent")
    if not kind and "." in function.__qualname__:
        owner = _owner_of(function)
        if owner is not None:
            found = inspect.getattr_static(owner, function.__name__, None)
            if not isinstance(found, staticmethod):
                raise NotSendable(f"{name} is a method, which needs an "
                                  "object; only a function, or a static or "
                                  "class method, can be sent")
            kind = "static"
    if owner is None and kind == "static":
        owner = _owner_of(function)
    _check_sendable(function, name)
    return _Target(function, kind if owner is not None else "", owner,
                   whole if kind == "class" else function)


def _check_sendable(function: types.FunctionType, name: str) -> None:
    for true, what in (
            (function.__name__ == "<lambda>", "a lambda"),
            (inspect.isgeneratorfunction(function) or
             inspect.isasyncgenfunction(function), "a generator")):
        if true:
            raise NotSendable(f"{name} is {what}; only a plain function can "
                              "be sent")
    _check_closure(function)


def _check_closure(function: types.FunctionType) -> None:
    free = function.__code__.co_freevars
    if free:
        raise NotSendable(
            f"{function.__qualname__} is a closure: it uses "
            f"{', '.join(free)} of the function around it; pass it as an "
            "argument")


# -- the names that travel with it

@functools.lru_cache(1)
def _installed_places() -> Tuple[str, ...]:
    """Directories of the standard library and of installed packages."""
    paths = sysconfig.get_paths()
    found = [paths[name] for name in ("stdlib", "platstdlib", "purelib",
                                      "platlib")]
    found += site.getsitepackages() if hasattr(site, "getsitepackages") \
        else []
    if site.ENABLE_USER_SITE:
        found.append(site.getusersitepackages())
    return tuple(os.path.realpath(path) + os.sep for path in found)


def _is_installed(name: str) -> bool:
    """Whether a module is of the standard library or installed, so that the
    server may have it as well."""
    root = name.partition(".")[0]
    module = sys.modules.get(root)
    if module is None or root in ("__main__", "__mp_main__"):
        return False
    file = getattr(module, "__file__", None) or \
        next(iter(getattr(module, "__path__", ())), None)
    if file is None:
        spec = getattr(module, "__spec__", None)
        return getattr(spec, "origin", None) in ("built-in", "frozen")
    return os.path.realpath(str(file)).startswith(_installed_places())


@functools.lru_cache(100)
def _from_imports(module: str) -> Mapping[str, Tuple[str, str]]:
    """The names that `from X import Y` binds at the top of a module."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError, SyntaxError, KeyError):
        return {}
    return {alias.asname or alias.name: (node.module, alias.name)
            for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and
            node.module and not node.level for alias in node.names}


def _path_to(module: str, path: str) -> Any:
    found = sys.modules.get(module)
    for name in path.split("."):
        found = getattr(found, name, None)
    return found


class _Names:
    """The names that a function needs of its module: imports, constants,
    functions and classes of plain data, and the names that those need. They
    are made there by the `steps`, in this order."""

    def __init__(self, world: Mapping[str, Any]) -> None:
        self.modules = [str(world.get("__name__", "__main__"))]
        self.root = self.modules[0].partition(".")[0]
        self.steps: List[List[Json]] = []
        self.done: Set[Tuple[int, str]] = set()
        self.spaces: Dict[Any, Tuple[int, str]] = {}
        self.members: Set[Tuple[Any, str]] = set()
        self.writer = _Writer()
        self.types = _Types()
        self.missing: List[str] = []
        self.target: Optional[_Target] = None

    def bundle(self, reprs: bool) -> str:
        target = self.target
        space = self.spaces[target.owner][1] if target and target.kind else ""
        return json.dumps({
            "names": self.modules, "steps": self.steps, "reprs": reprs,
            "function": target.function.__name__ if target else "main",
            "space": space, "kind": target.kind if target else "",
            "mine": sorted(str(step[2]) for step in self.steps
                           if step[1] == self.modules[0] and
                           step[0] not in ("member", "submodule")),
            "arrays": "numpy" in sys.modules,
            "tables": "pandas" in sys.modules,
            "columns": sorted(_COLUMNS), "repr": REPR_CHARS})

    def allowed(self) -> _Types:
        """The classes that an answer may use."""
        return _Types([*self.types.found.values(),
                       *self.writer.types.found.values()])

    def is_there(self, module: str) -> bool:
        """Whether a module is imported there, not sent. The function's own
        package is sent even if it is installed here."""
        return module.partition(".")[0] != self.root and \
            _is_installed(module)

    def scope_of(self, world: Mapping[str, Any]) -> int:
        name = str(world.get("__name__", "__main__"))
        if name not in self.modules:
            self.modules.append(name)
        return self.modules.index(name)

    def step(self, kind: str, scope: int, *rest: Json) -> None:
        self.steps.append([kind, self.modules[scope], *rest])

    def refuse(self, scope: int, name: str, why: str) -> NotSendable:
        return NotSendable(f"helper `{name}` of module "
                           f"`{self.modules[scope]}`: {why}")

    def add_target(self, target: _Target) -> None:
        self.target = target
        source = _source_of(target.function)
        world = target.function.__globals__
        if target.owner is not None:
            self.add_space(self.scope_of(world), target.owner)
            self.add_attributes(source, target)
        self.add_uses(world, source)

    def add_uses(self, world: Mapping[str, Any], source: _Source) -> None:
        """All names that a source needs of its module."""
        scope = self.scope_of(world)
        for name in source.foreign:
            if name not in world:
                if name not in self.missing and name not in source.assigned:
                    self.missing.append(name)
                continue
            value = world[name]
            if (scope, name) in self.done and \
                    not isinstance(value, types.ModuleType) and \
                    not (isinstance(value, type) and value in self.spaces):
                continue  # the others may be used in yet another way
            self.done.add((scope, name))
            self.add(scope, name, value, source.uses.get(name, {None}))

    def add(self, scope: int, name: str, value: Any,
            uses: Set[Optional[str]]) -> None:
        if name.startswith("__"):
            raise self.refuse(scope, name, "describes this machine's module")
        if isinstance(value, types.ModuleType):
            self.add_module(scope, name, value, uses)
            return
        path = self.import_path(scope, name, value)
        if path is not None:
            self.step("import", scope, name, *path)
        elif isinstance(value, type):
            self.add_class(scope, name, value, uses)
        elif isinstance(value, types.FunctionType) or \
                hasattr(value, "__wrapped__"):
            self.add_function(scope, name, value)
        else:
            self.step("value", scope, name,
                      self.constant(scope, name, value))

    def import_path(self, scope: int, name: str,
                    value: Any) -> Optional[Tuple[str, str]]:
        """Module and name to import it from, if it is an installed one's."""
        home, path = getattr(value, "__module__", None), \
            getattr(value, "__qualname__", None)
        if isinstance(home, str) and isinstance(path, str) and \
                self.is_there(home) and _path_to(home, path) is value:
            return home, path
        if value is None or isinstance(
                value, (bool, int, float, str, bytes, list, dict, set,
                        tuple)):
            return None
        found = _from_imports(self.modules[scope]).get(name)
        if found and self.is_there(found[0]) and _path_to(*found) is value:
            return found
        return None

    def add_module(self, scope: int, name: str, value: types.ModuleType,
                   uses: Set[Optional[str]]) -> None:
        home = value.__name__
        if self.is_there(home):
            self.step("import", scope, name, home, None)
            for path in uses - {None, CALLED}:
                inner = home
                for part in str(path).split("."):
                    inner += "." + part
                    if inner not in sys.modules:
                        break
                    self.step("submodule", scope, inner)
            return
        if None in uses:
            raise self.refuse(scope, name, "is a module that is not "
                              "installed; name its functions as NAME.FUNCTION")
        other = self.scope_of(vars(value))
        self.step("module", scope, name, self.modules[other])
        for path in sorted(str(one) for one in uses):
            first, _, rest = path.partition(".")
            if (other, first) in self.done:
                continue
            if first not in vars(value):
                raise self.refuse(scope, f"{name}.{first}", "does not exist")
            self.done.add((other, first))
            self.add(other, first, vars(value)[first],
                     {rest or None})

    def constant(self, scope: int, name: str, value: Any) -> Json:
        """A value that travels; also patterns and loggers."""
        if isinstance(value, re.Pattern):
            return {"$pattern": [self.writer.write(value.pattern, name),
                                 value.flags]}
        if isinstance(value, logging.Logger):
            return {"$logger": value.name}
        try:
            written = self.writer.write(value, "it")
        except NotSendable as error:
            why = str(error)
            raise self.refuse(
                scope, name, why if "which has no form" not in why or
                not why.startswith("it is of type") else "is an object with "
                f"state, of type {type(value).__name__}") from None
        self.add_records()
        return written

    def add_records(self) -> None:
        """Classes of plain data among the values so far. One that cannot
        travel arrives there as a dict, or as its value."""
        for kind in list(self.writer.types.found.values()):
            scope = self.find_scope(kind.__module__)
            if self.is_there(kind.__module__) or scope is None or \
                    (scope, kind.__name__) in self.done or \
                    _path_to(kind.__module__, kind.__qualname__) is not kind:
                continue
            self.done.add((scope, kind.__name__))
            held = (len(self.steps), set(self.done), list(self.missing))
            try:
                self.add_record(scope, kind.__name__, kind)
            except NotSendable:
                del self.steps[held[0]:]
                self.done, self.missing = held[1], held[2]

    def find_scope(self, module: str) -> Optional[int]:
        found = sys.modules.get(module)
        return None if found is None else self.scope_of(vars(found))

    def add_function(self, scope: int, name: str, value: Any) -> None:
        try:
            function = inspect.unwrap(value)
        except ValueError:
            function = None
        if not isinstance(function, types.FunctionType):
            raise self.refuse(scope, name, "is not written in Python")
        if function.__name__ == "<lambda>":
            raise self.refuse(scope, name, "is a lambda")
        if self.target and function is self.target.function and \
                not self.target.kind:
            return  # it is there already
        outer = function.__qualname__.rpartition(".")[0]
        if outer and not outer.endswith("<locals>"):
            raise self.refuse(scope, name, "is a method")
        try:
            _check_closure(function)
            wrapped = value is not function
            source = _source_of(function, wrapped)
        except NotSendable as error:
            raise self.refuse(scope, name, str(error)) from None
        if wrapped and not source.decorated:
            raise self.refuse(scope, name, "is wrapped by another function")
        self.add_code(scope, name, function.__globals__, source)

    def add_code(self, scope: int, name: str, world: Mapping[str, Any],
                 source: _Source) -> None:
        """A source with its names, made in its own module."""
        home = self.scope_of(world)
        self.done.add((home, source.name))
        self.add_uses(world, source)
        here = home == scope
        if here or (home, "code " + source.name) not in self.done:
            self.done.add((home, "code " + source.name))
            self.step("code", home, source.name, source.file,
                      *source.placed())
        if not here or name != source.name:
            self.step("link", scope, name, self.modules[home], source.name)

    # -- classes

    def add_class(self, scope: int, name: str, kind: Any,
                  uses: Set[Optional[str]]) -> None:
        if _is_record(kind) or issubclass(kind, BaseException):
            self.types.add(kind)
            self.add_record(scope, name, kind)
            return
        if None in uses:
            raise self.refuse(scope, name, "is a class with state")
        home = self.find_scope(kind.__module__)
        if home is None or "." in kind.__qualname__:
            raise self.refuse(scope, name, "is a class of another scope")
        self.done.add((home, kind.__name__))
        self.add_space(home, kind)
        for path in sorted(str(one) for one in uses):
            self.add_attribute(kind, path.partition(".")[0])
        if (home, kind.__name__) != (scope, name):
            self.step("link", scope, name, self.modules[home], kind.__name__)

    def add_record(self, scope: int, name: str, kind: Any) -> None:
        """A class of plain data, or an exception, by its source."""
        module = sys.modules.get(kind.__module__)
        if module is None or "." in kind.__qualname__:
            raise self.refuse(scope, name, "is a class of another scope")
        try:
            source = _source_of(kind, True)
        except NotSendable as error:
            if not issubclass(kind, tuple):
                raise self.refuse(scope, name, str(error)) from None
            home = self.scope_of(vars(module))  # namedtuple("NAME", FIELDS)
            self.step("namedtuple", home, kind.__name__, list(kind._fields),
                      self.constant(scope, name, list(
                          kind._field_defaults.values())))
            if (home, kind.__name__) != (scope, name):
                self.step("link", scope, name, self.modules[home],
                          kind.__name__)
            return
        self.add_code(scope, name, vars(module), source)

    def add_space(self, scope: int, kind: Any) -> None:
        """A class that only holds constants and static or class methods."""
        if kind not in self.spaces:
            self.spaces[kind] = (scope, kind.__name__)
            self.done.add((scope, kind.__name__))
            self.step("space", scope, kind.__name__)

    def add_attributes(self, source: _Source, target: _Target) -> None:
        """The attributes that a method uses of its class."""
        words = {target.owner.__name__}
        if target.kind == "class":
            words.add(source.first_argument)
        self.add_named(target.owner, source, words)

    def add_named(self, owner: Any, source: _Source,
                  words: Set[str]) -> None:
        for word in sorted(words):
            for path in sorted(source.uses.get(word, ()), key=str):
                if path == CALLED:
                    raise self.refuse(self.spaces[owner][0],
                                      owner.__qualname__, "is a class with "
                                      f"state, of which {source.name} makes "
                                      "an object")
                if path is None:
                    self.add_constants(owner)
                else:
                    self.add_attribute(owner, path.partition(".")[0])

    def add_constants(self, owner: Any) -> None:
        """All constants of a class that is used as a whole."""
        scope = self.spaces[owner][0]
        for name in dir(owner):
            value = inspect.getattr_static(owner, name)
            if name.startswith("__") or (owner, name) in self.members or \
                    callable(value) or hasattr(type(value), "__get__"):
                continue
            try:
                written = self.constant(scope, name, value)
            except NotSendable:
                continue
            self.members.add((owner, name))
            self.step("constant", scope, owner.__name__, name, written)

    def add_attribute(self, owner: Any, name: str) -> None:
        scope, space = self.spaces[owner]
        if (owner, name) in self.members or name.startswith("__"):
            return
        self.members.add((owner, name))
        full = f"{owner.__qualname__}.{name}"
        value = inspect.getattr_static(owner, name, self)
        if value is self:
            raise self.refuse(scope, full, "does not exist")
        if isinstance(value, (staticmethod, classmethod)):
            function = inspect.unwrap(value.__func__)
            if self.target and function is self.target.function:
                return
            if value.__func__ is not function:
                raise self.refuse(scope, full, "is wrapped by a decorator")
            kind = "class" if isinstance(value, classmethod) else "static"
            target = _Target(function, kind, owner, None)
            try:
                _check_closure(function)
                source = _source_of(function)
            except NotSendable as error:
                raise self.refuse(scope, full, str(error)) from None
            self.add_attributes(source, target)
            home = self.scope_of(function.__globals__)
            if home != scope:
                raise self.refuse(scope, full, "is of another module's class")
            self.add_uses(function.__globals__, source)
            self.step("member", scope, space, name, kind, source.file,
                      *source.placed())
        elif callable(value) or hasattr(type(value), "__get__"):
            raise self.refuse(scope, full, "is a method, which needs an "
                              "object with state")
        else:
            self.step("constant", scope, space, name,
                      self.constant(scope, full, value))


def _prepare(given: Any, types_: Iterable[Any] = (),
             early: bool = False) -> _Program:
    """Check a function and make the program that runs it. Lines keep their
    numbers and columns, so that tracebacks match the original file. EARLY:
    names that do not exist yet are forgiven."""
    target = _target(given)
    function = target.function
    source = _source_of(function)
    names = _Names(function.__globals__)
    for one in types_:
        names.types.add(one)
    names.types.add_hints(function)
    names.add_target(target)
    names.add_records()
    if names.missing and not early:
        raise NotSendable(
            f"{function.__qualname__} uses global names that do not exist: "
            f"{', '.join(sorted(names.missing))}")
    first = max(source.line, 3 if source.indented else 2)
    lines = [""] * (first - 2)
    if source.indented:
        lines[-1] = "if True:"
    code = "".join(line + "\n" for line in lines) + source.text
    return _Program(function.__name__, code, first,
                    first + source.text.count("\n"),
                    inspect.signature(target.whole), names, True)


def _prepare_source(source: str, types_: Iterable[Any] = ()) -> _Program:
    """The program that runs a source's main(). It is dedented here, not by the
    server, because the lines added after it are not indented."""
    for line in source.split("\n"):
        if line.strip():
            if line[0] in " \t":
                source = textwrap.dedent(source)
            break
    names = _Names({})
    for one in types_:
        names.types.add(one)
    return _Program("main", source, 1, source.count("\n") + 1, None, names,
                    False)


def _bind(program: _Program, args: Sequence[Any],
          kwargs: Mapping[str, Any]) -> Dict[str, Json]:
    """The arguments of the harness. Each is checked under its own name."""
    write = program.names.writer.write
    if program.signature is None:
        return {"args": [write(value, f"args[{n}]")
                         for n, value in enumerate(args)],
                "kwargs": {name: write(value, name)
                           for name, value in kwargs.items()}}
    try:
        bound = program.signature.bind(*args, **kwargs)
    except TypeError as error:
        raise NotSendable(f"{program.name}(): {error}") from None
    for name, value in bound.arguments.items():
        kind = program.signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            bound.arguments[name] = {
                key: write(item, f"argument {key}")
                for key, item in value.items()}
        elif kind is inspect.Parameter.VAR_POSITIONAL:
            bound.arguments[name] = [
                write(item, f"argument {name}[{n}]")
                for n, item in enumerate(value)]
        else:
            bound.arguments[name] = write(value, f"argument {name}")
    program.names.add_records()
    return {"args": list(bound.args), "kwargs": bound.kwargs}


def _without_harness(result: Result, program: _Program) -> Result:
    """RESULT with a traceback of the function's own lines only."""
    if result.failure is None:
        return result

    def own(found: "re.Match[str]") -> str:
        return found[0] if program.first <= int(found[1]) <= program.last \
            else ""

    trace, head, context = result.failure.message.partition(CONTEXT)
    trace = re.sub(r'^  File "<exec>", line (\d{1,9}), in .*\n(?:    .*\n)*',
                   own, trace, flags=re.M)
    trace = re.sub(r'^  File "<terrarium>", line .*\n(?:    .*\n)*', "",
                   trace, flags=re.M)
    context = re.sub(r"^(\d{1,9}): .*\n?", own, context, flags=re.M)
    return dataclasses.replace(result, failure=Failure(
        result.failure.type, trace + head + context.rstrip("\n")))


def _returned(result: Result, types_: Optional[_Types] = None) -> Any:
    """The harness's return value. A guest may forge it, but only its own."""
    words = ""
    try:
        found = _parse(result.value) if isinstance(result.value, str) else 0
        if isinstance(found, dict) and list(found) == ["returned"]:
            return _Reader(types_ or _Types()).decode(found["returned"])
        if isinstance(found, dict) and list(found) == ["unknown"]:
            words = _shown(_text_of(found["unknown"]))
    except Exception as error:  # also of the caller's classes
        _log.debug("A return value was refused: %s", error)
    raise BadReturn(words or "The return value did not arrive whole: it is "
                    "larger than the server's limit for values, or was "
                    "tampered with", result)


# ---- the client -----------------------------------------------------------

class _Runs:
    """The common methods of Terrarium and Session."""

    def _client(self) -> Terrarium:
        raise NotImplementedError

    def _session(self) -> Optional[str]:
        return None

    def _key(self) -> Optional[str]:
        """The same for a session and its branches, which a front of several
        servers then sends to one of them."""
        return None

    def run(self, code: str, *, files: Optional[Files] = None,
            timeout: Optional[float] = None, memory: Optional[int] = None,
            stdin: Optional[str] = None,
            env: Optional[Mapping[str, str]] = None,
            arguments: Optional[Mapping[str, Json]] = None,
            forms: Optional[Iterable[str]] = None,
            check: bool = False) -> Result:
        """Run a program and return its result.

        FILES are written to its home directory first: a mapping of names to
        bytes or Paths, or Paths alone. TIMEOUT (seconds) and MEMORY (MB) lower
        the server's limits. STDIN is the text that input() reads. ENV is added
        to os.environ. With ARGUMENTS, main(**arguments) is called after the
        module has run, and its return value is the result's value. FORMS are
        the forms of rich values that are made and sent, such as `svg`, `html`,
        `chart` or `data`; without it those that a value has, and figures as
        PNG. For a program that fails, a Result is returned, too, unless CHECK
        is set.
        """
        body = self._body(code, files, timeout, memory, stdin, env, arguments,
                          forms)
        result = self._client()._run(body, timeout, self._key())
        return result.check() if check else result

    def stream(self, code: str, *, files: Optional[Files] = None,
               timeout: Optional[float] = None, memory: Optional[int] = None,
               stdin: Optional[str] = None,
               env: Optional[Mapping[str, str]] = None,
               arguments: Optional[Mapping[str, Json]] = None,
               forms: Optional[Iterable[str]] = None,
               ) -> Generator[Event, None, None]:
        """Run a program and yield its events, an End last.

        The request is sent when the first event is asked for. Closing the
        generator ends the run. A server that does not stream answers once;
        then the events are made from that answer, in the order of the classes
        here.
        """
        body = self._body(code, files, timeout, memory, stdin, env, arguments,
                          forms)
        return self._client()._stream(body, timeout, self._key())

    def call(self, function: Union[Callable[..., Any], str], /,
             **arguments: Any) -> Any:
        """Run a function, or a source's main(), with arguments, and return its
        return value. See apply()."""
        return self.apply(function, (), arguments).value

    def apply(self, function: Union[Callable[..., Any], str],
              args: Sequence[Any] = (),
              kwargs: Optional[Mapping[str, Any]] = None, *,
              files: Optional[Files] = None,
              timeout: Optional[float] = None, memory: Optional[int] = None,
              stdin: Optional[str] = None,
              env: Optional[Mapping[str, str]] = None,
              types: Iterable[type] = (),
              on_unknown: str = "raise") -> Called:
        """Run a function with arguments. Returns the value and the whole
        result.

        FUNCTION is a function, a static method or a class method, which are
        sent without their decorators, or source text that defines main(). A
        coroutine is awaited. The names of its module that it uses travel with
        it: imports, constants, functions, and classes of plain data. The
        others, and arguments without a form, are refused with NotSendable
        before anything is sent.

        A dataclass, namedtuple or enum of the return value is one here only if
        its class is among the arguments, annotations or names of the function,
        or in TYPES; otherwise it is a dict or a plain value. ON_UNKNOWN is
        `raise` (BadReturn for a return value that has no form) or `repr`.
        """
        given = tuple(types)
        program = _prepare_source(function, given) \
            if isinstance(function, str) else _prepare(function, given)
        return self._apply(program, args, kwargs or {}, on_unknown,
                           files=files, timeout=timeout, memory=memory,
                           stdin=stdin, env=env)

    def _apply(self, program: _Program, args: Sequence[Any],
               kwargs: Mapping[str, Any], on_unknown: str,
               **options: Any) -> Called:
        if on_unknown not in ("raise", "repr"):
            raise ValueError("on_unknown must be raise or repr, not "
                             f"{on_unknown!r}")
        bound = _bind(program, args, kwargs)
        result = self.run(program.finish(on_unknown == "repr"),
                          arguments=bound, **options)
        result = _without_harness(result, program).check()
        return Called(_returned(result, program.names.allowed()), result)

    def _body(self, code: str, files: Optional[Files],
              timeout: Optional[float], memory: Optional[int],
              stdin: Optional[str], env: Optional[Mapping[str, str]],
              arguments: Optional[Mapping[str, Json]],
              forms: Optional[Iterable[str]]) -> bytes:
        if not isinstance(code, str):
            raise NotSendable("code must be a str")
        if stdin is not None and not isinstance(stdin, str):
            raise NotSendable("stdin must be a str")
        return _dump({
            "code": code,
            "results": True,
            "files": None if files is None else _entries(files),
            "timeout_ms": _whole(timeout, 1000, "timeout"),
            "memory_mb": _whole(memory, 1, "memory"),
            "stdin": stdin,
            "env": _strings(env),
            "arguments": None if arguments is None else
            _shallow(dict(arguments), "arguments"),
            "forms": None if forms is None else _names(forms),
            "session": self._session()})


class Terrarium(_Runs):
    """A Terrarium server.

    URL is like `https://host:port`. TOKEN may instead be the password in it.
    CA_FILE is the certificate, or its authority's, to trust instead of the
    system's; verification cannot be turned off. Plain http is accepted only to
    this machine, unless PLAIN_HTTP is set. WAIT is the time in seconds that a
    call may take beyond its run's timeout. PROXY is an http URL, or
    "environment". RETRIES is the number of further tries of a request that did
    not run. MAX_REPLY_MB is the size of the longest answer that is read.
    """

    def __init__(self, url: str, token: Optional[str] = None, *,
                 ca_file: Union[None, str, "os.PathLike[str]"] = None,
                 wait: float = 60.0, connect_timeout: float = 10.0,
                 retries: int = 3, proxy: Optional[str] = None,
                 plain_http: bool = False, max_reply_mb: int = 512) -> None:
        address, _, password = _read_url(url, ("https", "http"))
        if address.scheme == "http" and not plain_http and \
                not _is_loopback(address.host):
            raise ValueError("plain http would send the token unencrypted; "
                             "use https, or plain_http=True")
        self._token = token or password
        if re.search(r"[^!-~]", self._token):
            raise ValueError("the token must be printable ASCII")
        self._wait = wait
        self._most = max_reply_mb * MEGABYTE
        context = _make_context(os.fspath(ca_file) if ca_file else None) \
            if address.scheme == "https" else None
        self._http = _Http(_with_proxy(address, proxy), context,
                           connect_timeout, retries)

    @classmethod
    def from_environment(cls, **options: Any) -> Terrarium:
        """Make a client from TERRARIUM_URL, TERRARIUM_TOKEN and
        TERRARIUM_CACERT."""
        return cls(*_environment(options), **options)

    def __repr__(self) -> str:
        return f"<Terrarium {self._http.address}>"

    def __enter__(self) -> Terrarium:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close idle connections. The client stays usable."""
        self._http.close()

    def session(self, id: Optional[str] = None) -> Session:
        """Return the session ID, or a new one. It begins with its first run.
        As a context manager it is released at the end."""
        return Session(self, id or str(uuid.uuid4()))

    def health(self) -> Health:
        """Whether the server accepts requests. Sends no token, tries once,
        never waits for a worker. Raises when there is no answer."""
        deadline = _Deadline(self._http.connect_timeout)
        answer = self._http.once("GET", "/health", None, {}, deadline)
        body = answer.read(MEGABYTE)
        self._http.finish(answer)
        text = body.decode("utf-8", "replace").strip()
        if answer.status == 200:
            return Health(True, _shown(text))
        if answer.status != 503:
            raise self._refusal(answer, body)
        return Health(False, str(self._refusal(answer, body)))

    def packages(self) -> List[Package]:
        """The packages that programs can import."""
        rows: List[Json] = _take(self._get("/packages"), "packages", list)
        if not all(isinstance(row, dict) for row in rows):
            raise BadReply("The answer's packages are not objects")
        return [Package(_take(row, "name", str), _take(row, "version", str, ""),
                        _take(row, "preloaded", bool, False)) for row in rows]

    def about(self) -> About:
        """The server's versions, paths and limits."""
        reply = self._get("/")
        doors: Dict[str, Json] = _take(reply, "doors", dict, {})
        limits: Dict[str, Json] = _take(reply, "limits", dict, {})
        return About(
            _take(reply, "version", str), _take(reply, "python", str, ""),
            {name: _read_paths(_take(doors, name, list))
             for name in doors},
            {name: _take(limits, name, int) for name in limits},
            _take(reply, "sessions", bool, False),
            _take(reply, "streaming", bool, False))

    def limits(self) -> Dict[str, int]:
        """The limits of a run, such as timeout_ms and memory_mb."""
        return self.about().limits

    # -- for _Runs and Session

    def _get(self, path: str) -> Dict[str, Json]:
        headers = {"Accept": "application/json"}
        if self._token:
            headers["Authorization"] = "Bearer " + self._token
        return self._whole_answer(self._http.request(
            "GET", path, None, headers, _Deadline(self._wait)))

    def _client(self) -> Terrarium:
        return self

    def _open(self, path: str, body: bytes, deadline: _Deadline,
              accept: str = "application/json", again: bool = True,
              key: Optional[str] = None) -> _Answer:
        headers = {"Content-Type": "application/json", "Accept": accept}
        if key:
            headers["Session-Key"] = quote(key, safe="")
        if self._token:
            headers["Authorization"] = "Bearer " + self._token
        return self._http.request("POST", path, body, headers, deadline,
                                  again)

    def _whole_answer(self, answer: _Answer) -> Dict[str, Json]:
        """The object in an answer of status 200; others raise."""
        body = answer.read(self._most)
        self._http.finish(answer)
        if answer.status != 200:
            raise self._refusal(answer, body)
        return _object(body)

    def _post(self, path: str, fields: Mapping[str, Json],
              key: Optional[str] = None) -> Dict[str, Json]:
        return self._whole_answer(
            self._open(path, _dump(fields), _Deadline(self._wait),
                       again=False, key=key))

    def _deadline(self, timeout: Optional[float]) -> _Deadline:
        return _Deadline(self._wait + (timeout or 0))

    def _run(self, body: bytes, timeout: Optional[float],
             key: Optional[str]) -> Result:
        # In a session a call that failed half-way may have had effects.
        answer = self._open("/", body, self._deadline(timeout),
                            again=key is None, key=key)
        return _read_result(self._whole_answer(answer))

    def _stream(self, body: bytes, timeout: Optional[float],
                key: Optional[str]) -> Generator[Event, None, None]:
        answer = self._open("/", body, self._deadline(timeout),
                            "application/x-ndjson",
                            again=key is None, key=key)
        kind = answer.header("Content-Type").partition(";")[0].strip()
        if answer.status != 200 or kind != "application/x-ndjson":
            yield from _events_of(_read_result(self._whole_answer(answer)))
            return
        try:
            yield from _events(answer.lines(self._most))
        finally:
            answer.close()

    def _refusal(self, answer: _Answer, body: bytes) -> TerrariumError:
        """The exception for a status that is not 200."""
        status = answer.status
        if 300 <= status < 400:
            return BadReply(f"The answer is a redirect ({status}), which is "
                            "not followed; correct the URL")
        if status < 400:
            return BadReply(f"The answer has the status {status}")
        code, words, id = (
            text.replace(self._token, "[token]") if self._token else text
            for text in _read_refusal(body))
        kind = _REFUSALS.get(
            status, BadRequest if status < 500 else ServerFailed)
        if code == "sessions_off":
            kind = SessionsOff
        return kind(f"HTTP {status}: {_shown(words)}", status,
                    _shown(code, 100), answer.retry_after(), _shown(id, 100))


def _read_refusal(body: bytes) -> Tuple[str, str, str]:
    """Code, words and id of a refusal. Each API has its own form, and a
    proxy's answer has none."""
    try:
        reply = _object(body)
    except BadReply:
        return "", "no reason is given", ""
    error = reply.get("error")
    found = error if isinstance(error, dict) else {}
    words = found.get("message", reply.get("detail", ""))
    if not isinstance(words, str):
        words = _words_of(words)
    code, id = (text if isinstance(text, str) else ""
                for text in (found.get("code"), reply.get("id")))
    return code, words or "no reason is given", id


def _words_of(detail: Json) -> str:
    """A reason that is not text: FastAPI's, of a field."""
    try:
        return json.dumps(detail)
    except (ValueError, RecursionError):  # a long integer, or too deep
        return ""


def _environment(options: Dict[str, Any]) -> Tuple[str, Optional[str]]:
    """URL and token of the environment; OPTIONS get its certificate."""
    options.setdefault("ca_file", os.environ.get("TERRARIUM_CACERT"))
    return os.environ["TERRARIUM_URL"], os.environ.get("TERRARIUM_TOKEN")


class Session(_Runs):
    """A session: its variables, imports and files live from run to run. A run
    that may have reached it is never sent again, even when the server reported
    that it was busy."""

    def __init__(self, client: Terrarium, id: str,
                 first: Optional[str] = None) -> None:
        self._owner = client
        self.id = id
        self._first = first or id  # its own, or that which it branched from

    def __repr__(self) -> str:
        return f"<Session {self.id} of {self._owner!r}>"

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exc: object) -> None:
        self.release()

    def release(self) -> None:
        """End it. Also succeeds when there is none of this id."""
        self._ask("/release", {"user_uuid": self.id})

    def fork(self, id: Optional[str] = None) -> Session:
        """Make another session that starts in this one's present state."""
        new = Session(self._owner, id or str(uuid.uuid4()), self._first)
        self._ask("/fork", {"user_uuid": self.id, "new_uuid": new.id})
        return new

    def _ask(self, path: str, fields: Mapping[str, Json]) -> None:
        try:
            self._owner._post(path, fields, self._first)
        except (Forbidden, NotFound) as error:
            if error.code not in ("not_found", "method_not_allowed") and \
                    "sessions are switched off" not in str(error):
                raise
            raise SessionsOff("This server has no sessions", error.status,
                              "sessions_off", id=error.id) from None

    def _client(self) -> Terrarium:
        return self._owner

    def _session(self) -> Optional[str]:
        return self.id

    def _key(self) -> Optional[str]:
        return self._first


# ---- the client for asyncio -----------------------------------------------

Value = TypeVar("Value")


class _AsyncRuns:
    """The common methods of AsyncTerrarium and AsyncSession. Each call runs
    in a thread of its own; when its task is cancelled, the run ends."""

    def _pool(self) -> concurrent.futures.ThreadPoolExecutor:
        raise NotImplementedError

    def _runs(self) -> _Runs:
        raise NotImplementedError

    async def _later(self, call: Callable[..., Value], *args: Any,
                     **options: Any) -> Value:
        abort = _Abort()
        context = contextvars.copy_context()
        context.run(_abort.set, abort)
        return await self._wait_for(
            abort, lambda: context.run(call, *args, **options))

    async def _wait_for(self, abort: _Abort,
                        call: Callable[[], Value]) -> Value:
        loop = asyncio.get_running_loop()
        future = loop.run_in_executor(self._pool(), call)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            abort.abort()
            # Its exception is of no interest any more.
            future.add_done_callback(
                lambda done: done.cancelled() or done.exception())
            await asyncio.wait({future}, timeout=ABORT_S)
            raise

    async def run(self, code: str, **options: Any) -> Result:
        """As Terrarium.run()."""
        return await self._later(self._runs().run, code, **options)

    async def call(self, function: Union[Callable[..., Any], str], /,
                   **arguments: Any) -> Any:
        """As Terrarium.call()."""
        return await self._later(self._runs().call, function, **arguments)

    async def apply(self, function: Union[Callable[..., Any], str],
                    args: Sequence[Any] = (),
                    kwargs: Optional[Mapping[str, Any]] = None,
                    **options: Any) -> Called:
        """As Terrarium.apply()."""
        return await self._later(self._runs().apply, function, args, kwargs,
                                 **options)

    async def stream(self, code: str, **options: Any,
                     ) -> AsyncGenerator[Event, None]:
        """As Terrarium.stream(). Closing the generator ends the run."""
        abort = _Abort()
        context = contextvars.copy_context()
        context.run(_abort.set, abort)
        events = self._runs().stream(code, **options)
        ended = False
        try:
            while True:
                event: Optional[Event] = await self._wait_for(
                    abort, lambda: context.run(_next_event, events))
                if event is None:
                    ended = True
                    return
                yield event
        finally:
            if not ended:
                abort.abort()
                # A generator that runs in its thread is closed by its error.
                self._pool().submit(_close_events, events)


def _next_event(events: Generator[Event, None, None]) -> Optional[Event]:
    return next(events, None)


def _close_events(events: Generator[Event, None, None]) -> None:
    try:
        events.close()
    except (ValueError, TerrariumError):
        pass


class AsyncTerrarium(_AsyncRuns):
    """Terrarium for asyncio: the same arguments, and the same methods as
    coroutines. AT_ONCE is the number of calls that run at a time; others wait.
    """

    def __init__(self, url: str, token: Optional[str] = None, *,
                 at_once: int = 64, **options: Any) -> None:
        self._sync = Terrarium(url, token, **options)
        self._threads = concurrent.futures.ThreadPoolExecutor(
            at_once, "terrarium")

    @classmethod
    def from_environment(cls, **options: Any) -> AsyncTerrarium:
        """As Terrarium.from_environment()."""
        return cls(*_environment(options), **options)

    def __repr__(self) -> str:
        return f"<AsyncTerrarium {self._sync._http.address}>"

    async def __aenter__(self) -> AsyncTerrarium:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close idle connections and threads. The client's last call."""
        self._sync.close()
        self._threads.shutdown(wait=False)

    def session(self, id: Optional[str] = None) -> AsyncSession:
        """As Terrarium.session()."""
        return AsyncSession(self, self._sync.session(id))

    async def health(self) -> Health:
        """As Terrarium.health()."""
        return await self._later(self._sync.health)

    async def about(self) -> About:
        """As Terrarium.about()."""
        return await self._later(self._sync.about)

    async def limits(self) -> Dict[str, int]:
        """As Terrarium.limits()."""
        return await self._later(self._sync.limits)

    async def packages(self) -> List[Package]:
        """As Terrarium.packages()."""
        return await self._later(self._sync.packages)

    def _pool(self) -> concurrent.futures.ThreadPoolExecutor:
        return self._threads

    def _runs(self) -> _Runs:
        return self._sync


class AsyncSession(_AsyncRuns):
    """Session for asyncio; see AsyncTerrarium."""

    def __init__(self, owner: AsyncTerrarium, session: Session) -> None:
        self._owner = owner
        self._session = session
        self.id = session.id

    def __repr__(self) -> str:
        return f"<AsyncSession {self.id} of {self._owner!r}>"

    async def __aenter__(self) -> AsyncSession:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.release()

    async def release(self) -> None:
        """As Session.release()."""
        await self._later(self._session.release)

    async def fork(self, id: Optional[str] = None) -> AsyncSession:
        """As Session.fork()."""
        return AsyncSession(self._owner,
                            await self._later(self._session.fork, id))

    def _pool(self) -> concurrent.futures.ThreadPoolExecutor:
        return self._owner._pool()

    def _runs(self) -> _Runs:
        return self._session


# ---- streams --------------------------------------------------------------

_MEDIA = {
    "text": "text/plain", "png": "image/png", "svg": "image/svg+xml",
    "jpeg": "image/jpeg", "pdf": "application/pdf", "html": "text/html",
    "markdown": "text/markdown", "latex": "text/latex",
    "json": "application/json", "javascript": "application/javascript",
    "data": "application/vnd.terrarium.data+json",
    "chart": "application/vnd.terrarium.chart+json"}


def _events_of(result: Result) -> Generator[Event, None, None]:
    """The events of a run that was answered at once."""
    if result.stdout:
        yield Stdout(result.stdout)
    if result.stderr:
        yield Stderr(result.stderr)
    for display in result.displays:
        yield Displayed(display)
    for name, content in result.files.items():
        yield File(name, content)
    if result.failure:
        yield Failed(result.failure.type, result.failure.text,
                     result.failure.traceback)
    yield End(result)


def _read_event(line: Mapping[str, Json]) -> Optional[Event]:
    """The event of one line; None for one that is not about the program."""
    kind = line.get("type")
    if kind == "stdout":
        return Stdout(_take(line, "text", str))
    if kind == "stderr":
        return Stderr(_take(line, "text", str))
    if kind == "file":
        return File(*_read_file(line))
    if kind == "error":
        return Failed(_take(line, "name", str), _take(line, "value", str, ""),
                      _take(line, "traceback", str, ""))
    if kind == "result":
        return Displayed(Display({
            _MEDIA.get(name, name): value for name, value in line.items()
            if name not in ("type", "is_main_result") and value is not None}),
            _take(line, "is_main_result", bool, False))
    return None


@dataclass
class _Gathered:
    """Collects the events of a stream into a result."""

    stdout: List[str] = field(default_factory=list)
    stderr: List[str] = field(default_factory=list)
    files: Dict[str, bytes] = field(default_factory=dict)
    displays: List[Display] = field(default_factory=list)
    failed: Optional[Failed] = None

    def add(self, event: Event) -> None:
        if isinstance(event, Stdout):
            self.stdout.append(event.text)
        elif isinstance(event, Stderr):
            self.stderr.append(event.text)
        elif isinstance(event, File):
            self.files[event.name] = event.content
        elif isinstance(event, Displayed) and not event.is_main:
            self.displays.append(event.display)
        elif isinstance(event, Failed):
            self.failed = event

    def end(self, reply: Dict[str, Json]) -> Result:
        """The whole result: the events, and the fields of the end."""
        if self.failed and "error" not in reply:
            reply = {**reply, "error": {
                "type": self.failed.type,
                "message": self.failed.traceback or self.failed.text}}
        rest = _read_result(reply)
        return Result(
            rest.success, rest.value, rest.has_value,
            rest.stdout or "".join(self.stdout),
            rest.stderr or "".join(self.stderr),
            {**self.files, **rest.files}, rest.displays or self.displays,
            rest.failure, rest.runtime_ms, rest.usage, rest.truncated,
            rest.session, rest.id)


def _events(lines: Iterable[bytes]) -> Generator[Event, None, None]:
    """The events of an answer that comes in lines."""
    gathered = _Gathered()
    for text in lines:
        if not text.strip():
            continue
        line = _object(text)
        if line.get("type") == "end":
            yield End(gathered.end(line))
            return
        event = _read_event(line)
        if event is not None:
            gathered.add(event)
            yield event
    raise ConnectionBroke("The answer ended before the run did")


# ---- functions and tools --------------------------------------------------

def sandboxed(client: Union[Terrarium, Session], *,
              files: Optional[Files] = None, timeout: Optional[float] = None,
              memory: Optional[int] = None,
              env: Optional[Mapping[str, str]] = None,
              types: Iterable[type] = (), on_unknown: str = "raise",
              ) -> Callable[[Function], Function]:
    """A decorator: the function runs on the server whenever it is called.

    A function that apply() would refuse is refused here, when it is defined;
    names that do not exist yet are looked up when it is called.
    An async function stays one. `__wrapped__` is the function itself, which
    would run on this machine.
    """
    options: Dict[str, Any] = {
        "files": files, "timeout": timeout, "memory": memory, "env": env,
        "types": tuple(types), "on_unknown": on_unknown}

    def decorate(function: Function) -> Function:
        _prepare(function, early=True)
        inner: Any = getattr(function, "__func__", function)

        @functools.wraps(inner)
        def remote(*args: Any, **kwargs: Any) -> Any:
            return cast(Any, client).apply(function, args, kwargs,
                                           **options).value

        @functools.wraps(inner)
        async def remote_later(*args: Any, **kwargs: Any) -> Any:
            if isinstance(client, (AsyncTerrarium, AsyncSession)):
                called = await client.apply(function, args, kwargs, **options)
                return called.value
            return await asyncio.to_thread(remote, *args, **kwargs)

        made: Any = remote_later if inspect.iscoroutinefunction(inner) or \
            isinstance(client, (AsyncTerrarium, AsyncSession)) else remote
        return cast(Function, staticmethod(made)
                    if isinstance(function, staticmethod) else made)
    return decorate


def _run_here(func: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """Call a tool on this machine. A coroutine is awaited in another thread,
    because this one may run a loop already."""
    value = func(**arguments)
    if not inspect.iscoroutine(value):
        return value
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, value).result()


def _is_no_way(error: TerrariumError) -> bool:
    """Whether it is certain that there is no server."""
    return isinstance(error, Unreachable) and error.certain


class ToolSandbox:
    """A backend for frameworks that run tools in a sandbox.

    MODE is `strict` (a tool runs in the sandbox or not at all), `warn` (when
    there certainly is no server at the address, or no route to it, the tool
    runs on this machine, with a warning in the log) or `off` (all tools run on
    this machine). In `warn`, too, a tool fails when it or an argument cannot
    be sent, when it is refused, when a certificate is not trusted, or when the
    run may have begun, because an attacker can choose arguments. TIMEOUT is in
    seconds. MEMORY_LIMIT_MB is None for the server's limit.

    Where a framework registers a backend that takes its configuration,
    register `functools.partial(ToolSandbox, client, word="subprocess
    sandbox")`: SANDBOX_CONFIG, also as the second argument, gives mode (a str
    or an enum of one), `sandbox_timeout` and `sandbox_memory_limit_mb`, where
    they are not given here. WORD is the name that its messages have for the
    sandbox. TYPES and ON_UNKNOWN: see Terrarium.apply().
    """

    MODES = ("off", "warn", "strict")

    def __init__(self, client: Union[Terrarium, Session],
                 mode: Any = None, timeout: Optional[float] = None,
                 memory_limit_mb: Optional[int] = None, *,
                 sandbox_config: Any = None, word: str = "sandbox",
                 on_unknown: str = "raise",
                 types: Iterable[type] = ()) -> None:
        if mode is not None and not isinstance(mode, (str, enum.Enum)):
            mode, sandbox_config = None, mode
        config = sandbox_config

        def choose(given: Any, name: str, other: str, default: Any) -> Any:
            for source in (given, getattr(config, "sandbox_" + name, None),
                           getattr(config, other, None)):
                if source is not None:
                    return source
            return default

        mode = choose(mode, "mode", "mode", "strict")
        mode = mode.value if isinstance(mode, enum.Enum) else mode
        if mode not in self.MODES:
            raise ValueError(f"mode must be one of {', '.join(self.MODES)}, "
                             f"not {mode!r}")
        self.client = client
        self.mode = str(mode)
        self.timeout: float = choose(timeout, "timeout", "timeout", 25.0)
        self.memory_limit_mb: Optional[int] = choose(
            memory_limit_mb, "memory_limit_mb", "memory_limit_mb", None)
        self.word = word
        self.on_unknown = on_unknown
        self.types = tuple(types)

    def is_available(self) -> bool:
        """Whether the server accepts requests."""
        try:
            return bool(self.client._client().health())
        except TerrariumError as error:
            _log.info("The sandbox is not available: %s", error)
            return False

    def get_capabilities(self) -> Dict[str, Any]:
        """The restrictions of a tool under the present settings."""
        walled = self.mode != "off"
        return {
            "backend": "terrarium",
            "available": self.is_available(),
            "isolation_level": "process" if walled else "none",
            "filesystem_isolation": walled,
            "network_isolation": walled,
            "memory_limit_mb": self.memory_limit_mb,
            "timeout": self.timeout,
        }

    def execute(self, tool_name: str, func: Callable[..., Any],
                arguments: Optional[Mapping[str, Any]] = None) -> Any:
        """Run FUNC(**ARGUMENTS) and return its return value. Raises
        ToolFailed, a RuntimeError, when the sandbox or the tool in it failed.
        In mode `off` the tool's own exceptions propagate."""
        given = dict(arguments or {})
        if self.mode == "off":
            return _run_here(func, given)
        try:
            try:
                return self._apply(func, given)
            except BadRequest as error:
                if error.code != "limit_out_of_range":
                    raise
                self._lower_limits()  # nothing ran
                return self._apply(func, given)
        except (NotSendable, Unreachable, Refused) as error:
            if self.mode != "warn" or not _is_no_way(error):
                raise ToolFailed(f"Tool '{tool_name}' was not run: {error}",
                                 error.id) from error
            _log.warning("Tool '%s' runs on this machine, without a sandbox: "
                         "%s", tool_name, error)
        except TerrariumError as error:
            raise ToolFailed(self._sentence(tool_name, error),
                             error.id) from error
        return _run_here(func, given)

    def _apply(self, func: Callable[..., Any],
               given: Mapping[str, Any]) -> Any:
        return self.client.apply(
            func, (), given, timeout=self.timeout,
            memory=self.memory_limit_mb, types=self.types,
            on_unknown=self.on_unknown).value

    def _lower_limits(self) -> None:
        """To the server's, where a framework's configuration has higher ones.
        """
        limits = self.client._client().limits()
        if "timeout_ms" in limits:
            self.timeout = min(self.timeout, limits["timeout_ms"] / 1000)
        if self.memory_limit_mb is not None and "memory_mb" in limits:
            self.memory_limit_mb = min(self.memory_limit_mb,
                                       limits["memory_mb"])

    def _sentence(self, tool_name: str, error: TerrariumError) -> str:
        if isinstance(error, ProgramRaised):
            return f"Tool {tool_name!r} raised {error.failure.type} inside " \
                f"{self.word}: {error.failure.text}"
        run = f"{self.word[:1].upper()}{self.word[1:]} execution of tool " \
            f"{tool_name!r}"
        if isinstance(error, (ProgramTimedOut, ReplyLate)):
            return f"{run} timed out after {self.timeout}s"
        code = error.exit_code if isinstance(error, ProgramFailed) else 1
        return f"{run} failed (exit {code}): {error}"
