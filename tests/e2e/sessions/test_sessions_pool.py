"""Servers with few, short or no sessions: how many a client may have, calls
that wait, evictions; and sessions at a server's reload and end."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest
from client import JSON
from conftest import below, has_ended, wait_until
from own_server import Place
from sessions import (ADD_TOKEN, Caller, User, ask, begin, detail, master_of,
                      other_client, together)

LIMIT_MS = 5000  # the chart that the start draws must have time for it, too
SLEEP = "import time\ntime.sleep(60)"


def test_off_unless_they_are_on(place: Place) -> None:
    client, _ = begin(place, "sessions.max=0")
    reply = Caller(client, "a").try_run("1")
    assert reply.status == 403
    assert reply.code() == "sessions_off"
    assert client.value("1 + 1") == 2
    for method, member in (("resources/list", "error"), ("ping", "result")):
        reply = client.request("POST", "/mcp", json.dumps(
            {"jsonrpc": "2.0", "id": 1, "method": method}), JSON)
        assert member in reply.json(), reply.body


def test_what_each_has_used(place: Place) -> None:
    client, status = begin(place, "sessions.max=4")
    caller = Caller(client, "a")
    for _ in range(3):
        caller.value("sum(range(3 * 10 ** 6))")
    Caller(client, "b").value("1")
    wait_until(lambda: status.get()["sessions"]["busy"] == 0, 2, "idle")
    rows = status.get()["sessions"]["list"]
    assert [row["calls"] for row in rows] == [3, 1]
    assert [row["client"] for row in rows] == [1, 1]  # no names
    assert rows[0]["cpu_ms"] > rows[1]["cpu_ms"]
    assert all(Path(f"/proc/{row['keeper']}").exists() for row in rows)
    assert all(row["pending"] == 0 and row["idle_s"] <= row["age_s"] < 60
               for row in rows)
    assert "list" not in client.request("GET", "/status").json()["sessions"]


def test_fifty_at_once(place: Place) -> None:
    client, status = begin(
        place, "sessions.max=50;sessions.per_client=50", WORKERS="8")

    def user(number: int) -> None:
        caller = Caller(client, f"user-{number}")
        caller.value(f"x = {number}")
        for i in range(1, 6):
            assert caller.value(f"x += {i}\nx") == number + i * (i + 1) // 2

    together(50, user)
    assert status.get()["sessions"]["open"] == 50
    together(50, lambda n: Caller(client, f"user-{n}").release())
    wait_until(lambda: status.get()["sessions"]["open"] == 0, 5, "all ended")


def test_waiting_is_bounded(place: Place) -> None:
    client, status = begin(place, "sessions.max=4;sessions.waiting=1")
    caller = Caller(client, "a")
    caller.value("1")
    socks = []
    for i in range(2):
        socks.append(client.begin(SLEEP, session="a"))
        wait_until(lambda: status.busy() == i + 1, 5, "it waits")
    wait_until(lambda: status.get()["sessions"]["waiting"] == 1, 5, "waits")
    reply = caller.try_run("1")
    assert reply.status == 503
    assert reply.code() == "session_busy"
    assert reply.header("Retry-After") == "1"
    for sock in socks:
        sock.close()
    wait_until(lambda: status.get()["sessions"]["busy"] == 0, 5, "idle")
    assert caller.value("1 + 1") == 2


def test_the_next_call_need_not_wait(place: Place) -> None:
    """A client that has an answer finds the session idle, however soon it
    asks; on one connection, because no other way is sooner."""
    client, _ = begin(place, "sessions.max=4;sessions.waiting=0")
    Caller(client, "a").value("x = 0")
    connection = client.connection(60)

    def call(path: str, fields: dict[str, str]) -> http.client.HTTPResponse:
        connection.request("POST", path, json.dumps(fields),
                           {**JSON, **client.credentials()})
        reply = connection.getresponse()
        body = reply.read()
        assert reply.status == 200, (reply.status, body)
        return reply

    for i in range(200):
        call("/", {"code": "x += 1", "session": "a"})
        call("/fork", {"user_uuid": "a", "new_uuid": f"b{i}"})
        call("/execute", {"user_uuid": "a", "code": "1"})
        call("/execute", {"user_uuid": f"b{i}", "code": "import os"})
        call("/release", {"user_uuid": f"b{i}"})
    connection.close()
    assert Caller(client, "a").value("x") == 200


def test_the_idlest_makes_room(place: Place) -> None:
    client, status = begin(place, "sessions.max=3;sessions.evict_after_s=0")
    callers = [Caller(client, f"s{i}") for i in range(4)]
    for caller in callers[:3]:
        caller.value("x = 1")
        time.sleep(0.05)
    callers[0].value("x")  # now s1 is the idlest
    assert callers[3].value("'x' in globals()") is False
    assert callers[0].value("x") == 1
    assert callers[2].value("x") == 1
    assert status.get()["sessions"]["open"] == 3
    assert status.get()["counters"]["sessions_evicted_total"] == 1
    # A busy one never does.
    socks = [client.begin(SLEEP, session=name) for name in ("s0", "s2", "s3")]
    wait_until(lambda: status.get()["sessions"]["busy"] == 3, 5, "they run")
    reply = callers[1].try_run("1")
    assert (reply.status, reply.code()) == (503, "sessions_full")
    assert reply.header("Retry-After") == "1"
    for sock in socks:
        sock.close()


def test_a_name_that_is_given_anew(place: Place) -> None:
    """A revoked token's sessions are not those of the name's next token, and
    end when that one begins its first."""
    client, status = begin(place, "sessions.max=8;sessions.per_client=2;"
                          "sessions.evict_after_s=0")
    first = other_client(place, client, "bob")
    Caller(first, "same").value("x = 'first'")
    Caller(client, "mine").value("x = 1")
    tokens = str(place.prefix / "etc/tokens.map")
    subprocess.run([str(ADD_TOKEN), "-f", tokens, "--revoke", "bob"],
                   check=True)
    second = other_client(place, client, "bob")
    assert first.post({"code": "1"}).status == 401
    assert Caller(second, "same").value("'x' in globals()") is False
    wait_until(lambda: status.get()["sessions"]["ending"] == 0, 10, "dead")
    rows = status.get()["sessions"]["list"]
    assert sorted((row["client"], row["calls"]) for row in rows) == \
        [(1, 1), (2, 1)]
    assert Caller(client, "mine").value("x") == 1


def test_of_each_token_its_own(place: Place) -> None:
    client, _ = begin(place, "sessions.max=8;sessions.per_client=2;"
                          "sessions.evict_after_s=0")
    Caller(client, "same").value("x = 'first'")
    other = other_client(place, client, "bob")
    assert other.request("GET", "/packages").status == 200
    theirs = Caller(other, "same")
    assert theirs.value("'x' in globals()") is False
    theirs.value("x = 'second'")
    assert theirs.fork("branch").status == 200
    assert Caller(client, "branch").value("'x' in globals()") is False
    assert Caller(client, "same").value("x") == "first"
    # Bob's third ends one of Bob's.
    Caller(other, "third").value("1")
    assert Caller(client, "same").value("x") == "first"
    left = [Caller(other, name).release() for name in ("same", "branch")]
    assert sorted(left) == ["the session has ended",
                            "there was no such session"]


def test_idle_ones_end(place: Place) -> None:
    client, status = begin(place, "sessions.max=4;sessions.idle_s=3")
    pid = master_of(place)
    status.settled()  # the generation that stands by has its processes
    wait_until(lambda: status.pool()["idle"] == 4 and status.busy() == 0,
               20, "all stand armed")
    before = len(below(pid))
    Caller(client, "a").value("x = 1")
    assert status.get()["sessions"]["open"] == 1
    wait_until(lambda: status.get()["sessions"]["open"] == 0, 20, "it ended")
    assert status.get()["counters"]["sessions_expired_total"] == 1
    assert Caller(client, "a").value("'x' in globals()") is False
    wait_until(lambda: len(below(pid)) <= before, 20, "no process is left")


def test_without_snapshots(place: Place) -> None:
    client, _ = begin(place, "sessions.max=4;sessions.snapshots=no")
    caller = Caller(client, "a")
    caller.value("x = 1")
    caller.fails("x = 2\n" + SLEEP, "timeout", "kept", timeout_ms=300)
    assert caller.value("x") == 2
    caller.fails("import os\nos._exit(1)", "exited", "ended")
    assert caller.value("'x' in globals()") is False


def test_a_reload_keeps_them(place: Place) -> None:
    client, status = begin(place, "sessions.max=4")
    caller = Caller(client, "a")
    caller.value("x = 1")
    sock_value: list[object] = []
    thread = threading.Thread(target=lambda: sock_value.append(
        Caller(client, "b").value("import time\ntime.sleep(3)\n7")))
    thread.start()
    wait_until(lambda: status.get()["sessions"]["busy"] == 1, 5, "it runs")
    for i in range(2):
        found = status.get()
        os.kill(master_of(place), signal.SIGHUP)
        wait_until(lambda: status.get()["generation"] > found["generation"],
                   120, "a new generation")
        wait_until(lambda: not Path(f"/proc/{found['pool_pid']}").exists(),
                   120, "the old pool process has left")
        assert caller.value("x") == 1
    thread.join()
    assert sock_value == [7]
    caller.fails("x = 2\nimport os\nos._exit(1)", "exited")
    assert caller.value("x") == 1
    assert Caller(client, "c").value("1 + 1") == 2, "a new one can begin"
    assert status.get()["sessions"]["open"] == 3


def test_reloads_under_load(place: Place) -> None:
    """Old sessions go on, new ones begin, and no answer is another's."""
    client, status = begin(place, "sessions.max=16;sessions.per_client=16")
    done = threading.Event()

    def use(number: int) -> int:
        calls = 0
        # Past the reloads until a second session has begun.
        while not done.is_set() or calls <= 20:
            caller = Caller(client, f"user-{number}-{calls // 20}")
            if calls % 20 == 0:
                caller.value(f"n = {number}")
            assert caller.value("n += 1\nn") == number + calls % 20 + 1
            calls += 1
            if calls % 20 == 0:
                assert caller.release() == "the session has ended"
        return calls

    results: list[list[int]] = []
    thread = threading.Thread(target=lambda: results.append(
        together(6, use)))
    thread.start()
    try:
        for _ in range(2):
            before = status.get()["pool_pid"]
            os.kill(master_of(place), signal.SIGHUP)
            wait_until(lambda: not Path(f"/proc/{before}").exists(), 120,
                       "a new generation stands")
    finally:
        done.set()
        thread.join()
    assert results and min(results[0]) > 20, results


