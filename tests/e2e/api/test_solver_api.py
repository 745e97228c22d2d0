"""The doors of solver pipelines, row by row of their contract."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import pytest
from client import JSON, Client, Reply
from program import part

EXECUTE = "/api/ai/python-execute"
SYNTAX = "/api/ai/python-syntax-check"
AST = "/api/ai/python-ast-check"
KEYS = ["phase", "ok", "status", "durationMs", "errorDigest", "stdout",
        "stderr", "resultData", "resultSummary", "resultPath"]
WRITE = "import json\nopen('result.json', 'w').write(json.dumps({}))\n"


def ask(client: Client, path: str, fields: Any) -> Reply:
    body = fields if isinstance(fields, (str, bytes)) else json.dumps(fields)
    return client.request("POST", path, body, JSON)


def execute(client: Client, code: str, **fields: Any) -> dict[str, Any]:
    reply = ask(client, EXECUTE, {"code": code, **fields})
    assert reply.status == 200, reply.body[:300]
    assert reply.body.endswith(b"\n") and reply.body.count(b"\n") == 1
    assert list(reply.json()) == ["ok", "result"]
    assert reply.json()["ok"] is True
    got = reply.json()["result"]
    assert list(got) == KEYS
    assert type(got["durationMs"]) is int
    return got


def judged(client: Client, code: str, phase: str, status: str,
           **fields: Any) -> dict[str, Any]:
    """The result of a program that ends with 0, or does not compile."""
    got = execute(client, code, **fields)
    assert (got["phase"], got["status"]) == (phase, status), got
    assert got["ok"] is (status in ("optimal", "feasible"))
    if got["ok"]:
        assert got["errorDigest"] == ""
    assert got["resultPath"] is None  # nothing is kept
    return got


def write(result: Any) -> str:
    """A program that writes RESULT."""
    text = result if isinstance(result, str) else json.dumps(result)
    return f"open('result.json', 'w').write({text!r})\n"


SOLUTION = {"status": "optimal",
            "schedule": [{"assignmentId": 1, "start": 0}],
            "assignments": [{"id": 1}, {"id": 2}, {"id": "c"}]}

# A solver with constraint propagation and backtracking, in plain Python.
SOLVER = part("solver_of_a_colouring")
NODES = [f"n{i}" for i in range(12)]
RING = [[NODES[i], NODES[(i + 1) % 12]] for i in range(12)]


# -- runs that end well


def test_a_solver(client: Client) -> None:
    given = {"nodes": NODES, "edges": RING, "colours": 2}
    got = judged(client, SOLVER, "run", "optimal", input=given)
    colours = {row["node"]: row["colour"]
               for row in got["resultData"]["schedule"]}
    assert all(colours[a] != colours[b] for a, b in RING)
    assert got["resultSummary"] == {"scheduledCount": 12,
                                    "unscheduledAssignments": []}
    assert got["stdout"] == "SOLUTION_FOUND\n" and got["stderr"] == ""


def test_a_solver_that_finds_that_there_is_none(client: Client) -> None:
    given = {"nodes": NODES, "edges": RING + [[NODES[0], NODES[2]]],
             "colours": 2}
    got = judged(client, SOLVER, "run", "infeasible", input=given)
    assert got["resultData"]["schedule"] == []


@pytest.mark.parametrize("result, want", [
    ({"status": "optimal", "schedule": [1]}, "optimal"),
    ({"status": "OPTIMAL", "schedule": [1]}, "optimal"),
    ({"status": "oPtImAl", "schedule": [1]}, "optimal"),
    ({"status": "FEASIBLE", "schedule": [1, 2]}, "feasible"),
    ({"status": "INFEASIBLE", "schedule": []}, "infeasible"),
    ({"status": "Infeasible", "schedule": [1]}, "infeasible"),
    ({"status": "MODEL_INVALID", "schedule": [1]}, "infeasible"),
    ({"status": "model_invalid"}, "infeasible"),
    ({"status": "UNKNOWN", "schedule": [1]}, "unknown"),
    ({"status": "unknown", "schedule": []}, "unknown"),
    # neither a solver's words, nor those of this answer
    ({"status": "great", "schedule": [1]}, "unknown"),
    ({"status": "timeout", "schedule": [1]}, "unknown"),
    ({"status": "crashed", "schedule": [1]}, "unknown"),
    ({"status": "OPTIMAL\0", "schedule": [1]}, "unknown"),
    ({"status": "", "schedule": [1]}, "unknown"),
    ({"status": 4, "schedule": [1]}, "unknown"),
    ({"status": None, "schedule": [1]}, "unknown"),
    ({"schedule": [1]}, "unknown"), ({}, "unknown"),
    # no object
    ([], "unknown"), ("OPTIMAL", "unknown"), (1, "unknown"),
    (None, "unknown"),
    # an empty schedule, or none
    ({"status": "optimal", "schedule": []}, "infeasible"),
    ({"status": "FEASIBLE", "schedule": []}, "infeasible"),
    ({"status": "OPTIMAL"}, "infeasible"),
    ({"status": "OPTIMAL", "schedule": {}}, "infeasible"),
    ({"status": "OPTIMAL", "schedule": None}, "infeasible"),
])
def test_statuses(client: Client, result: Any, want: str) -> None:
    got = judged(client, write(json.dumps(result)), "run", want)
    assert got["resultData"] == result
    schedule = result.get("schedule") if type(result) is dict else None
    assert got["resultSummary"]["scheduledCount"] == len(schedule or [])


def test_summary_and_data(client: Client) -> None:
    text = json.dumps({**SOLUTION, "big": 10**40, "u": "\u00e9"}, indent=2)
    got = judged(client, write(text), "run", "optimal")
    assert got["resultData"] == json.loads(text)
    assert got["resultSummary"] == {"scheduledCount": 1,
                                    "unscheduledAssignments": ["2", "c"]}


@pytest.mark.parametrize("assignments, schedule, left", [
    ([{"id": "a"}, {"id": "b"}], [{"assignmentId": "b"}], ["a"]),
    ([{"id": 1}, {"id": "2"}], [{"assignmentId": "1"}, {"assignmentId": 2}],
     []),
    ([{"id": "\u00e9\n"}], [{"id": "\u00e9\n"}], ["\u00e9\n"]),
    ([{"id": "\u00e9\n"}], [{"assignmentId": "\u00e9\n"}], []),
    # each as it is written, and compared as it is meant
    ([{"id": "a\0b"}], [{"assignmentId": "a"}], ["a\0b"]),
    ([{"id": "a\0b"}], [{"assignmentId": "a\0b"}], []),
    ([{"id": 1}, {"id": 1}], [1, None, [], {}], ["1", "1"]),
    ([1, None, [], {}, {"id": None}, {"id": [1]}, {"id": {}}], [1], []),
    ({"id": 1}, [1], []), ("id", [1], []), (None, [1], []),
    ([{"id": i} for i in range(20000)],
     [{"assignmentId": str(i)} for i in range(19999)], ["19999"]),
])
def test_assignments_that_are_left(client: Client, assignments: Any,
                                   schedule: Any, left: list[str]) -> None:
    result = {"status": "OPTIMAL", "schedule": schedule,
              "assignments": assignments}
    got = judged(client, write(result), "run", "optimal")
    assert got["resultSummary"] == {"scheduledCount": len(schedule),
                                    "unscheduledAssignments": left}


def test_assignments_of_the_input(client: Client) -> None:
    """A result that does not repeat them is compared with the input's."""
    given = {"assignments": [{"id": "a"}, {"id": "b"}]}
    result = {"status": "FEASIBLE", "schedule": [{"assignmentId": "a"}]}
    got = judged(client, write(result), "run", "feasible", input=given)
    assert got["resultSummary"]["unscheduledAssignments"] == ["b"]
    result["assignments"] = []
    got = judged(client, write(result), "run", "feasible", input=given)
    assert got["resultSummary"]["unscheduledAssignments"] == []


