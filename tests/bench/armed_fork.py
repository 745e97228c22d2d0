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

import matplotlib
import numpy  # noqa: F401
import pandas  # noqa: F401

matplotlib.use("Agg")
import matplotlib.pyplot  # noqa: E402,F401

ROUNDS = 150
PAUSE_S = 0.04  # as between the requests of the paced load
WARM = 64       # until the interpreter has specialised the code


def job(source: str) -> object:
    """Run SOURCE; its last expression's value."""
    tree = ast.parse(source)
    last = tree.body.pop()
    assert isinstance(last, ast.Expr)
    names: dict[str, object] = {}
    exec(compile(tree, "<exec>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<exec>", "eval"), names)


def serve(jobs: int, answers: int, work: bool) -> None:
    while os.read(jobs, 1):
        value = job("1+1") if work else 2
        os.write(answers, repr(value).encode())
    os._exit(0)


def asked(rounds: int, forks: bool) -> list[float]:
    """Milliseconds from job to answer: of a new fork for each that runs it,
    or of one fork that answers at once."""
    took = []
    for left in range(rounds, 0, -1):
        if forks or left == rounds:
            jobs_out, jobs = os.pipe()
            answers, answers_in = os.pipe()
            child = os.fork()
            if child == 0:
                os.close(jobs)
                serve(jobs_out, answers_in, forks)
            os.close(jobs_out)
            os.close(answers_in)
        time.sleep(PAUSE_S)
        begun = time.perf_counter()
        os.write(jobs, b"x")
        os.read(answers, 1)
        took.append((time.perf_counter() - begun) * 1000)
        if forks or left == 1:
            os.close(jobs)
            os.close(answers)
            os.waitpid(child, 0)
    return took


def by_itself(rounds: int) -> list[float]:
    """Milliseconds that the job takes in this process."""
    took = []
    for _ in range(rounds):
        begun = time.perf_counter()
        job("1+1")
        took.append((time.perf_counter() - begun) * 1000)
    return took


def show(what: str, took: list[float]) -> None:
    tenths = statistics.quantiles(took, n=10)
    print(f"{what:36} {statistics.median(took):.3f} ms "
          f"({tenths[0]:.3f} to {tenths[-1]:.3f})")


def main() -> None:
    by_itself(WARM)
    gc.collect()
    gc.freeze()
    show("a fork that waits, job to answer", asked(ROUNDS, True))
    show("two wake-ups and nothing else", asked(ROUNDS, False))
    show("the job in a process that is warm", by_itself(ROUNDS))


if __name__ == "__main__":
    main()
