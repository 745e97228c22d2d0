"""Client of a Terrarium server, which runs untrusted Python on another
machine.

    from terrarium import Terrarium, sandboxed

    client = Terrarium("https://sandbox.example:8443", token,
                       ca_file="ca.crt")

    result = client.run("print('hello')\\n1 + 1")
    result.stdout, result.value             # ('hello\\n', 2)

    @sandboxed(client, timeout=5)
    def mean(numbers):
        import statistics
        return statistics.mean(numbers)

    mean([1, 2, 3])                         # 2, computed on the server

`run` returns a Result, also for a program that failed; `check()` or
`check=True` makes a failure an exception. `stream` yields the same as events
while the program runs. `call`, `apply` and `sandboxed` run one function with
arguments, and raise when it fails. `session` keeps variables and files from
run to run. `ToolSandbox` is a backend for frameworks that run tools.

Values cross as JSON and bytes, never by pickle, because unpickling a guest's
bytes would run code of the guest on this machine. In the envelope that calls
use, bytes are `{"$bytes": BASE64}`, and an object with a key that begins with
`$` is `{"$object": {...}}`. Tuples arrive as lists. A program's output (names
of files, HTML, text) is as hostile as the program.

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
import dataclasses
import dis
import errno
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
import selectors
import socket
import ssl
import textwrap
import threading
import time
import types
import urllib.request
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import (Any, Callable, Dict, Generator, Iterable, List, Mapping,
                    Optional, Sequence, Set, Tuple, Type, TypeVar, Union,
                    cast)
from urllib.parse import unquote, urlsplit

__version__ = "0.1.0"
__all__ = [
    "BadReply", "BadRequest", "BadReturn", "Busy", "Called", "ConnectionBroke",
    "Display", "Displayed", "End", "Event", "Failed", "Failure", "File",
    "Forbidden", "Health", "NotFound", "NotSendable", "ProgramExited",
    "ProgramFailed", "ProgramFlooded", "ProgramKilled", "ProgramNotRun",
    "ProgramOutOfMemory", "ProgramRaised", "ProgramTimedOut", "Refused",
    "ReplyLate", "Result", "ServerFailed", "Session", "SessionsOff", "Stderr",
    "Stdout", "Terrarium", "TerrariumError", "TooLarge", "TooManyRequests",
    "ToolFailed", "ToolSandbox", "Unauthorized", "Unreachable", "Untrusted",
    "Usage", "sandboxed"]

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

CONTEXT = "\n\nCode context:\n"
_SURROGATE = re.compile("[\ud800-\udfff]")

_log = logging.getLogger("terrarium")


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
        raise BadReply(f"The answer's field {name} is not of type "
                       f"{kind.__name__}")
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

class _Deadline:
    """The time by which a call must be complete."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.end = time.monotonic() + seconds

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
            self.sock.close()

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


def _is_no_server(error: BaseException) -> bool:
    """Check an error from before the connection existed."""
    if isinstance(error, socket.gaierror):
        return error.errno in _NO_NAME
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