def _gone(pids: list[int]) -> bool:
    return all(map(has_ended, pids))


@pytest.mark.parametrize("sign", ["SIGTERM", "SIGQUIT", "SIGKILL"])
@pytest.mark.parametrize("busy", [False, True])
def test_an_end_of_the_server_leaves_nothing(place: Place, sign: str,
                                             busy: bool) -> None:
    client, status = begin(place, "sessions.max=4;pool.stop_timeout_s=2")
    for name in "abc":
        Caller(client, name).value("x = 1")
    Caller(client, "a").fork("d")
    pid = master_of(place)
    sock = client.begin(SLEEP, session="a") if busy else None
    wait_until(lambda: status.get()["sessions"]["busy"] == busy, 5, "so")
    family = [process.pid for process in below(pid)]
    assert len(family) > 12
    os.kill(pid, getattr(signal, sign))
    # After a kill, a worker goes when its run has ended; that of a busy one
    # is ended by the end of its session.
    wait_until(lambda: _gone(family + [pid]), 45, "all are gone")
    if sock:
        sock.close()
    place("stop")


def keepers_of(place: Place) -> list[int]:
    """Keepers and their guests' inits, which share their name."""
    found = []
    for process in below(master_of(place)):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            words = Path(f"/proc/{process.pid}/cmdline").read_bytes()
            if b"keeper" in words:
                found.append(process.pid)
    return found


