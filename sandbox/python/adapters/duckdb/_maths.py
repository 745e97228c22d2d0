"""Functions of numbers."""

from __future__ import annotations

import math
from typing import Any, Callable

from . import _nodes as n
from . import _types as types
from ._arithmetic import no_match, operate, power
from ._casts import half_away
from ._errors import OutOfRangeException, fail, lacks
from ._scope import E
from ._types import FLOATS, INTEGERS

_D, _I, _B = types.DOUBLE, types.BIGINT, types.BOOLEAN


def _positive(name: str, function: Callable[[float], float]) -> Any:
    def work(value: float) -> float:
        if value < 0:
            fail(OutOfRangeException,
                 "cannot take logarithm of a negative number")
        if value == 0:
            fail(OutOfRangeException, "cannot take logarithm of zero")
        return function(value)
    return work


def root(value: float) -> float:
    if value < 0:
        fail(OutOfRangeException,
             "cannot take square root of a negative number")
    return math.sqrt(value)


def _real(name: str, function: Callable[..., float]) -> Any:
    """Where C gives NaN or infinity, Python raises."""
    def work(*values: float) -> float:
        try:
            return function(*values)
        except OverflowError:
            return math.inf
        except ValueError:
            lacks(f"NaN, from {name}()", "use a CASE before it")
    return work


def cube_root(value: float) -> float:
    made = math.copysign(abs(value) ** (1 / 3), value)
    near = round(made)
    return float(near) if near ** 3 == value else made


def round_double(value: float, digits: int = 0) -> float:
    """As C's round() of the value times a power of ten."""
    if math.isinf(value):
        return value
    factor = 10.0 ** abs(digits)
    scaled = value * factor if digits >= 0 else value / factor
    if math.isinf(scaled):
        return value
    whole = math.floor(abs(scaled))
    whole += abs(scaled) - whole >= 0.5
    made = math.copysign(whole, scaled)
    return made / factor if digits >= 0 else made * factor


def _floor(value: float) -> float:
    return value if math.isinf(value) else float(math.floor(value))


def _ceil(value: float) -> float:
    if math.isinf(value):
        return value
    return math.copysign(math.ceil(value), value)


def _trunc(value: float) -> float:
    return value if math.isinf(value) else float(math.trunc(value))


def _even(value: float) -> float:
    whole = math.ceil(abs(value))
    return math.copysign(whole + whole % 2, value)


def _same(es: list[E]) -> Any:
    return es[0].type


def _factorial(value: int) -> int:
    if value > 20:
        lacks("factorial() above 20")
    return math.factorial(max(value, 0))


MATHS: dict[str, list[tuple]] = {
    "sqrt": [("D", _D, root)],
    "cbrt": [("D", _D, cube_root)],
    "pow power": [("D D", _D, power)],
    "exp": [("D", _D, _real("exp", math.exp))],
    "ln": [("D", _D, _positive("ln", math.log))],
    "log10": [("D", _D, _positive("log10", math.log10))],
    "log2": [("D", _D, _positive("log2", math.log2))],
    "log": [("D", _D, _positive("log", math.log10)),
            ("D D", _D, lambda base, value: math.log10(value)
             / math.log10(base))],
    "sin": [("D", _D, math.sin)], "cos": [("D", _D, math.cos)],
    "tan": [("D", _D, math.tan)],
    "asin": [("D", _D, _real("asin", math.asin))],
    "acos": [("D", _D, _real("acos", math.acos))],
    "atan": [("D", _D, math.atan)],
    "atan2": [("D D", _D, math.atan2)],
    "sinh": [("D", _D, _real("sinh", math.sinh))],
    "cosh": [("D", _D, _real("cosh", math.cosh))],
    "tanh": [("D", _D, math.tanh)],
    "cot": [("D", _D, lambda value: 1 / math.tan(value))],
    "degrees": [("D", _D, math.degrees)],
    "radians": [("D", _D, math.radians)],
    "pi": [("", _D, "3.141592653589793")],
    "e": [("", _D, "2.718281828459045")],
    "even": [("D", _D, _even)],
    "gcd greatest_common_divisor": [("I I", _I, math.gcd)],
    "lcm least_common_multiple": [("I I", _I, math.lcm)],
    "factorial": [("S", types.HUGEINT, _factorial)],
    "isinf": [("D", _B, lambda value: int(math.isinf(value)))],
    "isnan": [("D", _B, lambda value: 0)],
    "isfinite": [("D", _B, lambda value: int(math.isfinite(value)))],
    "xor": [("I I", _I, lambda a, b: a ^ b)],
}


