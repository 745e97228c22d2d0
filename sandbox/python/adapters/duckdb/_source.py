"""FROM: tables, queries, functions that give tables, and joins."""

from __future__ import annotations

from typing import Any

from . import _nodes as n
from ._binder import Binder
from ._errors import BinderException, CatalogException, fail, lacks
from ._names import unique
from ._scope import Column, E, Rel, Scope

_FILES = ("read_csv", "read_csv_auto", "read_parquet", "parquet_scan",
          "read_json", "read_json_auto", "read_auto", "read_ndjson",
          "read_ndjson_auto")


def source(binder: Binder, node: Any, scope: Scope) -> str:
    """The engine's FROM of NODE, whose tables SCOPE then has."""
    if node is None:
        return ""
    binder.scope = scope
    return _SOURCES[type(node)](binder, node, scope)


def _rel(scope: Scope, alias: str, names: list, sqls: list, kinds: list,
         renamed: tuple = ()) -> None:
    if len(renamed) > len(names):
        fail(BinderException, f'table "{alias}" has {len(names)} columns '
             f"available but {len(renamed)} columns specified")
    shown = unique(list(renamed) + names[len(renamed):])
    if any(rel.name.lower() == alias.lower() for rel in scope.rels) \
            and not alias.startswith("unnamed"):
        fail(BinderException, f'Duplicate alias "{alias}" in query!')
    scope.rels.append(Rel(alias, [Column(*one) for one in
                                  zip(shown, sqls, kinds)]))


def _query_rel(scope: Scope, alias: str, name: str, bound: Any,
               renamed: tuple) -> None:
    sqls = [f"{name}.c{k}" for k in range(len(bound.names))]
    _rel(scope, alias, bound.names, sqls, bound.types, renamed)


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _table(binder: Binder, node: n.Table, scope: Scope) -> str:
    name = node.parts[-1]
    alias, key = node.alias or name, name.lower()
    short = binder.fresh()
    if len(node.parts) == 1 and key in binder.ctes:
        cte, bound = binder.ctes[key]
        _query_rel(scope, alias, short, bound, node.columns)
        return f"{cte} AS {short}"
    if len(node.parts) > 1 and node.parts[-2].lower() not in (
            "main", "temp", "memory"):
        return _schema(binder, node, scope)
    found = binder.engine.table(name)
    if found is None:
        return _other(binder, node, scope, alias, short)
    if found.kind == "view":
        bound = _view(binder, found)
        _query_rel(scope, alias, short, bound, node.columns)
        return f"({bound.sql}) AS {short}"
    return _stored(scope, alias, short, found, node.columns)


def _stored(scope: Scope, alias: str, short: str, found: Any,
            renamed: tuple) -> str:
    names = [column for column, _ in found.columns]
    _rel(scope, alias, names, [f"{short}.{quoted(one)}" for one in names],
         [kind for _, kind in found.columns], renamed)
    return f"{quoted(found.stored)} AS {short}"


def _schema(binder: Binder, node: n.Table, scope: Scope) -> str:
    if node.parts[-2].lower() == "information_schema":
        lacks("information_schema", "use SHOW TABLES or DESCRIBE")
    fail(CatalogException, f"Table with name {node.parts[-1]} does not "
         "exist!")


def _view(binder: Binder, found: Any) -> Any:
    from ._select import bind_query
    from ._statements import parse
    if found.name in binder.views:
        fail(BinderException, f'infinite recursion detected: attempting to '
             f'recursively bind view "{found.name}"')
    binder.views.append(found.name)
    before, binder.ctes = binder.ctes, {}
    try:
        bound = bind_query(binder, parse(found.text)[0][0], None)
    finally:
        binder.views.pop()
        binder.ctes = before
    if found.columns:
        names = [name for name, _ in found.columns]
        bound = bound._replace(names=names + bound.names[len(names):])
    return bound


def _other(binder: Binder, node: n.Table, scope: Scope, alias: str,
           short: str) -> str:
    """A variable of the program: a table of pandas or a relation."""
    found = binder.engine.variable(binder, node.parts[0]) \
        if len(node.parts) == 1 else None
    if found is None:
        if len(node.parts) == 1 and node.parts[0].lower().endswith(
                (".csv", ".parquet", ".json", ".tsv")):
            return _function(binder, n.TableFunc(
                "read_auto", (n.Const("text", node.parts[0]),), (),
                node.alias, node.columns), scope)
        return binder.engine.no_table(node.parts[-1])
    if hasattr(found, "sql"):  # a relation
        _query_rel(scope, alias, short, found, node.columns)
        return f"({found.sql}) AS {short}"
    return _stored(scope, alias, short, found, node.columns)


def _derived(binder: Binder, node: n.Derived, scope: Scope) -> str:
    from ._select import bind_query
    short = binder.fresh()
    bound = bind_query(binder, node.query, scope.parent)
    _query_rel(scope, node.alias or f"unnamed_subquery{short}", short, bound,
               node.columns)
    return f"({bound.sql}) AS {short}"


def _relation(binder: Binder, node: Any, scope: Scope) -> str:
    short = binder.fresh()
    _query_rel(scope, node.alias, short, node.bound, ())
    return f"({node.bound.sql}) AS {short}"


# -- functions that give tables


