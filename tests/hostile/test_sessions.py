"""The walls of a session are those of any run: every hostile program once
more, as a call of a session; and attacks that need one. After each, the
session serves another call or has ended, and is released without a trace."""

from __future__ import annotations

import json
import platform
import secrets as random_words
import struct
import threading
import time
from typing import Any, Iterator

import pytest
from attack import Attack, escapes, load, part
from client import Client, Reply
from conftest import wait_until
from crew import Crews, Judged, selected, together
from invariants import Guard
from pace import EMULATED, SLOWER

# The descriptors of a session's guest are others: see below.
BY_NAME = {attack.name: attack for attack in load()
           if not attack.name.startswith("A06_")}
LATE_S = 8.0 * SLOWER  # past a call's limit, for the answer and a roll-back

# The gate's fork, as the kernel sees it; and the frame that ends a run.
FORK = 0x1200011
KNOCK = ("import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n"
         "def knock():\n    got = libc.syscall(NR_CLONE, "
         f"{FORK}, 0, 0, 0, 0)\n    return got, ctypes.get_errno()\n")
END = (f"END = {struct.pack('<II', 5, 24) + bytes(24)!r}\n")


def numbered(code: str) -> str:
    number = {"x86_64": 56, "aarch64": 220}[platform.machine()]
    return code.replace("NR_CLONE", str(number))


class Session:
    def __init__(self, client: Client, name: str) -> None:
        self.client, self.name = client, name

    def post(self, **fields: Any) -> Reply:
        return self.client.post({**fields, "session": self.name})

    def run(self, code: str, **fields: Any) -> dict[str, Any]:
        reply = self.post(code=numbered(code), **fields)
        assert reply.status == 200, reply.body[:300]
        return reply.json()

    def value(self, code: str) -> Any:
        answer = self.run(code)
        assert answer["success"], answer["error"]
        return answer.get("final_expression")

    def release(self) -> None:
        self.client.request("POST", "/release",
                            json.dumps({"user_uuid": self.name}))


@pytest.fixture
def session(client: Client, status: Any) -> Iterator[Session]:
    if status.get()["sessions"]["max"] == 0:
        pytest.skip("the server has no sessions")
    found = Session(client, "hostile-" + random_words.token_hex(8))
    yield found
    found.release()


def ended(session: Session, status: Any, before: int) -> None:
    """Release it, and wait until it is gone."""
    session.release()
    wait_until(lambda: status.get()["sessions"]["open"] <= before, 10,
               "the session is gone")


Called = tuple[Reply, Reply]    # the attack, and another call after it


@pytest.fixture(scope="module")
def crews(request: pytest.FixtureRequest, client: Client, guard: Guard,
          status: Any, secrets: list[bytes]) -> Crews[Called]:
    if status.get()["sessions"]["max"] == 0:
        pytest.skip("the server has no sessions")

    def call(name: str, marker: str) -> Called:
        session = Session(client, "hostile-" + random_words.token_hex(8))
        fields = BY_NAME[name].request(secrets, marker)
        fields.pop("memory_mb", None)  # it is the session's, not the call's
        try:
            return (session.post(**fields),
                    session.post(code="1 + 1", timeout_ms=5000))
        finally:
            session.release()

    def run(names: list[str]) -> dict[str, Judged[Called]]:
        markers = {name: "marker-" + random_words.token_hex(8)
                   for name in names}
        guard.mark()
        before = status.get()["sessions"]["open"]
        calls = together(names, lambda name: call(name, markers[name]))
        wait_until(lambda: status.get()["sessions"]["open"] <= before, 10,
                   "the sessions are gone")
        left = guard.check([*markers.values()], 3 * len(names))
        return {name: Judged(calls[name], left) for name in names}

    return Crews(selected(request, BY_NAME, platform.machine()), run)


STATES = ("new", "kept", "rolled_back", "ended")


@pytest.mark.parametrize("name", BY_NAME)
def test_contained(name: str, guard: Guard, crews: Crews[Called]) -> None:
    attack: Attack = BY_NAME[name]
    if attack.machine not in (None, platform.machine()):
        pytest.skip(f"only on {attack.machine}")
    judged = crews[name]
    reply, again = judged.call.result()
    trouble = list(guard.check_reply(reply))
    assert not trouble, trouble
    answer = reply.json()
    assert answer["session"]["state"] in STATES
    said = escapes(answer)
    assert not said, said[:5]
    limit = attack.limits.get("timeout_ms", 25000) / 1000
    assert reply.seconds < limit + LATE_S, reply.seconds
    assert again.status == 200, again.body[:300]
    assert again.json()["session"]["state"] in STATES
    assert not judged.left, judged.left


