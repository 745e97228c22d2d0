"""A server that answers whatever a test wants, on a port of its own."""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Iterator, List, Optional, Tuple, Union

Script = Callable[["Visit"], None]
OK = {"success": True, "output_files": [], "std_out": "", "std_err": "",
      "code_runtime": 1, "id": "0123"}


@dataclass
class Visit:
    """One request, and the socket that wants an answer. `number` counts the
    server's requests from 0."""

    sock: socket.socket
    head: str
    body: bytes
    number: int

    def send(self, data: Union[bytes, str]) -> None:
        self.sock.sendall(data if isinstance(data, bytes) else data.encode())

    def reply(self, body: Any, status: str = "200 OK",
              headers: Tuple[str, ...] = (),
              kind: str = "application/json") -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}",
                 f"Content-Length: {len(data)}", *headers]
        self.send("\r\n".join(lines).encode() + b"\r\n\r\n" + data)

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Odd:
    """The requests that the server has seen."""

    port: int
    url: str
    visits: List[Visit] = field(default_factory=list)
    connections: int = 0


def _read_request(sock: socket.socket, number: int) -> Optional[Visit]:
    data = b""
    while b"\r\n\r\n" not in data:
        got = sock.recv(65536)
        if not got:
            return None
        data += got
    head, _, body = data.partition(b"\r\n\r\n")
    text = head.decode("latin-1")
    length = 0
    for line in text.split("\r\n"):
        name, _, value = line.partition(":")
        if name.lower() == "content-length":
            length = int(value)
    while len(body) < length:
        body += sock.recv(65536)
    return Visit(sock, text, body, number)


def _serve_one(odd: Odd, sock: socket.socket, script: Script,
               context: Optional[ssl.SSLContext]) -> None:
    with contextlib.suppress(OSError), contextlib.closing(sock):
        sock.settimeout(20)
        if context:
            sock = context.wrap_socket(sock, server_side=True)
        with contextlib.closing(sock):
            while True:
                visit = _read_request(sock, len(odd.visits))
                if visit is None:
                    return
                odd.visits.append(visit)
                script(visit)
                if "connection: close" in visit.head.lower():
                    return


@contextlib.contextmanager
def odd_server(script: Script, pem: Optional[Path] = None) -> Iterator[Odd]:
    """A server that calls SCRIPT for each request. A script that raises
    OSError ends the connection."""
    context = None
    if pem:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pem)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        scheme = "https" if pem else "http"
        odd = Odd(port, f"{scheme}://127.0.0.1:{port}")

        def accept() -> None:
            while True:
                try:
                    sock, _ = listener.accept()
                except OSError:
                    return
                odd.connections += 1
                threading.Thread(target=_serve_one, daemon=True, args=(
                    odd, sock, script, context)).start()

        threading.Thread(target=accept, daemon=True).start()
        try:
            yield odd
        finally:
            listener.shutdown(socket.SHUT_RDWR)


def hang_up(visit: Visit) -> None:
    """End the connection; for the end of a script."""
    raise ConnectionAbortedError
