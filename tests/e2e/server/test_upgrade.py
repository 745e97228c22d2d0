"""The program on disk is replaced while the server runs: USR2 and `terrariumd
--upgrade`. Starts a server of its own."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import threading
from pathlib import Path
from typing import Iterator

import pytest
import test_e2b
from client import finish
from conftest import Status, wait_until
from own_server import DAEMON, Place
from sessions import Caller, master_of

PATIENCE_S = 180.0
# As long as the real one, so that it can be replaced in the file.
VERSION = re.compile(rb'(terrarium_build_info\{version=")(\d)(\.)')
BROKEN = "raise RuntimeError('the wheel came off')\n"


class Server:
    """With a copy of the program that tests may replace."""

    def __init__(self, place: Place, folder: Path) -> None:
        for name in ("bin", "modules"):
            (folder / name).mkdir(mode=0o755)
        self.place, self.program = place, folder / "bin" / "terrariumd"
        self.module = folder / "modules" / "preloaded.py"
        self.module.write_text("")
        self.log = folder / "server.log"
        shutil.copy(DAEMON, self.program)
        place.env["DAEMON"] = str(self.program)
        started = place("start", CONF_EXTRA=";".join((
            f"guest.python_path={self.module.parent}",
            "guest.preload=preloaded", f"log.file={self.log}",
            "pool.workers=4;pool.armed=2")))
        assert started.returncode == 0, started.stdout + started.stderr
        self.client = place.client()
        self.status = Status(place.assignments()["TERRARIUM_STATUS_URL"])
        self.conf = place.prefix / "terrarium.conf"
        self.master = master_of(place)

    def replace(self, content: bytes) -> None:
        """As a package manager does: another file under the same name."""
        new = self.program.with_suffix(".new")
        new.write_bytes(content)
        new.chmod(0o755)
        os.replace(new, self.program)

    def build(self, version: str) -> bytes:
        """The program as if it had been built with another version."""
        text, count = VERSION.subn(rb"\g<1>%s\3" % version.encode(),
                                   Path(DAEMON).read_bytes())
        assert count > 0
        return text

    def upgrade(self, word: str = "--upgrade"
                ) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([DAEMON, "-c", str(self.conf), word],
                              capture_output=True, text=True,
                              timeout=PATIENCE_S)

    def runs_what_is_on_disk(self) -> bool:
        return os.path.samefile(f"/proc/{self.master}/exe", self.program)

    def metrics(self) -> str:
        reply = self.status.client.request("GET", "/metrics")
        return reply.body.decode()

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.master}/fd"))

    def settled(self) -> bool:
        """A generation serves, another stands by, and the former is gone."""
        children = Path(f"/proc/{self.master}/task/{self.master}/children")
        names = []
        for pid in children.read_text().split():
            with contextlib.suppress(OSError):  # it has just ended
                names.append(Path(f"/proc/{pid}/cmdline").read_bytes())
        return (sum(b"terrariumd: pool" in name for name in names) == 2 and
                self.status.get()["standby"] != 0)


@pytest.fixture(scope="module")
def server(shared_place: Place,
           tmp_path_factory: pytest.TempPathFactory) -> Server:
    folder = tmp_path_factory.mktemp("upgrade")
    folder.chmod(0o755)
    return Server(shared_place, folder)


@pytest.fixture
def load(server: Server) -> "Iterator[list[object]]":
    """Requests without a pause while a test runs; those that failed."""
    wrong: list[object] = []
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            reply = server.client.request("POST", "/", '{"code": "6 * 7"}')
            if reply.status != 200 or \
                    reply.json()["final_expression"] != 42:
                wrong.append((reply.status, reply.body[:200]))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        yield wrong
    finally:
        done.set()
        for thread in threads:
            thread.join()


def others(server: Server) -> str:
    """The row of `terrariumd -t` on locks that other servers hold."""
    rows = server.upgrade("-t").stdout.splitlines()
    return next(row for row in rows if " other servers " in row)


def test_no_request_fails_and_all_is_kept(server: Server,
                                          load: "list[object]") -> None:
    held = others(server)
    assert str(server.master) in held or os.geteuid() != 0, held
    caller = Caller(server.client, "over-the-upgrade")
    caller.value("kept = 41")
    long = server.client.begin("import time\ntime.sleep(4)\n'whole'")
    wait_until(lambda: len(server.status.workers("busy")) > 0, 60, "it runs")
    server.replace(server.build("7"))
    done = server.upgrade()
    assert (done.returncode, done.stderr) == (0, ""), done
    assert done.stdout.startswith("upgraded: generation ")
    assert server.runs_what_is_on_disk()
    wait_until(lambda: 'version="7.' in server.metrics(), 60,
               "its status process is new, too")
    assert master_of(server.place) == server.status.get()["master"] == \
        server.master
    assert finish(long).json()["final_expression"] == "whole"
    assert caller.value("kept + 1") == 42
    assert others(server) == held
    assert not load, load[:3]


def test_repeated_upgrades_leak_nothing(server: Server) -> None:
    counts = []
    for _ in range(3):
        assert server.upgrade().returncode == 0
        wait_until(server.settled, PATIENCE_S, "the former one is gone")
        counts.append(server.descriptors())
    assert counts[0] == counts[1] == counts[2], counts
    text = server.log.read_text()
    assert text.count("upgraded: the new program serves") >= 3
    assert "died: wait_status" not in text


def test_sandboxes_keep_their_notes(server: Server) -> None:
    """Texts that the master keeps lie elsewhere in the new program."""
    made = [test_e2b.create(server.client, metadata={"user": f"{number}"})
            for number in range(3)]
    context = test_e2b.post(server.client, "/contexts", {"cwd": "/tmp"},
                            made[1]["sandboxID"]).json()
    done = server.upgrade()
    assert done.returncode == 0, done
    for number, one in enumerate(made):
        name = one["sandboxID"]
        kept = server.client.request("GET", f"/e2b/sandboxes/{name}").json()
        assert kept["metadata"] == {"user": f"{number}"}, kept
        contexts = server.client.request(
            "GET", "/e2b/contexts", headers={"E2b-Sandbox-Id": name}).json()
        assert (context in contexts) == (number == 1), contexts
        assert test_e2b.kill(server.client, name) == 204


@pytest.mark.parametrize("content, reason", [
    (b"not a program", "execute "),
    (b"#!/bin/sh\nexit 0\n", "the new program said nothing"),
    (b"#!/bin/sh\nkill -SEGV $$\n", "the new program was ended by signal"),
    (b"#!/bin/sh\necho no such library >&2\nexit 127\n", "no such library"),
])
def test_a_program_that_cannot_start_changes_nothing(
        server: Server, load: "list[object]", content: bytes,
        reason: str) -> None:
    whole = server.program.read_bytes()
    before = os.stat(f"/proc/{server.master}/exe").st_ino
    server.replace(content)
    try:
        done = server.upgrade()
    finally:
        server.replace(whole)
    assert done.returncode == 1 and done.stdout == ""
    assert "the former program goes on" in done.stderr
    assert reason in done.stderr
    assert reason in server.status.get()["reason"]
    assert reason.encode() in server.client.request("GET", "/health").body
    assert "terrarium_reload_failing 1" in server.metrics()
    assert reason in server.log.read_text()
    assert os.stat(f"/proc/{server.master}/exe").st_ino == before
    assert not load, load[:3]


def test_a_wrong_configuration_changes_nothing(
        server: Server, load: "list[object]") -> None:
    good = server.conf.read_text()
    before = os.stat(f"/proc/{server.master}/exe").st_ino
    server.conf.write_text(good + "\n[limits]\nmemory_mb = much\n")
    try:
        assert "nothing was changed" in server.upgrade().stderr
        # A signal does not check it first, so the trial does.
        os.kill(server.master, signal.SIGUSR2)
        wait_until(lambda: "memory_mb" in server.status.get()["reason"], 60,
                   "the server has tried")
    finally:
        server.conf.write_text(good)
    assert os.stat(f"/proc/{server.master}/exe").st_ino == before
    assert not load, load[:3]


def test_a_new_program_that_cannot_serve_goes_back(
        server: Server, load: "list[object]") -> None:
    """It takes over, and its generation cannot be prepared."""
    assert server.upgrade().returncode == 0
    caller = Caller(server.client, "there-and-back")
    caller.value("kept = 41")
    before = os.stat(f"/proc/{server.master}/exe").st_ino
    server.replace(server.build("8"))
    server.module.write_text(BROKEN)
    try:
        done = server.upgrade()
        assert done.returncode == 1
        assert "the wheel came off" in done.stderr
        wait_until(lambda: os.stat(f"/proc/{server.master}/exe").st_ino ==
                   before, 60, "the former program is back")
        wait_until(lambda: 'version="8.' not in server.metrics(), 60,
                   "its status process is back, too")
        assert caller.value("kept + 1") == 42
    finally:
        server.module.write_text("")
    assert server.upgrade().returncode == 0
    assert server.runs_what_is_on_disk()
    assert not load, load[:3]
