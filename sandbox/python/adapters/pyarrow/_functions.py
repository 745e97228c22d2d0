"""Arithmetic, comparisons, logic, parts of times, choices."""

from __future__ import annotations

import operator
from typing import Any, Callable

import numpy as np

from . import _types as t
from ._array import Array, concat, make, objects, take as _take
from ._build import array, of_rows
from ._errors import ArrowInvalid, lacks
from ._pairs import (aligned, common, elementwise, is_one, plain, shaped,
                     together, values_result)
from ._statistics import refuse

_PLAIN = t.INTEGERS | t.FLOATS


def _binary(name: str, work: Callable[..., Array]) -> Callable[..., Any]:
    def function(x: Any, y: Any, /, *, memory_pool: Any = None) -> Any:
        from ._expressions import Expression
        if isinstance(x, Expression) or isinstance(y, Expression):
            return Expression.of(function, x, y)
        return shaped(work(name, *aligned(x, y)), x, y)
    function.__name__ = function.__qualname__ = name
    return function


# -- comparisons

_COMPARE = {"equal": operator.eq, "not_equal": operator.ne,
            "less": operator.lt, "less_equal": operator.le,
            "greater": operator.gt, "greater_equal": operator.ge}


def _compare(name: str, a: Array, b: Array) -> Array:
    kind = common(a.type, b.type)
    if kind is None or kind._kind in ("list", "struct", "map"):
        raise refuse(name, a.type, b.type)
    a, b = a.cast(kind), b.cast(kind)
    valid = together(a, b)
    if a._values.dtype != object:
        return make(t.bool_(), _COMPARE[name](a._values, b._values), valid)
    way = _COMPARE[name]
    found = np.array([x is not None and y is not None and way(x, y)
                      for x, y in zip(a._values, b._values)], bool)
    return make(t.bool_(), found, valid)


# -- arithmetic

def _divide(a: Any, b: Any) -> Any:
    if a.dtype.kind not in "iu":
        return a / b
    if (b == 0).any():
        raise ArrowInvalid("divide by zero")
    found = np.abs(a) // np.abs(b) if a.dtype.kind == "i" else a // b
    return np.where((a < 0) != (b < 0), -found, found).astype(a.dtype) \
        if a.dtype.kind == "i" else found


def _power(a: Any, b: Any) -> Any:
    if a.dtype.kind == "i" and (b < 0).any():
        raise ArrowInvalid("integers to negative integer powers are not "
                           "allowed")
    return np.power(a, b)


_MATH = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply,
         "divide": _divide, "power": _power, "atan2": np.arctan2}
_FLOATING = ("atan2",)


def _arithmetic(name: str, a: Array, b: Array) -> Array:
    checked = name.endswith("_checked")
    plain_name = name.removesuffix("_checked")
    kind = common(a.type, b.type)
    if {a.type._kind, b.type._kind} & {"timestamp", "duration", "date32"}:
        return _timed(plain_name, a, b)
    if kind is not None and kind._kind == "decimal":
        return _decimals(plain_name, a, b)
    if kind is None or kind._kind not in _PLAIN:
        raise refuse(name, a.type, b.type)
    if plain_name in _FLOATING and kind._kind in t.INTEGERS:
        kind = t.float64()
    valid = together(a, b)
    x, y = a.cast(kind)._values, b.cast(kind)._values
    if valid is not None:
        y = np.where(valid, y, np.ones(1, y.dtype))
    with np.errstate(all="ignore"):
        found = _MATH[plain_name](x, y)
    if checked and kind._kind in t.INTEGERS:
        exact = _MATH[plain_name](x.astype(object), y.astype(object)) \
            if plain_name != "divide" else found
        if (np.asarray(exact != found, bool) &
                (True if valid is None else valid)).any():
            raise ArrowInvalid("overflow")
    if checked and plain_name == "divide" and kind._kind in t.FLOATS and \
            (y == 0).any():
        raise ArrowInvalid("divide by zero")
    return make(kind, found.astype(kind._np), valid)


