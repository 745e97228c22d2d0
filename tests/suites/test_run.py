"""The runner of the suites itself: its conclusions from outcomes."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


def load() -> Any:
    loader = importlib.machinery.SourceFileLoader(
        "suites_run", str(HERE / "run"))
    spec = importlib.util.spec_from_loader("suites_run", loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    sys.modules["suites_run"] = module
    loader.exec_module(module)
    return module


run = load()
sys.path.insert(0, str(HERE))
import harness  # noqa: E402


class Place:
    """Answers from a list; keeps the requests."""

    def __init__(self, *answers: dict[str, Any]) -> None:
        self.answers = list(answers)
        self.asked: list[dict[str, Any]] = []

    def __call__(self, code: str, seconds: float,
                 arguments: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(arguments)
        return self.answers.pop(0)


def good(text: str) -> dict[str, Any]:
    return {"success": True, "std_out": text}


def dead(kind: str, text: str) -> dict[str, Any]:
    return {"success": False, "std_out": text,
            "error": {"type": kind, "message": "gone"}}


SUITE = run.Suite("unittest", "some.suite", False)


def test_outcomes_are_sorted() -> None:
    seen = run.run_suite(SUITE, Place(good(
        "noise\n@@ start a\n@@ ok a\n@@ start b\n@@ skip b\n"
        '@@ start c\n@@ bad c ["words", []]\n@@ ok c\n@@ end\n')))
    assert (seen.passed, seen.skipped) == ({"a"}, {"b"})
    assert seen.failed == {"c": '["words", []]'}


def test_a_death_is_a_failure_and_the_rest_still_runs() -> None:
    place = Place(dead("killed", "@@ start a\n@@ ok a\n@@ start b\n"),
                  good("@@ start c\n@@ ok c\n@@ end\n"))
    seen = run.run_suite(SUITE, place)
    assert seen.passed == {"a", "c"}
    assert seen.failed == {"b": "killed: gone"}
    assert set(place.asked[1]["without"]) == {"a", "b"}


def test_a_long_suite_goes_on() -> None:
    place = Place(dead("timeout", "@@ start a\n@@ ok a\n@@ start b\n"),
                  good("@@ start b\n@@ ok b\n@@ end\n"))
    seen = run.run_suite(SUITE, place)
    assert seen.passed == {"a", "b"} and not seen.failed


def test_a_test_that_never_ends_is_a_failure() -> None:
    place = Place(dead("timeout", "@@ start b\n"),
                  dead("timeout", "@@ start b\n"),
                  good("@@ end\n"))
    seen = run.run_suite(SUITE, place)
    assert seen.failed == {"b": "timeout: gone"}


def test_a_suite_that_cannot_start_is_a_failure() -> None:
    seen = run.run_suite(SUITE, Place(dead("KeyError", "")))
    assert seen.failed == {"some.suite": "KeyError: gone"}


def test_the_plain_interpreter_runs_the_harness() -> None:
    pytest.importorskip("test.test_heapq")
    suite = run.Suite("unittest", "test.test_bisect", False)
    seen = run.run_suite(suite, run.server.plain)
    assert len(seen.passed) > 10 and not seen.failed
    name = sorted(seen.passed)[0]
    assert run.run_suite(suite, run.server.plain, [name]).passed == {name}


@pytest.mark.parametrize("text, reason", [
    ("self.pid = _fork_exec(\nPermissionError", "exec"),
    ("pid = os.fork()\nPermissionError", "fork"),
    ("OSError: [Errno 97] Address family not supported", "socket"),
    ("timeout: Traceback", "time limit"),
    ("ValueError: odd", "other: ValueError: odd"),
])
def test_reasons(text: str, reason: str) -> None:
    told = text if text.startswith("timeout") else json.dumps([text, []])
    assert run.reason_of("a.b", told) == reason


def test_expected_file(tmp_path: Path) -> None:
    path = tmp_path / "expected.txt"
    run.write_record(path, {"b": "fork", "a": "other: odd"})
    assert run.read_expected(path) == {"a": "other: odd", "b": "fork"}
    path.write_text("a because\n")
    with pytest.raises(SystemExit, match="the reason must begin"):
        run.read_expected(path)


@pytest.mark.parametrize("version, name", [
    ((3, 11), "3.11.txt"), ((3, 12), "3.11.txt"), ((3, 13), "3.13.txt"),
    ((3, 14), "3.13.txt"), ((3, 9), "none.txt")])
def test_each_python_has_its_own_file(tmp_path: Path,
                                      version: tuple[int, ...],
                                      name: str) -> None:
    for each in ("3.11.txt", "3.13.txt"):
        (tmp_path / each).touch()
    assert run.expected_path(tmp_path, version).name == name


def test_a_suite_without_a_test_is_bad() -> None:
    report = run.Report({})
    report.add(SUITE, run.Seen())
    assert report.bad == ["some.suite: it has no test"]


@pytest.mark.parametrize("there, found", [
    ("numpy/core/tests/test_dtype.py", "numpy/core/tests/test_dtype.py"),
    ("numpy/_core/tests/test_dtype.py", "numpy/_core/tests/test_dtype.py"),
    ("numpy/core/tests/test_dtype/x", "numpy/core/tests/test_dtype"),
    ("numpy/nowhere", "numpy/core/tests/test_dtype")])
def test_moved_tests_are_found(tmp_path: Path, there: str,
                               found: str) -> None:
    (tmp_path / there).parent.mkdir(parents=True)
    (tmp_path / there).touch()
    path = str(tmp_path / "numpy/core/tests/test_dtype")
    assert harness.file_of(path) == str(tmp_path / found)


def test_new_failures_are_asked_again(monkeypatch: Any) -> None:
    bad = '["Traceback\\nValueError: odd", []]'
    seen = run.Seen(failed={"flaky": bad, "outside": bad, "new": bad,
                            "known": bad}, passed={"mended"})
    monkeypatch.setattr(run.server, "inside", Place(good(
        f"@@ ok flaky\n@@ bad outside {bad}\n@@ bad new {bad}\n@@ end\n")))
    monkeypatch.setattr(run.server, "plain", Place(good(
        f"@@ bad outside {bad}\n@@ ok new\n@@ ok flaky\n@@ end\n")))
    report = run.Report({"known": "fork", "mended": "fork"})
    report.add(SUITE, seen)
    assert report.bad == ["new: ValueError: odd"]
    assert report.mended == ["mended"]
    assert report.record == {"known": "fork", "outside": run.OUTSIDE,
                             "new": "other: ValueError: odd"}
    assert run.finish(report) == 1


def test_programs_results_are_read() -> None:
    assert run.expected_value('{}\n# expected: {"a": 1}\n') == {"a": 1}
    assert run.expected_value(
        '{}\n# expected: {\n#   "a": [1]\n# }\n') == {"a": [1]}
    with pytest.raises(run.server.Trouble):
        run.expected_value("{}\n")


def test_every_suite_and_program_can_be_read() -> None:
    for suite in run.read_suites(HERE / "suites.txt"):
        assert suite.kind in ("unittest", "pytest"), suite
    for path in (HERE / "workload").glob("*.py"):
        run.expected_value(path.read_text())
