"""Sums, means and the like: one scalar of an array."""

from __future__ import annotations

import builtins
import math
from decimal import Decimal
from typing import Any

import numpy as np

from . import _types as t
from ._array import Array, make, objects
from ._build import array, of_rows
from ._errors import ArrowNotImplementedError
from ._options import given as _given
from ._scalars import Scalar


def _whole(given: Any) -> Array:
    if isinstance(given, Scalar):
        return array([given])
    return array(given).combine_chunks()


def refuse(name: str, *types: Any) -> ArrowNotImplementedError:
    kinds = ", ".join(map(str, types))
    return ArrowNotImplementedError(f"Function '{name}' has no kernel matching "
                                    f"input types ({kinds})")


def _kept(given: Any, skip_nulls: bool, min_count: int) -> Any:
    """The values without nulls; None where the result is null."""
    whole = _whole(given)
    if whole.type._kind == "dictionary":
        whole = whole.dictionary_decode()
    kept = whole.drop_null()
    if not skip_nulls and len(kept) < len(whole) or len(kept) < min_count:
        return whole, None
    return whole, kept


def _scalar(type: Any, value: Any) -> Scalar:
    return of_rows(objects([value]), type, False)[0]


def _sum_type(kind: Any) -> Any:
    if kind._kind == "bool" or kind._kind in t._UNSIGNED:
        return t.uint64()
    if kind._kind in t._SIGNED:
        return t.int64()
    if kind._kind in t.FLOATS:
        return t.float64()
    if kind._kind == "decimal":
        return t.decimal128(38, kind.scale)
    if kind._kind in ("duration", "null"):
        return kind if kind._kind == "duration" else t.int64()
    raise refuse("sum", kind)


def sum(array: Any, /, *, skip_nulls: bool = True, min_count: int = 1,
        options: Any = None) -> Scalar:
    if options is not None:
        return sum(array, **_given(options))
    whole, kept = _kept(array, skip_nulls, min_count)
    type_ = _sum_type(whole.type)
    if kept is None:
        return _scalar(type_, None)
    if type_._kind == "decimal":
        return _scalar(type_, builtins.sum(kept._values, Decimal(0)))
    if type_._kind in ("duration", "null"):
        return make(type_, np.array([kept._values.sum()], "i8"))[0]
    wide = kept._values.astype(type_._np)
    return make(type_, np.array([wide.sum()], type_._np))[0]


def product(array: Any, /, *, skip_nulls: bool = True, min_count: int = 1,
            options: Any = None) -> Scalar:
    if options is not None:
        return product(array, **_given(options))
    whole, kept = _kept(array, skip_nulls, min_count)
    type_ = _sum_type(whole.type)
    if type_._np == object:
        raise refuse("product", whole.type)
    if kept is None:
        return _scalar(type_, None)
    return make(type_, np.array([kept._values.astype(type_._np).prod()],
                                type_._np))[0]


def _numbers(name: str, whole: Array, kept: Any) -> Any:
    kind = whole.type._kind
    if kind not in t.INTEGERS | t.FLOATS | {"decimal", "bool", "null"}:
        raise refuse(name, whole.type)
    return None if kept is None else kept._values.astype(float)


def mean(array: Any, /, *, skip_nulls: bool = True, min_count: int = 1,
         options: Any = None) -> Scalar:
    if options is not None:
        return mean(array, **_given(options))
    whole, kept = _kept(array, skip_nulls, min_count)
    if whole.type._kind == "decimal" and kept is not None and len(kept):
        total = builtins.sum(kept._values, Decimal(0)) / len(kept)
        return _scalar(whole.type, total.quantize(
            Decimal(1).scaleb(-whole.type.scale)))
    values = _numbers("mean", whole, kept)
    return _scalar(t.float64(), None if values is None else
                   float(values.mean()) if len(values) else math.nan)


def _spread(name: str, given: Any, ddof: int, skip: bool, least: int) -> Any:
    whole, kept = _kept(given, skip, least)
    values = _numbers(name, whole, kept)
    if values is None or len(values) <= ddof:
        return None
    return float(np.var(values, ddof=ddof))


def variance(array: Any, /, *, ddof: int = 0, skip_nulls: bool = True,
             min_count: int = 0, options: Any = None) -> Scalar:
    if options is not None:
        return variance(array, **_given(options))
    return _scalar(t.float64(), _spread("variance", array, ddof, skip_nulls,
                                        min_count))


def stddev(array: Any, /, *, ddof: int = 0, skip_nulls: bool = True,
           min_count: int = 0, options: Any = None) -> Scalar:
    if options is not None:
        return stddev(array, **_given(options))
    found = _spread("stddev", array, ddof, skip_nulls, min_count)
    return _scalar(t.float64(), None if found is None else math.sqrt(found))


def _ends(kept: Array) -> tuple[Any, Any]:
    """The places of the least and the greatest value; NaN counts not."""
    values = kept._values
    if values.dtype.kind == "f":
        places = np.flatnonzero(~np.isnan(values))
        if len(places):
            return (places[values[places].argmin()],
                    places[values[places].argmax()])
        return 0, 0
    if values.dtype == object:
        order = builtins.sorted(builtins.range(len(values)),
                                key=values.__getitem__)
        return order[0], order[-1]
    return int(values.argmin()), int(values.argmax())


