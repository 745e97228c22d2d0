"""Control groups of a server as a whole: a limit that stands above it, and
that nothing is left of its own groups. Starts servers of its own."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Iterator

import pytest
from own_server import LOCAL, Place

MEMORY = Path("/sys/fs/cgroup/memory")
CEILING_MB = 450


def own_group() -> Path:
    """Ours of version 1's memory controller."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if "memory" in controllers.split(","):
            own = MEMORY / path.lstrip("/")
            return own if own.is_dir() else MEMORY
    pytest.skip("no memory controller of version 1")


@pytest.fixture
def limited() -> Iterator[Path]:
    """A group with less memory than limits.memory_mb."""
    if os.path.isdir("/run/systemd/system"):
        pytest.skip("systemd starts a server in a group of its own")
    group = own_group() / f"terrarium-limited-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"no group can be made: {error.strerror}")
    (group / "memory.limit_in_bytes").write_text(str(CEILING_MB << 20))
    yield group
    group.rmdir()


def test_a_run_has_no_more_than_the_server(limited: Path,
                                           place: Place) -> None:
    """What the group above may have is a run's limit, so that programs are
    told before the kernel kills."""
    started = subprocess.run(
        ["sh", "-c", f'echo 0 >{limited}/cgroup.procs && exec {LOCAL} start'],
        env=place.env, capture_output=True, text=True, timeout=240)
    assert started.returncode == 0, started.stderr
    log = (place.prefix / "log/terrarium.log").read_text()
    assert f"may have in all: a run has {CEILING_MB} MB" in log
    reserve = "import mmap\nmmap.mmap(-1, {} << 20).close()"
    fits = place.client().run(
        reserve.format(CEILING_MB - 20)).json()
    assert fits["success"], fits
    does_not = place.client().run(
        reserve.format(CEILING_MB + 30)).json()
    assert "Cannot allocate memory" in does_not["error"]["message"]
    assert place("stop").returncode == 0


def test_nothing_is_left_of_a_servers_groups(place: Place) -> None:
    assert place("start").returncode == 0

    def groups() -> list[str]:
        return [folder for folder, _, _ in os.walk("/sys/fs/cgroup")
                if f"/terrarium-{place.port}" in folder]

    log = (place.prefix / "log/terrarium.log").read_text()
    assert bool(groups()) != ("without control groups" in log)
    assert place("stop").returncode == 0
    assert groups() == []