def test_a_keeper_that_dies(place: Place) -> None:
    client, status = begin(place, "sessions.max=4")
    caller = Caller(client, "a")
    caller.value("x = 1")
    keepers = keepers_of(place)
    assert keepers
    sock = client.begin(SLEEP, session="a")
    wait_until(lambda: status.get()["sessions"]["busy"] == 1, 5, "it runs")
    for keeper in keepers:
        with contextlib.suppress(ProcessLookupError):  # its guest's init
            os.kill(keeper, signal.SIGKILL)
    wait_until(lambda: status.get()["sessions"]["open"] == 0, 5, "it is gone")
    assert caller.value("'x' in globals()") is False
    sock.close()
    assert client.value("1 + 1") == 2


def test_a_thousand(place: Place) -> None:
    """Each new one ends the idlest; nothing piles up."""
    client, status = begin(place, "sessions.max=8;sessions.evict_after_s=0")
    pid = master_of(place)
    Caller(client, "warm").value("1")
    before = len(below(pid))
    refused = 0

    def user(number: int) -> None:
        nonlocal refused
        for i in range(125):
            reply = Caller(client, f"{number}-{i}").try_run("1 + 1")
            if reply.status == 503:
                refused += 1
                continue
            assert reply.json()["final_expression"] == 2

    together(8, user)
    assert refused < 500
    assert status.get()["sessions"]["open"] <= 8
    wait_until(lambda: len(below(pid)) <= before + 60, 20,
               "no process is left")


# ---- the code-interpreter door ----------------------------------------


def test_time_by_the_other_door(place: Place) -> None:
    """It has a time limit of its own, above or below that of other calls."""
    client, _ = begin(place, "sessions.max=4;limits.timeout_ms=300;"
                      f"doors.code_interpreter_timeout_ms={LIMIT_MS}")
    user = User(client)
    user.text("x = 1")
    assert user.text("import time\ntime.sleep(0.5)") == "", "above the other"
    reply = user.execute("x = 2\nwhile True: pass")
    assert reply.status == 504
    words = detail(reply)
    assert words.startswith(
        f"the time limit was reached ({LIMIT_MS} ms); the session")
    assert "is as it was before this call" in words
    assert "as the call left them" in words
    assert user.text("x") == "1"
    out = Caller(client, user.name).fails("while True: pass", "timeout")
    assert "(300 ms)" in out["error"]["message"]
    name = "00000000-0000-4000-8000-000000000000"
    reply = client.request("POST", f"/api/v1/execute?user_uuid={name}",
                           json.dumps({"code": "while True: pass"}), JSON)
    assert reply.status == 504
    assert detail(reply).startswith(
        f"the time limit was reached ({LIMIT_MS} ms); the session")


