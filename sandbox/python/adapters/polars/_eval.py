"""_eval - expressions, worked out over the columns of a frame.

A value has one of three shapes: "lit" (one value for everything), "group" (one
for each group) and "flat" (some for each group, with the group's number at
each). A select is the case of one group. An aggregate makes a group's value of
flat ones, so group_by, over and select are the same work.
"""

from __future__ import annotations

from typing import Any, Iterator, NamedTuple

import numpy as np

from . import _store as store
from . import _types as t
from ._expr import Expr, literal
from ._groups import Groups
from ._registry import OPERATIONS
from ._series import Series, concat
from ._shapes import order_of
from ._windows import FAST
from .exceptions import (ComputeError, DuplicateError, InvalidOperationError,
                         ShapeError, no_column)

SPREADING = frozenset({
    "_sum_horizontal", "_mean_horizontal", "_min_horizontal",
    "_max_horizontal", "_all_horizontal", "_any_horizontal", "_concat_str",
    "_concat_list", "_struct", "_coalesce", "_format"})


_PAIRS = frozenset({"_corr", "_cov"})   # aggregates of two columns


class Value(NamedTuple):
    series: Any
    shape: str
    groups: Any = None


class Context(NamedTuple):
    columns: dict[str, Any]
    groups: Groups
    lenient: bool = False   # in group_by, the sum of texts is null


# -- names


def leaves(expr: Any) -> Iterator[Expr]:
    """The nodes without arguments, from the left."""
    if isinstance(expr, (list, tuple)):
        for one in expr:
            yield from leaves(one)
    elif isinstance(expr, Expr):
        inner = [one for one in (*expr.args, *expr.more.values())
                 if isinstance(one, (Expr, list, tuple))]
        if expr.op in ("col", "cols", "lit", "len", "series"):
            yield expr
        else:
            yield from leaves(inner)


def _root(expr: Expr) -> str:
    for leaf in leaves(expr):
        if leaf.op == "col":
            return str(leaf.args[0])
    return name_of(expr)


def name_of(expr: Expr) -> str:
    """The name of the column that EXPR makes."""
    if expr.op == "alias":
        return str(expr.args[1])
    if expr.op == "rename":
        return str(expr.args[1](_root(expr.args[0])))
    if expr.op == "col":
        return str(expr.args[0])
    if expr.op == "lit":
        return str(expr.args[0].name)
    if expr.op == "len":
        return str(expr.args[0])
    if expr.op == "struct.field":
        return str(expr.args[1])
    if expr.op == "_when":
        return name_of(expr.args[1])
    first = expr.args[0] if expr.args else None
    if isinstance(first, Expr):
        return name_of(first)
    return "literal"


# -- many columns at once


def _with(expr: Any, change: Any) -> Any:
    """EXPR with CHANGE of its leaves of many columns."""
    if isinstance(expr, (list, tuple)):
        return type(expr)(_with(one, change) for one in expr)
    if not isinstance(expr, Expr):
        return expr
    if expr.op == "cols":
        return change(expr)
    args: list[Any] = []
    for one in expr.args:
        if expr.op in SPREADING and isinstance(one, Expr):
            args += _spread_out(one, change)
        else:
            args.append(_with(one, change))
    more = {name: _with(one, change) for name, one in expr.more.items()}
    return Expr(expr.op, tuple(args), more)


def _spread_out(expr: Expr, change: Any) -> list[Any]:
    schema = getattr(change, "schema", None)
    if schema is None:
        return [_with(expr, change)]
    return expand(expr, schema, change.keys)


class _Choose:
    """Puts the AT-th picked column in the place of a leaf of many."""

    def __init__(self, schema: Any, keys: Any, at: int) -> None:
        self.schema, self.keys, self.at = schema, keys, at
        self.sizes: set[int] = set()

    def __call__(self, leaf: Expr) -> Expr:
        names = [name for name in leaf.args[0].pick(self.schema)
                 if name not in self.keys or leaf.args[0].names is not None]
        self.sizes.add(len(names))
        return Expr("col", (names[self.at],)) if self.at < len(names) \
            else leaf


def expand(expr: Expr, schema: dict[str, Any], keys: Any = ()) -> list[Expr]:
    """EXPR once for each column that its leaves of many columns pick."""
    probe = _Choose(schema, keys, 0)
    first = _with(expr, probe)
    if not probe.sizes:
        return [first]
    sizes = probe.sizes - {1} or {1}
    if len(sizes) > 1:
        raise InvalidOperationError("expanding more than one `col` is not "
                                    "allowed, where their numbers differ")
    count = sizes.pop()
    if not count:
        return []
    found = [first]
    for at in range(1, count):
        found.append(_with(expr, _Wide(schema, keys, at)))
    return found


