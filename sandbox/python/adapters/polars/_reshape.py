"""_reshape - frames in another shape: pivot, unpivot, explode and others."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _types as t
from ._cast import to_text
from ._expr import Expr, column, picker_of
from ._groups import Groups
from ._series import Series, as_series, concat
from .exceptions import (ComputeError, InvalidOperationError, ShapeError,
                         no_column)


def _names(frame: Any, wanted: Any) -> list[str]:
    if wanted is None:
        return []
    names = picker_of(wanted).pick(frame.schema)
    for name in names:
        if name not in frame._columns:
            raise no_column(name, frame._columns)
    return names


# -- pivot


def _aggregate(how: Any, name: str) -> Expr:
    """The expression that makes one value of a cell's many."""
    known = column(name)
    if isinstance(how, Expr):
        def change(one: Any) -> Any:
            if isinstance(one, Expr):
                if one.op == "col" and one.args[0] == "":
                    return known
                return Expr(one.op, tuple(map(change, one.args)), {
                    key: change(each) for key, each in one.more.items()})
            return one
        return change(how)  # type: ignore[no-any-return]
    if how == "len" or how == "count":
        return Expr("len", (name,))
    if how not in ("min", "max", "first", "last", "sum", "mean", "median"):
        raise ValueError("invalid input for `aggregate_function` argument: "
                         f"{how!r}")
    return getattr(known, how)()  # type: ignore[no-any-return]


def _heads(frame: Any, on: list[str], groups: Groups) -> list[str]:
    """The names that the values of ON give to columns."""
    rows = groups.order[groups.starts]
    lists = []
    for name in on:
        one = frame._columns[name]._take(rows)
        text = to_text(one.dtype, one._v, one._m) \
            if not t.is_text(one.dtype) else one._v
        lists.append(["null" if x is None else str(x) for x in text])
    if len(on) == 1:
        return lists[0]
    return ["{" + ",".join(f'"{x}"' if t.is_text(frame.schema[name]) else x
                           for x, name in zip(row, on)) + "}"
            for row in zip(*lists)]


def pivot(frame: Any, on: Any, index: Any, values: Any, how: Any,
          sort_columns: bool, separator: str) -> Any:
    names = _names(frame, on)
    rows, cells = _names(frame, index), _names(frame, values)
    if not rows and not cells:
        raise InvalidOperationError("`pivot` needs either `index or `values` "
                                    "needs to be specified")
    if not cells:
        cells = [one for one in frame.columns if one not in names + rows]
    if not rows:
        rows = [one for one in frame.columns if one not in names + cells]
    places = Groups.by([frame._columns[one] for one in names], frame.height)
    lines = Groups.by([frame._columns[one] for one in rows], frame.height)
    both = Groups.by([Series("", places.of), Series("", lines.of)])
    if how is None and frame.height and (both.sizes > 1).any():
        raise ComputeError("found multiple elements in the same group, please "
                           "specify an aggregation function")
    heads = _heads(frame, names, places)
    order = list(range(len(heads)))
    if sort_columns:
        order.sort(key=heads.__getitem__)
    first = both.order[both.starts]
    at = (places.of[first], lines.of[first])
    found = [frame._columns[one]._take(lines.order[lines.starts])
             for one in rows]
    for name in cells:
        found += _spread(frame, name, how, both, at, order, lines.count,
                         lambda head, name=name: head if len(cells) == 1
                         else f"{name}{separator}{head}", heads)
    return frame._of(found)


def _spread(frame: Any, name: str, how: Any, both: Groups, at: Any,
            order: list[int], height: int, title: Any,
            heads: list[str]) -> list[Any]:
    """The columns into which the values of one column go."""
    from ._eval import aggregated

    series = frame._columns[name]
    if how is not None:
        series = aggregated([_aggregate(how, name)], frame._columns, both,
                            ())[0]
    else:
        series = series._take(both.order[both.starts])
    found = []
    for place in order:
        rows = np.full(height, -1, "i8")
        mine = np.flatnonzero(at[0] == place)
        rows[at[1][mine]] = mine
        found.append(series._take_or_null(rows).alias(title(heads[place])))
    return found


