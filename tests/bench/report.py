"""The page: tables as text, the samples as JSON."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any, Iterator, Optional

from goals import SATURATED, Verdict, judge
from peers import PEERS
from rounds import Results
from workloads import WORKLOADS

BAR = 40
WIDE = 60
TITLES = {"terrarium": "Terrarium", "hello": "hello (floor)",
          **{kind.name: kind.title for kind in PEERS}}
COLUMNS = ("subject", "at once", "median", "p95", "p99", "answers/s",
           "CPU/answer", "x rate", "x CPU")


def figure(value: Optional[float], unit: str = "") -> str:
    """Three digits, no exponent."""
    if value is None:
        return "-"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 \
        if abs(value) >= 1 else 3
    return f"{value:,.{digits}f}{unit}"


def ratio(a: Optional[float], b: Optional[float]) -> Optional[float]:
    return a / b if a and b else None


def table(rows: list[list[str]]) -> Iterator[str]:
    """The first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths)]
        cells[0] = row[0].ljust(widths[0])
        yield "  ".join(cells).rstrip()


def subjects(results: Results, workload: str) -> list[str]:
    return [name for name in TITLES if results.loads(name, workload)]


def workload_rows(results: Results, workload: str) -> list[list[str]]:
    """Ratios are Terrarium's best against each row."""
    best = results.best("terrarium", workload) or ""
    rate = results.median("terrarium", workload, best, "per_s")
    cpu = results.median("terrarium", workload, best, "cpu_ms")
    rows = [list(COLUMNS)]
    for name in subjects(results, workload):
        for load in results.loads(name, workload):
            if load in ("uptime", "peak"):
                continue
            value = {key: results.median(name, workload, load, key)
                     for key in ("right_p50_ms", "right_p95_ms",
                                 "right_p99_ms", "per_s", "cpu_ms")}
            paced = load in ("paced", "twice")
            rows.append([
                TITLES[name], load, figure(value["right_p50_ms"], " ms"),
                figure(value["right_p95_ms"], " ms"),
                figure(value["right_p99_ms"], " ms"),
                figure(value["per_s"]), figure(value["cpu_ms"], " ms"),
                "" if paced else figure(ratio(rate, value["per_s"])),
                "" if paced else figure(ratio(value["cpu_ms"], cpu))])
    return rows


def text_bars(results: Results, workload: str) -> Iterator[str]:
    """How many times as many answers a second, each at its best; the scale
    is logarithmic."""
    rates = {name: results.median(name, workload, load, "per_s") or 0
             for name in subjects(results, workload)
             for load in [results.best(name, workload)] if load}
    own = rates.pop("terrarium", 0)
    times = {name: own / rate for name, rate in rates.items() if rate and own}
    most = max([10.0, *times.values()])
    for name, value in times.items():
        part = max(0.0, math.log(value) / math.log(most))
        bar = "#" * round(BAR * part)
        yield f"  {TITLES[name][:WIDE]:{WIDE}} {figure(value):>7} x  {bar}"


def limit(results: Results) -> Iterator[str]:
    """The arithmetic of the limit, from this run."""
    fork = {name: {key: results.median(f"fork+exit, {name}", "", "1", key)
                   for key in ("p50_ms", "cpu_ms", "mappings")}
            for name in ("bare CPython", "preloaded", "everything preloaded")}
    rows = [["fork+exit+wait of", "median", "CPU", "mappings", "x bare"]]
    for name, value in fork.items():
        rows.append([name, figure(value["p50_ms"], " ms"),
                     figure(value["cpu_ms"], " ms"),
                     figure(value["mappings"]),
                     figure(ratio(value["p50_ms"],
                                  fork["bare CPython"]["p50_ms"]))])
    yield from table(rows)
    one = fork["preloaded"]["cpu_ms"]
    floor = results.median("hello", "one", SATURATED, "cpu_ms")
    cpu = results.median("terrarium", "one", SATURATED, "cpu_ms")
    kernel = results.median("terrarium", "one", SATURATED, "kernel_ms")
    if not (one and floor and cpu):
        return
    processors = results.machine["processors"]
    least = 2 * one + floor
    yield ""
    yield (f"A request needs two forks (worker, guest) and what nginx and "
           f"FastCGI cost:\n2 x {figure(one)} + {figure(floor)} = "
           f"{figure(least)} ms of CPU, at most "
           f"{figure(processors * 1e3 / least)} requests/s on {processors} "
           f"processors.")
    yield (f"It costs {figure(cpu)} ms ({figure(cpu / least)} x that), and "
           f"{figure(kernel)} ms of the kernel's own threads.")


