"""_lists - the operations of .list and .struct."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import _store as store
from . import _types as t
from ._aggs import made
from ._groups import Groups
from ._registry import OPERATIONS, each
from ._series import Series
from .exceptions import (ComputeError, InvalidOperationError,
                         StructFieldNotFoundError)


def _lists(s: Any) -> Any:
    if not isinstance(s.dtype, t.List):
        raise InvalidOperationError("expected List data type, got: "
                                    f"{s.dtype.text()}")
    return s._v


def _flat(s: Any) -> Any:
    """All elements as one column, and the number of the list of each."""
    lists = _lists(s)
    sizes = np.array([len(one) if one is not None else 0 for one in lists],
                     "i8")
    flat = Series(s.name, [x for one in lists if one is not None
                           for x in one], s.dtype.inner)
    return flat, Groups(np.repeat(np.arange(len(lists)), sizes), len(lists))


def _give_total(name: str) -> None:
    def run(s: Any, *args: Any, **more: Any) -> Any:
        found = OPERATIONS[name].run(*_flat(s), *args, **more)
        mask = s._m
        if mask is not None:
            found._m = store.either(found._m, mask)
            if found._v.dtype == object:
                found._v[mask] = None
        return found.alias(s.name)
    each("list." + name)(run)


for _name in ("sum", "mean", "median", "min", "max", "std", "var", "n_unique",
              "any", "all", "first", "last", "arg_min", "arg_max"):
    _give_total(_name)


@each("list.len")
def _len(s: Any) -> Any:
    sizes = [0 if one is None else len(one) for one in _lists(s)]
    return made(s, t.UInt32, np.array(sizes, "u4"), s._m)


def _give_change(name: str, inner: str) -> None:
    def run(s: Any, *args: Any, **more: Any) -> Any:
        how = OPERATIONS[inner].run
        found = [None if one is None else
                 how(Series("", one, s.dtype.inner), *args, **more)
                 for one in _lists(s)]
        kind = next((one.dtype for one in found if one is not None),
                    s.dtype.inner)
        return Series(s.name, found, t.List(kind))
    each("list." + name)(run)


for _name in ("sort", "reverse", "unique", "head", "tail", "slice", "diff",
              "shift", "drop_nulls", "gather", "gather_every", "sample"):
    _give_change(_name, _name)


@each("list.get")
def _get(s: Any, index: Any, *, null_on_oob: bool = False) -> Any:
    many = index.to_list() if isinstance(index, Series) else [index] * len(s)
    found = []
    for one, at in zip(_lists(s), many):
        inside = one is not None and at is not None and \
            -len(one) <= at < len(one)
        if one is not None and not inside and not null_on_oob:
            raise ComputeError("get index is out of bounds")
        found.append(one[at] if inside else None)
    return Series(s.name, found, s.dtype.inner)


@each("list.join")
def _join(s: Any, separator: Any, *, ignore_nulls: bool = True) -> Any:
    def join(one: Any) -> Any:
        if one is None or None in one and not ignore_nulls:
            return None
        return separator.join(x for x in one if x is not None)
    return Series(s.name, [join(one) for one in _lists(s)], t.String)


@each("list.contains")
def _contains(s: Any, item: Any) -> Any:
    many = item._spread(len(s)).to_list() if isinstance(item, Series) \
        else [item] * len(s)
    return Series(s.name, [None if one is None else x in one for one, x in
                           zip(_lists(s), many)], t.Boolean)


@each("list.count_matches")
def _count_matches(s: Any, element: Any) -> Any:
    return Series(s.name, [None if one is None else one.count(element)
                           for one in _lists(s)], t.UInt32)


@each("list.concat")
def _concat(s: Any, other: Any) -> Any:
    if not isinstance(other, Series):
        other = Series("", [other] * len(s))
    return Series(s.name, [None if a is None or b is None else a + b for a, b
                           in zip(_lists(s), _lists(other))], s.dtype)


@each("list.eval")
def _eval(s: Any, expr: Any, *, parallel: bool = False) -> Any:
    from ._frame import DataFrame

    found = []
    for one in _lists(s):
        if one is not None:
            frame = DataFrame._of([Series("", one, s.dtype.inner)])
            one = frame.select(expr).to_series()
        found.append(one)
    kind = next((one.dtype for one in found if one is not None), s.dtype.inner)
    return Series(s.name, found, t.List(kind))


@each("list.to_struct")
def _to_struct(s: Any, n_field_strategy: str = "first_non_null",
               fields: Any = None, upper_bound: Any = None) -> Any:
    sizes = [len(one) for one in _lists(s) if one is not None]
    count = max(sizes, default=0) if n_field_strategy == "max_width" else \
        sizes[0] if sizes else 0
    names = list(fields) if isinstance(fields, (list, tuple)) else \
        [(fields or "field_{}".format)(at) for at in range(count)]
    values = [None if one is None else dict(zip(
        names, one[:len(names)] + [None] * (len(names) - len(one))))
        for one in s._v]
    return Series(s.name, values, t.Struct({one: s.dtype.inner
                                            for one in names}))


@each("struct.field")
def _field(s: Any, name: str) -> Any:
    if not isinstance(s.dtype, t.Struct):
        raise InvalidOperationError("expected Struct data type, got: "
                                    f"{s.dtype.text()}")
    kind = next((one.dtype for one in s.dtype.fields if one.name == name),
                None)
    if kind is None:
        raise StructFieldNotFoundError(name)
    return Series(name, [None if one is None else one[name] for one in s._v],
                  kind)


@each("struct.rename_fields")
def _rename_fields(s: Any, names: Any) -> Any:
    kinds = [one.dtype for one in s.dtype.fields]
    values = [None if one is None else dict(zip(names, one.values()))
              for one in s._v]
    return Series(s.name, values, t.Struct(dict(zip(names, kinds))))


@each("struct.json_encode")
def _json_encode(s: Any) -> Any:
    return Series(s.name, [None if one is None else json.dumps(
        one, separators=(",", ":"), default=str, ensure_ascii=False)
        for one in s._v], t.String)


def fields_of(s: Any) -> list[Any]:
    """Each field as a column."""
    return [_field(s, one.name) for one in s.dtype.fields]
