"""Streams of MCP's old transport on servers of the tests' own: clients that
leave or do not read, other clients, reloads, and the death of the process."""

from __future__ import annotations

import base64
import json
import os
import re
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any, Iterator

import pytest
from client import Client
from conftest import Status, wait_until
from event_streams import EventStream, NoStream
from fastcgi_peer import begin, pairs, record, PARAMS, STDIN, stream
from own_server import DAEMON, ROOT, Place
from ports import free_ports
from test_client_share import accepts, children

FOREVER = "import time\nwhile True: time.sleep(1)"
LONG_S = 60.0
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


class Server:
    def __init__(self, place: Place, extra: str = "") -> None:
        self.place = place
        started = place("start", CONF_EXTRA=extra)
        assert started.returncode == 0, started.stderr
        self.client = place.client()
        self.status = Status(place.assignments()["TERRARIUM_STATUS_URL"])

    def log(self) -> str:
        return (self.place.prefix / "log/terrarium.log").read_text()

    def streams(self) -> int:
        """The process that holds streams, which has begun."""
        return int(self.status.get()["streams"])

    def conf(self, name: str) -> str:
        text = (self.place.prefix / "terrarium.conf").read_text()
        found = re.search(rf"^{name} = (.*)$", text, re.M)
        assert found is not None
        return found[1]

    def socket(self) -> str:
        return self.conf("status_socket").replace("status.sock",
                                                  "streams.sock")

    def outcomes(self, name: str) -> int:
        return int(self.status.get()["counters"]["runs"][name])

    def reload(self) -> None:
        done = subprocess.run(
            [DAEMON, "-c", str(self.place.prefix / "terrarium.conf"),
             "--reload"], capture_output=True, text=True, timeout=180)
        assert done.returncode == 0, done.stderr

    def reload_nginx(self) -> None:
        master = int((self.place.prefix / "nginx.pid").read_text())
        before = children(master)
        os.kill(master, signal.SIGHUP)
        wait_until(lambda: children(master) - before and
                   not any(accepts(pid) for pid in before), 30,
                   "nginx has its new configuration")

    def other_client(self, name: str, *limits: str) -> Client:
        made = subprocess.run(
            [str(ROOT / "conf/add-token"), "-f",
             str(self.place.prefix / "etc/tokens.map"), name, *limits],
            check=True, capture_output=True, text=True)
        self.reload_nginx()
        given = self.place.assignments()
        return Client(given["TERRARIUM_URL"], made.stdout.strip(),
                      given["TERRARIUM_CACERT"])


@pytest.fixture(scope="module")
def server(shared_place: Place) -> Iterator[Server]:
    yield Server(shared_place)


def begun(server: Server, client: Client) -> EventStream:
    """A stream, once there is room for it."""
    found: list[EventStream] = []

    def try_it() -> bool:
        try:
            found.append(EventStream(client))
        except NoStream as error:
            assert error.reply.status in (502, 503)
            return False
        return True

    wait_until(try_it, LONG_S, "a stream begins")
    return found[0]


# -- clients


def test_a_client_that_leaves_ends_its_runs(server: Server) -> None:
    before = server.outcomes("cancelled")
    stream_ = begun(server, server.client)
    for _ in range(2):
        stream_.start(FOREVER)
    wait_until(lambda: server.status.busy() == 2, LONG_S, "both run")
    stream_.close()
    # Long before their limit of time.
    wait_until(lambda: server.outcomes("cancelled") == before + 2, 15,
               "both have ended")
    wait_until(lambda: server.status.busy() == 0, LONG_S, "workers are free")


def test_a_client_that_does_not_read_loses_its_stream(
        server: Server) -> None:
    stream_ = begun_without_reading(server)
    large = "print('\U0001f600' * 19000)"  # 12 bytes each, as ASCII
    status, sent = 202, 0
    while status == 202 and sent < 400:
        reply = stream_.send({
            "jsonrpc": "2.0", "id": sent, "method": "tools/call",
            "params": {"name": "python", "arguments": {"code": large}}})
        status, sent = reply.status, sent + 1
    assert status == 404
    assert "reason=slow" in server.log() or "reason=left" in server.log()
    assert sent > 4
    wait_until(lambda: server.status.busy() == 0, LONG_S, "workers are free")
    with begun(server, server.client) as other:
        assert other.text("1") == "1"
    stream_.close()


