"""From DuckDB's expressions to the engine's, with a type for each.

Only that which is known to mean the same in both is translated. The engine is
SQLite; a function that SQLite lacks, or that differs there, is one of Python.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Callable

from . import _nodes as n
from . import _types as types
from ._casts import caster, of_unit, trying
from ._errors import (BinderException, CatalogException,
                      InvalidInputException, fail, lacks)
from ._names import column_name
from ._scope import E, Scope
from ._types import FLOATS, INTEGERS, T
from ._values import interval_parts, kept, literal

_SET_WORDS = ("=", "!=", "<", ">", "<=", ">=")


class Binder:
    """ENGINE has the tables and the functions; PARAMS are the statement's
    parameters."""

    def __init__(self, engine: Any, params: Any = None) -> None:
        self.engine = engine
        self.params: Any = {} if params is None else params
        self.used: set[Any] = set()
        self.scope: Any = Scope(None)
        self.ctes: dict[str, Any] = {}
        self.views: list[str] = []
        self.scans: list[Any] = []  # what the query reads, until it is done
        self.number = 0

    def fresh(self, letter: str = "t") -> str:
        self.number += 1
        return f"{letter}{self.number}"

    # -- helpers for functions

    def call(self, name: Any, make: Callable[[], Callable[..., Any]],
             args: list[str], nulls: bool = False) -> str:
        """The engine's call of a function of Python; NAME tells it from
        others. With NULLS it is asked for NULLs as well."""
        made = self.engine.function(name, len(args), make, nulls)
        return f"{made}({', '.join(args)})"

    def cast(self, e: E, kind: T, attempt: bool = False) -> E:
        """E, cast to KIND."""
        if e.type == kind or e.is_null:
            return E(e.sql, kind)
        if e.const is not None and not attempt and e.const.kind in (
                "text", "int", "decimal"):
            value = caster(e.type, kind)(self.value(e))
            return E(literal(value), kind)
        sql = None if attempt else _plain_cast(e, kind)
        if sql is None:
            make = lambda: trying(caster(e.type, kind)) if attempt \
                else caster(e.type, kind)
            caster(e.type, kind)  # refuses now, not while rows are read
            sql = self.call(("cast", e.type, kind, attempt), make, [e.sql])
        return E(sql, kind)

    @staticmethod
    def value(e: E) -> Any:
        """The kept value of a literal."""
        if e.const.kind == "decimal":
            return int(Decimal(e.const.value).scaleb(e.type.args[1]))
        if e.const.kind == "python":
            return e.const.value[1]
        return e.const.value

    def constant(self, node: Any, what: str) -> Any:
        """The Python value of NODE, which must be a constant."""
        e = self.bind(node)
        if e.is_null:
            return None
        if e.const is None:
            lacks(f"{what} that is no constant")
        value = self.value(e)
        return value / 10 ** e.type.args[1] if e.type.id == "DECIMAL" \
            else value

    def same(self, es: list[E], what: str) -> tuple[list[E], T]:
        """ES as one type."""
        kind = types.NULL
        for e in es:
            if not (e.is_text or e.is_int):
                kind = self._both(kind, e.type, what)
        for e in es:
            if e.is_text and kind == types.NULL:
                kind = types.VARCHAR
            if e.is_int and not self._fits(e, kind):
                kind = self._both(kind, e.type, what)
        if any(e.is_text for e in es) and kind == types.NULL:
            kind = types.VARCHAR
        return [self.cast(e, kind) for e in es], kind

    def _fits(self, e: E, kind: T) -> bool:
        if kind.id in INTEGERS:
            low, high = types.bounds(kind)
            return low <= e.const.value <= high
        return kind.id in FLOATS

    def _both(self, a: T, b: T, what: str) -> T:
        both = types.together(a, b)
        if both is None:
            if what == "compare":
                fail(BinderException, f"Cannot compare values of type {a} and"
                     f" type {b} - an explicit cast is required")
            fail(BinderException, f"Cannot mix values of type {a} and {b} in "
                 f"{what} - an explicit cast is required")
        return both

    # -- expressions

    def bind(self, node: Any) -> E:
        scope = self.scope
        if scope.mode == "grouped" and scope.deep \
                and not isinstance(node, (n.Const, n.Col, n.Sub)):
            found = self._whole_group(node)
            if found is not None:
                return found
        method = _BINDS.get(type(node))
        if method is None:
            lacks(f"{type(node).__name__} in this place")
        return method(self, node)

    def _whole_group(self, node: Any) -> E | None:
        """NODE, where it is as a whole an expression of GROUP BY."""
        if has_aggregate(node):
            return None
        scope = self.scope
        scope.mode = "rows"
        try:
            found = self.bind(node)
        except BinderException:
            return None
        finally:
            scope.mode = "grouped"
        return found if found.sql in scope.groups else None

    def boolean(self, node: Any) -> str:
        e = self.bind(node)
        if e.type.id not in ("BOOLEAN", "NULL") and not e.is_text \
                and not types.is_number(e.type):
            fail(BinderException, f"Cannot cast {e.type} to BOOLEAN")
        return self.cast(e, types.BOOLEAN).sql

    def b_const(self, node: n.Const) -> E:
        if node.kind == "text":
            return E(literal(node.value), types.VARCHAR, node)
        if node.kind == "int":
            kind = types.of_integer(node.value)
            if kind == types.HUGEINT:
                lacks("a whole number of more than 64 bits")
            return E(literal(node.value), kind, node)
        if node.kind == "double":
            return E(literal(node.value), types.DOUBLE)
        if node.kind == "decimal":
            return self._decimal(node)
        if node.kind == "bool":
            return E(str(int(node.value)), types.BOOLEAN)
        if node.kind == "python":
            return E(literal(node.value[1]), node.value[0], node)
        return E("NULL", types.NULL)

    @staticmethod
    def _decimal(node: n.Const) -> E:
        digits, _, after = node.value.lstrip("-").partition(".")
        width = len(digits.lstrip("0")) + len(after)
        kind = types.decimal(max(width, 1, len(after)), len(after))
        number = int(Decimal(node.value).scaleb(len(after)))
        return E(literal(number), kind, node)

    def b_param(self, node: n.Param) -> E:
        self.used.add(node.key)
        if node.key not in self.params:
            fail(InvalidInputException, "Values were not provided for the "
                 f"following prepared statement parameters: {node.key}")
        kind, value = kept(self.params[node.key])
        if kind == types.VARCHAR:
            return self.b_const(n.Const("text", value))
        if kind.id in INTEGERS:
            return self.b_const(n.Const("int", value))
        return self.b_const(n.Const("python", (kind, value)))

    # -- names

    def b_col(self, node: n.Col) -> E:
        scope, found = self.scope, None
        while scope is not None:
            found = scope.find(node.parts)
            if found is not None:
                if node.parts[0].lower() in scope.lambdas:
                    return found
                return scope.check(found, node.parts[-1])
            found = self._alias(scope, node.parts)
            if found is not None:
                return found
            scope = scope.parent
        if len(node.parts) > 1:
            field = self._field(node)
            if field is not None:
                return field
        return self.scope.missing(node.parts)

    def _alias(self, scope: Scope, parts: tuple) -> E | None:
        low = parts[0].lower()
        if len(parts) != 1 or low not in scope.aliases or low in scope.busy:
            return None
        scope.busy.add(low)
        before, self.scope = self.scope, scope
        try:
            return self.bind(scope.aliases[low])
        finally:
            scope.busy.discard(low)
            self.scope = before

    def _field(self, node: n.Col) -> E | None:
        """`a.b` where `a` is a column with a struct."""
        scope = self.scope
        while scope is not None:
            if scope.find(node.parts[:1]) is not None:
                return self.bind(n.Func("struct_extract", (
                    n.Col(node.parts[:-1]), n.Const("text",
                                                    node.parts[-1]))))
            scope = scope.parent
        return None

    # -- operators

    def b_unary(self, node: n.Unary) -> E:
        if node.op == "NOT":
            return E(f"(NOT {self.boolean(node.arg)})", types.BOOLEAN)
        e = self.bind(node.arg)
        if node.op in ("IS NULL", "IS NOT NULL"):
            return E(f"({e.sql} {node.op})", types.BOOLEAN)
        from ._arithmetic import negative
        return negative(self, node.op, e)

    def b_binary(self, node: n.Binary) -> E:
        if node.op in ("AND", "OR"):
            left, right = self.boolean(node.left), self.boolean(node.right)
            return E(f"({left} {node.op} {right})", types.BOOLEAN)
        left, right = self.bind(node.left), self.bind(node.right)
        if node.op in _SET_WORDS or node.op.startswith("IS"):
            return self.compare(node.op, left, right)
        from ._arithmetic import operate
        return operate(self, node.op, left, right)

    def compare(self, op: str, left: E, right: E) -> E:
        (left, right), kind = self.same([left, right], "compare")
        one, other = left.sql, right.sql
        if kind.id in ("LIST", "STRUCT") and op not in ("=", "!=") \
                and not op.startswith("IS"):
            lacks(f"{op} of lists")
        if kind.id == "INTERVAL":  # its length alone
            one, other = f"substr({one}, 1, 20)", f"substr({other}, 1, 20)"
        word = {"IS DISTINCT FROM": "IS NOT",
                "IS NOT DISTINCT FROM": "IS"}.get(op, op)
        return E(f"({one} {word} {other})", types.BOOLEAN)

    def b_between(self, node: n.Between) -> E:
        es, kind = self.same([self.bind(one) for one in (
            node.arg, node.low, node.high)], "compare")
        word = "NOT BETWEEN" if node.negated else "BETWEEN"
        arg, low, high = (e.sql for e in es)
        return E(f"({arg} {word} {low} AND {high})", types.BOOLEAN)

    def b_in(self, node: n.In) -> E:
        word = "NOT IN" if node.negated else "IN"
        arg = self.bind(node.arg)
        if type(node.items) is not tuple:
            return self._in_query(arg, word, node.items)
        es, _ = self.same([arg] + [self.bind(one) for one in node.items],
                          "compare")
        items = ", ".join(e.sql for e in es[1:])
        return E(f"({es[0].sql} {word} ({items}))", types.BOOLEAN)

    def _in_query(self, arg: E, word: str, query: Any) -> E:
        bound = self.subquery(query)
        if len(bound.types) != 1:
            fail(BinderException, f"Subquery returns {len(bound.types)} "
                 "columns - expected 1")
        column = E("c0", bound.types[0])
        (left, right), _ = self.same([arg, column], "compare")
        sql = bound.sql if right.sql == "c0" \
            else f"SELECT {right.sql} FROM ({bound.sql})"
        return E(f"({left.sql} {word} ({sql}))", types.BOOLEAN)

    def b_case(self, node: n.Case) -> E:
        conditions, values = [], []
        for condition, value in node.whens:
            if node.operand is not None:
                condition = n.Binary("=", node.operand, condition)
            conditions.append(self.boolean(condition))
            values.append(self.bind(value))
        values.append(self.bind(node.other or n.Const("null", None)))
        values, kind = self.same(values, "CASE")
        sql = "".join(f" WHEN {condition} THEN {value.sql}"
                      for condition, value in zip(conditions, values))
        return E(f"(CASE{sql} ELSE {values[-1].sql} END)", kind)

    def b_cast(self, node: n.Cast) -> E:
        e = self.bind(node.arg)
        if e.const is not None and node.trying:
            e = E(e.sql, e.type)
        return self.cast(e, node.kind, node.trying)

    def b_interval(self, node: n.Interval) -> E:
        e = self.bind(node.arg)
        e = self.cast(e, types.DOUBLE)
        sql = self.call(("interval", node.unit),
                        lambda: lambda amount: of_unit(amount, node.unit),
                        [e.sql])
        return E(sql, types.INTERVAL)

    # -- queries within

    def subquery(self, query: Any) -> Any:
        from ._select import bind_query
        return bind_query(self, query, self.scope)

    def b_sub(self, node: n.Sub) -> E:
        bound = self.subquery(node.query)
        if len(bound.types) != 1:
            fail(BinderException, f"Subquery returns {len(bound.types)} "
                 "columns - expected 1")
        # one row more than one: DuckDB refuses, SQLite would not
        sql = bound.sql if bound.single else (
            f"SELECT {self.one_row()}(c0) FROM ({bound.sql} LIMIT 2)"
            if not bound.limited else
            f"SELECT {self.one_row()}(c0) FROM ({bound.sql})")
        return E(f"({sql})", bound.types[0])

    def one_row(self) -> str:
        from ._aggregates import only
        return self.engine.aggregate("only", 1, only)

    def b_exists(self, node: n.Exists) -> E:
        bound = self.subquery(node.query)
        return E(f"(EXISTS ({bound.sql}))", types.BOOLEAN)

    def b_quantified(self, node: n.Quantified) -> E:
        if node.op == "=" and not node.every:
            return self.bind(n.In(node.left, node.query))
        if node.op == "!=" and node.every:
            return self.bind(n.In(node.left, node.query, True))
        lacks(f"{node.op} {'ALL' if node.every else 'ANY'}",
              "use min() or max() in the subquery")

    # -- lists, structs, calls

    def b_items(self, node: n.Items) -> E:
        return self.bind(n.Func("list_value", node.items))

    def b_struct(self, node: n.Struct) -> E:
        return self.bind(n.Func("struct_pack", tuple(
            n.Named(value, name) for name, value in node.fields)))

    def b_index(self, node: n.Index) -> E:
        if node.is_slice:
            return self.bind(n.Func("array_slice", (
                node.arg, node.low or n.Const("null", None),
                node.high or n.Const("null", None))))
        return self.bind(n.Func("element", (node.arg, node.low)))

    def b_func(self, node: n.Func) -> E:
        from ._aggregates import AGGREGATES, bind_aggregate
        from ._functions import bind_function
        if node.name in AGGREGATES:
            return bind_aggregate(self, node)
        if node.distinct or node.order or node.where is not None:
            fail(CatalogException, f"{node.name} is not an aggregate "
                 "function")
        return bind_function(self, node)

    def b_window(self, node: n.Window) -> E:
        from ._windows import bind_window
        return bind_window(self, node)

    def b_star(self, node: n.Star) -> E:
        fail(BinderException, "STAR expression is not supported here")


def _plain_cast(e: E, kind: T) -> str | None:
    """A cast that the engine does as DuckDB does, or None."""
    source = e.type.id
    if source in INTEGERS and kind.id in INTEGERS:
        low, high = types.bounds(e.type)
        least, most = types.bounds(kind)
        return e.sql if least <= low and high <= most else None
    if source == "BOOLEAN" and kind.id in INTEGERS:
        return e.sql
    if source in INTEGERS and kind.id == "DOUBLE":
        return f"CAST({e.sql} AS REAL)"
    if source == "FLOAT" and kind.id == "DOUBLE":
        return e.sql
    if source == "DECIMAL" and kind.id == "DOUBLE":
        return f"({e.sql} / {10 ** e.type.args[1]}.0)"
    if source in INTEGERS and kind.id == "VARCHAR":
        return f"CAST({e.sql} AS TEXT)"
    if source == "DATE" and kind.id in types.STAMPS:
        return f"({e.sql} * 86400000000)"
    if source in types.STAMPS and kind.id in types.STAMPS:
        return e.sql
    if source == kind.id == "DECIMAL" and kind.args[1] == e.type.args[1] \
            and kind.args[0] >= e.type.args[0]:
        return e.sql
    return None


_BINDS: dict[type, Callable[[Binder, Any], E]] = {
    n.Const: Binder.b_const, n.Param: Binder.b_param, n.Col: Binder.b_col,
    n.Unary: Binder.b_unary, n.Binary: Binder.b_binary, n.In: Binder.b_in,
    n.Between: Binder.b_between, n.Case: Binder.b_case, n.Cast: Binder.b_cast,
    n.Interval: Binder.b_interval, n.Sub: Binder.b_sub,
    n.Exists: Binder.b_exists, n.Quantified: Binder.b_quantified,
    n.Items: Binder.b_items, n.Struct: Binder.b_struct,
    n.Index: Binder.b_index, n.Func: Binder.b_func,
    n.Window: Binder.b_window, n.Star: Binder.b_star,
}


def children(node: Any) -> Any:
    """The parts of an expression, without those of its subqueries."""
    if isinstance(node, (n.Sub, n.Exists, n.Quantified, n.Query, n.Select,
                         n.SetOp, n.Values, T)):
        return
    if isinstance(node, tuple):
        for one in node:
            if isinstance(one, tuple):
                yield one


def has(node: Any, wanted: Callable[[Any], bool]) -> bool:
    if wanted(node):
        return True
    return any(has(one, wanted) for one in children(node))


def has_aggregate(node: Any) -> bool:
    from ._aggregates import AGGREGATES
    if isinstance(node, n.Window):  # its own function makes no groups
        inner = node.func.args if node.func else ()
        return any(has_aggregate(one) for one in (
            *inner, *node.partition, *node.order))
    if isinstance(node, n.Func) and node.name in AGGREGATES:
        return True
    return any(has_aggregate(one) for one in children(node))


def has_window(node: Any) -> bool:
    return has(node, lambda one: isinstance(one, n.Window))


def interval_of(binder: Binder, node: Any) -> tuple[int, int, int]:
    """Months, days and microseconds of a constant interval."""
    if isinstance(node, n.Interval):
        amount = binder.constant(node.arg, "an interval of a frame")
        return interval_parts(of_unit(float(amount), node.unit))
    if isinstance(node, n.Cast) and isinstance(node.arg, n.Const):
        return interval_parts(caster(types.VARCHAR, types.INTERVAL)(
            node.arg.value))
    lacks("a frame of an interval that is no constant")


__all__ = ["Binder", "has_aggregate", "has_window", "has", "column_name",
           "interval_of"]