def test_what_is_said_without_snapshots(place: Place) -> None:
    client, _ = begin(place, "sessions.max=4;sessions.snapshots=no;"
                      f"doors.code_interpreter_timeout_ms={LIMIT_MS}")
    user = User(client)
    user.text("x = 1")
    reply = user.execute("x = 2\nwhile True: pass")
    assert reply.status == 504
    assert "goes on with the effects of the call" in detail(reply)
    assert user.text("x") == "2"
    reply = user.execute("import os\nos.abort()")
    assert reply.status == 503
    assert "the session has ended" in detail(reply)
    assert user.text("'x' in globals()") == "False"


def test_busy_workers_are_counted(place: Place) -> None:
    client, _ = begin(place, "sessions.max=16;pool.client_percent=100",
                      WORKERS="6")

    def figures() -> tuple[int, int]:
        found = client.request("GET", "/status").json()
        return found["total_workers"], found["busy_workers"]

    wait_until(lambda: figures() == (6, 0), 5, "nobody works")
    sleeping = [client.begin("import time\ntime.sleep(60)", session=f"s{i}")
                for i in range(3)]
    wait_until(lambda: figures() == (6, 3), 5, "three work")
    sleeping += [client.begin("import time\ntime.sleep(60)")
                 for _ in range(2)]
    wait_until(lambda: figures() == (6, 5), 5, "five work")
    for _ in range(20):
        assert figures() == (6, 5)
        time.sleep(0.01)
    for sock in sleeping:
        sock.close()
    wait_until(lambda: figures() == (6, 0), 5, "nobody works")


def test_no_room(place: Place) -> None:
    client, _ = begin(place, "sessions.max=1;sessions.evict_after_s=0")
    sock = client.begin("import time\ntime.sleep(60)", session="a")
    wait_until(lambda: client.request("GET", "/status").json()["sessions"]
               ["busy"] == 1, 5, "it runs")
    reply = User(client).execute("1")
    assert reply.status == 503
    assert reply.header("Retry-After") == "1"
    assert "can have no more" in detail(reply)
    sock.close()


def test_off_by_the_other_door(place: Place) -> None:
    client, _ = begin(place, "sessions.max=0")
    for path in ("/execute", "/release", "/fork"):
        reply = ask(client, path, user_uuid="a", code="1", new_uuid="b")
        assert reply.status == 403
        assert detail(reply) == "sessions are switched off on this server"


def test_thirty_users(place: Place) -> None:
    """Each answer is that of the right session, in the right state."""
    client, _ = begin(place, "sessions.max=30;sessions.per_client=30",
                      WORKERS="8")

    def use(number: int) -> None:
        user = User(client)
        user.text(f"total = {number}")
        total = number
        for i in range(20):
            total += i
            assert user.text(f"total += {i}\ntotal") == str(total)

    together(30, use)


def test_a_sandbox_of_another_client_is_not_there(place: Place) -> None:
    """By OpenSandbox's API, the id alone opens nothing."""
    client, _ = begin(place, "sessions.max=8;sessions.per_client=2")
    other = other_client(place, client, "bob")
    made = client.request("POST", "/opensandbox/v1/sandboxes", "{}", JSON)
    assert made.status == 202, made.body
    named = made.json()["id"]
    life, own = f"/opensandbox/v1/sandboxes/{named}", f"/opensandbox/{named}"
    code = json.dumps({"code": "1"})
    calls = [("GET", life, None), ("GET", life + "/endpoints/44772", None),
             ("GET", own + "/ping", None), ("POST", own + "/code", code),
             ("GET", own + "/code/contexts", None),
             ("POST", own + "/code/context", "{}"),
             ("GET", own + "/files/info?path=.", None),
             ("DELETE", life, None)]
    for method, path, body in calls:
        reply = other.request(method, path, body, JSON)
        assert (reply.status, reply.json()["code"]) == (404, "not_found"), path
        assert client.request(method, path, body, JSON).status in (200, 204)
    listed = other.request("GET", "/opensandbox/v1/sandboxes").json()
    assert listed["items"] == []
    # A client's third sandbox, while both others are in use, has no room.
    for _ in range(2):
        client.request("POST", "/opensandbox/v1/sandboxes", "{}", JSON)
    full = client.request("POST", "/opensandbox/v1/sandboxes", "{}", JSON,
                          wait=False)
    assert (full.status, full.header("Retry-After")) == (429, None)