def _encode(value: Any, where: str) -> Json:
    """_plain() for a value in the envelope, which can hold bytes."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return {"$bytes": base64.b64encode(value).decode("ascii")}
    if isinstance(value, (list, tuple)):
        return [_encode(item, f"{where}[{n}]")
                for n, item in enumerate(value)]
    if isinstance(value, dict) and all(isinstance(k, str) for k in value):
        out = {_text(key, f"a key of {where}"):
               _encode(item, f"{where}[{key!r:.100}]")
               for key, item in value.items()}
        return {"$object": out} if any(k[:1] == "$" for k in out) else out
    return _plain(value, where)


def _decode(value: Json) -> Any:
    """Undo _encode(). ValueError if VALUE is not of its making."""
    if isinstance(value, list):
        return [_decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1 and isinstance(value.get("$bytes"), str):
        return base64.b64decode(value["$bytes"], validate=True)
    if len(value) == 1 and isinstance(value.get("$object"), dict):
        value = value["$object"]
    elif any(key[:1] == "$" for key in value):
        raise ValueError("unknown form")
    return {key: _decode(item) for key, item in value.items()}


def _shallow(encode: Callable[[Any, str], Json], value: Any,
             where: str) -> Json:
    try:
        return encode(value, where)
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


# ---- functions ------------------------------------------------------------

# The program text after the function's source: the other half of _encode() and
# _decode(). The value crosses as text, so that no limit on the shape of values
# changes it.
_HARNESS = '''

def _terrarium(name):
    import base64, json

    def decode(value):
        if isinstance(value, list):
            return [decode(item) for item in value]
        if not isinstance(value, dict):
            return value
        if set(value) == {"$bytes"}:
            return base64.b64decode(value["$bytes"])
        if set(value) == {"$object"}:
            value = value["$object"]
        return {key: decode(item) for key, item in value.items()}

    def encode(value, where):
        if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
            value = value.tolist()
        if isinstance(value, (bytes, bytearray, memoryview)):
            return {"$bytes": base64.b64encode(value).decode("ascii")}
        if isinstance(value, (list, tuple)):
            return [encode(item, "%s[%d]" % (where, number))
                    for number, item in enumerate(value)]
        if isinstance(value, dict):
            for key in value:
                if not isinstance(key, str):
                    raise TypeError("%s has the key %r, which is not a str"
                                    % (where, key))
            out = {key: encode(item, "%s[%r]" % (where, key))
                   for key, item in value.items()}
            return {"$object": out} if any(
                key[:1] == "$" for key in out) else out
        if isinstance(value, float) and value - value != 0:
            raise TypeError("%s is %r, which JSON has no form for"
                            % (where, value))
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        raise TypeError("%s is of type %s, which JSON has no form for"
                        % (where, type(value).__name__))

    def returned(value):
        return json.dumps({"returned": encode(value, "the return value")})

    async def finish(value):
        return returned(await value)

    function = globals().get(name)
    if not callable(function):
        raise NameError("name %r is not defined: the call needs it"
                        % name)

    def main(args, kwargs):
        globals()[name] = function
        value = function(*decode(args), **decode(kwargs))
        if hasattr(type(value), "__await__"):
            return finish(value)
        return returned(value)

    return main


'''


def _harness(name: str) -> str:
    return f"{_HARNESS}main = _terrarium({name!r})\n"


@dataclass(frozen=True)
class _Program:
    """A function's source, prepared to run elsewhere. Its own lines end with
    number `last`; the lines after it are this module's."""

    name: str
    own: str
    last: int
    signature: Optional[inspect.Signature]

    @property
    def code(self) -> str:
        return self.own + _harness(self.name)


def _make_program(name: str, own: str,
                  signature: Optional[inspect.Signature]) -> _Program:
    return _Program(name, own, own.count("\n") + 1, signature)


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
    "store": ("STORE_NAME",), "store global": ("STORE_GLOBAL",)}
_KNOWN = frozenset(dir(builtins)) | {"__name__", "__builtins__", "display"}


def _foreign_names(tree: ast.Module) -> List[str]:
    """Global names that the source uses, and that neither it nor Python
    defines."""
    bare = ast.fix_missing_locations(_Bare().visit(tree))
    codes = [compile(bare, "<function>", "exec", dont_inherit=True)]
    used: Set[str] = set()
    made: Set[str] = set()
    while codes:
        code = codes.pop()
        codes += [one for one in code.co_consts
                  if isinstance(one, types.CodeType)]
        names = {kind: {step.argval for step in dis.get_instructions(code)
                        if step.opname in kinds}
                 for kind, kinds in _STEPS.items()}
        used |= names["load"] - names["store"]
        made |= names["store global"]
        if code.co_name == "<module>":
            made |= names["store"]
    return sorted(used - made - _KNOWN)


def _say_global(function: types.FunctionType, name: str) -> str:
    if isinstance(function.__globals__.get(name), types.ModuleType):
        return f"{name} (a module: import it inside the function)"
    return name


def _check_names(function: types.FunctionType, tree: ast.Module) -> None:
    foreign = _foreign_names(tree)
    if foreign:
        names = ", ".join(_say_global(function, name) for name in foreign)
        raise NotSendable(f"{function.__qualname__} uses global names that "
                          f"do not exist there: {names}")


