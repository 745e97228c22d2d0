"""_join - two frames beside each other, or one below the other.

Rows stand in the order of the left frame, and those that match the same row in
the order of the right one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _spans as spans
from . import _types as t
from ._expr import exprs_of
from ._groups import codes, combined
from ._series import Series, concat as one_below
from .exceptions import (ComputeError, DuplicateError, InvalidOperationError,
                         SchemaError, ShapeError, not_here)

HOW = ("inner", "left", "right", "full", "semi", "anti", "cross", "outer",
       "outer_coalesce")


def _pair_codes(left: list[Any], right: list[Any], nulls: bool) -> Any:
    """Numbers of the keys, equal where keys are; -1 and -2 match nothing."""
    found = []
    missing = [np.zeros(len(side[0]), bool) for side in (left, right)]
    for one, two in zip(left, right):
        kind = t.supertype(one.dtype, two.dtype)
        if kind is None or one.dtype.is_numeric() != two.dtype.is_numeric():
            raise SchemaError(
                f"datatypes of join keys don't match - `{one.name}`: "
                f"{one.dtype.text()} on left does not match `{two.name}`: "
                f"{two.dtype.text()} on right")
        for side, series in zip(missing, (one, two)):
            side |= series._nulls()
        found.append(codes(one_below([one.cast(kind), two.cast(kind)])))
    both = combined(found)
    size = len(left[0])
    a, b = both[:size].copy(), both[size:].copy()
    if not nulls:
        a[missing[0]], b[missing[1]] = -1, -2
    elif len(left) == 1:
        a[missing[0]], b[missing[1]] = both.max(initial=0) + 1, \
            both.max(initial=0) + 1
    return a, b


def _matches(a: Any, b: Any) -> Any:
    """For each of A how many of B are equal, and the rows of those."""
    order = np.argsort(b, kind="stable")
    ordered = b[order]
    start = np.searchsorted(ordered, a, "left")
    count = np.searchsorted(ordered, a, "right") - start
    count = np.where(a < 0, 0, count)
    total = int(count.sum())
    ends = np.cumsum(count)
    inside = np.arange(total) - np.repeat(ends - count, count)
    return count, order[np.repeat(start, count) + inside] if total else \
        np.zeros(0, "i8")


def _check(validate: str, a: Any, b: Any) -> None:
    if validate not in ("m:m", "m:1", "1:m", "1:1"):
        raise ValueError("`validate` must be one of {'m:m', 'm:1', '1:m', "
                         f"'1:1'}}, got {validate!r}")
    for side, known in ((validate[0], a), (validate[2], b)):
        known = known[known >= 0]
        if side == "1" and len(np.unique(known)) < len(known):
            raise ComputeError(f"join keys did not fulfill {validate} "
                               "validation")


def _rows(how: str, a: Any, b: Any) -> Any:
    """The rows of both frames, side by side, -1 where one has none."""
    if how == "right":
        right, left = _rows("left", b, a)
        return left, right
    count, rows = _matches(a, b)
    at = np.arange(len(a))
    if how == "inner":
        return np.repeat(at, count), rows
    left = np.repeat(at, np.maximum(count, 1))
    right = np.full(len(left), -1, "i8")
    right[np.repeat(count > 0, np.maximum(count, 1))] = rows
    if how == "full":
        rest = np.ones(len(b), bool)
        rest[rows] = False
        more = np.flatnonzero(rest)
        left = np.concatenate([left, np.full(len(more), -1, "i8")])
        right = np.concatenate([right, more])
    return left, right


def _keys(frame: Any, wanted: Any) -> list[Any]:
    return frame._selected(exprs_of(wanted))  # type: ignore[no-any-return]


def join(left: Any, other: Any, on: Any, how: str, left_on: Any,
         right_on: Any, suffix: str, validate: str, nulls: bool,
         coalesce: Any) -> Any:
    if not hasattr(other, "_columns"):
        raise TypeError("expected `other` to be a 'DataFrame', not "
                        f"{type(other).__name__!r}")
    if how not in HOW:
        raise ValueError("`how` must be one of {'inner', 'left', 'right', "
                         "'full', 'semi', 'anti', 'cross'}, got "
                         f"{how!r}")
    if how == "cross":
        if on is not None or left_on is not None or right_on is not None:
            raise ValueError("cross join should not pass join keys")
        rows = np.repeat(np.arange(left.height), other.height)
        more = np.tile(np.arange(other.height), left.height)
        return _beside(left._rows(rows), other._rows(more), suffix)
    if how == "outer_coalesce":
        how, coalesce = "full", True
    how = "full" if how == "outer" else how
    if on is not None:
        if left_on is not None or right_on is not None:
            raise ValueError("cannot use 'on' in conjunction with 'left_on' "
                             "or 'right_on'")
        left_on = right_on = on
    if left_on is None or right_on is None:
        raise ValueError("must specify `on` OR `left_on` and `right_on`")
    mine, theirs = _keys(left, left_on), _keys(other, right_on)
    if len(mine) != len(theirs):
        raise InvalidOperationError("the number of columns given as join key "
                                    "should be equal")
    a, b = _pair_codes(mine, theirs, nulls)
    _check(validate, a, b)
    if how in ("semi", "anti"):
        some = _matches(a, b)[0] > 0
        return left._rows(np.flatnonzero(some == (how == "semi")))
    return _paired(left, other, mine, theirs, _rows(how, a, b), how, suffix,
                   how != "full" if coalesce is None else coalesce)


def _paired(left: Any, other: Any, mine: Any, theirs: Any, rows: Any,
            how: str, suffix: str, coalesce: bool) -> Any:
    columns = {name: one._take_or_null(rows[0])
               for name, one in left._columns.items()}
    more = {name: one._take_or_null(rows[1])
            for name, one in other._columns.items()}
    if coalesce:
        for one, two in zip(mine, theirs):
            if one.name not in columns or two.name not in more:
                continue
            if how == "right":
                if one.name == two.name or one.name in columns:
                    columns.pop(one.name)
                continue
            key = more.pop(two.name)
            if how == "full":
                key = key.cast(t.supertype(key.dtype, one.dtype))
                from ._ops import coalesce as first_known
                columns[one.name] = first_known(columns[one.name], key)
    return _beside(left._of(columns.values()), other._of(more.values()),
                   suffix)


def _beside(left: Any, other: Any, suffix: str) -> Any:
    found = list(left._columns.values())
    names = set(left._columns)
    for name, one in other._columns.items():
        title = name + suffix if name in names else name
        if title in names:
            raise DuplicateError(
                f"column with name '{title}' already exists\n\nYou may want "
                "to try:\n- renaming the column prior to joining\n- using the "
                "`suffix` parameter to specify a suffix different to the "
                "default one ('_right')")
        names.add(title)
        found.append(one.alias(title))
    return left._of(found)


# -- asof


def _numbers(one: Any, two: Any) -> Any:
    kind = t.supertype(one.dtype, two.dtype)
    if kind is None or t.is_object(kind):
        raise ComputeError("join_asof needs keys that are numbers or times")
    a, b = one.cast(kind)._v, two.cast(kind)._v
    return (a.view("i8"), b.view("i8"), kind) if a.dtype.kind in "mM" \
        else (a, b, kind)


def _limit(tolerance: Any, kind: Any) -> Any:
    if tolerance is None:
        return np.inf
    if not kind.is_temporal():
        return tolerance
    nanos = spans.span_of(tolerance).fixed
    scale = {"D": spans.DAY, "ms": 10 ** 6, "us": 1000, "ns": 1}[
        np.datetime_data(np.dtype(kind.numpy))[0]]
    return nanos / scale


def _nearest(a: Any, b: Any, strategy: str) -> Any:
    """For each of A the place of the near one of B, which is sorted."""
    back = np.searchsorted(b, a, "right") - 1
    ahead = np.searchsorted(b, a, "left")
    ahead = np.where(ahead >= len(b), -1, ahead)
    if strategy == "backward":
        return back
    if strategy == "forward":
        return ahead
    with np.errstate(over="ignore"):
        gap_back = np.where(back < 0, np.inf, np.abs(a - b[back]))
        gap_ahead = np.where(ahead < 0, np.inf, np.abs(b[ahead] - a))
    return np.where(gap_ahead <= gap_back, ahead, back)


def join_asof(left: Any, other: Any, left_on: Any, right_on: Any,
              by_left: Any, by_right: Any, strategy: str, suffix: str,
              tolerance: Any, coalesce: bool) -> Any:
    if strategy not in ("backward", "forward", "nearest"):
        raise ValueError("`strategy` must be one of {'backward', 'forward', "
                         f"'nearest'}}, got {strategy!r}")
    one, two = _keys(left, left_on)[0], _keys(other, right_on)[0]
    a, b, kind = _numbers(one, two)
    groups = (np.zeros(len(a), "i8"), np.zeros(len(b), "i8"))
    mine = theirs = []
    if by_left is not None:
        mine, theirs = _keys(left, by_left), _keys(other, by_right)
        groups = _pair_codes(mine, theirs, False)
    found = np.full(len(a), -1, "i8")
    for group in np.unique(groups[0]):
        rows = np.flatnonzero(groups[0] == group)
        near = np.flatnonzero(groups[1] == group)
        if group < 0 or not len(near):
            continue
        if (np.diff(b[near]) < 0).any() or (np.diff(a[rows]) < 0).any():
            raise InvalidOperationError(
                "argument in operation 'asof_join' is not sorted, please sort "
                "the 'expr/series/column' first")
        at = _nearest(a[rows], b[near], strategy)
        good = at >= 0
        far = np.abs(a[rows] - b[near[np.where(good, at, 0)]])
        good &= far <= _limit(tolerance, kind)
        found[rows] = np.where(good, near[np.where(good, at, 0)], -1)
    more = {name: s._take_or_null(found) for name, s in
            other._columns.items()}
    drop = [s.name for s in theirs]
    if coalesce and one.name == two.name:
        drop.append(two.name)
    elif coalesce:
        drop.append(two.name)
    rest = other._of(s for name, s in more.items() if name not in drop)
    return _beside(left, rest, suffix)


# -- below


def stacked(frames: list[Any], relaxed: bool) -> list[Any]:
    first = frames[0]
    for one in frames[1:]:
        if one.width != first.width:
            raise ShapeError(
                f"unable to append to a DataFrame of width {first.width} with "
                f"a DataFrame of width {one.width}")
        for mine, name in zip(first.columns, one.columns):
            if mine != name:
                raise ShapeError("unable to vstack, column names don't match: "
                                 f'"{mine}" and "{name}"')
    return [one_below([one._columns[name] for one in frames], relaxed)
            for name in first.columns]


def _diagonal(frames: list[Any], relaxed: bool) -> list[Any]:
    kinds: dict[str, Any] = {}
    for one in frames:
        for name, kind in one.schema.items():
            kinds.setdefault(name, kind)
    return [one_below([
        one._columns[name] if name in one._columns else
        Series.full_null(name, one.height, kind) for one in frames], relaxed)
        for name, kind in kinds.items()]


def _horizontal(frames: list[Any]) -> list[Any]:
    height = max(one.height for one in frames)
    found = []
    for one in frames:
        rows = np.arange(height)
        rows[one.height:] = -1
        found += [s if len(s) == height else s._take_or_null(rows)
                  for s in one._columns.values()]
    return found


def concat(items: Any, *, how: str = "vertical", rechunk: bool = False,
           parallel: bool = True) -> Any:
    """Frames or columns, put together."""
    items = list(items)
    if not items:
        raise ValueError("cannot concat empty list")
    first = items[0]
    lazy = hasattr(first, "collect")
    if lazy:
        items = [one.collect() for one in items]
        return concat(items, how=how).lazy()
    if isinstance(first, Series):
        return one_below(items, how.endswith("relaxed"))
    if not all(hasattr(one, "_columns") for one in items):
        raise TypeError("did not expect type: "
                        f"{type(first).__name__!r} in `concat`")
    relaxed = how.endswith("_relaxed")
    if how.startswith("vertical"):
        return first._of(stacked(items, relaxed))
    if how.startswith("diagonal"):
        return first._of(_diagonal(items, relaxed))
    if how == "horizontal":
        return first._of(_horizontal(items))
    if how.startswith("align"):
        raise not_here(f"concat(how={how!r})", "join(how='full')")
    raise ValueError("DataFrame `how` must be one of {'vertical', "
                     "'vertical_relaxed', 'diagonal', 'diagonal_relaxed', "
                     f"'horizontal'}}, got {how!r}")


