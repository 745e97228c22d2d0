"""A small HTTP client for the end-to-end tests, standard library only.

One connection a request, so that no test depends on the remains of another.
Replies keep their raw bytes: several tests look at those. A 429 is
waited out and tried again, because the suite as a whole is faster than one
client may be; the test of the rate limit itself switches that off.
"""

from __future__ import annotations

import base64
import http.client
import json
import socket
import ssl
import sys
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Mapping, Optional, Union
from urllib.parse import urlsplit

Content = Union[str, bytes]
MEGABYTE = 1 << 20
FAST_RETRIES = 60
FAST_PAUSE_S = 0.25

# Answers hold integers of any size; newer Pythons must be told to read them.
getattr(sys, "set_int_max_str_digits", lambda _: None)(0)


def b64(content: Content) -> str:
    """Standard base64 of text (as UTF-8) or bytes."""
    if isinstance(content, str):
        content = content.encode("utf-8")
    return base64.b64encode(content).decode("ascii")


def entries(files: Mapping[str, Content]) -> list[dict[str, str]]:
    """The `files` field of a request."""
    return [{"filename": name, "b64_data": b64(content)}
            for name, content in files.items()]


@dataclass
class Reply:
    """The reply: its bytes and its duration."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes
    seconds: float
    _json: Any = field(default=None, repr=False)

    def header(self, name: str) -> Optional[str]:
        values = self.all(name)
        assert len(values) <= 1, f"{name} was sent {len(values)} times"
        return values[0] if values else None

    def all(self, name: str) -> list[str]:
        return [v for n, v in self.headers if n.lower() == name.lower()]

    def json(self) -> Any:
        if self._json is None:
            self._json = json.loads(self.body.decode("utf-8"),
                                    parse_constant=_no_constant)
        return self._json

    def code(self) -> Optional[str]:
        """error.code of a refusal, error.type of a run that failed."""
        error = self.json().get("error") or {}
        return error.get("code", error.get("type"))

    def files(self) -> dict[str, bytes]:
        """Output files by name; a name that comes twice is an error."""
        out: dict[str, bytes] = {}
        for item in self.json().get("output_files", []):
            assert set(item) == {"filename", "b64_data"}, item.keys()
            assert item["filename"] not in out, item["filename"]
            out[item["filename"]] = base64.b64decode(item["b64_data"],
                                                     validate=True)
        return out


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


# Called with each request that a client sends, and its reply.
recorder: Optional[Callable[..., None]] = None


class Client:
    """One caller: an address, a token, a certificate to trust."""

    def __init__(self, url: str, token: Optional[str] = None,
                 cacert: Optional[str] = None) -> None:
        parts = urlsplit(url)
        self.tls = parts.scheme == "https"
        self.host = parts.hostname or "127.0.0.1"
        self.port = parts.port or (443 if self.tls else 80)
        self.token = token
        self.context = ssl.create_default_context(cafile=cacert) \
            if self.tls else None
        if self.context is not None and cacert:
            self.context.check_hostname = False

    # -- connections

    def socket(self, timeout: float = 60) -> socket.socket:
        """A connected socket, for requests that no library would send."""
        plain = socket.create_connection((self.host, self.port), timeout)
        if self.context is None:
            return plain
        return self.context.wrap_socket(plain, server_hostname=self.host)

    def connection(self, timeout: float) -> http.client.HTTPConnection:
        if self.context is None:
            return http.client.HTTPConnection(self.host, self.port, timeout)
        return http.client.HTTPSConnection(self.host, self.port,
                                           timeout=timeout,
                                           context=self.context)

    def credentials(self) -> dict[str, str]:
        if self.token is None:
            return {}
        return {"Authorization": "Bearer " + self.token}

    # -- requests

    def request(self, method: str, path: str = "/",
                body: Optional[Content] = None,
                headers: Optional[Mapping[str, str]] = None,
                timeout: float = 60, auth: bool = True,
                wait: bool = True) -> Reply:
        """Send one request and read the whole reply.

        AUTH adds the token; WAIT tries again when the server says 429.
        """
        if isinstance(body, str):
            body = body.encode("utf-8")
        sent = dict(self.credentials() if auth else {})
        sent.update(headers or {})
        for _ in range(FAST_RETRIES if wait else 1):
            reply = self._once(method, path, body, sent, timeout)
            if reply.status != 429 or not wait:
                break
            time.sleep(FAST_PAUSE_S)
        return reply

    def _once(self, method: str, path: str, body: Optional[bytes],
              headers: Mapping[str, str], timeout: float) -> Reply:
        begun = time.monotonic()
        connection = self.connection(timeout)
        try:
            connection.request(method, path, body, dict(headers))
            response = connection.getresponse()
            data = response.read()
            reply = Reply(response.status, response.getheaders(), data,
                          time.monotonic() - begun)
        except (BrokenPipeError, ConnectionResetError):
            # Refused before the body was read: the reply may be there.
            if connection.sock is None:
                raise
            reply = self._late(connection, begun)
        finally:
            connection.close()
        if recorder is not None and self.tls:
            recorder(method, path, body, headers, reply)
        return reply

    @staticmethod
    def _late(connection: http.client.HTTPConnection,
              begun: float) -> Reply:
        response = http.client.HTTPResponse(connection.sock)
        response.begin()
        data = response.read()
        return Reply(response.status, response.getheaders(), data,
                     time.monotonic() - begun)

    def post(self, fields: Any, **options: Any) -> Reply:
        """POST / with FIELDS as its JSON body."""
        return self.request("POST", "/", json.dumps(fields), JSON, **options)

    def run(self, code: str, files: Optional[Mapping[str, Content]] = None,
            timeout: float = 60, **fields: Any) -> Reply:
        """Run CODE; the answer must be a 200 with JSON in it."""
        fields["code"] = code
        if files is not None:
            fields["files"] = entries(files)
        reply = self.post(fields, timeout=timeout)
        assert reply.status == 200, (reply.status, reply.body[:500])
        reply.json()
        return reply

    def value(self, code: str, **fields: Any) -> Any:
        """The final value of a program that must succeed."""
        out = self.run(code, **fields).json()
        assert out["success"], out["error"]["message"]
        return out.get("final_expression")

    def begin(self, code: str, **fields: Any) -> socket.socket:
        """Send a request and return the socket, its reply unread."""
        fields["code"] = code
        body = json.dumps(fields).encode("utf-8")
        sock = self.socket()
        sock.sendall(head("POST", "/", {"Host": self.host, **JSON,
                                        **self.credentials()}, len(body)))
        sock.sendall(body)
        return sock

    def raw(self, data: Union[bytes, Iterable[bytes]],
            timeout: float = 10) -> bytes:
        """Send DATA as it is and read until the server closes."""
        out = b""
        with self.socket(timeout) as sock:
            for piece in [data] if isinstance(data, bytes) else data:
                sock.sendall(piece)
            try:
                while True:
                    got = sock.recv(65536)
                    if not got:
                        break
                    out += got
            except (ConnectionResetError, ssl.SSLEOFError):
                pass
        return out


JSON = {"Content-Type": "application/json"}


def head(method: str, path: str, headers: Mapping[str, str],
         length: Optional[int] = None) -> bytes:
    """The head of an HTTP/1.1 request that asks to be the only one."""
    lines = [f"{method} {path} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    lines += ["Connection: close", "", ""]
    return "\r\n".join(lines).encode("latin-1")


def finish(sock: socket.socket) -> Reply:
    """Read the reply to a request that begin() sent."""
    begun = time.monotonic()
    response = http.client.HTTPResponse(sock)
    try:
        response.begin()
        data = response.read()
        return Reply(response.status, response.getheaders(), data,
                     time.monotonic() - begun)
    finally:
        response.close()
        sock.close()