def _function(binder: Binder, node: n.TableFunc, scope: Scope) -> str:
    if node.name in ("range", "generate_series", "unnest"):
        return _items(binder, node, scope)
    if node.name in _FILES:
        return _file(binder, node, scope)
    if node.name.startswith(("duckdb_", "pragma_", "read_", "sniff_")) \
            or node.name in ("glob", "json_each", "query", "query_table"):
        lacks(f"the table function {node.name}()")
    fail(CatalogException, f"Table Function with name {node.name} does not "
         "exist!")


def _items(binder: Binder, node: n.TableFunc, scope: Scope) -> str:
    short = binder.fresh()
    if node.name == "unnest":
        es = [binder.bind(one) for one in node.args]
        e = es[0]
        if len(es) > 1:
            lacks("unnest() of several lists")
    else:
        e = binder.bind(n.Func(node.name, node.args))
    if e.type.id != "LIST":
        fail(BinderException, "UNNEST requires a single list as input")
    alias = node.alias or node.name
    # one column: the alias of the table is its name, too
    renamed = node.columns or ((node.alias,) if node.alias
                               and node.name == "unnest" else ())
    _rel(scope, alias, [node.name], [f"{short}.value"], [e.type.args[0]],
         renamed)
    return f"json_each({e.sql}) AS {short}"


def _option(binder: Binder, node: Any) -> Any:
    """The Python value of an option of a function that reads a file."""
    if isinstance(node, n.Items):
        return [_option(binder, one) for one in node.items]
    if isinstance(node, n.Struct):
        return {name: _option(binder, one) for name, one in node.fields}
    if isinstance(node, n.Col):
        return node.parts[-1]
    if isinstance(node, n.Const):
        return node.value
    return binder.constant(node, "an option")


def _file(binder: Binder, node: n.TableFunc, scope: Scope) -> str:
    if len(node.args) != 1:
        lacks(f"{node.name}() of {len(node.args)} arguments")
    path = _option(binder, node.args[0])
    options = {name: _option(binder, one) for name, one in node.options}
    found = binder.engine.file(binder, node.name, path, options)
    alias = node.alias or _stem(path)
    return _stored(scope, alias, binder.fresh(), found, node.columns)


def _stem(path: Any) -> str:
    import os
    text = str(path[0] if isinstance(path, list) else path)
    return os.path.splitext(os.path.basename(text))[0]


# -- joins


def _join(binder: Binder, node: n.Join, scope: Scope) -> str:
    left = source(binder, node.left, scope)
    middle = len(scope.rels)
    if node.kind in ("SEMI", "ANTI"):
        return _half_join(binder, node, scope, left)
    right = source(binder, node.right, scope)
    if isinstance(node.right, n.Join):
        right = f"({right})"
    word = {"INNER": "JOIN", "CROSS": "CROSS JOIN"}.get(
        node.kind, node.kind + " JOIN")
    using = node.using or (_common(scope, middle) if node.natural else ())
    if using:
        on = _using(binder, node.kind, using, scope, middle)
        return f"{left} {word} {right} ON {on}"
    if node.on is None:
        return f"{left} {word} {right}"
    return f"{left} {word} {right} ON {binder.boolean(node.on)}"


def _common(scope: Scope, middle: int) -> tuple:
    left = [low for rel in scope.rels[:middle] for low in rel.index]
    right = {low for rel in scope.rels[middle:] for low in rel.index}
    found = tuple(low for low in left if low in right)
    if not found:
        fail(BinderException, "No columns found to join on in NATURAL JOIN.")
    return found


def _side(scope: Scope, rels: list, name: str, word: str) -> tuple:
    for rel in rels:
        column = rel.index.get(name)
        if column is not None:
            return rel, E(column.sql, column.type)
    return fail(BinderException, f'Column "{name}" does not exist on {word} '
                "side of join!")


def _using(binder: Binder, kind: str, using: tuple, scope: Scope,
           middle: int) -> str:
    parts = []
    for name in using:
        low = name.lower()
        _, one = _side(scope, scope.rels[:middle], low, "left")
        one = scope.merged.get(low, one)
        rel, other = _side(scope, scope.rels[middle:], low, "right")
        parts.append(binder.compare("=", one, other).sql)
        (one, other), both = binder.same([one, other], "compare")
        sql = {"RIGHT": other.sql, "FULL":
               f"COALESCE({one.sql}, {other.sql})"}.get(kind, one.sql)
        scope.merged[low] = E(sql, both)
        rel.hidden.add(low)
    return " AND ".join(parts)


def _half_join(binder: Binder, node: n.Join, scope: Scope,
               left: str) -> str:
    """SEMI and ANTI: a condition on the rows of the left side."""
    middle = len(scope.rels)
    right = source(binder, node.right, scope)
    if node.using:
        merged = dict(scope.merged)
        on = _using(binder, "INNER", node.using, scope, middle)
        scope.merged = merged
    else:
        on = binder.boolean(node.on)
    del scope.rels[middle:]
    word = "NOT EXISTS" if node.kind == "ANTI" else "EXISTS"
    scope.filters.append(f"{word} (SELECT 1 FROM {right} WHERE {on})")
    return left


class RelationSource:
    """A relation, as a table of FROM."""

    def __init__(self, bound: Any, alias: str) -> None:
        self.bound, self.alias = bound, alias


_SOURCES: dict[type, Any] = {
    n.Table: _table, n.Derived: _derived, n.TableFunc: _function,
    n.Join: _join, RelationSource: _relation,
}
