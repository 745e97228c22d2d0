"""Who has computed for long stands behind who has just begun."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from client import Client, finish
from conftest import Process, Status, below, wait_until

pytestmark = pytest.mark.usefixtures("may_signal")

SOON_S = 2.0

BURN = "import time\nend = time.process_time() + {}\n" \
    "while time.process_time() < end: pass"
SLEEP = "import time\ntime.sleep(1)"
THREADS = """\
import threading, time
def work():
    end = time.monotonic() + 1
    while time.monotonic() < end: pass
threads = [threading.Thread(target=work) for _ in range(3)]
for one in threads: one.start()
for one in threads: one.join()"""


def busy_guest(status: Status) -> Process:
    """That of the one worker that is busy; another may be on its way out."""
    def find() -> list[Process]:
        return [process for worker in status.workers("busy")
                for process in below(worker) if process.name == "guest"]

    wait_until(lambda: bool(find()), SOON_S, "a guest is busy")
    return find()[0]


def nice(pid: int) -> list[int]:
    """The nice value of each thread."""
    out = []
    for stat in Path(f"/proc/{pid}/task").glob("*/stat"):
        try:
            text = stat.read_bytes()
        except OSError:
            continue
        out.append(int(text[text.rindex(b")") + 2:].split()[16]))
    return out


def nice_within(client: Client, status: Status, code: str,
                seconds: float) -> bool:
    """Is all of a guest that runs CODE nice before it ends?"""
    sock = client.begin(code)
    try:
        guest = busy_guest(status)
        assert nice(guest.pid)[0] in (0, 10)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = nice(guest.pid)
            if found and set(found) == {10}:
                return True
            time.sleep(0.02)
        return False
    finally:
        assert finish(sock).json()["success"]


def test_who_computes_long_is_nice(client: Client, status: Status) -> None:
    assert nice_within(client, status, BURN.format(1), SOON_S)


def test_with_all_its_threads(client: Client, status: Status) -> None:
    assert nice_within(client, status, THREADS, SOON_S)


def test_who_sleeps_is_not(client: Client, status: Status) -> None:
    assert not nice_within(client, status, SLEEP, 0.7)


def test_nor_the_next_guest(client: Client, status: Status) -> None:
    """It is the program that is put back, not its place."""
    for _ in range(3):
        assert client.run(BURN.format(0.3)).json()["success"]
    assert not nice_within(client, status, SLEEP, 0.5)


def test_no_program_can_take_it_back(client: Client) -> None:
    assert client.value(BURN.format(0.4) + """
import os
try:
    refused = os.setpriority(os.PRIO_PROCESS, 0, 0)
except PermissionError as error:
    refused = True
refused""") is True
