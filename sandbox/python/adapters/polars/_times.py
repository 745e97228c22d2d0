"""_times - the operations of .dt, and texts as dates and times."""

from __future__ import annotations

import datetime as dt
from typing import Any, Callable

import numpy as np
import pandas as pd

from . import _spans as spans, _store as store
from . import _types as t
from ._aggs import made
from ._registry import each, rename
from ._series import Series
from .exceptions import ComputeError, InvalidOperationError, not_here


def local(kind: Any, values: Any) -> Any:
    """The moments as clocks at their place show them."""
    zone = getattr(kind, "time_zone", None)
    if not zone or zone == "UTC":
        return values
    store.zone_of(zone)
    index = pd.DatetimeIndex(values.astype("M8[ns]"), tz="UTC")
    index = index.tz_convert(zone).tz_localize(None)
    return index.to_numpy().astype(values.dtype)


def to_utc(values: Any, zone: str, ambiguous: str = "raise") -> Any:
    """Clocks at ZONE as moments."""
    if zone == "UTC":
        return values
    store.zone_of(zone)
    index = pd.DatetimeIndex(values.astype("M8[ns]"))
    try:
        index = index.tz_localize(zone, ambiguous="raise")
    except Exception as why:
        raise ComputeError(f"datetime '{why}' is ambiguous or does not exist "
                           f"in time zone '{zone}'") from None
    return index.tz_convert("UTC").tz_localize(None).to_numpy() \
        .astype(values.dtype)


def _days(s: Any, word: str) -> Any:
    """The days as datetime64, of dates and datetimes."""
    if not isinstance(s.dtype, (t.Date, t.Datetime)):
        raise InvalidOperationError(f"`{word}` operation not supported for "
                                    f"dtype `{s.dtype.text()}`")
    return local(s.dtype, s._v).astype("M8[D]")


def _clock(s: Any, word: str) -> Any:
    """Nanoseconds since midnight."""
    if isinstance(s.dtype, t.Time):
        return s._v
    if not isinstance(s.dtype, t.Datetime):
        raise InvalidOperationError(f"`{word}` operation not supported for "
                                    f"dtype `{s.dtype.text()}`")
    values = local(s.dtype, s._v)
    inside = values - values.astype("M8[D]").astype(values.dtype)
    return inside.astype("m8[ns]").view("i8")


def _thursday(days: Any) -> Any:
    """The day that tells the ISO year of a day."""
    number = days.astype("i8")
    return (number - (number + 3) % 7 + 3).astype("M8[D]")


def _number(days: Any) -> Any:
    return days.astype("i8")


def _year(days: Any) -> Any:
    return _number(days.astype("M8[Y]")) + 1970


def _month(days: Any) -> Any:
    return _number(days.astype("M8[M]")) % 12 + 1


def _yearday(days: Any) -> Any:
    return (days - days.astype("M8[Y]").astype("M8[D]")).astype("i8") + 1


def _is_leap(days: Any) -> Any:
    year = _year(days)
    return (year % 4 == 0) & (year % 100 != 0) | (year % 400 == 0)


