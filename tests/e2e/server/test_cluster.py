"""Several hosts behind one nginx (conf/nginx): a host that is killed, drained,
unplugged, slow or full, sessions that stay on their host, and certificates.
Starts servers of its own, each in a network namespace."""

from __future__ import annotations

import concurrent.futures
import contextlib
import http.client
import json
import os
import signal
import socket
import ssl
import subprocess
import threading
from pathlib import Path
from typing import Callable, Iterator, Optional

import pytest
from client import JSON, Client, Reply, head
from cluster import (NAMES, PATIENCE_S, PORTS, Front, Host, needs_hosts, post,
                     served_by, started)
from conftest import find_process, has_ended, wait_until
from fastcgi_peer import names, request

pytestmark = needs_hosts
FOREVER = "import time\nwhile True: time.sleep(0.1)"
SLEEP = "import time; time.sleep(8); 'slept'"
# It ends at once on any other host.
STAY = """import time, where
while where.NAME == %r:
    time.sleep(0.1)
where.NAME"""
RAN = "which may have run"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory
            ) -> Iterator[tuple[Front, list[Host]]]:
    folder = tmp_path_factory.mktemp("cluster")
    folder.chmod(0o755)
    yield from started(folder)


@pytest.fixture
def front(cluster: tuple[Front, list[Host]]) -> Front:
    """All hosts serve: none is left out for a failure in the test before."""
    front, hosts = cluster
    missing = {host.name for host in hosts}

    def all_serve() -> bool:
        missing.difference_update(served_by(hosts, good(front.client())))
        return not missing
    wait_until(all_serve, PATIENCE_S, "one of them serves nothing")
    calm(hosts)
    return front


@pytest.fixture
def hosts(cluster: tuple[Front, list[Host]]) -> list[Host]:
    return cluster[1]


def good(client: Client, code: str = "6 * 7", key: str = "") -> Reply:
    reply = post(client, code, key)
    assert reply.status == 200 and reply.json()["success"], reply.body[:500]
    return reply


class Calls:
    """Calls in threads: some that are waited for, and with `steady` two
    clients that send one call after another."""

    def __init__(self, client: Client) -> None:
        self.client, self.ended = client, threading.Event()
        self.pool = concurrent.futures.ThreadPoolExecutor(8)
        self.statuses: list[int] = []

    def __enter__(self) -> Calls:
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.pool.shutdown()

    def begin(self, code: str, key: str = ""
              ) -> concurrent.futures.Future[Reply]:
        return self.pool.submit(post, self.client, code, key)

    def go_on(self) -> None:
        while not self.ended.is_set():
            self.statuses.append(post(self.client, "6 * 7").status)

    def steady(self) -> Calls:
        for _ in range(2):
            self.pool.submit(self.go_on)
        return self

    def more(self, count: int) -> None:
        """COUNT of the steady calls go by, and all of them are good."""
        goal = len(self.statuses) + count
        wait_until(lambda: len(self.statuses) >= goal, PATIENCE_S,
                   "the calls go on")
        assert set(self.statuses) == {200}


def busy(hosts: list[Host]) -> list[Host]:
    return [host for host in hosts if host.status().busy()]


def calm(hosts: list[Host]) -> None:
    """A worker is busy for a moment after its answer."""
    wait_until(lambda: not busy(hosts), PATIENCE_S, "they are busy")


def one_busy(hosts: list[Host]) -> Host:
    """The host on which the one program runs."""
    wait_until(lambda: len(busy(hosts)) == 1, PATIENCE_S, "none runs it")
    return busy(hosts)[0]


def its_fork_server(host: Host) -> int:
    """The process that forked the guest of the one program."""
    def guests() -> list[int]:
        return [row["guest"] for row in host.status().get()["workers"]
                if row["state"] == "busy" and row["guest"]]
    wait_until(lambda: len(guests()) == 1, PATIENCE_S, "no guest runs it")
    guest = find_process(guests()[0])
    assert guest
    return guest.parent


# ---- the way to a host -----------------------------------------------------


def test_calls_without_sessions_go_to_all_hosts(front: Front,
                                                hosts: list[Host]) -> None:
    replies = [good(front.client()) for _ in range(9)]
    assert {name for reply in replies for name in served_by(hosts, reply)} \
        == {host.name for host in hosts}
    assert {tuple(front.tries(reply)) for reply in replies} == {("200",)}
    assert front.client().request("GET", "/health").status == 200


