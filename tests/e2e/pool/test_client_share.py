"""One client's requests do not keep the others waiting: a greedy one with as
many connections as nginx lets it have, and polite ones."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest
from client import Client, Reply
from conftest import Status, below, wait_until
from own_server import ROOT, Place

pytestmark = pytest.mark.timed

SLEEP = "import time\ntime.sleep(29)"
GREEDY = 128  # of nginx.conf.example: default_open
WAITING = 64  # pool.client_waiting
POLITE = 20
FAST = "guest.preload=json;guest.freeze=no"


def children(pid: int) -> set[int]:
    return {int(word) for word in Path(
        f"/proc/{pid}/task/{pid}/children").read_text().split()}


def accepts(pid: int) -> bool:
    """Of a worker of nginx's; one that shuts down takes nothing new."""
    try:
        title = Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return False
    return bool(title) and "shutting down" not in title


def client_of(place: Place, name: str) -> Client:
    """A client with a token of its own."""
    made = subprocess.run(
        [str(ROOT / "conf/add-token"), "-f",
         str(place.prefix / "etc/tokens.map"), name],
        check=True, capture_output=True, text=True)
    master = int((place.prefix / "nginx.pid").read_text())
    before = children(master)
    os.kill(master, signal.SIGHUP)
    wait_until(lambda: children(master) - before and
               not any(accepts(pid) for pid in before), 10,
               "all of nginx knows the token")
    given = place.assignments()
    return Client(given["TERRARIUM_URL"], made.stdout.strip(),
                  given["TERRARIUM_CACERT"])


def begin(place: Place, extra: str = "", **env: str) -> Status:
    started = place("start", CONF_EXTRA=f"{FAST};{extra}".rstrip(";"),
                    **env)
    assert started.returncode == 0, started.stderr
    return Status(place.assignments()["TERRARIUM_STATUS_URL"])


def waiting(status: Status) -> int:
    return int(status.pool()["waiting"])


def occupy(client: Client, count: int) -> list[socket.socket]:
    return [client.begin(SLEEP) for _ in range(count)]


