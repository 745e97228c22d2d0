"""_windows - a value for each row, from all rows of the group.

Each is a function of one group's values. Those with a group-wise way of their
own are many times faster with many groups (_eval uses FAST).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from . import _store as store
from . import _types as t
from ._aggs import made, sum_kind
from ._groups import Groups, codes
from ._ops import choose, coalesce
from ._registry import whole
from ._series import as_series
from .exceptions import InvalidOperationError, not_here


def _shift_rows(g: Groups, n: int) -> Any:
    """Of each row, the row N before it in its group, or -1."""
    place = np.empty(len(g.of), "i8")
    place[g.order] = np.arange(len(g.of))
    start, end = g.starts[g.of], g.ends[g.of]
    wanted = place - n
    inside = (wanted >= start) & (wanted < end)
    return np.where(inside, g.order[np.where(inside, wanted, 0)], -1) \
        if len(place) else place


@whole("shift")
def _shift(s: Any, n: int = 1, *, fill_value: Any = None,
           _groups: Any = None) -> Any:
    rows = _shift_rows(_groups or Groups.one(len(s)), int(n))
    found = s._take_or_null(rows)
    if fill_value is not None:
        fill = as_series(fill_value)
        found = choose(made(s, t.Boolean, rows >= 0), found, fill)
    return found.alias(s.name)


@whole("diff")
def _diff(s: Any, n: int = 1, null_behavior: str = "ignore",
          _groups: Any = None) -> Any:
    if null_behavior not in ("ignore", "drop"):
        raise ValueError("`null_behavior` must be one of {'ignore', 'drop'}, "
                         f"got {null_behavior!r}")
    if null_behavior == "drop":
        raise not_here("diff(null_behavior='drop')", "diff().drop_nulls()")
    if s.dtype.is_unsigned_integer():
        s = s.cast(t.Int64)
    return s - _shift(s, n, _groups=_groups)


@whole("pct_change")
def _pct_change(s: Any, n: int = 1, _groups: Any = None) -> Any:
    s = _fill_null(s, strategy="forward", _groups=_groups)
    s = s if s.dtype.is_float() else s.cast(t.Float64)
    return s / _shift(s, n, _groups=_groups) - 1.0


def _filled(s: Any, g: Groups, back: bool, limit: Any) -> Any:
    """For each row the nearest row before (or after) that has a value."""
    order = g.order[::-1] if back else g.order
    at = np.arange(len(order))
    null = s._nulls()[order]
    of = g.of[order]
    first = np.r_[True, of[1:] != of[:-1]] if len(of) else of.astype(bool)
    begin = np.maximum.accumulate(np.where(first, at, 0))
    seen = np.maximum.accumulate(np.where(null, -1, at))
    good = seen >= begin
    if limit is not None:
        good &= at - seen <= limit
    rows = np.empty(len(order), "i8")
    rows[order] = np.where(good, order[np.where(good, seen, 0)], -1)
    return s._take_or_null(rows)


_STRATEGIES = {"min": "min", "max": "max", "mean": "mean"}


@whole("fill_null")
def _fill_null(s: Any, value: Any = None, strategy: Any = None,
               limit: Any = None, _groups: Any = None) -> Any:
    if value is None and strategy is None:
        raise ValueError("must specify either a fill `value` or `strategy`")
    if value is not None and strategy is not None:
        raise ValueError("cannot specify both `value` and `strategy`")
    if s._m is None:
        return s
    g = _groups or Groups.one(len(s))
    if value is not None:
        found = coalesce(s, as_series(value))
        return found.alias(s.name)
    if strategy in ("forward", "backward"):
        return _filled(s, g, strategy == "backward", limit)
    if strategy in ("zero", "one"):
        fill = as_series(int(strategy == "one")).cast(s.dtype)
    elif strategy in _STRATEGIES:
        from ._registry import OPERATIONS
        fill = OPERATIONS[strategy].run(s, g).cast(s.dtype)._take(g.of)
    else:
        raise ValueError("`strategy` must be one of {'forward', 'backward', "
                         "'min', 'max', 'mean', 'zero', 'one'}, got "
                         f"{strategy!r}")
    return coalesce(s, fill).alias(s.name)


@whole("forward_fill")
def _forward_fill(s: Any, limit: Any = None, _groups: Any = None) -> Any:
    return _filled(s, _groups or Groups.one(len(s)), False, limit)


@whole("backward_fill")
def _backward_fill(s: Any, limit: Any = None, _groups: Any = None) -> Any:
    return _filled(s, _groups or Groups.one(len(s)), True, limit)


@whole("interpolate")
def _interpolate(s: Any, method: str = "linear") -> Any:
    if not s.dtype.is_numeric():
        raise InvalidOperationError("`interpolate` operation not supported "
                                    f"for dtype `{s.dtype.text()}`")
    kind = t.Float32() if isinstance(s.dtype, t.Float32) else t.Float64()
    known = np.flatnonzero(~s._nulls())
    if not len(known):
        return s.cast(kind) if method == "linear" else s
    at = np.arange(len(s))
    outside = (at < known[0]) | (at > known[-1])
    if method == "nearest":
        after = known[np.minimum(np.searchsorted(known, at), len(known) - 1)]
        before = known[np.maximum(np.searchsorted(known, at, "right") - 1, 0)]
        rows = np.where(at - before < after - at, before, after)
        return s._take_or_null(np.where(outside, -1, rows))
    values = np.interp(at, known, s._v[known].astype("f8"))
    return made(s, kind, values.astype(kind.numpy), store.any_null(outside))


# -- running totals


def _running(s: Any, how: Any, empty: Any, kind: Any, reverse: bool) -> Any:
    values = s._v.astype(kind.numpy) if s._m is None else \
        np.where(s._m, empty, s._v).astype(kind.numpy)
    if values.dtype.kind in "mM":
        values = values.view("i8")
    if reverse:
        values = values[::-1]
    found = how.accumulate(values) if len(values) else values
    if reverse:
        found = found[::-1]
    return made(s, kind, found.astype(kind.numpy), s._m)


@whole("cum_sum")
def _cum_sum(s: Any, *, reverse: bool = False) -> Any:
    kind = sum_kind(s.dtype)
    return _running(s, np.add, 0, kind, reverse)


@whole("cum_prod")
def _cum_prod(s: Any, *, reverse: bool = False) -> Any:
    kind = s.dtype if s.dtype.is_float() else t.Int64()
    return _running(s, np.multiply, 1, kind, reverse)


def _ends(kind: Any) -> Any:
    if kind.is_float():
        return -np.inf, np.inf
    limits = np.iinfo("i8" if kind.is_temporal() else kind.numpy)
    return limits.min, limits.max


@whole("cum_max")
def _cum_max(s: Any, *, reverse: bool = False) -> Any:
    return _running(s, np.maximum, _ends(s.dtype)[0], s.dtype, reverse)


@whole("cum_min")
def _cum_min(s: Any, *, reverse: bool = False) -> Any:
    return _running(s, np.minimum, _ends(s.dtype)[1], s.dtype, reverse)


@whole("cum_count")
def _cum_count(s: Any, *, reverse: bool = False) -> Any:
    some = (~s._nulls()).astype("u4")
    if reverse:
        return made(s, t.UInt32, np.cumsum(some[::-1])[::-1].astype("u4"))
    return made(s, t.UInt32, np.cumsum(some).astype("u4"))


# -- ranks


@whole("rank")
def _rank(s: Any, method: str = "average", *, descending: bool = False,
          seed: Any = None, _groups: Any = None) -> Any:
    names = {"average": "average", "min": "min", "max": "max",
             "dense": "dense", "ordinal": "first"}
    if method == "random":
        raise not_here("rank(method='random')")
    if method not in names:
        raise ValueError("`method` must be one of {'average', 'min', 'max', "
                         f"'dense', 'ordinal', 'random'}}, got {method!r}")
    order = codes(s).astype("f8")
    if descending:
        order = -order
    order[s._nulls()] = np.nan
    column = pd.Series(order)
    if _groups is not None and _groups.count > 1:
        column = column.groupby(_groups.of)
    found = column.rank(method=names[method]).to_numpy()
    mask = s._m
    kind = t.Float64() if method == "average" else t.UInt32()
    if mask is not None:
        found = np.where(mask, 0, found)
    return made(s, kind, found.astype(kind.numpy), mask)


@whole("is_duplicated")
def _is_duplicated(s: Any) -> Any:
    g = Groups.by([s])
    return made(s, t.Boolean, g.sizes[g.of] > 1)


@whole("is_unique")
def _is_unique(s: Any) -> Any:
    g = Groups.by([s])
    return made(s, t.Boolean, g.sizes[g.of] == 1)


@whole("is_first_distinct")
def _is_first_distinct(s: Any) -> Any:
    return made(s, t.Boolean, ~pd.Series(codes(s)).duplicated().to_numpy())


@whole("is_last_distinct")
def _is_last_distinct(s: Any) -> Any:
    return made(s, t.Boolean,
                ~pd.Series(codes(s)).duplicated(keep="last").to_numpy())


@whole("rle_id")
def _rle_id(s: Any) -> Any:
    found = codes(s)
    new = np.r_[0, (found[1:] != found[:-1]).astype("u4")] if len(s) else found
    return made(s, t.UInt32, np.cumsum(new).astype("u4"))


@whole("qcut")
def _qcut(s: Any, quantiles: Any, *, labels: Any = None,
          left_closed: bool = False, allow_duplicates: bool = False,
          include_breaks: bool = False) -> Any:
    if isinstance(quantiles, int):
        quantiles = [one / quantiles for one in range(1, quantiles)]
    values = s._v[~s._nulls()].astype("f8")
    breaks = np.quantile(values, quantiles).tolist()
    if len(set(breaks)) < len(breaks) and not allow_duplicates:
        from .exceptions import DuplicateError
        raise DuplicateError("quantiles are not unique while "
                             "allow_duplicates=False")
    return s.cut(list(dict.fromkeys(breaks)), labels=labels,
                 left_closed=left_closed, include_breaks=include_breaks)


# -- rolling windows


def _rolling(s: Any, window_size: Any, weights: Any, min_samples: Any,
             center: bool, how: str, **more: Any) -> Any:
    if weights is not None:
        raise not_here(f"rolling_{how}(weights=)")
    if not isinstance(window_size, (int, np.integer)):
        raise TypeError("`window_size` is a number of rows here; "
                        f"rolling_{how}_by takes a duration")
    kind = s.dtype
    plain = pd.Series(np.where(s._nulls(), np.nan, s._v.astype("f8")))
    window = plain.rolling(int(window_size), center=center, min_periods=(
        window_size if min_samples is None else min_samples))
    found = getattr(window, how)(**more).to_numpy()
    mask = store.any_null(np.isnan(found))
    if how == "sum" or how in ("min", "max"):
        kind = sum_kind(kind) if how == "sum" else kind
    elif not isinstance(kind, t.Float32):
        kind = t.Float64()
    if mask is not None:
        found = np.where(mask, 0, found)
    if kind.is_integer():
        found = np.rint(found)
    return made(s, kind, found.astype(kind.numpy), mask)


def _give_rolling(how: str) -> None:
    def run(s: Any, window_size: int, weights: Any = None,
            min_samples: Any = None, *, min_periods: Any = None,
            center: bool = False) -> Any:
        least = min_periods if min_samples is None else min_samples
        return _rolling(s, window_size, weights, least, center, how)
    whole(f"rolling_{how}")(run)


for _how in ("sum", "mean", "min", "max", "median"):
    _give_rolling(_how)


def _give_spread(how: str) -> None:
    def run(s: Any, window_size: int, weights: Any = None,
            min_samples: Any = None, *, min_periods: Any = None,
            center: bool = False, ddof: int = 1) -> Any:
        least = min_periods if min_samples is None else min_samples
        return _rolling(s, window_size, weights, least, center, how,
                        ddof=ddof)
    whole(f"rolling_{how}")(run)


_give_spread("std")
_give_spread("var")


@whole("rolling_quantile")
def _rolling_quantile(s: Any, quantile: float, interpolation: str = "nearest",
                      window_size: int = 2, weights: Any = None,
                      min_samples: Any = None, *, min_periods: Any = None,
                      center: bool = False) -> Any:
    least = min_periods if min_samples is None else min_samples
    return _rolling(s, window_size, weights, least, center, "quantile",
                    quantile=quantile, interpolation=interpolation)


@whole("rolling_map")
def _rolling_map(s: Any, function: Any, window_size: int, weights: Any = None,
                 min_samples: Any = None, *, min_periods: Any = None,
                 center: bool = False) -> Any:
    if weights is not None or center:
        raise not_here("rolling_map(weights= or center=)")
    least = min_periods if min_samples is None else min_samples
    least = window_size if least is None else least
    found = []
    for end in range(1, len(s) + 1):
        part = s[max(0, end - window_size):end]
        some = len(part) - part.null_count()
        found.append(function(part) if some >= least else None)
    return type(s)(s.name, found, strict=False)


def _decay(com: Any, span: Any, half_life: Any, alpha: Any) -> dict[str, Any]:
    given = {"com": com, "span": span, "halflife": half_life, "alpha": alpha}
    given = {name: one for name, one in given.items() if one is not None}
    if len(given) != 1:
        raise ValueError("must specify one of `com`, `span`, `half_life`, or "
                         "`alpha`")
    return given


def _give_ewm(how: str) -> None:
    def run(s: Any, *, com: Any = None, span: Any = None,
            half_life: Any = None, alpha: Any = None, adjust: bool = True,
            min_samples: int = 1, min_periods: Any = None,
            ignore_nulls: bool = False) -> Any:
        plain = pd.Series(np.where(s._nulls(), np.nan, s._v.astype("f8")))
        least = min_samples if min_periods is None else min_periods
        found = getattr(plain.ewm(
            **_decay(com, span, half_life, alpha), adjust=adjust,
            min_periods=least, ignore_na=ignore_nulls), how)().to_numpy()
        mask = store.any_null(np.isnan(found) | s._nulls())
        return made(s, t.Float64, found, mask)
    whole(f"ewm_{how}")(run)


for _how in ("mean", "std", "var"):
    _give_ewm(_how)


@whole("cumulative_eval")
def _cumulative_eval(s: Any, *_: Any, **__: Any) -> Any:
    raise not_here("cumulative_eval")


FAST = frozenset({"shift", "diff", "pct_change", "fill_null", "forward_fill",
                  "backward_fill", "rank"})
