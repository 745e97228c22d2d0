"""Sessions: what stays from call to call, what a failed call leaves, who may
have how many, and that nothing is left of them."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Iterator

import pytest
from client import Client
from conftest import Status, below, wait_until
from own_server import Place
from sessions import Caller, begin, master_of, other_client, together

_names = iter(range(1000000))
SLEEP = "import time\ntime.sleep(60)"


@pytest.fixture
def session(client: Client) -> Iterator[Caller]:
    """A session of the served server's, of a name that no other test has."""
    caller = Caller(client, f"test-{os.getpid()}-{next(_names)}")
    yield caller
    caller.release()


# ---- what stays --------------------------------------------------------


def test_a_hundred_calls(session: Caller) -> None:
    session.value("seen = []\ndef add(x):\n    seen.append(x)\n"
                  "    return sum(seen)")
    for i in range(100):
        assert session.value(f"add({i})") == i * (i + 1) // 2
    assert session.value("len(seen)") == 100


def test_files_and_directory_stay(session: Caller) -> None:
    out = session.run("open('a.txt', 'w').write('one')\n"
                      "import os\nos.mkdir('d')\nos.chdir('d')")
    assert [f["filename"] for f in out["output_files"]] == ["a.txt"]
    out = session.run("open('../a.txt').read() + os.getcwd()")
    assert out["final_expression"] == "one/home/user/d"
    assert out["output_files"] == [], "it was not changed in this call"
    out = session.run("open('b.txt', 'w').write('x')",
                      files={"in.txt": "given"})
    assert [f["filename"] for f in out["output_files"]] == ["d/b.txt"]
    assert session.value("open('../in.txt').read()") == "given"


def test_each_call_has_its_own_input(session: Caller) -> None:
    assert session.value("input() + input()", stdin="a\nb\n") == "ab"
    session.fails("input()", "EOFError", "kept")
    assert session.value("def main(n): return n + 1", arguments={"n": 1}) == 2
    assert session.value("main(5)") == 6
    assert session.value("import os\nos.environ['X_1']",
                         env={"X_1": "y"}) == "y"
    assert session.value("os.environ['X_1']") == "y"


def test_an_exception_keeps_what_was_done(session: Caller) -> None:
    session.fails("x = 1\n1 / 0", "ZeroDivisionError", "kept")
    assert session.value("x") == 1
    session.fails("import sys\nsys.exit(3)", "SystemExit", "kept")
    assert session.value("x") == 1


def test_a_traceback_shows_each_calls_own_text(session: Caller) -> None:
    session.value("def f(x):\n    return 1 / x  # the first call's")
    out = session.fails("y = 0\n\nf(y)  # the second's",
                        "ZeroDivisionError", "kept")
    message = out["error"]["message"]
    assert "return 1 / x  # the first call's" in message
    assert 'File "<exec 2>", line 3' in message
    assert message.endswith("3: f(y)  # the second's")


def test_figures_are_shown_once(session: Caller) -> None:
    code = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nNone"
    assert len(session.run(code)["results"]) == 1
    assert "results" not in session.run("1")


def test_output_that_was_replaced(session: Caller) -> None:
    session.value("import io, sys, contextlib\nsys.stdout = io.StringIO()")
    assert session.run("print('seen')")["std_out"] == "seen\n"
    session.value("sys.stdout.close()")
    assert session.run("print('seen')")["std_out"] == "seen\n"


def test_threads_stand_still_between_calls(session: Caller) -> None:
    session.value("import threading, time\nn = 0\ndef count():\n"
                  "    global n\n    while True:\n        n += 1\n"
                  "        time.sleep(0.001)\n"
                  "threading.Thread(target=count, daemon=True).start()\n"
                  "time.sleep(0.2)\nNone")
    first = session.value("n")
    time.sleep(1)
    second = session.value("n")
    assert second - first < 200, "it ran while no call did"
    assert session.value("time.sleep(0.3)\nn") > second


def test_two_sessions_share_nothing(client: Client) -> None:
    one, two = Caller(client, "share-1"), Caller(client, "share-2")
    one.value("x = 1\nopen('f', 'w').close()\nimport os")
    assert two.value("import os\n['x' in globals(), os.listdir()]") == [
        False, []]
    assert one.value("os.getpid() == 2 and os.listdir()") == ["f"]
    one.release()
    two.release()
    assert Caller(client, "share-1").value("'x' in globals()") is False
    one.release()


# ---- what a failed call leaves -----------------------------------------

