"""The measurements, their order, and their results.

A cell is one subject under one load. A round measures every cell once, and
rounds follow one another (A B C, C B A, A B C ...), so that a machine that
slows down slows all of them. Results are compared within a round.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Iterator, Optional

import machine
from peers import PEERS, Peer, closed_loop, warm_sample
from served import Behind, Failed, Load, Terrarium
from workloads import BY_NAME, COMPUTING, ONE, PRELOAD, PRELOAD_ALL, \
    WORKLOADS, Workload

PACED = 25.0            # requests a second that leave the machine idle
CONCURRENCY = (1, 2, 8, 32)
OVERLOAD_PARTS = 4
OVERLOAD_CONNS = 250    # more than can wait or run, less than nginx limits
SLOTS = machine.describe()["processors"]


@dataclass(frozen=True)
class Effort:
    """How much is done."""

    rounds: int
    seconds: float      # of one cell
    calls: int          # of a slow peer in each slot, and of a guest's clock
    forks: int
    overload_s: float
    pools: tuple[int, ...]
    workloads: tuple[str, ...]  # of peers
    concurrency: tuple[int, ...]  # of 1+1
    others: tuple[int, ...]       # of the other workloads


FULL = Effort(5, 3.0, 3, 2000, 60.0, (4, 16, 64, 256),
              tuple(BY_NAME), CONCURRENCY, CONCURRENCY)
QUICK = Effort(2, 0.6, 1, 300, 6.0, (4, 64), ("one", "svg"), (1, 2, 32),
               (SLOTS,))


@dataclass
class Cell:
    subject: str
    workload: str
    load: str           # "paced", or how many at a time
    measure: Callable[[], dict[str, Any]]


@dataclass
class Results:
    """Every sample, and the missing ones."""

    machine: dict[str, Any]
    quick: bool
    samples: list[dict[str, Any]] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)

    def add(self, number: int, cell: Cell, sample: dict[str, Any]) -> None:
        self.samples.append({"round": number, "subject": cell.subject,
                             "workload": cell.workload, "load": cell.load,
                             **sample})

    def of(self, subject: str, workload: str, load: str,
           name: str) -> dict[int, float]:
        """One figure of one cell by round."""
        return {s["round"]: s[name] for s in self.samples
                if (s["subject"], s["workload"], s["load"]) ==
                (subject, workload, load) and name in s}

    def median(self, subject: str, workload: str, load: str,
               name: str) -> Optional[float]:
        values = self.of(subject, workload, load, name).values()
        return statistics.median(values) if values else None

    def loads(self, subject: str, workload: str) -> list[str]:
        seen = {s["load"]: None for s in self.samples
                if (s["subject"], s["workload"]) == (subject, workload)}
        return list(seen)

    def best(self, subject: str, workload: str) -> Optional[str]:
        """The load under which it answers most."""
        rates = {load: self.median(subject, workload, load, "per_s")
                 for load in self.loads(subject, workload)
                 if load.isdigit()}
        known = {load: rate for load, rate in rates.items() if rate}
        return max(known, key=known.__getitem__) if known else None


_begun = time.monotonic()


def note(text: str) -> None:
    """A progress line."""
    print(f"{time.monotonic() - _begun:5.0f} s  {text}", file=sys.stderr,
          flush=True)


def fork_sample(command: list[str]) -> dict[str, Any]:
    """Libraries may grumble while they are imported."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise ValueError(done.stderr[-200:])
    return json.loads(done.stdout)


