"""Queries: SELECT, sets, VALUES, common tables."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from . import _nodes as n
from . import _types as types
from ._binder import _BINDS, Binder, has, has_aggregate, has_window
from ._errors import BinderException, fail, lacks
from ._names import column_name, unique
from ._scope import E, Scope
from ._source import source
from ._windows import order_sql


class Bound(NamedTuple):
    """A bound query: its columns are c0, c1 and so on. SINGLE: it gives one
    row. LIMITED: it may not be given another LIMIT."""

    sql: str
    names: list
    types: list
    single: bool = False
    limited: bool = False


def columns(count: int, name: str = "") -> list[str]:
    head = name + "." if name else ""
    return [f"{head}c{k}" for k in range(count)]


def bind_query(binder: Binder, node: Any, parent: Any) -> Bound:
    before, ctes = binder.scope, dict(binder.ctes)
    try:
        if not isinstance(node, n.Query):
            node = n.Query(node)
        return _query(binder, node, parent)
    finally:
        binder.scope, binder.ctes = before, ctes


def _query(binder: Binder, node: n.Query, parent: Any) -> Bound:
    parts = [_cte(binder, one, node.recursive, parent) for one in node.ctes]
    if isinstance(node.body, n.Select):
        bound = _Select(binder, node, parent).bind()
    else:
        bound = _around(binder, node, _body(binder, node.body, parent),
                        parent)
    if parts:
        word = "WITH RECURSIVE " if node.recursive else "WITH "
        bound = bound._replace(sql=word + ", ".join(parts) + " " + bound.sql)
    return bound


def _body(binder: Binder, body: Any, parent: Any) -> Bound:
    if isinstance(body, n.SetOp):
        return _set(binder, body, parent)
    if isinstance(body, n.Values):
        return _values(binder, body, parent)
    if isinstance(body, (n.Pivot, n.Unpivot)):
        from ._pivot import pivot
        return pivot(binder, body, parent)
    return bind_query(binder, body, parent)


def limits(binder: Binder, node: n.Query) -> str:
    found = []
    for part in (node.limit, node.offset):
        value = None if part is None else binder.constant(part, "LIMIT")
        if value is not None and (value < 0 or value != int(value)):
            fail(BinderException, "LIMIT/OFFSET cannot be negative")
        found.append(value)
    limit, offset = found
    if limit is None and offset is None:
        return ""
    made = f" LIMIT {-1 if limit is None else int(limit)}"
    return made + (f" OFFSET {int(offset)}" if offset else "")


def _around(binder: Binder, node: n.Query, bound: Bound,
            parent: Any) -> Bound:
    """ORDER BY and LIMIT of a query that is no SELECT."""
    tail = limits(binder, node)
    if not node.order:
        if not tail:
            return bound
        return bound._replace(sql=f"SELECT * FROM ({bound.sql}){tail}",
                              limited=True)
    scope = binder.scope = Scope(parent)
    name = binder.fresh()
    _add(scope, name, name, bound)
    if isinstance(node.order, str):
        way = " DESC" if node.order.endswith("desc") else ""
        keys = ", ".join(f"{one}{way} NULLS LAST"
                         for one in columns(len(bound.names), name))
    else:
        keys = order_sql(binder, tuple(
            key._replace(expr=_position(key.expr, bound, name))
            for key in node.order))
    sql = f"SELECT * FROM ({bound.sql}) AS {name} ORDER BY {keys}{tail}"
    return bound._replace(sql=sql, limited=bool(tail))


def _position(expr: Any, bound: Bound, name: str) -> Any:
    if isinstance(expr, n.Const) and expr.kind == "int":
        at = _place(expr.value, len(bound.names))
        return n.Ready("", f"{name}.c{at}", bound.types[at])
    return expr


def _place(number: int, count: int) -> int:
    if not 1 <= number <= count:
        fail(BinderException, f"ORDER term out of range - should be between "
             f"1 and {count}")
    return number - 1


def _add(scope: Scope, alias: str, sql_name: str, bound: Bound,
         names: Any = ()) -> None:
    from ._scope import Column, Rel
    shown = unique(list(names) + bound.names[len(names):])
    scope.rels.append(Rel(alias, [
        Column(name, f"{sql_name}.c{k}", kind)
        for k, (name, kind) in enumerate(zip(shown, bound.types))]))


# -- common tables


def _cte(binder: Binder, cte: tuple, recursive: bool, parent: Any) -> str:
    name, names, query = cte
    sql_name = binder.fresh("w")
    if recursive and _mentions(query, name):
        return _recursive(binder, cte, sql_name, parent)
    bound = bind_query(binder, query, parent)
    shown = list(names) + bound.names[len(names):]
    binder.ctes[name.lower()] = (sql_name, bound._replace(names=shown))
    return f"{sql_name} AS ({bound.sql})"


def _mentions(query: Any, name: str) -> bool:
    if isinstance(query, n.Table):
        return query.parts[-1].lower() == name.lower()
    return isinstance(query, tuple) and any(
        _mentions(one, name) for one in query)


def _recursive(binder: Binder, cte: tuple, sql_name: str,
               parent: Any) -> str:
    name, names, query = cte
    body = query.body
    if not isinstance(body, n.SetOp) or body.op != "UNION":
        lacks("a recursive table that is no UNION")
    first = bind_query(binder, body.left, parent)
    shown = list(names) + first.names[len(names):]
    kinds = [types.INTEGER if kind == types.NULL else kind
             for kind in first.types]
    binder.ctes[name.lower()] = (sql_name, first._replace(
        names=shown, types=kinds))
    if not isinstance(body.right, n.Select):
        lacks("a recursive part that is no plain SELECT")
    select = _Select(binder, n.Query(body.right), parent, kinds)
    second = select.bind()
    if len(second.types) != len(kinds):
        fail(BinderException, "Set operations can only apply to expressions "
             "with the same number of result columns")
    word = "UNION ALL" if body.every else "UNION"
    heads = ", ".join(columns(len(kinds)))
    return (f"{sql_name}({heads}) AS (SELECT * FROM ({first.sql}) {word} "
            f"{second.sql})")


# -- sets and VALUES


def _set(binder: Binder, node: n.SetOp, parent: Any) -> Bound:
    left = bind_query(binder, node.left, parent)
    right = bind_query(binder, node.right, parent)
    if node.every and node.op != "UNION":
        lacks(f"{node.op} ALL", f"use {node.op}")
    if node.by_name:
        left, right = _by_name(left, right)
    if len(left.types) != len(right.types):
        fail(BinderException, "Set operations can only apply to expressions "
             "with the same number of result columns")
    kinds = []
    for a, b in zip(left.types, right.types):
        both = types.union_of(a, b)
        if both is None:
            fail(BinderException, f"Cannot combine types {a} and {b} in a "
                 "set operation - an explicit cast is required")
        kinds.append(both)
    word = node.op + (" ALL" if node.every else "")
    sql = f"{_arm(binder, left, kinds)} {word} {_arm(binder, right, kinds)}"
    return Bound(f"SELECT * FROM ({sql})", left.names, kinds)


def _arm(binder: Binder, bound: Bound, kinds: list) -> str:
    parts = [f"{binder.cast(E(f'c{k}', a), b).sql} AS c{k}"
             for k, (a, b) in enumerate(zip(bound.types, kinds))]
    return f"SELECT {', '.join(parts)} FROM ({bound.sql})"


def _by_name(left: Bound, right: Bound) -> tuple[Bound, Bound]:
    low = [name.lower() for name in left.names]
    names = left.names + [name for name in right.names
                          if name.lower() not in low]
    made = []
    for bound in (left, right):
        at = {name.lower(): k for k, name in enumerate(bound.names)}
        places = [at.get(name.lower()) for name in names]
        parts = [f"{'NULL' if k is None else f'c{k}'} AS c{new}"
                 for new, k in enumerate(places)]
        made.append(Bound(
            f"SELECT {', '.join(parts)} FROM ({bound.sql})", names,
            [types.NULL if k is None else bound.types[k] for k in places]))
    return made[0], made[1]


def _values(binder: Binder, node: n.Values, parent: Any) -> Bound:
    binder.scope = Scope(parent)
    rows = [[binder.bind(one) for one in row] for row in node.rows]
    count = len(rows[0])
    if any(len(row) != count for row in rows):
        fail(BinderException, "VALUES lists must all be the same length")
    kinds = []
    for k in range(count):
        cast, kind = binder.same([row[k] for row in rows], "VALUES")
        kinds.append(kind)
        for row, e in zip(rows, cast):
            row[k] = e
    text = ", ".join(f"({', '.join(e.sql for e in row)})" for row in rows)
    parts = ", ".join(f"column{k + 1} AS c{k}" for k in range(count))
    return Bound(f"SELECT {parts} FROM (VALUES {text})",
                 [f"col{k}" for k in range(count)], kinds)


# -- SELECT


class _Select:
    """One SELECT, with ORDER BY and LIMIT; KINDS are types that its columns
    must have."""

    def __init__(self, binder: Binder, query: n.Query, parent: Any,
                 kinds: Any = None) -> None:
        self.binder, self.query, self.node = binder, query, query.body
        self.scope, self.kinds = Scope(parent), kinds
        self.items: list[tuple[str, Any, bool]] = []

    def bind(self) -> Bound:
        binder, node, scope = self.binder, self.node, self.scope
        binder.scope = scope
        scope.windows = dict(node.windows)
        come = source(binder, node.source, scope)
        binder.scope = scope
        self._expand()
        where = self._where()
        group = self._group()
        scope.may_unnest = scope.mode == "rows"
        es = [binder.bind(expr) for _, expr, _ in self.items]
        scope.may_unnest = False
        if self.kinds:
            es = [binder.cast(e, kind) for e, kind in zip(es, self.kinds)]
        if scope.unnested:
            come = ", ".join([come] * bool(come) + scope.unnested)
        having = self._having()
        body = (f" FROM {come}" if come else "") + where + group + having
        return self._finish(es, body)

    # -- the list

    def _expand(self) -> None:
        for item in self.node.items:
            expr = item.expr
            if isinstance(expr, n.Star):
                self._star(expr)
            elif has(expr, _is_columns):
                self._columns(item)
            else:
                self.items.append((item.alias or column_name(expr), expr,
                                   item.alias is not None))
                if item.alias is not None:
                    self.scope.aliases.setdefault(item.alias.lower(), expr)

    def _star(self, star: n.Star) -> None:
        changed = dict(star.replace)
        for column in self.scope.star(star):
            expr = changed.pop(column.name.lower(), None)
            if expr is None:
                expr = n.Ready(column.name, column.sql, column.type)
            self.items.append((column.name, expr, False))
        if changed:
            fail(BinderException, f'Column "{next(iter(changed))}" in REPLACE '
                 "list not found in FROM clause")

    def _columns(self, item: n.Named) -> None:
        stars = _found(item.expr)
        star = stars[0].args[0]
        if any(one != stars[0] for one in stars[1:]):
            lacks("several different COLUMNS()")
        form = star.matching
        for column in self.scope.star(star._replace(matching=None)):
            if form is not None and not re.search(form, column.name):
                continue
            ready = n.Ready(column.name, column.sql, column.type)
            expr = _swapped(item.expr, stars[0], ready)
            name = item.alias or (column.name if expr == ready
                                  else column_name(expr))
            self.items.append((name, expr, item.alias is not None))

    # -- WHERE, GROUP BY, HAVING

    def _where(self) -> str:
        parts = list(self.scope.filters)
        if self.node.where is not None:
            if has_window(self.node.where):
                fail(BinderException,
                     "WHERE clause cannot contain window functions!")
            if has_aggregate(self.node.where):
                fail(BinderException,
                     "WHERE clause cannot contain aggregates!")
            parts.append(self.binder.boolean(self.node.where))
        return f" WHERE {' AND '.join(parts)}" if parts else ""

    def _aggregates(self) -> bool:
        node, order = self.node, self.query.order
        if node.group is not None or node.having is not None:
            return True
        exprs = [expr for _, expr, _ in self.items]
        if not isinstance(order, str):
            exprs += [key.expr for key in order]
        if node.qualify is not None:
            exprs.append(node.qualify)
        return any(map(has_aggregate, exprs))

    def _group(self) -> str:
        if not self._aggregates():
            return ""
        scope, group = self.scope, self.node.group
        if group == "all":
            exprs = [expr for _, expr, _ in self.items
                     if not has_aggregate(expr) and not has_window(expr)]
        else:
            exprs = [self._group_item(expr) for expr in group or ()]
        es = [self.binder.bind(expr) for expr in exprs]
        scope.groups = {e.sql for e in es}
        scope.deep = not all(re.fullmatch(r'\w+\.("([^"]|"")*"|\w+)', e.sql)
                             for e in es)
        scope.mode = "grouped"
        if not es:
            return ""
        keys = [e.sql for e in es if e.const is None] or ["(NULL)"]
        return f" GROUP BY {', '.join(keys)}"

    def _group_item(self, expr: Any) -> Any:
        if isinstance(expr, n.Const) and expr.kind == "int":
            if not 1 <= expr.value <= len(self.items):
                fail(BinderException, "GROUP BY term out of range - should be"
                     f" between 1 and {len(self.items)}")
            return self.items[expr.value - 1][1]
        return expr

    def _having(self) -> str:
        if self.node.having is None:
            return ""
        made = self.binder.boolean(self.node.having)
        return f" HAVING {made}"

    # -- ORDER BY, QUALIFY, DISTINCT

    def _keys(self, es: list[E]) -> list[tuple[str, str]]:
        """The SQL of each key of ORDER BY, and which way it goes."""
        order = self.query.order
        if isinstance(order, str):
            way = " DESC" if order.endswith("desc") else ""
            return [(str(k + 1), way + " NULLS LAST") for k in range(len(es))]
        found = []
        for key in order:
            way = (" DESC" if key.descending else "") + (
                " NULLS FIRST" if key.nulls_first else " NULLS LAST")
            sql = self._key(key.expr, es)
            if sql is not None:
                found.append((sql, way))
        return found

    def _key(self, expr: Any, es: list[E]) -> str | None:
        if isinstance(expr, n.Const) and expr.kind == "int":
            return str(_place(expr.value, len(es)) + 1)
        if isinstance(expr, n.Col) and len(expr.parts) == 1:
            for k, (name, _, aliased) in enumerate(self.items):
                if aliased and name.lower() == expr.parts[0].lower():
                    return str(k + 1)
        e = self.binder.bind(expr)
        if e.type.id in ("LIST", "STRUCT"):
            lacks(f"ORDER BY of {e.type}")
        for k, item in enumerate(es):
            if item.sql == e.sql:
                return str(k + 1)
        if e.const is not None:
            return None
        if self.node.distinct is True:
            fail(BinderException, "for SELECT DISTINCT, ORDER BY expressions "
                 "must appear in select list!")
        return e.sql

    def _chosen(self) -> str:
        """The condition of QUALIFY and DISTINCT ON."""
        binder, node, parts = self.binder, self.node, []
        if node.qualify is not None:
            parts.append(binder.boolean(node.qualify))
        if isinstance(node.distinct, tuple):
            order = () if isinstance(self.query.order, str) \
                else self.query.order
            order = tuple(key._replace(expr=self._aliased(key.expr))
                          for key in order)
            on = tuple(self._group_item(one) for one in node.distinct)
            window = n.Window(n.Func("row_number", ()), on, order)
            parts.append(binder.bind(window).sql + " = 1")
        return " AND ".join(parts)

    def _aliased(self, expr: Any) -> Any:
        if isinstance(expr, n.Const) and expr.kind == "int":
            return self.items[_place(expr.value, len(self.items))][1]
        if isinstance(expr, n.Col) and len(expr.parts) == 1:
            return self.scope.aliases.get(expr.parts[0].lower(), expr)
        return expr

    def _finish(self, es: list[E], body: str) -> Bound:
        chosen, keys = self._chosen(), self._keys(es)
        tail = limits(self.binder, self.query)
        items = [f"{e.sql} AS c{k}" for k, e in enumerate(es)]
        distinct = "DISTINCT " if self.node.distinct is True else ""
        scope = self.scope
        single = scope.mode == "grouped" and not scope.groups
        if chosen:
            sql = self._wrapped(items, body, chosen, keys, distinct)
        else:
            sql = f"SELECT {distinct}{', '.join(items)}{body}"
            if keys:
                sql += " ORDER BY " + ", ".join(a + b for a, b in keys)
        names = unique([name for name, _, _ in self.items])
        return Bound(sql + tail, names, [e.type for e in es], single,
                     bool(tail))

    @staticmethod
    def _wrapped(items: list[str], body: str, chosen: str, keys: list,
                 distinct: str) -> str:
        count, more, order = len(items), [f"({chosen}) AS q"], []
        for k, (sql, way) in enumerate(keys):
            if sql.isdigit():
                order.append(f"c{int(sql) - 1}{way}")
            else:
                more.append(f"{sql} AS k{k}")
                order.append(f"k{k}{way}")
        sql = (f"SELECT {distinct}{', '.join(columns(count))} FROM (SELECT "
               f"{', '.join(items + more)}{body}) WHERE q")
        return sql + (" ORDER BY " + ", ".join(order) if order else "")


def _is_columns(node: Any) -> bool:
    return isinstance(node, n.Func) and node.name == "columns"


def _found(node: Any) -> list:
    if _is_columns(node):
        return [node]
    if not isinstance(node, tuple):
        return []
    return [found for one in node for found in _found(one)]


def _swapped(node: Any, old: Any, new: Any) -> Any:
    if type(node) is type(old) and node == old:
        return new
    if not isinstance(node, tuple):
        return node
    parts = [_swapped(one, old, new) for one in node]
    return type(node)(*parts) if hasattr(node, "_fields") else tuple(parts)


def _ready(binder: Binder, node: n.Ready) -> E:
    return binder.scope.check(E(node.sql, node.kind), node.name)


_BINDS[n.Ready] = _ready
