"""Two servers on one host leave each other alone, and control groups that
vanish are made anew. Starts servers of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
import time
import urllib.request
from pathlib import Path
from typing import Iterator

import pytest
from conftest import Status, below
from own_server import DAEMON, Place

SMALL = "guest.preload=json;guest.freeze=no"
ROOT = os.geteuid() == 0
CAP_SYS_RESOURCE = 24  # a bit of the kernel's


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path / "other")
    yield place
    place("stop")


def start(place: Place, extra: str = "") -> subprocess.CompletedProcess:
    return place("start", CONF_EXTRA=f"{SMALL};{extra}", WORKERS="2")


def master(place: Place) -> int:
    return int((place.prefix / "terrariumd.pid").read_text())


def groups(place: Place) -> list[Path]:
    """The server's own, of each controller."""
    return [Path(folder, name) for folder, names, _ in
            os.walk("/sys/fs/cgroup") for name in names
            if name == f"terrarium-{place.port}"]


def share_the_top(*places: Place) -> None:
    """systemd gives each a group of its own, where names do not meet. The top
    is the only group of version 2 that two servers can be started in."""
    if not os.path.isdir("/run/systemd/system"):
        return
    if not ROOT:
        pytest.skip("only root can start two in one group")
    for place in places:
        wrapper = place.prefix.parent / "terrariumd-at-the-top"
        wrapper.parent.mkdir(exist_ok=True)
        wrapper.write_text("#!/bin/sh\nset -e\n"
                           "echo 0 >/sys/fs/cgroup/cgroup.procs\n"
                           f'exec {DAEMON} "$@"\n')
        wrapper.chmod(0o755)
        place.env["DAEMON"] = str(wrapper)


def check(place: Place, option: str) -> str:
    conf = place.prefix.parent / "same.conf"
    conf.write_text(f"[walls]\ncgroups = optional\n{option}\n")
    return subprocess.run([place.env["DAEMON"], "-c", str(conf), "-t"],
                          timeout=60, capture_output=True, text=True).stdout


def refused(first: Place, second: Place, option: str, value: str) -> None:
    """SECOND does not start, FIRST's request that runs is not touched."""
    answers: list[dict] = []
    one = first.client()
    runner = threading.Thread(target=lambda: answers.append(
        one.run("import time\ntime.sleep(4)\n6 * 7").json()))
    runner.start()
    time.sleep(1)
    done = start(second, f"{option}={value}")
    assert done.returncode != 0
    words = done.stdout + done.stderr
    assert f"process {master(first)}, has the same" in words, words
    assert f"another {option}" in words, words
    said = check(first, f"{option.split('.')[1]} = {value}")
    assert f"process {master(first)}, has the same" in said, said
    runner.join()
    assert answers[0]["success"], answers
    assert answers[0]["final_expression"] == 42
    assert one.run("1 + 1").json()["final_expression"] == 2


def test_the_same_group_is_refused(place: Place, other: Place) -> None:
    share_the_top(place, other)
    assert start(place).returncode == 0
    if not groups(place):
        pytest.skip("no control groups")
    refused(place, other, "walls.cgroup_name", f"terrarium-{place.port}")


@pytest.mark.skipif(not ROOT, reason="only root has user ids to share")
def test_overlapping_user_ids_are_refused(place: Place,
                                          other: Place) -> None:
    base = 1900000000 + 2048 * place.port
    assert start(place).returncode == 0
    refused(place, other, "walls.uid_base", str(base + 4))


def user_ids(status: Status) -> set[int]:
    """Of the guests that wait."""
    return {os.stat(f"/proc/{pid}").st_uid
            for worker in status.workers("idle")
            for pid in status.of_worker(worker)[1:]}


@pytest.mark.skipif(not ROOT, reason="only root has user ids to share")
def test_a_reload_takes_no_names_that_it_has_not_claimed(
        place: Place, other: Place) -> None:
    """Another server may have claimed those of the new configuration."""
    assert start(place).returncode == 0
    status = Status(place.assignments()["TERRARIUM_STATUS_URL"])
    status.settled()
    before = user_ids(status)
    conf = place.prefix / "terrarium.conf"
    text = conf.read_text()
    base = int(re.search(r"^uid_base = (\d+)$", text, re.M)[1])
    assert before and all(base < uid < base + 1000 for uid in before)
    conf.write_text(text.replace(
        f"uid_base = {base}", f"uid_base = {base + 1000}").replace(
        f"cgroup_name = terrarium-{place.port}", "cgroup_name = elsewhere"))
    done = subprocess.run([DAEMON, "-c", str(conf), "--reload"], timeout=120,
                          capture_output=True, text=True)
    assert done.returncode == 0, done
    status.settled()
    after = user_ids(status)
    assert after and all(base < uid < base + 1000 for uid in after), after
    log = (place.prefix / "log/terrarium.log").read_text()
    assert "only a restart changes: walls.cgroup_name, walls.uid_base" in log
    assert start(other, f"walls.uid_base={base + 1000}").returncode == 0
    assert other.client().value("6 * 7") == 42
    assert place.client().value("6 * 7") == 42