# ---- the gate --------------------------------------------------------------


def test_no_fork_before_during_or_after(session: Session) -> None:
    code = KNOCK + ("try:\n    os.fork()\n    found = 'forked'\n"
                    "except PermissionError:\n    found = 'refused'\n"
                    "found, knock()")
    for _ in range(5):
        assert session.value(code) == ["refused", [-1, 1]]
    assert session.run("import os\nos._exit(1)")["session"]["state"] == \
        "rolled_back"
    for _ in range(5):
        assert session.value(code) == ["refused", [-1, 1]]


def test_threads_race_the_gate(session: Session, guard: Guard,
                               status: Any) -> None:
    guard.mark()
    before = status.get()["sessions"]["open"]
    session.value(KNOCK + part("threads_at_the_gate"))
    for _ in range(50):
        assert session.value("passed") == []
    session.run("while True: pass", timeout_ms=200)
    assert session.value("passed, threading.active_count()") == [[], 1]
    ended(session, status, before)
    left = guard.check([], 60)
    assert not left, left


def test_a_crowd_at_the_gate(session: Session) -> None:
    """It costs the session keeper time, so it is bounded, and no answer is
    late."""
    session.value(KNOCK + "import threading\nx = 1\ndef ever():\n"
                  "    while True: knock()")
    reply = session.post(code="for _ in range(30):\n"
                         "    threading.Thread(target=ever, daemon=True)"
                         ".start()\nwhile True: pass", timeout_ms=3000)
    assert reply.seconds < 3 + LATE_S
    answer = reply.json()
    assert answer["error"]["type"] in ("timeout", "killed")
    assert answer["session"]["state"] == "rolled_back"
    first = session.run("import ctypes\nfor _ in range(20000): knock()",
                        timeout_ms=20000)
    ends = ("killed", "timeout") if EMULATED else ("killed",)
    assert first["error"]["type"] in ends, first
    assert session.value("x") == 1


# Plays the guest: ends its run itself, and knocks. When its next call makes
# it two, neither does its part.
IMPOSTOR = KNOCK + END + (
    "import time\nos.write(3, END)\n"
    "got, _ = knock()\n"
    "while True:\n    time.sleep(0.1)\n")


def test_an_impostor_at_the_gate(session: Session, guard: Guard,
                                 status: Any) -> None:
    guard.mark()
    before = status.get()["sessions"]["open"]
    first = session.run(IMPOSTOR)
    assert first["session"]["state"] in STATES
    states = [session.run("1 + 1", timeout_ms=5000)["session"]["state"]
              for _ in range(2)]
    assert states[-1] in ("new", "kept"), "the one that did not play is gone"
    ended(session, status, before)
    left = guard.check([], 5)
    assert not left, left


def test_many_impostors_leave_no_crowd(session: Session, guard: Guard,
                                       status: Any) -> None:
    """Each call may make one process more, which must not outlive it."""
    guard.mark()
    before = status.get()["sessions"]["open"]
    for _ in range(3):
        session.run(IMPOSTOR)
        session.run("1", timeout_ms=500)
    ended(session, status, before)
    left = guard.check([], 8)
    assert not left, left


# Its copy stays, and the session keeper does not learn of it.
STRAY = KNOCK + END + (
    "import time\nos.write(3, END)\n"
    "got, _ = knock()\n"
    "while True:\n    os.write(1, b'stray') if got == 0 else "
    "time.sleep(0.1)\n")


def test_a_stray_copy_ends_the_branches(session: Session, guard: Guard,
                                        status: Any) -> None:
    guard.mark()
    before = status.get()["sessions"]["open"]
    branch = Session(session.client, session.name + "-branch")
    session.value("x = 1")
    reply = session.client.request("POST", "/fork", json.dumps(
        {"user_uuid": session.name, "new_uuid": branch.name}))
    assert reply.status == 200, reply.body[:300]
    assert session.run(STRAY)["session"]["state"] == "kept"
    assert session.run("1")["session"]["state"] == "ended"
    answer = branch.run("'x' in globals()")
    assert (answer["final_expression"], answer["std_out"]) == (False, "")
    branch.release()
    ended(session, status, before)
    left = guard.check([], 5)
    assert not left, left


def test_its_descriptors(session: Session) -> None:
    """Three of the program's own, and pipes to its keeper."""
    found = session.value(
        "import os, stat\nfound = {}\nfor fd in range(64):\n"
        "    try: found[fd] = stat.filemode(os.fstat(fd).st_mode)[0]\n"
        "    except OSError: pass\nfound")
    assert found == {"0": "c", "1": "p", "2": "p", "3": "p", "4": "p",
                     "5": "p"}


