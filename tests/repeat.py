"""A plugin of pytest for `make test`: a test that measures time, and fails, is
repeated up to twice.

Such tests compare durations on a machine with other load, which nothing here
controls. All other tests must pass at their first try. A test that passes when
it is repeated counts as passed; its line `repeated: TEST: ERROR` stands in the
output, and tests/run lists it at the end.

    python3 -m pytest -p tests.repeat ...

The repeating itself is done by pytest-rerunfailures.
"""

from __future__ import annotations

from typing import Any

import pytest

REPEATS = 2


def pytest_configure(config: Any) -> None:
    config.addinivalue_line(
        "markers", "timed: measures time, and may be repeated")


def pytest_collection_modifyitems(items: "list[Any]") -> None:
    for item in items:
        if item.get_closest_marker("timed"):
            item.add_marker(pytest.mark.flaky(reruns=REPEATS))


def pytest_runtest_logreport(report: Any) -> None:
    if report.outcome == "rerun":
        lines = report.longreprtext.splitlines() or ["no reason given"]
        error = next((line for line in lines if line.startswith("E ")),
                     lines[-1])
        print(f"\nrepeated: {report.nodeid}: {error.removeprefix('E').strip()}",
              flush=True)
