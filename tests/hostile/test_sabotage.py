"""A server that lacks one of its walls must not serve. Each wall is taken
away by making the system call fail that builds it. The server must log the
reason, in words that name the step, and either end or go on trying without
ever serving. With a wall switched off by its operator it serves; so the
refusals are not the harness's own doing.

Some servers run at once, because each test mostly waits for its own."""

from __future__ import annotations

import os
import re
import subprocess
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterator, Optional

import pytest
from pace import SLOWER

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
START_S = 50.0 * SLOWER
WATCH_S = 1.5
AT_ONCE = 3
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
    "no_close": ("close_range=EMFILE", {}, "close_range.*descriptors"),
    "no_group": ("setpgid=EPERM", {}, "parent.s group"),
    "keeps_capabilities": ("capset=EPERM", {}, "capabilities"),
    "no_limits": ("setrlimit=EPERM,prlimit64=EPERM", {}, "limits"),
    "keeps_identity": ("setresuid=EPERM", {}, "identity|uid"),
    "keeps_groups": ("setgroups=EPERM", {}, "groups"),
    "no_cgroups": (None, {"walls.cgroups": "require"}, "cgroup|control"),
}
AS_ROOT = {"keeps_groups"}
# Without a cgroup to make, "require" alone is the sabotage.
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


def write_conf(folder: Path, number: int, extra: dict[str, str]) -> Path:
    options = {"server.socket": f"{folder}/fastcgi.sock",
               "server.status_socket": f"{folder}/status.sock",
               "pool.workers": "2", "pool.armed": "1",
               "guest.preload": "json",
               "walls.cgroup_name": f"sabotage-{os.getpid()}-{number}",
               "walls.uid_base": str(1800000000 + 2048 * number)}
    if os.geteuid() != 0:
        options["walls.cgroups"] = "optional"
    options.update(extra)
    path = folder / "terrarium.conf"
    path.write_text("".join(
        "[{}]\n{} = {}\n".format(*name.split("."), value)
        for name, value in options.items()))
    return path


class Server:
    """A server of our own: it serves or it ends, and its log has the
    reason."""

    def __init__(self, folder: Path, number: int, refuse: Optional[str],
                 extra: dict[str, str]) -> None:
        self.log = folder / "log"
        command = [daemon(), "-c", str(write_conf(folder, number, extra))]
        if refuse:
            command = [str(HERE / "without"), refuse, *command]
        # In a group of its own: version 2 gives no controllers to the children
        # of this process's.
        command = [str(ROOT / "tools" / "local"), "alone", *command]
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


@dataclass
class Seen:
    """Of a server: whether it did as it should, its log, its exit status
    (None while it runs), and the lines that WATCH_S seconds added."""

    good: bool
    log: str
    status: Optional[int]
    lines: int


def serving(server: Server) -> Seen:
    return Seen(server.serves(), server.said(), server.process.poll(), 0)


def refusing(words: str) -> Callable[[Server], Seen]:
    def watch(server: Server) -> Seen:
        good = server.says(words)
        before = server.said().count("\n")
        time.sleep(WATCH_S)
        log = server.said()
        return Seen(good, log, server.process.poll(),
                    log.count("\n") - before)
    return watch


# The call that is made to fail, the server's options, and the observer.
Trial = tuple[Optional[str], dict[str, str], Callable[[Server], Seen]]
TRIALS: dict[str, Trial] = {
    # The harness itself, without harm.
    "nothing": ("reboot=EPERM", {}, serving),
    "switched_off": ("landlock_create_ruleset=ENOSYS",
                     {"walls.landlock": "off", "walls.cgroups": "off"},
                     serving),
    **{name: (refuse, extra, refusing(words))
       for name, (refuse, extra, words) in SABOTAGE.items()}}


def reason_to_skip(name: str) -> str:
    if name in AS_ROOT and os.geteuid() != 0:
        return ROOT_ONLY
    if name in AS_USER and os.geteuid() == 0:
        return "only when not started as root"
    return ""


def run_trial(name: str, number: int, folder: Path) -> Seen:
    refuse, extra, watch = TRIALS[name]
    server = Server(folder, number, refuse, extra)
    try:
        return watch(server)
    finally:
        server.stop()


Trials = dict[str, "Future[Seen]"]


@pytest.fixture(scope="module")
def trials(request: pytest.FixtureRequest,
           tmp_path_factory: pytest.TempPathFactory
           ) -> Iterator[Trials]:
    """The trials of the tests that were selected, as they end."""
    def name_of(item: Any) -> str:
        mark = item.get_closest_marker("trial")
        return mark.args[0] if mark else item.callspec.params["name"]

    names = [name_of(item) for item in request.session.items
             if item.path == request.path]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield {name: pool.submit(run_trial, name, number,
                                 tmp_path_factory.mktemp(name))
               for number, name in enumerate(names)
               if not reason_to_skip(name)}
        pool.shutdown(cancel_futures=True)


@pytest.mark.trial("nothing")
@pytest.mark.attack("L13_all_walls_stand")
def test_it_serves_when_nothing_is_missing(trials: Trials) -> None:
    seen = trials["nothing"].result()
    assert seen.good, seen.log[-500:]


@pytest.mark.trial("switched_off")
@pytest.mark.attack("L13_switched_off")
def test_what_is_switched_off_is_not_missed(trials: Trials) -> None:
    seen = trials["switched_off"].result()
    assert seen.good, seen.log[-500:]


@pytest.mark.parametrize("name", SABOTAGE)
@pytest.mark.attack("L13_a_wall_missing")
def test_it_does_not_serve_without(name: str, trials: Trials) -> None:
    if reason_to_skip(name):
        pytest.skip(reason_to_skip(name))
    seen = trials[name].result()
    assert seen.good, seen.log[-500:]
    assert "serving on" not in seen.log, seen.log[-500:]
    assert seen.status != 0, "it ended as if all were well"
    # A server that goes on trying does not fill the disk with its log.
    assert seen.lines < 20 * WATCH_S, seen.log[-500:]
