"""Rows in groups, and tables joined."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _statistics as s
from . import _types as t
from ._array import Array, make, take
from ._build import array
from ._chunks import chunked
from ._errors import ArrowInvalid, ArrowKeyError, lacks
from ._schema import Schema
from ._sorting import codes_of, unique
from ._table import Table


def _numbers(columns: list[Array]) -> tuple[Any, int]:
    """The number of each row's group, by first appearance; a null is a value
    as others."""
    import pandas
    whole = None
    for one in columns:
        codes = codes_of(one)[0] + 1
        whole = codes if whole is None else pandas.factorize(
            whole * (int(codes.max(initial=0)) + 1) + codes)[0]
    found, names = pandas.factorize(whole)
    return found, len(names)


def _list(one: Array) -> Any:
    return one.to_pylist()


_SCALARS = {"sum": s.sum, "mean": s.mean, "min": s.min, "max": s.max,
            "count": s.count, "count_distinct": s.count_distinct,
            "stddev": s.stddev, "variance": s.variance, "any": s.any,
            "all": s.all, "product": s.product, "first": s.first,
            "last": s.last, "min_max": s.min_max,
            "approximate_median": s.approximate_median}


class TableGroupBy:
    """Rows of a table in groups."""

    def __init__(self, table: Any, keys: Any) -> None:
        self._table = table
        self.keys = [keys] if isinstance(keys, str) else list(keys)
        for one in self.keys:
            if one not in table.column_names:
                raise ArrowKeyError(f"No match for FieldRef.Name({one})")

    def aggregate(self, aggregations: Any) -> Any:
        """(column, function) or (column, function, options) for each."""
        whole = [self._table[one].combine_chunks() for one in self.keys]
        if not whole:
            group, count = np.zeros(self._table.num_rows, int), 1
        else:
            group, count = _numbers(whole)
        order = np.argsort(group, kind="stable")
        cuts = np.searchsorted(group[order], np.arange(count + 1))
        names, columns = list(self.keys), []
        first = order[cuts[:-1]]
        columns += [take(one, first) for one in whole]
        for column, function, *options in aggregations:
            name, made = self._one(column, function, options, order, cuts)
            names.append(name)
            columns.append(made)
        return Table.from_arrays(columns, names)

    def _one(self, column: Any, function: str, options: list[Any],
             order: Any, cuts: Any) -> tuple[str, Array]:
        function = function.removeprefix("hash_")
        if function == "count_all":
            return "count_all", make(t.int64(), np.diff(cuts).astype("i8"))
        if isinstance(column, (list, tuple)):
            raise lacks("aggregate() of several columns at once")
        if column not in self._table.column_names:
            raise ArrowKeyError(f"No match for FieldRef.Name({column})")
        one = self._table[column].combine_chunks()
        if one.type._kind == "dictionary":
            one = one.dictionary_decode()
        parts = take(one, order)
        named = dict(options[0].given) if options and options[0] else {}
        made = self._made(one.type, function, parts, cuts, named)
        return f"{column}_{function}", made

    def _made(self, kind: Any, function: str, parts: Array, cuts: Any,
              named: dict[str, Any]) -> Array:
        fast = _fast(function, parts, cuts) if not named else None
        if fast is not None:
            return fast
        pieces = [parts[a:b] for a, b in zip(cuts, cuts[1:])]
        if function == "list":
            return array([one.to_pylist() for one in pieces], t.list_(kind))
        if function == "distinct":
            return array([unique(one).to_pylist() for one in pieces],
                         t.list_(kind))
        if function == "one":
            return array([one[0].as_py() for one in pieces], kind)
        if function not in _SCALARS:
            raise lacks(f"The aggregation {function!r}")
        found = [_SCALARS[function](one, **named) for one in pieces]
        type_ = found[0].type if found else _SCALARS[function](parts).type
        return array([one.as_py() for one in found], type_)


def _fast(function: str, parts: Array, cuts: Any) -> Any:
    """Sums, means and counts of numbers, at once."""
    mask, size = parts._mask, np.diff(cuts)
    if not len(size) or not size.all() or function not in (
            "sum", "mean", "count"):
        return None
    held = np.add.reduceat(mask.astype("i8"), cuts[:-1])
    if function == "count":
        return make(t.int64(), held)
    if parts.type._kind not in t.INTEGERS | t.FLOATS:
        return None
    type_ = s._sum_type(parts.type)
    values = np.where(mask, parts._values, 0).astype(
        float if function == "mean" else type_._np)
    total = np.add.reduceat(values, cuts[:-1])
    if function == "sum":
        return make(type_, total, held > 0)
    with np.errstate(all="ignore"):
        return make(t.float64(), np.where(held > 0, total / held, 0),
                    held > 0)


# -- joins

_KINDS = ("inner", "left outer", "right outer", "full outer", "left semi",
          "left anti", "right semi", "right anti")


def _matched(left: Any, right: Any, size: int) -> tuple[Any, Any]:
    """Pairs of places of rows with the same key; -1 is no key."""
    order = np.argsort(right, kind="stable")
    order = order[right[order] >= 0]
    ordered = right[order]
    low = np.searchsorted(ordered, left, "left")
    high = np.where(left < 0, low, np.searchsorted(ordered, left, "right"))
    count = high - low
    a = np.repeat(np.arange(size), count)
    begin = np.repeat(np.cumsum(count) - count, count)
    b = order[np.arange(len(a)) - begin + np.repeat(low, count)]
    return a, b


def join(left: Any, right: Any, keys: Any, right_keys: Any, kind: str,
         left_suffix: Any, right_suffix: Any) -> Any:
    """Table.join()"""
    if kind not in _KINDS:
        raise ValueError(f"Unsupported join type: {kind}")
    keys = [keys] if isinstance(keys, str) else list(keys)
    others = keys if right_keys is None else [right_keys] if isinstance(
        right_keys, str) else list(right_keys)
    mine, its = _key_codes(left, right, keys, others)
    if kind.startswith("right s") or kind.startswith("right a"):
        found = np.isin(its, mine[mine >= 0])
        return right.filter(found if "semi" in kind else ~found)
    if kind in ("left semi", "left anti"):
        found = np.isin(mine, its[its >= 0])
        return left.filter(found if "semi" in kind else ~found)
    a, b = _matched(mine, its, left.num_rows)
    if kind in ("left outer", "full outer"):
        alone = np.setdiff1d(np.arange(left.num_rows), a)
        a = np.append(a, alone)
        b = np.append(b, np.full(len(alone), -1))
    if kind in ("right outer", "full outer"):
        alone = np.setdiff1d(np.arange(right.num_rows), b)
        a = np.append(a, np.full(len(alone), -1))
        b = np.append(b, alone)
    return _joined(left, right, keys, others, kind, a, b, left_suffix,
                   right_suffix)


def _key_codes(left: Any, right: Any, keys: list[str],
               others: list[str]) -> tuple[Any, Any]:
    """Numbers of the keys' values in both tables, -1 where one is null."""
    from ._array import concat
    columns = []
    nulls = np.zeros(left.num_rows + right.num_rows, bool)
    for one, two in zip(keys, others):
        a, b = left[one].combine_chunks(), right[two].combine_chunks()
        if a.type != b.type:
            raise ArrowInvalid(f"Incompatible data types for corresponding "
                               f"join field keys: FieldRef.Name({one}) of "
                               f"type {a.type} and FieldRef.Name({two}) of "
                               f"type {b.type}")
        both = concat(a.type, [a, b])
        nulls |= ~both._mask
        columns.append(both)
    codes, _ = _numbers(columns)
    codes = np.where(nulls, -1, codes)
    return codes[:left.num_rows], codes[left.num_rows:]


def _joined(left: Any, right: Any, keys: list[str], others: list[str],
            kind: str, a: Any, b: Any, left_suffix: Any,
            right_suffix: Any) -> Any:
    fields, columns = [], []
    shared = set(left.column_names) & {
        one for one in right.column_names if one not in others}
    for field in left.schema:
        one = left[field.name].combine_chunks()
        made = take(one, a)
        if field.name in keys and kind in ("right outer", "full outer"):
            its = right[others[keys.index(field.name)]].combine_chunks()
            from ._functions import _chosen
            made = _chosen(a >= 0, made, take(its, b))
        clash = field.name in shared and field.name not in keys
        fields.append(field.with_name(field.name + (left_suffix or "")
                                      if clash else field.name))
        columns.append(made)
    for field in right.schema:
        if field.name in others:
            continue
        clash = field.name in shared
        fields.append(field.with_name(field.name + (right_suffix or "")
                                      if clash else field.name))
        columns.append(take(right[field.name].combine_chunks(), b))
    return Table(Schema(fields), [chunked(one) for one in columns])
