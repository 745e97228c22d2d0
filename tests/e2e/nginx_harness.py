"""nginx from nginx.conf.example, in a directory and on ports of its own.

Used by the tests of nginx; needs no privilege.
"""

import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import types
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple, Type

from ports import free_ports

SOURCE = pathlib.Path(__file__).resolve().parents[2]
ECHO = SOURCE / "tests" / "e2e" / "fastcgi_echo.py"
ADD_TOKEN = SOURCE / "conf" / "add-token"
PYTHON = "/usr/bin/python3"
NGINX = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
START_S = 10.0


def load_local() -> Any:
    """tools/local as a module; its name has no suffix to import it by."""
    path = SOURCE / "tools" / "local"
    module: Any = types.ModuleType("local")
    module.__file__ = str(path)
    exec(compile(path.read_text(), str(path), "exec"), vars(module))
    return module


def http2_change() -> Tuple[Tuple[str, str], ...]:
    """The changes that the example's head lists for this nginx."""
    local = load_local()
    if local.nginx_version(NGINX) < local.HTTP2_ON:
        return ()
    return ((" ssl http2;", " ssl; http2 on;"),)


class Reply:
    """One answer: status, headers as a list of pairs, and the body."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.getheaders()
        self.body = response.read()

    def all(self, name: str) -> List[str]:
        return [value for key, value in self.headers
                if key.lower() == name.lower()]

    def one(self, name: str) -> str:
        values = self.all(name)
        assert len(values) == 1, f"{name}: {values}"
        return values[0]

    def json(self) -> Any:
        assert self.one("Content-Type") == "application/json", self.body
        return json.loads(self.body)


class Nginx:
    """Paths, ports and tokens of one nginx; start() and stop()."""

    def __init__(self, directory: str) -> None:
        self.directory = pathlib.Path(directory)
        self.port, self.status_port = free_ports(2)
        self.tokens: Dict[str, str] = {}
        self.process: Optional["subprocess.Popen[bytes]"] = None
        self.echoes: Dict[str, "Echo"] = {}
        for name in ("etc", "run", "tmp", "log"):
            (self.directory / name).mkdir()
        self.certificate = self.directory / "etc" / "tls.crt"

    def path(self, *parts: str) -> str:
        return str(self.directory.joinpath(*parts))

    def make_certificate(self) -> None:
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
             "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext",
             "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout",
             self.path("etc", "tls.key"), "-out", str(self.certificate)],
            check=True, stderr=subprocess.DEVNULL)

    def add_token(self, name: str, *limits: str) -> str:
        done = subprocess.run(
            [str(ADD_TOKEN), "-f", self.path("etc", "tokens.map"), name,
             *limits],
            check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.tokens[name] = done.stdout.decode().strip()
        return self.tokens[name]

    def write_config(self, changes: Tuple[Tuple[str, str], ...] = ()) -> str:
        """The example with its places changed, each in the written way."""
        text = (SOURCE / "nginx.conf.example").read_text()
        text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)
        places = (
            ("user www-data;", "user root;" if os.geteuid() == 0 else ""),
            ("127.0.0.1:8443", f"127.0.0.1:{self.port}"),
            ("127.0.0.1:8081", f"127.0.0.1:{self.status_port}"),
            ("/etc/terrarium/", self.path("etc") + "/"),
            ("/run/terrarium/", self.path("run") + "/"),
            ("/run/nginx.pid", self.path("run", "nginx.pid")),
            ("/var/lib/nginx/", self.path("tmp") + "/"),
            ("/var/log/nginx/", self.path("log") + "/"),
            ("/var/lock/", self.path("run") + "/"),
        )
        for old, new in places + http2_change() + changes:
            assert old in text, old
            text = text.replace(old, new)
        path = self.path("nginx.conf")
        pathlib.Path(path).write_text(self.arrange(text))
        return path

    def arrange(self, text: str) -> str:
        """The text of nginx.conf, made of the changed example TEXT."""
        return text

    def start(self, changes: Tuple[Tuple[str, str], ...] = ()) -> None:
        config = self.write_config(changes)
        assert NGINX is not None, "nginx is not installed"
        self.process = subprocess.Popen(
            [NGINX, "-e", self.path("log", "error.log"), "-c", config,
             "-g", "daemon off;"])
        limit = time.monotonic() + START_S
        # With all its workers: it listens before it handles signals, and a
        # reload() before that would end it.
        while len(self.worker_ids()) < (os.cpu_count() or 1):
            assert self.process.poll() is None, self.error_log()
            assert time.monotonic() < limit, "nginx does not start"
            time.sleep(0.01)

    def start_echo(self, name: str = "fastcgi.sock") -> "Echo":
        """The small server behind NAME; in the place of one before it."""
        self.stop_echo(name)
        self.echoes[name] = Echo(self.path("run", name))
        return self.echoes[name]

    def stop_echo(self, name: str = "fastcgi.sock") -> None:
        if name in self.echoes:
            self.echoes.pop(name).stop()

    def stop(self) -> None:
        for name in list(self.echoes):
            self.stop_echo(name)
        if self.process is not None:
            self.process.terminate()
            self.process.wait(timeout=START_S)

    def reload(self) -> None:
        """Read the files again; returns when the old worker is gone."""
        assert self.process is not None
        before = self.worker_ids()
        self.process.send_signal(signal.SIGHUP)
        limit = time.monotonic() + START_S
        while len(self.worker_ids() - before) < len(before) or \
                before & self.worker_ids():
            assert time.monotonic() < limit, "nginx does not reload"
            time.sleep(0.02)

    def worker_ids(self) -> Set[str]:
        assert self.process is not None
        task = f"/proc/{self.process.pid}/task/{self.process.pid}/children"
        return set(pathlib.Path(task).read_text().split())

    def error_log(self) -> str:
        return pathlib.Path(self.path("log", "error.log")).read_text()

    def access_log(self) -> List[Dict[str, Any]]:
        text = pathlib.Path(self.path("log", "access.log")).read_text()
        return [json.loads(line) for line in text.splitlines()]

    def logged(self, request_id: str) -> Dict[str, Any]:
        """The access log's line of one request, once it is there."""
        limit = time.monotonic() + START_S
        while time.monotonic() < limit:
            lines = [line for line in self.access_log()
                     if line["id"] == request_id]
            if lines:
                assert len(lines) == 1, lines
                return lines[0]
            time.sleep(0.01)
        raise AssertionError(f"{request_id} is not logged")

    def tls(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.certificate))

    def ask(self, method: str = "POST", path: str = "/", body: Any = None,
            headers: Optional[Dict[str, str]] = None,
            token: Optional[str] = "alice", port: Optional[int] = None
            ) -> Reply:
        """One request; BODY is JSON unless bytes; TOKEN is a client's."""
        headers = dict(headers or {})
        if token is not None:
            headers["Authorization"] = f"Bearer {self.tokens[token]}"
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if port is not None:
            connection = http.client.HTTPConnection("127.0.0.1", port, 20)
        else:
            connection = http.client.HTTPSConnection(
                "127.0.0.1", self.port, timeout=20, context=self.tls())
        with contextlib.closing(connection):
            connection.request(method, path, body, headers)
            return Reply(connection.getresponse())

    def send_raw(self, data: bytes, port: Optional[int] = None) -> bytes:
        """All that comes back for DATA on a connection of its own."""
        plain = socket.create_connection(("127.0.0.1", port or self.port), 20)
        with plain:
            peer = plain if port else self.tls().wrap_socket(
                plain, server_hostname="localhost")
            peer.sendall(data)
            answer = b""
            while True:
                piece = peer.recv(65536)
                if not piece:
                    return answer
                answer += piece