def _timed(name: str, a: Array, b: Array) -> Array:
    """Differences of times, and times moved by durations."""
    kinds = a.type._kind, b.type._kind
    if kinds == ("date32", "date32") and name == "subtract":
        found = (a._values.astype("i8") - b._values) * 86_400
        return make(t.duration("s"), found, together(a, b))
    moments = [one for one in (a, b) if one.type._kind == "timestamp"]
    spans = [one for one in (a, b) if one.type._kind == "duration"]
    whole = [one for one in (a, b) if one.type._kind in t.INTEGERS]
    if spans and whole and name in ("multiply", "divide"):
        values = _MATH[name](a._values, b._values)
        return make(spans[0].type, values.astype("i8"), together(a, b))
    if len(moments) + len(spans) != 2 or name not in ("add", "subtract"):
        raise refuse(name, a.type, b.type)
    if name == "add" and len(moments) == 2 or name == "subtract" and \
            kinds == ("duration", "timestamp"):
        raise refuse(name, a.type, b.type)
    unit = max((a.type.unit, b.type.unit), key=t._UNITS.__getitem__)
    x, y = (one._values * (t._UNITS[unit] // t._UNITS[one.type.unit])
            for one in (a, b))
    kind = t.timestamp(unit, moments[0].type.tz) if len(moments) == 1 \
        else t.duration(unit)
    return make(kind, _MATH[name](x, y), together(a, b))


def _decimals(name: str, a: Array, b: Array) -> Array:
    if name not in ("add", "subtract", "multiply") or not (
            a.type._kind == b.type._kind == "decimal"):
        if name not in ("add", "subtract", "multiply"):
            raise lacks(f"{name}() of decimals")
        a, b = (one if one.type._kind == "decimal" else
                one.cast(t.decimal128(19, 0)) for one in (a, b))
    p, q, r, s = (a.type.precision, b.type.precision, a.type.scale,
                  b.type.scale)
    kind = t.decimal128(p + q + 1, r + s) if name == "multiply" else \
        t.decimal128(max(p - r, q - s) + max(r, s) + 1, max(r, s))
    way = getattr(operator, {"subtract": "sub", "multiply": "mul"}.get(
        name, name))
    rows = [None if x is None or y is None else way(x, y)
            for x, y in zip(a._values, b._values)]
    return of_rows(objects(rows), kind, False)


# -- logic

def _logic(name: str, a: Array, b: Array) -> Array:
    for one in (a, b):
        if one.type._kind not in ("bool", "null"):
            raise refuse(name, a.type, b.type)
    a, b = a.cast(t.bool_()), b.cast(t.bool_())
    way = {"and": np.logical_and, "or": np.logical_or,
           "xor": np.logical_xor}[name.split("_")[0]]
    if name == "and_not":
        found = a._values & ~b._values
    else:
        found = way(a._values, b._values)
    if not name.endswith("kleene"):
        return make(t.bool_(), found, together(a, b))
    decisive = name.startswith("or")
    known = (a._mask & (a._values == decisive)) | \
        (b._mask & (b._values == decisive))
    return make(t.bool_(), np.where(known, decisive, found),
                known | (a._mask & b._mask))


_PAIRS: dict[str, Any] = {
    **dict.fromkeys(_COMPARE, _compare),
    **dict.fromkeys([*_MATH, "add_checked", "subtract_checked",
                     "multiply_checked", "divide_checked"], _arithmetic),
    **dict.fromkeys(["and_", "or_", "xor", "and_kleene", "or_kleene",
                     "and_not"], _logic)}
for _name, _work in _PAIRS.items():
    globals()[_name] = _binary(_name.rstrip("_"), _work)
    globals()[_name].__name__ = _name


# -- of one number

def _floating(one: Array, name: str) -> Any:
    if one.type._kind not in _PLAIN:
        raise refuse(name, one.type)
    return one._values if one.type._kind in t.FLOATS else \
        one._values.astype(float)


def _unary(name: str, work: Any, floats: bool) -> Callable[..., Any]:
    def function(one: Array) -> Array:
        if one.type._kind not in _PLAIN:
            raise refuse(name, one.type)
        values = _floating(one, name) if floats else one._values
        with np.errstate(all="ignore"):
            found = work(values)
        return make(t.from_numpy_dtype(found.dtype), found, one._valid)
    function.__name__ = name
    return elementwise(function)


def _sign(values: Any) -> Any:
    return np.sign(values).astype("i1") if values.dtype.kind in "iu" else \
        np.sign(values)


_UNARY = {"abs": (np.abs, False), "negate": (np.negative, False),
          "sign": (_sign, False), "sqrt": (np.sqrt, True),
          "exp": (np.exp, True), "ln": (np.log, True),
          "log10": (np.log10, True), "log2": (np.log2, True),
          "log1p": (np.log1p, True), "sin": (np.sin, True),
          "cos": (np.cos, True), "tan": (np.tan, True),
          "asin": (np.arcsin, True), "acos": (np.arccos, True),
          "atan": (np.arctan, True), "floor": (np.floor, True),
          "ceil": (np.ceil, True), "trunc": (np.trunc, True)}
for _name, (_work, _floats) in _UNARY.items():
    globals()[_name] = _unary(_name, _work, _floats)

_ROUNDINGS = {"half_to_even": np.rint, "up": lambda x: np.where(
    x < 0, np.floor(x), np.ceil(x)), "down": np.floor,
    "towards_zero": np.trunc, "towards_infinity": lambda x: np.where(
        x < 0, np.floor(x), np.ceil(x)),
    "half_towards_infinity": lambda x: np.sign(x) * np.floor(
        np.abs(x) + 0.5),
    "half_up": lambda x: np.floor(x + 0.5),
    "half_down": lambda x: np.ceil(x - 0.5)}
_ROUNDINGS["up"] = np.ceil


@elementwise
def round(one: Array, ndigits: int = 0,
          round_mode: str = "half_to_even") -> Array:
    """Numbers of so many digits."""
    if round_mode not in _ROUNDINGS:
        raise lacks(f"round() with round_mode={round_mode!r}")
    if one.type._kind == "decimal":
        raise lacks("round() of decimals")
    if one.type._kind in t.INTEGERS and ndigits >= 0:
        return one
    values = _floating(one, "round")
    if ndigits == 0:
        found = _ROUNDINGS[round_mode](values)
    elif round_mode == "half_to_even":
        found = np.round(values, ndigits)
    else:
        step = 10.0 ** ndigits
        found = _ROUNDINGS[round_mode](values * step) / step
    kind = one.type
    return make(kind, found.astype(kind._np), one._valid)


@elementwise
def invert(one: Array) -> Array:
    if one.type._kind != "bool":
        raise refuse("invert", one.type)
    return make(one.type, ~one._values, one._valid)


@elementwise
def is_null(one: Array, *, nan_is_null: bool = False) -> Array:
    return one.is_null(nan_is_null=nan_is_null)


@elementwise
def is_valid(one: Array) -> Array:
    return one.is_valid()


def _about_floats(name: str, work: Any) -> Any:
    def function(one: Array) -> Array:
        return make(t.bool_(), work(_floating(one, name)), one._valid)
    function.__name__ = name
    return elementwise(function)


is_nan = _about_floats("is_nan", np.isnan)
is_finite = _about_floats("is_finite", np.isfinite)
is_inf = _about_floats("is_inf", np.isinf)


def _running(name: str, work: Any) -> Any:
    def function(one: Array, start: Any = None, *,
                 skip_nulls: bool = False) -> Array:
        if one.type._kind not in _PLAIN:
            raise refuse(name, one.type)
        mask, values = one._mask, one._values.copy()
        if not skip_nulls and not mask.all():
            mask = np.logical_and.accumulate(mask)
        found = np.zeros(len(values), values.dtype)
        found[mask] = work.accumulate(values[mask])
        if start is not None:
            start = start.as_py() if hasattr(start, "as_py") else start
            found[mask] = work(found[mask], np.array(start, values.dtype))
        return make(one.type, found, mask)
    function.__name__ = name
    return elementwise(function)


cumulative_sum = _running("cumulative_sum", np.add)
cumulative_prod = _running("cumulative_prod", np.multiply)
cumulative_max = _running("cumulative_max", np.maximum)
cumulative_min = _running("cumulative_min", np.minimum)


@elementwise
def pairwise_diff(one: Array, period: int = 1) -> Array:
    places = np.arange(len(one)) - period
    places[(places < 0) | (places >= len(one))] = -1
    return _arithmetic("subtract", one, _take(one, places))


# -- choices

def cast(arr: Any, target_type: Any = None, safe: Any = None,
         options: Any = None, memory_pool: Any = None) -> Any:
    from ._expressions import Expression
    kind = t.ensure_type(target_type)
    if isinstance(arr, Expression):
        return arr.cast(kind, safe)
    found = array([arr]) if is_one(arr) else array(arr)
    found = found.cast(kind, safe)
    return found[0] if is_one(arr) else found


def fill_null(values: Any, fill_value: Any) -> Any:
    """Another value in place of nulls."""
    one = array(values).combine_chunks()
    if one.type._kind == "dictionary":
        one = one.dictionary_decode()
    if is_one(fill_value):
        fill = array([fill_value.as_py() if hasattr(fill_value, "as_py")
                      else fill_value], one.type if one.type._kind != "null"
                     else None)
        fill = _take(fill, np.zeros(len(one), np.int64))
    else:
        fill = array(fill_value).combine_chunks().cast(one.type)
    return shaped(_chosen(one._mask, one, fill), values)


def _chosen(first: Any, a: Array, b: Array) -> Array:
    kind = common(a.type, b.type)
    if kind is None:
        raise refuse("if_else", a.type, b.type)
    a, b = a.cast(kind), b.cast(kind)
    places = np.where(first, np.arange(len(a)), np.arange(len(a)) + len(a))
    return _take(concat(kind, [a, b]), places)


def if_else(cond: Any, left: Any, right: Any, /, *,
            memory_pool: Any = None) -> Any:
    from ._expressions import Expression
    if any(isinstance(one, Expression) for one in (cond, left, right)):
        return Expression.of(if_else, cond, left, right)
    test, a, b = aligned(cond, left, right)
    if test.type._kind not in ("bool", "null"):
        raise refuse("if_else", test.type, a.type, b.type)
    found = _chosen(test._values.astype(bool), a, b)
    if test._valid is not None:
        found = _take(found, np.where(test._valid, np.arange(len(found)), -1))
    return shaped(found, cond, left, right)


def case_when(cond: Any, /, *cases: Any, memory_pool: Any = None) -> Any:
    """The case of the first field of COND that is true; one more case than
    fields is for the others."""
    tests = cond.combine_chunks().flatten() if hasattr(
        cond, "combine_chunks") else [array(one) for one in cond]
    rest: Any = cases[len(tests)] if len(cases) > len(tests) else None
    for test, case in reversed(list(zip(tests, cases))):
        rest = if_else(fill_null(test, False), case, rest)
    return rest


def coalesce(*arrays: Any, memory_pool: Any = None) -> Any:
    found = aligned(*arrays)
    made = found[0]
    for one in found[1:]:
        made = _chosen(made._mask, made, one)
    return shaped(made, *arrays)


def make_struct(*args: Any, field_names: Any = (), options: Any = None) -> Any:
    from ._array import StructArray
    names = field_names or [str(i) for i in range(len(args))]
    return shaped(StructArray.from_arrays(aligned(*args), names), *args)


def struct_field(values: Any, indices: Any) -> Any:
    one = plain(values)
    for i in indices if isinstance(indices, (list, tuple)) else [indices]:
        one = one.field(i)
    return shaped(one, values)


def filter(data: Any, mask: Any, null_selection_behavior: str = "drop",
           options: Any = None) -> Any:
    return data.filter(mask, null_selection_behavior)


def array_filter(data: Any, mask: Any) -> Any:
    return data.filter(mask)


def take(data: Any, indices: Any, *, boundscheck: bool = True,
         memory_pool: Any = None) -> Any:
    return data.take(indices)


def drop_null(data: Any, *, memory_pool: Any = None) -> Any:
    return data.drop_null()


def indices_nonzero(values: Any) -> Array:
    one = plain(values)
    return make(t.uint64(), np.flatnonzero(
        one._values.astype(bool) & one._mask).astype("u8"))


def _extreme(better: Any) -> Any:
    def element_wise(*args: Any, skip_nulls: bool = True) -> Any:
        made, *rest = aligned(*args)
        for one in rest:
            kind = common(made.type, one.type)
            made, one = made.cast(kind), one.cast(kind)
            first = np.array([y is None or x is not None and better(x, y)
                              for x, y in zip(made.to_pylist(),
                                              one.to_pylist())], bool)
            valid = None if skip_nulls else together(made, one)
            made = _chosen(first, made, one)
            if valid is not None:
                made = values_result(kind, made._values, valid)
        return shaped(made, *args)
    return element_wise


max_element_wise = _extreme(operator.ge)
min_element_wise = _extreme(operator.le)


# -- lists

@elementwise
def list_value_length(one: Array) -> Array:
    if one.type._kind != "list":
        raise refuse("list_value_length", one.type)
    return make(t.int32(), np.array([0 if row is None else len(row) for row
                                     in one._values], "i4"), one._valid)


def list_flatten(lists: Any, recursive: bool = False) -> Any:
    one = plain(lists).flatten()
    while recursive and one.type._kind == "list":
        one = one.flatten()
    return shaped(one, lists)


def list_parent_indices(lists: Any) -> Any:
    one = plain(lists)
    return array([i for i, row in enumerate(one._values) for _ in row or ()],
                 t.int64())


@elementwise
def list_element(one: Array, index: int) -> Array:
    if any(row is not None and not 0 <= index < len(row)
           for row in one._values):
        raise ArrowInvalid(f"Index {index} is out of bounds")
    return array([None if row is None else row[index] for row in one._values],
                 one.type.value_type)


# -- times: parts, texts, units

from ._times import *  # noqa: E402,F401,F403
from ._times import __all__ as _times  # noqa: E402

__all__ = [*_PAIRS, *_UNARY, "round", "invert", "is_null", "is_valid",
           "is_nan", "is_finite", "is_inf", "cumulative_sum",
           "cumulative_prod", "cumulative_max", "cumulative_min",
           "pairwise_diff", "cast", "fill_null", "if_else", "case_when",
           "coalesce", "make_struct", "struct_field", "filter",
           "array_filter", "take", "drop_null", "indices_nonzero",
           "max_element_wise", "min_element_wise", "list_value_length",
           "list_flatten", "list_parent_indices", "list_element", *_times]
