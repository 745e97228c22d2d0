"""PIVOT and UNPIVOT, as SELECTs."""

from __future__ import annotations

from typing import Any

from . import _nodes as n
from . import _types as types
from ._binder import has
from ._errors import BinderException, fail, lacks
from ._names import column_name
from ._source import RelationSource
from ._values import text_of


def pivot(binder: Any, node: Any, parent: Any) -> Any:
    from ._select import bind_query
    source = node.source
    whole = bind_query(binder, n.Select((n.Named(n.Star()),), source), parent)
    alias = getattr(source, "alias", None) or (
        source.parts[-1] if isinstance(source, n.Table) else "pivoted")
    table = RelationSource(whole, alias)
    if isinstance(node, n.Unpivot):
        return bind_query(binder, _long(node, whole, table), parent)
    return bind_query(binder, _wide(binder, node, whole, table, parent),
                      parent)


def _used(node: Any, name: str) -> bool:
    return has(node, lambda one: isinstance(one, n.Col)
               and one.parts[-1].lower() == name.lower())


def _wide(binder: Any, node: n.Pivot, whole: Any, table: Any,
          parent: Any) -> Any:
    if len(node.on) != 1:
        lacks(f"PIVOT with {len(node.on)} columns in ON", "join them by ||")
    on, given = node.on[0]
    using = node.using or (n.Named(n.Func("count_star", ())),)
    group = node.group or tuple(
        n.Col((name,)) for name in whole.names
        if not _used(on, name) and not any(_used(one.expr, name)
                                           for one in using))
    values = _values(binder, on, given, table, parent)
    items = [n.Named(one) for one in group]
    for constant, name in values:
        for one in using:
            func = one.expr
            if not isinstance(func, n.Func):
                lacks("an expression in USING of PIVOT", "use an aggregate")
            where = n.Binary("=", on, constant)
            if func.where is not None:
                where = n.Binary("AND", where, func.where)
            items.append(n.Named(func._replace(where=where),
                                 _column(name, one, using)))
    return n.Query(n.Select(tuple(items), table, group=group))


def _column(name: str, one: Any, using: tuple) -> str:
    if one.alias:
        return f"{name}_{one.alias}"
    return name if len(using) == 1 else f"{name}_{column_name(one.expr)}"


def _values(binder: Any, on: Any, given: Any, table: Any,
            parent: Any) -> list:
    """The values that become columns, each with its name."""
    from ._select import bind_query
    if given is not None:
        return [(one, str(getattr(one, "value", column_name(one))))
                for one in given]
    select = n.Select((n.Named(on),), table, distinct=True)
    bound = bind_query(binder, n.Query(select, order=(
        n.Order(n.Const("int", 1)),)), parent)
    kind = bound.types[0]
    write = text_of(kind)
    found = [(n.Const("python", (kind, value)), write(value))
             for value, in binder.engine.rows(bound.sql) if value is not None]
    return sorted(found, key=lambda pair: pair[1]) \
        if kind != types.VARCHAR else found


def _long(node: n.Unpivot, whole: Any, table: Any) -> Any:
    low = [name.lower() for name in whole.names]
    names: list[str] = []
    for one in node.on:
        names += _named(one, whole)
    for name in names:
        if name.lower() not in low:
            fail(BinderException, f'Column "{name}" not found in UNPIVOT')
    picked = {name.lower() for name in names}
    rest = tuple(n.Named(n.Col((name,))) for name in whole.names
                 if name.lower() not in picked)
    number = n.Col(("unpivoted number", "col0"))
    rows = n.Values(tuple((n.Const("int", k),) for k in range(len(names))))
    numbers = n.Derived(n.Query(rows), "unpivoted number")
    label = n.Case(number, tuple(
        (n.Const("int", k), n.Const("text", whole.names[low.index(
            name.lower())])) for k, name in enumerate(names)), None)
    value = n.Case(number, tuple((n.Const("int", k), n.Col((name,)))
                                 for k, name in enumerate(names)), None)
    select = n.Select(
        rest + (n.Named(label, node.name), n.Named(value, node.value)),
        n.Join("CROSS", table, numbers),
        where=n.Unary("IS NOT NULL", value))
    return n.Query(select)


def _named(one: Any, whole: Any) -> list[str]:
    if isinstance(one, n.Col):
        return [one.parts[-1]]
    star = one.args[0] if isinstance(one, n.Func) and one.name == "columns" \
        else one
    if isinstance(star, n.Star) and star.matching is None:
        return [name for name in whole.names
                if name.lower() not in star.exclude]
    lacks("this ON of UNPIVOT", "name the columns")
