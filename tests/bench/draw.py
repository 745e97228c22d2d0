"""The picture: ratios, never bare times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from goals import judge
from report import TITLES, figure, subjects
from rounds import Results
from workloads import WORKLOADS

OWN, PEER, BAD = "#1b7f5c", "#8a94a6", "#b3382c"
SHORT = 30
LEAST, MOST = 0.05, 20.0  # ends of the scale


def rates(results: Results, axes: Any, workload: Any) -> None:
    """How many times as many answers a second Terrarium gives."""
    best = results.best("terrarium", workload.name) or ""
    own = results.median("terrarium", workload.name, best, "per_s")
    rows = []
    for name in subjects(results, workload.name):
        load = results.best(name, workload.name)
        rate = load and results.median(name, workload.name, load, "per_s")
        if name != "terrarium" and own and rate:
            rows.append((TITLES[name].split(",")[0][:SHORT] +
                         (" (same imports)" if name.endswith("+") else ""),
                         own / rate))
    axes.set_title(workload.title, fontsize=9)
    axes.axvline(1, color="black", linewidth=0.8)
    if not rows:
        return
    names, values = zip(*reversed(rows))
    axes.barh(names, [value - 1 for value in values], left=1,
              color=[OWN if value >= 1 else BAD for value in values])
    axes.set_xscale("log")
    axes.set_xlim(min(0.5, *values) / 3, max(2, *values) * 6)
    axes.tick_params(labelsize=7)
    for i, value in enumerate(values):
        axes.annotate(f" {figure(value)} x ", (value, i), va="center",
                      ha="left" if value >= 1 else "right", fontsize=7)


def goals(results: Results, axes: Any) -> None:
    """Each goal as part of its bound: left of 1 is reached."""
    found = [v for v in judge(results) if v.ratio is not None]
    names = [v.goal.text for v in reversed(found)]
    values = [min(max(v.ratio or 0, LEAST), MOST) for v in reversed(found)]
    colours = [OWN if v.word == "reached" else BAD for v in reversed(found)]
    axes.barh(names, values, color=colours)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_xlim(LEAST / 2, MOST)
    for i, verdict in enumerate(reversed(found)):
        axes.annotate(f" {figure(verdict.ratio)} ", (values[i], i),
                      va="center", fontsize=7)
    axes.set_title("goals, as parts of their bounds (left of 1: reached)",
                   fontsize=9)
    axes.tick_params(labelsize=7)


def draw(results: Results, path: Path) -> None:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    shown = [workload for workload in WORKLOADS
             if len(subjects(results, workload.name)) > 1]
    rows = (len(shown) + 1) // 2
    figure_ = pyplot.figure(figsize=(13, 3.2 * rows + 6),
                            layout="constrained")
    grid = figure_.add_gridspec(rows + 1, 2, height_ratios=[1] * rows + [2])
    for i, workload in enumerate(shown):
        rates(results, figure_.add_subplot(grid[i // 2, i % 2]), workload)
    goals(results, figure_.add_subplot(grid[rows, :]))
    figure_.suptitle("Terrarium's answers per second over its peers', each "
                     "at its best")
    figure_.savefig(path, dpi=120)
    pyplot.close(figure_)
