"""Operators of numbers, dates, intervals and texts."""

from __future__ import annotations

import math
from typing import Any, Callable

from . import _types as types
from ._dates import add_interval, interval_add, interval_scale
from ._errors import BinderException, OutOfRangeException, fail, lacks
from ._scope import E
from ._types import FLOATS, INTEGERS, STAMPS, T, bounds
from ._values import literal, span, stamp_of

_WORDS = {"+": "addition", "-": "subtraction", "*": "multiplication"}


def no_match(name: str, es: list[E]) -> Any:
    kinds = ", ".join("STRING_LITERAL" if e.is_text else
                      "INTEGER_LITERAL" if e.is_int else str(e.type)
                      for e in es)
    fail(BinderException, "No function matches the given name and argument "
         f"types '{name}({kinds})'. You might need to add explicit type "
         "casts.")


def checker(kind: T, word: str) -> Callable[[Any], Any]:
    """Refuses a whole number that KIND does not hold; the engine makes a
    float of one that needs more than 64 bits."""
    low, high = bounds(kind)
    most = (-2 ** 63, 2 ** 63 - 1)

    def check(value: Any) -> Any:
        if isinstance(value, int) and low <= value <= high:
            return value
        if isinstance(value, float) and low <= most[0] and high >= most[1] \
                and kind.id != "BIGINT":
            lacks(f"a number of more than 64 bits ({word})",
                  "cast to DOUBLE first")
        fail(OutOfRangeException, f"Overflow in {word} of "
             f"{types.shown(kind).upper()}!")
    return check


def checked(binder: Any, sql: str, kind: T, word: str) -> E:
    return E(binder.call(("check", kind, word),
                         lambda: checker(kind, word), [sql]), kind)


def negative(binder: Any, op: str, e: E) -> E:
    if op == "~":
        if e.type.id not in INTEGERS:
            no_match(op, [e])
        return E(f"(~{e.sql})", e.type)
    if e.type.id == "INTERVAL":
        return _scale(binder, e, E("-1", types.INTEGER))
    if not types.is_number(e.type):
        no_match(op, [e])
    return E(f"(-{e.sql})", e.type)


# -- numbers


def _numbers(binder: Any, op: str, a: E, b: E) -> E:
    kinds = {a.type.id, b.type.id}
    if kinds & FLOATS:
        kind = types.DOUBLE if "DOUBLE" in kinds or kinds == {
            "FLOAT", "DECIMAL"} else types.FLOAT
        return _float(binder, op, a, b, kind)
    if "DECIMAL" in kinds:
        return _decimal(binder, op, a, b)
    (a, b), kind = binder.same([a, b], "arithmetic")
    return checked(binder, f"({a.sql} {op} {b.sql})", kind, _WORDS[op])


def _float(binder: Any, op: str, a: E, b: E, kind: T) -> E:
    one, other = (binder.cast(e, types.DOUBLE).sql for e in (a, b))
    e = E(f"({one} {op} {other})", types.DOUBLE)
    return binder.cast(e, kind) if kind == types.FLOAT else e


def _decimal(binder: Any, op: str, a: E, b: E) -> E:
    one, other = types.as_decimal(a.type), types.as_decimal(b.type)
    (w1, s1), (w2, s2) = one.args, other.args
    if op == "*":
        kind = _product(w1 + w2, s1 + s2, max(w1, w2))
        sql = f"({a.sql} * {b.sql})"
    else:
        scale = max(s1, s2)
        width = max(w1 - s1, w2 - s2) + scale + 1
        if width > 18 and max(w1, w2) <= 18:
            width = 18
        kind = types.decimal(width, scale)
        sql = (f"({_scaled(a, s1, scale)} {op} {_scaled(b, s2, scale)})")
    return checked(binder, sql, kind, _WORDS[op])


def _product(width: int, scale: int, widest: int) -> T:
    if scale > 38:
        lacks("a DECIMAL with more than 38 digits after the point")
    if width > 18 and widest <= 18 and scale < 18:
        width = 18
    return types.decimal(width, scale)


def _scaled(e: E, scale: int, wanted: int) -> str:
    return e.sql if scale == wanted else f"({e.sql} * {10 ** (wanted - scale)})"


