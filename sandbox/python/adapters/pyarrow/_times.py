"""Parts of dates and times, and their texts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from . import _types as t
from ._array import Array, make, objects
from ._build import array, of_rows
from ._errors import ArrowInvalid, lacks
from ._pairs import aligned, elementwise, shaped, together
from ._statistics import refuse


def _index(one: Array, name: str) -> Any:
    """The moments as pandas holds them, in their own zone."""
    kind = one.type
    if kind._kind == "timestamp":
        made = pd.DatetimeIndex(one._values.view(f"M8[{kind.unit}]"))
        if one._valid is not None:
            made = made.where(one._valid)
        return made.tz_localize("UTC").tz_convert(kind.tz) if kind.tz else \
            made
    if kind._kind in ("date32", "date64"):
        days = one._values if kind._kind == "date32" else \
            one._values // 86_400_000
        made = pd.DatetimeIndex(days.astype("i8").view("M8[D]").astype(
            "M8[ns]"))
        return made if one._valid is None else made.where(one._valid)
    raise refuse(name, kind)


def _part(name: str, attribute: str, type: Any = t.int64) -> Any:
    def function(one: Array) -> Array:
        found = np.asarray(getattr(_index(one, name), attribute))
        if one._valid is not None:
            found = np.where(one._valid, found, 0)
        return make(type(), found.astype(type()._np), one._valid)
    function.__name__ = name
    return elementwise(function)


year, month, day = (_part(_one, _one) for _one in ("year", "month", "day"))
quarter, day_of_year = _part("quarter", "quarter"), \
    _part("day_of_year", "dayofyear")
is_leap_year = _part("is_leap_year", "is_leap_year", t.bool_)


def _clock(name: str) -> Any:
    def function(one: Array) -> Array:
        if one.type._kind in ("time32", "time64"):
            return _of_clock(one, name)
        found = np.asarray(getattr(_index(one, name), name))
        if one._valid is not None:
            found = np.where(one._valid, found, 0)
        return make(t.int64(), found.astype("i8"), one._valid)
    function.__name__ = name
    return elementwise(function)


def _of_clock(one: Array, name: str) -> Array:
    step = t._UNITS[one.type.unit]
    seconds = one._values.astype("i8") // step
    found = {"hour": seconds // 3600, "minute": seconds // 60 % 60,
             "second": seconds % 60}[name]
    return make(t.int64(), found, one._valid)


hour, minute, second = _clock("hour"), _clock("minute"), _clock("second")


def _fraction(name: str, down: int, mod: int) -> Any:
    def function(one: Array) -> Array:
        if one.type._kind != "timestamp":
            raise refuse(name, one.type)
        step = t._UNITS[one.type.unit]
        nanos = one._values % step * (10**9 // step)
        return make(t.int64(), nanos // down % mod, one._valid)
    function.__name__ = name
    return elementwise(function)


millisecond = _fraction("millisecond", 10**6, 1000)
microsecond = _fraction("microsecond", 1000, 1000)
nanosecond = _fraction("nanosecond", 1, 1000)


@elementwise
def day_of_week(one: Array, *, count_from_zero: bool = True,
                week_start: int = 1) -> Array:
    """Monday is 0, or WEEK_START (1 to 7) is."""
    found = np.asarray(_index(one, "day_of_week").dayofweek)
    if one._valid is not None:
        found = np.where(one._valid, found, 0)
    found = (found - (week_start - 1)) % 7 + (not count_from_zero)
    return make(t.int64(), found.astype("i8"), one._valid)


def _iso(name: str, column: str) -> Any:
    def function(one: Array) -> Array:
        found = _index(one, name).isocalendar()[column].fillna(0)
        return make(t.int64(), np.asarray(found, "i8"), one._valid)
    function.__name__ = name
    return elementwise(function)


iso_week, iso_year = _iso("iso_week", "week"), _iso("iso_year", "year")


@elementwise
def strftime(one: Array, format: str = "%Y-%m-%dT%H:%M:%S",
             locale: str = "C") -> Array:
    """Texts of moments; %S has the unit's fraction."""
    if locale != "C":
        raise lacks(f"strftime() with locale={locale!r}")
    digits = {"ms": 3, "us": 6, "ns": 9}.get(getattr(one.type, "unit", "s"), 0)
    found: list[Any] = []
    for moment, ok in zip(_index(one, "strftime"), one._mask):
        if not ok:
            found.append(None)
            continue
        form = format.replace("%T", "%H:%M:%S")
        if digits:
            nanos = f"{moment.microsecond * 1000 + moment.nanosecond:09d}"
            form = form.replace("%S", f"%S.{nanos[:digits]}")
        found.append(moment.strftime(form))
    return of_rows(objects(found), t.string(), False)


