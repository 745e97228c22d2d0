"""A server that lacks one of its walls must not serve: each is taken away
in turn, by making the system call fail that builds it. The server must say
why, in words that name the step, and either end or go on trying without
ever serving. With a wall switched off by its operator it serves; so the
refusals are not the harness's own doing."""

from __future__ import annotations

import os
import re
import subprocess
import time
from pathlib import Path
from typing import Iterator, Optional

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
START_S = 50.0
WATCH_S = 1.5
ROOT_ONLY = "only when started as root"

# Which call fails and how; options of the server; a pattern of its words.
SABOTAGE = {
    "no_namespaces": ("unshare=EPERM", {}, "namespaces"),
    "no_tmpfs": ("fsopen=ENOSYS", {}, "home|root|tmpfs"),
    "no_attach": ("move_mount=EPERM", {}, "mount"),
    "no_mount": ("mount=EPERM", {}, "mount"),
    "no_pivot": ("pivot_root=EPERM", {}, "root"),
    "no_landlock": ("landlock_create_ruleset=ENOSYS", {}, "[Ll]andlock"),
    "no_landlock_rule": ("landlock_add_rule=EINVAL", {}, "Landlock"),
    "landlock_not_enforced": ("landlock_restrict_self=EPERM", {},
                              "Landlock"),
    "no_openat2": ("openat2=ENOSYS", {}, "openat2.*SystemCallFilter"),
    "no_filter": ("seccomp=EINVAL", {}, "filter"),
    "no_close": ("close_range=EMFILE", {}, "close descriptors"),
    "no_group": ("setpgid=EPERM", {}, "parent.s group"),
    "keeps_capabilities": ("capset=EPERM", {}, "capabilities"),
    "no_limits": ("setrlimit=EPERM,prlimit64=EPERM", {}, "limits"),
    "keeps_identity": ("setresuid=EPERM", {}, "identity|uid"),
    "keeps_groups": ("setgroups=EPERM", {}, "groups"),
    "no_cgroups": (None, {"walls.cgroups": "require"}, "cgroup|control"),
}
AS_ROOT = {"keeps_groups"}
# Where there is nobody's cgroup to make, "require" alone is the sabotage.
AS_USER = {"no_cgroups"}


def daemon() -> str:
    given = os.environ.get("DAEMON")
    if given:
        return given
    try:
        pid = Path(os.environ["TERRARIUM_PID_FILE"]).read_text().strip()
        return os.readlink(f"/proc/{pid}/exe")
    except (KeyError, OSError):
        return str(ROOT / "build" / "terrariumd")


def write_conf(folder: Path, extra: dict[str, str]) -> Path:
    options = {"server.socket": f"{folder}/fastcgi.sock",
               "server.status_socket": f"{folder}/status.sock",
               "pool.workers": "2", "pool.armed": "1",
               "guest.preload": "json",
               "walls.cgroup_name": f"sabotage-{os.getpid()}",
               "walls.uid_base": "1800000000"}
    if os.geteuid() != 0:
        options["walls.cgroups"] = "optional"
    options.update(extra)
    path = folder / "terrarium.conf"
    path.write_text("".join(
        "[{}]\n{} = {}\n".format(*name.split("."), value)
        for name, value in options.items()))
    return path


class Server:
    """A server of our own: it serves or it ends, and it has said why."""

    def __init__(self, folder: Path, refuse: Optional[str],
                 extra: dict[str, str]) -> None:
        self.log = folder / "log"
        command = [daemon(), "-c", str(write_conf(folder, extra))]
        if refuse:
            command = [str(HERE / "without"), refuse, *command]
        with open(self.log, "wb") as out:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                start_new_session=True)

    def said(self) -> str:
        return self.log.read_text(errors="replace")

    def serves(self) -> bool:
        """Wait until it is known."""
        end = time.monotonic() + START_S
        while time.monotonic() < end:
            if self.process.poll() is not None:
                return False
            if "serving on" in self.said():
                return True
            time.sleep(0.02)
        return False

    def says(self, words: str) -> bool:
        """Wait until it has said so."""
        end = time.monotonic() + START_S
        while time.monotonic() < end:
            if re.search(words, self.said()):
                return True
            if self.process.poll() is not None:
                return re.search(words, self.said()) is not None
            time.sleep(0.02)
        return False

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


@pytest.fixture
def server(tmp_path: Path) -> Iterator:
    started: list[Server] = []

    def start(refuse: Optional[str], extra: dict[str, str]) -> Server:
        started.append(Server(tmp_path, refuse, extra))
        return started[-1]
    yield start
    for one in started:
        one.stop()


@pytest.mark.attack("L13_all_walls_stand")
def test_it_serves_when_nothing_is_missing(server) -> None:
    one = server("reboot=EPERM", {})  # the harness itself, and no harm
    assert one.serves(), one.said()[-500:]


@pytest.mark.attack("L13_switched_off")
def test_what_is_switched_off_is_not_missed(server) -> None:
    one = server("landlock_create_ruleset=ENOSYS",
                 {"walls.landlock": "off", "walls.cgroups": "off"})
    assert one.serves(), one.said()[-500:]


@pytest.mark.parametrize("name", SABOTAGE)
@pytest.mark.attack("L13_a_wall_missing")
def test_it_does_not_serve_without(name: str, server) -> None:
    refuse, extra, words = SABOTAGE[name]
    if name in AS_ROOT and os.geteuid() != 0:
        pytest.skip(ROOT_ONLY)
    if name in AS_USER and os.geteuid() == 0:
        pytest.skip("only when not started as root")
    one = server(refuse, extra)
    assert one.says(words), one.said()[-500:]
    before = one.said().count("\n")
    time.sleep(WATCH_S)
    assert "serving on" not in one.said(), one.said()[-500:]
    assert one.process.poll() != 0, "it ended as if all were well"
    # Whoever goes on trying does not fill the disk with it.
    assert one.said().count("\n") - before < 20 * WATCH_S, one.said()[-500:]
