"""tests/run itself: its counts, names and exit status. No server needed.

The suites are small shell commands that print cmocka's output, and real
pytest runs over files made here.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).resolve().parents[2] / "run"

# name: (arguments, last line, exit status, other lines that must be printed)
CASES = {
    "tap passes": (
        ["u.tap=printf '1..2\\nok 1 - a\\nok 2 - b\\n'"],
        "2 passed, 0 failed", 0, []),
    "tap fails": (
        ["u.tap=printf '1..2\\nok 1 - a\\nnot ok 2 - b\\n'; exit 1"],
        "1 passed, 1 failed", 1, ["FAILED: u: b"]),
    "tap fails with status 0": (
        ["u.tap=printf '1..1\\nnot ok 1 - b\\n'"],
        "0 passed, 1 failed", 1, ["FAILED: u: b"]),
    "tap skips as cmocka does": (
        ["u.tap=printf '1..1\\nskip: not root\\nnot ok 1 # SKIP b\\n'"],
        "0 passed, 0 failed, 1 skipped", 0, ["skipped: u: b: not root"]),
    "tap skips as others do": (
        ["u.tap=printf 'ok 1 - b # SKIP not root\\n1..1\\n'"],
        "0 passed, 0 failed, 1 skipped", 0, ["skipped: u: b: not root"]),
    "tap of two programs": (
        ["u.tap=printf '1..1\\nok 1 - a\\n'; printf '1..1\\nok 1 - b\\n'"],
        "2 passed, 0 failed", 0, []),
    "tap crashes half-way": (
        ["u.tap=printf '1..3\\nok 1 - a\\n'; kill -SEGV $$"],
        "1 passed, 1 failed", 1, ["2 of 3 tests never ran"]),
    "tap crashes after all": (
        ["u.tap=printf '1..1\\nok 1 - a\\n'; kill -SEGV $$"],
        "1 passed, 1 failed", 1, ["was killed by SIGSEGV"]),
    "tap runs nothing": (
        ["u.tap=true"], "0 passed, 1 failed", 1, ["u: no test ran"]),
    "tap plans nothing": (
        ["u.tap=echo 1..0"], "0 passed, 1 failed", 1, ["u: no test ran"]),
    "tap is asked for": (
        ["u.tap=test \"$CMOCKA_MESSAGE_OUTPUT\" = tap && echo ok 1 - a"],
        "1 passed, 0 failed", 0, []),
    "check passes": (["c.check=true"], "1 passed, 0 failed", 0, []),
    "check fails": (
        ["c.check=exit 3"], "0 passed, 1 failed", 1,
        ["FAILED: c: the command exited with status 3"]),
    "all are run and added up": (
        ["a.check=exit 1", "b.tap=echo ok 1 - x", "c.check=true"],
        "2 passed, 1 failed", 1, []),
    "output that is no text": (
        ["c.check=printf '\\377\\n'"], "1 passed, 0 failed", 0, []),
    "an equals sign in the command": (
        ["c.check=A=1; test $A = 1"], "1 passed, 0 failed", 0, []),
}


def run(*words: str) -> "tuple[int, list[str]]":
    done = subprocess.run([sys.executable, str(RUN), *words], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          errors="replace")
    return done.returncode, done.stdout.splitlines()


@pytest.mark.parametrize("name", CASES)
def test_counting(name: str) -> None:
    words, last, status, pieces = CASES[name]
    code, lines = run(*words)
    assert lines[-1] == last, lines
    assert code == status
    for piece in pieces:
        assert any(piece in line for line in lines), (piece, lines)


@pytest.mark.parametrize("word", ["x", "x=true", "x.other=true", ".tap=true",
                                  "x.tap=", "", "--at-once"])
def test_bad_argument(word: str) -> None:
    code, lines = run(word)
    assert code != 0 and "usage:" in lines[-1]


def test_no_argument() -> None:
    code, lines = run()
    assert code != 0 and lines[-1].startswith("usage:")


def meets(mine: Path, other: Path) -> str:
    """A command that ends well only beside one that makes OTHER."""
    return (f"touch {mine}; timeout 10 sh -c "
            f"'until test -e {other}; do sleep 0.01; done'")


def test_two_at_once_see_each_other(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    code, lines = run("--at-once", "2",
                      f"a.check=echo here; {meets(one, two)}",
                      f"long.check={meets(two, one)}")
    assert (code, lines[-1]) == (0, "2 passed, 0 failed"), lines
    assert "a    | here" in lines


def test_what_comes_after_waits_for_all(tmp_path: Path) -> None:
    made = tmp_path / "made"
    code, lines = run("--at-once", "2", f"a.check=sleep 0.3; touch {made}",
                      "b.check=true", "--at-once", "1",
                      f"c.check=test -e {made}")
    assert (code, lines[-1]) == (0, "3 passed, 0 failed"), lines


TESTS = """
import pytest
def test_good(): print("shown")
def test_bad(): assert 0
@pytest.fixture
def broken(): raise ValueError
def test_error(broken): pass
@pytest.mark.skip(reason="not on Tuesdays")
def test_skipped(): pass
@pytest.mark.parametrize("x", [1, 2])
def test_many(x): pass
"""


UNSTEADY = """
import pytest
tries = {}
def late(name, times):
    tries[name] = tries.get(name, 0) + 1
    assert tries[name] > times, name