FAILURES = [
    ("timeout", "while True: pass", {"timeout_ms": 300}),
    ("timeout", SLEEP, {"timeout_ms": 300}),
    ("timeout", "import signal, time\n"
     "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n"
     "time.sleep(60)", {"timeout_ms": 300}),
    ("exited", "import os\nos._exit(3)", {}),
    ("killed", "import os\nos.abort()", {}),
    ("killed", "import ctypes\nctypes.string_at(1)", {}),
    ("output", "while True: print('x' * 65536)", {}),
    ("killed", "import os\nos.write(3, b'\\xff' * 100)\n" + SLEEP, {}),
]


@pytest.mark.parametrize("kind, code, fields", FAILURES)
def test_it_is_as_it_was(session: Caller, kind: str, code: str,
                         fields: dict[str, int]) -> None:
    session.value("x = [1]\nimport random, math\nrandom.seed(5)\n"
                  "expected = random.Random(5).random()")
    for _ in range(2):
        out = session.fails("x.append(2)\ndel math\nrandom.random()\n"
                            "open('f', 'w').write('kept')\n" + code, kind,
                            **fields)
        assert "its files are not" in out["session"]["message"]
        assert session.value("x, math.pi > 3, random.random() == expected"
                             "\n") == [[1], True, True]
        assert session.value("random.seed(5)\nopen('f').read()") == "kept"


def test_memory_is_rolled_back(session: Caller) -> None:
    session.value("x = bytearray(50 << 20)")
    out = session.run("y = [bytearray(30 << 20) for _ in range(100)]")
    assert not out["success"]
    assert session.value("len(x)") == 50 << 20


def test_a_client_that_leaves_leaves_it_as_it_was(
        session: Caller, status: Status) -> None:
    session.value("x = 1")
    sock = session.client.begin("x = 2\n" + SLEEP, session=session.name)
    wait_until(lambda: status.get()["sessions"]["busy"] == 1, 5, "it runs")
    sock.close()
    wait_until(lambda: status.get()["sessions"]["busy"] == 0, 5, "it ended")
    assert session.value("x") == 1


def test_threads_that_held_locks_do_not_hang_it(session: Caller) -> None:
    session.value("import threading, time, logging, random\n"
                  "def busy():\n    while True:\n"
                  "        logging.getLogger('a').warning('x')\n"
                  "        [bytearray(9999) for _ in range(9)]\n"
                  "for _ in range(4):\n"
                  "    threading.Thread(target=busy, daemon=True).start()")
    for _ in range(5):
        session.run("while True: pass", timeout_ms=200)
        assert session.value("threading.active_count()") == 1
        session.value("for _ in range(4):\n    threading.Thread("
                      "target=busy, daemon=True).start()")


# ---- branches ----------------------------------------------------------


def test_a_branch(session: Caller) -> None:
    session.value("x = [1]\nopen('f', 'w').write('a')")
    assert session.fork(session.name + "-b").status == 200
    branch = Caller(session.client, session.name + "-b")
    assert branch.value("x.append(2)\nx") == [1, 2]
    assert session.value("x.append(3)\nx") == [1, 3]
    assert branch.value("x, open('f').read()") == [[1, 2], "a"]
    branch.fails("x.append(9)\nwhile True: pass", "timeout", timeout_ms=300)
    assert branch.value("x") == [1, 2]
    # each ends alone
    session.release()
    assert branch.value("x") == [1, 2]
    assert session.value("'x' in globals()") is False
    branch.release()


def test_branches_are_bounded(session: Caller) -> None:
    session.value("x = 1")
    names = [f"{session.name}-{i}" for i in range(6)]
    replies = [session.fork(name) for name in names]
    statuses = [reply.status for reply in replies]
    assert statuses == [200] * 4 + [503] * 2
    for name in names[:4]:
        branch = Caller(session.client, name)
        assert branch.value("x") == 1
        branch.release()


def test_a_branch_of_a_branch(session: Caller) -> None:
    session.value("x = 1")
    assert session.fork(session.name + "-1").status == 200
    one = Caller(session.client, session.name + "-1")
    one.value("x = 2")
    assert one.fork(session.name + "-2").status == 200
    one.value("x = 3")
    two = Caller(session.client, session.name + "-2")
    assert [session.value("x"), one.value("x"), two.value("x")] == [1, 3, 2]
    one.release()
    two.release()


# ---- calls at a time ---------------------------------------------------


def test_calls_of_one_session_wait_for_each_other(session: Caller) -> None:
    session.value("import time\nlog = []\ndef work(n):\n"
                  "    log.append(('in', n))\n    time.sleep(0.2)\n"
                  "    log.append(('out', n))")

    def call(number: int) -> None:
        time.sleep(number * 0.05)
        session.value(f"work({number})")

    together(4, call)
    log = session.value("log")
    assert log == [[word, n] for n in range(4) for word in ("in", "out")]


