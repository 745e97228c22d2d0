"""Starts that take long, as on a slow machine: they go on as long as they
advance, report their step, and are given up when nothing moves. Starts
servers of its own."""

from __future__ import annotations

import os
import re
import signal
import socket
import threading
import time
from pathlib import Path

import pytest
from conftest import Status
from own_server import Place

# Preloaded modules: slow in processor time, or not moving at all.
SLOW_S = 6
SLOW = f"""import time
end = time.process_time() + {SLOW_S}
while time.process_time() < end:
    pass
"""
STILL = "import time\ntime.sleep(600)\n"


def start(place: Place, code: str, **options: object):
    folder = place.prefix.parent / "modules"
    folder.mkdir()
    folder.chmod(0o755)
    (folder / "preloaded.py").write_text(code)
    options = {"guest.python_path": folder, "guest.preload": "preloaded",
               "guest.freeze": "yes", **options}
    return place("start", WORKERS="2", ARMED="1", CONF_EXTRA=";".join(
        f"{name.replace('__', '.')}={value}"
        for name, value in options.items()))


def steps(text: str) -> list[tuple[str, int]]:
    return [(name, int(elapsed)) for name, elapsed in re.findall(
        r'starting: step="([^"]+)" elapsed_s=(\d+)', text, re.I)]


@pytest.mark.timed
def test_a_slow_start_goes_on_and_is_told(place: Place) -> None:
    """It takes far longer than it may stand still."""
    started = start(place, SLOW, pool__start_stall_s=2)
    assert started.returncode == 0, started.stderr
    assert place.client().value("1 + 1") == 2
    log = (place.prefix / "log/terrarium.log").read_text()
    told = steps(log)
    assert {name for name, _ in told} >= {"tracer imports", "import preload"}
    for (_, before), (_, after) in zip(told, told[1:]):
        assert 4 <= after - before <= 8, told
    # The terminal shows the same.
    assert steps(started.stdout) == told, started.stdout


def test_a_start_that_stands_still_is_given_up(place: Place) -> None:
    begun = time.monotonic()
    started = start(place, STILL, pool__start_stall_s=2)
    assert started.returncode != 0
    assert "stalled" in started.stderr, started.stderr
    assert 'step="tracer imports"' in started.stderr
    assert time.monotonic() - begun < 60


def test_a_reload_that_stands_still_leaves_the_old(place: Place) -> None:
    started = start(place, "", pool__start_stall_s=2, guest__freeze="no")
    assert started.returncode == 0, started.stderr
    (place.prefix.parent / "modules/preloaded.py").write_text(STILL)
    pid = int((place.prefix / "terrariumd.pid").read_text())
    os.kill(pid, signal.SIGHUP)
    log = place.prefix / "log/terrarium.log"
    end = time.monotonic() + 60
    while "stalled" not in log.read_text():
        assert time.monotonic() < end, log.read_text()
        assert place.client().value("1 + 1") == 2
        time.sleep(0.2)
    assert place.client().value("1 + 1") == 2


def test_a_service_manager_is_told_to_wait(place: Place,
                                           tmp_path: Path) -> None:
    """As systemd asks for it, of a service of Type=notify."""
    place.prefix.mkdir()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(60)
        # The master inherits this environment.
        place.env["NOTIFY_SOCKET"] = str(tmp_path / "notify")
        told: list[str] = []

        def receive() -> None:  # meanwhile: the socket holds ten messages
            while "READY=1" not in told:
                told.append(manager.recv(1000).decode())

        listener = threading.Thread(target=receive)
        listener.start()
        started = start(place, SLOW)
        assert started.returncode == 0, started.stderr
        listener.join()
    assert told.count("EXTEND_TIMEOUT_USEC=30000000") >= 2, told


def below(master: int) -> dict[int, str]:
    """The process ids below MASTER, and the roles."""
    parents, roles = {}, {}
    for row in Path("/proc").glob("[0-9]*"):
        try:
            roles[int(row.name)] = (row / "comm").read_text().strip()
            parents[int(row.name)] = int(
                (row / "stat").read_text().rsplit(")")[1].split()[1])
        except OSError:
            continue
    found: dict[int, str] = {}
    for pid in parents:
        at = pid
        while at in parents and at != master:
            at = parents[at]
        if at == master and pid != master:
            found[pid] = roles[pid]
    return found


def test_who_forks_guests_has_no_map_of_it(place: Place) -> None:
    """The page that tells of a start is shared, and gone once it stands."""
    started = place("start", WORKERS="2", ARMED="2",
                    CONF_EXTRA="guest.freeze=yes;sessions.max=2")
    assert started.returncode == 0, started.stderr
    place.client().run("x = 1", session="one")
    status = Status(place.assignments()["TERRARIUM_STATUS_URL"])
    status.settled()  # the next generation stands by
    mapped: dict[str, bool] = {}
    master = int((place.prefix / "terrariumd.pid").read_text())
    for pid, role in below(master).items():
        maps = Path(f"/proc/{pid}/maps").read_text()
        mapped[role] = mapped.get(role, False) or \
            "memfd:scoreboard" in maps
    assert mapped.pop("pool") and mapped.pop("session-forks"), mapped
    for role in ("status", "streams"):
        mapped.pop(role, None)
    assert {"fork-server", "worker", "guest", "session-keeper"} <= set(mapped)
    assert not any(mapped.values()), mapped
