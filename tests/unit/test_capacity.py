"""tools/capacity beside the formulas of queues."""

from __future__ import annotations

import json
import math
import sys
import types
from pathlib import Path
from typing import Any

import pytest

PATH = Path(__file__).resolve().parents[2] / "tools" / "capacity"


def load() -> Any:
    module: Any = types.ModuleType("capacity")
    sys.modules["capacity"] = module  # dataclasses look there
    exec(compile(PATH.read_text(), str(PATH), "exec"), vars(module))
    return module


CAPACITY = load()


def simulate(words: str) -> Any:
    return CAPACITY.simulate(CAPACITY.parse(words.split()))


def erlang_c(load_: float, servers: int) -> float:
    """The share of requests that wait: M/M/c."""
    last = load_ ** servers / math.factorial(servers) * \
        servers / (servers - load_)
    return last / (last + sum(load_ ** n / math.factorial(n)
                              for n in range(servers)))


@pytest.mark.parametrize("workers,rate", ((1, 0.6), (4, 3.0)))
def test_waiting_is_that_of_a_queue(workers: int, rate: float) -> None:
    """Programs that wait for 1 s on average."""
    host = CAPACITY.Host(workers, 64, 10**6)
    args = CAPACITY.parse(f"--rate {rate} --wait-ms 1000 --overhead-ms 0 "
                          "--requests 40000".split())
    one = CAPACITY.Simulation(host)
    result = one.run(CAPACITY.arrivals(args, None))
    wait = erlang_c(rate, workers) / (workers - rate)
    assert sum(one.queued) / len(one.queued) == pytest.approx(wait, rel=0.15)
    assert result.workers_busy == pytest.approx(rate / workers, rel=0.04)


def test_refusals_are_erlangs() -> None:
    """No request waits: M/M/c/c."""
    result = simulate("--rate 4 --wait-ms 1000 --workers 4 --backlog 0 "
                      "--overhead-ms 0 --requests 40000")
    full = (4 ** 4 / 24) / sum(4 ** n / math.factorial(n) for n in range(5))
    assert result.refused == pytest.approx(full, rel=0.06)


def test_processors_are_shared() -> None:
    """Four programs at once on one processor take four times as long."""
    host = CAPACITY.Host(4, 1, 0)
    result = CAPACITY.Simulation(host).run(
        [CAPACITY.Request(0.0, 1.0, 0.0) for _ in range(4)])
    assert result.total_p50_ms == pytest.approx(4000)
    # M/M/1 by processor sharing: 1 / (1 - load) on average.
    args = CAPACITY.parse("--rate 0.5 --cpu-ms 1000 --overhead-ms 0 "
                          "--requests 40000".split())
    one = CAPACITY.Simulation(CAPACITY.Host(10**4, 1, 0))
    one.run(CAPACITY.arrivals(args, None))
    assert sum(one.total) / len(one.total) == pytest.approx(2.0, rel=0.15)


def test_the_turnover_holds_a_worker() -> None:
    host = CAPACITY.Host(1, 1, 9, turnover=0.5)
    one = CAPACITY.Simulation(host)
    one.run([CAPACITY.Request(0.0, 0.0, 1.0)] * 2)
    assert one.total == pytest.approx([1.0, 2.5])


def test_the_times_of_a_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("\n".join((
        "<6>text", json.dumps({"runtime_ms": 50, "cpu_ms": 20}),
        json.dumps({"status": 400}), "{broken", "{}",
        json.dumps({"runtime_ms": 10, "cpu_ms": 11}))))
    assert CAPACITY.read_log(str(log)) == [
        pytest.approx((0.02, 0.03)), pytest.approx((0.011, 0))]
    log.write_text("")
    with pytest.raises(SystemExit, match="no line of a run"):
        simulate(f"--rate 1 --log {log}")


@pytest.mark.parametrize("words", (
    "", "--rate 0", "--rate nan", "--rate 1 --workers 0",
    "--rate 1 --wait-ms -1", "--rate 1 --backlog -1", "--rate x"))
def test_figures_out_of_range_are_refused(words: str) -> None:
    with pytest.raises(SystemExit):
        CAPACITY.parse(words.split())
