"""Processor time and memory of other processes, from /proc."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import time
from pathlib import Path
from typing import Iterable, Iterator, Optional

TICK = os.sysconf("SC_CLK_TCK")
KTHREADD = 2
PR_SET_CHILD_SUBREAPER = 36


def _stat(pid: int) -> Optional[list[str]]:
    """Fields of /proc/PID/stat from the state on; None when it is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    return text[text.rindex(b")") + 2:].decode("ascii").split()


def parent(pid: int) -> int:
    fields = _stat(pid)
    return int(fields[1]) if fields else 0


def own_s(pid: int) -> float:
    """Processor time of PID itself. The scheduler's count is exact; where
    there is none, ticks are."""
    try:
        words = Path(f"/proc/{pid}/schedstat").read_text().split()
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        words, threads = [], []
    if words and len(threads) == 1:
        return int(words[0]) / 1e9
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / TICK if fields else 0.0


def reaped_s(pid: int) -> float:
    """Processor time of all that PID has waited for."""
    fields = _stat(pid)
    return (int(fields[13]) + int(fields[14])) / TICK if fields else 0.0


def children(pid: int) -> list[int]:
    return [int(entry) for entry in os.listdir("/proc")
            if entry.isdigit() and parent(int(entry)) == pid]


def descendants(root: int) -> list[int]:
    below: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            below.setdefault(parent(int(entry)), []).append(int(entry))
    out: list[int] = []
    todo = [root]
    while todo:
        found = below.get(todo.pop(), [])
        out += found
        todo += found
    return out


def total_s(pids: Iterable[int]) -> float:
    return sum(own_s(pid) + reaped_s(pid) for pid in pids)


def below_us_s() -> float:
    """Processor time of all that this process has started."""
    times = os.times()
    return times.children_user + times.children_system + total_s(
        descendants(os.getpid()))


@contextlib.contextmanager
def adopting() -> Iterator[None]:
    """Meanwhile, processes below us that lose their parent become our
    children, so that their cost is not lost (bubblewrap leaves before its
    child)."""
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def reap() -> None:
    """Wait for orphans; not while a child of ours may end that somebody
    else waits for."""
    time.sleep(0.05)
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def kernel_threads_s() -> dict[int, float]:
    """Of each of the kernel's own threads, which tear down namespaces and free
    memory later; the whole machine's. Empty where they are not visible."""
    return {pid: own_s(pid) for pid in children(KTHREADD)}


def grown_s(before: dict[int, float], after: dict[int, float]) -> float:
    """Kernel threads come and go; those in both are counted."""
    return sum(max(0.0, after[pid] - before[pid])
               for pid in before.keys() & after.keys())


def busy_s() -> float:
    """Of the whole machine."""
    words = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    user, nice, system, _, _, irq, softirq = (int(w) for w in words[:7])
    return (user + nice + system + irq + softirq) / TICK


def rollup_kb(pid: int, names: str) -> int:
    """Sum of the rows of /proc/PID/smaps_rollup that match NAMES."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return sum(int(kb) for kb in
               re.findall(rf"^(?:{names}):\s+(\d+)", text, re.M))


def private_kb(pid: int) -> int:
    """Memory that no other process has mapped (USS), without page tables. It
    includes pages of a memory file that others could read, but did not."""
    return rollup_kb(pid, "Private_Clean|Private_Dirty")


def written_kb(pid: int) -> int:
    """Pages of memory that PID wrote, or inherited and shares."""
    return rollup_kb(pid, "Anonymous")


def field_kb(pid: int, name: str) -> int:
    """One row of /proc/PID/status, such as VmPTE."""
    text = Path(f"/proc/{pid}/status").read_text(errors="replace")
    found = re.search(rf"^{name}:\s+(\d+)", text, re.M)
    return int(found[1]) if found else 0


def mappings(pid: int) -> int:
    return Path(f"/proc/{pid}/maps").read_bytes().count(b"\n")


def describe() -> dict[str, object]:
    """The machine, for the head of the page."""
    cpu = re.search(r"^model name\s*: (.*)$",
                    Path("/proc/cpuinfo").read_text(), re.M)
    return {"processor": cpu[1] if cpu else os.uname().machine,
            "processors": len(os.sched_getaffinity(0)),
            "kernel": os.uname().release,
            "memory_gb": round(os.sysconf("SC_PAGE_SIZE") *
                               os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
            "load_before": os.getloadavg()[0]}


class Meter:
    """Processor seconds of some processes between two moments."""

    def __init__(self, pids: Iterable[int]) -> None:
        self.pids = list(pids)
        self.begun = time.monotonic()
        self.before = self._now()

    def _now(self) -> tuple[float, dict[int, float], float]:
        return total_s(self.pids), kernel_threads_s(), busy_s()

    def stop(self) -> dict[str, float]:
        """Theirs, the kernel threads' and the machine's, since then."""
        theirs, kernel, busy = self._now()
        return {"cpu_s": theirs - self.before[0],
                "kernel_s": grown_s(self.before[1], kernel),
                "busy_s": busy - self.before[2],
                "wall_s": time.monotonic() - self.begun}
