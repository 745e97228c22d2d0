"""Expressions as DuckDB writes them: the names of columns without AS."""

from __future__ import annotations

import re
from typing import Any

from . import _nodes as n
from ._expressions import RESERVED

_QUOTED = RESERVED | frozenset(("trim", "substring", "position", "coalesce",
                                "values", "row"))
_UNIT_CALLS = {"year": "to_years", "month": "to_months", "day": "to_days",
               "hour": "to_hours", "minute": "to_minutes",
               "second": "to_seconds", "week": "to_weeks",
               "quarter": "to_quarters", "millisecond": "to_milliseconds",
               "microsecond": "to_microseconds", "decade": "to_decades",
               "century": "to_centuries", "millennium": "to_millennia"}


def quoted(name: str) -> str:
    if re.fullmatch(r"[a-z_][a-z0-9_]*", name) and name not in RESERVED:
        return name
    if re.fullmatch(r"[A-Za-z_]\w*", name) and name.lower() not in RESERVED:
        return name
    return '"' + name.replace('"', '""') + '"'


def column_name(expr: Any) -> str:
    """The name of a column of a SELECT list."""
    if isinstance(expr, n.Col):
        return expr.parts[-1]
    if isinstance(expr, n.Window) and expr.func is None:
        return ""
    return text(expr)


def _list(items: Any) -> str:
    return ", ".join(text(one) for one in items)


def _const(node: n.Const) -> str:
    if node.kind == "text":
        return "'" + node.value.replace("'", "''") + "'"
    if node.kind == "bool":
        return f"CAST('{'t' if node.value else 'f'}' AS BOOLEAN)"
    if node.kind == "null":
        return "NULL"
    if node.kind == "python":
        from ._values import text_of
        kind, value = node.value
        written = text_of(kind)(value)
        return f"'{written}'" if kind.id == "VARCHAR" else written
    return str(node.value)


def order_text(order: Any) -> str:
    return ", ".join(text(key.expr) + (" DESC" if key.descending else "")
                     + (" NULLS FIRST" if key.nulls_first else "")
                     for key in order)


def _func(node: n.Func) -> str:
    if node.name in ("coalesce", "ifnull"):
        return f"COALESCE({_list(node.args)})"
    if node.name == "nullif" and len(node.args) == 2:
        one, other = (text(arg) for arg in node.args)
        return f"CASE  WHEN (({one} = {other})) THEN (NULL) ELSE {one} END"
    if node.name == "row":
        return f'main."row"({_list(node.args)})'
    if node.name == "struct_extract":
        return f"{text(node.args[0])}.{node.args[1].value}" \
            if not isinstance(node.args[0], n.Col) else _plain_call(node)
    return _plain_call(node)


def _plain_call(node: n.Func) -> str:
    name = f'"{node.name}"' if node.name in _QUOTED else node.name
    inner = ("DISTINCT " if node.distinct else "") + _list(node.args)
    if node.order:
        inner += f" ORDER BY {order_text(node.order)}"
    made = ("main." if node.system else "") + f"{name}({inner})"
    if node.where is not None:
        made += f" FILTER (WHERE {text(node.where)})"
    return made


def _bound(bound: Any) -> str:
    value, way = bound
    return way if value is None else f"{text(value)} {way}"


def _window(node: n.Window) -> str:
    parts = []
    if node.base:
        parts.append(node.base)
    if node.partition:
        parts.append(f"PARTITION BY {_list(node.partition)}")
    if node.order:
        parts.append(f"ORDER BY {order_text(node.order)}")
    if node.frame:
        kind, low, high = node.frame
        parts.append(f"{kind} BETWEEN {_bound(low)} AND "
                     + (_bound(high) if high else "CURRENT ROW"))
    return f"{text(node.func)} OVER ({' '.join(parts)})"


def _case(node: n.Case) -> str:
    made = "CASE "
    for condition, value in node.whens:
        if node.operand is not None:
            condition = n.Binary("=", node.operand, condition)
        made += f" WHEN ({text(condition)}) THEN ({text(value)})"
    other = "NULL" if node.other is None else text(node.other)
    return f"{made} ELSE {other} END"