def test_release_during_a_call(session: Caller, status: Status) -> None:
    session.value("x = 1")
    answers: list[object] = []
    thread = threading.Thread(target=lambda: answers.append(
        session.value("import time\ntime.sleep(1)\nx")))
    thread.start()
    wait_until(lambda: status.get()["sessions"]["busy"] == 1, 5, "it runs")
    assert session.release() == "the session has ended"
    assert session.value("'x' in globals()") is False, "a new one"
    thread.join()
    assert answers == [1], "what ran was not disturbed"


def test_the_status_says_how_many(client: Client, status: Status) -> None:
    before = status.get()["sessions"]["open"]
    callers = [Caller(client, f"count-{i}") for i in range(3)]
    for caller in callers:
        caller.value("1")
    assert status.get()["sessions"]["open"] == before + 3
    socks = [client.begin(SLEEP, session=caller.name) for caller in callers]
    wait_until(lambda: status.get()["sessions"]["busy"] == 3, 5, "they run")
    wait_until(lambda: status.busy() == 3, 2, "a worker for each")
    time.sleep(0.2)
    assert status.busy() == 3
    for sock in socks:
        sock.close()
    for caller in callers:
        caller.release()
    wait_until(lambda: status.get()["sessions"]["open"] == before, 5,
               "they are gone")


# ---- servers of their own ----------------------------------------------


def test_off_unless_they_are_on(place: Place) -> None:
    client, _ = begin(place, "sessions.max=0")
    reply = Caller(client, "a").try_run("1")
    assert reply.status == 403
    assert reply.code() == "sessions_off"
    assert client.value("1 + 1") == 2


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


def test_the_idlest_makes_room(place: Place) -> None:
    client, status = begin(place, "sessions.max=3;sessions.per_client=3")
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


def test_of_each_token_its_own(place: Place) -> None:
    client, _ = begin(place, "sessions.max=8;sessions.per_client=2")
    Caller(client, "same").value("x = 'first'")
    other = other_client(place, client, "bob")
    wait_until(lambda: other.request("GET", "/packages").status == 200, 5,
               "nginx knows the new token")
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
    client, status = begin(place, "sessions.max=4;sessions.idle_s=1")
    pid = master_of(place)
    before = len(below(pid))
    Caller(client, "a").value("x = 1")
    assert status.get()["sessions"]["open"] == 1
    wait_until(lambda: status.get()["sessions"]["open"] == 0, 5, "it ended")
    assert status.get()["counters"]["sessions_expired_total"] == 1
    assert Caller(client, "a").value("'x' in globals()") is False
    wait_until(lambda: len(below(pid)) <= before, 5, "no process is left")


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
                   20, "a new generation")
        wait_until(lambda: not Path(f"/proc/{found['zygote']}").exists(),
                   20, "the old zygote has left")
        assert caller.value("x") == 1
    thread.join()
    assert sock_value == [7]
    caller.fails("x = 2\nimport os\nos._exit(1)", "exited")
    assert caller.value("x") == 1
    assert Caller(client, "c").value("1 + 1") == 2, "a new one can begin"
    assert status.get()["sessions"]["open"] == 3


def _gone(pids: list[int]) -> bool:
    return not any(Path(f"/proc/{pid}").exists() for pid in pids)


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


def test_a_keeper_that_dies(place: Place) -> None:
    client, status = begin(place, "sessions.max=4")
    caller = Caller(client, "a")
    caller.value("x = 1")
    keepers = [process.pid for process in below(master_of(place))
               if Path(f"/proc/{process.pid}/cmdline").read_bytes()
               .find(b"keeper") >= 0]
    assert keepers
    sock = client.begin(SLEEP, session="a")
    wait_until(lambda: status.get()["sessions"]["busy"] == 1, 5, "it runs")
    for keeper in keepers:
        os.kill(keeper, signal.SIGKILL)
    wait_until(lambda: status.get()["sessions"]["open"] == 0, 5, "it is gone")
    assert caller.value("'x' in globals()") is False
    sock.close()
    assert client.value("1 + 1") == 2


def test_a_thousand(place: Place) -> None:
    """Each new one ends the idlest; nothing piles up."""
    client, status = begin(place, "sessions.max=8;sessions.per_client=8")
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
    wait_until(lambda: len(below(pid)) <= before + 3 * 8, 10,
               "no process is left")
