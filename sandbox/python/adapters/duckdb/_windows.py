"""Functions with OVER."""

from __future__ import annotations

from typing import Any

from . import _nodes as n
from . import _types as types
from ._arithmetic import no_match
from ._errors import BinderException, CatalogException, fail, lacks
from ._scope import E
from ._types import INTEGERS, STAMPS
from ._values import DAY

_I, _D = types.BIGINT, types.DOUBLE


def _shifted(name: str) -> Any:
    def function(binder: Any, es: list[E]) -> E:
        if not 1 <= len(es) <= 3:
            no_match(name, es)
        if len(es) == 3:
            (es[0], es[2]), _ = binder.same([es[0], es[2]], name)
        if len(es) > 1:
            if es[1].type.id not in INTEGERS:
                no_match(name, es)
            if es[1].const is not None and binder.value(es[1]) < 0:
                name_, es[1] = ("lead" if name == "lag" else "lag"), E(
                    str(-binder.value(es[1])), es[1].type)
                return E(_args(name_, es), es[0].type)
        return E(_args(name, es), es[0].type)
    return function


def _args(name: str, es: list[E]) -> str:
    return f"{name}({', '.join(e.sql for e in es)})"


def _plain(name: str, kind: Any, count: int) -> Any:
    def function(binder: Any, es: list[E]) -> E:
        if len(es) != count:
            no_match(name, es)
        return E(_args(name, es), kind or es[0].type)
    return function


WINDOWS: dict[str, Any] = {
    "row_number": _plain("row_number", _I, 0),
    "rank": _plain("rank", _I, 0),
    "dense_rank": _plain("dense_rank", _I, 0),
    "rank_dense": _plain("dense_rank", _I, 0),
    "percent_rank": _plain("percent_rank", _D, 0),
    "cume_dist": _plain("cume_dist", _D, 0),
    "ntile": _plain("ntile", _I, 1),
    "lag": _shifted("lag"), "lead": _shifted("lead"),
    "first_value": _plain("first_value", None, 1),
    "last_value": _plain("last_value", None, 1),
    "nth_value": _plain("nth_value", None, 2),
    "first": _plain("first_value", None, 1),
    "last": _plain("last_value", None, 1),
}
# These know no frame and no FILTER.
_RANKS = frozenset(("row_number", "rank", "dense_rank", "rank_dense", "lag",
                    "lead", "percent_rank", "cume_dist", "ntile"))


def named(binder: Any, node: n.Window) -> n.Window:
    """NODE with the parts of the window of WINDOW that it names."""
    if node.base is None:
        return node
    base = binder.scope.windows.get(node.base.lower())
    if base is None:
        fail(BinderException, f'window "{node.base}" does not exist')
    base = named(binder, base)
    return n.Window(node.func, node.partition or base.partition,
                    node.order or base.order, node.frame or base.frame)


def bind_window(binder: Any, node: n.Window) -> E:
    node = named(binder, node)
    func = node.func
    if binder.scope.mode == "inside":
        fail(BinderException,
             "aggregate function calls cannot contain window function calls")
    made = _function(binder, func)
    over = []
    if node.partition:
        over.append("PARTITION BY " + ", ".join(
            binder.bind(one).sql for one in node.partition))
    if node.order:
        over.append("ORDER BY " + order_sql(binder, node.order))
    if node.frame and func.name not in _RANKS:
        over.append(_frame(binder, node))
    return E(made.sql.replace("\1", f" OVER ({' '.join(over)})"), made.type)


def order_sql(binder: Any, order: tuple) -> str:
    keys = []
    for key in order:
        e = binder.bind(key.expr)
        sql = f"({e.sql} + 0)" if e.const is not None else e.sql
        keys.append(sql + (" DESC" if key.descending else "")
                    + (" NULLS FIRST" if key.nulls_first else " NULLS LAST"))
    return ", ".join(keys)


def _function(binder: Any, func: n.Func) -> E:
    """The call, with the place of OVER marked."""
    from ._aggregates import AGGREGATES
    if func.nulls == "ignore":
        lacks("IGNORE NULLS", "use last_value() of a filtered column")
    if func.name in WINDOWS:
        if func.where is not None or func.distinct:
            lacks(f"FILTER or DISTINCT with {func.name}()")
        es = [binder.bind(one) for one in func.args]
        made = WINDOWS[func.name](binder, es)
        return E(made.sql + "\1", made.type)
    if func.name not in AGGREGATES:
        fail(CatalogException, f"{func.name} is not an aggregate function")
    if func.distinct or func.order:
        lacks(f"DISTINCT or ORDER BY in {func.name}() with OVER")
    es = [binder.bind(one) for one in func.args]
    where = binder.boolean(func.where) if func.where is not None else ""
    made = AGGREGATES[func.name](binder, func, es, where)
    if func.name in ("avg", "mean") and made.sql.startswith("("):
        head, _, tail = made.sql.rpartition(" / ")
        return E(f"{head}\1 / {tail}", made.type)
    return E(made.sql + "\1", made.type)


def _frame(binder: Any, node: n.Window) -> str:
    kind, low, high = node.frame
    bounds = [_bound(binder, node, kind, one)
              for one in (low, high or (None, "CURRENT ROW"))]
    return f"{kind} BETWEEN {bounds[0]} AND {bounds[1]}"


def _bound(binder: Any, node: n.Window, kind: str, bound: Any) -> str:
    value, way = bound
    if value is None:
        return way
    if kind != "RANGE":
        return f"{int(binder.constant(value, 'a frame'))} {way}"
    if len(node.order) != 1:
        fail(BinderException, "RANGE with offset requires exactly one ORDER "
             "BY column")
    e = binder.bind(node.order[0].expr)
    if e.type.id == "DATE" or e.type.id in STAMPS:
        return f"{_length(binder, value, e)} {way}"
    number = binder.bind(value)
    if number.const is None or not types.is_number(number.type):
        lacks("this RANGE")
    return f"{binder.cast(number, e.type).sql} {way}"


def _length(binder: Any, value: Any, e: E) -> int:
    from ._binder import interval_of
    months, days, micros = interval_of(binder, value)
    if months or e.type.id == "DATE" and micros % DAY:
        lacks("a frame of months, or of hours over a DATE")
    length = days * DAY + micros
    return length // DAY if e.type.id == "DATE" else length
