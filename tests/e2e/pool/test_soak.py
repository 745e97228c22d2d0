"""Many requests of every kind, and afterwards the server is as before.

SOAK sets their number (300). Four callers at a time; a tenth of the runs is
cut off by its client, runs out of time or leaves by os._exit. Then, from
outside: processes below the master, mounts, open files of the master and
the pool, cgroups, files in /tmp and resident memory, before and after.
"""

from __future__ import annotations

import os
import random
import re
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Callable, Optional

import pytest
from client import Client
from conftest import Status, below, wait_until

pytestmark = pytest.mark.timed

SOAK = int(os.environ.get("SOAK", "300"))
CALLERS = 4
MEMORY_SLACK = 0.10
SETTLE_S = 10.0


# -- counts


@dataclass
class Figures:
    """The server as seen from outside. None: may not be looked at."""

    processes: int
    zombies: int
    mounts: int
    master_files: Optional[int]
    zygote_files: Optional[int]
    mold_files: Optional[int]
    cgroups: int
    tmp_files: int
    master_rss_kb: int
    zygote_rss_kb: int
    mold_rss_kb: int


EQUAL = ("processes", "zombies", "mounts", "master_files", "zygote_files",
         "mold_files", "cgroups", "tmp_files")
NEAR = ("master_rss_kb", "zygote_rss_kb", "mold_rss_kb")


def open_files(pid: int) -> Optional[int]:
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return None


def resident_kb(pid: int) -> int:
    text = Path(f"/proc/{pid}/status").read_text(encoding="ascii",
                                                 errors="replace")
    found = re.search(r"^VmRSS:\s+(\d+) kB", text, re.M)
    return int(found[1]) if found else 0


def own_conf() -> dict[str, str]:
    """The configuration of the server under test, which lies beside its
    pid file; empty when that is not known."""
    pid_file = os.environ.get("TERRARIUM_PID_FILE")
    if not pid_file:
        return {}
    text = Path(pid_file).with_name("terrarium.conf").read_text()
    return dict(re.findall(r"^(\w+) = (.*)$", text, re.M))


def cgroups() -> int:
    """Directories of this server's name and everything below them."""
    name = "/" + own_conf().get("cgroup_name", "terrarium")
    total = 0
    for place, folders, _ in os.walk("/sys/fs/cgroup"):
        if name in place:
            total += 1
        elif place.count("/") > 8:
            folders.clear()
    return total


def tmp_files() -> int:
    """The files of the server's own directories, and names in /tmp of the
    kind that it could leave there."""
    kinds = ("guest", "fcgi", "home")
    total = sum(name.lower().startswith(kinds) for name in os.listdir("/tmp"))
    socket = own_conf().get("socket")
    if socket:
        total += sum(len(files) for _, _, files
                     in os.walk(os.path.dirname(socket)))
    return total


def figures(master: int, pool_pid: int, fork_server: int) -> Figures:
    family = below(master)
    mounts = Path("/proc/self/mountinfo").read_bytes().count(b"\n")
    return Figures(
        len(family), sum(1 for p in family if p.state == "Z"), mounts,
        open_files(master), open_files(pool_pid), open_files(fork_server),
        cgroups(),
        tmp_files(), resident_kb(master), resident_kb(pool_pid),
        resident_kb(fork_server))


# -- requests


def plain(client: Client, n: int) -> None:
    assert client.value(f"{n} * 2") == n * 2


def with_files(client: Client, n: int) -> None:
    reply = client.run("x = open('in').read()\n"
                       "open('out', 'w').write(x * 2);", {"in": str(n)})
    assert reply.files() == {"out": str(n).encode() * 2}


def failing(client: Client, n: int) -> None:
    answer = client.run(f"print({n})\nraise KeyError({n})").json()
    assert answer["error"]["type"] == "KeyError"
    assert answer["std_out"] == f"{n}\n"


def printing(client: Client, n: int) -> None:
    answer = client.run(f"print('x' * 50000)\nprint({n})").json()
    assert answer["std_out"] == "x" * 50000 + f"\n{n}\n"


def threading_(client: Client, n: int) -> None:
    assert client.value(
        "from concurrent.futures import ThreadPoolExecutor as P\n"
        f"with P(3) as p:\n    out = list(p.map(abs, [-{n}, 1]))\n"
        "out") == [n, 1]


def computing(client: Client, n: int) -> None:
    assert client.value("import numpy as np\n"
                        f"int(np.arange({n} + 1).sum())") == n * (n + 1) // 2


def cut_off(client: Client, n: int) -> None:
    sock = client.begin("import time\ntime.sleep(30)")
    time.sleep(random.Random(n).random() * 0.1)
    sock.close()


def out_of_time(client: Client, n: int) -> None:
    answer = client.run("while True: pass", timeout_ms=150).json()
    assert answer["error"]["type"] == "timeout"


def leaving(client: Client, n: int) -> None:
    answer = client.run(f"import os\nos._exit({n % 256})").json()
    assert answer["error"]["type"] == "exited"
    assert str(n % 256) in answer["error"]["message"]


GOOD = (plain, plain, plain, with_files, failing, printing, threading_,
        computing)
BAD = (cut_off, out_of_time, leaving)


def kind(n: int) -> Callable[[Client, int], None]:
    """The N-th request: a tenth are bad, the same in every soak."""
    return BAD[n // 10 % len(BAD)] if n % 10 == 9 else GOOD[n % len(GOOD)]


def soak(client: Client, count: int) -> Counter[str]:
    """Send COUNT requests; returns the failures, counted."""
    def one(n: int) -> Optional[str]:
        call = kind(n)
        try:
            call(client, n)
        except (AssertionError, OSError, ValueError, KeyError) as error:
            return f"{call.__name__}: {type(error).__name__} {error}"[:200]
        return None

    with ThreadPoolExecutor(CALLERS) as pool:
        return Counter(filter(None, pool.map(one, range(count))))


def settle(status: Status, idle: int) -> None:
    wait_until(lambda: status.busy() == 0, SETTLE_S, "nothing runs")
    wait_until(lambda: status.pool()["idle"] >= idle, SETTLE_S,
               "the pool is full")
    time.sleep(1)


def test_soak(client: Client, status: Status, master: int) -> None:
    # The first requests fill caches that stay: they are not counted.
    soak(client, 20)
    time.sleep(1)
    idle = status.settled()["idle"]
    said = status.get()
    pool_pid, fork_server = said["pool_pid"], said["fork_server"]
    settle(status, idle)
    before = figures(master, pool_pid, fork_server)

    failed = soak(client, SOAK)
    assert not failed, failed.most_common(5)

    settle(status, idle)
    if status.get()["pool_pid"] != pool_pid:
        pytest.skip("a new generation began meanwhile: its figures are "
                    "not comparable")
    after = figures(master, pool_pid, fork_server)
    print(f"\n{SOAK} requests\nbefore {asdict(before)}\n"
          f"after  {asdict(after)}")
    grown = {name: (getattr(before, name), getattr(after, name))
             for name in EQUAL
             if (getattr(after, name) or 0) > (getattr(before, name) or 0)}
    assert not grown, grown
    for name in NEAR:
        old, new = getattr(before, name), getattr(after, name)
        assert new <= old * (1 + MEMORY_SLACK) + 1024, (name, old, new)