_OF_DAYS: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "year": (t.Int32, _year),
    "iso_year": (t.Int32, lambda days: _year(_thursday(days))),
    "month": (t.Int8, _month),
    "quarter": (t.Int8, lambda days: (_month(days) + 2) // 3),
    "week": (t.Int8, lambda days: (_yearday(_thursday(days)) + 6) // 7),
    "weekday": (t.Int8, lambda days: (_number(days) + 3) % 7 + 1),
    "day": (t.Int8, lambda days: (
        days - days.astype("M8[M]").astype("M8[D]")).astype("i8") + 1),
    "ordinal_day": (t.Int16, _yearday),
    "is_leap_year": (t.Boolean, _is_leap),
    "century": (t.Int32, lambda days: (_year(days) + 99) // 100),
    "millennium": (t.Int32, lambda days: (_year(days) + 999) // 1000),
    "days_in_month": (t.Int8, lambda days: (
        (days.astype("M8[M]") + 1).astype("M8[D]") -
        days.astype("M8[M]").astype("M8[D]")).astype("i8")),
}
_OF_CLOCK: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "hour": (t.Int8, lambda nanos: nanos // 3_600_000_000_000),
    "minute": (t.Int8, lambda nanos: nanos // 60_000_000_000 % 60),
    "millisecond": (t.Int32, lambda nanos: nanos % 10 ** 9 // 10 ** 6),
    "microsecond": (t.Int32, lambda nanos: nanos % 10 ** 9 // 1000),
    "nanosecond": (t.Int32, lambda nanos: nanos % 10 ** 9),
}


def _give(name: str, kind: Any, how: Any, source: Any) -> None:
    def run(s: Any) -> Any:
        return made(s, kind, how(source(s, name)).astype(kind.numpy), s._m)
    each("dt." + name)(run)


for _name, (_kind, _how) in _OF_DAYS.items():
    _give(_name, _kind, _how, _days)
for _name, (_kind, _how) in _OF_CLOCK.items():
    _give(_name, _kind, _how, _clock)


@each("dt.second")
def _second(s: Any, *, fractional: bool = False) -> Any:
    nanos = _clock(s, "second") % (60 * 10 ** 9)
    if fractional:
        return made(s, t.Float64, nanos / 1e9, s._m)
    return made(s, t.Int8, (nanos // 10 ** 9).astype("i1"), s._m)


def _give_total(name: str, nanos: int) -> None:
    def run(s: Any) -> Any:
        if not isinstance(s.dtype, t.Duration):
            raise InvalidOperationError(
                f"`total_{name}` operation not supported for dtype "
                f"`{s.dtype.text()}`")
        unit = {"ns": 1, "us": 1000, "ms": 10 ** 6}[s.dtype.time_unit]
        whole = s._v.view("i8")
        if nanos >= unit:
            found = np.sign(whole) * (np.abs(whole) // (nanos // unit))
        else:
            found = whole * (unit // nanos)
        return made(s, t.Int64, found, s._m)
    each("dt.total_" + name)(run)


for _name, _size in (("days", spans.DAY), ("hours", 3600 * 10 ** 9),
                     ("minutes", 60 * 10 ** 9), ("seconds", 10 ** 9),
                     ("milliseconds", 10 ** 6), ("microseconds", 1000),
                     ("nanoseconds", 1)):
    _give_total(_name, _size)


@each("dt.date")
def _date(s: Any) -> Any:
    return made(s, t.Date, _days(s, "date"), s._m)


@each("dt.time")
def _time(s: Any) -> Any:
    return made(s, t.Time, _clock(s, "time"), s._m)


@each("dt.to_string")
def _to_string(s: Any, format: Any = None) -> Any:
    if format is None or format == "iso":
        return s.cast(t.String)
    if not isinstance(s.dtype, (t.Date, t.Datetime, t.Time)):
        raise InvalidOperationError("`to_string` operation not supported for "
                                    f"dtype `{s.dtype.text()}`")
    return Series(s.name, [None if one is None else spans.write(one, format)
                           for one in s.to_list()], t.String)


rename("dt.strftime", "dt.to_string")


def _in_place(s: Any, how: Callable[[Any], Any]) -> Any:
    """HOW of the clocks at the place, as moments again."""
    if not isinstance(s.dtype, (t.Date, t.Datetime)):
        raise InvalidOperationError("operation not supported for dtype "
                                    f"`{s.dtype.text()}`")
    values = how(local(s.dtype, s._v)).astype(s.dtype.numpy)
    zone = getattr(s.dtype, "time_zone", None)
    return s._with(to_utc(values, zone) if zone else values, s._m)


@each("dt.truncate")
def _truncate(s: Any, every: Any) -> Any:
    return _in_place(s, lambda values: spans.floor(values,
                                                   spans.span_of(every)))


@each("dt.round")
def _round(s: Any, every: Any) -> Any:
    span = spans.span_of(every)

    def nearest(values: Any) -> Any:
        low = spans.floor(values, span)
        high = spans.plus(low, span)
        return np.where(values - low < high - values, low, high)
    return _in_place(s, nearest)


@each("dt.offset_by")
def _offset_by(s: Any, by: Any) -> Any:
    if isinstance(by, Series):
        found = [_offset_by(s._spread(len(by))[at:at + 1], one)[0]
                 for at, one in enumerate(by.to_list())]
        return Series(s.name, found, s.dtype)
    return _in_place(s, lambda values: spans.plus(values, spans.span_of(by)))


@each("dt.month_start")
def _month_start(s: Any) -> Any:
    return _truncate(s, "1mo")


@each("dt.month_end")
def _month_end(s: Any) -> Any:
    def last(values: Any) -> Any:
        end = (values.astype("M8[M]") + 1).astype("M8[D]") - 1
        day = values.astype("M8[D]").astype(values.dtype)
        return end.astype(values.dtype) + (values - day)
    return _in_place(s, last)


@each("dt.epoch")
def _epoch(s: Any, time_unit: str = "us") -> Any:
    if time_unit == "d":
        return s.cast(t.Date).cast(t.Int32)
    if time_unit == "s":
        return made(s, t.Int64, s._v.astype("M8[s]").astype("i8"), s._m)
    return made(s, t.Int64, s._v.astype(f"M8[{time_unit}]").astype("i8"),
                s._m)


@each("dt.timestamp")
def _timestamp(s: Any, time_unit: str = "us") -> Any:
    return _epoch(s, time_unit)


@each("dt.cast_time_unit")
def _cast_time_unit(s: Any, time_unit: str) -> Any:
    kind = t.Duration(time_unit) if isinstance(s.dtype, t.Duration) else \
        t.Datetime(time_unit, s.dtype.time_zone)
    return s.cast(kind)


@each("dt.with_time_unit")
def _with_time_unit(s: Any, time_unit: str) -> Any:
    kind = t.Datetime(time_unit, s.dtype.time_zone)
    return s._with(s._v.view("i8").view(kind.numpy), s._m, kind)


@each("dt.convert_time_zone")
def _convert_time_zone(s: Any, time_zone: str) -> Any:
    store.zone_of(time_zone)
    return s._with(s._v, s._m, t.Datetime(s.dtype.time_unit, time_zone))


@each("dt.replace_time_zone")
def _replace_time_zone(s: Any, time_zone: Any, *, ambiguous: str = "raise",
                       non_existent: str = "raise") -> Any:
    if ambiguous != "raise" or non_existent != "raise":
        raise not_here("replace_time_zone(ambiguous= or non_existent=)")
    clocks = local(s.dtype, s._v)
    if time_zone:
        clocks = to_utc(clocks, time_zone)
    return s._with(clocks, s._m, t.Datetime(s.dtype.time_unit, time_zone))


@each("dt.combine")
def _combine(s: Any, time: Any, time_unit: str = "us") -> Any:
    nanos = time._v if isinstance(time, Series) else \
        Series("", [time], t.Time)._v
    values = _days(s, "combine").astype("M8[ns]") + nanos.view("m8[ns]")
    return s._with(values.astype(f"M8[{time_unit}]"), s._m,
                   t.Datetime(time_unit))


@each("dt.is_business_day")
def _is_business_day(s: Any, *, week_mask: Any = (True,) * 5 + (False,) * 2,
                     holidays: Any = ()) -> Any:
    found = np.is_busday(_days(s, "is_business_day"), list(week_mask),
                         [np.datetime64(one, "D") for one in holidays])
    return made(s, t.Boolean, found, s._m)


# -- texts


def _wrong(s: Any, kind: Any, bad: list[str]) -> Exception:
    shown = ", ".join(f'"{one}"' for one in dict.fromkeys(bad))
    return InvalidOperationError(
        f"conversion from `str` to `{kind.text()}` failed in column "
        f"'{s.name}' for {len(bad)} out of {len(s)} values: [{shown}]\n\nYou "
        "might want to try:\n- setting `strict=False` to set values that "
        "cannot be converted to `null`\n- using `str.strptime`, "
        "`str.to_date`, or `str.to_datetime` and providing a format string")


def _read(text: str, form: str, exact: bool) -> Any:
    try:
        return dt.datetime.strptime(text, form)
    except ValueError as why:
        rest = str(why).partition("unconverted data remains: ")[2]
        if exact or not rest:
            return None
        return dt.datetime.strptime(text[:-len(rest)], form)


def _parsed(s: Any, kind: Any, form: Any, strict: bool, exact: bool) -> Any:
    """Each text as a datetime; None for null and what cannot be read."""
    if not t.is_text(s.dtype) and not isinstance(s.dtype, t.Null):
        raise InvalidOperationError(f"expected String type, got: "
                                    f"{s.dtype.text()}")
    known: dict[Any, Any] = {None: None}
    if form is None:
        forms = spans.DATES if isinstance(kind, t.Date) else spans.MOMENTS
        first = next((one for one in s._v if one is not None), None)
        found = first and spans.guess(first, forms)
        if first is not None and not found:
            if not strict:
                return [None] * len(s)
            raise ComputeError("could not find an appropriate format to parse "
                               "dates, please define a format")
        form = found or "%Y"
    form = spans.to_read(form)
    for one in s._v:
        if one not in known:
            known[one] = _read(one, form, exact)
            if known[one] is None and form.endswith("%S"):
                known[one] = _read(one, form + ".%f", exact) \
                    if form in spans.MOMENTS else None
    bad = [one for one in s._v if one is not None and known[one] is None]
    if bad and strict:
        raise _wrong(s, kind, bad)
    return [known[one] for one in s._v]


@each("str.to_date")
def _str_to_date(s: Any, format: Any = None, *, strict: bool = True,
                 exact: bool = True, cache: bool = True) -> Any:
    found = _parsed(s, t.Date(), format, strict, exact)
    return Series(s.name, [one and one.date() for one in found], t.Date)


@each("str.to_datetime")
def _str_to_datetime(s: Any, format: Any = None, *, time_unit: Any = None,
                     time_zone: Any = None, strict: bool = True,
                     exact: bool = True, cache: bool = True,
                     ambiguous: str = "raise") -> Any:
    if ambiguous != "raise":
        raise not_here("to_datetime(ambiguous=)")
    unit = time_unit or ("ns" if format and "9f" in format else
                         "ms" if format and "3f" in format else "us")
    kind = t.Datetime(unit, time_zone)
    found = _parsed(s, kind, format, strict, exact)
    aware = any(one is not None and one.tzinfo for one in found)
    if aware and not time_zone:
        kind = t.Datetime(unit, "UTC")
    made_ = Series(s.name, found, t.Datetime(unit))
    if aware:
        return made_._with(made_._v, made_._m, kind)
    return _replace_time_zone(made_, time_zone) if time_zone else made_


@each("str.to_time")
def _str_to_time(s: Any, format: Any = None, *, strict: bool = True,
                 cache: bool = True) -> Any:
    if format is None:
        return s.cast(t.Time, strict=strict)
    found = _parsed(s, t.Time(), format, strict, True)
    return Series(s.name, [one and one.time() for one in found], t.Time)


@each("str.strptime")
def _strptime(s: Any, dtype: Any, format: Any = None, *, strict: bool = True,
              exact: bool = True, cache: bool = True,
              ambiguous: str = "raise") -> Any:
    if ambiguous != "raise":
        raise not_here("strptime(ambiguous=)")
    kind = t.as_dtype(dtype)
    if isinstance(kind, t.Date):
        return _str_to_date(s, format, strict=strict, exact=exact)
    if isinstance(kind, t.Time):
        return _str_to_time(s, format, strict=strict)
    if not isinstance(kind, t.Datetime):
        raise ValueError("`strptime` dtype must be Date, Datetime or Time")
    return _str_to_datetime(s, format, strict=strict, exact=exact,
                            time_unit=kind.time_unit,
                            time_zone=kind.time_zone)