def _unary(node: n.Unary) -> str:
    if node.op in ("IS NULL", "IS NOT NULL"):
        return f"({text(node.arg)} {node.op})"
    if node.op == "NOT":
        return f"(NOT {text(node.arg)})"
    return f"{node.op}({text(node.arg)})"


def _interval(node: n.Interval) -> str:
    call = _UNIT_CALLS[node.unit]
    kind = "DOUBLE" if node.unit in ("second", "millisecond") else "INTEGER"
    if node.unit in ("hour", "minute", "microsecond"):
        kind = "BIGINT"
    inner = f"CAST({text(node.arg)} AS DOUBLE)"
    if kind != "DOUBLE":
        inner = f"CAST(trunc({inner}) AS {kind})"
    return f"{call}({inner})"


def _in(node: n.In) -> str:
    word = "NOT IN" if node.negated else "IN"
    if isinstance(node.items, tuple) and not hasattr(node.items, "_fields"):
        return f"({text(node.arg)} {word} ({_list(node.items)}))"
    made = f"({text(node.arg)} = ANY({_query(node.items)}))"
    return f"(NOT {made})" if node.negated else made


def _between(node: n.Between) -> str:
    made = (f"({text(node.arg)} BETWEEN {text(node.low)} AND "
            f"{text(node.high)})")
    return f"(NOT {made})" if node.negated else made


def _index(node: n.Index) -> str:
    if not node.is_slice:
        return f"{text(node.arg)}[{text(node.low)}]"
    low, high = ("" if one is None else text(one)
                 for one in (node.low, node.high))
    return f"{text(node.arg)}[{low}:{high}]"


def _cast(node: n.Cast) -> str:
    return (f"{'TRY_' if node.trying else ''}CAST({text(node.arg)} AS "
            f"{node.kind})")


def _alias(item: n.Named) -> str:
    return text(item.expr) + (f" AS {quoted(item.alias)}" if item.alias
                              else "")


def _query(node: Any) -> str:
    """A plain query; of others the beginning alone."""
    body = node.body if isinstance(node, n.Query) else node
    if not isinstance(body, n.Select) or isinstance(node, n.Query) \
            and node != n.Query(body):
        return "SELECT ..."
    made = "SELECT " + ", ".join(map(_alias, body.items))
    if isinstance(body.source, n.Table):
        made += " FROM " + ".".join(map(quoted, body.source.parts))
        if body.source.alias:
            made += f" AS {quoted(body.source.alias)}"
    elif body.source is not None:
        return "SELECT ..."
    return made + ("" if body.where is None else f" WHERE {text(body.where)}")


_TEXTS = {
    n.Col: lambda node: ".".join(quoted(part) for part in node.parts),
    n.Const: _const,
    n.Ready: lambda node: quoted(node.name),
    n.Param: lambda node: f"${node.key}",
    n.Star: lambda node: "*",
    n.Func: _func, n.Window: _window, n.Case: _case, n.Unary: _unary,
    n.Binary: lambda node: (f"({text(node.left)} {node.op} "
                            f"{text(node.right)})"),
    n.Cast: _cast, n.In: _in, n.Between: _between, n.Interval: _interval,
    n.Index: _index,
    n.Exists: lambda node: f"EXISTS({_query(node.query)})",
    n.Sub: lambda node: f"({_query(node.query)})",
    n.Quantified: lambda node: f"({text(node.left)} {node.op} ANY(...))",
    n.Items: lambda node: f"main.list_value({_list(node.items)})",
    n.Struct: lambda node: "main.struct_pack(" + ", ".join(
        f"{name} := {text(value)}" for name, value in node.fields) + ")",
    n.Lambda: lambda node: (f"({', '.join(node.params)} -> "
                            f"{text(node.body)})"),
    n.Named: lambda node: f"{node.alias} := {text(node.expr)}",
}


def text(expr: Any) -> str:
    return _TEXTS[type(expr)](expr)


def unique(names: list[str]) -> list[str]:
    """NAMES, where a second `a` is `a_1`."""
    seen: set[str] = set()
    made = []
    for name in names:
        number, chosen = 0, name
        while chosen.lower() in seen:
            number += 1
            chosen = f"{name}_{number}"
        seen.add(chosen.lower())
        made.append(chosen)
    return made