@pytest.mark.parametrize("value", [
    None, 0, "text", [1, {"a": None}], {"deep": [[[]]]}, 10**30, True])
def test_input(client: Client, value: Any) -> None:
    code = "import json\nassert json.load(open('input.json')) == "
    judged(client, code + repr(value) + "\n" + write(SOLUTION),
           "run", "optimal", input=value)


def test_no_input(client: Client) -> None:
    judged(client, "assert open('input.json').read() == '{}'\n"
           + write(SOLUTION), "run", "optimal")


# -- the program's world


def told(client: Client, what: str, **fields: Any) -> Any:
    got = execute(client, "import json, os, sys\njson.dump({'status': "
                  f"'OPTIMAL', 'schedule': [{what}]}}, "
                  "open('result.json', 'w'))", **fields)
    assert got["ok"], got
    return got["resultData"]["schedule"][0]


@pytest.mark.parametrize("asked, want", [
    (1, 1), (3, 3), (8, 8), (9, 8), (0, 1), (-5, 1), (10**30, 8),
    (-10**30, 1), (2.9, 2), (0.2, 1), (-0.5, 1), (1e300, 8),
    (None, min(max((os.cpu_count() or 1) - 1, 1), 8)),
])
def test_workers(client: Client, asked: Any, want: int) -> None:
    assert told(client, "os.environ['SOLVER_WORKERS']",
                solverWorkers=asked) == str(want)


