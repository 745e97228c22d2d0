"""Sessions: state that stays from call to call, state after a failed call,
branches, calls at a time. Limits of their own, and servers that end, are in
test_sessions_pool.py."""

from __future__ import annotations

import os
import threading
import time
from typing import Iterator

import pytest
from client import Client
from conftest import Status, wait_until
from program import part
from sessions import Caller, together

_names = iter(range(1000000))
SLEEP = "import time\ntime.sleep(60)"


@pytest.fixture
def session(client: Client) -> Iterator[Caller]:
    """A session of the served server's, of a name that no other test has."""
    caller = Caller(client, f"test-{os.getpid()}-{next(_names)}")
    yield caller
    caller.release()


# ---- state that stays --------------------------------------------------


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


def test_a_pool_of_processes_lives_over_calls(session: Caller) -> None:
    session.value("from multiprocessing import Pool, Process, Queue\n"
                  "def square(x): return x * x\n"
                  "pool, queue = Pool(2), Queue()")
    assert session.value("pool.map(square, range(4))") == [0, 1, 4, 9]
    assert session.value("pool.apply(abs, (-2,))") == 2
    session.value("Process(target=queue.put, args=(7,)).start()")
    assert session.value("queue.get(timeout=5)") == 7
    session.value("pool.terminate()")


def test_processes_end_with_a_call_that_is_rolled_back(
        session: Caller) -> None:
    session.value("import time\nfrom multiprocessing import Process\n"
                  "sleeper = Process(target=time.sleep, args=(100,))\n"
                  "sleeper.start()")
    assert session.value("sleeper.is_alive()")
    session.fails("while True: pass", "timeout", "rolled_back",
                  timeout_ms=300)
    session.value("sleeper.join(5)")
    assert session.value("sleeper.exitcode") == -9


def test_values_have_the_names_of_notebooks(session: Caller) -> None:
    session.value("6 * 7")
    session.run("x = 1")
    assert session.value("[_, Out[1], _1, In[1], 2 in Out]") == [
        42, 42, 42, "6 * 7", False]
    session.run("1 / 0")
    assert session.value("__, len(In)") == [42, 5]
    session.run("_ = 'mine'\n'a value'")
    assert session.value("_") == "mine"
    session.run("for i in range(30): pass\ni")
    assert session.value("%who_ls") == ["i", "x"], "a magic in a session"


def test_a_directory_that_was_removed(session: Caller) -> None:
    session.value("import os, tempfile\nwith tempfile.TemporaryDirectory() "
                  "as d:\n    os.chdir(d)")
    assert session.value("1 + 1") == 2
    session.value("os.chdir('/home/user')")
    assert session.value("os.listdir()") == []


def test_each_call_has_its_own_peak(session: Caller, status: Status) -> None:
    if status.get()["walls"]["cgroups"] == "none":
        pytest.skip("without a control group a peak is the process's")
    big = session.run("x = b'x' * (100 << 20)\ndel x")
    assert big["usage"]["memory_peak_kb"] > 100 << 10
    assert session.run("1")["usage"]["memory_peak_kb"] < 50 << 10


def test_a_handler_that_raises_between_calls(session: Caller) -> None:
    session.value("import signal\ndef stop(*_): raise KeyboardInterrupt\n"
                  "signal.signal(signal.SIGCONT, stop)")
    assert session.value("1 + 1") == 2


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


def test_forms_of_a_call_are_its_own(session: Caller) -> None:
    session.value("class Slow:\n def __repr__(self): return 'slow'\n"
                  " def _repr_html_(self): return 'x'\n"
                  " def _repr_markdown_(self):\n  while True: pass\nNone")
    out = session.run("display(Slow())\nkept = 5", forms=["markdown"],
                      timeout_ms=3000)
    assert out["results"] == [{"text/plain": "slow"}]
    assert "took too long" in out["warnings"][0]
    out = session.run("display(Slow())\nkept", forms=["html"])
    assert out["results"] == [{"text/plain": "slow", "text/html": "x"}]
    assert out["final_expression"] == 5 and "warnings" not in out


def test_figures_are_shown_once(session: Caller) -> None:
    code = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nNone"
    assert len(session.run(code, results=True)["results"]) == 1
    assert "results" not in session.run("1", results=True)


def test_output_that_was_replaced(session: Caller) -> None:
    session.value("import io, sys, contextlib\nsys.stdout = io.StringIO()")
    assert session.run("print('seen')")["std_out"] == "seen\n"
    session.value("sys.stdout.close()")
    assert session.run("print('seen')")["std_out"] == "seen\n"


def test_threads_stand_still_between_calls(session: Caller) -> None:
    session.value(part("thread_that_counts"))
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


# ---- state after a failed call -----------------------------------------

# Before Linux 6.15 the kernel tells how a process ended to its parent alone,
# which a session's keeper is not.
ENDS_ARE_TOLD = tuple(
    int(part) for part in os.uname().release.split("-")[0].split(".")[:2]
) >= (6, 15)

FAILURES = [
    ("timeout", "while True: pass", {"timeout_ms": 300}),
    ("timeout", SLEEP, {"timeout_ms": 300}),
    ("timeout", "import signal, time\n"
     "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n"
     "time.sleep(60)", {"timeout_ms": 300}),
    ("exited" if ENDS_ARE_TOLD else "killed", "import os\nos._exit(3)", {}),
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
        assert "as the call left them" in out["session"]["message"]
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


def test_other_paths_lead_to_home(session: Caller) -> None:
    """In each call, and in a branch."""
    out = session.run("open('/mnt/data/a', 'w').write(open('/mnt/data/in')"
                      ".read())", files={"/workspace/in": "x"})
    assert [file["filename"] for file in out["output_files"]] == ["a"]
    assert session.value("import os\nsorted(os.listdir('/home/earth'))") == [
        "a", "in"]
    branch = Caller(session.client, session.name + "-paths")
    assert session.fork(branch.name).status == 200
    assert branch.value("open('/sandbox/a').read()") == "x"
    branch.release()


def test_hints_in_a_session(session: Caller) -> None:
    """Names of earlier calls are there, so only the nearest is told."""
    session.value("total = 1;")
    out = session.fails("totl", "NameError", "kept")
    assert "\nHint: Do you mean total?\n" in out["error"]["message"]
    out = session.fails("no_such_name_here", "NameError", "kept")
    assert "Hint" not in out["error"]["message"]
    out = session.fails("while True: pass", "timeout", timeout_ms=300)
    assert "\nHint: This run had 0.3 s;" in out["error"]["message"]


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
    order = [number for _, number in log[::2]]
    assert sorted(order) == [0, 1, 2, 3]
    assert log == [[word, n] for n in order for word in ("in", "out")]


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