def seconds(client: Client) -> list[float]:
    """How long each of many calls took, twenty at a time, of which the
    slowest come last."""
    took: list[float] = []

    def ask() -> None:
        for _ in range(5):
            reply = client.request("POST", "/", '{"code": "1 + 1"}')
            assert reply.status == 200, reply.body
            assert reply.json()["final_expression"] == 2
            took.append(reply.seconds)

    threads = [threading.Thread(target=ask) for _ in range(POLITE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(took) == 5 * POLITE
    return sorted(took)


def test_a_greedy_client_slows_no_other(place: Place) -> None:
    status = begin(place)
    polite, greedy = client_of(place, "polite"), client_of(place, "greedy")
    alone = min(seconds(polite)[-1] for _ in range(2))
    socks = occupy(greedy, GREEDY)
    first = polite.request("POST", "/", '{"code": "1 + 1"}')
    assert first.status == 200 and first.seconds < 3, first.seconds
    wait_until(lambda: waiting(status) == WAITING, 10,
               "others of the greedy one's wait, and the rest is refused")
    # Half of the default; the polite one's end may be told a little later.
    wait_until(lambda: status.busy() == 8, 5, "the greedy one has eight")
    beside = min(seconds(polite)[-1] for _ in range(2))
    assert beside < max(2 * alone, 1.0), (alone, beside)
    # A client that hangs up is not kept.
    for sock in socks:
        sock.close()
    wait_until(lambda: waiting(status) == 0 and status.busy() == 0, 10,
               "all are gone")
    assert greedy.value("1 + 1") == 2


def test_each_further_client_leaves_some_for_the_next(place: Place) -> None:
    status = begin(place)
    socks = []
    for name, busy in (("one", 8), ("two", 12), ("three", 14)):
        client = client_of(place, name)
        socks += occupy(client, 20)
        wait_until(lambda: status.busy() == busy, 10, f"{busy} are busy")
    wait_until(lambda: waiting(status) == 60 - 14, 10, "the others wait")
    reply = client_of(place, "four").request("POST", "/",
                                             '{"code": "1 + 1"}')
    assert reply.status == 200 and reply.seconds < 3
    for sock in socks:
        sock.close()


def test_what_waited_is_served_in_turns(place: Place) -> None:
    """All answers come whole, in whatever order they waited."""
    status = begin(place, WORKERS="4", ARMED="2")
    clients = [client_of(place, name) for name in ("a", "b", "c")]
    replies: list[Reply] = []

    def ask(client: Client, number: int) -> None:
        code = "x = " + repr("y" * 200_000) + \
            f"\nimport time\ntime.sleep(.2)\n{number} + len(x)"
        replies.append(client.request("POST", "/",
                                      json.dumps({"code": code})))

    threads = [threading.Thread(target=ask, args=(client, number))
               for number, client in enumerate(clients) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [r.status for r in replies] == [200] * 24
    assert sorted(r.json()["final_expression"] for r in replies) == \
        [200_000] * 8 + [200_001] * 8 + [200_002] * 8
    assert max(r.json()["usage"]["queue_ms"] for r in replies) > 200
    assert status.get()["counters"]["queued_total"] > 0
    assert waiting(status) == 0


def test_too_many_that_wait_are_told(place: Place) -> None:
    status = begin(place, "pool.client_waiting=2", WORKERS="2", ARMED="2")
    client = client_of(place, "greedy")
    socks = occupy(client, 1)
    wait_until(lambda: status.busy() == 1, 10, "one runs")
    socks += occupy(client, 2)
    wait_until(lambda: waiting(status) == 2, 10, "two wait")
    reply = client.request("POST", "/", '{"code": "1 + 1"}')
    assert reply.status == 503 and reply.seconds < 3
    assert reply.header("Retry-After")
    assert reply.code() == "unavailable"
    assert status.get()["counters"]["client_refused_total"] >= 1
    log = (place.prefix / "log/terrarium.log").read_text()
    assert "client refused: client=greedy" in log
    assert client_of(place, "other").value("1 + 1") == 2
    for sock in socks:
        sock.close()


def test_the_queue_is_replaced(place: Place) -> None:
    status = begin(place, WORKERS="2", ARMED="2")
    client = client_of(place, "greedy")
    master = int((place.prefix / "terrariumd.pid").read_text())

    def queue() -> list[int]:
        return [one.pid for one in below(master) if one.name == "queue"]

    wait_until(lambda: len(queue()) == 1, 20, "there is one")
    first = queue()
    replies: list[Reply] = []
    sock = client.begin("import time\ntime.sleep(6)")
    wait_until(lambda: status.busy() == 1, 10, "one runs")
    lost = threading.Thread(target=lambda: replies.append(
        client.request("POST", "/", '{"code": "1 + 1"}')))
    lost.start()
    wait_until(lambda: waiting(status) == 1, 10, "one waits")
    os.kill(first[0], signal.SIGKILL)
    lost.join()
    assert replies[0].status in (502, 503)
    wait_until(lambda: queue() not in ([], first), 20, "there is another")
    assert client.value("1 + 1") == 2  # it waits, and is served
    sock.close()
    assert not Path(f"/proc/{first[0]}").exists()


def test_a_reload_keeps_what_waits(place: Place) -> None:
    status = begin(place, WORKERS="2", ARMED="2")
    client = client_of(place, "greedy")
    replies: list[Reply] = []
    sock = client.begin("import time\ntime.sleep(5)")
    wait_until(lambda: status.busy() == 1, 10, "one runs")
    kept = threading.Thread(target=lambda: replies.append(
        client.request("POST", "/", '{"code": "1 + 1"}')))
    kept.start()
    wait_until(lambda: waiting(status) == 1, 10, "one waits")
    os.kill(int((place.prefix / "terrariumd.pid").read_text()),
            signal.SIGHUP)
    began = time.monotonic()
    kept.join()
    assert replies[0].status == 200
    assert time.monotonic() - began < 20
    sock.close()


def test_workers_of_a_dead_zygote_are_given_back(place: Place) -> None:
    """No process is left to say that their client holds them no more."""
    status = begin(place, "pool.standby=no", WORKERS="4", ARMED="2")
    client = client_of(place, "one")
    socks = [client.begin("import time\ntime.sleep(3)") for _ in range(2)]
    wait_until(lambda: status.busy() == 2, 10, "two run")
    os.kill(status.get()["pool_pid"], signal.SIGKILL)
    wait_until(lambda: client.request(
        "POST", "/", '{"code": "1 + 1"}').status == 200, 30, "served again")
    for sock in socks:
        sock.close()


def test_a_reload_changes_no_bound_of_the_queue(place: Place) -> None:
    """The queue keeps its first bound; waiting requests are answered."""
    status = begin(place, "pool.client_waiting=2", WORKERS="2", ARMED="2")
    client = client_of(place, "greedy")
    conf = place.prefix / "terrarium.conf"
    conf.write_text(conf.read_text().replace("client_waiting = 2",
                                             "client_waiting = 64"))
    os.kill(status.get()["master"], signal.SIGHUP)
    wait_until(lambda: status.get()["generation"] > 1, 30, "reloaded")
    replies: list[Reply] = []
    code = json.dumps({"code": "import time\ntime.sleep(1)\n1"})
    threads = [threading.Thread(target=lambda: replies.append(
        client.request("POST", "/", code))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for reply in replies:
        assert reply.status == 200 or "too many" in reply.body.decode(), \
            reply.body


def test_refused_calls_leave_room_in_the_backlog(place: Place) -> None:
    """A greedy client asks again at once whenever the pool has refused it, on
    as many connections as nginx lets it have. No call of another is
    refused."""
    status = begin(place)
    polite, greedy = client_of(place, "polite"), client_of(place, "greedy")
    socks = occupy(greedy, WAITING + 8)
    wait_until(lambda: waiting(status) == WAITING, 10, "others wait")
    done = threading.Event()
    refused: list[int] = []

    def insist() -> None:
        while not done.is_set():
            refused.append(greedy.request(
                "POST", "/", '{"code": "1"}', wait=False).status)

    threads = [threading.Thread(target=insist)
               for _ in range(GREEDY - len(socks))]
    for thread in threads:
        thread.start()
    try:
        wait_until(lambda: len(refused) > len(threads), 20, "all insist")
        for _ in range(20):
            reply = polite.request("POST", "/", '{"code": "1 + 1"}')
            assert reply.status == 200, reply.body
    finally:
        done.set()
        for thread in threads:
            thread.join()
        for sock in socks:
            sock.close()
    assert set(refused) == {503}