@pytest.mark.parametrize("number, want", [
    ("1e999", "8"), ("-1e999", "1"), ("3E0", "3"), ("30e-1", "3"),
    ("0e5", "1"), ("4.9", "4"),
    pytest.param("2." + "4" * 5000, "2", id="long fraction"),
    pytest.param("1" * 5000, "8", id="long")])
def test_odd_numbers(client: Client, number: str, want: str) -> None:
    code = ("import json, os\njson.dump({'status': 'OPTIMAL', 'schedule': "
            "[os.environ['SOLVER_WORKERS']]}, open('result.json', 'w'))")
    reply = ask(client, EXECUTE, f'{{"code": {json.dumps(code)}, '
                f'"timeoutMs": 9e999, "solverWorkers": {number}}}')
    assert reply.json()["result"]["resultData"]["schedule"] == [want]


@pytest.mark.parametrize("asked, seconds", [
    (7000, 7), (6001, 7), (6000.2, 7), (6999.9, 7), (1, 1), (0, 1), (-1, 1),
    (-10**30, 1), (0.001, 1), (12000, 12),
])
def test_seconds_are_told(client: Client, asked: Any, seconds: int) -> None:
    got = told(client, "os.environ['EXECUTOR_TIMEOUT_SECONDS'], "
               "os.environ['SOLVER_MAX_SECONDS']], 'x': [0", timeoutMs=asked)
    assert got == str(seconds)
    got = told(client, "os.environ['SOLVER_MAX_SECONDS']", timeoutMs=asked)
    assert got == str(max(5, seconds - 5))


def test_a_longer_limit_is_cut_to_the_pools(client: Client) -> None:
    most = told(client, "os.environ['EXECUTOR_TIMEOUT_SECONDS']",
                timeoutMs=10**30)
    assert most == told(client, "os.environ['EXECUTOR_TIMEOUT_SECONDS']")
    assert 1 <= int(most) <= 360


def test_the_seed_of_hashes_is_0_and_in_force(client: Client) -> None:
    expression = "hash('a'), list({str(i) for i in range(50)})"
    want = subprocess.run(
        ["/usr/bin/python3", "-c", f"print([{expression}])"],
        env={"PYTHONHASHSEED": "0"}, capture_output=True, text=True,
        check=True).stdout
    for _ in range(2):  # two runs agree
        assert str(told(client, f"[{expression}]")) == want.strip()
    assert told(client, "[os.environ[n] for n in ('PYTHONHASHSEED', "
                "'PYTHONUNBUFFERED')], sys.flags.hash_randomization") == \
        ["0", "1"]
    assert told(client, "sys.flags.hash_randomization") == 0


def test_output_is_unbuffered(client: Client) -> None:
    """As in the original, where a solver's log shows how far it came."""
    code = ("import os, sys\nprint('one', end='')\nsys.stdout.buffer.write("
            "b' two')\nprint('\\u00e9' * 200000, end='')\n"
            "print('three', end='', file=sys.stderr)\nos._exit(7)")
    got = execute(client, code)
    assert got["stdout"].startswith("one two\u00e9\u00e9")
    assert got["stderr"] == "three"


