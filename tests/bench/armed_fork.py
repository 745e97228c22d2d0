#!/usr/bin/python3
"""The least that a forked Python takes for `1+1`: run by itself, it prints
how long a fork of this process that stands and waits needs from its job to
its answer. No walls, no web server, nothing but two pipes; numpy, pandas and
matplotlib are imported, and the job is run often enough before.

    /usr/bin/python3 tests/bench/armed_fork.py
"""

from __future__ import annotations

import ast
import gc
import os
import statistics
import time
from typing import Callable

import matplotlib
import numpy  # noqa: F401
import pandas  # noqa: F401

matplotlib.use("Agg")
import matplotlib.pyplot  # noqa: E402,F401

ROUNDS = 150
PAUSE_S = 0.04  # as between the requests of the paced load
WARM = 64       # until the interpreter has specialised the code


def work() -> object:
    """Run `1+1` as a program; its last expression's value."""
    tree = ast.parse("1+1")
    last = tree.body.pop()
    assert isinstance(last, ast.Expr)
    names: dict[str, object] = {}
    exec(compile(tree, "<exec>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<exec>", "eval"), names)


class Fork:
    """A child that waits at a pipe; for each byte it does WORK and answers
    at another."""

    def __init__(self, work: Callable[[], object]) -> None:
        jobs_out, self.jobs = os.pipe()
        self.answers, answers_in = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.jobs)
            while os.read(jobs_out, 1):
                os.write(answers_in, repr(work()).encode())
            os._exit(0)
        os.close(jobs_out)
        os.close(answers_in)

    def ask(self) -> None:
        os.write(self.jobs, b"x")
        os.read(self.answers, 1)

    def end(self) -> None:
        os.close(self.jobs)
        os.close(self.answers)
        os.waitpid(self.pid, 0)


def timed(act: Callable[[], object], pause_s: float = PAUSE_S) -> float:
    """Milliseconds that ACT takes, after a rest."""
    time.sleep(pause_s)
    begun = time.perf_counter()
    act()
    return (time.perf_counter() - begun) * 1000


def new_fork() -> float:
    fork = Fork(work)
    took = timed(fork.ask)
    fork.end()
    return took


def show(what: str, took: list[float]) -> None:
    tenths = statistics.quantiles(took, n=10)
    print(f"{what:36} {statistics.median(took):.3f} ms "
          f"({tenths[0]:.3f} to {tenths[-1]:.3f})")


def main() -> None:
    for _ in range(WARM):
        work()
    gc.collect()
    gc.freeze()
    show("a fork that waits, job to answer",
         [new_fork() for _ in range(ROUNDS)])
    idle = Fork(lambda: 2)
    show("two wake-ups and nothing else",
         [timed(idle.ask) for _ in range(ROUNDS)])
    idle.end()
    show("the job here, after as long a rest",
         [timed(work) for _ in range(ROUNDS)])
    show("the job here, again and again",
         [timed(work, 0) for _ in range(ROUNDS)])


if __name__ == "__main__":
    main()
