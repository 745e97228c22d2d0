"""Aggregates: those of the engine, and those that collect values."""

from __future__ import annotations

import json
import math
from collections import Counter, deque
from typing import Any, Callable

from . import _nodes as n
from . import _statistics as s
from . import _types as types
from ._arithmetic import checked, no_match
from ._casts import caster
from ._errors import BinderException, InvalidInputException, fail, lacks
from ._scope import E
from ._types import FLOATS, INTEGERS, STAMPS, T
from ._values import text_of

_D, _I, _V = types.DOUBLE, types.BIGINT, types.VARCHAR
LEFT_OUT = frozenset("""approx_quantile histogram map_agg reservoir_quantile
    approx_top_k bitstring_agg entropy_agg json_group_array
    json_group_object mad max_n favg fsum kahan_sum sumkahan
    regr_count regr_sxx regr_syy regr_sxy regr_avgx regr_avgy
    kurtosis_pop sem histogram_exact list_distinct_agg grouping
    grouping_id""".split())


def collector(finish: Callable[[list], Any], skips: bool = True,
              distinct: bool = False, order: tuple = ()) -> type:
    """A class for the engine: rows are collected, FINISH makes the value.
    The last arguments of a row are its keys, each with its ORDER."""
    keys = len(order)

    class Collector:
        def __init__(self) -> None:
            self.rows: deque = deque()

        def step(self, *row: Any) -> None:
            if not skips or row[0] is not None:
                self.rows.append(row)

        def inverse(self, *row: Any) -> None:
            if not skips or row[0] is not None:
                self.rows.popleft()

        def value(self) -> Any:
            rows = list(self.rows)
            if keys:
                rows = ordered(rows, order)
                rows = [row[:-keys] for row in rows]
            if distinct:
                first: dict = {}
                for row in rows:
                    first.setdefault(row[0], row)
                rows = list(first.values())
            return finish(rows)

        finalize = value
    return Collector


def ordered(rows: list, order: tuple) -> list:
    """ROWS by their last values."""
    for at in range(len(order) - 1, -1, -1):
        descending, first = order[at]
        place = at - len(order)
        gaps = [row for row in rows if row[place] is None]
        rest = sorted((row for row in rows if row[place] is not None),
                      key=lambda row: row[place], reverse=descending)
        rows = gaps + rest if first else rest + gaps
    return rows


def only() -> type:
    def finish(rows: list) -> Any:
        if len(rows) > 1:
            fail(InvalidInputException, "More than one row returned by a "
                 "subquery used as an expression - scalar subqueries can only"
                 " return a single row.\n \nUse \"SET scalar_subquery_error_"
                 'on_multiple_rows=false" to revert to previous behavior of '
                 "returning a random row.")
        return rows[0][0] if rows else None
    return collector(finish, skips=False)


def gather_items() -> type:
    return collector(lambda rows: json.dumps([row[0] for row in rows]), False)


# -- of the engine


def _filtered(node: n.Func, where: str) -> str:
    return f" FILTER (WHERE {where})" if where else ""


def _native(word: str, kind: Callable[[E], T]) -> Any:
    def function(binder: Any, node: n.Func, es: list[E], where: str) -> E:
        if len(es) != 1:
            no_match(node.name, es)
        distinct = "DISTINCT " if node.distinct else ""
        return E(f"{word}({distinct}{es[0].sql}){_filtered(node, where)}",
                 kind(es[0]))
    return function


def _count(binder: Any, node: n.Func, es: list[E], where: str) -> E:
    if len(es) > 1:
        no_match("count", es)
    inner = es[0].sql if es else "*"
    distinct = "DISTINCT " if node.distinct else ""
    return E(f"count({distinct}{inner}){_filtered(node, where)}", _I)


def _sum(binder: Any, node: n.Func, es: list[E], where: str) -> E:
    if len(es) != 1 or not (types.is_number(es[0].type) or es[0].is_null
                            or es[0].type.id == "BOOLEAN"):
        no_match(node.name, es)
    kind = es[0].type
    made = _D if kind.id in FLOATS else types.HUGEINT
    if kind.id == "DECIMAL":
        made = types.decimal(38, kind.args[1])
    return _native("sum", lambda e: made)(binder, node, es, where)


def _avg(binder: Any, node: n.Func, es: list[E], where: str) -> E:
    kind = es[0].type if len(es) == 1 else types.VARCHAR
    if not (types.is_number(kind) or kind.id in ("NULL", "BOOLEAN")):
        if kind.id in STAMPS | {"DATE", "INTERVAL", "TIME"}:
            lacks(f"avg() of {kind}", "use median()")
        no_match(node.name, es)
    made = _native("avg", lambda e: _D)(binder, node, es, where)
    if kind.id == "DECIMAL":
        return E(f"({made.sql} / {10 ** kind.args[1]}.0)", _D)
    return made