class Echo:
    """The small FastCGI server at a socket; stop() makes it vanish."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.process = subprocess.Popen(
            [PYTHON, str(ECHO), path], stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n"

    def heard(self) -> bytes:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def is_idle(self) -> bool:
        """Whether it has answered all that it was asked: one thread."""
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task")
        return len(list(tasks.iterdir())) == 1

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.path)


@contextlib.contextmanager
def running(changes: Tuple[Tuple[str, str], ...] = (),
            kind: Type[Nginx] = Nginx) -> Iterator[Nginx]:
    """An nginx with two clients, alice and bob, and echoes behind it."""
    directory = tempfile.mkdtemp(prefix="terrarium-nginx-")
    nginx = kind(directory)
    try:
        nginx.make_certificate()
        for name in ("alice", "bob"):
            nginx.add_token(name)
        for name in ("fastcgi.sock", "status.sock", "streams.sock"):
            nginx.start_echo(name)
        nginx.start(changes)
        yield nginx
    finally:
        nginx.stop()
        shutil.rmtree(directory)


def assert_error(reply: Reply, status: int, code: str,
                 ran: bool = False) -> None:
    """The whole shape of an error that nginx itself answers. RAN: the
    request may have run, and should not be sent again."""
    assert reply.status == status, reply.body
    answer = reply.json()
    assert answer == {
        "success": False, "error": answer["error"], "output_files": [],
        "std_out": "", "std_err": "", "id": reply.one("X-Request-Id")}
    assert list(answer["error"]) == ["type", "message", "code"]
    assert answer["error"]["type"] == code
    assert answer["error"]["code"] == code
    assert answer["error"]["message"].endswith(".")
    assert reply.body.endswith(b"\n")
    assert reply.all("Retry-After") == (
        ["1"] if status in (429, 503) and not ran else [])
    assert reply.all("WWW-Authenticate") == (
        ["Bearer"] if status == 401 else [])
    assert bool(reply.all("Allow")) == (status == 405)
    assert_headers(reply)


def assert_headers(reply: Reply) -> None:
    """The headers that every answer has exactly once."""
    assert len(reply.one("X-Request-Id")) == 32
    assert reply.one("Server") == "nginx"
    assert reply.one("Cache-Control") == "no-store"
    assert reply.one("X-Content-Type-Options") == "nosniff"
    assert reply.one("X-Frame-Options") == "DENY"
    assert reply.one("Referrer-Policy") == "no-referrer"
    assert reply.one("Cross-Origin-Resource-Policy") == "same-origin"
    assert reply.one("Content-Security-Policy").startswith(
        "default-src 'none';")
