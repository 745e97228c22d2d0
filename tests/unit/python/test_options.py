"""The runner: options of a job."""

import sys

import pytest

from interpreter import COMPILE, JSON, PARSE, REPR, STRICT
from jobs import good


@pytest.mark.parametrize("code, error", [
    ("print(1)\n1+1", None), ("await f()", None), ("", None),
    ("def f(:", "SyntaxError"), ("  x = 1\n y", "IndentationError"),
    ("return 1", "SyntaxError"), ("x = '\0'", "ValueError"),
])
def test_compile_only(run, code, error):
    got = run(code, task=COMPILE)
    assert (got.error[0] if got.error else None) in (error, "SyntaxError")
    assert (got.error is None) == (error is None)
    assert not got.started and got.out == b"" and got.value_text is None
    assert got.exit_code == (1 if error else 0)


@pytest.mark.parametrize("value", [JSON, REPR, STRICT])
def test_compile_only_has_no_value(run, value):
    assert good(run("1", task=COMPILE, value=value)).value_text is None


def check(run, code, allow=""):
    return run(code, task=PARSE, arguments=allow, call_main=False)


def test_compile_finds_what_parsing_does_not(run):
    assert check(run, "return 1").error is None
    assert run("return 1", task=COMPILE).error[0] == "SyntaxError"


@pytest.mark.parametrize("code, allow, findings", [
    ("", "", ""), ("x = len(days)", "", ""),
    ("import os, sys as s", '["sys"]', "import of os is not allowed (line 1)"),
    ("def f():\n  from a.b import c\n  import z.y", '["a", "z"]', ""),
    ("from . import x", '["x"]', "import of . is not allowed (line 1)"),
    ("print('no')", "", "call of print is not allowed (line 1)"),
    ("\n[a for b in days]", "", "name a is not allowed (line 2)"),
    ("slots.__mro__", "[]", "attribute __mro__ is not allowed (line 1)"),
])
def test_parse_checks_a_snippet(run, code, allow, findings):
    got = good(check(run, code, allow))
    assert got.value == findings and got.out == b"" and not got.started


def test_parse_tells_findings_in_the_order_of_the_source(run):
    code = "eval(b)\nimport a\n" + "c\n" * 30
    words = good(check(run, code)).value.split("; ")
    assert words[:3] == ["call of eval is not allowed (line 1)",
                         "name b is not allowed (line 1)",
                         "import of a is not allowed (line 2)"]
    assert len(words) == 21 and words[-1] == "and 13 more"


@pytest.mark.skipif(sys.version_info < (3, 12), reason="a newer syntax")
def test_parse_knows_parameters_of_types(run):
    assert good(check(run, "def f[T, *S](x: T): return S")).value == ""


def test_parse_only_refuses_what_is_no_python(run):
    got = check(run, "x = (")
    assert got.error[0] == "SyntaxError" and not got.started


@pytest.mark.parametrize("code, started", [
    ("1", True), ("1/0", True), ("def f(:", False),
    ("import sys; sys.exit(3)", True)])
def test_start_is_told(run, code, started):
    assert run(code).started == started


def test_start_is_not_told_of_bad_arguments(run):
    got = run("def main(): pass", arguments="[]")
    assert got.error[0] == "TypeError" and not got.started


@pytest.mark.parametrize("code, exit_code", [
    ("1", 0), ("import sys; sys.exit()", 0), ("import sys; sys.exit(0)", 0),
    ("import sys; sys.exit(3)", 3), ("import sys; sys.exit(-1)", 255),
    ("import sys; sys.exit(256)", 1), ("import sys; sys.exit('x')", 1),
    ("import sys; sys.exit(2.5)", 1), ("1/0", 1), ("def f(:", 1),
    ("raise SystemExit(10**30)", 1),
    ("class I(int):\n def __and__(s, o): 1/0\nraise SystemExit(I(7))", 7),
])
def test_exit_code(run, code, exit_code):
    assert run(code).exit_code == exit_code


@pytest.mark.parametrize("code, text", [
    ("1", "1"), ("'a'", "'a'"), ("[1, (2,)]", "[1, (2,)]"),
    ("float('nan')", "nan"), ("...", "Ellipsis"),
    ("class R:\n def __repr__(s): 1/0\nR()", "<repr failed: "
     "ZeroDivisionError>"),
])
def test_repr_value(run, code, text):
    assert good(run(code, value=REPR)).value == text


def test_repr_of_none_is_no_value(run):
    assert good(run("None", value=REPR)).value_text is None


def test_repr_value_is_cut(run):
    got = good(run("'x' * 10**6", value=REPR, value_bytes=100))
    assert len(got.value_text) <= 100
    assert got.value.endswith("x ... 999,944 more characters")


@pytest.mark.parametrize("value", [
    "None", "1", "True", "1.5", "'\u00e9'", "[1, [2, None]]", "[]", "{}",
    "{'a': {'b': [1]}}", "(1, 2)", "2**200", "'\\ud800'",
])
def test_strict_value(run, value):
    want = {"(1, 2)": [1, 2], "'\\ud800'": "\ufffd"}
    got = good(run(f"def main(): return {value}", arguments={}, value=STRICT))
    assert got.value == (want[value] if value in want else eval(value))
    assert got.value_text is not None


@pytest.mark.parametrize("value, words", [
    ("{1}", "set is not JSON"), ("b''", "bytes is not JSON"),
    ("object()", "object is not JSON"), ("float('nan')", "nan is not JSON"),
    ("[1, float('inf')]", "inf is not JSON (at [1])"),
    ("{(1,): 2}", "a key that is tuple is not JSON"),
    ("{'a': [0, {'b': 1j}]}", "complex is not JSON (at ['a'][1]['b'])"),
    ("x", "a value that holds itself is not JSON (at [0])"),
    ("deep", "more than 64 values inside one another"),
    ("'x' * 10**6", "it takes more than 65536 bytes as JSON"),
    ("10**200000", "an int of that size"), ("10**4300", "an int of that size"),
])
def test_strict_value_that_is_none(run, value, words):
    got = run("x = []; x.append(x)\ndeep = []\n"
              "for i in range(100): deep = [deep]\n"
              f"def main(): return {value}", arguments={}, value=STRICT)
    assert got.error[0] == "TypeError" and got.value_text is None
    assert got.error[1].startswith("TypeError: the value must be JSON: ")
    assert words in got.error[1]
    assert got.exit_code == 1


def test_merged_output_keeps_its_order(run):
    got = good(run("import sys, os\n"
                   "print('a', end=''); print('b', file=sys.stderr)\n"
                   "sys.stderr.write('c'); print('d')\n"
                   "sys.stdout.flush(); os.write(2, b'e\\n')\n"
                   "import threading\n"
                   "t = threading.Thread(target=lambda: 1/0)\n"
                   "t.start(); t.join(); print('z', end='')",
                   merge_output=True))
    assert got.err == b"" and got.out.startswith(b"ab\ncd\ne\nException")
    assert got.out.endswith(b"division by zero\nz")


def test_merged_output_of_closed_streams(run):
    got = good(run("import sys\nsys.stdout.close()\n"
                   "try: print('x', file=sys.stderr)\n"
                   "except ValueError: pass", merge_output=True))
    assert got.err == b""


def test_what_a_program_raises_itself_is_no_refused_call(run):
    assert run("raise PermissionError(1, 'x')").refused is None
