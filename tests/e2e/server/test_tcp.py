"""Connections to the workers by internet addresses: server.listen and
server.allowed_clients. Starts a server of its own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest
from conftest import Status, has_ended, wait_until
from fastcgi_peer import FastCgiClient, Peer, names, request
from own_server import DAEMON, Place
from ports import free_ports

PATIENCE_S = 30.0
FOREVER = "import time\nwhile True: time.sleep(0.1)"


def run(code: str) -> bytes:
    """A request as the web server sends it."""
    body = json.dumps({"code": code}).encode()
    return request(body, names(body, CONTENT_TYPE="application/json"))


def has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


class Server:
    """It listens on three ports of 127.0.0.1, and on [::1], which is not among
    the allowed clients."""

    def __init__(self, place: Place) -> None:
        self.place, self.ports = place, free_ports(4)
        listen = [f"tcp://127.0.0.1:{port}" for port in self.ports[:3]]
        if has_ipv6():
            listen.append(f"tcp://[::1]:{self.ports[3]}")
        started = place("start", WORKERS="3", CONF_EXTRA=";".join((
            "server.listen=" + " ".join(listen),
            "server.allowed_clients=127.0.0.1")))
        assert started.returncode == 0, started.stderr
        self.status = Status(place.assignments()["TERRARIUM_STATUS_URL"])
        self.conf = place.prefix / "terrarium.conf"

    def log(self) -> str:
        return (self.place.prefix / "log" / "terrarium.log").read_text()

    def refused(self) -> int:
        return int(self.status.get()["counters"]["peers_refused_total"])

    def check(self) -> str:
        return subprocess.run([DAEMON, "-c", str(self.conf), "-t"],
                              capture_output=True, text=True,
                              timeout=60).stdout


@pytest.fixture(scope="module")
def server(shared_place: Place) -> Server:
    return Server(shared_place)


def test_every_socket_is_served(server: Server) -> None:
    for port in server.ports[:3]:
        for _ in range(2):
            client = FastCgiClient(("127.0.0.1", port))
            assert client.value("6 * 7") == 42
    assert server.place.client().value("6 * 7") == 42  # the unix socket


def test_a_client_that_hangs_up_ends_its_program(server: Server) -> None:
    with Peer(("127.0.0.1", server.ports[0])) as peer:
        assert peer.send(run(FOREVER))
        wait_until(lambda: server.status.busy() == 1, PATIENCE_S,
                   "the program does not run")
        time.sleep(0.3)
        assert server.status.busy() == 1
    wait_until(lambda: server.status.busy() == 0, PATIENCE_S,
               "the program goes on")


@pytest.mark.skipif(not has_ipv6(), reason="this host has no ::1")
def test_a_peer_that_is_not_allowed_is_closed_unread(server: Server) -> None:
    before = server.refused()
    with Peer(("::1", server.ports[3])) as peer:
        peer.send(run("6 * 7"))
        answer = peer.finish(PATIENCE_S)
    assert answer.data == b"" and not answer.late
    wait_until(lambda: server.refused() == before + 1, PATIENCE_S,
               "it is not counted")
    assert "connection refused: address=::1 is not in " in server.log()
    assert FastCgiClient(("127.0.0.1", server.ports[0])).value("1") == 1


def test_the_log_warns_of_the_protocol(server: Server) -> None:
    assert f"FastCGI on tcp://127.0.0.1:{server.ports[0]} has no encryption" \
        in server.log()


def test_the_check_tells_of_a_port_that_is_taken(server: Server) -> None:
    lines = [line for line in server.check().splitlines()
             if "tcp sockets" in line]
    assert len(lines) == 1 and lines[0].startswith("without"), lines
    assert "no fault if that is the server to be reloaded" in lines[0]


@pytest.mark.parametrize("listen, verdict, word", [
    ("", "ok", "unix socket alone"),
    ("tcp://127.0.0.1:{}", "advice", "every user of this host"),
    ("tcp://0.0.0.0:{}", "advice", "no other host can read"),
    ("tcp://192.0.2.1:{}", "MISSING", "192.0.2.1"),
])
def test_the_check_tries_each_address(tmp_path: Path, listen: str,
                                      verdict: str, word: str) -> None:
    conf = tmp_path / "t.conf"
    conf.write_text("[server]\nlisten = " + listen.format(free_ports(1)[0]))
    said = subprocess.run([DAEMON, "-c", str(conf), "-t"], text=True,
                          capture_output=True, timeout=60).stdout
    line = [x for x in said.splitlines() if "tcp sockets" in x][0]
    assert line.startswith(verdict) and word in line, line


def test_a_stop_refuses_new_connections_at_once(server: Server) -> None:
    """The last test of this server: a program runs on meanwhile."""
    master = int((server.place.prefix / "terrariumd.pid").read_text())
    with Peer(("127.0.0.1", server.ports[1])) as peer:
        assert peer.send(run("import time; time.sleep(2); print('done')"))
        wait_until(lambda: server.status.busy() == 1, PATIENCE_S,
                   "the program does not run")
        os.kill(master, signal.SIGQUIT)
        end = time.monotonic() + 1.5
        refused = False
        while not refused and time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", server.ports[1])).close()
            except ConnectionRefusedError:
                refused = True
        assert refused
        assert b"done" in peer.finish(PATIENCE_S).data
    wait_until(lambda: has_ended(master), PATIENCE_S, "it does not end")
    assert "worker died" not in server.log()
