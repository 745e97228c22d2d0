"""Reloads that change the limits while sessions live: a call is served with
the smaller of its session's first limit and the present one."""

from __future__ import annotations

import configparser
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from client import JSON, Client, entries
from conftest import Status, wait_until
from own_server import Place
from sessions import Caller, User, begin, detail, master_of


def reload(place: Place, status: Status, settings: str) -> None:
    """Take SETTINGS into PLACE's configuration, and have it read."""
    path = place.prefix / "terrarium.conf"
    conf = configparser.ConfigParser(delimiters=("=",), interpolation=None)
    conf.read_string(path.read_text())
    for line in settings.split(";"):
        option, value = line.split("=")
        section, name = option.split(".")
        if not conf.has_section(section):
            conf.add_section(section)
        conf.set(section, name, value)
    with path.open("w") as file:
        conf.write(file)
    before = status.get()
    os.kill(master_of(place), signal.SIGHUP)
    wait_until(lambda: status.get()["generation"] > before["generation"], 120,
               "a new generation")
    wait_until(lambda: not Path(f"/proc/{before['pool_pid']}").exists(), 120,
               "the old pool process has left")


def files(count: int, size: int = 1) -> dict[str, bytes]:
    return {f"in-{i}": b"x" * size for i in range(count)}


# A limit, a program that exceeds it, and the amount that is cut.
MUCH: list[tuple[str, str, dict[str, Any]]] = [
    ("limits.output_kb=1",
     "import sys\nprint('o' * 4999)\nprint('e' * 1999, file=sys.stderr)",
     {"std_out": 5000 - 1024, "std_err": 2000 - 1024}),
    ("limits.files_out=2",
     "for i in range(5): open(f'out-{i}', 'w').write('x')",
     {"output_files": 3}),
    ("limits.files_out_mb=1",
     "for i in range(4): open(f'out-{i}', 'wb').write(b'x' * 400000)",
     {"output_files": 2}),
    ("limits.displays=2", "for i in range(3): display('x')", {"results": 1}),
    ("limits.displays_mb=1",
     "for i in range(3): display('x' * 600000)", {"results": 1}),
]


def truncated(out: dict[str, Any]) -> dict[str, int]:
    return {name: n for name, n in out["truncated"].items() if n > 0}


def plain(out: dict[str, Any]) -> dict[str, Any]:
    """The part that is the same in every answer to the same program; of files
    only the number, because any of them may be cut."""
    kept = {name: out[name] for name in (
        "success", "std_out", "std_err", "truncated", "final_expression",
        "results", "error") if name in out}
    kept["files"] = len(out["output_files"])
    return kept


def test_lower_limits_cut_as_they_cut_a_plain_run(place: Place) -> None:
    client, status = begin(place, "sessions.max=4")
    caller = Caller(client, "a")
    caller.value("x = 7")
    reload(place, status, ";".join(limit for limit, _, _ in MUCH))
    for limit, code, cut in MUCH:
        out = caller.run(code, results=True)
        assert out["success"] and out["session"] == {"state": "kept"}, out
        assert truncated(out) == cut, limit
        assert plain(out) == plain(client.run(
            code, results=True).json()), limit
    assert caller.value("x") == 7


def test_a_lower_limit_on_the_value(place: Place) -> None:
    client, status = begin(place, "sessions.max=4")
    caller, user = Caller(client, "a"), User(client)
    assert len(caller.value("x = 'v' * 5000\nx")) == 5000
    user.text("x = 'v' * 5000")
    reload(place, status, "limits.value_kb=1")
    value = caller.value("x")
    assert len(value) <= 1024
    assert value == client.value("'v' * 5000")
    assert len(user.text("x")) <= 1024
    assert caller.value("len(x)") == 5000