def test_a(): late("a", 1)
def test_b(): late("b", 1)
def test_c(): late("c", 1)
@pytest.mark.timed
def test_timed(): late("timed", 2)
"""


def pytest_suite(folder: Path, text: str, plugin: str = "no:cacheprovider"
                 ) -> "tuple[int, list[str]]":
    path = folder / "test_made.py"
    path.write_text(text, encoding="utf-8")
    return run(f"p.pytest={sys.executable} -m pytest -q -p no:cacheprovider "
               f"-p {plugin} --rootdir={folder} {path}")


def test_pytest_outcomes(tmp_path: Path) -> None:
    code, lines = pytest_suite(tmp_path, TESTS)
    assert lines[-1] == "3 passed, 2 failed, 1 skipped" and code == 1
    assert any("test_skipped: not on Tuesdays" in line for line in lines)
    assert any(line.startswith("FAILED: p: test_made.test_bad")
               for line in lines)
    assert any(line.startswith("FAILED: p: test_made.test_error")
               for line in lines)


def test_two_unsteady_tests_are_repeated(tmp_path: Path) -> None:
    """And those that measure time, twice."""
    code, lines = pytest_suite(tmp_path, UNSTEADY, "tests.repeat")
    assert (code, lines[-1]) == (1, "3 passed, 1 failed"), lines
    repeated = [line.split(": ")[2] for line in lines
                if line.startswith("repeated: p: ")]
    assert repeated == [f"test_made.py::test_{name}"
                        for name in ("a", "b", "timed", "timed")]
    assert "FAILED: p: test_made.test_c" in lines


def test_what_always_fails_is_no_success(tmp_path: Path) -> None:
    code, lines = pytest_suite(tmp_path, "def test_x(): assert 0",
                               "tests.repeat")
    assert (code, lines[-1]) == (1, "0 passed, 1 failed"), lines


@pytest.mark.parametrize("text", ["", "import no_such_module_here", "x = ("])
def test_pytest_that_runs_nothing(tmp_path: Path, text: str) -> None:
    code, lines = pytest_suite(tmp_path, text)
    assert lines[-1].startswith("0 passed, ") and code == 1
    assert not lines[-1].startswith("0 passed, 0 failed")


def test_pytest_that_dies(tmp_path: Path) -> None:
    code, lines = pytest_suite(tmp_path,
                               "import os\ndef test_x(): os._exit(0)\n")
    assert lines[-1] == "0 passed, 1 failed" and code == 1


def test_no_server_is_one_clear_sentence() -> None:
    """The other tests here, when their server does not run."""
    env = {**os.environ, "TERRARIUM_URL": "http://127.0.0.1:1",
           "TERRARIUM_TOKEN": "x", "TERRARIUM_CACERT": ""}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
         str(RUN.parent / "e2e" / "guest" / "test_isolation.py")],
        env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 1
    assert "No server to test: http://127.0.0.1:1 cannot be reached" in \
        done.stdout
    assert len(done.stdout.splitlines()) < 6