def _check_kind(function: Any) -> types.FunctionType:
    """Return FUNCTION if it can be sent; otherwise raise an error with its
    kind."""
    name = getattr(function, "__qualname__", None) or repr(function)[:100]
    if not isinstance(function, types.FunctionType):
        what = "a method" if inspect.ismethod(function) else \
            "a class" if inspect.isclass(function) else "not written in Python"
        raise NotSendable(f"{name} is {what}; only a plain function can be "
                          "sent")
    outer = function.__qualname__.rpartition(".")[0]
    for true, what in (
            (function.__name__ == "<lambda>", "a lambda"),
            (outer and not outer.endswith("<locals>"), "a method"),
            (inspect.isgeneratorfunction(function) or
             inspect.isasyncgenfunction(function), "a generator"),
            (hasattr(function, "__wrapped__"), "wrapped by a decorator")):
        if true:
            raise NotSendable(f"{name} is {what}; only a plain function can "
                              "be sent")
    free = function.__code__.co_freevars
    if free:
        raise NotSendable(f"{name} is a closure: it uses {', '.join(free)} "
                          "of the function around it; pass it as an argument")
    return function


def _source_of(function: types.FunctionType) -> Tuple[List[str], int]:
    try:
        return inspect.getsourcelines(function)
    except (OSError, TypeError, IndexError, SyntaxError):
        raise NotSendable(f"the source of {function.__qualname__} cannot be "
                          "found") from None


Definition = Union[ast.FunctionDef, ast.AsyncFunctionDef]


def _definition(function: types.FunctionType, text: str) -> ast.Module:
    """The parsed source: a module that holds this one function."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        tree = ast.Module([], [])
    body = tree.body
    while len(body) == 1 and isinstance(body[0], ast.If):
        body = body[0].body
    if len(body) != 1 or not isinstance(
            body[0], (ast.FunctionDef, ast.AsyncFunctionDef)) or \
            body[0].name != function.__name__:
        raise NotSendable(f"the source of {function.__qualname__} has "
                          "changed since it was loaded")
    return ast.Module(body, [])


def _prepare(function: Any) -> _Program:
    """Check a function and make the program that runs it. Lines keep their
    numbers and columns, so that tracebacks match the original file."""
    function = _check_kind(function)
    lines, first = _source_of(function)
    first = max(first, 1)
    indent = ["if True:\n"] if lines[0][:1] in (" ", "\t") else []
    tree = _definition(function, "".join(indent + lines))
    node = cast(Definition, tree.body[0])
    start = node.lineno - 1 - len(indent)  # after the decorators
    node.decorator_list = []
    _check_names(function, tree)
    head = ["from __future__ import annotations"] + \
        [line.rstrip() for line in indent]
    above = [""] * max(first - 1 + start, len(head))
    above[len(above) - len(head):] = head
    return _make_program(function.__name__, "\n".join(above + [""]) +
                         "".join(lines[start:]), inspect.signature(function))


def _prepare_source(source: str) -> _Program:
    """The program that runs a source's main(). It is dedented here, not by the
    server, because the lines added after it are not indented."""
    for line in source.split("\n"):
        if line.strip():
            if line[0] in " \t":
                source = textwrap.dedent(source)
            break
    return _make_program("main", source, None)


def _bind(program: _Program, args: Sequence[Any],
          kwargs: Mapping[str, Any]) -> Dict[str, Json]:
    """The arguments of the harness. Each is checked under its own name."""
    if program.signature is None:
        return {"args": _shallow(_encode, list(args), "args"),
                "kwargs": {name: _shallow(_encode, value, name)
                           for name, value in kwargs.items()}}
    try:
        bound = program.signature.bind(*args, **kwargs)
    except TypeError as error:
        raise NotSendable(f"{program.name}(): {error}") from None
    for name, value in bound.arguments.items():
        kind = program.signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            bound.arguments[name] = {
                key: _shallow(_encode, item, f"argument {key}")
                for key, item in value.items()}
        else:
            bound.arguments[name] = _shallow(_encode, value,
                                             f"argument {name}")
    return {"args": list(bound.args), "kwargs": bound.kwargs}


def _without_harness(result: Result, program: _Program) -> Result:
    """RESULT with a traceback of the function's own lines only."""
    if result.failure is None:
        return result

    def own(found: "re.Match[str]") -> str:
        return found[0] if int(found[1]) <= program.last else ""

    trace, head, context = result.failure.message.partition(CONTEXT)
    trace = re.sub(r'^  File "<exec>", line (\d{1,9}), in .*\n(?:    .*\n)*',
                   own, trace, flags=re.M)
    context = re.sub(r"^(\d{1,9}): .*\n?", own, context, flags=re.M)
    return dataclasses.replace(result, failure=Failure(
        result.failure.type, trace + head + context.rstrip("\n")))


