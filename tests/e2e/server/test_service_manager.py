"""terrariumd below a service manager, which is played here: its reports
(sd_notify), the sockets that it is passed (sd_listen_fds), and a stop that
drains. Starts servers of its own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Iterator, Optional

import pytest
from conftest import Status, wait_until
from fastcgi_peer import Peer, names, request
from own_server import DAEMON, Place, free_port

WAIT_S = 120
PASSER = """\
import fcntl, os, sys
fds = [fcntl.fcntl(int(word), fcntl.F_DUPFD_CLOEXEC, 50)
       for word in sys.argv[1].split(",") if word]
os.closerange(3, 50)
for at, fd in enumerate(fds):
    os.dup2(fd, 3 + at)
for name in ("LISTEN_PID", "WATCHDOG_PID"):
    os.environ.setdefault(name, str(os.getpid()))
os.execv(sys.argv[2], sys.argv[2:])
"""


class Manager:
    """Receives the messages of a service."""

    def __init__(self, address: str) -> None:
        self.variable = address
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + address[1:] if address[0] == "@"
                         else address)
        self.socket.settimeout(WAIT_S)
        self.told: list[dict[str, str]] = []

    def __enter__(self) -> Manager:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def receive(self) -> dict[str, str]:
        text = self.socket.recv(4096).decode()
        self.told.append(dict(line.split("=", 1)
                              for line in text.split("\n")))
        return self.told[-1]

    def until(self, name: str, holds: str = "") -> dict[str, str]:
        """The next message with the variable NAME, whose value holds
        HOLDS."""
        while True:
            message = self.receive()
            if holds in message.get(name, "-"):
                return message


class Service:
    """A terrariumd of its own, as a service manager starts it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        port = free_port()
        self.socket = str(folder / "s.sock")
        self.status = str(folder / "t.sock")
        self.conf = folder / "t.conf"
        self.log = folder / "log"
        self.options = {
            "server": {"socket": self.socket, "status_socket": self.status},
            "pool": {"workers": "2", "armed": "1", "stop_timeout_s": "47"},
            "guest": {"preload": "json", "freeze": "no"},
            "walls": {"cgroups": "optional",
                      "cgroup_name": f"terrarium-{port}",
                      "uid_base": str(1900000000 + 2048 * port)}}
        self.child: Optional[subprocess.Popen] = None

    def start(self, *fds: int, **env: str) -> subprocess.Popen:
        self.conf.write_text("".join(
            f"[{section}]\n" + "".join(
                f"{name} = {value}\n" for name, value in rows.items())
            for section, rows in self.options.items()))
        with open(self.log, "ab") as log:
            self.child = subprocess.Popen(
                [sys.executable, "-c", PASSER, ",".join(map(str, fds)),
                 DAEMON, "-c", str(self.conf)], pass_fds=fds, stderr=log,
                env={**os.environ, **env})
        return self.child

    def refused(self, *fds: int, **env: str) -> str:
        """Its log, of a start that must fail."""
        assert self.start(*fds, **env).wait(WAIT_S) == 1
        text = self.log.read_text()
        assert "serving on" not in text
        return text

    def end(self) -> None:
        if self.child and self.child.poll() is None:
            self.child.terminate()
            self.child.wait(WAIT_S)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    tmp_path.chmod(0o755)
    found = Service(tmp_path)
    yield found
    found.end()


def listener(path: str) -> socket.socket:
    one = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    one.bind(path)
    one.listen(100)
    return one


def ask(path: str, page: str = "/", code: str = "1 + 1"):
    body = json.dumps({"code": code}).encode() if page == "/" else b""
    method = "POST" if body else "GET"
    with Peer(path, WAIT_S) as peer:
        peer.send(request(body, names(body, method, page)))
        return peer.finish(WAIT_S).reply()


# ---- reports ---------------------------------------------------------------


@pytest.mark.parametrize("is_abstract", [False, True])
def test_a_life_is_reported(service: Service, is_abstract: bool) -> None:
    address = f"@terrarium-{os.getpid()}-{time.monotonic_ns()}" \
        if is_abstract else str(service.folder / "notify")
    with Manager(address) as manager:
        child = service.start(NOTIFY_SOCKET=address)
        manager.until("READY", "1")
        assert manager.until("STATUS")["STATUS"] == "generation 1 serves"
        assert json.loads(ask(service.socket).body)["final_expression"] == 2
        child.send_signal(signal.SIGTERM)
        stopping = manager.until("STOPPING")
        # Longer than the stop of a service may usually take.
        assert int(stopping["EXTEND_TIMEOUT_USEC"]) >= 5_000_000
        assert child.wait(WAIT_S) == 0
        assert not any("WATCHDOG" in told for told in manager.told)