def test_the_program_is_a_file(client: Client) -> None:
    assert told(client, "[__file__, __name__, sys.argv]") == \
        ["solver_generated.py", "__main__", ["solver_generated.py"]]
    # imported once more, under its own name
    got = execute(client, "import json\nX = [1]\n"
                  "if __name__ == '__main__':\n"
                  "    import solver_generated as s\n"
                  "    json.dump({'status': 'OPTIMAL', 'schedule': [s.X, "
                  "s.__name__, s.__file__]}, open('result.json', 'w'))")
    assert got["resultData"]["schedule"] == [
        [1], "solver_generated", "/home/user/solver_generated.py"]
    got = execute(client, "def f():\n    1 / 0\n\nf()")
    assert 'File "solver_generated.py", line 2, in f' in got["stderr"]


def test_home_is_workspace(client: Client) -> None:
    got = judged(client, "import os\nos.chdir('/workspace')\n"
                 "assert os.path.exists('/workspace/input.json')\n"
                 "assert os.path.samefile('/workspace', '/home/user')\n"
                 + write(SOLUTION).replace("result", "/workspace/result"),
                 "run", "optimal")
    assert got["resultData"] == SOLUTION


def test_workers_are_the_limit_of_threads(client: Client,
                                          settings: Any) -> None:
    import conftest
    status = conftest.Status(settings.status_url).get()
    if status["walls"]["user"] != "one for each guest":
        pytest.skip("guests share one uid, and its limit of tasks")
    code = part("solver_with_threads")
    got = judged(client, code, "run", "unknown", solverWorkers=3)
    assert got["resultData"]["schedule"] == [3]
    got = judged(client, code, "run", "unknown", solverWorkers=8)
    assert got["resultData"]["schedule"] == [8]


# -- and those that do not


@pytest.mark.parametrize("code", ["def f(:\n", "return 1", "x = (", "  a\n b"])
def test_what_does_not_compile_is_not_started(client: Client,
                                              code: str) -> None:
    got = judged(client, "print('started')\n" + code, "compile", "crashed")
    assert got["stdout"] == "" and "Error" in got["errorDigest"]
    assert "Code context" not in got["stderr"]


CRASHES = [
    ("1/0", "ZeroDivisionError: division by zero"),
    ("import os; os.abort()", "SIGABRT"),
    ("len(bytearray(1 << 40))", "MemoryError"),
    ("import os; os.fork()", "Operation not permitted: fork"),
    ("while True: print('x' * 65536)", "printed far too much"),
]


@pytest.mark.parametrize("code, words", CRASHES)
def test_crashes_with_a_result(client: Client, code: str,
                               words: str) -> None:
    """The phase is run however it ended, and the status is the result's; ok
    is not."""
    got = execute(client, write(SOLUTION) + code)
    assert (got["phase"], got["ok"], got["status"]) == ("run", False,
                                                        "optimal")
    assert got["resultData"] == SOLUTION
    assert words in got["stderr"] and words in got["errorDigest"]


@pytest.mark.parametrize("code, words", CRASHES)
def test_crashes_without_a_result(client: Client, code: str,
                                  words: str) -> None:
    got = judged(client, code, "parse", "crashed")
    assert words in got["stderr"] and words in got["errorDigest"]
    assert got["resultData"] is None


@pytest.mark.parametrize("code", ["import sys; sys.exit(3)",
                                  "import os; os._exit(4)"])
def test_exit_with_another_status(client: Client, code: str) -> None:
    """It leaves no trace on standard error, as in any Python."""
    got = execute(client, write(SOLUTION) + "print('why', flush=True)\n"
                  + code)
    assert (got["phase"], got["ok"], got["status"]) == ("run", False,
                                                        "optimal")
    assert got["stderr"] == "" and got["errorDigest"] == "why"
    got = execute(client, write(SOLUTION) + code)
    assert "3" in got["errorDigest"] or "4" in got["errorDigest"]


