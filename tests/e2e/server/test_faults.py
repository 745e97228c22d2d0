"""Faults that no other file makes: docs/faults.md has all. One server of its
own; the last test ends it."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Iterator

import pytest
from client import entries, finish
from conftest import Status, below, has_ended, wait_until
from own_server import DAEMON, ROOT, Place
from sessions import master_of

WAIT_S = 60.0
SLEEP = "import time\ntime.sleep(20)"


class Server:
    def __init__(self, place: Place) -> None:
        started = place("start", CONF_EXTRA="pool.workers=4;pool.armed=2;"
                        "pool.standby=no")
        assert started.returncode == 0, started.stdout + started.stderr
        self.place, self.client = place, place.client()
        self.status = Status(place.assignments()["TERRARIUM_STATUS_URL"])
        self.master = master_of(place)

    def busy(self) -> "list[int]":
        return self.status.workers("busy")

    def begin(self, code: str, **fields: int) -> socket.socket:
        """Run CODE in the one worker that is busy then."""
        wait_until(lambda: not self.busy(), WAIT_S, "the run before has ended")
        sock = self.client.begin(code, **fields)
        wait_until(lambda: len(self.busy()) == 1, WAIT_S, "it runs")
        return sock


@pytest.fixture(scope="module")
def server(shared_place: Place) -> Server:
    return Server(shared_place)


def test_a_stopped_worker_holds_no_other(server: Server) -> None:
    sock = server.begin(SLEEP)
    worker = server.busy()[0]
    os.kill(worker, signal.SIGSTOP)
    for _ in range(5):
        assert server.client.value("1 + 1") == 2
    assert worker in server.busy()
    sock.close()
    time.sleep(0.5)
    os.kill(worker, signal.SIGCONT)
    wait_until(lambda: not server.busy(), WAIT_S, "its run is cancelled")


def test_a_worker_without_descriptors(server: Server) -> None:
    """Its request fails by itself; others are served."""
    sock = server.begin("import time\ntime.sleep(2)\n"
                        "for i in range(50): open(f'f{i}', 'w')")
    worker = server.busy()[0]
    resource.prlimit(worker, resource.RLIMIT_NOFILE, (16, 16))
    reply = finish(sock)
    assert reply.status in (200, 500, 502, 503), reply.status
    if reply.status == 200:
        answer = reply.json()
        assert not answer["success"] or len(reply.files()) == 50, answer
    assert server.client.value("1 + 1") == 2


def test_a_worker_without_memory(server: Server) -> None:
    """malloc fails in it: its request fails by itself; others are served."""
    wait_until(lambda: len(server.status.workers("idle")) == 2, WAIT_S,
               "all are armed")
    idle = server.status.workers("idle")
    before = {pid: resource.prlimit(pid, resource.RLIMIT_AS) for pid in idle}
    for pid, (_, hard) in before.items():
        text = Path(f"/proc/{pid}/status").read_text()
        now = int(re.search(r"VmSize:\s+(\d+) kB", text)[1]) << 10
        resource.prlimit(pid, resource.RLIMIT_AS, (now, hard))
    reply = server.client.post({
        "code": "1", "files": entries({"large": b"x" * (16 << 20)})})
    assert reply.status in (500, 502, 503), reply.status
    for pid in idle:
        try:
            resource.prlimit(pid, resource.RLIMIT_AS, before[pid])
        except ProcessLookupError:  # the one that had the request
            pass
    for _ in range(3):
        assert server.client.value("1 + 1") == 2


def test_a_pause_of_all_processes(server: Server) -> None:
    """As a suspended machine: the run goes on, and the server serves."""
    sock = server.begin("import time\ntime.sleep(1)\n'whole'")
    pids = [server.master, *(p.pid for p in below(server.master))]
    for number in (signal.SIGSTOP, signal.SIGCONT):
        for pid in pids:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass
        time.sleep(2 if number == signal.SIGSTOP else 0)
    answer = finish(sock).json()
    assert answer["success"] and answer["final_expression"] == "whole"
    assert server.client.value("1 + 1") == 2


def test_nginx_is_killed(server: Server) -> None:
    """The process of it that holds the connections: their runs are cancelled,
    and the same pool serves the next one."""
    pool = server.status.get()["pool_pid"]
    sock = server.begin(SLEEP)
    guest = next(row["guest"] for row in server.status.get()["workers"]
                 if row["state"] == "busy")
    nginx = int((server.place.prefix / "nginx.pid").read_text())
    children = Path(f"/proc/{nginx}/task/{nginx}/children")
    for pid in map(int, children.read_text().split()):
        os.kill(pid, signal.SIGKILL)
    begun = time.monotonic()
    wait_until(lambda: has_ended(guest), WAIT_S, "its run is cancelled")
    assert time.monotonic() - begun < 10  # far below its 20 s
    sock.close()
    wait_until(lambda: answers(server), WAIT_S, "it is served")
    assert server.client.value("1 + 1") == 2
    assert server.status.get()["pool_pid"] == pool


def answers(server: Server) -> bool:
    try:
        return server.client.request("GET", "/health").status == 200
    except OSError:
        return False


FREEZER = Path("/sys/fs/cgroup/freezer")  # of control groups v1


@contextlib.contextmanager
def frozen(pids: "list[int]") -> Iterator[None]:
    """These do not even die of SIGKILL (freezer-subsystem of the kernel's
    documentation of control groups v1)."""
    group = FREEZER / f"terrarium-test-{os.getpid()}"
    group.mkdir()
    try:
        for pid in pids:
            (group / "cgroup.procs").write_text(str(pid))
        (group / "freezer.state").write_text("FROZEN")
        yield
    finally:
        (group / "freezer.state").write_text("THAWED")
        wait_until(lambda: not (group / "cgroup.procs").read_text(), WAIT_S,
                   "what was frozen has ended")
        group.rmdir()


@pytest.mark.skipif(not os.access(FREEZER / "cgroup.procs", os.W_OK),
                    reason="no freezer of control groups v1 to write to")
def test_a_guest_that_cannot_be_killed(server: Server) -> None:
    """Its client is answered, its slot is not used again, others serve."""
    sock = server.begin(SLEEP, timeout=1)
    worker = server.busy()[0]
    guests = server.status.of_worker(worker)
    with frozen(guests):
        answer = finish(sock).json()
        assert answer["error"]["code"] == "internal_error", answer
        assert "failed to end the guest" in answer["error"]["message"]
        for _ in range(8):
            assert server.client.value("1 + 1") == 2
        assert worker in server.busy()
        assert not any(map(has_ended, guests))
    log = (server.place.prefix / "log/terrarium.log").read_text()
    assert "a killed guest does not die" in log
    wait_until(lambda: not server.busy(), WAIT_S, "its slot comes back")
    assert all(map(has_ended, guests))


def test_the_last_signal_counts(server: Server) -> None:
    """A hundred signals within a second, and it ends."""
    family = [p.pid for p in below(server.master)]
    for i in range(99):
        os.kill(server.master, (signal.SIGHUP, signal.SIGUSR2,
                                signal.SIGUSR1)[i % 3])
        time.sleep(0.005)
    family += [p.pid for p in below(server.master)]
    os.kill(server.master, signal.SIGQUIT)
    os.kill(server.master, signal.SIGTERM)
    wait_until(lambda: all(map(has_ended, [server.master, *family])), WAIT_S,
               "all are gone")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_log_without_room(tmp_path: Path) -> None:
    """Each write to it fails with ENOSPC."""
    from test_service_manager import ask
    conf = tmp_path / "terrarium.conf"
    conf.write_text(
        f"[server]\nsocket = {tmp_path}/s\nstatus_socket = {tmp_path}/t\n"
        "[guest]\npreload = json\nfreeze = no\n"
        f"[walls]\ncgroups = optional\ncgroup_name = full-{os.getpid()}\n"
        "uid_base = 1700000000\n[pool]\nworkers = 2\narmed = 1\n"
        "standby = no\n")
    tmp_path.chmod(0o755)
    with open("/dev/full", "wb") as full:
        child = subprocess.Popen([DAEMON, "-c", str(conf)], stderr=full)
    try:
        wait_until(lambda: os.path.exists(tmp_path / "t") and
                   ask(str(tmp_path / "t"), "/health").status == 200, WAIT_S,
                   "it serves")
        assert ask(str(tmp_path / "s")).status == 200
    finally:
        child.send_signal(signal.SIGTERM)
        assert child.wait(WAIT_S) == 0


# Files that may ask for the wall clock: what it is there, nothing is limited by.
WALL_CLOCK = {"sandbox/base/log.c", "fcgi/sessions/former.c",
              "fcgi/route/route_call.c", "fcgi/route/route_e2b.c",
              "fcgi/route/route_opensandbox.c",
              "fcgi/opensandbox/opensandbox_events.c",
              "fcgi/server/log_writer.c"}


def test_no_limit_is_of_the_wall_clock() -> None:
    asks = re.compile(r"CLOCK_REALTIME|\bgettimeofday\(|\btime\(NULL\)")
    found = {str(path.relative_to(ROOT))
             for room in ("sandbox", "fcgi", "conf")
             for path in (ROOT / room).rglob("*.c")
             if asks.search(path.read_text())}
    print(sorted(found))
    assert found == WALL_CLOCK