def test_a_reload_is_reported(service: Service) -> None:
    """With the time, as a service of Type=notify-reload does; and READY when
    the new generation serves, not before."""
    address = str(service.folder / "notify")
    with Manager(address) as manager:
        child = service.start(NOTIFY_SOCKET=address)
        manager.until("READY", "1")
        before = time.monotonic_ns() // 1000
        child.send_signal(signal.SIGHUP)
        said = manager.until("RELOADING", "1")
        assert before <= int(said["MONOTONIC_USEC"]) <= \
            time.monotonic_ns() // 1000
        at = len(manager.told)
        manager.until("READY", "1")
        assert {"STATUS": "generation 2 serves"} in manager.told[at:]


def test_a_failed_reload_is_reported(service: Service) -> None:
    """It ends, too: the present generation goes on."""
    address = str(service.folder / "notify")
    with Manager(address) as manager:
        child = service.start(NOTIFY_SOCKET=address)
        manager.until("READY", "1")
        service.conf.write_text("[pool]\nworkers = many\n")
        child.send_signal(signal.SIGHUP)
        manager.until("RELOADING", "1")
        status = manager.until("STATUS", "the next one cannot")["STATUS"]
        assert "pool.workers" in status or "workers" in status, status
        manager.until("READY", "1")
        assert json.loads(ask(service.socket).body)["final_expression"] == 2


def test_the_watchdog_is_told(service: Service) -> None:
    """Each half of its time, as long as the master goes on."""
    address = str(service.folder / "notify")
    with Manager(address) as manager:
        service.start(NOTIFY_SOCKET=address, WATCHDOG_USEC="2000000")
        manager.until("READY", "1")
        manager.until("WATCHDOG", "1")
        begun = time.monotonic()
        manager.until("WATCHDOG", "1")
        manager.until("WATCHDOG", "1")
        assert time.monotonic() - begun > 1.2  # not in each step


def test_a_watchdog_of_another_process(service: Service) -> None:
    address = str(service.folder / "notify")
    with Manager(address) as manager:
        child = service.start(NOTIFY_SOCKET=address, WATCHDOG_USEC="2000000",
                              WATCHDOG_PID="1")
        manager.until("READY", "1")
        child.terminate()
        assert child.wait(WAIT_S) == 0
        manager.until("STOPPING")
        assert not any("WATCHDOG" in told for told in manager.told)


@pytest.mark.parametrize("name,value", [
    ("NOTIFY_SOCKET", "run/notify"), ("NOTIFY_SOCKET", ""),
    ("NOTIFY_SOCKET", "@"), ("NOTIFY_SOCKET", "/" + 200 * "x"),
    ("WATCHDOG_USEC", "soon"), ("WATCHDOG_USEC", "-1"),
    ("WATCHDOG_USEC", "0"), ("WATCHDOG_USEC", "20000"),
    ("WATCHDOG_USEC", "99999999999999999999"), ("WATCHDOG_PID", "me"),
    ("LISTEN_FDS", "three"), ("LISTEN_FDS", "3"), ("LISTEN_PID", "me")])
def test_a_variable_that_is_none(service: Service, name: str,
                                 value: str) -> None:
    more = {"LISTEN_FDS": "1"} if name == "LISTEN_PID" else {}
    said = service.refused(**{name: value, **more})
    assert f"{name} " in said, said


# ---- sockets ---------------------------------------------------------------


def test_a_request_before_the_server(service: Service) -> None:
    """It waits in the socket, and so does one after a stop."""
    with listener(service.socket) as one, listener(service.status) as two:
        answers = []

        def early() -> None:
            answers.append(json.loads(ask(service.socket).body))

        for _ in range(2):
            thread = threading.Thread(target=early)
            thread.start()
            child = service.start(
                two.fileno(), one.fileno(), LISTEN_FDS="2",
                LISTEN_FDNAMES="status:socket")
            thread.join(WAIT_S)
            assert ask(service.status, "/health").body == b"hi!"
            child.terminate()
            assert child.wait(WAIT_S) == 0
            # They are the manager's.
            assert os.path.exists(service.socket)
            assert os.path.exists(service.status)
    assert [one["final_expression"] for one in answers] == [2, 2]