@pytest.mark.parametrize("code", ["import sys; sys.exit(0)",
                                  "import os; os._exit(0)"])
def test_exit_with_0(client: Client, code: str) -> None:
    got = judged(client, write(SOLUTION) + code, "run", "optimal")
    assert got["stderr"] == ""


@pytest.mark.parametrize("code, words", [
    ("", "was not written"), ("1", "was not written"),
    (write(""), "is not JSON"), (write("{"), "is not JSON"),
    (write('{"status": "\\ud800"}'), "is not JSON"),
    (write("NaN"), "is not JSON"), (write("[" * 100000), "is not JSON"),
    ("open('result.json', 'wb').write(b'{\"\\xff\": 1}')", "is not JSON"),
    ("import os; os.symlink('/etc/passwd', 'result.json')",
     "was not written"),
    ("import os; os.mkdir('result.json')", "was not written"),
    ("f = open('result.json', 'wb'); f.truncate(200 << 20)", "larger"),
])
def test_no_result(client: Client, code: str, words: str) -> None:
    # Blank code is another mistake.
    got = judged(client, code or "pass", "parse", "crashed")
    assert words in got["errorDigest"]
    assert got["resultData"] is None
    assert got["resultSummary"] == {"scheduledCount": 0,
                                    "unscheduledAssignments": []}


@pytest.mark.parametrize("code", [
    "print('SOLUTION_FOUND')\nprint('SOLUTION_FOUND')",
    "print('SOLUTION_FOUND' * 2)",
    "print('Solution_Found')\nprint('solution_FOUND')",
    # Far beyond the kept size, and in pieces.
    "print('SOLUTION_FOUND')\nprint('x' * 3000000)\nprint('solution_found')",
    "import time\nfor part in 2 * ['SOLU', 'SOLUTION_', 'foUND']:\n"
    "    print(part, end='', flush=True)\n    time.sleep(.05)",
    "print('SOLUTION_FOUND' * 2); raise SystemExit(3)",
])
def test_a_marker_that_is_printed_twice(client: Client, code: str) -> None:
    got = judged(client, write(SOLUTION) + code, "parse", "crashed")
    assert got["resultData"] == SOLUTION
    assert got["errorDigest"]


def test_a_marker_that_is_printed_once(client: Client) -> None:
    """A text that only begins like it and standard error do not count."""
    judged(client, write(SOLUTION) + "import sys\n"
           "print('SOLUTION_SOLUTION_FOUND' + 'x' * 3000000)\n"
           "print('SOLUTION_FOUN D SOLUTION_FOUND', file=sys.stderr)\n"
           "print('SOLUTION_FOUN')", "run", "optimal")


# -- time


LOOPS = ["while True: pass",
         "import signal\n"
         "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n"
         "while True: pass"]


@pytest.mark.parametrize("result, status", [
    (SOLUTION, "optimal"),
    ({"status": "optimal", "schedule": [1]}, "optimal"),
    ({"status": "FEASIBLE", "schedule": [1]}, "timeout_with_solution"),
    ({"status": "INFEASIBLE", "schedule": [1]}, "timeout_with_solution"),
    ({"status": "so far", "schedule": [1]}, "timeout_with_solution"),
])
@pytest.mark.parametrize("loop", LOOPS)
def test_a_solution_at_the_time_limit(client: Client, result: Any,
                                      status: str, loop: str) -> None:
    got = execute(client, write(result) + "print('out', flush=True)\n"
                  "print(1, file=__import__('sys').stderr, flush=True)\n"
                  + loop, timeoutMs=200)
    assert (got["phase"], got["ok"], got["status"]) == ("run", True, status)
    assert got["resultData"] == result
    assert got["durationMs"] == 1000  # the limit, in whole seconds
    assert got["errorDigest"] == got["stdout"] == got["stderr"] == ""
    assert got["resultSummary"]["scheduledCount"] == 1


