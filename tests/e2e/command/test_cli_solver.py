"""The local command for solvers: `terrarium job`, the daemon, and the command
by its other name, code_executor."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Iterator, Optional

import pytest
from conftest import below
from test_cli import COMMAND, USERS, Shell, shell  # noqa: F401
from test_solver_api import KEYS, NODES, RING, SOLVER

# -- job


def test_job(shell: Shell) -> None:
    shell.write("job/solver.py", SOLVER)
    shell.write("job/input.json", json.dumps(
        {"nodes": NODES, "edges": RING, "colours": 2}))
    shell.write("job/result.json", "of before")
    done = shell("job", "job", "--workers", "3")
    assert done.returncode == 0, done.stderr
    got = json.loads(done.stdout.splitlines()[-1])
    assert list(got) == KEYS and got["ok"] and got["status"] == "optimal"
    assert got["resultPath"] == "job/result.json"
    assert json.loads((shell.folder / "job/result.json").read_text()) == \
        got["resultData"]
    assert got["resultData"]["workers"] == "3"
    assert "job: optimal after" in done.stderr


def test_job_counts_markers_beyond_what_is_kept(shell: Shell) -> None:
    for name, again in (("once", ""), ("twice", "print('SOLUTION_FOUND')")):
        shell.write(f"{name}/solver.py", "open('result.json', 'w').write('"
                    '{"status": "optimal", "schedule": [1]}\')\n'
                    "print('SOLUTION_FOUND')\nprint('x' * 3000000)\n"
                    + again)
        done = shell("job", name, "-q")
        result = json.loads(done.stdout.splitlines()[-1])
        assert result["phase"] == ("parse" if again else "run"), result


def test_job_of_standard_input(shell: Shell) -> None:
    (shell.folder / "job").mkdir()
    (shell.folder / "job").chmod(0o777)
    done = shell("job", "job", stdin="open('result.json', 'w').write('"
                 '{"status": "unknown", "schedule": []}\')')
    assert done.returncode == 1
    assert json.loads(done.stdout)["status"] == "unknown"


@pytest.mark.parametrize("code, phase, status", [
    ("(", "compile", "crashed"), ("1/0", "parse", "crashed"),
    ("pass", "parse", "crashed"), ("while True: pass", "run", "timeout"),
])
def test_job_that_fails(shell: Shell, code: str, phase: str,
                        status: str) -> None:
    shell.write("job/solver.py", code)
    shell.write("job/result.json", "of before")
    done = shell("job", "job", "-t1")
    got = json.loads(done.stdout)
    assert (done.returncode, got["phase"], got["status"]) == (1, phase,
                                                              status)
    assert shell.listing() == ["job/solver.py"]  # nothing of before


def test_job_with_a_solution_at_its_time_limit(shell: Shell) -> None:
    shell.write("job/solver.py", "open('result.json', 'w').write('"
                '{"status": "feasible", "schedule": [1]}\')\n'
                "while True: pass")
    got = json.loads(shell("job", "job", "-t1").stdout)
    assert got["status"] == "timeout_with_solution" and got["ok"]
    assert got["durationMs"] == 1000
    assert (shell.folder / "job/result.json").exists()


def test_job_with_a_sat_solver(shell: Shell) -> None:
    """pycryptosat, where the system has it."""
    code = ("import json, pycryptosat\ns = pycryptosat.Solver()\n"
            "s.add_clause([1, 2]); s.add_clause([-1])\n"
            "sat, solution = s.solve()\n"
            "json.dump({'status': 'optimal', 'schedule': "
            "[bool(v) for v in solution[1:]]}, open('result.json', 'w'))")
    try:
        import pycryptosat  # noqa: F401
    except ImportError:
        pytest.skip("python3-cryptominisat is not installed")
    shell.write("job/solver.py", code)
    got = json.loads(shell("job", "job").stdout)
    assert got["resultData"]["schedule"] == [False, True]


# -- the daemon


class Daemon:
    """`terrarium --daemon`: one line in, one line out."""

    def __init__(self, shell: Shell, conf: Optional[Path] = None) -> None:
        words = ["--daemon"] + (["-c", str(conf)] if conf else [])
        self.process = shell.popen(*words, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)

    def send(self, line: Any) -> None:
        text = line if isinstance(line, bytes) else json.dumps(line).encode()
        self.process.stdin.write(text + b"\n")
        self.process.stdin.flush()

    def read(self) -> Any:
        ready, _, _ = select.select([self.process.stdout], [], [], 30)
        assert ready, "no answer"
        return json.loads(self.process.stdout.readline())

    def __call__(self, line: Any) -> Any:
        self.send(line)
        return self.read()

    def close(self) -> int:
        self.process.stdin.close()
        try:
            return self.process.wait(20)
        finally:
            self.process.stdout.close()
            self.process.stderr.close()


@pytest.fixture
def daemon(shell: Shell) -> Iterator[Daemon]:
    conf = shell.write("t.conf", "[guest]\npreload =\n"
                       "[server]\nbody_mb = 1\n")
    found = Daemon(shell, conf)
    yield found
    if found.process.poll() is None:
        assert found.close() == 0


@pytest.fixture(params=USERS, scope="module")
def shared_daemon(request: Any) -> Iterator[Daemon]:
    """One for all lines that leave it as it was."""
    with tempfile.TemporaryDirectory(prefix="terrarium-cli.") as name:
        shell = Shell(Path(name), request.param)
        found = Daemon(shell, shell.write("t.conf", "[guest]\npreload =\n"
                                          "[server]\nbody_mb = 1\n"))
        yield found
        assert found.close() == 0


def execute(code: str, **fields: Any) -> dict[str, Any]:
    return {"type": "execute", "code": code, **fields}


REFUSED = ["phase", "ok", "status", "durationMs", "errorDigest"]


def test_daemon(shell: Shell, daemon: Daemon) -> None:
    """An answer is the result itself."""
    shell.write("job/input.json", json.dumps(
        {"nodes": NODES, "edges": RING, "colours": 3}))
    path = str(shell.folder / "job")
    got = daemon(execute(SOLVER, jobDir=path, solverWorkers=2,
                         timeoutSeconds=20))
    assert got["ok"] is True and list(got) == KEYS
    assert (got["phase"], got["status"]) == ("run", "optimal")
    assert got["resultData"]["workers"] == "2"
    assert got["resultPath"] == path + "/result.json"
    assert (shell.folder / "job/result.json").exists()
    got = daemon({"type": "syntax-check", "code": "x ="})
    assert list(got) == ["ok", "error"] and got["ok"] is False
    assert daemon({"type": "syntax-check", "code": "x = 1"}) == {"ok": True}
    got = daemon({"type": "ast-check", "code": "import os",
                  "allow": ["json"]})
    assert got == {"ok": False,
                   "error": "import of os is not allowed (line 1)"}
    assert daemon({"type": "ast-check", "code": "import os",
                   "allow": ["os"]}) == {"ok": True}
    got = daemon(execute("import json; assert json.load(open('input.json'))"
                         " == [1]", input=[1]))
    assert got["phase"] == "parse"


def test_daemon_waits_at_no_pipe(shell: Shell, daemon: Daemon) -> None:
    shell.write("job/other", "")
    os.mkfifo(shell.folder / "job/input.json", 0o666)
    got = daemon(execute("print(1)", jobDir=str(shell.folder / "job")))
    assert list(got) == REFUSED and got["errorDigest"].startswith("jobDir: ")
    assert daemon(execute("print(1)"))["stdout"] == "1\n"


def test_daemon_answers_in_order(daemon: Daemon) -> None:
    for i in range(10):
        daemon.send(execute(f"print({i}); import time; "
                            f"time.sleep({0.2 if i % 3 == 0 else 0})"))
    for i in range(10):
        assert daemon.read()["stdout"] == f"{i}\n"


@pytest.mark.parametrize("line, told", [
    (b"nonsense", "not JSON"), (b"[]", "must be a JSON object"),
    (b"  ", "not JSON"), (b'{"type": "execute", "code": "1"', "not JSON"),
    (b'{"type": "execute"}', "Missing python code."),
    (b'{"type": "execute", "code": " \\n"}', "Missing python code."),
    (b'{"type": "ast-check", "code": ""}', "Missing python code."),
    (b'{"code": "1"}', "type must be execute"),
    (b'{"type": "x", "code": "1"}', "type must be execute"),
    (b'{"type": 1, "code": "1"}', "type must be a string"),
    (b'{"type": "execute", "code": 1}', "code must be a string"),
    (b'{"type": "execute", "code": "1", "jobDir": 1}', "jobDir must be"),
    (b'{"type": "execute", "code": "1", "jobDir": "/none"}',
     "jobDir: No such file"),
    (b'{"type": "execute", "code": "1", "timeoutSeconds": "1"}',
     "timeoutSeconds must be a number"),
    (b'{"type": "execute", "code": "1", "solverWorkers": {}}',
     "solverWorkers must be a number"),
    (b'{"type": "ast-check", "code": "1", "allow": 1}', "allow must be"),
    (b'{"type": "ast-check", "code": "1", "allow": [1]}', "allow[0] must be"),
    (b"\xff", "UTF-8"),
    pytest.param(b'{"a": ' * 5000, "", id="deep"),
    pytest.param(b"x" * (2 << 20), "a line has more than 1048576 bytes",
                 id="long"),
])
def test_daemon_refuses_a_line_and_goes_on(shared_daemon: Daemon,
                                           line: bytes, told: str) -> None:
    got = shared_daemon(line)
    assert list(got) == REFUSED
    assert (got["phase"], got["ok"], got["status"], got["durationMs"]) == \
        ("parse", False, "crashed", 0)
    assert told in got["errorDigest"]
    assert shared_daemon(execute("print(1)"))["stdout"] == "1\n"


TOLD = ("import json, os\njson.dump({'status': 'OPTIMAL', 'schedule': "
        "[os.environ[n] for n in ('SOLVER_WORKERS', "
        "'EXECUTOR_TIMEOUT_SECONDS', 'SOLVER_MAX_SECONDS', "
        "'PYTHONHASHSEED', 'PYTHONUNBUFFERED')]}, open('result.json', 'w'))")


@pytest.mark.parametrize("workers, seconds, want", [
    (2.9, 20.1, ["2", "21", "16"]), (0, 0, ["1", "1", "5"]),
    (-1, -7, ["1", "1", "5"]), (99, 1e99, ["8", None, None]),
    (1, None, ["1", "360", "355"]),
])
def test_daemon_rounds_numbers(shared_daemon: Daemon, workers: Any,
                               seconds: Any, want: list[Any]) -> None:
    got = shared_daemon(execute(TOLD, solverWorkers=workers,
                                timeoutSeconds=seconds))
    told = got["resultData"]["schedule"]
    assert told[3:] == ["0", "1"]
    if want[1] is None:
        assert int(told[1]) - 5 == int(told[2]) > 3000
        want = [want[0], *told[1:3]]
    assert told[:3] == want


def test_daemon_after_hostile_runs(daemon: Daemon) -> None:
    for code in ("import os; os.abort()", "import os; os.write(3, b'x' * 99)",
                 "len(bytearray(1 << 40))", "while True: print('x' * 65536)"):
        assert daemon(execute(code))["status"] == "crashed"
    got = daemon(execute("while True: pass", timeoutSeconds=1))
    assert got["status"] == "timeout"
    assert got["errorDigest"] == "Execution timed out after 1s"
    assert daemon(execute("import os; print(sorted(os.listdir('.')))"))[
        "stdout"] == "['input.json', 'solver_generated.py']\n"


def test_daemon_replaces_a_sandbox_that_died(daemon: Daemon) -> None:
    assert daemon(execute("1"))["phase"] == "parse"
    for one in below(daemon.process.pid):
        try:
            os.kill(one.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    # One that was forked while we looked may live a request longer.
    answers = [daemon(execute("print(2)")) for _ in range(3)]
    assert answers[-1]["stdout"] == "2\n", answers


def test_daemon_ends_with_its_input(shell: Shell, daemon: Daemon) -> None:
    daemon.send(execute("print(1)"))
    daemon.process.stdin.write(json.dumps(execute("print(2)")).encode())
    daemon.process.stdin.close()  # a last line without an end
    assert [daemon.read()["stdout"] for _ in range(2)] == ["1\n", "2\n"]
    assert daemon.process.wait(20) == 0
    daemon.process.stdin = open(os.devnull)


# -- code_executor


@pytest.fixture
def executor(shell: Shell) -> Shell:
    """The command by its other name, in a directory with an input."""
    other = shell.folder / "code_executor"
    other.symlink_to(COMMAND)
    shell.write("input.json", json.dumps(
        {"nodes": NODES, "edges": RING, "colours": 3}))
    shell.program = str(other)
    return shell


def answer(done: subprocess.CompletedProcess) -> dict[str, Any]:
    """The one line on standard output, as a program that calls it reads it."""
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1 and done.stderr == ""
    return json.loads(done.stdout)


def test_executor(executor: Shell) -> None:
    got = answer(executor("20", stdin=SOLVER))
    assert list(got) == KEYS
    assert (got["phase"], got["ok"], got["status"]) == ("run", True,
                                                        "optimal")
    path = executor.folder / "result.json"
    assert got["resultPath"] == str(path)
    assert json.loads(path.read_text()) == got["resultData"]


@pytest.mark.parametrize("words, seconds", [
    (["7"], "7"), (["6.2"], "7"), (["0"], "1"), (["-3"], "1"),
    (["1e1"], "10"), ([], "360")])
def test_executor_takes_seconds(executor: Shell, words: list[str],
                                seconds: str) -> None:
    got = answer(executor(*words, stdin=TOLD))
    assert got["resultData"]["schedule"][1] == seconds


def test_executor_takes_workers_from_its_environment(
        executor: Shell, monkeypatch: Any) -> None:
    for given, want in (("3", "3"), ("2.5", "2"), ("99", "8"), ("0", "1")):
        monkeypatch.setenv("SOLVER_WORKERS", given)
        got = answer(executor("9", stdin=TOLD))
        assert got["resultData"]["schedule"][0] == want
    monkeypatch.setenv("SOLVER_WORKERS", "many")
    got = answer(executor("9", stdin=TOLD))
    assert 1 <= int(got["resultData"]["schedule"][0]) <= 8


def test_executor_with_a_solution_at_its_time_limit(executor: Shell) -> None:
    got = answer(executor("1", stdin=TOLD.replace("OPTIMAL", "FEASIBLE")
                          + "\nwhile True: pass"))
    assert (got["phase"], got["ok"], got["status"]) == (
        "run", True, "timeout_with_solution")
    assert got["durationMs"] == 1000 and got["stderr"] == ""


@pytest.mark.parametrize("code, phase, status", [
    ("(", "compile", "crashed"), ("1/0", "parse", "crashed"),
    ("while True: pass", "run", "timeout")])
def test_executor_that_fails(executor: Shell, code: str, phase: str,
                             status: str) -> None:
    executor.write("result.json", "of before")
    got = answer(executor("1", stdin=code))
    assert (got["phase"], got["ok"], got["status"]) == (phase, False, status)
    assert not (executor.folder / "result.json").exists()


def test_executor_without_a_program(executor: Shell) -> None:
    for words in (["5"], ["--syntax-check"], ["--ast-check"]):
        got = answer(executor(*words, stdin=" \n"))
        assert list(got) == REFUSED
        assert got["errorDigest"] == "Missing python code."


def test_executor_checks(executor: Shell) -> None:
    assert answer(executor("--syntax-check", stdin="x = 1")) == {"ok": True}
    got = answer(executor("--syntax-check", stdin="x ="))
    assert got["ok"] is False and "SyntaxError" in got["error"]
    assert answer(executor("--ast-check", stdin="  x = len(days)")) == \
        {"ok": True}
    assert answer(executor("--ast-check", stdin="open(1)")) == \
        {"ok": False, "error": "call of open is not allowed (line 1)"}
    assert executor.listing() == ["code_executor", "input.json"]


def test_executor_is_a_daemon(executor: Shell) -> None:
    lines = [execute("print(1)"), {"type": "syntax-check", "code": "x"},
             "nonsense"]
    done = executor("--daemon", stdin="".join(
        (line if type(line) is str else json.dumps(line)) + "\n"
        for line in lines), timeout=300)
    assert done.returncode == 0, done.stderr
    got = [json.loads(line) for line in done.stdout.splitlines()]
    assert [list(one) for one in got] == [KEYS, ["ok"], REFUSED]


@pytest.mark.parametrize("words, told", [
    (["x"], "takes SECONDS"), (["5", "6"], "6: not expected"),
    (["--wrong"], "takes SECONDS"), (["nan"], "takes SECONDS"),
    (["0x10"], "takes SECONDS"), (["[1]"], "takes SECONDS"),
    (["--daemon", "x"], "x: not expected"), (["run"], "takes SECONDS")])
def test_executor_mistakes(executor: Shell, words: list[str],
                           told: str) -> None:
    done = executor(*words)
    assert done.returncode == 125 and told in done.stderr
    assert done.stdout == ""


def test_executor_with_an_input_that_is_no_file(executor: Shell) -> None:
    (executor.folder / "input.json").unlink()
    os.mkfifo(executor.folder / "input.json")
    done = executor("5", stdin="1")
    assert done.returncode == 125 and done.stdout == ""


# -- the seed of hashes

# Its result depends on the order of a set of texts.
GREEDY = ("import json\nleft = {f'task{i}' for i in range(40)}\n"
          "json.dump({'status': 'FEASIBLE', 'schedule': list(left)}, "
          "open('result.json', 'w'))")


def greedy_of_this_python() -> list[str]:
    code = "import json\n" + GREEDY.splitlines()[1] + \
        "\nprint(json.dumps(list(left)))"
    done = subprocess.run(["/usr/bin/python3", "-c", code],
                          env={"PYTHONHASHSEED": "0"}, capture_output=True,
                          check=True)
    return json.loads(done.stdout)


def test_two_runs_of_a_solver_agree(executor: Shell) -> None:
    """Whatever way it is run; each command starts Python anew. A server's
    option has no say."""
    want = greedy_of_this_python()
    conf = executor.write("t.conf", "[guest]\npreload =\n"
                          "hash_seed = random\n")
    daemons = [Daemon(executor, conf) for _ in range(2)]
    got = [answer(executor("9", stdin=GREEDY))]
    executor.program = COMMAND
    got += [one(execute(GREEDY)) for one in daemons for _ in range(2)]
    executor.write("job/solver.py", GREEDY)
    got += [json.loads(executor("job", "job", "-q", *more).stdout)
            for more in ([], ["-c", str(conf)])]
    assert [one["resultData"]["schedule"] for one in got] == [want] * 7
    for one in daemons:
        assert one.close() == 0
