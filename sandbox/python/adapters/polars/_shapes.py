"""_shapes - operations that reorder values, or give another number of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _store as store
from . import _types as t
from ._aggs import made
from ._groups import Groups, codes
from ._registry import shape, whole
from ._series import Series, as_series, concat, counts_of
from .exceptions import InvalidOperationError, not_here


def flags(value: Any, count: int, word: str) -> list[bool]:
    """VALUE, which is one truth or one for each of COUNT columns."""
    if isinstance(value, bool):
        return [value] * count
    found = list(value)
    if len(found) == 1:
        found *= count
    if len(found) != count:
        raise ValueError(f"the length of `{word}` ({len(found)}) does not "
                         f"match the length of `by` ({count})")
    return found


def order_of(columns: list[Any], descending: Any = False,
             nulls_last: Any = False) -> Any:
    """The rows in the order of COLUMNS; equal ones stay as they are."""
    down = flags(descending, len(columns), "descending")
    last = flags(nulls_last, len(columns), "nulls_last")
    keys = []
    for column, falls, end in zip(columns, down, last):
        found = codes(column)
        null = found < 0
        found = -found if falls else found
        edge = len(found) + 1
        keys.append(np.where(null, edge if end else -edge, found))
    return np.lexsort(keys[::-1]) if keys else np.arange(0)


@shape("filter")
def _filter(s: Any, *predicates: Any) -> Any:
    keep = np.ones(len(s), bool)
    for one in predicates:
        one = Series("", one) if not isinstance(one, Series) else one
        if not isinstance(one.dtype, (t.Boolean, t.Null)):
            raise InvalidOperationError(
                "filter predicate must be of type `Boolean`, got "
                f"`{one.dtype!r}`")
        one = one.cast(t.Boolean)._spread(len(s))
        keep &= one._v & ~one._nulls()
    return s._take(np.flatnonzero(keep))


@whole("sort")
def _sort(s: Any, *, descending: bool = False, nulls_last: bool = False,
          multithreaded: bool = True, in_place: bool = False) -> Any:
    return s._take(order_of([s], descending, nulls_last))


@whole("arg_sort")
def _arg_sort(s: Any, *, descending: bool = False,
              nulls_last: bool = False) -> Any:
    return made(s, t.UInt32, order_of([s], descending,
                                      nulls_last).astype("u4"))


@shape("sort_by", "by", "more_by")
def _sort_by(s: Any, by: Any, *more_by: Any, descending: Any = False,
             nulls_last: Any = False, multithreaded: bool = True,
             maintain_order: bool = False) -> Any:
    by = list(by) if isinstance(by, (list, tuple)) else [by]
    return s._take(order_of([*by, *more_by], descending, nulls_last))


@whole("reverse")
def _reverse(s: Any) -> Any:
    return s._take(np.arange(len(s))[::-1])


@whole("shuffle")
def _shuffle(s: Any, seed: Any = None) -> Any:
    return s._take(np.random.default_rng(seed).permutation(len(s)))


@shape("head")
def _head(s: Any, n: int = 10) -> Any:
    return s._take(np.arange(len(s))[:n])


@shape("limit")
def _limit(s: Any, n: int = 10) -> Any:
    return _head(s, n)


@shape("tail")
def _tail(s: Any, n: int = 10) -> Any:
    rows = np.arange(len(s))
    return s._take(rows[-n:] if n > 0 else rows[-n:][:len(s) if n else 0])


@shape("slice")
def _slice(s: Any, offset: int, length: Any = None) -> Any:
    offset = int(getattr(offset, "item", lambda: offset)())
    if offset < 0:
        offset = len(s) + offset
        if offset < 0 and length is not None:
            length = max(0, length + offset)
        offset = max(0, offset)
    end = len(s) if length is None else offset + int(length)
    return s._take(np.arange(len(s))[offset:end])


@shape("unique")
def _unique(s: Any, *, maintain_order: bool = False) -> Any:
    g = Groups.by([s])
    return s._take(g.order[g.starts]) if len(s) else s


@shape("arg_unique")
def _arg_unique(s: Any) -> Any:
    g = Groups.by([s])
    return made(s, t.UInt32, g.order[g.starts].astype("u4"))


@shape("drop_nulls")
def _drop_nulls(s: Any) -> Any:
    return s if s._m is None else s._take(np.flatnonzero(~s._m))


@shape("drop_nans")
def _drop_nans(s: Any) -> Any:
    if not s.dtype.is_float():
        return s
    return s._take(np.flatnonzero(~np.isnan(s._v) | s._nulls()))


@shape("gather")
def _gather(s: Any, indices: Any) -> Any:
    indices = as_series(indices)
    rows = indices._v.astype("i8")
    if len(rows) and (rows.max() >= len(s) or rows.min() < -len(s)):
        from .exceptions import OutOfBoundsError
        raise OutOfBoundsError("gather indices are out of bounds")
    rows = np.where(rows < 0, rows + len(s), rows)
    if indices._m is not None:
        rows = np.where(indices._m, -1, rows)
    return s._take_or_null(rows)


@shape("gather_every")
def _gather_every(s: Any, n: int, offset: int = 0) -> Any:
    return s._take(np.arange(len(s))[offset::n])


@shape("arg_true")
def _arg_true(s: Any) -> Any:
    return made(s, t.UInt32,
                np.flatnonzero(s._v & ~s._nulls()).astype("u4"))


@shape("mode")
def _mode(s: Any) -> Any:
    g = Groups.by([s])
    if not len(s):
        return s
    best = g.sizes == g.sizes.max()
    return s._take(g.order[g.starts[best]])


@shape("top_k")
def _top_k(s: Any, k: int = 5) -> Any:
    return _head(s._take(order_of([s], True, True)), k)


@shape("bottom_k")
def _bottom_k(s: Any, k: int = 5) -> Any:
    return _head(s._take(order_of([s], False, True)), k)


@shape("top_k_by", "by")
def _top_k_by(s: Any, by: Any, k: int = 5, *, reverse: Any = False) -> Any:
    by = list(by) if isinstance(by, (list, tuple)) else [by]
    down = [not one for one in flags(reverse, len(by), "reverse")]
    return _head(s._take(order_of(by, down, True)), k)


@shape("bottom_k_by", "by")
def _bottom_k_by(s: Any, by: Any, k: int = 5, *, reverse: Any = False) -> Any:
    by = list(by) if isinstance(by, (list, tuple)) else [by]
    return _head(s._take(order_of(by, flags(reverse, len(by), "reverse"),
                                  True)), k)


@shape("sample")
def _sample(s: Any, n: Any = None, *, fraction: Any = None,
            with_replacement: bool = False, shuffle: bool = False,
            seed: Any = None) -> Any:
    return s._take(sampled(len(s), n, fraction, with_replacement, shuffle,
                           seed))


def sampled(length: int, n: Any, fraction: Any, again: bool, shuffle: bool,
            seed: Any) -> Any:
    """Rows by chance."""
    if n is not None and fraction is not None:
        raise ValueError("cannot specify both `n` and `fraction`")
    if fraction is not None:
        n = int(length * fraction)
    n = 1 if n is None else int(n)
    if n > length and not again:
        from .exceptions import ShapeError
        raise ShapeError("cannot take a larger sample than the total "
                         "population when `with_replacement=false`")
    rows = np.random.default_rng(seed).choice(length, n, replace=again)
    return rows


@shape("value_counts")
def _value_counts(s: Any, *, sort: bool = False, parallel: bool = False,
                  name: Any = None, normalize: bool = False) -> Any:
    return struct_of(counts_of(s, sort, name, normalize)).alias(s.name)


@shape("unique_counts")
def _unique_counts(s: Any) -> Any:
    return made(s, t.UInt32, Groups.by([s]).sizes.astype("u4"))


def struct_of(columns: list[Any]) -> Any:
    """A column of structs, with COLUMNS as its fields."""
    length = max(map(len, columns))
    lists = [one._spread(length).to_list() for one in columns]
    names = [one.name for one in columns]
    values = [dict(zip(names, row)) for row in zip(*lists)]
    kind = t.Struct({one.name: one.dtype for one in columns})
    return Series._of(columns[0].name, kind, store.objects(values))


@shape("explode")
def _explode(s: Any) -> Any:
    if not isinstance(s.dtype, t.List):
        raise InvalidOperationError("`explode` operation not supported for "
                                    f"dtype `{s.dtype.text()}`")
    found: list[Any] = []
    for one in s._v:
        found += one if one else [None]
    return Series(s.name, found, s.dtype.inner)


@shape("flatten")
def _flatten(s: Any) -> Any:
    return _explode(s)


@shape("extend_constant")
def _extend_constant(s: Any, value: Any, n: int) -> Any:
    return concat([s, Series("", [value] * n, s.dtype)])


@shape("append")
def _append(s: Any, other: Any, *, upcast: bool = True) -> Any:
    return concat([s, other], upcast)


@shape("map_batches")
def _map_batches(s: Any, function: Any, return_dtype: Any = None, *,
                 agg_list: bool = False, is_elementwise: bool = False,
                 returns_scalar: bool = False) -> Any:
    if agg_list:
        raise not_here("map_batches(agg_list=True)", "map_elements")
    found = function(s)
    if not isinstance(found, Series):
        found = Series(s.name, found if hasattr(found, "__len__") and
                       not isinstance(found, str) else [found])
    return found if return_dtype is None else found.cast(return_dtype)


@shape("rle")
def _rle(s: Any) -> Any:
    raise not_here("rle", "rle_id")


@shape("search_sorted")
def _search_sorted(s: Any, element: Any, side: str = "any") -> Any:
    side = "left" if side == "any" else side
    element = as_series(element)
    found = np.searchsorted(s._v, element._v, side)  # type: ignore[arg-type]
    return made(s, t.UInt32, found.astype("u4"))


@shape("reshape")
def _reshape(s: Any, dimensions: Any) -> Any:
    raise not_here("reshape")