def test_one_socket_is_passed(service: Service) -> None:
    with listener(service.socket) as one:
        child = service.start(one.fileno(), LISTEN_FDS="1",
                              LISTEN_FDNAMES="socket")
        assert json.loads(ask(service.socket).body)["final_expression"] == 2
        assert ask(service.status, "/health").status == 200
        child.terminate()
        assert child.wait(WAIT_S) == 0
        assert os.path.exists(service.socket)
        assert not os.path.exists(service.status)


def test_sockets_of_another_process(service: Service) -> None:
    with listener(str(service.folder / "x")) as one:
        service.start(one.fileno(), LISTEN_FDS="1", LISTEN_FDNAMES="odd",
                      LISTEN_PID="1")
        wait_until(lambda: "serving on" in service.log.read_text() or
                   service.child.poll() is not None, WAIT_S, "it serves")
        assert service.child.poll() is None, service.log.read_text()


@pytest.mark.parametrize("fds,given,words", [
    ("1", "odd", '"socket" and "status" only'),
    ("1", "", '"socket" and "status" only'),
    ("1", None, "must name each descriptor"),
    ("1", 300 * "x", "must name each descriptor"),
    ("1", "status", "status listens on"),
    ("1", "socket:status", "more names than LISTEN_FDS"),
    ("2", "socket", "fewer names than LISTEN_FDS"),
    ("2", "socket:socket", "a name twice"),
    ("2", "socket:status", "not a unix stream socket that listens")])
def test_sockets_that_are_not_ours(service: Service, fds: str,
                                   given: Optional[str],
                                   words: str) -> None:
    env = {} if given is None else {"LISTEN_FDNAMES": given}
    with listener(service.socket) as one:
        said = service.refused(one.fileno(), LISTEN_FDS=fds, **env)
    assert "socket activation: " in said and words in said, said


@pytest.mark.parametrize("kind", ["file", "inet", "datagram", "silent",
                                  "elsewhere", "abstract"])
def test_a_descriptor_of_another_kind(service: Service, kind: str) -> None:
    one: socket.socket
    if kind == "file":
        fd = os.open("/dev/null", os.O_RDONLY)
    elif kind == "inet":
        one = socket.socket()
        one.listen()
    elif kind == "datagram":
        one = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        one.bind(service.socket)
    elif kind == "silent":
        one = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        one.bind(service.socket)
    elif kind == "elsewhere":
        one = listener(service.socket + "2")
    else:
        one = listener(f"\0terrarium-{os.getpid()}-{time.monotonic_ns()}")
    if kind != "file":
        fd = one.detach()
    said = service.refused(fd, LISTEN_FDS="1", LISTEN_FDNAMES="socket")
    os.close(fd)
    words = "server.socket is" if kind in ("elsewhere", "abstract") else \
        "descriptor 3 (socket) is not a unix stream socket that listens"
    assert words in said, said


# ---- the end ---------------------------------------------------------------


def test_health_while_it_drains(place: Place) -> None:
    """503, though the last program still runs and is answered."""
    started = place("start", WORKERS="2", ARMED="1")
    assert started.returncode == 0, started.stderr
    client = place.client()
    status = Status(place.assignments()["TERRARIUM_STATUS_URL"])
    assert client.request("GET", "/health").status == 200
    answers = []
    thread = threading.Thread(target=lambda: answers.append(
        client.value("import time\ntime.sleep(5)\n5")))
    thread.start()
    wait_until(lambda: status.busy() == 1, 60, "it runs")
    pid = int((place.prefix / "terrariumd.pid").read_text())
    os.kill(pid, signal.SIGQUIT)
    wait_until(lambda: client.request("GET", "/health").status == 503, 60,
               "it is not healthy")
    assert status.busy() == 1
    reply = client.request("GET", "/health")
    assert reply.json()["error"]["message"].startswith("draining"), reply.body
    assert reply.header("Retry-After") == "1"
    assert client.request("GET", "/healthz").status == 503
    assert status.get()["state"] == "draining"
    thread.join()
    assert answers == [5]
