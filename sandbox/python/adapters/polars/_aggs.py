"""_aggs - one value for each group of a column's values.

A column alone is one group. Nulls are left out; the sum of no value is 0, other
aggregates of no value are null.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import _store as store
from . import _types as t
from ._groups import Groups, codes
from ._registry import aggregate, rename
from .exceptions import ComputeError, InvalidOperationError

SMALL = (t.Int8, t.Int16, t.UInt8, t.UInt16)


def present(s: Any, g: Groups) -> Any:
    """The values that are not null, and their groups."""
    if s._m is None:
        return s._v, g
    return s._v[~s._m], g.where(~s._m)


def made(s: Any, kind: Any, values: Any, mask: Any = None) -> Any:
    return type(s)._of(s.name, t.as_dtype(kind), values, mask)


def _numeric(s: Any, word: str) -> None:
    if not (s.dtype.is_numeric() or isinstance(s.dtype, (
            t.Boolean, t.Null, t.Duration))):
        raise InvalidOperationError(f"`{word}` operation not supported for "
                                    f"dtype `{s.dtype.text()}`")


@aggregate("len")
def _len(s: Any, g: Groups) -> Any:
    return made(s, t.UInt32, g.sizes.astype("u4"))


@aggregate("count")
def _count(s: Any, g: Groups) -> Any:
    return made(s, t.UInt32, present(s, g)[1].sizes.astype("u4"))


@aggregate("null_count")
def _null_count(s: Any, g: Groups) -> Any:
    return made(s, t.UInt32,
                (g.sizes - present(s, g)[1].sizes).astype("u4"))


@aggregate("has_nulls")
def _has_nulls(s: Any, g: Groups) -> Any:
    return made(s, t.Boolean, _null_count(s, g)._v > 0)


def sum_kind(kind: Any) -> Any:
    if isinstance(kind, SMALL):
        return t.Int64()
    return t.UInt32() if isinstance(kind, t.Boolean) else kind


@aggregate("sum")
def _sum(s: Any, g: Groups) -> Any:
    _numeric(s, "sum")
    kind = sum_kind(s.dtype)
    if isinstance(kind, t.Null):
        return made(s, kind, store.objects([None] * g.count),
                    np.ones(g.count, bool))
    values, some = present(s, g)
    if isinstance(kind, t.Duration):
        total = some.reduce(np.add, values.view("i8"), 0)
        return made(s, kind, total.view(kind.numpy))
    return made(s, kind, some.reduce(np.add, values.astype(kind.numpy), 0))


def _whole_numbers(s: Any, values: Any) -> Any:
    """The values as floats, of dates and times as well."""
    if t.is_object(s.dtype):
        return np.zeros(len(values))
    if values.dtype.kind in "mM":
        values = values.view("i8")
    return values.astype("f8")


def _back(s: Any, found: Any, mask: Any) -> Any:
    """FOUND, which are floats, as the column's type has its means."""
    kind = s.dtype
    if not kind.is_temporal():
        kind = t.Float32() if isinstance(kind, t.Float32) else t.Float64()
        return made(s, kind, found.astype(kind.numpy), store.any_null(mask))
    whole = np.where(np.isnan(found), 0, found)
    if isinstance(kind, t.Date):
        kind, whole = t.Datetime("ms"), np.rint(whole * 86_400_000)
    return made(s, kind, whole.astype("i8").view(kind.numpy),
                store.any_null(mask))


@aggregate("mean")
def _mean(s: Any, g: Groups) -> Any:
    values, some = present(s, g)
    empty = some.sizes == 0
    if t.is_object(s.dtype):
        return type(s).full_null(s.name, g.count, s.dtype)
    if s.dtype.is_temporal() and not isinstance(s.dtype, t.Date):
        totals = some.reduce(np.add, values.view("i8").astype(object), 0)
        whole = np.array([int(a) // max(int(b), 1) for a, b in
                          zip(totals, some.sizes)], "i8")
        return made(s, s.dtype, whole.view(s.dtype.numpy)
                    if whole.size else values[:0], store.any_null(empty))
    totals = some.reduce(np.add, _whole_numbers(s, values), 0.0)
    found = np.divide(totals, some.sizes, where=~empty,
                      out=np.zeros(g.count))
    return _back(s, found, empty)


@aggregate("var")
def _var(s: Any, g: Groups, ddof: int = 1) -> Any:
    _numeric(s, "var")
    values, some = present(s, g)
    values = _whole_numbers(s, values)
    empty = some.sizes <= ddof
    size = np.where(some.sizes == 0, 1, some.sizes)
    mean = some.reduce(np.add, values, 0.0) / size
    with np.errstate(invalid="ignore"):
        squares = some.reduce(np.add, (values - mean[some.of]) ** 2, 0.0)
    found = squares / np.where(empty, 1, some.sizes - ddof)
    return _back(s, found, empty)


@aggregate("std")
def _std(s: Any, g: Groups, ddof: int = 1) -> Any:
    _numeric(s, "std")
    found = _var(s, g, ddof)
    return made(found, found.dtype, np.sqrt(found._v), found._m)


