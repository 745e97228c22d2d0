"""The cost of a request in counts that depend on no clock: page faults, system
calls, forks, mappings, bytes. Each has a bound, so that a change which makes
a request dearer is seen on any machine, however busy it is.

The bounds are some 15 % above the counts when they were set. A bound that is
exceeded is either a mistake or a price that was chosen, and then BOUNDS has
the reason. They hold for the packages of Debian 12 and 13 and the default
preload.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Iterator

import pytest
from client import Client
from conftest import Status, wait_until
from own_server import Place

REQUESTS = 20
ATTACH_S = 10.0

# Of one request for `1 + 1`: the count, its bound, and its parts.
BOUNDS = {
    "forks": (3, "a worker, its guest, and the init of its pid namespace, "
              "which shares the worker's memory"),
    "faults of the worker": (
        100, "the same as the guest's; it has no Python"),
    "faults of the guest": (
        370, "pages that are taken before the run, and what else fork, "
        "arming and the run write or read for the first time; some 80 more "
        "where the kernel has no large page to spare for the frozen file"),
    "faults of the pool": (
        8, "what it writes between two forks is copied for each"),
    "faults of the fork server": (
        20, "the same"),
    "calls of the pool": (
        28, "a cradle, fork, reports, burial"),
    "calls of the fork server": (
        30, "an order, fork, burial"),
    "calls of the worker": (
        142, "pipes, tmpfs, an order, its wall, one request, one answer"),
    "calls of the guest": (
        110, "its walls, its job and its frames"),
    "calls from accept to hand-over": (
        21, "the request is read and parsed, the four descriptors that bring "
        "connections closed, the job written; nothing that could be done "
        "before"),
    "bytes read and written": (
        2450, "request, job, frames and answer, each passed on once"),
}

# Of an armed worker and its guest.
STANDING = {
    "mappings of the pool": (
        75, "some for each library; fork copies each"),
    "mappings of the worker": (
        75, "the pool process's"),
    "mappings of the fork server": (
        330, "text and data of each library of the preload; see freeze.h"),
    "mappings of the guest": (
        330, "the fork server's"),
    "mounts of the guest": (
        28, "the kernel copies each for each guest; small data is copied "
        "into the root instead"),
    "kB of their own, worker and guest": (
        1250, "pages that were written since the fork"),
    "faults of a table that is grouped": (
        950, "what pandas writes of its own, which lies together"),
    "faults of a chart": (
        2300, "what matplotlib writes of its own, the same"),
    "pages of 240 new objects": (
        40, "one for each size, and more for the larger ones"),
}


def stat(pid: int) -> list[int]:
    """The numbers of /proc/PID/stat behind the state."""
    text = Path(f"/proc/{pid}/stat").read_bytes()
    return [int(word) for word in text[text.rindex(b")") + 4:].split()]


def faults(pid: int) -> tuple[int, int]:
    """Minor faults of PID, and of all children that it has reaped."""
    numbers = stat(pid)
    return numbers[6], numbers[7]


Server = tuple[Client, Status]


@pytest.fixture(scope="module")
def server(shared_place: Place) -> Server:
    """One worker at a time, so that all counts are of one request."""
    return begin(shared_place.with_default_guest())


def begin(place: Place) -> Server:
    started = place("start", WORKERS="2", ARMED="1")
    assert started.returncode == 0, started.stderr
    given = place.assignments()
    client = place.client()
    status = Status(given["TERRARIUM_STATUS_URL"])
    status.settled()  # the generation that stands by is prepared
    ask(client, status, 3)  # costs of the first requests only
    return client, status


def ask(client: Client, status: Status, count: int) -> None:
    for _ in range(count):
        assert client.value("1 + 1") == 2
        wait_until(lambda: status.busy() == 0 and
                   status.pool()["idle"] == 1, 10, "the next is armed")


def check(counted: dict[str, float],
          bounds: dict[str, tuple[int, str]]) -> None:
    for name, value in counted.items():
        print(f"{name}: {value:g} (at most {bounds[name][0]})")
    dear = {name: f"{value:g}, more than {bounds[name][0]}: "
                  f"{bounds[name][1]}"
            for name, value in counted.items() if value > bounds[name][0]}
    assert not dear, dear


# -- counts of the kernel


def test_page_faults(server: Server) -> None:
    client, status = server
    said = status.get()
    pairs = (("pool", said["pool_pid"], "worker"),
             ("fork server", said["fork_server"], "guest"))
    before = {parent: faults(pid) for parent, pid, _ in pairs}
    ask(client, status, REQUESTS)
    counted = {}
    for parent, pid, child in pairs:
        own, theirs = (after - was for after, was in zip(
            faults(pid), before[parent]))
        counted[f"faults of the {parent}"] = own / REQUESTS
        counted[f"faults of the {child}"] = theirs / REQUESTS
    check(counted, BOUNDS)


def mappings(pid: int) -> int:
    return Path(f"/proc/{pid}/maps").read_bytes().count(b"\n")


def mounts(pid: int) -> int:
    return Path(f"/proc/{pid}/mountinfo").read_bytes().count(b"\n")


def written_kb(pid: int) -> int:
    """Pages of its own. Pages that it only reads are of the frozen memory
    file; the kernel calls them private too while no other process maps it."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    found = re.search(r"^Anonymous:\s+(\d+)", text, re.M)
    assert found
    return int(found[1])


