"""The hostile suite stands on the end-to-end tests' client and fixtures: a
server that runs already. At the end it prints, class by class, how many
attacks were tried and how many were contained."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import Any, Callable

import pytest

HERE = Path(__file__).resolve().parent
E2E = HERE.parent / "e2e"
sys.path[:0] = [str(HERE), str(E2E)]


def _load(name: str, path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


served = _load("served", E2E / "conftest.py")
for _name in ("settings", "client", "stranger", "status", "master",
              "may_signal", "family"):
    globals()[_name] = getattr(served, _name)

from attack import CLASSES  # noqa: E402
from canary import WORD  # noqa: E402
from invariants import Guard  # noqa: E402
from pace import SLOWER  # noqa: E402

COOKIE = "cookie-91b24f0c6e"
QUERY = "query-5d3e81a7b0"


def wait_until(true: Callable[[], bool], within_s: float,
               reason: str) -> float:
    """As the end-to-end tests', with a bound for this machine."""
    return served.wait_until(true, within_s * SLOWER, reason)


def _orphans() -> list[Any]:
    """Servers' processes without a parent; a master has a parent
    here, or a session of its own."""
    out = []
    for process in served.processes():
        if process.parent != 1 or not process.name.startswith("terrarium"):
            continue
        try:
            if os.getsid(process.pid) != process.pid:
                out.append(process)
        except OSError:
            pass
    return out


@pytest.fixture(scope="session")
def secrets(client: Any) -> list[bytes]:
    """Words that no program may find: the token, the head of its own request,
    and the content of another client's request."""
    return [word.encode() for word in (client.token, COOKIE, QUERY, WORD)]


@pytest.fixture(scope="session")
def guard(client: Any, status: Any, master: int,
          family: Callable[[], list[Any]], secrets: list[bytes]) -> Guard:
    return Guard(client, status, master, family, _orphans, secrets)


# ---- the table -------------------------------------------------------------

_tried: dict[str, list[str]] = {}
_failed: dict[str, list[str]] = {}


def _attack_of(item: Any) -> str:
    name = item.name
    return name.split("[", 1)[1].rstrip("]") if "[" in name else ""


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: Any, call: Any) -> Any:
    report = (yield).get_result()
    mark = item.get_closest_marker("attack")
    name = mark.args[0] if mark and mark.args else _attack_of(item)
    if not name or name[0] not in CLASSES or report.skipped:
        return
    if report.when == "call":
        _tried.setdefault(name[0], []).append(name)
    if report.failed:
        _failed.setdefault(name[0], []).append(name)


def pytest_configure(config: Any) -> None:
    served.pytest_configure(config)
    config.addinivalue_line("markers", "attack(name): a choreography")
    config.addinivalue_line("markers", "trial(name): of test_sabotage.TRIALS")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if not _tried and not _failed:
        return
    write = terminalreporter.write_line
    terminalreporter.section("hostile programs")
    write(f"{'class':<28}{'tried':>6}{'contained':>11}")
    total, bad = 0, 0
    for kind, words in CLASSES.items():
        tried = set(_tried.get(kind, []) + _failed.get(kind, []))
        failed = set(_failed.get(kind, []))
        total, bad = total + len(tried), bad + len(failed)
        if tried:
            write(f"{kind + '  ' + words:<28}{len(tried):>6}"
                  f"{len(tried) - len(failed):>11}"
                  + ("   NOT: " + ", ".join(sorted(failed))
                     if failed else ""))
    write(f"{'all':<28}{total:>6}{total - bad:>11}")
