"""Tests of sandbox/python/syntax: each text keeps its lines, and has the value
that newer Pythons give it."""

import ast
import builtins
import pathlib
import sys
import sysconfig
import types

import pytest

SYNTAX = pathlib.Path(__file__).parents[3] / "sandbox" / "python" / "syntax"
NAMES = {"k": "v\"'", "d": {"k": "v\"'"}, "w": 6, "x": 7}

pytestmark = pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="this Python has the newer syntax")


@pytest.fixture(scope="module")
def syntax():
    """newer_syntax and newer_statements, without the rest of the package."""
    package = types.ModuleType("_syntax")
    package.__path__ = []
    own = types.ModuleType("_syntax.own")
    own.BUILTINS = dict(vars(builtins))
    sys.modules.update({"_syntax": package, "_syntax.own": own})
    for name in ("newer_strings", "newer_statements", "newer_syntax"):
        module = types.ModuleType(f"_syntax.{name}")
        module.__package__ = "_syntax"
        sys.modules[module.__name__] = module
        exec(compile((SYNTAX / f"{name}.py").read_text(), name, "exec"),
             vars(module))
        setattr(package, name, module)
    return package


# Each refused by Python 3.11, with the value that 3.12 gives it.
STRINGS = [
    ("""f'{d['k']}'""", "v\"'"),
    (r'''f"{'\n'.join(["a", "b\t"])}"''', "a\nb\t"),
    (r'''f"{"\N{BULLET}\x41\101\u0041\q"}"''', "\u2022AAA\\q"),
    (r'''f"{r"\n"}"''', "\\n"),
    ('''f"{f"{f"{f"{x}"}"}"}"''', "7"),
    (r'''f"{f"{x}\n{{"}"''', "7\n{"),
    (r'''f"it's \"{d["k"]}\" {{x}}"''', "it's \"v\"'\" {x}"),
    (r'''rf"\d{d["k"]}'"''', "\\dv\"''"),
    ('''f"{d["k"]!r:>{w + 3}}"''', "   'v\"\\''"),
    ('''f"{x:{"*"}>{w}}"''', "*****7"),
    ('''f"{x != 3}{"}{"}{ {"a": 1}["a"] }"''', "True}{1"),
    ('''f"{\n x # it's\n}"''', "7"),
    ('''f"""{d["k"]}\n"{"""k"""}"{\n x}"""''', "v\"'\n\"k\"7"),
    (r'''f"{'\''}{"""a\n""" "b"}"''', "'a\nb"),
    ('''f"{"""a\nb"""}"''', "a\nb"),
    ("""'{' f'{d['k']}' "it's" # f'{'""", "{v\"'it's"),
    ("""F'{"a" if x else d['k']}'""", "a"),
]


@pytest.mark.parametrize("text, value", STRINGS)
def test_a_string(syntax, text, value):
    with pytest.raises(SyntaxError):
        ast.parse(f"({text}\n)")
    new = syntax.newer_strings.older_strings(text)
    assert new.count("\n") == text.count("\n")
    assert eval(f"({new}\n)", dict(NAMES)) == value


@pytest.mark.parametrize("text", [
    """f'{x'""", """f'{x]}'""", """f'a}b'""", """f'{x!'""", """f'{x:'""",
    """f'{'""", """f'\\""", """f'\\N{""", """f'{"abc'""", "f'''{", "f'{#",
    "'", "'''", "f'" + "{f'" * 100, "f'{" * 3000,
    """f'{b"\\n"}'"""])
def test_what_is_no_string_stays(syntax, text):
    assert syntax.newer_strings.older_strings(text) == text


def test_strings_of_older_pythons_stay(syntax):
    """Those of the standard library that have fields."""
    folder = pathlib.Path(sysconfig.get_path("stdlib"))
    seen = 0
    for path in sorted(folder.glob("*.py")):
        text = path.read_text("utf-8")
        if "f'" in text or 'f"' in text:
            assert syntax.newer_strings.older_strings(text) == text, path
            seen += 1
    assert seen > 20


# Each a program that sets `out`.
STATEMENTS = [
    ("T = 5\ndef f[T](x: T) -> list[T]: return [x]\nout = f(1), T", ([1], 5)),
    ("def f[T: (int, str), *Ts, **P](x: T, *rest: *Ts) -> T: return x\n"
     "out = f('a', 1)", "a"),
    ("async def f[T](x: T) -> T:\n  return x\nout = f.__name__", "f"),
    ("class A[\n  T,\n]:\n  def m[U = int](self, x: U) -> T: return x\n"
     "out = A[int]().m(3)", 3),
    ("class A[T](list[T]): pass\nclass B[T](A[T]): pass\n"
     "out = B[int]([1]), B.__parameters__[0].__name__", ([1], "T")),
    ("from typing import Protocol\nclass P[T](Protocol):\n"
     "  def m(self) -> T: ...\nout = P.__name__", "P"),
    ("def outer():\n  if True:\n    class A[T]:\n      def m(self, x: T):\n"
     "        y: T = x\n        return y\n  return A().m(4)\nout = outer()",
     4),
    ("type J = dict[str, J] | int\ntype P[A, B] = tuple[A, B]\n"
     "def f(x: J) -> P[int, str]: return x\nout = f(1)", 1),
    ("try:\n  {}['a']\nexcept ValueError, KeyError:\n  out = 1", 1),
    ("t = '''\ntype X = 1\ndef f[T](x): pass\n'''\n"
     "def g[K](a: K): return a\nout = len(t)\n", 30),
]


@pytest.mark.parametrize("text, value", STATEMENTS)
def test_a_statement(syntax, text, value):
    with pytest.raises(SyntaxError):
        ast.parse(text)
    plain, parameters = syntax.newer_syntax.older(text)
    assert plain.count("\n") == text.count("\n")
    tree = ast.parse(plain)
    syntax.newer_statements.complete(tree, parameters)
    names = {"__name__": "program"}
    exec(compile(tree, "program", "exec", 0, True), names)
    assert names["out"] == value


@pytest.mark.parametrize("text", [
    "except ValueError, e:", "def f[T(x): pass", "def f[1](x): pass",
    "type X[T] == 3", "type x y = 3", "class A[", "def f["])
def test_what_is_no_statement_stays(syntax, text):
    assert syntax.newer_syntax.older(text) == (text, {})