# -- unpivot


def unpivot(frame: Any, on: Any, index: Any, variable: Any,
            value: Any) -> Any:
    keys = _names(frame, index)
    names = _names(frame, on) if on is not None else \
        [one for one in frame.columns if one not in keys]
    if not names:
        raise InvalidOperationError("unpivot needs columns to unpivot")
    height = frame.height
    rows = np.tile(np.arange(height), len(names))
    found = [frame._columns[one]._take(rows) for one in keys]
    kind: Any = frame.schema[names[0]]
    for name in names[1:]:
        kind = _mixed(kind, frame.schema[name])
    heads = np.repeat(np.array(names, object), height)
    found.append(Series._of(variable or "variable", t.String(), heads))
    found.append(concat([frame._columns[one].cast(kind) for one in names])
                 .alias(value or "value"))
    return frame._of(found)


def _mixed(one: Any, two: Any) -> Any:
    kind = t.supertype(one, two)
    if kind is None and (t.is_text(one) or t.is_text(two)):
        kind = t.String()
    if kind is None:
        raise InvalidOperationError(
            f"'unpivot' not supported for dtype: {two.text()}")
    return kind


# -- lists and structs


def explode(frame: Any, names: list[str]) -> Any:
    if not names:
        return frame
    sizes = None
    for name in names:
        if name not in frame._columns:
            raise no_column(name, frame._columns)
        series = frame._columns[name]
        if not isinstance(series.dtype, t.List):
            raise InvalidOperationError("`explode` operation not supported "
                                        f"for dtype `{series.dtype.text()}`")
        mine = [max(1, len(one)) if one is not None else 1
                for one in series._v]
        if sizes is not None and mine != sizes:
            raise ShapeError("exploded columns must have matching element "
                             "counts")
        sizes = mine
    rows = np.repeat(np.arange(frame.height), np.array(sizes, "i8"))
    return frame._of(one.explode() if name in names else one._take(rows)
                     for name, one in frame._columns.items())


def unnest(frame: Any, names: list[str]) -> Any:
    from ._lists import fields_of

    found = []
    for name, one in frame._columns.items():
        if name not in names:
            found.append(one)
        elif not isinstance(one.dtype, t.Struct):
            from .exceptions import SchemaError
            raise SchemaError(f"invalid series dtype: expected `Struct`, got "
                              f"`{one.dtype.text()}`")
        else:
            found += fields_of(one)
    return frame._of(found)


# -- others


def transpose(frame: Any, header: bool, header_name: str,
              names: Any) -> Any:
    columns = list(frame._columns.values())
    heads = None
    if isinstance(names, str):
        heads = [str(one) for one in frame._columns[names].to_list()]
        columns = [one for one in columns if one.name != names]
    elif names is not None:
        given = iter(names)
        heads = [str(next(given)) for _ in range(frame.height)]
    if heads is None:
        heads = [f"column_{at}" for at in range(frame.height)]
    kind: Any = t.Null()
    for one in columns:
        found = t.supertype(kind, one.dtype)
        kind = found or t.String()
    rows = zip(*(one.cast(kind).to_list() for one in columns))
    made = [Series(head, list(row), kind) for head, row in zip(heads, rows)]
    if header:
        made.insert(0, Series(header_name, [one.name for one in columns],
                              t.String))
    return frame._of(made)


def to_dummies(frame: Any, names: list[str], separator: str,
               drop_first: bool) -> Any:
    found = []
    for name, one in frame._columns.items():
        if name not in names:
            found.append(one)
            continue
        text = as_series(one).cast(t.String)
        values = sorted(set(text.to_list()), key=lambda x: (x is None, x))
        if one.dtype.is_numeric() and None not in values:
            values = [str(x) for x in sorted(set(one.to_list()))]
        for value in values[drop_first:]:
            same = np.array([x == value for x in text._v], "u1")
            title = "null" if value is None else value
            found.append(Series._of(f"{name}{separator}{title}", t.UInt8(),
                                    same))
    return frame._of(found)