# -- the same type as the argument


def _absolute(binder: Any, node: n.Func, es: list[E]) -> E:
    if len(es) != 1 or not types.is_number(es[0].type):
        no_match(node.name, es)
    return E(f"abs({es[0].sql})", es[0].type)


def _sign(binder: Any, node: n.Func, es: list[E]) -> E:
    if len(es) != 1 or not types.is_number(es[0].type):
        no_match(node.name, es)
    return E(f"sign({es[0].sql})", types.TINYINT)


def _whole(floats: Any, exact: Callable[[int, int], int]) -> Any:
    """floor(), ceil(), trunc(): of a DECIMAL with EXACT."""
    def function(binder: Any, node: n.Func, es: list[E]) -> E:
        if len(es) != 1:
            lacks(f"{node.name}() with {len(es)} arguments")
        e = es[0]
        if e.type.id in INTEGERS:
            return e
        if e.type.id in FLOATS or e.is_null:
            return E(binder.call(node.name, lambda: floats, [e.sql]), e.type)
        if e.type.id != "DECIMAL":
            no_match(node.name, es)
        size = 10 ** e.type.args[1]
        sql = binder.call((node.name, size), lambda: (
            lambda value: exact(value, size)), [e.sql])
        return E(sql, types.decimal(e.type.args[0], 0))
    return function


def _cut(value: int, size: int) -> int:
    return value // size if value >= 0 else -(-value // size)


def _round(binder: Any, node: n.Func, es: list[E]) -> E:
    if not 1 <= len(es) <= 2 or not (types.is_number(es[0].type)
                                     or es[0].is_null):
        no_match(node.name, es)
    e = es[0]
    if e.is_null:
        return E("NULL", types.DOUBLE)
    if e.type.id == "DECIMAL":
        return _round_decimal(binder, node, e)
    if e.type.id in INTEGERS:
        if len(es) == 1:
            return e
        return E(binder.call("round_whole", lambda: lambda value, digits: (
            value if digits >= 0 else half_away(value, 10 ** -digits)
            * 10 ** -digits), [e.sql, es[1].sql]), e.type)
    return E(binder.call("round", lambda: round_double,
                         [one.sql for one in es]), e.type)


def _round_decimal(binder: Any, node: n.Func, e: E) -> E:
    digits = 0 if len(node.args) == 1 else binder.constant(
        node.args[1], "the second argument of round() of a DECIMAL")
    width, scale = e.type.args
    if digits < 0:
        lacks("round() of a DECIMAL to tens")
    if digits >= scale:
        return e
    size = 10 ** (scale - digits)
    sql = binder.call(("round", size), lambda: (
        lambda value: half_away(value, size)), [e.sql])
    return E(sql, types.decimal(width, digits))


def _named(op: str) -> Any:
    return lambda binder, node, es: operate(binder, op, *es) \
        if len(es) == 2 else no_match(node.name, es)


MATH_SPECIAL: dict[str, Any] = {
    "abs": _absolute, "sign": _sign, "round": _round,
    "floor": _whole(_floor, lambda value, size: value // size),
    "ceil ceiling": _whole(_ceil, lambda value, size: -(-value // size)),
    "trunc": _whole(_trunc, _cut),
    "add": _named("+"), "subtract": _named("-"), "multiply": _named("*"),
    "divide": _named("//"), "mod": _named("%"), "fdiv": _named("/"),
}