class Bench:
    """The subjects that stand, and the cells."""

    def __init__(self, out: Path, effort: Effort, results: Results,
                 load: Load, terrarium: Terrarium, floor: Behind,
                 confs: dict[str, Path]) -> None:
        self.out, self.effort, self.results = out, effort, results
        self.load, self.terrarium, self.floor = load, terrarium, floor
        self.confs = confs
        self.peers = list(self.install())

    def install(self) -> Iterator[type[Peer]]:
        for kind in PEERS:
            why = kind().install(self.out)
            if why is None:
                yield kind
            else:
                self.results.missing[kind.title] = why
                note(f"missing: {kind.title}: {why}")

    # -- cells

    def served(self, subject: str, server: Behind, workload: Workload,
               conns: int, rate: float = 0) -> Cell:
        return Cell(subject, workload.name,
                    "paced" if rate else str(conns),
                    lambda: self.load.run(server, workload, conns,
                                          self.effort.seconds, rate))

    def servers(self) -> Iterator[Cell]:
        pairs = (("terrarium", self.terrarium), ("hello", self.floor))
        for subject, server in pairs:
            yield self.served(subject, server, ONE, 1, PACED)
        for conns in self.effort.concurrency:
            for subject, server in pairs:
                yield self.served(subject, server, ONE, conns)
        for workload in WORKLOADS[1:]:
            for conns in self.effort.others:
                yield self.served("terrarium", self.terrarium, workload,
                                  conns)

    def forks(self) -> Iterator[Cell]:
        for name, path in self.confs.items():
            command = [str(self.out / "forkexit"), "-n",
                       str(self.effort.forks),
                       *(["-c", str(path)] if path.name else ["-b"])]
            yield Cell(f"fork+exit, {name}", "", "1",
                       lambda command=command: fork_sample(command))

    def clocks(self) -> Iterator[Cell]:
        for workload in COMPUTING:
            yield Cell("warm process", workload.name, "1",
                       lambda workload=workload: warm_sample(
                           workload, self.effort.calls))
            yield Cell("forked warm process", workload.name, "1",
                       lambda workload=workload: warm_sample(
                           workload, self.effort.calls, forked=True))
            yield Cell("guest", workload.name, "1",
                       lambda workload=workload: self.guest(workload))

    def guest(self, workload: Workload) -> dict[str, Any]:
        """A program's time by its own clock, by the server's figure and by
        the wall."""
        client = self.terrarium.client()
        kept = client.connection(60)
        body = json.dumps({"code": workload.timed()})
        rows = []
        for _ in range(max(3, 3 * self.effort.calls) + 1):
            begun = time.monotonic()
            kept.request("POST", "/", body, client.credentials())
            answer = json.loads(kept.getresponse().read())
            rows.append((answer["final_expression"] / 1e6,
                         answer["code_runtime"],
                         (time.monotonic() - begun) * 1e3))
        kept.close()
        rows.pop(0)  # shook hands
        own, reported, wall = zip(*rows)
        return {"own_ms": statistics.median(own),
                "reported_ms": statistics.mean(reported),
                "wall_ms": statistics.median(wall)}

    # -- rounds

    def measure(self, number: int, cell: Cell) -> None:
        try:
            sample = cell.measure()
        except (Failed, OSError, ValueError, KeyError, RuntimeError,
                subprocess.SubprocessError) as error:
            sample = {"failed": 1, "why": f"{type(error).__name__}: {error}"}
        self.results.add(number, cell, sample)
        if sample.get("failed"):
            note(f"  {cell.subject} {cell.workload} {cell.load}: "
                 f"{sample['failed']} failed: {sample['why']}")

    def measure_peer(self, number: int, kind: type[Peer]) -> None:
        peer = kind()
        peer.install(self.out)
        try:
            for workload in peer.workloads:
                if workload.name not in self.effort.workloads:
                    continue
                self.measure(number, Cell(
                    peer.name, workload.name, str(SLOTS),
                    lambda workload=workload: closed_loop(
                        peer, workload, SLOTS, self.effort.seconds,
                        self.effort.calls)))
        finally:
            peer.close()

    def round(self, number: int) -> None:
        parts: list[Callable[[], None]] = []
        for cell in (*self.servers(), *self.forks(), *self.clocks()):
            parts.append(lambda cell=cell: self.measure(number, cell))
        for kind in self.peers:
            parts.append(lambda kind=kind: self.measure_peer(number, kind))
        for part in parts if number % 2 == 0 else reversed(parts):
            part()
        self.measure(number, Cell("terrarium", "", "armed", self.armed))

    def armed(self) -> dict[str, Any]:
        self.terrarium.wait_armed()
        return self.terrarium.held()

    # -- once

    def overload(self) -> None:
        """Twice its capacity, by a schedule that does not wait; the capacity
        is measured before and after each part."""
        best = int(self.results.best("terrarium", "one") or CONCURRENCY[-1])
        seconds = self.effort.overload_s / OVERLOAD_PARTS

        def run(number: int, load: str, conns: int, seconds: float,
                rate: float = 0) -> None:
            self.measure(number, Cell(
                "terrarium", "one", load, lambda: self.load.run(
                    self.terrarium, ONE, conns, seconds, rate)))

        for number in range(OVERLOAD_PARTS):
            run(number, "peak", best, seconds / 2)
            peak = self.results.of("terrarium", "one", "peak",
                                   "per_s").get(number)
            if peak:
                run(number, "twice", OVERLOAD_CONNS, seconds, 2 * peak)
        run(OVERLOAD_PARTS, "peak", best, seconds / 2)

    def pools(self, folder: Path) -> None:
        """The same load on pools of other sizes, all armed."""
        for number in range(self.effort.rounds):
            for workers in self.effort.pools:
                name = f"pool-{workers}-{number}"
                self.measure(number, Cell(
                    f"pool of {workers}", "one", "32",
                    lambda: self.pool(folder / name, workers)))

    def pool(self, folder: Path, workers: int) -> dict[str, Any]:
        server = Terrarium(folder, workers, armed=workers)
        try:
            return self.load.run(server, ONE, 32, self.effort.seconds)
        finally:
            server.stop()

    def uptime(self, requests: int, parts: int = 20) -> None:
        """Many requests in a row; the first part against the last."""
        done = 0
        number = 0
        while done < requests:
            sample = self.load.run(self.terrarium, ONE, 32,
                                   self.effort.seconds * 2)
            self.results.add(number, Cell("terrarium", "one", "uptime",
                                          dict), sample)
            done, number = done + sample["right"], number + 1
            if number % parts == 0:
                note(f"  {done} of {requests} requests")
            if not sample["right"]:
                return


def confs(folder: Path) -> dict[str, Path]:
    """The configurations of fork+exit; the empty path is bare CPython."""
    out = {"bare CPython": Path("")}
    for name, preload in (("preloaded", PRELOAD),
                          ("everything preloaded", PRELOAD_ALL)):
        path = folder / f"{name.replace(' ', '-')}.conf"
        path.write_text(f"[guest]\npreload = {preload}\n")
        out[name] = path
    return out
