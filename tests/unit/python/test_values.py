"""The runner: printing, values and rich values."""

import base64
import re

import pytest

from jobs import BREAKAGE, good

# --- printing and values ------------------------------------------------------

def test_prints_and_values(run):
    got = good(run("import sys\nprint('hi \u00e9')\n"
                   "print('oops', file=sys.stderr)\n1+1"))
    assert (got.out, got.err, got.value) == ("hi \u00e9\n".encode(),
                                             b"oops\n", 2)
    assert got.displays == [] and got.kinds == [2]


@pytest.mark.parametrize("code, value", [
    ("1", 1), ("True", True), ("1.5", 1.5), ("'a'", "a"), ("b'a'", "b'a'"),
    ("[1, 'x', None]", [1, "x", None]), ("(1, (2,))", [1, [2]]),
    ("{3}", [3]), ("frozenset([3])", [3]), ("[]", []), ("{}", {}),
    ("float('nan')", None), ("[float('inf'), -1e400]", [None, None]),
    ("-0.0", -0.0), ("1e300", 1e300), ("2**200", 2**200),
    ("{1: 2, None: 3, (1, 2): 4, True or 1: 5}",
     {"1": 5, "None": 3, "(1, 2)": 4}),
    ("1j", "1j"), ("range(3)", "range(0, 3)"), ("len", "<built-in function "
                                                "len>"),
    ("'\\ud800x'", "\ufffdx"), ("'\\U0001f600'", "\U0001f600"),
    ("'\\x00\\n'", "\0\n"), ("'\\\\ud800'", "\\ud800"),
    ("from collections import *\ndeque([1])", [1]),
    ("from collections import *\nOrderedDict(a=1)", {"a": 1}),
    ("from collections import *\nnamedtuple('P', 'x')(1)", [1]),
    ("from enum import *\nIntEnum('E', 'A').A", 1),
    ("from decimal import *\nDecimal('1.10')", "1.10"),
    ("from enum import *\nEnum('E', 'A').A", "E.A"),
    ("b'a\\x00b'", "b'a\\x00b'"),
    ("from datetime import *\n[date(2024, 1, 2), datetime(2024, 1, 2, 3),"
     " time(1, 2), timedelta(1, 2), timezone.utc]",
     ["2024-01-02", "2024-01-02 03:00:00", "01:02:00", "1 day, 0:00:02",
      "UTC"]),
    ("import pathlib, uuid\n[pathlib.Path('/a/b'), uuid.UUID(int=1)]",
     ["/a/b", "00000000-0000-0000-0000-000000000001"]),
    ("from decimal import *\nclass D(Decimal):\n def __str__(s): 1/0\n"
     "D(1)", "Decimal('1')"),
    ("...", "Ellipsis"),
])
def test_value(run, code, value):
    got = good(run(code))
    assert got.value == value and type(got.value) is type(value)


@pytest.mark.parametrize("code", ["None", "x = 1", "1;", "(1) ;", "1; # c",
                                  "'a;b';", "1 \\\n;", "", "# c", "def f():"
                                  " pass", "print()", "1;\n\n# c\n", "if 1: 2",
                                  "'\u4e2d';", "1;\x0c", "1;\r\n"])
def test_no_value(run, code):
    assert good(run(code)).value_text is None


@pytest.mark.parametrize("code", ["'a;'", "1 # a;b", "1 # ;", "2; 1", "(\n1\n)",
                                  "(1 #;\n)", "1\n# ;", "'''\n;'''", "1\n#\n;"
                                  "1"[:4], "'\u4e2d' #;"])
def test_semicolon_elsewhere(run, code):
    assert good(run(code)).value_text is not None


def test_big_integers(run):
    got = good(run("10**99998"))
    assert re.fullmatch('"10{65490,} \\.\\.\\. 34,[0-9]{3} more characters"',
                        got.value_text)
    assert int(good(run("10**99998", value_bytes=1 << 20)).value) == 10**99998
    assert "bits" in good(run("[10**200000]", value_bytes=1 << 20)).value[0]
    for sign in ("", "-"):  # as text beyond the digits that json.loads() takes
        for power, text in ((4299, False), (4300, True), (90000, True)):
            value = good(run(f"[{sign}10**{power}]",
                             value_bytes=1 << 20)).value[0]
            assert isinstance(value, str) == text, power
            assert int(value) == int(sign + "1") * 10 ** power
    got = run("10**99998, {10**9999: 1}", value_bytes=1 << 20)
    assert int(good(got).value[0]) == 10**99998


def test_int_limit_stays_the_programs(run):
    assert run("str(10**5000)").error[0] == "ValueError"


@pytest.mark.parametrize("code", [
    "x = []; x.append(x)\nx", "x = {}; x['x'] = x\nx",
    "x = []\nfor i in range(100000): x = [x]\nx",
    "x = 1,\nfor i in range(300): x = {'a': x}\nx",
    "class L(list):\n def __iter__(s): 1/0\n def __len__(s): 1/0\nL([1])",
    "class D(dict):\n def items(s): 1/0\n def keys(s): return 5\nD(a=1)",
    "class S(str):\n def encode(s): 1/0\n def __len__(s): return 9**9\n"
    " def __str__(s): return 5\nS('x')",
    "class I(int):\n def __repr__(s): 1/0\n def bit_length(s): 1/0\nI(1)",
    "class F(float):\n def __repr__(s): return 'nan'\nF(1)",
    "class R:\n def __repr__(s): 1/0\nR()",
    "class R:\n def __repr__(s): return 5\n[R()]",
    "class R:\n def __repr__(s): raise SystemExit\n[R()]",
    "class R:\n def __str__(s): raise KeyboardInterrupt\n{R(): 1}",
    "class R:\n def __getattr__(s, n): return lambda *a, **k: '<b>'\nR()",
    "class R:\n __class__ = int\nR()",
    "class R:\n @property\n def __class__(s): 1/0\nR()",
    "class M(type):\n def mro(c): return [c, int, object]\n"
    "class R(int, metaclass=M): pass\nR(5)",
    "[[1]*10]*10", "{1: 2, '1': 3}",
    "type('x'*5000, (), {'__repr__': lambda s: 1/0})()",
])
def test_odd_values(run, code):
    got = good(run(code))
    assert got.value_text and not got.displays