@elementwise
def strptime(one: Array, format: Any = None, unit: Any = None,
             error_is_null: bool = False) -> Array:
    """Moments of texts of a form."""
    import datetime
    if format is None or unit is None:
        raise TypeError("strptime() needs format and unit")
    found: list[Any] = []
    for text in one._values:
        try:
            found.append(None if text is None else
                         datetime.datetime.strptime(text, format))
        except ValueError:
            if not error_is_null:
                raise ArrowInvalid(f"Failed to parse string: '{text}' as a "
                                   f"scalar of type timestamp[{unit}]"
                                   ) from None
            found.append(None)
    return array(found, t.timestamp(unit))


_FLOORS = {"day": "D", "hour": "h", "minute": "min", "second": "s",
           "millisecond": "ms", "microsecond": "us"}


@elementwise
def floor_temporal(one: Array, multiple: int = 1, unit: str = "day") -> Array:
    """The begin of the unit that a moment is in."""
    if one.type._kind != "timestamp" or one.type.tz or multiple != 1:
        raise lacks("floor_temporal() of this type, or with multiple=")
    index = _index(one, "floor_temporal")
    if unit in _FLOORS:
        made = index.floor(_FLOORS[unit])
    elif unit in ("week", "month", "quarter", "year"):
        made = index.to_period({"week": "W", "month": "M", "quarter": "Q",
                                "year": "Y"}[unit]).start_time
    else:
        raise lacks(f"floor_temporal() with unit={unit!r}")
    values = np.asarray(made.values.astype(f"M8[{one.type.unit}]")).view("i8")
    return make(one.type, np.where(one._mask, values, 0), one._valid)


def _between(name: str, unit: str) -> Any:
    def function(start: Any, end: Any, /) -> Any:
        a, b = aligned(start, end)
        x, y = (np.where(one._mask, np.asarray(_index(one, name).values
                                               ).view("i8"), 0)
                for one in (a, b))
        step = np.timedelta64(1, unit).astype("m8[ns]").astype("i8")
        return shaped(make(t.int64(), y // step - x // step, together(a, b)),
                      start, end)
    function.__name__ = name
    return function


days_between = _between("days_between", "D")
hours_between = _between("hours_between", "h")
minutes_between = _between("minutes_between", "m")
seconds_between = _between("seconds_between", "s")


@elementwise
def assume_timezone(one: Array, timezone: str = "UTC", **options: Any
                    ) -> Array:
    if options:
        raise lacks(f"assume_timezone() with {', '.join(options)}")
    moved = _index(one, "assume_timezone").tz_localize(timezone)
    values = moved.tz_convert("UTC").tz_localize(None).values
    stored = values.astype(f"M8[{one.type.unit}]").view("i8")
    return make(t.timestamp(one.type.unit, timezone),
                np.where(one._mask, stored, 0), one._valid)


__all__ = ["year", "month", "day", "quarter", "day_of_year", "is_leap_year",
           "hour", "minute", "second", "millisecond", "microsecond",
           "nanosecond", "day_of_week", "iso_week", "iso_year", "strftime",
           "strptime", "floor_temporal", "days_between", "hours_between",
           "minutes_between", "seconds_between", "assume_timezone"]
