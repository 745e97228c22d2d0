"""No session is lost in silence: the call that begins one says so, and why
the last one of its name has ended. Starts servers of its own."""

from __future__ import annotations

import json
import os
import threading
import time

from client import JSON, Client
from conftest import wait_until
from own_server import Place
from sessions import Caller, User, ask, begin, together

SECONDS = 0.2


def state(client: Client, name: str, code: str = "1") -> "dict[str, str]":
    """What a call of the session NAME says of it, without a sentence."""
    said = Caller(client, name).run(code)["session"]
    said.pop("message", None)
    return said


def test_each_reason(place: Place) -> None:
    client, _ = begin(place, "sessions.max=2;sessions.evict_after_s=0;"
                      "sessions.snapshots=no")
    assert state(client, "a") == {"state": "new"}
    assert state(client, "a") == {"state": "kept"}
    Caller(client, "a").release()
    assert state(client, "a") == {"state": "new", "reason": "released"}
    state(client, "b")
    state(client, "c")
    assert state(client, "a") == {"state": "new", "reason": "evicted"}
    assert state(client, "a", "import os\nos.abort()") == {"state": "ended"}
    assert state(client, "a") == {"state": "new", "reason": "ended"}
    assert place("stop").returncode == 0
    left = (place.prefix / "cache/terrarium-sessions").stat()
    assert (left.st_mode & 0o7777, left.st_uid) == (0o600, os.geteuid())
    client, _ = begin(place, "sessions.max=2;sessions.idle_s=1")
    assert state(client, "a") == {"state": "new", "reason": "restarted"}
    wait_until(lambda: state(client, "a", "import time; time.sleep(1.5)")
               and state(client, f"other-{time.time()}")
               and time.sleep(1.5) is None
               and state(client, "a") == {"state": "new",
                                          "reason": "expired"}, 30,
               "it expires")


def test_one_that_must_exist(place: Place) -> None:
    client, status = begin(place, "")
    caller = Caller(client, "a")
    for _ in range(2):  # the first try does not begin one
        reply = caller.try_run("x = 1", session_must_exist=True)
        assert (reply.status, reply.code()) == (410, "session_gone")
    caller.value("x = 1")
    assert caller.value("x", session_must_exist=True) == 1
    caller.release()
    reply = caller.try_run("x", session_must_exist=True)
    assert reply.status == 410
    assert "released" in reply.json()["error"]["message"]
    assert caller.run("'x' in globals()",
                      session_must_exist=False)["final_expression"] is False
    wrong = caller.try_run("1", session_must_exist="yes")
    assert wrong.status == 400
    assert "session_must_exist" in wrong.json()["error"]["message"]
    assert status.get()["sessions"]["open"] == 1


def test_one_that_must_exist_by_the_other_door(place: Place) -> None:
    client, _ = begin(place, "")

    def execute(**headers: str) -> "tuple[int, bytes]":
        reply = client.request(
            "POST", "/execute", json.dumps({"user_uuid": "u", "code": "1"}),
            {**JSON, **headers})
        return reply.status, reply.body

    must = {"Session-Must-Exist": "true"}
    assert execute(**must)[0] == 410
    assert execute()[0] == 200
    assert execute(**must)[0] == 200
    assert ask(client, "/release", user_uuid="u").status == 200
    gone, body = execute(**must)
    assert gone == 410 and b"released" in body


def test_one_in_use_is_never_ended(place: Place) -> None:
    client, status = begin(place, "sessions.max=2")
    first, second = Caller(client, "a"), Caller(client, "b")
    first.value("x = 1")
    second.value("x = 2")
    for _ in range(3):
        reply = Caller(client, "c").try_run("1")
        assert (reply.status, reply.code()) == (503, "sessions_full")
        assert reply.header("Retry-After")
    assert first.run("x")["session"] == {"state": "kept"}
    assert second.run("x")["final_expression"] == 2
    counters = status.get()["counters"]
    assert counters["sessions_evicted_total"] == 0
    assert counters["sessions_refused_total"] == 3
    lines = [line for line in (place.prefix / "log/terrarium.log").read_text()
             .splitlines() if "no room for a session" in line]
    assert 1 <= len(lines) <= 3
    assert f'client="{place.assignments()["TERRARIUM_CLIENT"]}"' in lines[0]


def test_the_defaults_hold_thirty_users_of_a_token(place: Place) -> None:
    """Fifty calls at a time of one token, as an application makes them."""
    client, status = begin(place, "")

    def use(number: int) -> None:
        caller = Caller(client, f"user-{number}")
        assert caller.run(f"x = {number}")["session"] == {"state": "new"}
        for i in range(1, 10):
            out = caller.run(f"x += {i}\nx")
            assert out["session"] == {"state": "kept"}
        assert out["final_expression"] == number + 45

    together(30, use)
    assert status.get()["counters"]["sessions_evicted_total"] == 0
    log = (place.prefix / "log/terrarium.log").read_text()
    assert f"sessions: max={status.get()['sessions']['max']}" in log


def test_calls_of_one_session_wait_in_order(place: Place) -> None:
    client, _ = begin(place, "")
    user = User(client)
    user.text("import time\nseen = []")
    threads = []
    for i in range(10):
        threads.append(threading.Thread(target=lambda i=i: user.text(
            f"time.sleep({SECONDS})\nseen.append({i})")))
        threads[-1].start()
        time.sleep(SECONDS / 4)  # so that their order is known
    for thread in threads:
        thread.join()
    assert user.text("seen") == str(list(range(10)))
