"""terrariumd --reload: it waits, and tells how the reload ended. Starts servers
of its own."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from typing import Iterator

import pytest
from conftest import Status, wait_until
from own_server import DAEMON, Place
from sessions import master_of

MODULE = "MARK = {}\n"
BROKEN = "raise RuntimeError('the wheel came off')\n"
MARK = "import preloaded\npreloaded.MARK"
PATIENCE_S = 120.0


class Server:
    def __init__(self, place: Place, *options: str) -> None:
        folder = place.prefix.parent / "modules"
        folder.mkdir(mode=0o755)
        self.place, self.module = place, folder / "preloaded.py"
        self.module.write_text(MODULE.format(1))
        started = place("start", CONF_EXTRA=";".join((
            f"guest.python_path={folder}", "guest.preload=preloaded",
            *options)))
        assert started.returncode == 0, started.stderr
        self.client = place.client()
        self.status = Status(place.assignments()["TERRARIUM_STATUS_URL"])
        self.conf = place.prefix / "terrarium.conf"

    def command(self) -> "list[str]":
        return [DAEMON, "-c", str(self.conf), "--reload"]

    def reload(self) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(self.command(), capture_output=True, text=True,
                              timeout=PATIENCE_S)


@pytest.fixture(params=["yes", "no"])
def server(request: pytest.FixtureRequest, place: Place) -> Iterator[Server]:
    """With a generation that stands by, and without."""
    yield Server(place, f"pool.standby={request.param}")


def test_it_waits_for_the_new_generation(server: Server) -> None:
    other = server.module.with_name("imported.py")
    other.write_text(MODULE.format(1))
    late = MARK.replace("preloaded", "imported")
    assert server.client.value(MARK) == server.client.value(late) == 1
    for path in (server.module, other):  # as a package manager does
        path.with_suffix(".new").write_text(MODULE.format(2))
        path.with_suffix(".new").rename(path)
    # The preload is the former text until a reload.
    assert server.client.value(MARK) == 1 and server.client.value(late) == 2
    done = server.reload()
    assert (done.returncode, done.stderr) == (0, ""), done
    assert done.stdout.startswith("reloaded: generation ")
    assert server.client.value(MARK) == 2  # not a moment later


def test_it_tells_why_none_can_serve(server: Server) -> None:
    server.module.write_text(BROKEN)
    done = server.reload()
    assert done.returncode == 1 and done.stdout == ""
    assert "the present generation goes on" in done.stderr
    assert "the wheel came off" in done.stderr
    assert server.client.value(MARK) == 1
    server.module.write_text(MODULE.format(3))
    assert server.reload().returncode == 0
    assert server.client.value(MARK) == 3


def test_a_wrong_configuration_changes_nothing(place: Place) -> None:
    server = Server(place)
    good = server.conf.read_text()
    server.conf.write_text(good + "\n[limits]\nmemory_mb = much\n")
    done = server.reload()
    assert done.returncode == 1
    assert "nothing was changed" in done.stderr
    assert "memory_mb" in done.stderr
    assert server.status.get()["reload"] == {
        "asked": 0, "done": 0, "failed": 0}
    # A signal does not check it first, so the server reports it.
    os.kill(master_of(place), signal.SIGHUP)
    wait_until(lambda: server.status.get()["reload"]["failed"] == 1, 20,
               "the server has tried")
    assert "memory_mb" in server.status.get()["reason"]
    assert b"memory_mb" in server.client.request("GET", "/health").body
    assert server.client.value(MARK) == 1
    server.conf.write_text(good)
    assert server.reload().returncode == 0
    assert server.status.get()["reason"] == ""


def test_the_reason_stays_until_a_reload_is_accepted(place: Place) -> None:
    """A generation that takes over meanwhile is no answer to it."""
    server = Server(place, "pool.standby=yes")
    wait_until(lambda: server.status.get()["standby"], PATIENCE_S,
               "a generation stands by")
    good = server.conf.read_text()
    server.conf.write_text(good + "\n[limits]\nmemory_mb = much\n")
    os.kill(master_of(place), signal.SIGHUP)
    wait_until(lambda: server.status.get()["reload"]["failed"] == 1, 20,
               "the server has tried")
    before = server.status.get()
    os.kill(before["standby"], signal.SIGKILL)
    wait_until(lambda: server.status.get()["standby"] not in
               (0, before["standby"]), PATIENCE_S, "another stands by")
    assert "memory_mb" in server.status.get()["reason"]
    os.kill(before["pool_pid"], signal.SIGKILL)
    wait_until(lambda: server.status.get()["pool_pid"] !=
               before["pool_pid"], PATIENCE_S, "it serves")
    assert server.client.value(MARK) == 1
    assert "memory_mb" in server.status.get()["reason"]
    server.conf.write_text(good)
    assert server.reload().returncode == 0
    assert server.status.get()["reason"] == ""


def test_a_crash_of_the_status_process_is_waited_for(place: Place) -> None:
    server = Server(place)
    with subprocess.Popen(server.command(), stdout=subprocess.PIPE,
                          text=True) as reload:
        wait_until(lambda: server.status.get()["reload"]["asked"] == 1, 20,
                   "it has asked")
        os.kill(server.status.get()["status"], signal.SIGKILL)
        assert reload.stdout is not None
        assert "reloaded" in reload.stdout.read()
    assert reload.returncode == 0


def test_without_a_server(place: Place, tmp_path: Path) -> None:
    conf = tmp_path / "terrarium.conf"
    conf.write_text("[server]\nsocket = /tmp/there/is/none.sock\n"
                    "status_socket = /tmp/there/is/none.status\n")
    done = subprocess.run([DAEMON, "-c", str(conf), "-r"],
                          capture_output=True, text=True, timeout=30)
    assert done.returncode == 1
    assert "/tmp/there/is/none.status: No such file" in done.stderr
