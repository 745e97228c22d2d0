"""The doors of solver pipelines, row by row of their contract."""

from __future__ import annotations

import json
import os
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
    got = execute(client, code, **fields)
    assert (got["phase"], got["status"]) == (phase, status), got
    assert got["ok"] is (status in ("optimal", "feasible"))
    if got["resultData"] is None:
        assert got["resultPath"] is None
    return got


def write(result: Any) -> str:
    """A program that writes RESULT."""
    text = result if isinstance(result, str) else json.dumps(result)
    return f"open('result.json', 'w').write({text!r})\n"


SOLUTION = {"status": "optimal", "schedule": [{"task": 1, "start": 0}],
            "assignments": [1, 2, 3]}

# A solver with constraint propagation and backtracking, in plain Python.
SOLVER = part("solver_of_a_colouring")
NODES = [f"n{i}" for i in range(12)]
RING = [[NODES[i], NODES[(i + 1) % 12]] for i in range(12)]


# -- runs that end well


def test_a_solver(client: Client) -> None:
    given = {"nodes": NODES, "edges": RING, "colours": 2}
    got = judged(client, SOLVER, "serialize", "optimal", input=given)
    colours = {row["node"]: row["colour"]
               for row in got["resultData"]["schedule"]}
    assert all(colours[a] != colours[b] for a, b in RING)
    assert got["resultSummary"] == {"scheduledCount": 12,
                                    "unscheduledAssignments": 0}
    assert got["resultPath"] == "/home/user/result.json"
    assert got["stdout"] == "SOLUTION_FOUND\n" and got["stderr"] == ""
    assert got["errorDigest"] == ""


def test_a_solver_that_finds_that_there_is_none(client: Client) -> None:
    given = {"nodes": NODES, "edges": RING + [[NODES[0], NODES[2]]],
             "colours": 2}
    got = judged(client, SOLVER, "serialize", "infeasible", input=given)
    assert got["resultData"]["schedule"] == []


@pytest.mark.parametrize("status, schedule, want", [
    ("optimal", [1], "optimal"), ("feasible", [1, 2], "feasible"),
    ("infeasible", [], "infeasible"), ("unknown", [], "unknown"),
    ("optimal", [], "infeasible"), ("feasible", [], "infeasible"),
    ("OPTIMAL", [1], "optimal"), ("unknown", [1], "unknown"),
])
def test_statuses(client: Client, status: str, schedule: list[int],
                  want: str) -> None:
    result = {"status": status, "schedule": schedule}
    got = judged(client, write(result), "serialize", want)
    assert got["resultData"] == result
    assert got["resultSummary"]["scheduledCount"] == len(schedule)


def test_summary_and_data(client: Client) -> None:
    text = json.dumps({**SOLUTION, "big": 10**40, "u": "\u00e9"}, indent=2)
    got = judged(client, write(text), "serialize", "optimal")
    assert got["resultData"] == json.loads(text)
    assert got["resultSummary"] == {"scheduledCount": 1,
                                    "unscheduledAssignments": 2}


@pytest.mark.parametrize("value", [
    None, 0, "text", [1, {"a": None}], {"deep": [[[]]]}, 10**30, True])
def test_input(client: Client, value: Any) -> None:
    code = "import json\nassert json.load(open('input.json')) == "
    judged(client, code + repr(value) + "\n" + write(SOLUTION),
           "serialize", "optimal", input=value)


def test_no_input(client: Client) -> None:
    judged(client, "import os\nassert os.listdir('.') == []\n"
           + write(SOLUTION), "serialize", "optimal")


@pytest.mark.parametrize("asked, told", [
    (1, 1), (3, 3), (8, 8), (9, 8), (0, 1), (-5, 1), (10**30, 8),
    (-10**30, 1), (None, min(max((os.cpu_count() or 1) - 1, 1), 8)),
])
def test_workers(client: Client, asked: Any, told: int) -> None:
    got = judged(client, "import json, os\nopen('result.json', 'w').write("
                 "json.dumps({'status': 'optimal', 'schedule': "
                 "[os.environ['SOLVER_WORKERS']]}))", "serialize", "optimal",
                 solverWorkers=asked)
    assert got["resultData"]["schedule"] == [str(told)]


def test_workers_are_the_limit_of_threads(client: Client,
                                          settings: Any) -> None:
    import conftest
    status = conftest.Status(settings.status_url).get()
    if status["walls"]["user"] != "one for each guest":
        pytest.skip("guests share one uid, and its limit of tasks")
    code = part("solver_with_threads")
    got = judged(client, code, "serialize", "unknown", solverWorkers=3)
    assert got["resultData"]["schedule"] == [3]
    got = judged(client, code, "serialize", "unknown", solverWorkers=8)
    assert got["resultData"]["schedule"] == [8]


# -- and those that do not