@pytest.mark.parametrize("before", [
    "", write("{"), write("[]"), write({"schedule": [1]}),
    write({"status": 1, "schedule": [1]}),
    write({"status": "OPTIMAL", "schedule": []}),
    write({"status": "OPTIMAL", "schedule": {"a": 1}}),
])
@pytest.mark.parametrize("loop", LOOPS)
def test_no_solution_at_the_time_limit(client: Client, before: str,
                                       loop: str) -> None:
    got = judged(client, before + "print('out', flush=True)\n" + loop,
                 "run", "timeout", timeoutMs=1000)
    assert got["errorDigest"] == "Execution timed out after 1s"
    assert got["stdout"] == "out\n"
    assert 900 <= got["durationMs"] < 20000


def test_words_make_no_timeout(client: Client) -> None:
    got = execute(client, write(SOLUTION) + "import sys\n"
                  "print('Execution timed out after 1s')\n"
                  "raise TimeoutError('Execution timed out after 1s')")
    assert (got["phase"], got["ok"], got["status"]) == ("run", False,
                                                        "optimal")
    assert got["stdout"] == "Execution timed out after 1s\n"


# -- the pages that are shown


def test_streams_are_cut(client: Client) -> None:
    got = execute(client, write(SOLUTION) + "import sys\n"
                  "for i in range(250): print('out', i)\n"
                  "for i in range(101): print('  err', i, ' ', "
                  "file=sys.stderr)\nsys.exit(3)")
    out = got["stdout"].split("\n")
    assert out[:100] == [f"out {i}" for i in range(100)]
    assert out[100:] == ["...[truncated 150 lines]"]
    assert got["stderr"].endswith("err 99  \n...[truncated 1 lines]")
    assert got["errorDigest"] == "\n".join(f"err {i}" for i in range(89, 101))


def test_a_good_run_has_no_digest(client: Client) -> None:
    got = judged(client, write(SOLUTION) + "import sys\n"
                 "print(1); print(2, file=sys.stderr)", "run", "optimal")
    assert (got["errorDigest"], got["stdout"], got["stderr"]) == \
        ("", "1\n", "2\n")


def test_a_digest_of_standard_output(client: Client) -> None:
    """When standard error is blank."""
    code = ("import sys\nprint(' no room for 3b \\n\\n\\t')\n"
            "print(' \\n', file=sys.stderr)\n")
    for more in (write({"status": "INFEASIBLE", "schedule": []}),
                 "sys.exit(1)", ""):
        got = execute(client, code + more)
        assert not got["ok"] and got["errorDigest"] == "no room for 3b"
        assert got["stderr"].strip() == ""


def test_a_hundred_lines_are_all_there(client: Client) -> None:
    got = judged(client, write(SOLUTION) +
                 "print('\\n'.join(map(str, range(100))))", "run", "optimal")
    assert got["stdout"].split("\n") == [str(i) for i in range(100)] + [""]


def test_digest_of_long_lines_and_bad_bytes(client: Client) -> None:
    got = execute(client, "import sys\nsys.stderr.buffer.write("
                  "b'\\xff\\n\\n  \\n' + '\u00e9'.encode() * 2000)\n")
    assert got["errorDigest"] == "\u00e9" * 800
    got = execute(client, "import sys\nsys.stderr.buffer.write("
                  "b'a\\xff\\n \\nb\\0')\n")
    assert got["errorDigest"] == "a\ufffd\nb\0"


# -- checks


def test_a_syntax_check_runs_nothing(client: Client) -> None:
    reply = ask(client, SYNTAX, {"code": "import os\nprint(os.getcwd())\n"
                                 "while True: pass", "more": 1})
    assert reply.status == 200
    assert reply.json() == {"ok": True, "result": {"ok": True}}
    assert reply.body.endswith(b"\n")


@pytest.mark.parametrize("path", [SYNTAX, AST])
@pytest.mark.parametrize("code", ["def f(:", "x = (", "(" * 10000])
def test_check_of_bad_code(client: Client, path: str, code: str) -> None:
    reply = ask(client, path, {"code": code})
    assert reply.status == 200
    got = reply.json()["result"]
    assert got["ok"] is False and "Error" in got["error"]
    assert "Code context" not in got["error"]


def test_compiling_finds_more_than_parsing(client: Client) -> None:
    assert ask(client, AST, {"code": "return"}).json()["result"]["ok"]
    assert not ask(client, SYNTAX, {"code": "return"}).json()["result"]["ok"]


