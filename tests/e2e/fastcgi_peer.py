"""The web server's side of FastCGI, for tests that speak it wrongly.

Builds records and whole requests, sends any bytes to the workers' socket and
takes apart the reply. FastCgiClient is a Client that needs no web server, so
that tests written for one can run straight against the workers.
"""

from __future__ import annotations

import socket
import struct
import time
from dataclasses import dataclass
from typing import Iterable, Mapping, Optional, Union

from client import Client, Reply

BEGIN, ABORT, END, PARAMS, STDIN = 1, 2, 3, 4, 5
STDOUT, STDERR, DATA, GET_VALUES, GET_VALUES_RESULT, UNKNOWN = range(6, 12)
RESPONDER, AUTHORIZER, FILTER = 1, 2, 3
REQUEST_COMPLETE, CANT_MPX, OVERLOADED, UNKNOWN_ROLE = range(4)
HEADER = struct.Struct(">BBHHBB")
RECORD_MAX = 65535

# A unix socket's path, or an internet address with its port.
Where = Union[str, tuple[str, int]]
Pairs = Iterable[tuple[Union[str, bytes], Union[str, bytes]]]


def record(kind: int, content: bytes = b"", number: int = 1,
           padding: int = 0, version: int = 1,
           length: Optional[int] = None) -> bytes:
    """One record; LENGTH claims another size than the content has."""
    size = len(content) if length is None else length
    return HEADER.pack(version, kind, number, size, padding, 0) + \
        content + b"\xa5" * padding


def begin(role: int = RESPONDER, flags: int = 0, number: int = 1) -> bytes:
    return record(BEGIN, struct.pack(">HB5x", role, flags), number)


def size_of(length: int, wide: bool = False) -> bytes:
    """The length of a name or a value; WIDE: in four bytes anyway."""
    if length < 128 and not wide:
        return bytes([length])
    return struct.pack(">I", length | 0x80000000)


def pairs(items: Pairs, wide: bool = False) -> bytes:
    out = bytearray()
    for name, value in items:
        name, value = (x.encode() if isinstance(x, str) else x
                       for x in (name, value))
        out += size_of(len(name), wide) + size_of(len(value), wide)
        out += name + value
    return bytes(out)


def stream(kind: int, content: bytes, piece: int = RECORD_MAX,
           padding: int = 0, number: int = 1) -> bytes:
    """CONTENT in records of at most PIECE bytes, then the empty one."""
    out = [record(kind, content[at:at + piece], number, padding)
           for at in range(0, len(content), piece)]
    return b"".join(out) + record(kind, b"", number)


def names(body: bytes, method: str = "POST", path: str = "/",
          **more: Union[str, bytes]) -> dict[str, Union[str, bytes]]:
    """The parameters of a good request."""
    return {"REQUEST_METHOD": method, "DOCUMENT_URI": path,
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(body)), **more}


def request(body: bytes, params: Optional[Mapping] = None,
            number: int = 1) -> bytes:
    """A good request, all of it."""
    chosen = names(body) if params is None else params
    return begin(number=number) + \
        stream(PARAMS, pairs(chosen.items()), number=number) + \
        stream(STDIN, body, number=number)


# -- the reply


@dataclass
class Record:
    kind: int
    number: int
    content: bytes


@dataclass
class Answer:
    """All that the server sent until it closed the connection.

    late: it did not close in time. seconds: until it closed."""

    data: bytes
    seconds: float
    late: bool = False

    def records(self) -> list[Record]:
        """The records, each of which must be whole and well-formed."""
        out, at = [], 0
        while at < len(self.data):
            version, kind, number, size, padding, _ = HEADER.unpack_from(
                self.data, at)
            at += HEADER.size
            assert version == 1, version
            assert at + size + padding <= len(self.data), "cut short"
            out.append(Record(kind, number, self.data[at:at + size]))
            at += size + padding
        return out

    def ended(self) -> list[tuple[int, int]]:
        """(request id, protocol status) of each END_REQUEST."""
        return [(r.number, r.content[4]) for r in self.records()
                if r.kind == END]

    def reply(self) -> Reply:
        """The one complete response in it."""
        records = self.records()
        assert records and records[-1].kind == END, [
            (r.kind, len(r.content)) for r in records]
        assert self.ended() == [(records[-1].number, REQUEST_COMPLETE)]
        text = b"".join(r.content for r in records if r.kind == STDOUT)
        head, blank, body = text.partition(b"\r\n\r\n")
        assert blank, text[:200]
        headers = [tuple(line.split(": ", 1))
                   for line in head.decode("latin-1").split("\r\n")]
        found = [v for n, v in headers if n == "Status"]
        assert len(found) == 1, headers
        return Reply(int(found[0].split()[0]), headers, body, self.seconds)


class Peer:
    """One connection to the workers' socket."""

    def __init__(self, path: Where, timeout: float = 30) -> None:
        family = socket.AF_UNIX if isinstance(path, str) else \
            socket.AF_INET6 if ":" in path[0] else socket.AF_INET
        self.sock = socket.socket(family, socket.SOCK_STREAM)
        self.sock.settimeout(timeout)
        end = time.monotonic() + timeout
        while True:
            try:
                self.sock.connect(path)
                break
            except BlockingIOError:  # the queue is full
                assert time.monotonic() < end, "the queue stays full"
                time.sleep(0.01)
        self.begun = time.monotonic()

    def __enter__(self) -> Peer:
        return self

    def __exit__(self, *_: object) -> None:
        self.sock.close()

    def send(self, data: bytes) -> bool:
        """Whether all of it was taken; the server may close early."""
        try:
            self.sock.sendall(data)
            return True
        except (BrokenPipeError, ConnectionResetError):
            return False

    def finish(self, within_s: float = 30) -> Answer:
        """Read until the server closes."""
        data = bytearray()
        end = time.monotonic() + within_s
        late = False
        while True:
            left = end - time.monotonic()
            if left <= 0:
                late = True
                break
            self.sock.settimeout(left)
            try:
                got = self.sock.recv(1 << 18)
            except ConnectionResetError:
                break  # it left something of ours unread
            except socket.timeout:
                late = True
                break
            if not got:
                break
            data += got
        return Answer(bytes(data), time.monotonic() - self.begun, late)


def exchange(path: Where, data: bytes, half_close: bool = False,
             within_s: float = 30) -> Answer:
    """Send DATA on a new connection and read until the server closes.
    HALF_CLOSE says that nothing more will come."""
    with Peer(path) as peer:
        peer.send(data)
        if half_close:
            try:
                peer.sock.shutdown(socket.SHUT_WR)
            except OSError:
                pass
        return peer.finish(within_s)


class FastCgiClient(Client):
    """A Client that sends requests to the workers as the web server would.
    Credentials are the web server's business: none are sent."""

    def __init__(self, path: Where) -> None:
        super().__init__("http://localhost")
        self.path = path

    def _once(self, method: str, path: str, body: Optional[bytes],
              headers: Mapping[str, str], timeout: float) -> Reply:
        uri, _, query = path.partition("?")
        params = names(body or b"", method, uri, QUERY_STRING=query)
        for name, value in headers.items():
            name = name.upper().replace("-", "_")
            params[name if name == "CONTENT_TYPE" else "HTTP_" + name] = value
        answer = exchange(self.path, request(body or b"", params),
                          within_s=timeout)
        return answer.reply()
