"""Functions of dates and times."""

from __future__ import annotations

import datetime as dt
from typing import Any

from . import _dates as dates
from . import _nodes as n
from . import _types as types
from ._arithmetic import no_match
from ._casts import of_unit
from ._errors import Error, lacks
from ._scope import E
from ._types import STAMPS
from ._values import DAY, days_of, micros_of

_I, _T, _V = types.BIGINT, types.TIMESTAMP, types.VARCHAR
_DOUBLES = frozenset(("epoch",))


def _moment(binder: Any, node: n.Func, e: E) -> E:
    if e.is_text or e.is_null or e.type.id in STAMPS \
            or e.type.id == "DATE" or e.type == types.STAMP_TZ:
        return binder.cast(e, _T)
    return no_match(node.name, [e])


def part(binder: Any, node: n.Func, unit: str, e: E) -> E:
    kind = types.DOUBLE if unit.lower() in _DOUBLES else _I
    if e.type.id == "INTERVAL":
        return E(binder.call(("interval_part", unit.lower()), lambda:
                             dates.interval_part(unit), [e.sql]), kind)
    if e.type.id == "TIME":
        e = E(e.sql, _T)
    else:
        e = _moment(binder, node, e)
    return E(binder.call(("part", unit.lower()), lambda: dates.part_of(unit),
                         [e.sql]), kind)


def _date_part(binder: Any, node: n.Func, es: list[E]) -> E:
    if len(es) != 2:
        no_match(node.name, es)
    unit = _text(binder, node, 0)
    return part(binder, node, unit, es[1])


def _text(binder: Any, node: n.Func, at: int) -> str:
    value = binder.constant(node.args[at], f"the unit of {node.name}()")
    if not isinstance(value, str):
        lacks(f"this unit of {node.name}()")
    return value


def _named_part(binder: Any, node: n.Func, es: list[E]) -> E:
    if len(es) != 1:
        no_match(node.name, es)
    return part(binder, node, node.name, es[0])


def _trunc(binder: Any, node: n.Func, es: list[E]) -> E:
    if len(es) != 2:
        no_match(node.name, es)
    unit = dates.unit_of(_text(binder, node, 0))
    if es[1].type.id == "INTERVAL":
        lacks("date_trunc() of an INTERVAL")
    e = _moment(binder, node, es[1])
    # as DuckDB: a DATE for a day and more
    day = dates.is_coarse(unit)
    kind = types.DATE if day or es[1].type.id == "DATE" else _T
    if kind == types.DATE and not day:
        kind = _T
    return E(binder.call(("trunc", unit), lambda: dates.trunc_of(unit),
                         [e.sql]), kind)


def _difference(make: Any) -> Any:
    def function(binder: Any, node: n.Func, es: list[E]) -> E:
        if len(es) != 3:
            no_match(node.name, es)
        unit = dates.unit_of(_text(binder, node, 0))
        one, other = (_moment(binder, node, e) for e in es[1:])
        return E(binder.call((make.__name__, unit), lambda: make(unit),
                             [one.sql, other.sql]), _I)
    return function


def _strftime(binder: Any, node: n.Func, es: list[E]) -> E:
    if len(es) != 2:
        no_match(node.name, es)
    one, form = es
    if one.type.id == "VARCHAR" and form.type.id in STAMPS | {"DATE"}:
        one, form = form, one
    one = _moment(binder, node, one)
    return E(binder.call("strftime", lambda: dates.strftime, [
        one.sql, form.sql]), _V)


def _trying(text: str, form: str) -> Any:
    try:
        return dates.strptime(text, form)
    except Error:
        return None


def _unit_call(unit: str) -> list[tuple]:
    return [("D", types.INTERVAL, lambda amount: of_unit(amount, unit))]


def _today(binder: Any, node: n.Func, es: list[E]) -> E:
    return E(str(days_of(dt.date.today())), types.DATE)


def _now(binder: Any, node: n.Func, es: list[E]) -> E:
    local = node.name == "localtimestamp"
    return E(str(micros_of(binder.engine.now())),
             _T if local else types.STAMP_TZ)


def _age(binder: Any, node: n.Func, es: list[E]) -> E:
    if len(es) == 1:
        es = [E(str(days_of(dt.date.today())), types.DATE), es[0]]
    one, other = (_moment(binder, node, e).sql for e in es)
    return E(binder.call("age", lambda: dates.age, [one, other]),
             types.INTERVAL)


def _last(binder: Any, node: n.Func, es: list[E]) -> E:
    return E(binder.call("last_day", lambda: dates.last_day, [
        _moment(binder, node, es[0]).sql]), types.DATE)


def _bucket(binder: Any, node: n.Func, es: list[E]) -> E:
    if len(es) != 2:
        lacks("time_bucket() with an origin")
    width = binder.cast(es[0], types.INTERVAL)
    moment = _moment(binder, node, es[1])
    sql = binder.call("bucket", lambda: dates.bucket, [width.sql, moment.sql])
    made = E(sql, _T)
    return binder.cast(made, types.DATE) if es[1].type.id == "DATE" else made


def _date_add(binder: Any, node: n.Func, es: list[E]) -> E:
    from ._arithmetic import operate
    return operate(binder, "+", *es)


_PARTS = """year month day hour minute second quarter week dayofmonth dayofweek
    weekday dayofyear weekofyear isodow isoyear yearweek decade century
    millennium millisecond microsecond epoch"""

MOMENTS: dict[str, list[tuple]] = {
    "strptime": [("V V", _T, dates.strptime)],
    "try_strptime": [("V V", _T, _trying)],
    "dayname": [("T", _V, dates.day_name)],
    "monthname": [("T", _V, dates.month_name)],
    "make_date": [("I I I", types.DATE, dates.make_date)],
    "make_timestamp": [("I I I I I D", _T, dates.make_stamp),
                       ("I", _T, "{0}")],
    "epoch_ms": [("T", _I, lambda stamp: stamp // 1000),
                 ("I", _T, "({0} * 1000)")],
    "epoch_us": [("T", _I, "{0}")],
    "to_years": _unit_call("year"), "to_months": _unit_call("month"),
    "to_days": _unit_call("day"), "to_weeks": _unit_call("week"),
    "to_hours": _unit_call("hour"), "to_minutes": _unit_call("minute"),
    "to_seconds": _unit_call("second"),
    "to_milliseconds": _unit_call("millisecond"),
    "to_microseconds": _unit_call("microsecond"),
}

MOMENT_SPECIAL: dict[str, Any] = {
    "date_part datepart": _date_part, _PARTS: _named_part,
    "date_trunc datetrunc": _trunc,
    "date_diff datediff": _difference(dates.diff_of),
    "date_sub datesub": _difference(dates.sub_of),
    "strftime": _strftime, "today current_date": _today, "age": _age,
    "now current_timestamp get_current_timestamp localtimestamp "
    "transaction_timestamp": _now,
    "last_day": _last, "time_bucket": _bucket, "date_add": _date_add,
}
__all__ = ["MOMENTS", "MOMENT_SPECIAL", "DAY"]