def ast_check(client: Client, code: str, **fields: Any) -> str:
    """The findings, "" if there is none."""
    reply = ask(client, AST, {"code": code, **fields})
    assert reply.status == 200
    got = reply.json()["result"]
    assert got["ok"] is ("error" not in got)
    return got.get("error", "")


# A snippet of a skeleton, with everything that it may have.
SNIPPET = '''
    by_day = {day: [p for p in periods_by_day[day]] for day in days}
    def _cost(row, *rest, weight=1.5, **named):
        """How bad it is."""
        global total
        total = weight * abs(row["a"]) if (n := len(rest)) else float(n)
        return total
    class Row:
        size: int = 0
    for a, (b, *c) in enumerate(zip(slots, data["x"])):
        try:
            model.Add(sum(a * x for x in c) <= max(b, *c))
        except (ValueError, NotImplementedError) as error:
            raise error
    match assignments:
        case [first, *others]:
            schedule.append((first, others, lambda q: q))
        case {"id": ident, **more}:
            constraints[ident] = sorted(set(more), key=_helper)
    custom_specs.update(str=str(int(round(1.2))), d=dict(list(map(_f, days))))
    assert isinstance(True, bool) and all([any(())]) and not tuple()
    _ = frozenset(filter(None, reversed(range(divmod(7, min(2, 3))[0]))))
    del a
    return f"{by_day!r:>{len(days)}}", periods, Row
'''


def test_a_good_snippet(client: Client) -> None:
    """Its text is dedented first."""
    assert ast_check(client, SNIPPET) == ""
    assert ast_check(client, SNIPPET + "    foo\n") == \
        f"name foo is not allowed (line {SNIPPET.count(chr(10)) + 1})"


CALLS = ["open", "exec", "eval", "compile", "input", "print", "breakpoint",
         "globals", "locals", "vars", "__import__"]


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("form", ["{}()", "data.{}(1)", "data[0].x.{}(1, a=2)",
                                  "x = [{}(d) for d in days]"])
def test_refused_calls(client: Client, name: str, form: str) -> None:
    assert ast_check(client, "y = 1\n" + form.format(name)) == \
        f"call of {name} is not allowed (line 2)"
    # also one that the snippet defines itself
    assert f"call of {name}" in ast_check(
        client, f"def {name}(*a, **b): pass\n" + form.format(name))


@pytest.mark.parametrize("name", ["__import__", "__builtins__", "__class__",
                                  "__bases__", "__subclasses__", "__mro__"])
def test_refused_attributes(client: Client, name: str) -> None:
    for form in ("x = data.{}", "data[0].{}.y = 1", "del model.{}"):
        assert ast_check(client, form.format(name)) == \
            f"attribute {name} is not allowed (line 1)"


@pytest.mark.parametrize("name", [
    "os", "getattr", "setattr", "type", "object", "print", "open", "super",
    "Exception", "KeyError", "iter", "next", "hash", "np", "__import__",
    "__builtins__", "\u00fcber"])
def test_names_that_are_not_known(client: Client, name: str) -> None:
    assert ast_check(client, f"\n\nx = {name}") == \
        f"name {name} is not allowed (line 3)"


@pytest.mark.parametrize("code, allow, culprits", [
    ("import os", ["os"], []), ("import os.path as p", ["os"], []),
    ("from os.path import join\njoin('a')", ["os.path"], []),
    ("import os", ["os.path"], ["os"]), ("import osx", ["os"], ["osx"]),
    ("x = 1", [], []), ("import os", None, ["os"]),
    ("from json import loads\nimport re\nre.sub, loads", ["re", "json"], []),
    ("def f():\n  import os", ["json"], ["os"]),
    ("import json, sys", ["json"], ["sys"]), ("import os", [], ["os"]),
    ("import os", [""], ["os"]),
    ("import a, b.c\nfrom d import e", [], ["a", "b.c", "d"]),
    ("from . import x", ["x"], ["."]), ("from ..y import x", ["y"], ["..y"]),
    ("import \u00fcber", ["\u00fcber"], []),
    ("import \u00fcber", ["uber"], ["\u00fcber"]),
])
def test_allowed_imports(client: Client, code: str, allow: Any,
                         culprits: list[str]) -> None:
    got = ast_check(client, code, allow=allow)
    assert [part.partition(" is not allowed (line ")[0]
            for part in got.split("; ") if part] == \
        [f"import of {name}" for name in culprits]