def test_what_stands_armed(server: Server) -> None:
    _, status = server
    worker = status.workers("idle")[0]
    guests = status.of_worker(worker)
    assert len(guests) == 2
    try:
        counted = {
            "mappings of the pool": mappings(status.get()["pool_pid"]),
            "mappings of the worker": mappings(worker),
            "mappings of the fork server": mappings(
                status.get()["fork_server"]),
            "mappings of the guest": max(map(mappings, guests)),
            "mounts of the guest": max(map(mounts, guests)),
            "kB of their own, worker and guest": sum(
                map(written_kb, [worker, *guests]))}
    except PermissionError:
        pytest.skip("the maps of a guest are for root to read")
    check(counted, STANDING)


LARGE = Path("/sys/kernel/mm/transparent_hugepage/enabled")
RESERVE_KB = 16 << 10  # sandbox/prefork/heap.c's


def test_arrays_get_large_pages(server: Server) -> None:
    """That they are asked for: whether the kernel has some to spare is for
    it to say."""
    if not LARGE.exists():
        pytest.skip("this kernel has no large pages")
    _, status = server
    guests = status.of_worker(status.workers("idle")[0])
    try:
        asked = [int(found[1]) for pid in guests for found in re.finditer(
            r"^Size:\s+(\d+) kB(?:\n(?!VmFlags).*)*\nVmFlags:.* hg ",
            Path(f"/proc/{pid}/smaps").read_text(), re.M)]
    except PermissionError:
        pytest.skip("the maps of a guest are for root to read")
    assert any(size >= RESERVE_KB for size in asked), asked


def test_new_objects_lie_together(server: Server) -> None:
    """Not in the holes of a hundred megabytes, a page to be copied each."""
    client, _ = server
    pages = client.value(
        "kept = [bytes(size) for size in range(1, 470, 16)\n"
        "        for _ in range(8)]\n"
        "len({id(one) >> 12 for one in kept})")
    check({"pages of 240 new objects": pages}, STANDING)


GROUPED = """
table = pandas.DataFrame({"a": [1, 2, 1], "b": [1.0, 2.0, 3.0]})
table.groupby("a")["b"].mean().to_dict()"""
CHART = """
figure, axes = pyplot.subplots()
axes.bar([1, 2], [3, 4])
figure.savefig(io.BytesIO(), format="svg")"""


@pytest.mark.parametrize("source", ["traced", "kept"])
def test_what_libraries_write_lies_together(place: Place,
                                            source: str) -> None:
    """A guest's pages are faulted in one by one: of what it writes of the
    preload's objects many lie on each. A trace that an earlier start has
    kept is as good as a fresh one."""
    full = place.with_default_guest()
    if source == "kept":
        assert full("start").returncode == 0
        assert full("stop").returncode == 0
    client, _ = begin(full)
    log = (place.prefix / "log" / "terrarium.log").read_text()
    assert f"layout: source={source} " in log, log
    value = ("import io, pandas, resource\n"
             "from matplotlib import pyplot\n"
             "def faults():\n"
             "    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt\n"
             "before = faults()%s\n"
             "faults() - before")
    check({"faults of a table that is grouped": client.value(value % GROUPED),
           "faults of a chart": client.value(value % CHART)}, STANDING)


@pytest.mark.parametrize("cache", [True, False])
def test_traced_blocks_come_again(place: Place, cache: bool) -> None:
    """The first start with a folder for the list of fonts, and each without
    one. Files that the write tracer finds, makes or leaves do not matter,
    but for the order of fonts in two lists."""
    extra = "log.level=info" + ("" if cache else ";server.cache_dir=")
    started = place.with_default_guest()(
        "start", WORKERS="2", ARMED="1", CONF_EXTRA=extra)
    assert started.returncode == 0, started.stderr
    text = (place.prefix / "log" / "terrarium.log").read_text()
    found = re.search(r"layout: source=traced grouped=(\d+) of=(\d+) ", text)
    assert found, text
    assert int(found[2]) > 3000, text
    assert int(found[1]) > 0.9 * int(found[2]), text
    assert " write-tracer[" not in text


# -- counts of strace


@dataclass
class Traced:
    """A process, by its lines."""

    parent: int = 0
    ended: bool = False
    calls: Counter[str] = field(default_factory=Counter)
    order: list[str] = field(default_factory=list)
    bytes: int = 0


