"""Dates, times and intervals, as the engine keeps them."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from typing import Any, Callable

from ._errors import (ConversionException, InvalidInputException,
                      OutOfRangeException, fail, lacks)
from ._expressions import UNITS
from ._values import (DAY, date_of, days_of, interval, interval_parts,
                      micros_of, stamp_of)

_HOUR, _MINUTE, _SECOND = 3_600_000_000, 60_000_000, 1_000_000
_CLOCKS = {"hour": _HOUR, "minute": _MINUTE, "second": _SECOND,
           "millisecond": 1000, "microsecond": 1}
_MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120,
           "century": 1200, "millennium": 12000}


def unit_of(text: str) -> str:
    low = text.lower()
    if low not in UNITS:
        fail(ConversionException,
             f'extract specifier "{text}" not recognized')
    return UNITS[low]


# -- intervals


def add_months(day: dt.date, months: int) -> dt.date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        fail(OutOfRangeException, "Date out of range")
    last = calendar.monthrange(year, month + 1)[1]
    return day.replace(year=year, month=month + 1, day=min(day.day, last))


def add_interval(stamp: int, kept: str, sign: int = 1) -> int:
    months, days, micros = interval_parts(kept)
    day, clock = divmod(stamp, DAY)
    if months:
        day = days_of(add_months(date_of(day), sign * months))
    return (day + sign * days) * DAY + clock + sign * micros


def interval_add(a: str, b: str, sign: int) -> str:
    return interval(*(x + sign * y for x, y in zip(
        interval_parts(a), interval_parts(b))))


def interval_scale(kept: str, factor: int) -> str:
    return interval(*(one * factor for one in interval_parts(kept)))


# -- parts


def _week(stamp: dt.datetime) -> int:
    return stamp.isocalendar()[1]


def _century(year: int) -> int:
    return (year - 1) // 100 + 1


_PARTS: dict[str, Callable[[dt.datetime], Any]] = {
    "year": lambda s: s.year, "month": lambda s: s.month,
    "day": lambda s: s.day, "hour": lambda s: s.hour,
    "minute": lambda s: s.minute, "second": lambda s: s.second,
    "quarter": lambda s: (s.month + 2) // 3, "week": _week,
    "decade": lambda s: s.year // 10, "century": lambda s: _century(s.year),
    "millennium": lambda s: (s.year - 1) // 1000 + 1,
    "dow": lambda s: s.isoweekday() % 7, "isodow": lambda s: s.isoweekday(),
    "doy": lambda s: s.timetuple().tm_yday,
    "isoyear": lambda s: s.isocalendar()[0],
    "yearweek": lambda s: s.isocalendar()[0] * 100 + _week(s),
    "millisecond": lambda s: s.second * 1000 + s.microsecond // 1000,
    "microsecond": lambda s: s.second * 1_000_000 + s.microsecond,
}
_PART_WORDS = {"dayofweek": "dow", "weekday": "dow", "dayofyear": "doy",
               "weekofyear": "week"}


def part_of(unit: str) -> Callable[[int], Any]:
    """The function that takes a part from a timestamp."""
    low = unit.lower()
    low = _PART_WORDS.get(low, low)
    if low == "epoch":
        return lambda stamp: stamp / 1_000_000
    if low not in _PARTS:
        low = unit_of(low)
    part = _PARTS[low]
    return lambda stamp: part(stamp_of(stamp))


def interval_part(unit: str) -> Callable[[str], Any]:
    low = unit.lower()
    name = "epoch" if low == "epoch" else unit_of(low)

    def part(kept: str) -> Any:
        months, days, micros = interval_parts(kept)
        found = {"year": months // 12, "month": months % 12, "day": days,
                 "hour": micros // _HOUR, "minute": micros // _MINUTE % 60,
                 "second": micros // _SECOND % 60,
                 "epoch": (months * 30 + days) * 86400 + micros / 1e6}
        if name not in found or min(months, days, micros) < 0:
            lacks(f"the part {unit} of this interval")
        return found[name]
    return part


# -- date_trunc


def is_coarse(unit: str) -> bool:
    """Whether UNIT is a day or more."""
    return unit not in _CLOCKS


def _trunc_date(unit: str, day: dt.date) -> dt.date:
    if unit == "day":
        return day
    if unit == "week":
        return day - dt.timedelta(days=day.weekday())
    if unit in ("month", "quarter"):
        step = _MONTHS[unit]
        return day.replace(month=(day.month - 1) // step * step + 1, day=1)
    years = _MONTHS[unit] // 12
    first = day.year // years * years
    if unit in ("century", "millennium"):
        first = (day.year - 1) // years * years + 1
    return dt.date(max(first, 1), 1, 1)


def trunc_of(unit: str) -> Callable[[int], int]:
    """From a timestamp: to a day, or to a timestamp for parts of days."""
    if is_coarse(unit):
        return lambda stamp: days_of(_trunc_date(unit, date_of(stamp // DAY)))
    size = _CLOCKS[unit]
    return lambda stamp: stamp // size * size


# -- differences


def _month_number(stamp: int, unit: str) -> int:
    day = date_of(stamp // DAY)
    return (day.year * 12 + day.month - 1) // _MONTHS[unit]


def diff_of(unit: str) -> Callable[[int, int], int]:
    """How many borders of UNIT are between two timestamps."""
    if unit in ("century", "millennium"):
        lacks(f"date_diff() in {unit}")
    if unit in _MONTHS:
        return lambda a, b: _month_number(b, unit) - _month_number(a, unit)
    if unit == "week":  # weeks begin on Monday; 1970 began on Thursday
        return lambda a, b: (b // DAY + 3) // 7 - (a // DAY + 3) // 7
    size = DAY if unit == "day" else _CLOCKS[unit]
    return lambda a, b: b // size - a // size


def _whole_months(a: int, b: int) -> int:
    """Whole months from A to B, where A is before B."""
    one, other = date_of(a // DAY), date_of(b // DAY)
    months = (other.year - one.year) * 12 + other.month - one.month
    last = calendar.monthrange(other.year, other.month)[1]
    short = other.day == last and one.day > other.day
    if not short and (other.day, b % DAY) < (one.day, a % DAY):
        months -= 1
    elif short and b % DAY < a % DAY:
        months -= 1
    return months


def sub_of(unit: str) -> Callable[[int, int], int]:
    """How many whole units are between two timestamps."""
    def months(a: int, b: int) -> int:
        if a > b:
            return -months(b, a)
        return _whole_months(a, b) // _MONTHS[unit]
    if unit in _MONTHS:
        return months
    size = {"week": 7 * DAY, "day": DAY}.get(unit) or _CLOCKS[unit]
    return lambda a, b: (b - a) // size if b >= a else -((a - b) // size)


def age(a: int, b: int) -> str:
    """A - B in years, months, days and time, as people count."""
    if a < b:
        return interval_scale(age(b, a), -1)
    months = _whole_months(b, a)
    day = add_months(date_of(b // DAY), months)
    rest = a - (days_of(day) * DAY + b % DAY)
    return interval(months, rest // DAY, rest % DAY)


# -- texts

_WRITES = re.compile(r"%(-?[a-zA-Z%])")
_KNOWN = frozenset("aAbBdmyYHIpMSfjUWcxXuwgGVn%") | {
    "-" + one for one in "dmyHIMSj"}


def strftime(stamp: int, form: str) -> str:
    moment = stamp_of(stamp)

    def one(found: re.Match[str]) -> str:
        code = found[1]
        if code not in _KNOWN:
            fail(InvalidInputException, f"Failed to parse format specifier "
                 f"{form}: Unrecognized format for strftime/strptime: "
                 f"%{code}")
        fixed = {"%": "%", "Y": f"{moment.year:04d}", "n": "000000000",
                 "g": f"{moment.microsecond // 1000:03d}",
                 "c": moment.strftime("%Y-%m-%d %H:%M:%S"),
                 "x": moment.strftime("%Y-%m-%d"),
                 "X": moment.strftime("%H:%M:%S"),
                 "-y": str(moment.year % 100)}
        return fixed[code] if code in fixed else moment.strftime("%" + code)
    return _WRITES.sub(one, form)


def strptime(text: str, form: str) -> int:
    plain = re.sub(r"%-([a-zA-Z])", r"%\1", form).replace("%x", "%Y-%m-%d") \
        .replace("%X", "%H:%M:%S").replace("%c", "%Y-%m-%d %H:%M:%S")
    if re.search(r"%[zZgnGVuU]", plain):
        lacks(f"strptime() with the format {form}")
    try:
        return micros_of(dt.datetime.strptime(text, plain))
    except ValueError:
        fail(InvalidInputException, f'Could not parse string "{text}" '
             f'according to format specifier "{form}"')


def make_date(year: int, month: int, day: int) -> int:
    try:
        return days_of(dt.date(year, month, day))
    except ValueError:
        fail(ConversionException,
             f"Date out of range: {year}-{month}-{day}")


def make_stamp(year: int, month: int, day: int, hour: int, minute: int,
               second: float) -> int:
    clock = (hour * 3600 + minute * 60) * _SECOND + round(second * _SECOND)
    return make_date(year, month, day) * DAY + clock


def last_day(stamp: int) -> int:
    day = date_of(stamp // DAY)
    last = calendar.monthrange(day.year, day.month)[1]
    return days_of(day.replace(day=last))


def day_name(stamp: int) -> str:
    return calendar.day_name[date_of(stamp // DAY).weekday()]


def month_name(stamp: int) -> str:
    return calendar.month_name[date_of(stamp // DAY).month]


def bucket(width: str, stamp: int) -> int:
    """The beginning of the bucket of STAMP; buckets of months begin with
    2000-01-01, others with Monday 2000-01-03."""
    months, days, micros = interval_parts(width)
    if months and not days and not micros:
        first = date_of(stamp // DAY)
        number = (first.year - 2000) * 12 + first.month - 1
        year, month = divmod(number // months * months, 12)
        return days_of(dt.date(2000 + year, month + 1, 1)) * DAY
    if months:
        lacks("time_bucket() of months and days")
    size = days * DAY + micros
    origin = days_of(dt.date(2000, 1, 3)) * DAY
    return (stamp - origin) // size * size + origin


def series(first: int, last: int, step: str, closed: bool) -> list[int]:
    """The timestamps from FIRST to LAST."""
    months, days, micros = interval_parts(step)
    length = (months * 30 + days) * DAY + micros
    if length == 0:
        fail(InvalidInputException, "interval cannot be 0!")
    found, now, count = [], first, 0
    while (now <= last if length > 0 else now >= last):
        if now == last and not closed:
            break
        found.append(now)
        now = add_interval(now, step)
        count += 1
        if count > 10_000_000:
            lacks("a series of so many timestamps")
    return found
