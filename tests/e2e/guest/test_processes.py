"""The server's own processes die, one kind at a time, and no client notices:
the pool is whole again soon, and runs that were under way end well.

Needs to be allowed to signal the server's processes; skipped otherwise.
Which process is which comes from the server's status and from /proc.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
from client import Client, finish
from conftest import Process, Status, below, wait_until
from sessions import Caller

WHOLE_S = 15.0   # until the pool is whole again
RELOAD_S = 120.0  # a new generation imports everything again

Family = Callable[[], "list[Process]"]

pytestmark = pytest.mark.usefixtures("may_signal")


def alive(pid: int) -> bool:
    """Neither gone nor a zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return False
    return stat[stat.rindex(b")") + 2:][:1] not in (b"Z", b"X")


@pytest.fixture
def whole(status: Status) -> Iterator[int]:
    """The number of idle workers; the pool must have as many again soon
    after the test."""
    idle = settled_idle(status)
    assert idle >= 1, "no worker is armed"
    yield idle
    wait_until(lambda: status.busy() == 0, WHOLE_S, "nothing runs")
    wait_until(lambda: status.pool()["idle"] >= idle, WHOLE_S,
               "the pool is whole again")


def settled_idle(status: Status) -> int:
    """The idle count once it stands still."""
    status.settled()
    last, since = status.pool()["idle"], time.monotonic()
    while time.monotonic() - since < 0.3:
        now = status.pool()["idle"]
        if now != last:
            last, since = now, time.monotonic()
        time.sleep(0.02)
    return last


def next_generation(status: Status, before: dict[str, Any],
                    idle: int) -> None:
    """Wait until IDLE workers stand whose pool process is not that of BEFORE,
    and no others. The others go on when their pool process has died, but
    no process reads their reports: busy, they are still listed as idle."""
    def stands() -> bool:
        said = status.get()
        if said["pool_pid"] in (0, before["pool_pid"]):
            return False
        children = {process.pid for process in below(said["pool_pid"])}
        states = [worker["state"] for worker in said["workers"]
                  if worker["pid"] in children]
        return len(states) == len(said["workers"]) and \
            states.count("idle") >= idle

    wait_until(stands, RELOAD_S, "the next generation stands alone")


class Bystander:
    """A run that is under way while something dies, and must end well."""

    def __init__(self, client: Client, seconds: float = 1.0) -> None:
        self.sock: socket.socket = client.begin(
            f"import time\nprint('begun')\ntime.sleep({seconds})\n"
            "open('end', 'w').write('end')\n'ended'")

    def check(self) -> None:
        reply = finish(self.sock)
        assert reply.status == 200, reply.body[:300]
        answer = reply.json()
        assert answer.get("final_expression") == "ended", answer
        assert answer["std_out"] == "begun\n"
        assert reply.files() == {"end": b"end"}


def busy_worker(status: Status) -> int:
    wait_until(lambda: bool(status.workers("busy")), 10, "a worker is busy")
    return status.workers("busy")[0]


def test_nobody_stands_in_a_place_to_write(status: Status,
                                           whole: int) -> None:
    """The directory in which the preload ran is no process's working
    directory, because all workers would share it."""
    said = status.get()
    for pid in (said["pool_pid"], said["fork_server"], *status.workers("idle")):
        try:
            assert os.readlink(f"/proc/{pid}/cwd") == "/"
        except PermissionError:
            pytest.skip("where they stand is for root to read")


# -- one process killed


def test_idle_worker_killed(client: Client, status: Status,
                            whole: int) -> None:
    bystander = Bystander(client)
    busy_worker(status)
    victim = status.workers("idle")[0]
    os.kill(victim, signal.SIGKILL)
    assert client.value("1 + 1") == 2
    bystander.check()
    wait_until(lambda: not alive(victim), WHOLE_S, "the worker is gone")


def test_all_idle_workers_killed(client: Client, status: Status,
                                 whole: int) -> None:
    for pid in status.workers("idle"):
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: status.pool()["idle"] >= whole, WHOLE_S,
               "the pool is whole again")
    assert client.value("1 + 1") == 2


def test_busy_worker_killed(client: Client, status: Status,
                            family: Family, whole: int) -> None:
    """Its own client is told at once; its guest does not outlive it; the
    neighbour's run is not touched."""
    neighbour = Bystander(client, 4)
    first = busy_worker(status)
    sock = client.begin("import time\ntime.sleep(20)")
    wait_until(lambda: len(status.workers("busy")) == 2, 10, "two are busy")
    victim = next(p for p in status.workers("busy") if p != first)
    guests = status.of_worker(victim)
    os.kill(victim, signal.SIGKILL)
    reply = finish(sock)
    assert reply.status in (502, 503), reply.status
    assert reply.seconds < 10
    assert reply.json()["error"]["code"]
    wait_until(lambda: not any(map(alive, guests)), 10, "its guest is dead")
    neighbour.check()