CALL = re.compile(r"(\d+) +(<\.\.\. )?(\w+)")
RESULT = re.compile(r"= (\d+)(?: /\* (\d+) in strace's PID NS \*/)?$")
FORKS = {"clone", "clone3", "fork", "vfork"}
COPIES = {"read", "write", "readv", "writev", "recvfrom", "sendto",
          "recvmsg", "sendmsg"}


def parse(text: str) -> dict[int, Traced]:
    """Processes by pid. A call that was interrupted by another process's
    line stands on two: its name on both, its result on the second."""
    found: dict[int, Traced] = {}
    for line in text.splitlines():
        match = CALL.match(line)
        if not match:  # "+++ killed by SIGKILL +++", "--- SIGCHLD"
            pid = int(line.split()[0])
            found.setdefault(pid, Traced()).ended |= "+++" in line
            continue
        pid, resumed, name = int(match[1]), match[2], match[3]
        process = found.setdefault(pid, Traced())
        if not resumed:
            process.calls[name] += 1
            process.order.append(name)
        result = RESULT.search(line)
        if result and name in COPIES:
            process.bytes += int(result[1])
        elif result and name in FORKS:
            child = int(result[2] or result[1])
            found.setdefault(child, Traced()).parent = pid
    return found


def family(found: dict[int, Traced], root: int) -> Iterator[int]:
    for pid, process in found.items():
        if process.parent == root:
            yield pid
            yield from family(found, pid)


def calls(found: dict[int, Traced], pids: list[int]) -> int:
    """Without those that take pages: one, or before Linux 6.14 hundreds."""
    return sum(sum(found[pid].calls.values()) - found[pid].calls["madvise"]
               for pid in pids)


def hand_over(order: list[str]) -> int:
    """Of a worker's calls: from when it accepts until it has written the
    job, and closes the pipe."""
    accept = len(order) - 1 - order[::-1].index("accept4")
    writes = [at for at in range(accept, len(order))
              if order[at:at + 2] == ["write", "close"]]
    assert writes, order
    return writes[0] - accept + 1


def show(role: str, found: dict[int, Traced], pids: list[int],
         requests: int) -> None:
    """The calls that ROLE makes most, to explain a bound."""
    total: Counter[str] = sum((found[pid].calls for pid in pids), Counter())
    print(f"{role}: " + ", ".join(f"{name} {count / requests:g}" for
                                  name, count in total.most_common(8)))


def trace(pids: list[int], output: Path) -> subprocess.Popen[str]:
    """Follow PIDS and their children; skips when that is not allowed."""
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("strace is not installed")
    child = subprocess.Popen(
        [strace, "-f", "--pidns-translation", "-o", str(output),
         *(f"-p{pid}" for pid in pids)],
        stderr=subprocess.PIPE, text=True)
    files = [Path(f"/proc/{pid}/status") for pid in pids]
    end = time.monotonic() + ATTACH_S
    while not all(f"TracerPid:\t{child.pid}\n" in file.read_text()
                  for file in files):
        if child.poll() is not None or time.monotonic() > end:
            child.kill()
            assert child.stderr
            words = child.stderr.read().strip() or "it does not attach"
            pytest.skip(f"strace may not follow them: {words}")
        time.sleep(0.01)
    return child


def test_system_calls(server: Server, tmp_path: Path) -> None:
    client, status = server
    said = status.get()
    pool_pid, fork_server = said["pool_pid"], said["fork_server"]
    output = tmp_path / "calls"
    tracer = trace([pool_pid, fork_server], output)
    try:
        ask(client, status, REQUESTS + 1)  # the first was armed before
    finally:
        tracer.terminate()
        tracer.wait(10)
    found = parse(output.read_text(errors="replace"))
    # Of those that were seen from their fork to their end.
    workers, guests = ([pid for pid, process in found.items()
                        if process.parent == parent and process.ended]
                       for parent in (pool_pid, fork_server))
    assert min(len(workers), len(guests)) >= REQUESTS - 1
    inits = {pid: list(family(found, pid)) for pid in workers}
    show("pool", found, [pool_pid], len(workers))
    show("fork server", found, [fork_server], len(guests))
    show("worker", found, workers, len(workers))
    show("guest", found, guests, len(guests))
    check({
        "forks": median(1 + len(inits[pid]) for pid in workers) +
        1 + median(len(list(family(found, pid))) for pid in guests),
        "calls of the pool": calls(found, [pool_pid]) / len(workers),
        "calls of the fork server": calls(found, [fork_server]) / len(guests),
        "calls of the worker": median(
            calls(found, [pid]) for pid in workers),
        "calls of the guest": median(calls(found, [pid]) for pid in guests),
        "calls from accept to hand-over": median(
            hand_over(found[pid].order) for pid in workers),
        "bytes read and written": sum(
            median(found[pid].bytes for pid in pids)
            for pids in (workers, guests))}, BOUNDS)