class _Wide(_Choose):
    """The same, where a leaf of one column stays at that."""

    def __call__(self, leaf: Expr) -> Expr:
        names = [name for name in leaf.args[0].pick(self.schema)
                 if name not in self.keys or leaf.args[0].names is not None]
        return Expr("col", (names[self.at if len(names) > 1 else 0],))


# -- values


def evaluate(expr: Any, context: Context) -> Value:
    """The value of an expanded expression."""
    special = _SPECIAL.get(expr.op)
    if special is not None:
        return special(expr, context)
    operation = OPERATIONS[expr.op]
    args = [_argument(one, context) for one in expr.args]
    more = {name: _argument(one, context) for name, one in expr.more.items()}
    shape = operation.kind
    if expr.op == "is_in":
        shape, args = _membership(args)
    if not args or not isinstance(args[0], Value):
        args = [Value(Series("literal", [None]), "lit"), *args]
    return _BY_SHAPE[shape](operation, args, more, context)


def _argument(one: Any, context: Context) -> Any:
    if isinstance(one, Expr):
        return evaluate(one, context)
    if isinstance(one, (list, tuple)) and any(isinstance(x, Expr)
                                              for x in one):
        return [_argument(literal(x), context) for x in one]
    return one


def _membership(args: list[Any]) -> Any:
    """is_in looks at each value, unless the other side is the group's."""
    other = args[1]
    if isinstance(other, Value):
        if other.shape == "lit":
            kind = other.series.dtype
            inner = other.series
            if isinstance(kind, t.List) and len(inner) == 1:
                inner = Series("", inner._v[0], kind.inner)
            return "each", [args[0], inner]
        if not isinstance(other.series.dtype, t.List):
            return "whole", args
    return "each", args


def _column(expr: Expr, context: Context) -> Value:
    name = expr.args[0]
    if name not in context.columns:
        raise no_column(name, context.columns)
    return Value(context.columns[name], "flat", context.groups)


def _literal(expr: Expr, context: Context) -> Value:
    series = expr.args[0]
    if len(series) != 1 and context.groups.count == 1:
        return Value(series, "flat", Groups.one(len(series)))
    return Value(series, "lit")


def _length(expr: Expr, context: Context) -> Value:
    sizes = context.groups.sizes.astype("u4")
    return Value(Series._of(expr.args[0], t.UInt32(), sizes), "group")


def _named(expr: Expr, context: Context) -> Value:
    found = evaluate(expr.args[0], context)
    weak = found.series._weak
    series = found.series.alias(name_of(expr))
    series._weak = weak
    return found._replace(series=series)


def _cast(expr: Expr, context: Context) -> Value:
    found = evaluate(expr.args[0], context)
    return found._replace(series=found.series.cast(expr.args[1],
                                                   **expr.more))


# -- over


def rows_of(value: Value, groups: Groups, length: int) -> Any:
    """VALUE of groups, put to the rows of the groups."""
    series = value.series
    if value.shape == "lit":
        return series._spread(length)
    if value.shape == "group":
        return series._take(groups.of)
    if not (value.groups.sizes == groups.sizes).all():
        raise ComputeError("the length of the window expression did not match "
                           "that of the group")
    if value.groups is groups or (value.groups.of == groups.of).all():
        return series
    places = np.empty(length, "i8")
    places[groups.order] = value.groups.order
    return series._take(places)


def _over(expr: Expr, context: Context) -> Value:
    inner, keys, by = expr.args
    length = len(context.groups.of)
    columns = [rows_of(evaluate(one, context), context.groups, length)
               for one in keys]
    if context.groups.count > 1:
        columns.append(Series._of("", t.Int64(), context.groups.of))
    groups = Groups.by(columns, length)
    frame, order = context.columns, None
    if by:
        order = order_of([rows_of(evaluate(one, context), context.groups,
                                  length) for one in by],
                         expr.more["descending"], expr.more["nulls_last"])
        frame = {name: one._take(order) for name, one in frame.items()}
        groups = Groups(groups.of[order], groups.count)
    found = evaluate(inner, Context(frame, groups, True))
    if expr.more["lists"] and found.shape == "flat":
        found = Value(listed(found, groups.count), "group")
    series = rows_of(found, groups, length)
    if order is not None:
        back = np.empty(length, "i8")
        back[order] = np.arange(length)
        series = series._take(back)
    return Value(series, "flat", context.groups)


