"""The goals, each computed from the samples, round by round."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Callable, Iterable, Optional

from rounds import SLOTS, Results
from workloads import BY_NAME, COMPUTING

BACKLOG = 64            # server.backlog, with which the server was started
REFUSE_MS = 50.0
SATURATED = "32"

Values = Iterable[float]


@dataclass
class Goal:
    """BOUND is for the median over the rounds of the VALUES; MOST selects the
    side of it that is reached."""

    text: str
    unit: str
    bound: float
    most: bool
    values: Callable[[Results], Values]


@dataclass
class Verdict:
    goal: Goal
    value: Optional[float]  # None: not measured
    low: float = 0.0
    high: float = 0.0

    @property
    def ratio(self) -> Optional[float]:
        """Below 1 is reached, whichever side the bound is of."""
        if self.value is None:
            return None
        if self.goal.most:
            return self.value / self.goal.bound if self.goal.bound \
                else 1.0 + self.value
        return self.goal.bound / self.value if self.value else float("inf")

    @property
    def word(self) -> str:
        if self.ratio is None:
            return "not measured"
        if self.goal.most:
            return "reached" if self.value <= self.goal.bound else \
                "NOT reached"
        return "reached" if self.value >= self.goal.bound else "NOT reached"


def paired(a: dict[int, float], b: dict[int, float],
           join: Callable[[float, float], float]) -> list[float]:
    """The samples that are in both, round by round."""
    return [join(a[r], b[r]) for r in sorted(a.keys() & b.keys()) if b[r]]


def divide(a: float, b: float) -> float:
    return a / b


# -- one function for each kind of goal


def over_the_floor(name: str) -> Callable[[Results], Values]:
    return lambda r: paired(r.of("terrarium", "one", "paced", name),
                            r.of("hello", "one", "paced", name),
                            lambda a, b: a - b)


def cpu_over_forks(results: Results) -> Values:
    return paired(results.of("terrarium", "one", SATURATED, "cpu_ms"),
                  results.of("fork+exit, preloaded", "", "1", "cpu_ms"),
                  lambda cpu, fork: cpu / (2 * fork))


def times_as_many(peer: str) -> Callable[[Results], Values]:
    def values(results: Results) -> Values:
        best = results.best("terrarium", "one") or ""
        return paired(results.of("terrarium", "one", best, "per_s"),
                      results.of(peer, "one", str(SLOTS), "per_s"), divide)
    return values


def forks_alike(results: Results) -> Values:
    return paired(
        results.of("fork+exit, everything preloaded", "", "1", "p50_ms"),
        results.of("fork+exit, bare CPython", "", "1", "p50_ms"), divide)


def as_fork(workload: str) -> Callable[[Results], Values]:
    return lambda results: paired(
        results.of("guest", workload, "1", "own_ms"),
        results.of("forked warm process", workload, "1", "own_ms"), divide)


def as_warm(workload: str, name: str) -> Callable[[Results], Values]:
    def values(results: Results) -> Values:
        floor = results.median("hello", "one", "paced", "right_p50_ms") or 0
        less = floor if name == "wall_ms" else 0
        return paired(results.of("guest", workload, "1", name),
                      results.of("warm process", workload, "1", "own_ms"),
                      lambda a, b: (a - less) / b)
    return values


def failures(results: Results) -> Values:
    """Of Terrarium, under every load."""
    yield sum(s.get("failed", 0) + s.get("unanswered", 0) +
              (s.get("refused", 0) if s["load"] != "twice" else 0)
              for s in results.samples if s["subject"] == "terrarium")


def twice(name: str) -> Callable[[Results], Values]:
    return lambda r: r.of("terrarium", "one", "twice", name).values()


def twice_of_peak(results: Results) -> Values:
    """Each part against the peak beside it."""
    peaks = results.of("terrarium", "one", "peak", "per_s")
    around = {number: statistics.mean((rate, peaks[number + 1]))
              for number, rate in peaks.items() if number + 1 in peaks}
    return paired(results.of("terrarium", "one", "twice", "per_s"), around,
                  divide)


def twice_queue(results: Results) -> Values:
    """The slowest percent, in queues: all that wait and run, at the rate at
    which they were answered."""
    rates = results.of("terrarium", "one", "twice", "per_s")
    slow = results.of("terrarium", "one", "twice", "right_p99_ms")
    queue = BACKLOG + 1 + 8
    return paired(slow, rates, lambda ms, rate: ms / 1e3 * rate / queue)


def pools(results: Results) -> Values:
    """The largest against the smallest."""
    subjects = sorted({s["subject"] for s in results.samples
                       if s["subject"].startswith("pool of")},
                      key=lambda name: int(name.split()[-1]))
    if len(subjects) < 2:
        return []
    return paired(results.of(subjects[-1], "one", SATURATED, "cpu_ms"),
                  results.of(subjects[0], "one", SATURATED, "cpu_ms"),
                  divide)


def uptime(results: Results) -> Values:
    """The last tenth against the first."""
    parts = list(results.of("terrarium", "one", "uptime", "cpu_ms").values())
    tenth = len(parts) // 10
    if tenth == 0:
        return []
    return [statistics.median(parts[-tenth:]) /
            statistics.median(parts[:tenth])]


def goals() -> list[Goal]:
    rows = [
        Goal("1+1, paced: median over the floor", "ms", 0.6, True,
             over_the_floor("right_p50_ms")),
        Goal("1+1, paced: 99th percentile over the floor", "ms", 3.0, True,
             over_the_floor("right_p99_ms")),
        Goal("1+1, saturated: CPU over two bare fork+exit of the zygote",
             "x", 3.0, True, cpu_over_forks),
        Goal("wrong, failed or refused answers before overload", "", 0, True,
             failures),
        Goal("1+1: requests/s over bubblewrap + python3, same imports", "x",
             200, False, times_as_many("bwrap+")),
        Goal("1+1: requests/s over Pyodide, reloaded", "x", 600, False,
             times_as_many("pyodide")),
        Goal("1+1: requests/s over ipykernel, restarted, same imports", "x",
             300, False, times_as_many("ipykernel+")),
        Goal("fork+exit, everything preloaded, over bare CPython's", "x",
             1.3, True, forks_alike),
    ]
    for workload in COMPUTING:
        title = BY_NAME[workload.name].title
        rows += [
            Goal(f"{title}: over a warm process, by its own clock", "x",
                 1.05, True, as_warm(workload.name, "own_ms")),
            Goal(f"{title}: the same by code_runtime", "x", 1.05, True,
                 as_warm(workload.name, "reported_ms")),
            Goal(f"{title}: over a fork of that process, likewise", "x",
                 1.05, True, as_fork(workload.name)),
            Goal(f"{title}: the same by the wall, less the floor", "x", 1.05,
                 True, as_warm(workload.name, "wall_ms"))]
    return rows + [
        Goal("private memory of an armed worker and its guest", "kB", 2048,
             True, lambda r: r.of("terrarium", "", "armed",
                                  "private_kb").values()),
        Goal("twice the capacity: answers neither right nor 503", "", 0,
             True, twice("failed")),
        Goal("twice the capacity: slowest 503", "ms", REFUSE_MS, True,
             twice("refused_max_ms")),
        Goal("twice the capacity: right answers, of the peak", "x", 0.9,
             False, twice_of_peak),
        Goal("twice the capacity: 99th percentile, in queues", "x", 1.5,
             True, twice_queue),
        Goal("CPU per request, largest pool over smallest", "x", 1.15, True,
             pools),
        Goal("CPU per request after 100,000 requests over at first", "x",
             1.15, True, uptime),
    ]


def judge(results: Results) -> list[Verdict]:
    out = []
    for goal in goals():
        values = list(goal.values(results))
        out.append(Verdict(goal, statistics.median(values), min(values),
                           max(values)) if values else Verdict(goal, None))
    return out
