"""A plugin of pytest for `make test`: repeats tests that fail.

A test that measures time is repeated up to twice: it compares durations on a
machine with other load, which nothing here controls. Of all other tests of a
suite, STRAY may be repeated, once each: `make test` runs ten thousand of them,
two suites at once, and one that was late would hide what the others say. The
next test that fails has failed.

A test that passes when it is repeated counts as passed; its line `repeated:
TEST: ERROR` stands in the output, and tests/run lists it at the end. Such a
line is work to do: the test or the server has a race.

    python3 -m pytest -p tests.repeat ...

The repeating itself is done by pytest-rerunfailures.
"""

from __future__ import annotations

from typing import Any

import pytest

REPEATS = 2  # of a test that measures time
STRAY = 2


class Stray:
    """Whether one more test may be repeated that measures no time."""

    def __init__(self) -> None:
        self.left = STRAY

    def __bool__(self) -> bool:
        return self.left > 0


stray = Stray()


def pytest_configure(config: Any) -> None:
    config.addinivalue_line(
        "markers", "timed: measures time, and may be repeated")


def pytest_collection_modifyitems(items: "list[Any]") -> None:
    for item in items:
        item.add_marker(
            pytest.mark.flaky(reruns=REPEATS)
            if item.get_closest_marker("timed") else
            pytest.mark.flaky(reruns=1, condition=stray))


def pytest_runtest_logreport(report: Any) -> None:
    if report.outcome == "rerun":
        if "timed" not in report.keywords:
            stray.left -= 1
        lines = report.longreprtext.splitlines() or ["no reason given"]
        error = next((line for line in lines if line.startswith("E ")),
                     lines[-1])
        print(f"\nrepeated: {report.nodeid}: {error.removeprefix('E').strip()}",
              flush=True)