def answer(host: Host, certificate: Optional[Path],
           key: Optional[Path] = None) -> bytes:
    """What the host's port answers to a program."""
    context = ssl.create_default_context(
        cafile=str(host.certificates / "ca.crt"))
    context.verify_flags |= ssl.VERIFY_X509_STRICT  # as of Python 3.13
    if certificate:
        context.load_cert_chain(certificate, key)
    body = json.dumps({"code": "6 * 7"}).encode()
    data = b""
    with contextlib.suppress(ssl.SSLError, ConnectionError), \
            socket.create_connection((host.address, PORTS["fastcgi"]),
                                     PATIENCE_S) as plain, \
            context.wrap_socket(plain, server_hostname=host.name) as tls:
        tls.sendall(request(body, names(body, TERRARIUM_CLIENT="alice")))
        while piece := tls.recv(65536):
            data += piece
    return data


def test_a_host_takes_no_client_without_the_fronts_certificate(
        front: Front, hosts: list[Host]) -> None:
    host, folder = hosts[0], hosts[0].certificates
    assert b'"final_expression":42' in answer(
        host, folder / "front.crt", folder / "front.key")
    assert answer(host, None) == b""
    # of another authority, and of a host
    assert answer(host, front.certificate,
                  front.certificate.with_suffix(".key")) == b""
    assert answer(host, folder / "host2.crt", folder / "host2.key") == b""


def test_a_host_takes_no_client_from_another_address(
        front: Front, hosts: list[Host]) -> None:
    host, folder = hosts[0], hosts[0].certificates
    words = ["openssl", "s_client", "-brief", "-connect",
             f"{host.address}:{PORTS['fastcgi']}", "-cert",
             str(folder / "front.crt"), "-key", str(folder / "front.key")]
    for inside, agreed in ((True, False), (False, True)):
        said = subprocess.run([*host.inside, *words] if inside else words,
                              stdin=subprocess.DEVNULL, timeout=PATIENCE_S,
                              capture_output=True, text=True).stderr
        assert ("Protocol version: TLSv1.3" in said) == agreed, said


def test_a_host_with_anothers_certificate_gets_no_program(
        front: Front, hosts: list[Host]) -> None:
    false = hosts[2]
    false.stop_nginx()
    false.start_nginx(certificate="host2")
    replies = [good(front.client()) for _ in range(6)]
    assert ["502", "200"] in [front.tries(reply) for reply in replies]
    assert all(false.name not in served_by(hosts, reply) for reply in replies)
    false.stop_nginx()
    false.start_nginx()


# ---- sessions --------------------------------------------------------------


def test_a_session_stays_on_its_host(front: Front, hosts: list[Host]) -> None:
    """Its calls, and those of its branches, have one Session-Key."""
    client, places = front.client(), set()
    for number in range(10):
        name = f"session-{number}"
        replies = [post(client, code, name, session=name) for code in
                   ("n = 1; n", "n += 1; n", "n += 1; n")]
        assert [reply.json()["final_expression"] for reply in replies] == \
            [1, 2, 3], replies[-1].body
        found = {tuple(served_by(hosts, reply)) for reply in replies}
        assert len(found) == 1
        places |= found
    assert len(places) > 1
    forked = client.request(
        "POST", "/fork", json.dumps({"user_uuid": "session-0",
                                     "new_uuid": "branch"}),
        {**JSON, "Session-Key": "session-0"})
    assert forked.status == 200, forked.body
    assert post(client, "n", "session-0",
                session="branch").json()["final_expression"] == 3


def test_a_session_without_a_key_is_refused(front: Front,
                                            hosts: list[Host]) -> None:
    """It would be another one at each call."""
    for path, fields in (
            ("/", {"code": "1", "session": "s"}),
            ("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                      "params": {"name": "run_python", "arguments":
                                 {"code": "1", "session": "s"}}})):
        reply = front.client().request(
            "POST", path, json.dumps(fields),
            {**JSON, "Accept": "application/json, text/event-stream"})
        assert b"Session-Key" in reply.body, reply.body
        assert reply.status == 400 or path == "/mcp"