def quotient(a: float, b: float) -> float:
    if b:
        return a / b
    if not a:
        lacks("NaN (0 / 0)", "divide by nullif(x, 0)")
    return math.copysign(math.inf, math.copysign(1, a) * math.copysign(1, b))


def _divide(binder: Any, a: E, b: E) -> E:
    single = {a.type.id, b.type.id} <= {"FLOAT"}
    nonzero = b.const is not None and binder.value(b) != 0
    one, other = (binder.cast(e, types.DOUBLE).sql for e in (a, b))
    if nonzero:
        e = E(f"({one} / {other})", types.DOUBLE)
    else:
        e = E(binder.call("divide", lambda: quotient, [one, other]),
              types.DOUBLE)
    return binder.cast(e, types.FLOAT) if single else e


def _whole_divide(binder: Any, a: E, b: E) -> E:
    if a.type.id not in INTEGERS or b.type.id not in INTEGERS:
        lacks("// of numbers with fractions", "use floor(a / b)")
    (a, b), kind = binder.same([a, b], "arithmetic")
    return E(f"({a.sql} / {b.sql})", kind)


def _remainder(a: float, b: float) -> float:
    if not b:
        lacks("NaN (x % 0.0)", "use nullif()")
    return math.fmod(a, b)


def _modulo(binder: Any, a: E, b: E) -> E:
    (a, b), kind = binder.same([a, b], "arithmetic")
    if kind.id in FLOATS:
        return E(binder.call("fmod", lambda: _remainder, [a.sql, b.sql]),
                 kind)
    return E(f"({a.sql} % {b.sql})", kind)


def power(a: float, b: float) -> float:
    try:
        made = math.pow(a, b)
    except OverflowError:
        return math.inf
    except ValueError:
        if a == 0:
            return math.inf
        lacks("NaN (a root of a negative number)")
    return made


# -- dates


def _scale(binder: Any, a: E, b: E) -> E:
    if b.type.id not in INTEGERS:
        lacks("an INTERVAL times a fraction")
    return E(binder.call("interval_scale", lambda: interval_scale,
                         [a.sql, b.sql]), types.INTERVAL)


def _moments(binder: Any, op: str, a: E, b: E) -> E | None:
    sign = 1 if op == "+" else -1
    if types.STAMP_TZ in (a.type, b.type):
        lacks("arithmetic of TIMESTAMP WITH TIME ZONE",
              "cast it to TIMESTAMP first")
    ids = a.type.id, b.type.id
    if ids == ("INTERVAL", "INTERVAL"):
        return E(binder.call(("interval_add", sign), lambda: (
            lambda x, y: interval_add(x, y, sign)), [a.sql, b.sql]),
            types.INTERVAL)
    if ids[1] == "INTERVAL" and ids[0] in STAMPS | {"DATE"}:
        stamp = binder.cast(a, types.TIMESTAMP)
        return E(binder.call(("stamp_add", sign), lambda: (
            lambda x, y: add_interval(x, y, sign)), [stamp.sql, b.sql]),
            types.TIMESTAMP)
    if ids[0] == "DATE" and ids[1] in INTEGERS:
        return E(f"({a.sql} {op} {b.sql})", types.DATE)
    if op == "-" and ids == ("DATE", "DATE"):
        return E(f"({a.sql} - {b.sql})", types.BIGINT)
    if op == "-" and set(ids) <= STAMPS | {"DATE"}:
        one, other = (binder.cast(e, types.TIMESTAMP).sql for e in (a, b))
        return E(binder.call("stamp_minus", lambda: (
            lambda x, y: span(stamp_of(x) - stamp_of(y))), [one, other]),
            types.INTERVAL)
    return None


# -- all


def _text_as(binder: Any, op: str, a: E, b: E) -> tuple[E, E]:
    """A literal text takes the type of the other side."""
    if a.is_text and b.is_text:
        return a, b
    if b.is_text and a.type.id in STAMPS | {"DATE"}:
        kind = a.type if op == "-" else types.INTERVAL
        return a, binder.cast(b, kind)
    if b.is_text and types.is_number(a.type):
        return a, binder.cast(b, a.type)
    if a.is_text and types.is_number(b.type):
        return binder.cast(a, b.type), b
    if a.is_text and op == "-" and b.type.id in STAMPS | {"DATE"}:
        return binder.cast(a, b.type), b
    return a, b