@pytest.mark.skipif(not ROOT, reason="needs another user")
def test_another_user_cannot_hold_roots_lock() -> None:
    """It cannot open the lock file that keeps a server from starting."""
    lock = Path("/run/terrarium.lock")
    lock.touch(0o600)
    done = subprocess.run(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
         "sh", "-c", f"exec 9<{lock}"], capture_output=True)
    assert done.returncode != 0


def test_a_killed_server_keeps_nothing(place: Place, other: Place) -> None:
    """Its claims end with it, and another one starts at once."""
    name = f"walls.cgroup_name=terrarium-{place.port};" \
           f"walls.uid_base={1900000000 + 2048 * place.port}"
    assert start(place).returncode == 0
    os.kill(master(place), signal.SIGKILL)
    done = start(other, name)
    assert done.returncode == 0, done.stdout + done.stderr
    assert other.client().run("1 + 1").json()["final_expression"] == 2


def test_groups_that_vanish_are_made_anew(place: Place) -> None:
    assert start(place).returncode == 0
    if not groups(place):
        pytest.skip("no control groups")
    client = place.client()
    before = [path.stat().st_ino for path in groups(place)]
    for group in groups(place):
        for folder in [*group.glob("slot-*"), group]:
            for _ in range(200):
                try:
                    for pid in (folder / "cgroup.procs").read_text().split():
                        os.kill(int(pid), signal.SIGKILL)
                    folder.rmdir()
                    break
                except ProcessLookupError:
                    continue
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.01)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        now = [path.stat().st_ino for path in groups(place)]
        if now and now != before:
            answer = client.post({"code": "1 + 1"})
            if answer.status == 200:
                assert answer.json()["final_expression"] == 2
                break
        time.sleep(0.5)
    else:
        pytest.fail("the server did not come back")
    log = (place.prefix / "log/terrarium.log").read_text()
    assert "control groups of the server are lost" in log
    assert os.path.exists(f"/proc/{master(place)}")


def score(pid: int) -> int:
    return int(Path(f"/proc/{pid}/oom_score_adj").read_text())


def scores(place: Place, own: int) -> None:
    """The score of each role, as the kernel has it; OWN is the lowest."""
    client = place.client()
    held = client.post({"code": "1", "session": "s"})
    assert held.status == 200
    time.sleep(1.5)  # until no worker is on its way out
    url = place.assignments()["TERRARIUM_STATUS_URL"] + "/status"
    with urllib.request.urlopen(url, timeout=10) as answer:
        status = json.load(answer)
    idle = [one for one in status["workers"] if one["guest"]]
    assert {score(one["guest"]) for one in idle} == {1000}
    assert {score(one["pid"]) for one in idle} == {500}
    assert {score(one["keeper"]) for one in status["sessions"]["list"]} \
        == {1000}
    assert {score(one.pid) for one in below(status["master"])
            if one.name in ("fork-server", "session-forks", "queue",
                            "streams")} == {own}
    assert score(status["fork_server"]) == own
    assert score(status["status"]) == own
    # Root without CAP_SYS_RESOURCE, as in a container, may not lower it.
    assert score(status["master"]) in (-500, own)


def test_guests_go_first_when_memory_is_short(place: Place) -> None:
    assert start(place).returncode == 0
    scores(place, max(score(os.getpid()), 0))


@pytest.mark.skipif(not ROOT, reason="needs to set a lowest score")
def test_a_score_that_cannot_be_lowered(place: Place) -> None:
    """A user's systemd starts services with 200. That is then what all have
    but those that may go; no guest leaves its own to what forked it."""
    lowest = 200
    wrapper = place.prefix.parent / "raised-terrariumd"
    wrapper.write_text(f"#!/bin/sh\necho {lowest} >/proc/self/oom_score_adj\n"
                       "exec setpriv --bounding-set=-sys_resource "
                       f'{DAEMON} "$@"\n')
    wrapper.chmod(0o755)
    own = re.search(r"^CapEff:\s*(\w+)", Path("/proc/self/status")
                    .read_text(), re.M)
    assert own
    if not int(own[1], 16) >> CAP_SYS_RESOURCE & 1:
        pytest.skip("without CAP_SYS_RESOURCE it can always be lowered")
    done = place("start", CONF_EXTRA=SMALL, WORKERS="2", DAEMON=str(wrapper))
    assert done.returncode == 0, done.stderr
    scores(place, lowest)