def _extreme(word: str) -> Any:
    plain = _native(word, lambda e: e.type if not e.is_null
                    else types.INTEGER)

    def function(binder: Any, node: n.Func, es: list[E], where: str) -> E:
        if len(es) == 2:
            lacks(f"{word}() of the {word} N values", "use LIMIT")
        if len(es) == 1 and es[0].type.id in ("LIST", "STRUCT"):
            lacks(f"{word}() of {es[0].type}")
        return plain(binder, node._replace(distinct=False), es, where)
    return function


def _count_if(binder: Any, node: n.Func, es: list[E], where: str) -> E:
    condition = binder.cast(es[0], types.BOOLEAN).sql
    both = f"({condition}) AND ({where})" if where else condition
    return E(f"count(*) FILTER (WHERE {both})", types.HUGEINT)


def _bool(word: str) -> Any:
    def function(binder: Any, node: n.Func, es: list[E], where: str) -> E:
        if len(es) != 1 or es[0].type.id != "BOOLEAN":
            no_match(node.name, es)
        return E(f"{word}({es[0].sql}){_filtered(node, where)}",
                 types.BOOLEAN)
    return function


# -- those that collect


def collect(binder: Any, node: n.Func, es: list[E], where: str, name: Any,
            finish: Callable[[list], Any], skips: bool = True) -> str:
    keys = [binder.bind(key.expr) for key in node.order]
    order = tuple((key.descending, key.nulls_first) for key in node.order)
    args = [e.sql for e in es] + [e.sql for e in keys]
    made = binder.engine.aggregate(
        (name, node.distinct, order), len(args),
        lambda: collector(finish, skips, node.distinct, order))
    return f"{made}({', '.join(args)}){_filtered(node, where)}"


def _simple(finish: Callable[[list], Any], kind: Callable[[E], T],
            skips: bool = True) -> Any:
    def function(binder: Any, node: n.Func, es: list[E], where: str) -> E:
        if len(es) != 1:
            no_match(node.name, es)
        return E(collect(binder, node, es, where, node.name, finish, skips),
                 kind(es[0]))
    return function


def _of_doubles(count: int, finish: Callable[[list], Any]) -> Any:
    """Aggregates of COUNT columns of doubles, none of them NULL."""
    def ends(rows: list) -> Any:
        rows = [row for row in rows if None not in row]
        return finish(rows)

    def function(binder: Any, node: n.Func, es: list[E], where: str) -> E:
        if len(es) != count or not all(types.is_number(e.type) or e.is_null
                                       for e in es):
            no_match(node.name, es)
        es = [binder.cast(e, _D) for e in es]
        return E(collect(binder, node, es, where, node.name, ends), _D)
    return function


def _string_agg(binder: Any, node: n.Func, es: list[E], where: str) -> E:
    mark = ","
    if len(es) == 2:
        mark = binder.constant(node.args[1], "the mark of string_agg()")
    if not 1 <= len(es) <= 2 or es[0].type.id not in ("VARCHAR", "NULL"):
        no_match(node.name, es)
    sql = collect(binder, node, es[:1], where, ("string_agg", mark),
                  lambda rows: mark.join(row[0] for row in rows)
                  if rows else None)
    return E(sql, _V)


def _list(binder: Any, node: n.Func, es: list[E], where: str) -> E:
    if len(es) != 1:
        no_match(node.name, es)
    skips = node.distinct  # list(DISTINCT x) has no NULL
    nested = es[0].type.id in ("LIST", "STRUCT")

    def finish(rows: list) -> Any:
        items = [row[0] for row in rows]
        if nested:
            items = [None if one is None else json.dumps(json.loads(one))
                     for one in items]
        return json.dumps(items) if rows else None
    sql = collect(binder, node, es, where, ("list", nested, skips), finish,
                  skips)
    return E(sql, types.list_of(es[0].type if not es[0].is_null
                                else types.INTEGER))


def _arg(pick: Any) -> Any:
    def finish(rows: list) -> Any:
        rows = [row for row in rows if None not in row]
        return pick(rows, key=lambda row: row[1])[0] if rows else None

    def function(binder: Any, node: n.Func, es: list[E], where: str) -> E:
        if len(es) == 3:
            lacks(f"{node.name}() of N values", "use LIMIT")
        if len(es) != 2:
            no_match(node.name, es)
        return E(collect(binder, node, es, where, (pick.__name__, "arg"),
                         finish), es[0].type)
    return function


def _quantile_kind(kind: T, continuous: bool) -> T:
    if not continuous or kind.id == "DECIMAL" or kind.id == "FLOAT":
        return kind
    if kind.id in STAMPS or kind.id == "DATE":
        return types.TIMESTAMP
    return _D