# ---- the pipes and the frames ----------------------------------------------

BROKEN = {
    "all_pipes_closed": "import os\nos.closerange(0, 100)",
    "the_job_pipe_closed": "import os\nos.close(4)",
    "the_error_copy_closed": "import os\nos.close(5)",
    "pipes_swapped": "import os\nfor a in range(6):\n"
                     "    for b in range(6): os.dup2(a, b)",
    "an_end_too_early": END + "import os, time\nos.write(3, END)\n"
                              "time.sleep(60)",
    "ends_without_end": END + "import os\nos.write(3, END * 10)",
    "half_a_frame": "import os\nos.write(3, b'\\1\\0\\0\\0\\xff')",
    "frames_from_behind": "import os, threading\n"
                          "def ever():\n    while True:\n"
                          "        os.write(3, b'\\1\\0\\0\\0\\2\\0\\0\\0{}')\n"
                          "threading.Thread(target=ever,"
                          " daemon=True).start()",
    "a_flood_from_behind": "import os, threading\n"
                           "def ever():\n    while True:\n"
                           "        os.write(1, b'x' * 65536)\n"
                           "threading.Thread(target=ever,"
                           " daemon=True).start()",
    "the_job_of_another": "import os, threading\n"
                          "threading.Thread(target=lambda: os.read(4, 9999),"
                          " daemon=True).start()",
    "no_signals": "import signal\n"
                  "signal.pthread_sigmask(0, range(1, 65))\n"
                  "for s in range(1, 65):\n    try: signal.signal(s, "
                  "signal.SIG_IGN)\n    except (OSError, ValueError): pass",
    "the_runner_replaced": "found = [display.__globals__]\n"
                           "for names in found:\n"
                           "    for f in list(names.values()):\n"
                           "        g = getattr(f, '__globals__', None)\n"
                           "        if type(g) is dict and '_terrarium' in "
                           "g['__name__'] and all(g is not n for n in found):\n"
                           "            found.append(g)\n"
                           "kept = next(n['_kept'] for n in found "
                           "if '_kept' in n)\n"
                           "assert len(kept) > 30\n"
                           "for m in list(kept.values()): vars(m).clear()",
    "modules_thrown_away": "import sys\nsys.modules.clear()",
    "a_hook_that_forks_wait_for": "import os, time\n"
                                  "os.register_at_fork(before=lambda: "
                                  "time.sleep(60))",
    "a_hook_that_fails": "import os\nos.register_at_fork("
                         "before=lambda: 1 / 0, after_in_child=lambda: "
                         "os._exit(1))",
    "no_room_for_a_copy": part("threads_up_to_the_limit"),
    "memory_used_up": "kept = []\ntry:\n    while True: "
                      "kept.append(bytes(1 << 20) + b'x')\n"
                      "except MemoryError: pass",
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_breaks_it_ends_with_it(what: str, session: Session,
                                     guard: Guard, status: Any) -> None:
    """It may answer or fail, but within its time; later output is another
    call's, and the pool does not notice."""
    guard.mark()
    before = status.get()["sessions"]["open"]
    session.value("x = 1")
    for code in (BROKEN[what], "x", "x"):
        reply = session.post(code=code, timeout_ms=1000)
        assert reply.status in (200, 503), reply.body[:300]
        assert reply.seconds < 1 + LATE_S
    assert session.client.value("6 * 7") == 42
    ended(session, status, before)
    left = guard.check([], 8)
    assert not left, left


def test_nothing_of_one_call_is_in_the_next(session: Session) -> None:
    """Output of a thread after the end of a call is lost."""
    session.value("import os, threading, time\ndef late():\n"
                  "    while True: os.write(1, b'late')\n"
                  "threading.Thread(target=late, daemon=True).start()")
    session.run("while True: pass", timeout_ms=200)  # the thread is gone
    assert session.run("1")["std_out"] == ""


# ---- the others ------------------------------------------------------------


def test_it_reaches_no_other_process(session: Session) -> None:
    """Not its copy, nor the one it will be; and it cannot wake itself."""
    session.value("import os, signal")
    found = session.value(part("kill_every_process"))
    assert found == []
    session.run("os._exit(1)")
    assert session.value("x = 1\nx") == 1


# kill and tgkill to each number but its own; then to itself, four ways.
SWEEP = part("signal_every_process")
ITSELF = part("signal_itself")
SIGNALS = ("import ctypes, os, platform, signal, threading\nhits = []\n"
           "libc = ctypes.CDLL(None)\nx = 1\n"
           "NR = {'x86_64': 234}.get(platform.machine(), 131)\n"
           "def tgkill(*named): return libc.syscall(NR, *named)\n"
           "_ = signal.signal(10, lambda *_: hits.append(1))")


def test_a_branch_signals_itself_only(session: Session) -> None:
    """A session, its branch and the copies that take over signal themselves
    and no other, though the pids are of one namespace."""
    branch = Session(session.client, session.name + "-branch")
    session.value(SIGNALS)
    reply = session.client.request("POST", "/fork", json.dumps(
        {"user_uuid": session.name, "new_uuid": branch.name}))
    assert reply.status == 200, reply.body[:300]
    try:
        for caller, other in ((branch, session), (session, branch)) * 2:
            assert caller.value(SWEEP) == []
            assert other.value("x") == 1
            assert caller.value(ITSELF) == [1, 2, 3, 4]
            for end in ("os.kill(os.getpid(), signal.SIGTERM)",
                        "os.abort()", "os.kill(os.getpid(), 9)"):
                answer = caller.run(end)
                assert answer["error"]["type"] == "killed", answer
                assert answer["session"]["state"] == "rolled_back"
    finally:
        branch.release()


def test_a_flood_of_signals(session: Session) -> None:
    """The session keeper still serves its other events, and in time."""
    session.value(SIGNALS)
    for target in ("1", "os.getpid()"):
        reply = session.post(timeout_ms=2000, code=(
            f"target = {target}\ndef ever():\n"
            "    while True: libc.kill(target, 10)\n"
            "for _ in range(30):\n"
            "    threading.Thread(target=ever, daemon=True).start()\n"
            "while True: pass"))
        assert reply.seconds < 2 + LATE_S
        answer = reply.json()
        assert answer["error"]["type"] in ("timeout", "killed")
        assert answer["session"]["state"] == "rolled_back"
    many = int(20000 / SLOWER)
    assert session.value(f"for _ in range({many}): signal.raise_signal(10)\n"
                         "len(hits)") == many


def test_what_it_spends_between_calls(session: Session) -> None:
    session.value("import threading, time\ndef spin():\n"
                  "    while True: pass\n"
                  "for _ in range(4):\n"
                  "    threading.Thread(target=spin, daemon=True).start()")
    first = session.value("time.process_time()")
    time.sleep(1)
    assert session.value("time.process_time()") - first < 0.5 * SLOWER


def test_files_that_are_not(session: Session) -> None:
    """Input files are written where a program has prepared the place."""
    session.value("import os\nos.symlink('/etc', 'd')\n"
                  "os.symlink('/tmp/secret', 'f')\n"
                  "os.symlink('/usr/lib/python3', 'lib')")
    for name in ("d/passwd", "f", "lib/x.py"):
        reply = session.post(code="1", files=[{"filename": name,
                                               "b64_data": "eA=="}])
        assert reply.status == 200
        assert reply.json()["error"]["type"] == "parsing", name
    assert session.value("os.path.exists('/tmp/secret')") is False
    assert session.value("1 + 1") == 2


def test_directories_that_are_not(session: Session) -> None:
    """Nor is a directory made where a program's link leads."""
    session.value("import os\nos.mkdir('/tmp/made')\n"
                  "os.symlink('/tmp/made', 'away')\n"
                  "os.mkdir('real')\nos.symlink('real', 'near')")
    for name in ("away/x/f", "away/x/", "near/x/f"):
        reply = session.post(code="1", files=[{"filename": name,
                                               "b64_data": "eA=="}])
        assert reply.status in (200, 400), name
        if reply.status == 200:
            assert reply.json()["error"]["type"] == "parsing", name
    assert session.value("os.listdir('/tmp/made'), os.listdir('real')") == \
        [[], []]
    session.post(code="1", files=[{"filename": "real/a/b/f",
                                   "b64_data": "eA=="}])
    assert session.value("open('real/a/b/f').read()") == "x"


def test_two_callers_at_a_time(session: Session) -> None:
    """A caller during a hostile call waits, and gets an answer of its own."""
    session.value("x = 1")
    answers: list[Any] = []

    def call() -> None:
        answers.append(session.run("x")["final_expression"])

    thread = threading.Thread(target=lambda: session.run(
        "x = 2\nwhile True: pass", timeout_ms=500))
    thread.start()
    time.sleep(0.2)
    others = [threading.Thread(target=call) for _ in range(3)]
    for other in others:
        other.start()
    for other in others + [thread]:
        other.join()
    assert answers == [1, 1, 1]