def test_guest_killed(client: Client, status: Status, whole: int) -> None:
    neighbour = Bystander(client, 4)
    first = busy_worker(status)
    sock = client.begin("import time\nprint('kept', flush=True)\n"
                        "time.sleep(20)")
    wait_until(lambda: len(status.workers("busy")) == 2, 10, "two are busy")
    worker = next(p for p in status.workers("busy") if p != first)
    guests = status.of_worker(worker)
    assert len(guests) == 2, "the busy worker has no guest"
    time.sleep(1.5)  # it has printed
    os.kill(guests[-1], signal.SIGKILL)
    reply = finish(sock)
    answer = reply.json()
    assert reply.status == 200 and not answer["success"]
    assert answer["error"]["type"] in ("killed", "memory"), answer["error"]
    assert answer["std_out"] == "kept\n"
    assert reply.seconds < 10
    neighbour.check()


def test_zygote_killed(client: Client, status: Status) -> None:
    """Runs under way end well, and a new generation serves."""
    idle = settled_idle(status)
    bystander = Bystander(client, 1.5)
    busy_worker(status)
    before = status.get()
    os.kill(before["pool_pid"], signal.SIGKILL)
    bystander.check()
    next_generation(status, before, idle)
    assert client.value("1 + 1") == 2
    wait_until(lambda: not Path(f"/proc/{before['pool_pid']}").exists(), 10,
               "the old pool process was reaped")


def test_mold_killed(client: Client, status: Status) -> None:
    """The same, for the process that all guests are forked from: a guest that
    ends in good order does not need it."""
    idle = settled_idle(status)
    bystander = Bystander(client, 4)
    exiting = client.begin("import os, time\ntime.sleep(3)\nos._exit(3)")
    wait_until(lambda: len(status.workers("busy")) == 2, 10, "two are busy")
    before = status.get()
    os.kill(before["fork_server"], signal.SIGKILL)
    bystander.check()
    reply = finish(exiting)
    assert reply.status == 500, reply.body  # its exit status is unknown
    next_generation(status, before, idle)
    assert status.get()["fork_server"] not in (0, before["fork_server"])
    assert client.value("1 + 1") == 2


def test_status_process_killed(client: Client, status: Status, master: int,
                               whole: int) -> None:
    victims = status_processes(status, master)
    if not victims:
        pytest.skip("the status process cannot be told from the others")
    bystander = Bystander(client)
    for pid in victims:
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: answers(status), WHOLE_S, "the status answers")
    assert client.request("GET", "/health").body == b"hi!"
    assert not set(status_processes(status, master)) & set(victims)
    bystander.check()


def status_processes(status: Status, master: int) -> list[int]:
    """The pid that the status page gives, or else every child of the master
    that has no children and is no pool process."""
    said = status.get()
    if isinstance(said.get("status"), int):
        return [said["status"]]
    family = below(master)
    parents = {process.parent for process in family}
    return [p.pid for p in family if p.parent == master
            and p.pid not in parents and p.pid != said["pool_pid"]]


def answers(status: Status) -> bool:
    try:
        return status.get()["master"] > 0
    except (AssertionError, OSError, ValueError):
        return False


def test_everything_below_the_zygote_killed(client: Client, status: Status,
                                            whole: int) -> None:
    before = status.get()
    for process in below(before["pool_pid"]):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
    next_generation(status, before, whole)
    assert client.value("1 + 1") == 2


def test_guest_stopped_hits_its_limit(client: Client, status: Status,
                                      whole: int) -> None:
    """A stopped process can still be killed at its time limit."""
    sock = client.begin("import time\ntime.sleep(20)", timeout_ms=1000)
    worker = busy_worker(status)
    for pid in status.of_worker(worker):
        os.kill(pid, signal.SIGSTOP)
    reply = finish(sock)
    assert reply.json()["error"]["type"] == "timeout"
    assert reply.seconds < 10


# -- reload


def test_reload_without_a_failed_request(client: Client, status: Status,
                                         master: int) -> None:
    """HUP to the master while requests keep coming."""
    idle = settled_idle(status)
    before = status.get()["pool_pid"]
    bystander = Bystander(client, 3)
    stop = threading.Event()
    failed: list[object] = []
    served = [0]

    def caller() -> None:
        while not stop.is_set():
            try:
                reply = client.run("6 * 7")
                if reply.json().get("final_expression") != 42:
                    failed.append(reply.body[:300])
                served[0] += 1
            except (AssertionError, OSError, ValueError) as error:
                failed.append(error)
            time.sleep(0.05)

    with ThreadPoolExecutor(2) as pool:
        callers = [pool.submit(caller) for _ in range(2)]
        try:
            time.sleep(0.3)
            os.kill(master, signal.SIGHUP)
            wait_until(lambda: status.get()["pool_pid"] not in (0, before),
                       RELOAD_S, "there is a new pool process")
            wait_until(lambda: not alive(before), RELOAD_S,
                       "the old pool process is gone")
            wait_until(lambda: served[0] > 5, 30, "some are served")
        finally:
            stop.set()
        for done in callers:
            done.result()
    assert not failed, failed[:5]
    bystander.check()
    wait_until(lambda: status.pool()["idle"] >= idle, RELOAD_S,
               "the pool is whole again")