@pytest.mark.parametrize("code", ["def f(:\n", "return 1", "x = (", "  a\n b"])
def test_what_does_not_compile_is_not_started(client: Client,
                                              code: str) -> None:
    got = judged(client, "print('started')\n" + code, "compile", "crashed")
    assert got["stdout"] == "" and "Error" in got["errorDigest"]
    assert "Code context" not in got["stderr"]


@pytest.mark.parametrize("code, words", [
    ("1/0", "ZeroDivisionError: division by zero"),
    ("import sys; sys.exit(3)", "SystemExit: 3"),
    ("import os; os._exit(4)", "exited with status 4"),
    ("import os; os.abort()", "SIGABRT"),
    ("len(bytearray(1 << 40))", "MemoryError"),
    ("import os; os.fork()", "Operation not permitted: fork"),
    ("while True: print('x' * 65536)", "printed far too much"),
])
def test_crashes(client: Client, code: str, words: str) -> None:
    got = judged(client, write(SOLUTION) + code, "run", "crashed")
    assert words in got["stderr"] and words in got["errorDigest"]


@pytest.mark.parametrize("code", ["import sys; sys.exit(0)",
                                  "import os; os._exit(0)"])
def test_exit_with_0(client: Client, code: str) -> None:
    got = judged(client, write(SOLUTION) + code, "serialize", "optimal")
    assert got["stderr"] == ""


@pytest.mark.parametrize("code, words", [
    ("", "was not written"), ("1", "was not written"),
    (write(""), "is not JSON"), (write("{"), "is not JSON"),
    (write("[]"), "is not an object"), (write("NaN"), "is not JSON"),
    (write('{"status": "optimal"}'), "schedule must be an array"),
    (write('{"status": "optimal", "schedule": {}}'), "schedule must be"),
    (write('{"schedule": []}'), "status must be"),
    (write('{"status": "great", "schedule": []}'), "status must be"),
    (write('{"status": "timeout", "schedule": []}'), "status must be"),
    (write('{"status": 1, "schedule": []}'), "status must be"),
    (write("[" * 100000), "is not JSON"),
    ("open('result.json', 'wb').write(b'{\"\\xff\": 1}')", "is not JSON"),
    ("import os; os.symlink('/etc/passwd', 'result.json')",
     "was not written"),
    ("import os; os.mkdir('result.json')", "was not written"),
    ("f = open('result.json', 'wb'); f.truncate(200 << 20)", "larger"),
    (write(SOLUTION) + "print('SOLUTION_FOUND')\nprint('SOLUTION_FOUND')",
     "more than once"),
    (write(SOLUTION) + "print('SOLUTION_FOUND' * 2)", "more than once"),
    # Far beyond the kept size, and in pieces.
    (write(SOLUTION) + "print('SOLUTION_FOUND')\nprint('x' * 3000000)\n"
     "print('SOLUTION_FOUND')", "more than once"),
    (write(SOLUTION) + "import time\nfor part in 2 * ['SOLU', 'SOLUTION_',"
     "'FOUND']:\n    print(part, end='', flush=True)\n    time.sleep(.05)",
     "more than once"),
])
def test_no_result(client: Client, code: str, words: str) -> None:
    # Blank code is another mistake.
    got = judged(client, code or "pass", "parse", "crashed")
    assert words in got["errorDigest"] and words in got["stderr"]


def test_a_marker_that_is_printed_once(client: Client) -> None:
    """A text that only begins like it and standard error do not count."""
    judged(client, write(SOLUTION) + "import sys\n"
           "print('SOLUTION_SOLUTION_FOUND' + 'x' * 3000000)\n"
           "print('SOLUTION_FOUN D SOLUTION_FOUND', file=sys.stderr)\n"
           "print('SOLUTION_FOUN')", "serialize", "optimal")


# -- time


@pytest.mark.parametrize("before, status", [
    ("", "timeout"), (write("{"), "timeout"),
    (write({"status": "feasible", "schedule": []}), "timeout"),
    (write(SOLUTION), "timeout_with_solution"),
])
@pytest.mark.parametrize("loop", [
    "while True: pass",
    "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n"
    "while True: pass"])
def test_timeout(client: Client, before: str, status: str,
                 loop: str) -> None:
    got = judged(client, before + loop, "run", status, timeoutMs=300)
    assert 250 <= got["durationMs"] < 10000
    assert "the time limit was reached (300 ms)" in got["errorDigest"]
    if status == "timeout_with_solution":
        assert got["resultData"] == SOLUTION


def test_a_longer_limit_is_cut_to_the_pools(client: Client) -> None:
    judged(client, write(SOLUTION), "serialize", "optimal",
           timeoutMs=10**30)


# -- the pages that are shown