def test_clients_of_the_code_interpreter_need_no_key(
        front: Front, hosts: list[Host]) -> None:
    """All sessions of one client are on one host; with keys they need not
    be."""
    client = front.client("bob")

    def places(key: Callable[[int], dict[str, str]]) -> set[str]:
        found = set()
        for number in range(10):
            reply = client.request("POST", "/execute", json.dumps(
                {"code": "1", "user_uuid": f"u-{number}"}),
                {**JSON, **key(number)})
            assert reply.status == 200, reply.body
            found |= set(served_by(hosts, reply))
        return found
    assert len(places(lambda _: {})) == 1
    assert len(places(lambda number: {"Session-Key": str(number)})) > 1


# ---- hosts that are full or slow, and answers that are final ---------------


def test_a_slow_host_gets_no_more_calls(front: Front,
                                        hosts: list[Host]) -> None:
    """A host where one call waits has more of them than the others."""
    slow = hosts[0]
    with slow.ask(FOREVER, "x"), slow.ask(FOREVER, "y"), \
            Calls(front.client()) as calls:
        wait_until(lambda: slow.status().busy() == 2, PATIENCE_S, "it is busy")
        while not slow.waiting():
            call = calls.begin("6 * 7")
            wait_until(lambda: call.done() or slow.waiting() > 0, PATIENCE_S,
                       "it neither waits nor ends")
        for _ in range(12):
            assert slow.name not in served_by(hosts, good(front.client()))
        assert not call.done()
        for worker in slow.status().workers("busy"):
            os.kill(worker, signal.SIGKILL)
        assert call.result().status == 200
        assert served_by(hosts, call.result()) == [slow.name]


def test_a_503_of_a_full_host_is_tried_elsewhere(
        front: Front, hosts: list[Host]) -> None:
    full = hosts[1]
    full.down()
    full.up("pool.client_waiting=1")
    with contextlib.ExitStack() as held:
        def is_full() -> bool:
            """One more runs or waits, or is refused."""
            peer = held.enter_context(full.ask(FOREVER, "alice"))
            peer.sock.settimeout(1)
            with contextlib.suppress(socket.timeout):
                return b"Status: 503" in peer.sock.recv(65536)
            return False
        wait_until(is_full, PATIENCE_S, "it is not full")
        tries = [front.tries(good(front.client())) for _ in range(9)]
        assert ["503", "200"] in tries
        assert all(one in (["200"], ["503", "200"]) for one in tries), tries
    full.down()
    full.up()


def test_no_other_status_is_tried_again(front: Front,
                                        hosts: list[Host]) -> None:
    """501 of a path, and 500 of a run: without its fork server nothing knows
    the exit status of a program."""
    reply = front.client().request("GET", "/api/v2/connect")
    assert reply.status == 501
    assert front.tries(reply) == ["501"]
    assert len(served_by(hosts, reply)) == 1
    calm(hosts)
    with Calls(front.client()) as calls:
        call = calls.begin("import os, time; time.sleep(5); os._exit(3)")
        host = one_busy(hosts)
        os.kill(its_fork_server(host), signal.SIGKILL)
        assert call.result().status == 500
        assert front.tries(call.result()) == ["500"]


def test_a_program_that_ends_its_worker_reaches_two_hosts(
        front: Front, hosts: list[Host]) -> None:
    with Calls(front.client()) as calls:
        reached: list[Host] = []
        call = calls.begin(FOREVER)
        for _ in range(2):
            host = one_busy([one for one in hosts if one not in reached])
            reached.append(host)
            worker, = host.status().workers("busy")
            os.kill(worker, signal.SIGKILL)
        reply = call.result()
    assert reply.status == 503
    assert front.tries(reply) == ["502", "502"]
    assert RAN in reply.json()["error"]["message"]
    assert reply.header("Retry-After") is None
    calm(hosts)


# ---- hosts that go ---------------------------------------------------------


def test_a_line_takes_a_host_out(front: Front, hosts: list[Host]) -> None:
    front.set_down("host1")
    try:
        client = front.client()
        for number in range(8):
            for key in ("", f"key-{number}"):
                found = served_by(hosts, good(client, key=key))
                assert "host1" not in found
    finally:
        front.set_down()


