"""A process of the server's stands still (SIGSTOP): a client that waits for it
waits for a bounded time and learns whether its call may have run. Starts
servers of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path
from typing import Iterator

from client import Client, Reply, finish
from conftest import Status, below, has_ended, wait_until
from own_server import Place
from sessions import Caller, ask, begin, master_of

LIMIT_MS = 5000


@contextlib.contextmanager
def stopped(pid: int) -> Iterator[None]:
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def timed(call, *words, **fields) -> "tuple[Reply, float]":
    begun = time.monotonic()
    reply = call(*words, **fields)
    return reply, time.monotonic() - begun


def keeper(status: Status) -> int:
    rows = status.get()["sessions"]["list"]
    assert len(rows) == 1
    return rows[0]["keeper"]


def role(place: Place, name: str) -> int:
    """The one process of the server's that has this role, of the generation
    that serves."""
    found = []
    status = Status(place.assignments()["TERRARIUM_STATUS_URL"])
    pool_pid = status.get()["pool_pid"]
    for process in below(pool_pid):
        with contextlib.suppress(FileNotFoundError):  # a guest that is gone
            words = Path(f"/proc/{process.pid}/comm").read_text()
            found += [process.pid] if words == f"{name}\n" else []
    assert len(found) == 1
    return found[0]


def started(place: Place, *more: str) -> "tuple[Client, Status]":
    return begin(place, ";".join([
        "sessions.max=4", f"limits.timeout_ms={LIMIT_MS}",
        f"doors.code_interpreter_timeout_ms={LIMIT_MS}",
        *more]), WORKERS="8", ARMED="4")


def test_master(place: Place) -> None:
    client, status = started(place)
    caller = Caller(client, "a")
    caller.value("x = 1")
    with stopped(master_of(place)):
        assert client.value("1 + 1") == 2
        reply, took = timed(caller.try_run, "x += 1")
        assert (reply.status, reply.code()) == (503, "unavailable")
        assert "registry" in reply.json()["error"]["message"]
        assert reply.header("Retry-After") == "1"
        assert 4 < took < 9
        for path, fields in (
                ("/execute", {"user_uuid": "a", "code": "x += 1"}),
                ("/execute", {"user_uuid": "new", "code": "x = 1"}),
                ("/fork", {"user_uuid": "a", "new_uuid": "b"}),
                ("/release", {"user_uuid": "a"})):
            reply, took = timed(ask, client, path, **fields)
            assert reply.status == 503, (path, reply.body)
            assert list(reply.json()) == ["detail"]
            assert "registry" in reply.json()["detail"]
            assert reply.header("Retry-After") == "1"
            assert took < 9, path
    # Nothing of all that was done, and the next call is served.
    assert caller.value("x") == 1
    assert [row["calls"] for row in status.get()["sessions"]["list"]] == [2]


def test_keeper_of_an_idle_session(place: Place) -> None:
    client, status = started(place)
    caller = Caller(client, "a")
    caller.value("x = 1")
    with stopped(keeper(status)):
        reply, took = timed(caller.try_run, "x += 1")
        assert (reply.status, reply.code()) == (503, "unavailable")
        assert "does not answer" in reply.json()["error"]["message"]
        assert reply.header("Retry-After") == "1"
        assert 9 < took < 14
        reply = caller.fork("b")  # behind the first one, for all we know
        assert reply.status == 503, reply.body
        assert reply.header("Retry-After") == "1"
        assert Caller(client, "other").value("1 + 1") == 2
    assert caller.value("x") == 1
    assert caller.fork("b").status == 200
    assert Caller(client, "b").value("x") == 1


def test_keeper_of_a_call_that_runs(place: Place) -> None:
    client, status = started(place)
    caller = Caller(client, "a")
    caller.value("x = 1")
    begun = time.monotonic()
    sock = client.begin("import time\nx = 2\ntime.sleep(60)", session="a",
                        timeout_ms=3000)
    wait_until(lambda: status.get()["sessions"]["busy"] == 1, 5, "it runs")
    time.sleep(0.3)
    with stopped(keeper(status)):
        reply = finish(sock)
        assert (reply.status, reply.code()) == (500, "internal_error")
        assert "may have run" in reply.json()["error"]["message"]
        assert reply.header("Retry-After") is None
        assert time.monotonic() - begun < 25
    wait_until(lambda: status.get()["sessions"]["busy"] == 0, 10, "idle")
    assert caller.value("x") == 1  # rolled back: its worker had gone


def test_released_while_it_stands_still(place: Place) -> None:
    """A keeper that does not end its session is killed, and counts until it
    is dead; its client has its room back."""
    client, status = started(place, "sessions.per_client=2")
    callers = [Caller(client, name) for name in "ab"]
    for caller in callers:
        caller.value("x = 1")
    keepers = [row["keeper"] for row in status.get()["sessions"]["list"]]
    for pid in keepers:
        os.kill(pid, signal.SIGSTOP)
    begun = time.monotonic()
    for caller in callers:
        assert "ended" in caller.release()
    wait_until(lambda: status.get()["sessions"]["ending"] == 2, 2, "told")
    assert status.get()["sessions"]["open"] == 0
    wait_until(lambda: status.get()["sessions"]["ending"] == 0, 9, "dead")
    assert time.monotonic() - begun < 9
    assert not any(Path(f"/proc/{pid}").exists() for pid in keepers)
    for caller in callers:
        assert caller.value("'x' in globals()") is False


def test_keeper_that_never_ends_a_call(place: Place) -> None:
    """It is killed, released or not: its client is not without room."""
    client, status = started(place, "sessions.per_client=1")
    caller = Caller(client, "a")
    caller.value("x = 1")
    pid = keeper(status)
    sock = client.begin("while True: pass", session="a", timeout_ms=1000)
    wait_until(lambda: status.get()["sessions"]["busy"] == 1, 5, "it runs")
    os.kill(pid, signal.SIGSTOP)
    assert finish(sock).status == 500
    wait_until(lambda: status.get()["sessions"]["busy"] == 0,
               LIMIT_MS / 1000 + 35, "it was killed")
    assert not Path(f"/proc/{pid}").exists()
    assert Caller(client, "b").value("1 + 1") == 2


def test_nursery(place: Place) -> None:
    """No session can be started; those that there are go on."""
    client, status = started(place)
    caller = Caller(client, "a")
    caller.value("x = 1")
    with stopped(role(place, "session-forks")):
        reply, took = timed(Caller(client, "new").try_run, "1")
        assert reply.status == 503 and reply.header("Retry-After") == "1"
        assert "started in time" in reply.json()["error"]["message"]
        assert took < LIMIT_MS / 1000 + 4
        assert caller.value("x") == 1
    assert Caller(client, "new").value("1") == 1


def test_mold(place: Place) -> None:
    """It buries guests; those that are dead have files all the same."""
    client, status = started(place)
    wait_until(lambda: status.pool()["idle"] == 4, 10, "all are armed")
    with stopped(role(place, "fork-server")):
        begun = time.monotonic()
        out = client.run("open('f', 'w').write('text')").json()
        assert out["success"] and len(out["output_files"]) == 1
        assert time.monotonic() - begun < 9
        reply = client.post({"code": "import os\nos._exit(3)"})
        assert reply.status in (200, 500)
        assert time.monotonic() - begun < 20
    wait_until(lambda: status.pool()["idle"] == 4, 20, "armed again")
    assert client.value("1 + 1") == 2


def test_worker(place: Place) -> None:
    """One that stays stopped is killed: its slot comes back, its client learns
    it, and it is counted."""
    client, status = started(place, "limits.timeout_ms=1000")

    def killed() -> int:
        return status.get()["counters"]["workers_stopped_total"]

    sock = client.begin("import time\ntime.sleep(20)")
    wait_until(lambda: status.busy() == 1, 60, "it runs")
    worker = status.workers("busy")[0]
    guests = status.of_worker(worker)
    os.kill(worker, signal.SIGSTOP)
    wait_until(lambda: killed() == 1, 60, "it is killed")
    assert finish(sock).status in (502, 503)
    wait_until(lambda: status.busy() == 0 and all(map(has_ended, guests)),
               60, "its slot is free")
    log = (place.prefix / "log/terrarium.log").read_text()
    assert f"it was stopped (SIGSTOP): pid={worker} " in log
    assert client.value("1 + 1") == 2
