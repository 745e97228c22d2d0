"""A program that computes for long lets those go first that have just come: by
its control group where there is a cpu controller, by its priority elsewhere."""

from __future__ import annotations

import contextlib
import os
import socket
import textwrap
import threading
import time
from pathlib import Path
from typing import Callable, Iterator

import pytest
from client import Client
from conftest import Status, wait_until
from sessions import Caller
from test_soak import own_conf

pytestmark = pytest.mark.timed

WEIGHTS = {"cpu.weight": ("100", "12"), "cpu.shares": ("1024", "128")}
NICE = 9
SPIN = ("import time\nend = time.monotonic() + {}\n"
        "while time.monotonic() < end:\n    pass\n")


@pytest.fixture
def weights(status: Status) -> list[Path]:
    """Of the groups of our guests; empty without a cpu controller."""
    mine = "/" + own_conf().get("cgroup_name", "terrarium") + "/slot-"
    if status.get()["walls"]["cgroups"] == "none":
        return []
    return [Path(folder) / name for folder, _, names
            in os.walk("/sys/fs/cgroup") if mine in folder
            for name in names if name in WEIGHTS]


@pytest.fixture
def controlled(weights: list[Path]) -> None:
    if not weights:
        pytest.skip("no cpu controller: a priority is not taken back")


def count_groups(files: list[Path]) -> int:
    out = 0
    for file in files:
        full, slow = WEIGHTS[file.name]
        value = file.read_text().strip()
        assert value in (full, slow), f"{file}: {value}"
        members = file.with_name("cgroup.procs").read_text()
        out += value == slow and members != ""
    return out


def priorities(guest: int) -> set[int]:
    """Of all threads of GUEST; none when it has ended."""
    found: set[int] = set()
    with contextlib.suppress(FileNotFoundError):
        for thread in os.listdir(f"/proc/{guest}/task"):
            with contextlib.suppress(ProcessLookupError):  # it has ended
                found.add(os.getpriority(os.PRIO_PROCESS, int(thread)))
    return found


def count_guests(status: Status) -> int:
    """The processes without a thread of the first priority."""
    return sum(priorities(worker["guest"]) == {NICE}
               for worker in status.get()["workers"])


@pytest.fixture
def slow(status: Status, weights: list[Path]) -> Callable[[], int]:
    """How many guests are slow; without a request, none is."""
    def count() -> int:
        return count_groups(weights) if weights else count_guests(status)

    status.settled()
    wait_until(lambda: count() == 0, 5, "who was slow is gone")
    return count


@pytest.fixture
def beside(client: Client) -> Iterator[Callable[[str], None]]:
    """Runs a program until the test is over."""
    socks: list[socket.socket] = []
    yield lambda code: socks.append(client.begin(code))
    for sock in socks:
        sock.close()


def test_who_computes_for_long_lets_others_go_first(
        client: Client, beside: Callable[[str], None],
        slow: Callable[[], int]) -> None:
    beside(SPIN.format(25))
    wait_until(lambda: slow() == 1, 10, "the long program is slow")
    for _ in range(4):
        client.run("sum(range(1000))")
        assert slow() == 1, "a quick one is not"
    beside(SPIN.format(25))
    wait_until(lambda: slow() == 2, 10, "the other long one is slow, too")


def test_its_threads_let_others_go_first_too(
        beside: Callable[[str], None], slow: Callable[[], int]) -> None:
    spin = textwrap.indent(SPIN.format(25), "    ")
    beside(f"import threading\ndef work():\n{spin}\n"
           "for _ in range(4):\n    threading.Thread(target=work).start()\n")
    wait_until(lambda: slow() == 1, 10, "the program is slow, and all of it")
    time.sleep(1)
    assert slow() == 1


def test_who_only_waits_is_not_slow(
        beside: Callable[[str], None], slow: Callable[[], int]) -> None:
    beside("import time\ntime.sleep(1)\n" + SPIN.format(25))
    with pytest.raises(AssertionError, match="not within"):
        wait_until(lambda: slow() > 0, 0.9, "slow")
    wait_until(lambda: slow() == 1, 10, "it computes now")


def test_the_next_guest_of_a_slow_slot_is_not(
        client: Client, status: Status, slow: Callable[[], int]) -> None:
    assert client.run(SPIN.format(0.4)).json()["success"]
    for _ in range(2 * status.pool()["workers_max"]):
        client.run("1")
    status.settled()
    wait_until(lambda: slow() == 0, 10, "none of those that stand armed is")


def test_a_session_is_slow_while_a_call_is_long(
        client: Client, controlled: None,
        slow: Callable[[], int]) -> None:
    session = Caller(client, f"pace-{os.getpid()}")
    long = threading.Thread(target=session.run, args=(SPIN.format(5),))
    try:
        long.start()
        wait_until(lambda: slow() == 1, 4.5, "its long call is slow")
        long.join()
        assert slow() == 0
        session.run("1")
        assert slow() == 0
    finally:
        long.join()
        session.release()


def test_at_its_limit_a_program_has_its_weight(
        client: Client, status: Status, controlled: None,
        slow: Callable[[], int]) -> None:
    """It is to say where it was, however busy the machine."""
    for _ in range(3):  # a pause of the machine hides the quarter second
        runs = threading.Thread(target=client.run, args=(
            "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\n"
            "while True:\n    pass\n",), kwargs={"timeout_ms": 2000})
        runs.start()
        wait_until(lambda: slow() == 1, 1.9, "it is slow")
        wait_until(lambda: slow() == 0, 5, "its limit has come")
        began = time.monotonic()
        wait_until(lambda: status.busy() == 0, 5, "it was killed")
        took = time.monotonic() - began
        runs.join()
        if took > 0.1:
            break
    assert took > 0.1, "it had some time left"