def begun_without_reading(server: Server) -> EventStream:
    return EventStream(server.client, reads=False)


def test_the_stream_of_another_client_is_not_there(server: Server) -> None:
    other = server.other_client("other")
    with begun(server, server.client) as mine, begun(server, other) as theirs:
        body = json.dumps(PING)
        headers = {"Content-Type": "application/json"}
        for client, path in ((other, mine.path), (server.client, theirs.path)):
            reply = client.request("POST", path, body, headers)
            assert reply.status == 404
        assert mine.ask("ping")["result"] == {}
        assert theirs.ask("ping")["result"] == {}
        assert mine.events.empty() and theirs.events.empty()


def test_a_token_for_another_door(server: Server) -> None:
    narrow = server.other_client("narrow", "--door", "native")
    assert narrow.value("1") == 1
    with pytest.raises(NoStream) as refused:
        EventStream(narrow)
    assert refused.value.reply.status == 403
    assert narrow.request("POST", "/messages", "{}").status == 403
    with begun(server, server.other_client("mcp", "--door", "mcp")) as found:
        assert found.text("1") == "1"


def test_the_death_of_a_worker_is_an_error(server: Server) -> None:
    with begun(server, server.client) as found:
        number = found.start(FOREVER)
        wait_until(lambda: server.status.busy() == 1, LONG_S, "it runs")
        (worker,) = server.status.workers("busy")
        os.kill(worker, signal.SIGKILL)
        got = found.message()
        assert (got["id"], got["error"]["code"]) == (number, -32603)
        assert "may have run" in got["error"]["message"]
        assert found.text("1") == "1"


# -- all streams of the server, straight to the process


def ask(path: str, **params: str) -> socket.socket:
    peer = socket.socket(socket.AF_UNIX)
    peer.settimeout(LONG_S)
    peer.connect(path)
    given = {"REQUEST_METHOD": "GET", "DOCUMENT_URI": "/sse",
             "CONTENT_LENGTH": "", **params}
    peer.sendall(begin() + stream(PARAMS, pairs(given.items())) +
                 record(STDIN))
    return peer


def head(peer: socket.socket) -> bytes:
    return peer.recv(4096)


def test_the_65th_stream_is_refused(server: Server) -> None:
    wait_until(lambda: server.status.get()["streams open"] == 0, LONG_S,
               "the streams of other tests have ended")
    held = [ask(server.socket(), TERRARIUM_CLIENT=f"c{i // 8}")
            for i in range(64)]
    try:
        assert all(b"200 OK" in head(peer) for peer in held)
        assert server.status.get()["streams open"] == 64
        with ask(server.socket(), TERRARIUM_CLIENT="late") as late:
            text = head(late)
            assert b"503" in text and b"Retry-After: 1" in text
        held.pop().close()
        wait_until(lambda: server.status.get()["streams open"] == 63, LONG_S,
                   "one has ended")
        held.append(ask(server.socket(), TERRARIUM_CLIENT="late"))
        assert b"200 OK" in head(held[-1])
    finally:
        for peer in held:
            peer.close()


@pytest.mark.parametrize("params, status", [
    ({"REQUEST_METHOD": "POST"}, b"405"), ({"DOCUMENT_URI": "/"}, b"404"),
    ({"TERRARIUM_CLIENT": ""}, b"403"), ({"TERRARIUM_OWNER": "x" * 96}, b"403"),
    ({"CONTENT_LENGTH": "5"}, b"400"), ({"CONTENT_LENGTH": "x"}, b"400"),
    ({"CONTENT_LENGTH": "9999"}, b"413")])
def test_bad_requests(server: Server, params: Any, status: bytes) -> None:
    with ask(server.socket(), **{"TERRARIUM_CLIENT": "c", **params}) as peer:
        assert b"Status: " + status in head(peer)


def test_bytes_that_are_no_request(server: Server) -> None:
    for data in (b"", b"GET / HTTP/1.1\r\n\r\n", b"\x01" * 100):
        with socket.socket(socket.AF_UNIX) as peer:
            peer.connect(server.socket())
            peer.sendall(data)
    with begun(server, server.client) as after:
        assert after.ask("ping")["result"] == {}