def _returned(result: Result) -> Any:
    """The harness's return value. A guest may forge it, but only its own."""
    try:
        found = _parse(result.value) if isinstance(result.value, str) else 0
        if isinstance(found, dict) and list(found) == ["returned"]:
            return _decode(found["returned"])
    except (ValueError, RecursionError):
        pass
    raise BadReturn("The return value did not arrive whole: it is larger than "
                    "the server's limit for values, or was tampered with",
                    result)


# ---- the client -----------------------------------------------------------

class _Runs:
    """The common methods of Terrarium and Session."""

    def _client(self) -> Terrarium:
        raise NotImplementedError

    def _session(self) -> Optional[str]:
        return None

    def run(self, code: str, *, files: Optional[Files] = None,
            timeout: Optional[float] = None, memory: Optional[int] = None,
            stdin: Optional[str] = None,
            env: Optional[Mapping[str, str]] = None,
            arguments: Optional[Mapping[str, Json]] = None,
            check: bool = False) -> Result:
        """Run a program and return its result.

        FILES are written to its home directory first: a mapping of names to
        bytes or Paths, or Paths alone. TIMEOUT (seconds) and MEMORY (MB) lower
        the server's limits. STDIN is the text that input() reads. ENV is added
        to os.environ. With ARGUMENTS, main(**arguments) is called after the
        module has run, and its return value is the result's value. For a
        program that fails, a Result is returned, too, unless CHECK is set.
        """
        body = self._body(code, files, timeout, memory, stdin, env, arguments)
        result = self._client()._run(body, timeout, self._session())
        return result.check() if check else result

    def stream(self, code: str, *, files: Optional[Files] = None,
               timeout: Optional[float] = None, memory: Optional[int] = None,
               stdin: Optional[str] = None,
               env: Optional[Mapping[str, str]] = None,
               arguments: Optional[Mapping[str, Json]] = None,
               ) -> Generator[Event, None, None]:
        """Run a program and yield its events, an End last.

        The request is sent when the first event is asked for. Closing the
        generator ends the run. A server that does not stream answers once;
        then the events are made from that answer, in the order of the classes
        here.
        """
        body = self._body(code, files, timeout, memory, stdin, env, arguments)
        return self._client()._stream(body, timeout, self._session())

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
              env: Optional[Mapping[str, str]] = None) -> Called:
        """Run a function with arguments. Returns the value and the whole
        result.

        FUNCTION is a plain function, whose source is sent without its
        decorators, or source text that defines main(). A coroutine is awaited.
        The function must import the modules that it uses, and take all else as
        arguments. Arguments and return value are JSON or bytes. Others are
        refused with NotSendable before anything is sent.
        """
        program = _prepare_source(function) if isinstance(function, str) \
            else _prepare(function)
        return self._apply(program, args, kwargs or {}, files=files,
                           timeout=timeout, memory=memory, stdin=stdin,
                           env=env)

    def _apply(self, program: _Program, args: Sequence[Any],
               kwargs: Mapping[str, Any], **options: Any) -> Called:
        bound = _bind(program, args, kwargs)
        result = self.run(program.code, arguments=bound, **options)
        result = _without_harness(result, program).check()
        return Called(_returned(result), result)

    def _body(self, code: str, files: Optional[Files],
              timeout: Optional[float], memory: Optional[int],
              stdin: Optional[str], env: Optional[Mapping[str, str]],
              arguments: Optional[Mapping[str, Json]]) -> bytes:
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
            _shallow(_plain, dict(arguments), "arguments"),
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
        options.setdefault("ca_file", os.environ.get("TERRARIUM_CACERT"))
        return cls(os.environ["TERRARIUM_URL"],
                   os.environ.get("TERRARIUM_TOKEN"), **options)

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

    # -- for _Runs and Session

    def _client(self) -> Terrarium:
        return self

    def _open(self, path: str, body: bytes, deadline: _Deadline,
              accept: str = "application/json",
              again: bool = True) -> _Answer:
        headers = {"Content-Type": "application/json", "Accept": accept}
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

    def _post(self, path: str, fields: Mapping[str, Json]) -> Dict[str, Json]:
        return self._whole_answer(
            self._open(path, _dump(fields), _Deadline(self._wait),
                       again=False))

    def _deadline(self, timeout: Optional[float]) -> _Deadline:
        return _Deadline(self._wait + (timeout or 0))

    def _run(self, body: bytes, timeout: Optional[float],
             session: Optional[str]) -> Result:
        # In a session a call that failed half-way may have had effects.
        answer = self._open("/", body, self._deadline(timeout),
                            again=session is None)
        return _read_result(self._whole_answer(answer))

    def _stream(self, body: bytes, timeout: Optional[float],
                session: Optional[str]) -> Generator[Event, None, None]:
        answer = self._open("/", body, self._deadline(timeout),
                            "application/x-ndjson",
                            again=session is None)
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
        words = json.dumps(words)
    return str(found.get("code", "")), words or "no reason is given", \
        str(reply.get("id", ""))