def test_two_reloads_at_once(client: Client, status: Status, master: int,
                             family: Family) -> None:
    idle = settled_idle(status)
    before = status.get()["pool_pid"]
    count = len(family())
    for _ in range(3):
        os.kill(master, signal.SIGHUP)
        time.sleep(0.05)
    wait_until(lambda: status.get()["pool_pid"] not in (0, before), RELOAD_S,
               "there is a new pool process")
    wait_until(lambda: len(family()) <= count
               and status.pool()["idle"] >= idle, RELOAD_S,
               "one generation is left")
    assert client.value("1 + 1") == 2


def test_no_process_is_left(client: Client, status: Status, master: int,
                            family: Family) -> None:
    """After runs that end in every way: as many processes as before, no
    zombie among them."""
    settled_idle(status)
    before = len(family())
    for code in ("1", "1 / 0", "import os; os._exit(3)",
                 "import os; os.abort()", "import threading, time\n"
                 "threading.Thread(target=time.sleep, args=(9,), "
                 "daemon=True).start()"):
        client.run(code)
    client.run("while True: pass", timeout_ms=200)
    settled_idle(status)

    def buried() -> bool:
        found = family()
        return len(found) <= before and \
            not any(process.state == "Z" for process in found)

    wait_until(buried, WHOLE_S, f"{before} processes again, no zombie")
    assert alive(master)


def groups_held(pid: int) -> set[tuple[str, str]]:
    """Slot and file of each control group's file that PID holds."""
    found: set[tuple[str, str]] = set()
    try:
        entries = os.listdir(f"/proc/{pid}/fd")
    except PermissionError:
        pytest.skip("not allowed to look at its descriptors")
    except FileNotFoundError:  # it has ended
        return found
    for entry in entries:
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            link = os.readlink(f"/proc/{pid}/fd/{entry}")
            found.update(re.findall(r"/slot-([0-9]+)/(.+)", link))
    return found


def slots(held: set[tuple[str, str]]) -> set[str]:
    return {slot for slot, _ in held}


@pytest.fixture
def grouped(status: Status, whole: int) -> dict[str, Any]:
    """The server's status, if it has control groups."""
    seen = status.get()
    if seen["walls"]["cgroups"] == "none":
        pytest.skip("no control groups")
    return seen


def test_who_serves_holds_the_groups_of_its_own_slot_only(
        client: Client, status: Status, grouped: dict[str, Any]) -> None:
    session = Caller(client, f"groups-{os.getpid()}")
    session.run("1")
    try:
        keepers = [one["keeper"] for one in status.get()["sessions"]["list"]]
        held = {pid: slots(groups_held(pid))
                for pid in status.workers("idle") + keepers}
    finally:
        session.release()
    held = {pid: one for pid, one in held.items() if one}
    assert set(keepers) & set(held), "a keeper is among them"
    assert all(len(one) == 1 for one in held.values()), held
    assert len(set.union(*held.values())) == len(held), "each has its own"


def shared_sockets(pid: int) -> set[str]:
    """What brings connections to the process PID: sockets that listen, and
    the epoll instance at which workers wait."""
    listening = {f"socket:[{line.split()[6]}]" for line in Path(
        "/proc/net/unix").read_text().splitlines()[1:]
        if line.split()[3] == "00010000"}
    held = {os.readlink(one) for one in Path(f"/proc/{pid}/fd").iterdir()}
    return held & (listening | {"anon_inode:[eventpoll]"})


def test_a_busy_worker_takes_no_connection(client: Client,
                                           status: Status) -> None:
    """A program can only take over a worker that has begun to serve it."""
    if os.getuid():
        pytest.skip("a worker's descriptors are for root to read")
    status.settled()
    assert all(len(shared_sockets(pid)) == 2
               for pid in status.workers("idle"))
    sock = client.begin("import time\ntime.sleep(20)")
    wait_until(lambda: status.busy() == 1, 10, "one runs")
    assert [shared_sockets(pid) for pid in status.workers("busy")] == [set()]
    sock.close()


def test_nobody_who_hears_strangers_can_move_a_process(
        client: Client, status: Status, grouped: dict[str, Any]) -> None:
    """With the file by which a guest enters its group, any process could be
    moved there by the process that holds it."""
    enter = {"v1": "tasks", "v2": "cgroup.procs"}[grouped["walls"]["cgroups"]]
    session = Caller(client, f"entry-{os.getpid()}")
    session.run("1")
    try:
        keepers = [one["keeper"] for one in status.get()["sessions"]["list"]]
        held = set.union(*map(groups_held, status.workers("idle") + keepers))
    finally:
        session.release()
    assert held and enter not in {file for _, file in held}


def test_who_forks_holds_the_groups_of_its_children_only(
        grouped: dict[str, Any]) -> None:
    """The fork server holds none, because its forks copy all it has."""
    workers = grouped["pool"]["workers_max"]
    assert groups_held(grouped["fork_server"]) == set()
    assert len(slots(groups_held(grouped["pool_pid"]))) == workers