def _extreme(s: Any, g: Groups, last: bool) -> Any:
    """The least or the greatest value; NaN only if there is no other."""
    values, some = present(s, g)
    empty = store.any_null(some.sizes == 0)
    if t.is_object(s.dtype):
        ranks = codes(s)
        rows = some.order if s._m is None else np.flatnonzero(~s._m)[some.order]
        return _by_rank(s, g, ranks, rows, some, last, empty)
    if isinstance(s.dtype, t.Boolean):
        how: Any = np.logical_or if last else np.logical_and
        return made(s, s.dtype, some.reduce(how, values, False), empty)
    if values.dtype.kind == "f":
        how = np.fmax if last else np.fmin
        return made(s, s.dtype, some.reduce(how, values, np.nan), empty)
    whole = values.view("i8") if values.dtype.kind in "mM" else values
    how = np.maximum if last else np.minimum
    found = some.reduce(how, whole, 0)
    return made(s, s.dtype, found.view(s.dtype.numpy), empty)


def _by_rank(s: Any, g: Groups, ranks: Any, rows: Any, some: Groups,
             last: bool, empty: Any) -> Any:
    found = np.full(g.count, -1, "i8")
    of = some.of[some.order]
    order = np.lexsort((ranks[rows] if last else -ranks[rows], of))
    found[of[order]] = rows[order]      # the last one of a group stays
    return s._take_or_null(found)


@aggregate("min")
def _min(s: Any, g: Groups) -> Any:
    return _extreme(s, g, False)


@aggregate("max")
def _max(s: Any, g: Groups) -> Any:
    return _extreme(s, g, True)


def _sorted(s: Any, g: Groups) -> Any:
    """The values that are not null, sorted in each group, as floats."""
    values, some = present(s, g)
    values = _whole_numbers(s, values)
    order = np.lexsort((values, some.of)) if g.count > 1 else \
        np.argsort(values, kind="stable")
    return values[order], some


_INTERPOLATE = {
    "lower": lambda a, b, part: a, "higher": lambda a, b, part: b,
    "midpoint": lambda a, b, part: np.where(part == 0, a, (a + b) / 2),
    "linear": lambda a, b, part: np.where(part == 0, a, a + (b - a) * part),
}


@aggregate("quantile")
def _quantile(s: Any, g: Groups, quantile: float,
              interpolation: str = "nearest") -> Any:
    if interpolation not in (*_INTERPOLATE, "nearest"):
        raise ValueError("`interpolation` must be one of {'nearest', 'higher'"
                         f", 'lower', 'midpoint', 'linear'}}, got "
                         f"{interpolation!r}")
    if not 0 <= quantile <= 1:
        raise ComputeError("quantile should be between 0.0 and 1.0")
    if t.is_object(s.dtype) and not isinstance(s.dtype, t.Null):
        _numeric(s, "median" if interpolation == "midpoint" else "quantile")
    values, some = _sorted(s, g)
    empty = some.sizes == 0
    place = np.where(empty, 0, some.sizes - 1) * quantile
    if interpolation == "nearest":
        place = np.floor(place + 0.5)
    low, high = np.floor(place), np.ceil(place)
    base = np.where(empty, 0, some.starts)
    if not len(values):
        return _back(s, np.zeros(g.count), empty)
    a, b = (values[np.minimum(base + step.astype("i8"), len(values) - 1)]
            for step in (low, high))
    how = _INTERPOLATE.get(interpolation, _INTERPOLATE["lower"])
    found = _back(s, how(a, b, place - low), empty)
    if s.dtype.is_temporal() and interpolation in ("nearest", "lower",
                                                   "higher"):
        return found.cast(s.dtype)
    return found


@aggregate("median")
def _median(s: Any, g: Groups) -> Any:
    return _quantile(s, g, 0.5, "midpoint")


@aggregate("n_unique")
def _n_unique(s: Any, g: Groups) -> Any:
    found = codes(s) + 1
    pairs = np.unique(g.of * (int(found.max(initial=0)) + 1) + found)
    counts = np.bincount(pairs // (int(found.max(initial=0)) + 1),
                         minlength=g.count)
    return made(s, t.UInt32, counts[:g.count].astype("u4"))


rename("approx_n_unique", "n_unique")


@aggregate("first")
def _first(s: Any, g: Groups) -> Any:
    rows = np.full(g.count, -1, "i8")
    some = g.sizes > 0
    rows[some] = g.order[g.starts[some]]
    return s._take_or_null(rows)


@aggregate("last")
def _last(s: Any, g: Groups) -> Any:
    rows = np.full(g.count, -1, "i8")
    some = g.sizes > 0
    rows[some] = g.order[g.ends[some] - 1]
    return s._take_or_null(rows)


@aggregate("get")
def _get(s: Any, g: Groups, index: int) -> Any:
    index = int(index)
    fits = g.sizes > index if index >= 0 else g.sizes >= -index
    if not fits.all():
        raise ComputeError("index out of bounds")
    base = g.starts if index >= 0 else g.ends
    return s._take_or_null(g.order[base + index])


