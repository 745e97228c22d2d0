"""Orders, ranks, distinct values, and where values are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from . import _types as t
from ._array import Array, factorized, make, objects, of_dictionary
from ._build import array, of_rows
from ._errors import ArrowInvalid, ArrowTypeError, lacks
from ._options import given as _given
from ._pairs import elementwise, plain, shaped
from ._scalars import Scalar


def codes_of(one: Array) -> tuple[Any, Array]:
    """Numbers of the distinct values by first appearance, -1 for a null, and
    those values."""
    if one.type._kind == "dictionary":
        one = one.dictionary_decode()
    if one.type._kind in ("list", "struct", "map"):
        seen: dict[str, int] = {}
        found = np.array([seen.setdefault(repr(row), len(seen))
                          for row in one._values], np.int64)
        found[~one._mask] = -1
        first = [int(np.argmax(found == i)) for i in range(len(seen))]
        return found, one.take(first)
    source = one._values
    if source.dtype.kind == "f":
        source = np.where(np.isnan(source), np.array(np.nan, source.dtype),
                          source).view(f"i{source.dtype.itemsize}")
    kept = np.flatnonzero(one._mask)
    codes, values = factorized(source[kept])
    found = np.full(len(one), -1, np.int64)
    found[kept] = codes
    values = np.asarray(values).view(one._values.dtype) \
        if one._values.dtype != object else values
    return found, make(one.type, values)


def dictionary_encode(values: Any, /, null_encoding: str = "mask", *,
                      options: Any = None) -> Any:
    if null_encoding != "mask":
        raise lacks(f"dictionary_encode() with null_encoding="
                    f"{null_encoding!r}")
    one = array(values).combine_chunks()
    if one.type._kind == "dictionary":
        return values
    codes, distinct = codes_of(one)
    kind = t.dictionary(t.int32(), one.type)
    return shaped(of_dictionary(kind, np.where(codes < 0, 0, codes).astype(
        "i4"), distinct, codes >= 0), values)


def _places(one: Array) -> tuple[Any, Any]:
    """The place of each distinct value's first, and how often it is: a null
    is a value too."""
    codes, _ = codes_of(one)
    codes, _ = pd.factorize(codes)
    if not len(codes):
        return codes, codes
    first = np.full(codes.max() + 1, len(codes))
    np.minimum.at(first, codes, np.arange(len(codes)))
    return first, np.bincount(codes)


def unique(array: Any, /, *, memory_pool: Any = None) -> Array:
    one = _whole(array)
    return one.take(make(t.int64(), _places(one)[0].astype("i8")))


def _whole(given: Any) -> Array:
    return array(given).combine_chunks()


def value_counts(array: Any, /, *, memory_pool: Any = None) -> Array:
    one = _whole(array)
    first, counts = _places(one)
    values = one.take(make(t.int64(), first.astype("i8")))
    rows = [{"values": value, "counts": count} for value, count in
            zip(values.to_pylist(), counts.tolist())]
    kind = one.type.value_type if one.type._kind == "dictionary" else one.type
    return of_rows(objects(rows), t.struct([("values", kind),
                                            ("counts", t.int64())]), False)


# -- orders

def _ranks(one: Array) -> Any:
    """Numbers in the order of the values; NaN after all of them."""
    if one.type._kind == "dictionary":
        one = one.dictionary_decode()
    if one.type._kind in ("list", "struct", "map"):
        raise ArrowTypeError(f"Sorting not supported for type {one.type}")
    codes, distinct = codes_of(one)
    values = distinct._values
    if values.dtype == object:
        order: Any = sorted(range(len(values)), key=values.__getitem__)
    else:
        order = np.argsort(values, kind="stable")
    rank = np.empty(len(values), np.int64)
    rank[np.asarray(order, np.int64)] = np.arange(len(values))
    if values.dtype.kind == "f":
        equal = {}
        for i in order:
            equal.setdefault(float(values[i]), rank[i])
        for i, value in enumerate(values):
            rank[i] = equal.get(float(value), rank[i])
    found = rank[codes] if len(values) else codes
    nan = np.zeros(len(one), bool)
    if values.dtype.kind == "f":
        nan = np.isnan(one._values) & one._mask
    return found, nan


def _key(one: Array, order: str, nulls: str) -> list[Any]:
    """Keys for lexsort, the least important first."""
    if order not in ("ascending", "descending"):
        raise ValueError(f"{order!r} is not a valid sort order")
    if nulls not in ("at_end", "at_start"):
        raise ValueError(f"{nulls!r} is not a valid null placement")
    rank, nan = _ranks(one)
    if order == "descending":
        rank = -rank
    away = np.where(one._mask, np.where(nan, 1, 0), 2)
    rank = np.where(away > 0, 0, rank)
    return [rank, away if nulls == "at_end" else -away]


def sort_indices(input: Any, /, sort_keys: Any = (), *,
                 null_placement: str = "at_end", options: Any = None) -> Array:
    if options is not None:
        return sort_indices(input, **_given(options))
    if not hasattr(input, "column_names"):
        order = "ascending"
        if sort_keys:
            order = sort_keys if isinstance(sort_keys, str) else \
                sort_keys[0][1]
        return array_sort_indices(input, order,
                                  null_placement=null_placement)
    if not sort_keys:
        raise ArrowInvalid("Must specify one or more sort keys")
    keys: list[Any] = []
    for name, order in reversed(list(sort_keys)):
        if name not in input.column_names:
            raise ArrowInvalid(f"Invalid sort key column: No match for "
                               f"FieldRef.Name({name}) in " + str(
                                   input.schema.remove_metadata()))
        keys += _key(input[name].combine_chunks() if hasattr(
            input[name], "combine_chunks") else input[name], order,
            null_placement)
    return make(t.uint64(), np.lexsort(keys).astype("u8"))


def array_sort_indices(array: Any, /, order: str = "ascending", *,
                       null_placement: str = "at_end",
                       options: Any = None) -> Array:
    if options is not None:
        return array_sort_indices(array, **_given(options))
    keys = _key(_whole(array), order, null_placement)
    return make(t.uint64(), np.lexsort(keys).astype("u8"))


def select_k_unstable(input: Any, /, k: int, sort_keys: Any = None) -> Array:
    return sort_indices(input, sort_keys)[:k]


def rank(input: Any, /, sort_keys: str = "ascending", *,
         null_placement: str = "at_end", tiebreaker: str = "first") -> Array:
    one = _whole(input)
    keys = _key(one, sort_keys, null_placement)
    order = np.lexsort(keys)
    found = np.empty(len(one), np.int64)
    found[order] = np.arange(1, len(one) + 1)
    if tiebreaker == "first":
        return make(t.uint64(), found.astype("u8"))
    if tiebreaker not in ("min", "max", "dense"):
        raise ValueError(f"{tiebreaker!r} is not a valid tiebreaker")
    ordered = np.stack(keys, 1)[order]
    new = np.ones(len(one), bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(1)
    group = np.cumsum(new)
    number = group
    if tiebreaker != "dense":
        starts = np.flatnonzero(new)
        ends = np.append(starts[1:], len(one))
        number = (starts + 1 if tiebreaker == "min" else ends)[group - 1]
    found[order] = number
    return make(t.uint64(), found.astype("u8"))


# -- where values are

def _as(value_set: Any, kind: Any) -> Array:
    found = _whole(value_set)
    if found.type._kind == "dictionary":
        found = found.dictionary_decode()
    return found if found.type == kind else found.cast(kind)


@elementwise
def is_in(one: Array, /, value_set: Any = None, *,
          skip_nulls: bool = False) -> Array:
    known = set(_as(value_set, one.type).to_pylist())
    if skip_nulls:
        known.discard(None)
    return make(t.bool_(), np.array([row in known for row in one.to_pylist()],
                                    bool))


@elementwise
def index_in(one: Array, /, value_set: Any = None, *,
             skip_nulls: bool = False) -> Array:
    known: dict[Any, int] = {}
    for i, value in enumerate(_as(value_set, one.type).to_pylist()):
        if value is not None or not skip_nulls:
            known.setdefault(value, i)
    return of_rows(objects([known.get(row) for row in one.to_pylist()]),
                   t.int32(), False)


def index(data: Any, value: Any, start: Any = None, end: Any = None) -> Scalar:
    """The first place of VALUE, or -1."""
    one = plain(data)
    wish = value if isinstance(value, Scalar) else Scalar(
        one.type, array([value], one.type)[0].as_py())
    rows = one.to_pylist()[start or 0:end]
    found = rows.index(wish.as_py()) + (start or 0) if wish.as_py() in rows \
        and wish.as_py() is not None else -1
    return Scalar(t.int64(), found)