def test_streams_are_cut(client: Client) -> None:
    got = judged(client, write(SOLUTION) + "import sys\n"
                 "for i in range(250): print('out', i)\n"
                 "for i in range(101): print('err', i, file=sys.stderr)",
                 "serialize", "optimal")
    out = got["stdout"].split("\n")
    assert out[:100] == [f"out {i}" for i in range(100)]
    assert out[100:] == ["...[truncated 150 lines]"]
    assert got["stderr"].endswith("err 99\n...[truncated 1 lines]")
    assert got["errorDigest"] == "\n".join(f"err {i}" for i in range(89, 101))


def test_a_hundred_lines_are_all_there(client: Client) -> None:
    got = judged(client, write(SOLUTION) +
                 "print('\\n'.join(map(str, range(100))))", "serialize",
                 "optimal")
    assert got["stdout"].split("\n") == [str(i) for i in range(100)] + [""]


def test_digest_of_long_lines_and_bad_bytes(client: Client) -> None:
    got = judged(client, "import sys\nsys.stderr.buffer.write("
                 "b'\\xff\\n\\n  \\n' + '\u00e9'.encode() * 2000)\n"
                 + write(SOLUTION), "serialize", "optimal")
    assert got["errorDigest"] == "\u00e9" * 800
    got = judged(client, "import sys\nsys.stderr.buffer.write(b'a\\xff\\n \\nb')"
                 "\n" + write(SOLUTION), "serialize", "optimal")
    assert got["errorDigest"] == "a\ufffd\nb"


# -- checks


@pytest.mark.parametrize("path", [SYNTAX, AST])
def test_check_of_good_code(client: Client, path: str) -> None:
    reply = ask(client, path, {"code": "import os\nprint(os.getcwd())\n"
                               "while True: pass", "more": 1})
    assert reply.status == 200
    assert reply.json() == {"ok": True, "result": {"ok": True}}
    assert reply.body.endswith(b"\n")


@pytest.mark.parametrize("path", [SYNTAX, AST])
@pytest.mark.parametrize("code", ["def f(:", "x = (", "'\0'", "(" * 10000])
def test_check_of_bad_code(client: Client, path: str, code: str) -> None:
    reply = ask(client, path, {"code": code}) if "\0" not in code else \
        ask(client, path, {"code": "x = (\n"})
    assert reply.status == 200
    got = reply.json()["result"]
    assert got["ok"] is False and "Error" in got["error"]
    assert "Code context" not in got["error"]


def test_compiling_finds_more_than_parsing(client: Client) -> None:
    assert ask(client, AST, {"code": "return"}).json()["result"]["ok"]
    assert not ask(client, SYNTAX, {"code": "return"}).json()["result"]["ok"]


@pytest.mark.parametrize("code, allow, culprit", [
    ("import os", ["os"], None), ("import os.path as p", ["os"], None),
    ("x = 1", [], None), ("import os", None, None),
    ("from json import loads\nimport re", ["re", "json"], None),
    ("def f():\n  import os", ["json"], "os"),
    ("import json, sys", ["json"], "sys"), ("import os", [], "os"),
    ("from . import x", ["x"], "a neighbouring module"),
    ("import \u00fcber", ["\u00fcber"], None),
    ("import \u00fcber", ["uber"], "\u00fcber"),
])
def test_allowed_imports(client: Client, code: str, allow: Any,
                         culprit: Any) -> None:
    got = ask(client, AST, {"code": code, "allow": allow}).json()["result"]
    assert got == ({"ok": True} if culprit is None else
                   {"ok": False, "error": f"import of {culprit} is not "
                    "allowed"})


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
    (EXECUTE, {"code": "1", "timeoutMs": "5"}, "timeoutMs must be"),
    (EXECUTE, {"code": "1", "timeoutMs": 0}, "timeoutMs must be"),
    (EXECUTE, {"code": "1", "timeoutMs": -1}, "timeoutMs must be"),
    (EXECUTE, {"code": "1", "timeoutMs": -10**30}, "timeoutMs must be"),
    (EXECUTE, {"code": "1", "timeoutMs": 1.5}, "timeoutMs must be"),
    (EXECUTE, {"code": "1", "solverWorkers": 1.5}, "solverWorkers must be"),
    (EXECUTE, {"code": "1", "solverWorkers": []}, "solverWorkers must be"),
    (AST, {"code": "1", "allow": "os"}, "allow must be an array"),
    (AST, {"code": "1", "allow": ["os", 1]}, "allow[1] must be a string"),
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
    judged(client, code, "serialize", "optimal")


def test_the_web_servers_own_errors_have_this_shape(client: Client,
                                                    stranger: Client) -> None:
    replies = [stranger.request("POST", EXECUTE, "{}", JSON),
               client.request("GET", SYNTAX),
               client.request("POST", "/api/ai/nothing", "{}", JSON)]
    assert [reply.status for reply in replies] == [401, 405, 404]
    for reply in replies:
        assert list(reply.json()) == ["ok", "error"], reply.body
