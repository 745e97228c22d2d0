"""_math - arithmetic, comparison and logic of two columns."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from . import _store as store
from . import _types as t
from .exceptions import ComputeError, InvalidOperationError, ShapeError

WORDS = {"add": "add", "sub": "sub", "mul": "mul", "truediv": "div",
         "floordiv": "floor_div", "mod": "rem", "pow": "pow"}
COMPARE = {"eq": operator.eq, "ne": operator.ne, "lt": operator.lt,
           "le": operator.le, "gt": operator.gt, "ge": operator.ge}
_TIMES = (t.Date, t.Datetime)


def _fits(value: Any, kind: Any) -> bool:
    limits = np.iinfo(kind.numpy)
    return bool(limits.min <= value <= limits.max)


def common(one: Any, two: Any) -> Any:
    """The type in which both columns are computed; literals give way."""
    if one._weak and not two._weak:
        one, two = two, one
    left, right = one.dtype, two.dtype
    if two._weak and not one._weak and two._m is None and right.is_numeric():
        if left.is_float():
            return left
        if left.is_integer():
            if right.is_float():
                return t.Float64()
            return left if _fits(two._v[0], left) else t.Int64()
    if two._weak and isinstance(right, t.Datetime) and \
            isinstance(left, t.Datetime) and right.time_zone is None:
        return left
    if two._weak and isinstance(left, t.Date) and \
            isinstance(right, t.Datetime):
        return right
    return t.supertype(left, right)


def check_lengths(one: Any, two: Any) -> None:
    if len(one) != len(two) and 1 not in (len(one), len(two)):
        raise ShapeError(f"cannot evaluate two Series of different lengths "
                         f"({len(one)} and {len(two)})")


def _made(one: Any, kind: Any, values: Any, mask: Any) -> Any:
    if mask is not None and len(mask) != len(values):
        mask = np.broadcast_to(mask, len(values)).copy()
    return type(one)._of(one.name, kind, values, mask)


def _cannot(word: str, one: Any, two: Any) -> Exception:
    left, right = one.dtype, two.dtype
    if t.is_text(left) and right.is_numeric() or \
            t.is_text(right) and left.is_numeric():
        return InvalidOperationError(
            "arithmetic on string and numeric not allowed, try an explicit "
            "cast first")
    return InvalidOperationError(
        f"{WORDS[word]} operation not supported for dtypes `{left.text()}` "
        f"and `{right.text()}`")


def _floor(one: Any, two: Any, kind: Any, word: str) -> Any:
    how = np.floor_divide if word == "floordiv" else np.mod
    if kind.is_float():
        if word == "floordiv":
            return np.floor(one / two), None
        return one - two * np.floor(one / two), None
    zero = two == 0
    return how(one, np.where(zero, 1, two)), store.any_null(
        np.broadcast_to(zero, np.broadcast_shapes(one.shape, two.shape)))


def _power(one: Any, two: Any) -> Any:
    kind = one.dtype
    if two.dtype.is_float() and not kind.is_float():
        kind = t.Float64()
    if not kind.is_integer():
        kind = kind if kind.is_float() else t.Float64()
        values = np.power(one._v.astype(kind.numpy), two._v.astype(kind.numpy))
        return _made(one, kind, values, store.either(one._m, two._m))
    if (two._v < 0).any():
        raise InvalidOperationError(
            "conversion from `i64` to `u32` failed: a whole number to a "
            "negative power; cast to Float64 first")
    if one._weak and not two._weak:
        kind = t.Int64()
    values = np.power(one._v.astype(kind.numpy), two._v.astype(kind.numpy))
    return _made(one, kind, values, store.either(one._m, two._m))


def _of_numbers(one: Any, two: Any, word: str, kind: Any) -> Any:
    mask = store.either(one._m, two._m)
    if isinstance(kind, t.Boolean):
        kind = t.UInt32()
    if word == "truediv" and not kind.is_float():
        kind = t.Float64()
    left, right = one._v.astype(kind.numpy), two._v.astype(kind.numpy)
    if word in ("floordiv", "mod"):
        values, zero = _floor(left, right, kind, word)
        return _made(one, kind, values, store.either(mask, zero))
    values = getattr(operator, word)(left, right)
    return _made(one, kind, values, mask)


def _unit(one: Any, two: Any) -> str:
    units = [kind.time_unit for kind in (one, two)
             if hasattr(kind, "time_unit")]
    return next((unit for unit in ("ns", "us", "ms") if unit in units), "ms")


def _of_times(one: Any, two: Any, word: str) -> Any:
    """Arithmetic with dates and durations; None if there is none."""
    left, right = one.dtype, two.dtype
    unit = _unit(left, right)
    mask = store.either(one._m, two._m)
    span, form = f"m8[{unit}]", f"M8[{unit}]"
    is_span = [isinstance(kind, t.Duration) for kind in (left, right)]
    if isinstance(left, _TIMES) and isinstance(right, _TIMES) and \
            word == "sub":
        return _made(one, t.Duration(unit),
                     one._v.astype(form) - two._v.astype(form), mask)
    if word == "add" and is_span[0] and isinstance(right, _TIMES):
        return _of_times(two, one, word).alias(one.name)
    if word in ("add", "sub") and is_span[1]:
        how = getattr(operator, word)
        if isinstance(left, _TIMES):
            values = how(one._v.astype(form), two._v.astype(span))
            kind = left if isinstance(left, t.Date) else \
                t.Datetime(unit, left.time_zone)
            return _made(one, kind, values.astype(kind.numpy), mask)
        if is_span[0]:
            return _made(one, t.Duration(unit), how(
                one._v.astype(span), two._v.astype(span)), mask)
    if all(is_span) and word in ("truediv", "floordiv"):
        a, b = one._v.astype(span).view("i8"), two._v.astype(span).view("i8")
        if word == "truediv":
            return _made(one, t.Float64(), a / b, mask)
        return _made(one, t.Int64(), *_zeroless(a, b, mask))
    if is_span[0] and right.is_numeric() and word in ("mul", "truediv",
                                                      "floordiv"):
        how = operator.floordiv if word == "floordiv" else \
            getattr(operator, word)
        values = how(one._v.view("i8"), two._v)
        return _made(one, left, values.astype("i8").view(left.numpy), mask)
    if is_span[1] and left.is_numeric() and word == "mul":
        return _of_times(two, one, word).alias(one.name)
    return None


def _zeroless(one: Any, two: Any, mask: Any) -> Any:
    values, zero = _floor(one, two, t.Int64(), "floordiv")
    return values, store.either(mask, zero)


def _texts(one: Any, two: Any) -> Any:
    mask = store.either(one._m, two._m)
    left, right = np.broadcast_arrays(one._v, two._v)
    values = store.objects([None if a is None or b is None else a + b
                            for a, b in zip(left, right)])
    return _made(one, t.String(), values, mask)


def arithmetic(word: str, one: Any, two: Any) -> Any:
    """The column ONE WORD TWO."""
    check_lengths(one, two)
    if t.is_text(one.dtype) and t.is_text(two.dtype):
        if word == "add":
            return _texts(one, two)
        raise _cannot(word, one, two)
    for left, right in ((one, two), (two, one)):
        if isinstance(left.dtype, t.Null) and not left.dtype == right.dtype:
            kind = right.dtype
            if word == "truediv" and kind.is_integer():
                kind = t.Float64()
            length = len(one) if len(two) == 1 else len(two)
            return type(one).full_null(one.name, length, kind)
    if one.dtype.is_temporal() or two.dtype.is_temporal():
        found = _of_times(one, two, word)
        if found is None:
            raise _cannot(word, one, two)
        return found
    kind = common(one, two)
    if kind is None or t.is_object(kind):
        raise _cannot(word, one, two)
    with np.errstate(all="ignore"):
        if word == "pow":
            return _power(one, two)
        return _of_numbers(one, two, word, kind)


def _comparable(one: Any, two: Any) -> Any:
    kind = common(one, two)
    if kind is not None:
        return kind
    for left, right in ((one.dtype, two.dtype), (two.dtype, one.dtype)):
        if t.is_text(left) and right.is_temporal():
            raise InvalidOperationError(
                "cannot compare 'date/datetime/time' to a string value "
                "(create native python { 'date', 'datetime', 'time' } or "
                "compare to a temporal column)")
        if t.is_text(left) and right.is_numeric():
            raise ComputeError("cannot compare string with numeric type "
                               f"({right.text()})")
    raise InvalidOperationError(
        f"could not evaluate comparison between series '{one.name}' of dtype: "
        f"{one.dtype.text()} and series '{two.name}' of dtype: "
        f"{two.dtype.text()}")


def _float_compare(word: str, left: Any, right: Any) -> Any:
    """Comparison in which NaN equals NaN, and is greatest."""
    found = COMPARE[word](left, right)
    a, b = np.isnan(left), np.isnan(right)
    if a.any() or b.any():
        some = a | b
        found = np.where(some, COMPARE[word](a.astype("i1"), b.astype("i1")),
                         found)
    return found


def compare(word: str, one: Any, two: Any) -> Any:
    """The column of truths ONE WORD TWO; null where one is null."""
    check_lengths(one, two)
    kind = _comparable(one, two)
    mask = store.either(one._m, two._m)
    if isinstance(kind, t.Null):
        length = len(one) if len(two) == 1 else len(two)
        return type(one).full_null(one.name, length, t.Boolean())
    left, right = one.cast(kind), two.cast(kind)
    if isinstance(kind, t.Enum) or isinstance(kind, (t.List, t.Struct)):
        pairs = zip(*np.broadcast_arrays(left._v, right._v))
        values = np.array([a is not None and b is not None and
                           COMPARE[word](a, b) for a, b in pairs], bool)
    elif t.is_object(kind):
        pair = [np.where(col._m, "", col._v) if col._m is not None else col._v
                for col in (left, right)]
        values = np.asarray(COMPARE[word](*pair)).astype(bool)
    elif kind.is_float():
        values = _float_compare(word, left._v, right._v)
    else:
        values = COMPARE[word](left._v, right._v)
    return _made(one, t.Boolean(), np.atleast_1d(values), mask)


def missing_aware(word: str, one: Any, two: Any) -> Any:
    """eq or ne in which null equals null."""
    found = compare(word, one, two)
    if found._m is None:
        return found
    a, b = (np.zeros(len(col), bool) if col._m is None else col._m
            for col in (one, two))
    known = np.where(a | b, a & b, found._v if word == "eq" else ~found._v)
    return _made(one, t.Boolean(), known if word == "eq" else ~known, None)


def logic(word: str, one: Any, two: Any) -> Any:
    """and_, or_, xor of truths, with null as unknown; or of whole numbers."""
    check_lengths(one, two)
    how = getattr(operator, word)
    kind = common(one, two)
    if kind is not None and kind.is_integer():
        return _made(one, kind, how(one._v.astype(kind.numpy),
                                    two._v.astype(kind.numpy)),
                     store.either(one._m, two._m))
    if kind is not None and isinstance(kind, t.Null):
        return type(one).full_null(one.name, max(len(one), len(two)),
                                   t.Boolean())
    if not isinstance(kind, t.Boolean):
        raise InvalidOperationError(
            f"`{word.strip('_')}` operation not supported for dtype "
            f"`{one.dtype.text()}`")
    one, two = one.cast(kind), two.cast(kind)
    mask = store.either(one._m, two._m)
    if mask is None or word == "xor":
        return _made(one, kind, how(one._v, two._v), mask)
    end = word == "or_"             # the value that decides alone
    a, b = (col._v if col._m is None else np.where(col._m, not end, col._v)
            for col in (one, two))
    values = how(a, b)
    return _made(one, kind, values, store.any_null(mask & (values != end)))