def test_no_call_fails_while_a_host_is_drained(front: Front,
                                               hosts: list[Host]) -> None:
    with Calls(front.client()) as calls:
        call = calls.begin(SLEEP)
        host = one_busy(hosts)
        calls.steady()
        master = host.master()
        os.kill(master, signal.SIGQUIT)
        health = host.status().client
        wait_until(lambda: health.request("GET", "/health").status == 503,
                   PATIENCE_S, "it is not drained")
        assert b"draining" in health.request("GET", "/health").body
        calls.more(20)
        # The run that was there goes on to its end, where it was.
        reply = call.result()
        assert reply.json()["final_expression"] == "slept"
        assert front.tries(reply) == ["200"]
        wait_until(lambda: has_ended(master), PATIENCE_S, "it does not end")
        calls.more(20)
        assert front.client().request("GET", "/health").status == 200
    assert set(calls.statuses) == {200}
    host.down()
    host.up()


def key_of(front: Front, hosts: list[Host], host: Host) -> str:
    """A Session-Key whose calls go to HOST."""
    for number in range(100):
        key = f"key-{number}"
        if served_by(hosts, good(front.client(), key=key)) == [host.name]:
            return key
    raise AssertionError(f"no key of {host.name}")


def test_no_call_without_a_session_fails_when_a_host_is_killed(
        front: Front, hosts: list[Host]) -> None:
    """One that runs there is run again on another host. A call of a session
    is not: it is 503, and says so."""
    host = hosts[0]
    key = key_of(front, hosts, host)
    calm(hosts)
    # A client has one of the two workers.
    with Calls(front.client()) as calls, Calls(front.client("bob")) as bob:
        kept = calls.begin(STAY % host.name, key)
        wait_until(lambda: host.status().busy() == 1, PATIENCE_S, "it runs")
        while host.status().busy() < 2:
            lone = bob.begin(STAY % host.name)
            wait_until(lambda: lone.done() or host.status().busy() == 2,
                       PATIENCE_S, "it neither runs there nor ends")
        host.kill()
        assert lone.result().status == 200
        assert lone.result().json()["final_expression"] in NAMES[1:]
        assert front.tries(lone.result()) == ["502", "200"]
        assert kept.result().status == 503
        assert front.tries(kept.result()) == ["502"]
        assert RAN in kept.result().json()["error"]["message"]
        calls.steady().more(30)
    assert set(calls.statuses) == {200}
    # Its sessions are gone, and begin anew elsewhere.
    wait_until(lambda: post(front.client(), "1", key).status == 200,
               PATIENCE_S, "the key gets another host")
    host.up()
    wait_until(lambda: served_by(hosts, post(front.client(), "1", key)) ==
               [host.name], PATIENCE_S, "the key does not come back")


def test_an_answer_that_has_begun_is_cut_and_says_so(
        front: Front, hosts: list[Host]) -> None:
    """It has fewer bytes than its Content-Length, and runs once."""
    code = "import os; open('big', 'wb').write(os.urandom(31 << 20))"
    body = json.dumps({"code": code}).encode()
    client = front.client()
    with client.socket(PATIENCE_S) as sock:
        sock.sendall(head("POST", "/", {"Host": "localhost", **JSON,
                                        **client.credentials()}, len(body)))
        sock.sendall(body)
        response = http.client.HTTPResponse(sock)
        response.begin()
        host = one_busy(hosts)  # that waits for its reader
        host.stop_nginx(signal.SIGKILL)
        length = int(response.headers["Content-Length"])
        read = 0
        with contextlib.suppress(http.client.IncompleteRead, ConnectionError,
                                 ssl.SSLError):
            while piece := response.read1(1 << 20):
                read += len(piece)
        assert 0 < read < length
    found = front.logged(str(response.headers["X-Request-Id"]))
    assert found["worker_status"] == "200"
    host.start_nginx()


def test_no_call_fails_when_a_host_is_unplugged(front: Front,
                                                hosts: list[Host]) -> None:
    """It refuses nothing and answers nothing: some calls wait for
    proxy_connect_timeout."""
    host = hosts[2]
    plug = ["ip", "-n", host.netns, "link", "set", "eth0"]
    subprocess.run([*plug, "down"], check=True)
    try:
        with Calls(front.client()) as calls:
            calls.steady().more(30)
        assert set(calls.statuses) == {200}
    finally:
        subprocess.run([*plug, "up"], check=True)