def _plus(binder: Any, op: str, a: E, b: E) -> E:
    for one, other in ((a, b), (b, a)):
        if one.is_null:
            return E("NULL", types.INTEGER if other.is_null else other.type)
    made = _moments(binder, op, a, b)
    if made is None and op == "+":
        made = _moments(binder, op, b, a)
    if made is not None:
        return made
    if not (types.is_number(a.type) and types.is_number(b.type)):
        if {a.type.id, b.type.id} & {"TIME", "INTERVAL", "LIST"}:
            lacks(f"{a.type} {op} {b.type}")
        no_match(op, [a, b])
    return _numbers(binder, op, a, b)


def _times(binder: Any, op: str, a: E, b: E) -> E:
    if a.type.id == "INTERVAL":
        return _scale(binder, a, b)
    if b.type.id == "INTERVAL":
        return _scale(binder, b, a)
    return _plus(binder, op, a, b)


def _of_numbers(make: Any) -> Any:
    def operator(binder: Any, op: str, a: E, b: E) -> E:
        for e in (a, b):
            if not (types.is_number(e.type) or e.is_null):
                no_match(op, [a, b])
        if a.is_null or b.is_null:
            return E("NULL", types.DOUBLE)
        return make(binder, a, b)
    return operator


def _power(binder: Any, a: E, b: E) -> E:
    one, other = (binder.cast(e, types.DOUBLE).sql for e in (a, b))
    return E(binder.call("pow", lambda: power, [one, other]), types.DOUBLE)


def _join(binder: Any, op: str, a: E, b: E) -> E:
    if a.type.id == "LIST" or b.type.id == "LIST":
        from . import _nodes as n
        from ._functions import bind_bound
        return bind_bound(binder, n.Func("list_concat", ()), [a, b])
    one, other = (binder.cast(e, types.VARCHAR).sql for e in (a, b))
    return E(f"({one} || {other})", types.VARCHAR)


def _like(binder: Any, op: str, a: E, b: E) -> E:
    for e in (a, b):
        if e.type.id not in ("VARCHAR", "NULL"):
            no_match(op, [a, b])
    word = "NOT LIKE" if op.startswith("!") else "LIKE"
    one, other = a.sql, b.sql
    if op.endswith("*"):
        one, other = (binder.call("lower", lambda: str.lower, [text])
                      for text in (one, other))
    if op == "~~~":
        return E(f"({one} GLOB {other})", types.BOOLEAN)
    return E(f"({one} {word} {other})", types.BOOLEAN)


def _regex(binder: Any, op: str, a: E, b: E) -> E:
    from . import _nodes as n
    from ._functions import bind_bound
    made = bind_bound(binder, n.Func("regexp_full_match", ()), [a, b])
    return E(f"(NOT {made.sql})", made.type) if op == "!~" else made


def _starts(binder: Any, op: str, a: E, b: E) -> E:
    from . import _nodes as n
    from ._functions import bind_bound
    return bind_bound(binder, n.Func("starts_with", ()), [a, b])


def _bits(binder: Any, op: str, a: E, b: E) -> E:
    if a.type.id not in INTEGERS or b.type.id not in INTEGERS:
        no_match(op, [a, b])
    (a, b), kind = binder.same([a, b], "arithmetic")
    made = E(f"({a.sql} {op} {b.sql})", kind)
    return checked(binder, made.sql, kind, "left shift") if op == "<<" \
        else made


_OPERATORS: dict[str, Any] = {
    "+": _plus, "-": _plus, "*": _times,
    "/": _of_numbers(_divide), "//": _of_numbers(_whole_divide),
    "%": _of_numbers(_modulo), "^": _of_numbers(_power),
    "**": _of_numbers(_power), "||": _join, "~~": _like, "!~~": _like,
    "~~*": _like, "!~~*": _like, "~~~": _like, "~": _regex, "!~": _regex,
    "^@": _starts, "&": _bits, "|": _bits, "<<": _bits, ">>": _bits,
}


def operate(binder: Any, op: str, a: E, b: E) -> E:
    if op not in _OPERATORS:
        lacks(f"the operator {op}")
    if op in ("+", "-", "*", "/", "//", "%", "^", "**"):
        a, b = _text_as(binder, op, a, b)
    return _OPERATORS[op](binder, op, a, b)


__all__ = ["operate", "negative", "no_match", "checked", "power", "quotient",
           "literal"]