class Session(_Runs):
    """A session: its variables, imports and files live from run to run. A run
    that may have reached it is never sent again, even when the server reported
    that it was busy."""

    def __init__(self, client: Terrarium, id: str) -> None:
        self._owner = client
        self.id = id

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
        new = Session(self._owner, id or str(uuid.uuid4()))
        self._ask("/fork", {"user_uuid": self.id, "new_uuid": new.id})
        return new

    def _ask(self, path: str, fields: Mapping[str, Json]) -> None:
        try:
            self._owner._post(path, fields)
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


# ---- streams --------------------------------------------------------------

_MEDIA = {
    "text": "text/plain", "png": "image/png", "svg": "image/svg+xml",
    "jpeg": "image/jpeg", "pdf": "application/pdf", "html": "text/html",
    "markdown": "text/markdown", "latex": "text/latex",
    "json": "application/json", "javascript": "application/javascript"}


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
              ) -> Callable[[Function], Function]:
    """A decorator: the function runs on the server whenever it is called.

    A function that apply() would refuse is refused here, when it is defined.
    An async function stays one. `__wrapped__` is the function itself, which
    would run on this machine.
    """
    def decorate(function: Function) -> Function:
        program = _prepare(function)

        @functools.wraps(function)
        def remote(*args: Any, **kwargs: Any) -> Any:
            return client._apply(program, args, kwargs, files=files,
                                 timeout=timeout, memory=memory,
                                 env=env).value

        @functools.wraps(function)
        async def remote_later(*args: Any, **kwargs: Any) -> Any:
            return await asyncio.to_thread(remote, *args, **kwargs)

        return cast(Function, remote_later if
                    inspect.iscoroutinefunction(function) else remote)
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
    """

    MODES = ("off", "warn", "strict")

    def __init__(self, client: Union[Terrarium, Session],
                 mode: str = "strict", timeout: float = 30.0,
                 memory_limit_mb: Optional[int] = None) -> None:
        if mode not in self.MODES:
            raise ValueError(f"mode must be one of {', '.join(self.MODES)}, "
                             f"not {mode!r}")
        self.client = client
        self.mode = mode
        self.timeout = timeout
        self.memory_limit_mb = memory_limit_mb

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
            return self.client.apply(func, (), given, timeout=self.timeout,
                                     memory=self.memory_limit_mb).value
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

    def _sentence(self, tool_name: str, error: TerrariumError) -> str:
        tool = f"Tool '{tool_name}'"
        if isinstance(error, (ProgramTimedOut, ReplyLate)):
            return f"{tool} timed out after {self.timeout:g}s"
        if isinstance(error, ProgramRaised):
            return f"{tool} raised {error.failure.type} inside sandbox: " \
                f"{error.failure.text}"
        code = error.exit_code if isinstance(error, ProgramFailed) else 1
        return f"{tool} failed (exit {code}): {error}"