@aggregate("product")
def _product(s: Any, g: Groups) -> Any:
    _numeric(s, "product")
    values, some = present(s, g)
    kind = s.dtype if s.dtype.is_float() else t.Int64()
    return made(s, kind, some.reduce(np.multiply, values.astype(kind.numpy),
                                     1))


def _truths(s: Any, word: str) -> None:
    if not isinstance(s.dtype, t.Boolean):
        raise InvalidOperationError(f"`{word}` operation not supported for "
                                    f"dtype `{s.dtype.text()}`")


@aggregate("any")
def _any(s: Any, g: Groups, *, ignore_nulls: bool = True) -> Any:
    _truths(s, "any")
    values, some = present(s, g)
    found = some.reduce(np.logical_or, values, False)
    mask = None if ignore_nulls else \
        store.any_null(~found & (some.sizes < g.sizes))
    return made(s, t.Boolean, found, mask)


@aggregate("all")
def _all(s: Any, g: Groups, *, ignore_nulls: bool = True) -> Any:
    _truths(s, "all")
    values, some = present(s, g)
    found = some.reduce(np.logical_and, values, True)
    mask = None if ignore_nulls else \
        store.any_null(found & (some.sizes < g.sizes))
    return made(s, t.Boolean, found, mask)


def _place(s: Any, g: Groups, last: bool) -> Any:
    values, some = present(s, g)
    ranks = codes(s)
    rows = np.arange(len(s)) if s._m is None else np.flatnonzero(~s._m)
    ranks = ranks[rows]
    if values.dtype.kind == "f":
        ranks = np.where(np.isnan(values), -1 if last else len(s) + 1,
                         ranks)
    found = np.full(g.count, -1, "i8")
    order = np.lexsort((-rows, ranks if last else -ranks, some.of))
    found[some.of[order]] = rows[order]
    inside = np.empty(len(s), "i8")
    inside[g.order] = np.arange(len(s)) - g.starts[g.of[g.order]]
    mask = found < 0
    at = inside[np.where(mask, 0, found)] if len(s) else found * 0
    return made(s, t.UInt32, at.astype("u4"), store.any_null(mask))


@aggregate("arg_max")
def _arg_max(s: Any, g: Groups) -> Any:
    return _place(s, g, True)


@aggregate("arg_min")
def _arg_min(s: Any, g: Groups) -> Any:
    return _place(s, g, False)


@aggregate("nan_max")
def _nan_max(s: Any, g: Groups) -> Any:
    values, some = present(s, g)
    return made(s, s.dtype, some.reduce(np.maximum, values, 0),
                store.any_null(some.sizes == 0))


@aggregate("nan_min")
def _nan_min(s: Any, g: Groups) -> Any:
    values, some = present(s, g)
    return made(s, s.dtype, some.reduce(np.minimum, values, 0),
                store.any_null(some.sizes == 0))


def _moments(s: Any, g: Groups, power: int) -> Any:
    values, some = present(s, g)
    values = _whole_numbers(s, values)
    size = np.maximum(some.sizes, 1)
    mean = some.reduce(np.add, values, 0.0) / size
    off = values - mean[some.of]
    return [some.reduce(np.add, off ** one, 0.0) / size
            for one in (2, power)], some.sizes


@aggregate("skew")
def _skew(s: Any, g: Groups, *, bias: bool = True) -> Any:
    (two, three), size = _moments(s, g, 3)
    with np.errstate(all="ignore"):
        found = three / two ** 1.5
        if not bias:
            found = found * np.sqrt(size * (size - 1.0)) / (size - 2)
    return made(s, t.Float64, found, store.any_null(size == 0))


@aggregate("kurtosis")
def _kurtosis(s: Any, g: Groups, *, fisher: bool = True,
              bias: bool = True) -> Any:
    (two, four), n = _moments(s, g, 4)
    with np.errstate(all="ignore"):
        found = four / two ** 2
        if not bias:
            found = ((n * n - 1.0) * found - 3 * (n - 1) ** 2) / \
                ((n - 2.0) * (n - 3)) + 3
    return made(s, t.Float64, found - 3 * fisher, store.any_null(n == 0))


@aggregate("entropy")
def _entropy(s: Any, g: Groups, base: float = math.e, *,
             normalize: bool = True) -> Any:
    values, some = present(s, g)
    values = _whole_numbers(s, values)
    if normalize:
        values = values / some.reduce(np.add, values, 0.0)[some.of]
    with np.errstate(all="ignore"):
        terms = np.where(values == 0, 0, values * np.log(values))
    return made(s, t.Float64,
                -some.reduce(np.add, terms, 0.0) / math.log(base))


@aggregate("implode")
def _implode(s: Any, g: Groups) -> Any:
    plain = store.objects(s.to_list())
    return type(s)._of(s.name, t.List(s.dtype), store.objects(
        [plain[rows].tolist() for rows in g.rows()]))