def test_findings_are_joined(client: Client) -> None:
    assert ast_check(client, "import os\nopen(foo)\n\nx = data.__class__") \
        == ("import of os is not allowed (line 1); call of open is not "
            "allowed (line 2); name foo is not allowed (line 2); attribute "
            "__class__ is not allowed (line 4)")


def test_many_findings(client: Client) -> None:
    """They are cut, and the check fails closed."""
    long = "x" * 100000
    got = ast_check(client, "\n".join(f"{long}{i}" for i in range(500)))
    assert got.endswith("; and 480 more") and len(got) < 4000


# -- requests that are not run


@pytest.mark.parametrize("path", [EXECUTE, SYNTAX, AST])
@pytest.mark.parametrize("fields", [{}, {"code": ""}, {"code": " \n\t"}])
def test_blank_code(client: Client, path: str, fields: Any) -> None:
    reply = ask(client, path, fields)
    assert reply.status == 400
    assert reply.json() == {"ok": False, "error": "Missing python code."}


@pytest.mark.parametrize("path, fields, words", [
    (EXECUTE, {"code": 1}, "code must be a string"),
    (EXECUTE, {"code": None}, "code must be a string"),
    (EXECUTE, {"code": "1", "timeoutMs": "5"}, "timeoutMs must be a number"),
    (EXECUTE, {"code": "1", "timeoutMs": True}, "timeoutMs must be a number"),
    (EXECUTE, {"code": "1", "timeoutMs": [1]}, "timeoutMs must be a number"),
    (EXECUTE, {"code": "1", "solverWorkers": []},
     "solverWorkers must be a number"),
    (EXECUTE, {"code": "1", "solverWorkers": "2"},
     "solverWorkers must be a number"),
    (EXECUTE, '{"code": "1", "timeoutMs": 1.}', ""),
    (EXECUTE, '{"code": "1", "timeoutMs": 0x10}', ""),
    (EXECUTE, '{"code": "1", "timeoutMs": NaN}', ""),
    (EXECUTE, '{"code": "1", "solverWorkers": Infinity}', ""),
    (EXECUTE, '{"code": "1", "input": {"a": 1, "a": 2}}', ""),
    (EXECUTE, '{"code": "1", "input": tru}', ""),
    (AST, {"code": "1", "allow": "os"}, "allow must be an array"),
    (AST, {"code": "1", "allow": ["os", 1]}, "allow[1] must be a string"),
    (AST, {"code": "1", "allow": {"os": 1}}, "allow must be an array"),
    (SYNTAX, [], "must be a JSON object"),
    (EXECUTE, "", "empty"), (EXECUTE, "{", ""),
    (AST, '{"code": "1", "code": "2"}', "code"),
])
def test_refused_fields(client: Client, path: str, fields: Any,
                        words: str) -> None:
    reply = ask(client, path, fields)
    assert reply.status == 400, reply.body
    got = reply.json()
    assert list(got) == ["ok", "error"] and got["ok"] is False
    assert got["error"] and words in got["error"]


def test_too_large_an_input(client: Client) -> None:
    body = b'{"code": "1", "input": "' + b"x" * (99 << 20) + b'"}'
    reply = ask(client, EXECUTE, body)
    assert reply.status in (200, 413)
    code = write(SOLUTION)
    judged(client, code, "run", "optimal")


def test_the_web_servers_own_errors_have_this_shape(client: Client,
                                                    stranger: Client) -> None:
    replies = [stranger.request("POST", EXECUTE, "{}", JSON),
               client.request("GET", SYNTAX),
               client.request("POST", "/api/ai/nothing", "{}", JSON)]
    assert [reply.status for reply in replies] == [401, 405, 404]
    for reply in replies:
        assert list(reply.json()) == ["ok", "error"], reply.body
