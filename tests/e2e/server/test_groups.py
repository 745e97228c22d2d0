"""Control groups of a server as a whole: a limit that stands above it, and
that nothing is left of its own groups. Starts servers of its own."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Iterator

import pytest
from own_server import DAEMON, Place

SYSFS = Path("/sys/fs/cgroup")
MEMORY = SYSFS / "memory"
ABOVE_MB = 450
CEILING_MB = ABOVE_MB * 80 // 100  # walls.memory_percent


def own_group() -> Path:
    """Ours of version 1's memory controller."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if "memory" in controllers.split(","):
            own = MEMORY / path.lstrip("/")
            return own if own.is_dir() else MEMORY
    pytest.skip("no memory controller of version 1, and no systemd")


def daemon(folder: Path, first: str) -> str:
    """A terrariumd that does FIRST, in sh."""
    path = folder / "limited-terrariumd"
    path.write_text(f'#!/bin/sh\nset -e\n{first}\nexec {DAEMON} "$@"\n')
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[str]:
    """A terrariumd in a group with less memory than limits.memory_mb: in its
    own scope where systemd gives one, or else in a group that is made here,
    of version 1."""
    if os.path.isdir("/run/systemd/system"):
        if not (SYSFS / "cgroup.controllers").exists():
            pytest.skip("systemd with version 1")
        yield daemon(tmp_path, "own=$(sed -n 's/^0:://p' /proc/self/cgroup)\n"
                     f"echo {ABOVE_MB << 20} >{SYSFS}$own/memory.max")
        return
    group = own_group() / f"terrarium-limited-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"no group can be made: {error.strerror}")
    (group / "memory.limit_in_bytes").write_text(str(ABOVE_MB << 20))
    yield daemon(tmp_path, f"echo 0 >{group}/cgroup.procs")
    group.rmdir()


def test_a_run_has_no_more_than_the_server(limited: str,
                                           place: Place) -> None:
    """The limit of the group above is a run's limit, so that programs get an
    error before the kernel kills."""
    started = place("start", DAEMON=limited)
    assert started.returncode == 0, started.stderr
    log = (place.prefix / "log/terrarium.log").read_text()
    assert f"may have: a run has {CEILING_MB} MB" in log
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


def test_all_programs_together(limited: str, place: Place) -> None:
    """Where memory is short a program is ended, never the server; and its
    answer does not blame its own limit, of which it was far away."""
    started = place("start", DAEMON=limited, WORKERS="4",
                    CONF_EXTRA="guest.preload=json;guest.freeze=no;"
                    "limits.memory_mb=300;pool.client_percent=100")
    assert started.returncode == 0, started.stderr
    pid = int((place.prefix / "terrariumd.pid").read_text())
    hungry = "import time\nkept = bytearray(150 << 20)\n" \
             "for i in range(0, len(kept), 4096): kept[i] = 1\n" \
             "time.sleep(5)"
    client = place.client()
    with ThreadPoolExecutor(4) as pool:
        said = list(pool.map(lambda _: client.run(hungry).json(), range(4)))
    ended = [one["error"] for one in said if not one["success"]]
    assert 1 <= len(ended) <= 3, said
    for error in ended:
        assert error["type"] == "memory", error
        assert "all programs together" in error["message"], error
        assert "300" not in error["message"], error
    assert client.run("1 + 1").json()["final_expression"] == 2
    assert int((place.prefix / "terrariumd.pid").read_text()) == pid
    own = client.run("import mmap\nheld = [mmap.mmap(-1, 4096) for _ in "
                     "range(10)]\nopen('f', 'wb').write(b'x')").json()
    assert own["success"], own
    assert place("stop").returncode == 0


def test_files_at_home_are_the_groups(place: Place) -> None:
    """A program's files are charged to its group, and freed with it."""
    started = place("start", WORKERS="1", CONF_EXTRA="guest.preload=json;"
                    "guest.freeze=no")
    assert started.returncode == 0, started.stderr

    def used() -> int:
        slots = [Path(folder, name) for folder, names, files in os.walk(SYSFS)
                 if f"/terrarium-{place.port}/slot-" in folder
                 for name in files
                 if name in ("memory.usage_in_bytes", "memory.current")]
        if not slots:
            pytest.skip("no memory controller")
        return max(int(one.read_text()) for one in slots) >> 20

    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(place.client().run,
                          "import time\n"
                          "for i in range(100):\n"
                          "    open(f'f{i}', 'wb').write(bytes(1 << 20))\n"
                          "time.sleep(3)\n"
                          "import os\n"
                          "for i in range(99): os.unlink(f'f{i}')")
        end = time.monotonic() + 20
        while used() < 100 and time.monotonic() < end:
            time.sleep(0.05)
        assert used() >= 100
        assert run.result().json()["success"]
    end = time.monotonic() + 20
    while used() > 20 and time.monotonic() < end:
        time.sleep(0.05)
    assert used() <= 20