def test_a_lower_limit_on_time_and_floods(place: Place) -> None:
    client, status = begin(place, "sessions.max=4")
    caller, user = Caller(client, "a"), User(client)
    caller.value("x = 7")
    user.text("x = 7")
    reload(place, status, "limits.timeout_ms=1500;limits.flood_mb=2;"
           "doors.code_interpreter_timeout_ms=200")
    out = caller.fails("while True: pass", "timeout")
    assert "(1500 ms)" in out["error"]["message"]
    assert out["code_runtime"] < 5000
    reply = user.execute("while True: pass")
    assert reply.status == 504
    assert "(200 ms)" in detail(reply)
    out = caller.fails("while True: print('x' * 10000)", "output")
    assert "(2 MB)" in out["error"]["message"]
    assert caller.value("x") == 7


def raised(place: Place, limits: str, higher: str) -> tuple[Client, Caller]:
    """A session that began with LIMITS, after a reload to HIGHER ones."""
    client, status = begin(place, f"sessions.max=4;{limits}")
    caller = Caller(client, "a")
    caller.value("x = 7")
    reload(place, status, higher)
    return client, caller


def test_the_limits_it_began_with_stay(place: Place) -> None:
    client, caller = raised(
        place, "limits.output_kb=1;limits.timeout_ms=4000;limits.memory_mb=64",
        "limits.output_kb=64;limits.timeout_ms=30000;limits.memory_mb=512")
    code = "print('o' * 4999)"
    assert client.run(code).json().get("truncated") is None
    assert truncated(caller.run(code)) == {"std_out": 5000 - 1024}
    # The message names the limit that was reached.
    out = caller.fails("while True: pass", "timeout", timeout_ms=20000)
    assert "(4000 ms)" in out["error"]["message"]
    assert caller.value("x") == 7


@pytest.fixture(scope="module")
def larger_body(shared_place: Place) -> tuple[Client, Caller]:
    """A session that began with smaller bodies than there are now."""
    return raised(shared_place, "server.body_mb=1", "server.body_mb=9")


@pytest.mark.parametrize("name, fields", [
    ("code", {"code": "#" * 1200000}),
    ("stdin", {"stdin": "x" * 1200000}),
    ("arguments", {"code": "def main(**a): return 1",
                   "arguments": {"a": "x" * 1200000}}),
    ("env", {"env": {"A": "x" * 1200000}}),
    ("files", {"files": entries(files(2, 600000))}),
])
def test_more_than_its_keeper_takes(larger_body: tuple[Client, Caller],
                                    name: str,
                                    fields: dict[str, Any]) -> None:
    client, caller = larger_body
    reply = caller.try_run(**{"code": "1", **fields})
    assert (reply.status, reply.code()) == (413, "too_large")
    assert reply.json()["error"]["message"].startswith(f"{name}: ")
    assert "1048576 bytes" in reply.json()["error"]["message"]
    assert caller.value("x") == 7
    assert client.post({"code": "1", **fields}).status == 200


def test_more_code_than_its_keeper_takes(place: Place) -> None:
    client, status = begin(place, "sessions.max=4;server.body_mb=1")
    user = User(client)
    user.text("x = 7")
    reload(place, status, "server.body_mb=9")
    reply = user.execute("#" * 1200000)
    assert reply.status == 413
    assert detail(reply).startswith("code: ")
    assert user.text("x") == "7"


def test_more_files_than_its_keeper_takes(place: Place) -> None:
    client, caller = raised(place, "limits.files_in=2", "limits.files_in=5")
    reply = caller.try_run("1", files=entries(files(3)))
    assert (reply.status, reply.code()) == (413, "too_many_files")
    assert reply.json()["error"]["message"].startswith(
        "files: there are more than 2, ")
    assert caller.value("x", files=files(2)) == 7
    assert client.run("1", files=files(3)).json()["success"]


def test_after_too_much_the_next_call_need_not_wait(place: Place) -> None:
    """After a refusal for its size, the session is idle at once; on one
    connection, because no other way is sooner."""
    client, _ = raised(place, "limits.files_in=2;sessions.waiting=0",
                       "limits.files_in=5")
    connection = client.connection(60)
    for count, want in 300 * [(3, 413), (2, 200)]:
        body = {"code": "x", "session": "a", "files": entries(files(count))}
        connection.request("POST", "/", json.dumps(body),
                           {**JSON, **client.credentials()})
        reply = connection.getresponse()
        text = reply.read()
        assert reply.status == want, text
    connection.close()