def _quantile(continuous: bool, fixed: Any = None) -> Any:
    def function(binder: Any, node: n.Func, es: list[E], where: str) -> E:
        at = fixed
        if fixed is None:
            if len(es) != 2:
                no_match(node.name, es)
            at = _fractions(binder, node.args[1])
        e = es[0]
        if e.type.id == "VARCHAR" and continuous and not (
                node.name == "median"):
            no_match(node.name, es)
        smooth = continuous and e.type.id != "VARCHAR"
        kind = _quantile_kind(e.type, smooth)
        e = binder.cast(e, kind)
        whole = kind.id in ("DECIMAL", "TIMESTAMP")
        name = ("quantile", smooth, whole, str(at))
        sql = collect(binder, node, [e], where, name,
                      s.quantile(at, smooth, whole))
        return E(sql, types.list_of(kind) if isinstance(at, list) else kind)
    return function


def _fractions(binder: Any, node: Any) -> Any:
    if isinstance(node, n.Items):
        return [_fractions(binder, one) for one in node.items]
    value = float(binder.constant(node, "the fraction of a quantile"))
    if not 0 <= value <= 1:
        fail(BinderException, "QUANTILE can only take parameters in the "
             "range [-1, 1]")
    return value


def _mode(rows: list) -> Any:
    counts = Counter(row[0] for row in rows)
    return max(counts, key=lambda one: counts[one]) if counts else None


def _first(rows: list) -> Any:
    return rows[0][0] if rows else None


def _last(rows: list) -> Any:
    return rows[-1][0] if rows else None


def _bits(finish: Any) -> Any:
    return _simple(lambda rows: finish([row[0] for row in rows])
                   if rows else None, lambda e: e.type)


def _product(rows: list) -> Any:
    return math.prod(row[0] for row in rows) if rows else None


def _itself(e: E) -> T:
    return e.type if not e.is_null else types.INTEGER


AGGREGATES: dict[str, Any] = {}
for _names, _function in {
        "count count_star": _count, "sum": _sum, "avg mean": _avg,
        "min": _extreme("min"), "max": _extreme("max"),
        "count_if countif": _count_if,
        "bool_and": _bool("min"), "bool_or": _bool("max"),
        "approx_count_distinct": lambda binder, node, es, where: _count(
            binder, node._replace(distinct=True), es, where),
        "string_agg group_concat listagg": _string_agg,
        "list array_agg": _list,
        "arg_max argmax max_by": _arg(max),
        "arg_min argmin min_by": _arg(min),
        "median": _quantile(True, 0.5), "quantile_cont": _quantile(True),
        "quantile quantile_disc": _quantile(False),
        "mode": _simple(_mode, _itself),
        "first arbitrary": _simple(_first, _itself, False),
        "last": _simple(_last, _itself, False),
        "any_value": _simple(_first, _itself),
        "stddev stddev_samp": _of_doubles(1, s.deviation(1)),
        "stddev_pop": _of_doubles(1, s.deviation(0)),
        "variance var_samp": _of_doubles(1, s.variance(1)),
        "var_pop": _of_doubles(1, s.variance(0)),
        "skewness": _of_doubles(1, s.skewness),
        "kurtosis": _of_doubles(1, s.kurtosis),
        "entropy": _simple(s.entropy, lambda e: _D),
        "product": _of_doubles(1, _product),
        "geomean geometric_mean": _of_doubles(1, s.geometric),
        "corr": _of_doubles(2, s.correlation),
        "covar_pop": _of_doubles(2, s.covariance(0)),
        "covar_samp": _of_doubles(2, s.covariance(1)),
        "regr_slope": _of_doubles(2, s.slope),
        "regr_intercept": _of_doubles(2, s.intercept),
        "regr_r2": _of_doubles(2, s.r_squared),
        "bit_and": _bits(s.all_and), "bit_or": _bits(s.all_or),
        "bit_xor": _bits(s.all_xor)}.items():
    for _one in _names.split():
        AGGREGATES[_one] = _function


def of_bound(binder: Any, node: n.Func, es: list[E]) -> E:
    if node.name not in AGGREGATES:
        lacks(f"the aggregate {node.name}()")
    return AGGREGATES[node.name](binder, node, es, "")


def bind_aggregate(binder: Any, node: n.Func) -> E:
    """An aggregate that makes groups (OVER is another matter)."""
    scope = binder.scope
    if scope.mode != "grouped":
        word = "nested" if scope.mode == "inside" else "contained"
        fail(BinderException, "aggregate function calls cannot be nested"
             if word == "nested" else
             "aggregates are not allowed in this place (WHERE, JOIN)")
    scope.mode = "inside"
    try:
        es = [binder.bind(one) for one in node.args]
        where = binder.boolean(node.where) if node.where is not None else ""
        return AGGREGATES[node.name](binder, node, es, where)
    finally:
        scope.mode = "grouped"


__all__ = ["AGGREGATES", "bind_aggregate", "of_bound", "INTEGERS", "caster",
           "checked", "text_of"]