def test_odd_values_read_well(run):
    assert run("x = [1]; x.append(x)\nx").value == [1, "[...]"]
    assert run("class L(list):\n def __iter__(s): 1/0\nL([1])").value == [1]
    assert run("class I(int):\n def __repr__(s): 1/0\nI(1)").value == 1
    bad = "class R:\n def __repr__(s): 1/0\n[R(), 1]"
    assert run(bad).value == ["<repr failed: ZeroDivisionError>", 1]
    assert run("{1: 2, '1': 3}").value == "{1: 2, '1': 3}"


@pytest.mark.parametrize("code", ["'x' * 10**6", "['a' * 900] * 200",
                                  "'\\x00' * 9000", "'\\U0001f600' * 9000",
                                  "list(range(10**5))", "{i: i for i in "
                                  "range(99999)}", "'\\\\' * 40000",
                                  "class R:\n def __repr__(s): return "
                                  "'r' * 10**7\nR()"])
def test_value_is_bounded(run, code):
    got = good(run(code, value_bytes=5000))
    assert len(got.value_text) <= 5000
    kept, _, left_out = got.value.rpartition("... ")
    assert re.fullmatch("[0-9,]+ more characters", left_out)
    assert len(got.value_text) > 3700


@pytest.mark.parametrize("code, end", [
    ("list(range(10**5))", r"\d+,"), ("'line\\n' * 9999", "line\n"),
    ("'word ' * 9999", "word"), ("'x' * 10**5", "x")])
def test_a_value_is_cut_behind_a_line_an_item_or_a_word(run, code, end):
    got = good(run(code, value_bytes=5000))
    kept, _, left_out = got.value.rpartition("... ")
    assert re.search(r"(^|\D)" + end.rstrip() + r"\s*$", kept) or end == "x"
    whole = eval(code)
    whole = whole if isinstance(whole, str) else repr(whole)
    assert whole.startswith(kept.rstrip(" ")) or end == "x"
    missing = int(left_out.split()[0].replace(",", ""))
    assert abs(len(whole) - missing - len(kept)) <= 1


# --- rich values --------------------------------------------------------------

RICH = """
class Rich:
    def _repr_html_(self): return '<b>\\ud800</b>'
    def _repr_png_(self): return b'\\x89PNG\\r\\n\\x1a\\nx'
    def _repr_json_(self): return {'a': [1, float('nan')]}
    def _repr_latex_(self): 1/0
    def _repr_svg_(self): return None
    def _repr_markdown_(self): return ('*m*', {'meta': 1})
    def __repr__(self): return 'rich'
"""
BUNDLE = {"text/plain": "rich", "text/html": "<b>\ufffd</b>",
          "image/png": base64.b64encode(b"\x89PNG\r\n\x1a\nx").decode(),
          "application/json": {"a": [1, None]}, "text/markdown": "*m*"}


def test_rich_value(run):
    got = good(run(RICH + "Rich()"))
    assert got.displays == [BUNDLE] and got.value == "rich"


def test_display(run):
    got = good(run(RICH + "display(Rich(), 'a', 1)\n"
                   "display({'text/x': 'y', 1: 2}, raw=True)\n1"))
    assert got.displays == [BUNDLE, {"text/plain": "'a'"},
                            {"text/plain": "1"}, {"text/x": "y"}]


def test_mimebundle(run):
    code = ("class B:\n def _repr_mimebundle_(s, include=None, exclude=None):"
            "\n  return {'text/html': 'h', 'x/y': [1]}, {}\n"
            " def _repr_html_(s): return 'other'\nB()")
    (bundle,) = good(run(code)).displays
    assert bundle.pop("text/plain").startswith("<__main__.B object")
    assert bundle == {"text/html": "h", "x/y": [1]}


def test_rich_class_is_not_its_instance(run):
    assert good(run(RICH + "Rich")).displays == []


def test_displays_are_bounded(run):
    got = good(run("for i in range(9): display(i)", displays=3))
    assert len(got.displays) == 3 and got.dropped == 6
    got = good(run("for i in range(9): display('x' * 400)",
                   displays_bytes=1000))
    assert len(got.displays) == 2 and got.dropped == 7
    got = good(run(RICH + "display(1)\nRich()", displays=1))
    assert len(got.displays) == 1 and got.dropped == 1
    assert got.kinds[-1] == 4


def test_value_that_shows_nothing_is_not_dropped(run):
    got = good(run("class R:\n def _repr_html_(s): return None\n"
                   "display(1)\nR()", displays=1))
    assert len(got.displays) == 1 and got.dropped == 0


def test_low_recursion_limit(run):
    got = good(run("import sys\nsys.setrecursionlimit(40)\n"
                   "[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]"))
    assert got.value_text == "[" * 20 + "1" + "]" * 20


def test_display_after_its_module_was_broken(run):
    got = good(run(BREAKAGE + "display(1)"))
    assert got.displays == [{"text/plain": "1"}]