def verdicts(found: list[Verdict]) -> Iterator[str]:
    rows = [["goal", "bound", "found", "lowest", "highest", "of the bound",
             "verdict"]]
    for verdict in found:
        goal = verdict.goal
        unit = " " + goal.unit if goal.unit else ""
        known = verdict.value is not None
        rows.append([
            goal.text, ("<= " if goal.most else ">= ") +
            f"{goal.bound:g}{unit}",
            figure(verdict.value), figure(verdict.low) if known else "",
            figure(verdict.high) if known else "",
            figure(verdict.ratio), verdict.word])
    yield from table(rows)


def memory(results: Results) -> Iterator[str]:
    names = ("private_kb", "written_kb", "page_tables_kb")
    rows = [["waiting for a call", "private", "written", "page tables"]]
    for name in TITLES:
        load = "armed" if name == "terrarium" else results.best(name, "one")
        workload = "" if name == "terrarium" else "one"
        held = [results.median(name, workload, load or "", key)
                for key in names]
        if held[0]:
            rows.append([TITLES[name], *(figure(kb, " kB") for kb in held)])
    yield from table(rows)


def generator(results: Results) -> str:
    """The load generator's own cost, beside the measured server's."""
    shares = [s["generator_cpu_s"] / s["seconds"] for s in results.samples
              if s["subject"] == "terrarium" and "generator_cpu_s" in s and
              s["load"] == SATURATED]
    worst = max(shares, default=0)
    return (f"The load generator took at most {100 * worst:.1f} % of one "
            f"processor beside Terrarium at {SATURATED} at once; that is in "
            "no figure of CPU.")


def page(results: Results, found: list[Verdict]) -> Iterator[str]:
    rounds = 1 + max((s["round"] for s in results.samples), default=0)
    facts = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value
                      in results.machine.items())
    yield "Terrarium beside its peers"
    yield f"{facts}; {'quick, ' if results.quick else ''}{rounds} rounds"
    yield ("Figures are medians of rounds. x rate: Terrarium's best "
           "answers/s over the row's; x CPU: the row's CPU over Terrarium's.")
    for workload in WORKLOADS:
        yield f"\n== {workload.title}\n"
        yield from table(workload_rows(results, workload.name))
        if len(subjects(results, workload.name)) > 1:
            yield "\nTerrarium's answers/s over"
            yield from text_bars(results, workload.name)
    yield "\n== the limit\n"
    yield from limit(results)
    yield "\n== memory\n"
    yield from memory(results)
    yield "\n== goals\n"
    yield from verdicts(found)
    yield ""
    yield generator(results)
    for title, why in results.missing.items():
        yield f"MISSING: {title}: {why}"


def write(results: Results, out: Path) -> str:
    found = judge(results)
    text = "\n".join(page(results, found)) + "\n"
    (out / "bench.txt").write_text(text)
    data: dict[str, Any] = asdict(results)
    data["goals"] = [{"text": v.goal.text, "bound": v.goal.bound,
                      "value": v.value, "low": v.low, "high": v.high,
                      "verdict": v.word} for v in found]
    (out / "bench.json").write_text(json.dumps(data, indent=1) + "\n")
    return text