def test_the_process_has_the_wall_of_the_status_process(
        server: Server) -> None:
    def facts(pid: int) -> dict[str, str]:
        text = Path(f"/proc/{pid}/status").read_text()
        return {name: value for name, value in
                re.findall(r"^(\w+):[ \t]*(.*)$", text, re.M)
                if name in ("Uid", "Gid", "Groups", "CapEff", "CapPrm",
                            "NoNewPrivs", "Seccomp", "Seccomp_filters")}

    now = server.status.get()
    assert facts(now["streams"]) == facts(now["status"])


# -- the plain listener, as vLLM uses it


def test_a_program_that_can_use_nothing_but_a_url(server: Server) -> None:
    """The token as Basic, on the GET and on each POST, without TLS."""
    (port,) = free_ports(1)
    conf = server.place.prefix / "nginx.conf"
    text = conf.read_text()
    assert "#listen 127.0.0.1:8082;" in text
    conf.write_text(text.replace("#listen 127.0.0.1:8082;",
                                 f"listen 127.0.0.1:{port};"))
    try:
        server.reload_nginx()
        plain = Client(f"http://127.0.0.1:{port}/", None)
        pair = f"local:{server.client.token}".encode()
        basic = {"Authorization": "Basic " + base64.b64encode(pair).decode()}
        plain.credentials = lambda: basic  # type: ignore[method-assign]
        with begun(server, plain) as found:
            assert found.ask("initialize", protocolVersion="2024-11-05")[
                "result"]["serverInfo"]["name"] == "python"
            assert found.text("6 * 7") == "42"
        assert plain.request("GET", "/sse", auth=False).status == 401
    finally:
        conf.write_text(text)
        server.reload_nginx()


# -- the life of the process; these tests come last


def test_a_reload_ends_streams_after_their_calls(server: Server) -> None:
    former = server.streams()
    idle = begun(server, server.client)
    busy = begun(server, server.client)
    busy.start("import time; time.sleep(2)\n'whole'")
    wait_until(lambda: server.status.busy() == 1, LONG_S, "it runs")
    server.reload()
    assert idle.has_ended(), idle.broken
    got = busy.message()
    assert got["result"]["content"][0]["text"] == "'whole'"
    assert busy.has_ended(), busy.broken
    wait_until(lambda: server.streams() != former, LONG_S, "another one")
    assert idle.send(PING).status == 404
    with begun(server, server.client) as after:
        assert after.text("1") == "1"
    idle.close()
    busy.close()


def test_a_reload_does_not_wait_long_for_calls(server: Server) -> None:
    before = server.outcomes("cancelled")
    busy = begun(server, server.client)
    busy.start(FOREVER)
    wait_until(lambda: server.status.busy() == 1, LONG_S, "it runs")
    server.reload()
    busy.has_ended()
    wait_until(lambda: server.outcomes("cancelled") == before + 1, LONG_S,
               "its run has ended")
    busy.close()


def test_another_process_follows_one_that_died(server: Server) -> None:
    before = server.outcomes("cancelled")
    lost = begun(server, server.client)
    lost.start(FOREVER)
    wait_until(lambda: server.status.busy() == 1, LONG_S, "it runs")
    former = server.streams()
    os.kill(former, signal.SIGKILL)
    lost.has_ended()
    wait_until(lambda: server.outcomes("cancelled") == before + 1, 15,
               "its run has ended")
    wait_until(lambda: server.streams() != former, LONG_S, "another one")
    assert "streams process died" in server.log()
    assert lost.send(PING).status == 404
    with begun(server, server.client) as after:
        assert after.text("1") == "1"
    lost.close()


def test_a_stop_ends_streams(server: Server) -> None:
    idle = begun(server, server.client)
    busy = begun(server, server.client)
    busy.start("import time; time.sleep(2)\n'whole'")
    wait_until(lambda: server.status.busy() == 1, LONG_S, "it runs")
    master = server.status.get()["master"]
    path = server.socket()
    os.kill(master, signal.SIGQUIT)
    assert idle.has_ended(), idle.broken
    assert busy.message()["result"]["content"][0]["text"] == "'whole'"
    assert busy.has_ended(), busy.broken
    wait_until(lambda: not Path(f"/proc/{master}").exists(), LONG_S,
               "the server has stopped")
    assert not Path(path).exists()
    idle.close()
    busy.close()


def test_without_sessions(place: Place) -> None:
    server = Server(place, "sessions.max=0")
    with begun(server, server.client) as found:
        assert found.text("print(1)\n2") == "1\n2"