def _list_eval(expr: Expr, context: Context) -> Value:
    """The inner expression is about elements, and stays as it is."""
    found = evaluate(expr.args[0], context)
    return found._replace(series=OPERATIONS["list.eval"].run(
        found.series, expr.args[1]))


_SPECIAL = {"list.eval": _list_eval, "col": _column, "lit": _literal,
            "len": _length, "alias": _named, "rename": _named, "cast": _cast,
            "over": _over}


# -- operations by their kinds


def _plain(value: Any) -> Any:
    """An argument that is one value, as Python's."""
    if isinstance(value, Value):
        return value.series.to_list()[0] if len(value.series) == 1 \
            else value.series
    return value


def _as_flat(value: Value) -> Value:
    if value.shape != "group":
        return value
    count = len(value.series)
    return Value(value.series, "flat", Groups(np.arange(count), count))


def _aggregate(operation: Any, args: Any, more: Any, context: Context,
               ) -> Value:
    first, *rest = args
    rest = [_plain(one) for one in rest]
    more = {name: _plain(one) for name, one in more.items()}
    if first.shape == "lit":
        groups = Groups.one(len(first.series))
        return Value(operation.run(first.series, groups, *rest, **more),
                     "lit" if context.groups.count != 1 else "group")
    first = _as_flat(first)
    try:
        found = operation.run(first.series, first.groups, *rest, **more)
    except InvalidOperationError:
        if not context.lenient or not t.is_text(first.series.dtype):
            raise
        found = first.series.full_null(first.series.name, first.groups.count,
                                       first.series.dtype)
    return Value(found, "group")


def _values(args: Any, more: Any) -> list[Value]:
    found = []
    for one in (*args, *more.values()):
        found += [x for x in (one if isinstance(one, list) else [one])
                  if isinstance(x, Value)]
    return found


def _mapped(one: Any, how: Any) -> Any:
    if isinstance(one, list):
        return [_mapped(x, how) for x in one]
    return how(one) if isinstance(one, Value) else one


def _each(operation: Any, args: Any, more: Any, context: Context) -> Value:
    values = _values(args, more)
    flat = [one for one in values if one.shape == "flat"]
    groups = None
    if flat:
        groups = max((one.groups for one in flat), key=lambda g: len(g.of))

        def align(value: Value) -> Any:
            if value.shape == "group":
                return value.series._take(groups.of)
            if value.shape == "flat" and not value.groups.same(groups):
                if len(value.series) != 1:
                    raise ShapeError(
                        f"cannot evaluate two Series of different lengths "
                        f"({len(value.series)} and {len(groups.of)})")
            return value.series
    else:
        def align(value: Value) -> Any:
            return value.series
    args = [_mapped(one, align) for one in args]
    more = {name: _mapped(one, align) for name, one in more.items()}
    found = operation.run(*args, **more)
    if flat:
        return Value(found._spread(len(groups.of)), "flat", groups)
    if any(one.shape == "group" for one in values):
        return Value(found._spread(context.groups.count), "group")
    return Value(found, "lit")


def _part(value: Any, at: int, rows: Any) -> Any:
    """The AT-th group's share of an argument."""
    if isinstance(value, list):
        return [_part(one, at, rows) for one in value]
    if not isinstance(value, Value):
        return value
    if value.shape == "lit":
        return value.series
    if value.shape == "group":
        return value.series._take(np.array([at]))
    mine = rows.get(id(value.groups))
    if mine is None:
        mine = rows[id(value.groups)] = value.groups.rows()
    return value.series._take(mine[at])


def _parts(operation: Any, args: Any, more: Any, count: int) -> list[Any]:
    """The operation of each group alone."""
    rows: dict[int, Any] = {}
    return [operation.run(*(_part(one, at, rows) for one in args),
                          **{name: _part(one, at, rows)
                             for name, one in more.items()})
            for at in range(count)]


def _joined(parts: list[Any], first: Any) -> Any:
    if not parts:
        return first.clear()
    kinds = {repr(one.dtype) for one in parts}
    if len(kinds) > 1:
        parts = [one for one in parts if len(one)] or parts
    return concat(parts, True).alias(first.name)