def _extremes(given: Any, skip_nulls: bool, min_count: int) -> Any:
    whole, kept = _kept(given, skip_nulls, min_count)
    if whole.type._kind in ("list", "struct", "map"):
        raise refuse("min_max", whole.type)
    if kept is None or not len(kept):
        return whole.type, None, None
    low, high = _ends(kept)
    return whole.type, kept[int(low)].as_py(), kept[int(high)].as_py()


def min_max(array: Any, /, *, skip_nulls: bool = True, min_count: int = 1,
            options: Any = None) -> Scalar:
    if options is not None:
        return min_max(array, **_given(options))
    type_, low, high = _extremes(array, skip_nulls, min_count)
    return Scalar(t.struct([("min", type_), ("max", type_)]),
                  {"min": low, "max": high})


def min(array: Any, /, *, skip_nulls: bool = True, min_count: int = 1,
        options: Any = None) -> Scalar:
    if options is not None:
        return min(array, **_given(options))
    type_, low, _ = _extremes(array, skip_nulls, min_count)
    return Scalar(type_, low)


def max(array: Any, /, *, skip_nulls: bool = True, min_count: int = 1,
        options: Any = None) -> Scalar:
    if options is not None:
        return max(array, **_given(options))
    type_, _, high = _extremes(array, skip_nulls, min_count)
    return Scalar(type_, high)


def count(array: Any, /, mode: str = "only_valid", *,
          options: Any = None) -> Scalar:
    if options is not None:
        return count(array, **_given(options))
    whole = _whole(array)
    found = {"only_valid": len(whole) - whole.null_count,
             "only_null": whole.null_count, "all": len(whole)}
    if mode not in found:
        raise ValueError(f"'{mode}' is not a valid count mode")
    return _scalar(t.int64(), found[mode])


def count_distinct(array: Any, /, mode: str = "only_valid", *,
                   options: Any = None) -> Scalar:
    from ._sorting import unique
    if options is not None:
        return count_distinct(array, **_given(options))
    return count(unique(array), mode)


def _ordered(given: Any, last: bool, skip_nulls: bool,
             min_count: int) -> Scalar:
    whole, kept = _kept(given, skip_nulls, min_count)
    source = kept if skip_nulls else whole
    if source is None or not len(source):
        return Scalar(whole.type, None)
    return source[-1 if last else 0]


def first(array: Any, /, *, skip_nulls: bool = True,
          min_count: int = 1) -> Scalar:
    return _ordered(array, False, skip_nulls, min_count)


def last(array: Any, /, *, skip_nulls: bool = True,
         min_count: int = 1) -> Scalar:
    return _ordered(array, True, skip_nulls, min_count)


def _truth(name: str, given: Any, skip_nulls: bool, min_count: int,
           decisive: bool) -> Scalar:
    """any() and all() by Kleene's logic, where nulls are not skipped."""
    whole = _whole(given)
    if whole.type._kind not in ("bool", "null"):
        raise refuse(name, whole.type)
    kept = whole.drop_null()._values.astype(bool)
    if len(kept) < min_count:
        return _scalar(t.bool_(), None)
    if (kept == decisive).any():
        return _scalar(t.bool_(), decisive)
    if not skip_nulls and len(kept) < len(whole):
        return _scalar(t.bool_(), None)
    return _scalar(t.bool_(), not decisive)


def any(array: Any, /, *, skip_nulls: bool = True,
        min_count: int = 1) -> Scalar:
    return _truth("any", array, skip_nulls, min_count, True)


def all(array: Any, /, *, skip_nulls: bool = True,
        min_count: int = 1) -> Scalar:
    return _truth("all", array, skip_nulls, min_count, False)


def quantile(array: Any, /, q: Any = 0.5, *, interpolation: str = "linear",
             skip_nulls: bool = True, min_count: int = 0) -> Array:
    if interpolation not in ("linear", "lower", "higher", "nearest",
                             "midpoint"):
        raise ValueError(f"'{interpolation}' is not a valid interpolation")
    places = np.atleast_1d(q).astype(float)
    whole, kept = _kept(array, skip_nulls, min_count)
    values = _numbers("quantile", whole, kept)
    if values is None or not len(values):
        return of_rows(np.full(len(places), None, object), t.float64(), False)
    found = np.quantile(values, places, method=interpolation)
    if interpolation in ("linear", "midpoint"):
        return make(t.float64(), found)
    return make(whole.type, found.astype(whole.type._np))


def approximate_median(array: Any, /, *, skip_nulls: bool = True,
                       min_count: int = 1) -> Scalar:
    """The median by interpolation: Arrow's is an estimate of that."""
    return quantile(array, 0.5, skip_nulls=skip_nulls,
                    min_count=min_count)[0]


def mode(array: Any, /, n: int = 1, *, skip_nulls: bool = True,
         min_count: int = 0) -> Array:
    whole, kept = _kept(array, skip_nulls, min_count)
    if whole.type._kind not in t.INTEGERS | t.FLOATS | {"bool"}:
        raise refuse("mode", whole.type)
    values, counts = np.unique(
        kept._values if kept is not None else whole._values[:0],
        return_counts=True)
    order = np.lexsort((values, -counts))[:n]
    rows = [{"mode": values[i].item(), "count": int(counts[i])}
            for i in order]
    return of_rows(objects(rows), t.struct([("mode", whole.type),
                                            ("count", t.int64())]), False)