def _whole(operation: Any, args: Any, more: Any, context: Context) -> Value:
    first = _as_flat(args[0])
    if first.shape == "lit":
        found = _parts(operation, [first, *args[1:]], more, 1)[0]
        return Value(found, "lit")
    groups = first.groups
    fast = operation.name in FAST and not _values(args[1:], more)
    simple = all(one.shape == "lit" for one in _values(args[1:], more))
    if fast or operation.name in FAST and simple:
        plain = [_mapped(one, lambda x: x.series) for one in args[1:]]
        named = {name: _mapped(one, lambda x: x.series)
                 for name, one in more.items()}
        found = operation.run(first.series, *plain, **named, _groups=groups)
    elif groups.count == 1:
        found = _parts(operation, [first, *args[1:]], more, 1)[0]
    elif operation.name == "sort":
        key = Series._of("", t.Int64(), groups.of)
        falls, last = (bool(more.get(word)) for word in ("descending",
                                                         "nulls_last"))
        rows = order_of([key, first.series], [False, falls], [False, last])
        places = np.empty(len(rows), "i8")
        places[groups.order] = rows
        found = first.series._take(places)
    else:
        parts = _parts(operation, [first, *args[1:]], more, groups.count)
        places = np.empty(len(groups.of), "i8")
        places[groups.order] = np.arange(len(groups.of))
        found = _joined(parts, first.series)._take(places)
    if args[0].shape == "group":
        return Value(found, "group")
    return Value(found, "flat", groups)


def _shape(operation: Any, args: Any, more: Any, context: Context) -> Value:
    first = _as_flat(args[0])
    if first.shape == "lit":
        found = _parts(operation, [first, *args[1:]], more, 1)[0]
        return Value(found, "flat", Groups.one(len(found))) \
            if context.groups.count == 1 else Value(found, "lit")
    groups = first.groups
    if operation.name in ("filter", "drop_nulls") and groups.count > 1:
        return _kept(first, args[1:], context)
    parts = _parts(operation, [first, *args[1:]], more, groups.count)
    if operation.name in _PAIRS:
        return Value(_joined(parts, first.series), "group")
    sizes = [len(one) for one in parts]
    of = np.repeat(np.arange(groups.count), np.array(sizes, "i8"))
    return Value(_joined(parts, first.series), "flat",
                 Groups(of, groups.count))


def _kept(first: Value, tests: Any, context: Context) -> Value:
    """The filter of many groups at once."""
    keep = np.ones(len(first.series), bool)
    if not tests:
        keep = ~first.series._nulls()
    for one in tests:
        test = rows_of(one, first.groups, len(first.series))
        if not isinstance(test.dtype, (t.Boolean, t.Null)):
            raise InvalidOperationError(
                "filter predicate must be of type `Boolean`, got "
                f"`{test.dtype!r}`")
        test = test.cast(t.Boolean)
        keep &= test._v & ~test._nulls()
    return Value(first.series._take(np.flatnonzero(keep)), "flat",
                 first.groups.where(keep))


_BY_SHAPE = {"aggregate": _aggregate, "each": _each, "whole": _whole,
             "shape": _shape}


# -- results


def listed(value: Value, count: int) -> Any:
    """Flat values as a list for each group."""
    plain = store.objects(value.series.to_list())
    return Series._of(value.series.name, t.List(value.series.dtype),
                      store.objects([plain[rows].tolist()
                                     for rows in value.groups.rows()]))


def unique_names(names: list[str]) -> None:
    if len(set(names)) < len(names):
        twice = next(one for one in names if names.count(one) > 1)
        raise DuplicateError(
            f"the name '{twice}' is duplicate\n\nIt's possible that multiple "
            "expressions are returning the same default column name. If this "
            "is the case, try renaming the columns with "
            "`.alias(\"new_name\")` to avoid duplicate column names.")


def select(exprs: list[Expr], columns: dict[str, Any], height: int,
           ) -> list[tuple[Any, bool]]:
    """A column for each of EXPRS, and whether it is of one value alone."""
    context = Context(columns, Groups.one(height))
    schema = {name: one.dtype for name, one in columns.items()}
    found = []
    for expr in exprs:
        for one in expand(expr, schema):
            value = evaluate(one, context)
            found.append((value.series.alias(name_of(one)),
                          value.shape != "flat"))
    return found


def aggregated(exprs: list[Expr], columns: dict[str, Any], groups: Groups,
               keys: Any) -> list[Any]:
    """A column for each of EXPRS, with a value for each group."""
    context = Context(columns, groups, True)
    schema = {name: one.dtype for name, one in columns.items()}
    found = []
    for expr in exprs:
        for one in expand(expr, schema, keys):
            value = evaluate(one, context)
            series = value.series
            if value.shape == "flat":
                series = listed(value, groups.count)
            elif value.shape == "lit":
                series = series._spread(groups.count)
            found.append(series.alias(name_of(one)))
    return found
