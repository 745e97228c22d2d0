"""Casts between DuckDB's types, of kept values."""

from __future__ import annotations

import datetime as dt
import json
import math
import re
import struct
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any, Callable

from . import _types as types
from ._errors import (BinderException, ConversionException, Error, fail,
                      lacks)
from ._types import FLOATS, INTEGERS, STAMPS, UNSIGNED, T, bounds
from ._values import (DAY, days_of, interval, micros_of, text_of,
                      time_micros)

_DATE = re.compile(r"\s*(\d{1,4})([-/ \\])(\d{1,2})\2(\d{1,2})")
_CLOCK = re.compile(r"(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,9})\d*)?)?")
_ZONE = re.compile(r"\s*(?:Z|UTC|([+-])(\d{2}):?(\d{2})?)")
_TRUTH = {"true": 1, "t": 1, "1": 1, "yes": 1, "y": 1, "on": 1,
          "false": 0, "f": 0, "0": 0, "no": 0, "n": 0, "off": 0}
_STAMP_FORM = "(YYYY-MM-DD HH:MM:SS[.US][±HH:MM | ZONE])"


def physical(kind: T) -> str:
    """The engine's own word for a type, as errors have it."""
    if kind.id in UNSIGNED or kind.id in INTEGERS:
        return types.shown(kind).upper()
    return {"BOOLEAN": "BOOL"}.get(kind.id, str(kind))


def _not_text(text: str, kind: T) -> Any:
    fail(ConversionException,
         f"Could not convert string '{text}' to {physical(kind)}")


# -- from text


def _text_integer(kind: T) -> Callable[[str], int]:
    low, high = bounds(kind)

    def cast(text: str) -> int:
        try:
            value = int(text) if "_" not in text else _not_text(text, kind)
        except ValueError:
            try:
                value = int(Decimal(text.strip()).to_integral_value(
                    ROUND_HALF_UP))
            except (InvalidOperation, ValueError, OverflowError):
                _not_text(text, kind)
        return value if low <= value <= high else _not_text(text, kind)
    return cast


def _text_float(kind: T) -> Callable[[str], float]:
    def cast(text: str) -> float:
        try:
            value = float(text) if "_" not in text else _not_text(text, kind)
        except ValueError:
            _not_text(text, kind)
        if math.isnan(value):
            lacks("NaN", "use NULL")
        return single(value) if kind.id == "FLOAT" else value
    return cast


def _text_decimal(kind: T) -> Callable[[str], int]:
    scale, (low, high) = kind.args[1], bounds(kind)

    def cast(text: str) -> int:
        try:
            value = int(Decimal(text.strip()).scaleb(scale)
                        .to_integral_value(ROUND_HALF_UP))
        except (InvalidOperation, ValueError, OverflowError):
            fail(ConversionException, f'Could not convert string "{text}" to'
                 f" {kind}")
        if not low <= value <= high:
            fail(ConversionException, f'Could not convert string "{text}" to'
                 f" {kind}")
        return value
    return cast


def _text_bool(text: str) -> int:
    found = _TRUTH.get(text.strip().lower())
    return _not_text(text, types.BOOLEAN) if found is None else found


def _date_parts(text: str) -> tuple[int, int] | None:
    """Days, and where in TEXT the date ends."""
    found = _DATE.match(text)
    if found is None:
        return None
    try:
        date = dt.date(int(found[1]), int(found[3]), int(found[4]))
    except ValueError:
        return -1, -1
    return days_of(date), found.end()


def _text_date(text: str) -> int:
    parts = _date_parts(text)
    if parts is None:
        fail(ConversionException, f'invalid date field format: "{text}", '
             "expected format is (YYYY-MM-DD)")
    days, end = parts
    rest = text[max(end, 0):].strip()
    if end < 0 or rest and not _stamp_rest(rest):
        fail(ConversionException, f'date field value out of range: "{text}", '
             "expected format is (YYYY-MM-DD)")
    return days


def _stamp_rest(rest: str) -> bool:
    found = _CLOCK.match(rest.lstrip("T "))
    return bool(found)


def _clock_micros(found: Any) -> int | None:
    hour, minute, second = (int(found[k] or 0) for k in (1, 2, 3))
    if hour > 24 or minute > 59 or second > 59:
        return None
    fraction = int((found[4] or "").ljust(6, "0")[:6] or 0)
    return (hour * 3600 + minute * 60 + second) * 1_000_000 + fraction


def _text_stamp(text: str) -> int:
    parts = _date_parts(text)
    if parts is None:
        fail(ConversionException, f'invalid timestamp field format: "{text}"'
             f", expected format is {_STAMP_FORM}")
    days, end = parts
    rest = text[end:].strip() if end >= 0 else "?"
    if not rest:
        return days * DAY
    found = _CLOCK.match(rest.lstrip("T "))
    micros = _clock_micros(found) if found else None
    zone = rest.lstrip("T ")[found.end():] if found else "?"
    shift = _zone(zone)
    if micros is None or shift is None:
        kind = "timestamp field value out of range" if end < 0 or found \
            else "invalid timestamp field format"
        fail(ConversionException, f'{kind}: "{text}", expected format is '
             f"{_STAMP_FORM}")
    return days * DAY + micros - shift


def _zone(text: str) -> int | None:
    """Microseconds east of UTC."""
    if not text.strip():
        return 0
    found = _ZONE.fullmatch(text.strip())
    if found is None:
        return None
    minutes = int(found[2] or 0) * 60 + int(found[3] or 0)
    return minutes * 60_000_000 * (-1 if found[1] == "-" else 1)


def _text_time(text: str) -> int:
    found = _CLOCK.fullmatch(text.strip())
    micros = _clock_micros(found) if found else None
    if micros is None:
        fail(ConversionException, f'time field value out of range: "{text}",'
             " expected format is ([YYYY-MM-DD ]HH:MM:SS[.MS])")
    return micros


_MONTHS = {"year": 12, "month": 1, "quarter": 3, "decade": 120,
           "century": 1200, "millennium": 12000}
_DAYS = {"day": 1, "week": 7}
_MICROS = {"hour": 3_600_000_000, "minute": 60_000_000, "second": 1_000_000,
           "millisecond": 1000, "microsecond": 1}


def of_unit(amount: float, unit: str) -> str:
    """The interval of AMOUNT of UNIT; parts of a month or day are cut."""
    if unit in _MONTHS:
        return interval(int(amount) * _MONTHS[unit], 0, 0)
    if unit in _DAYS:
        return interval(0, int(amount) * _DAYS[unit], 0)
    return interval(0, 0, int(round(amount * _MICROS[unit])))


def _text_interval(text: str) -> str:
    from ._expressions import UNITS
    months = days = micros = 0
    rest = text.strip().lower()
    while rest:
        clock = re.match(r"(-?)(\d+:\d+(?::\d+(?:\.\d+)?)?)\s*", rest)
        found = re.match(r"([+-]?\d+(?:\.\d+)?)\s*([a-z]+)\s*,?\s*", rest)
        if clock:
            micros += (-1 if clock[1] else 1) * _text_time(clock[2])
        elif found and found[2] in UNITS:
            unit, amount = UNITS[found[2]], float(found[1])
            if amount != int(amount) and unit not in _MICROS:
                lacks(f"the interval '{text}'", "use whole numbers")
            months += int(amount) * _MONTHS.get(unit, 0)
            days += int(amount) * _DAYS.get(unit, 0)
            micros += int(round(amount * _MICROS.get(unit, 0)))
        else:
            fail(ConversionException,
                 f"Could not convert string '{text}' to INTERVAL")
        rest = rest[(clock or found).end():]
    return interval(months, days, micros)


def _text_list(kind: T) -> Callable[[str], str]:
    one = caster(types.VARCHAR, kind.args[0])

    def cast(text: str) -> str:
        inner = text.strip()
        if not (inner.startswith("[") and inner.endswith("]")) \
                or re.search(r"[\[\]{}'\"]", inner[1:-1]):
            _not_text(text, kind)
        items = [part.strip() for part in inner[1:-1].split(",")] \
            if inner[1:-1].strip() else []
        return json.dumps([None if part.upper() == "NULL" else one(part)
                           for part in items])
    return cast


# -- from numbers


def single(value: float) -> float:
    """VALUE, as a float of 32 bits."""
    try:
        return struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def _to_integer(source: T, kind: T) -> Callable[[Any], int]:
    low, high = bounds(kind)

    def cast(value: Any) -> int:
        if math.isinf(value):
            return bad(value)
        whole = round(value) if isinstance(value, float) else int(value)
        return whole if low <= whole <= high else bad(value)

    def bad(value: Any) -> Any:
        fail(ConversionException, f"Type {physical(source)} with value "
             f"{text_of(source)(value)} can't be cast because the value is "
             "out of range for the destination type " + physical(kind))
    return cast


def half_away(number: int, divisor: int) -> int:
    """NUMBER / DIVISOR, rounded; a half away from zero."""
    whole = (2 * abs(number) + divisor) // (2 * divisor)
    return -whole if number < 0 else whole


def _rescale(source: T, kind: T) -> Callable[[int], int]:
    """From DECIMAL or whole numbers to DECIMAL or whole numbers."""
    old = source.args[1] if source.id == "DECIMAL" else 0
    new = kind.args[1] if kind.id == "DECIMAL" else 0
    low, high = bounds(kind)

    def cast(value: int) -> int:
        made = value * 10 ** (new - old) if new >= old \
            else half_away(value, 10 ** (old - new))
        if not low <= made <= high:
            shown = text_of(source)(value)
            fail(ConversionException, f'Could not cast value {shown} to '
                 f"{kind}")
        return made
    return cast


def _float_decimal(kind: T) -> Callable[[float], int]:
    scale, (low, high) = kind.args[1], bounds(kind)

    def cast(value: float) -> int:
        scaled = value * 10 ** scale
        if math.isinf(scaled) or not low <= scaled <= high:
            fail(ConversionException,
                 f"Could not cast value {value} to {kind}")
        return int(math.copysign(math.floor(abs(scaled) + 0.5), scaled))
    return cast


# -- all


def _of_text(kind: T) -> Callable[[Any], Any] | None:
    if kind.id in INTEGERS:
        return _text_integer(kind)
    if kind.id in FLOATS:
        return _text_float(kind)
    made = {"DECIMAL": _text_decimal, "LIST": _text_list}.get(kind.id)
    if made:
        return made(kind)
    return {"BOOLEAN": _text_bool, "DATE": _text_date, "TIME": _text_time,
            "TIMESTAMP": _text_stamp, "TIMESTAMP_NS": _text_stamp,
            "INTERVAL": _text_interval,
            "BLOB": lambda text: text.encode()}.get(kind.id)


def _of_number(source: T, kind: T) -> Callable[[Any], Any] | None:
    exact = INTEGERS | {"DECIMAL", "BOOLEAN"}
    if kind.id == "BOOLEAN":
        return lambda value: int(value != 0)
    if source.id in INTEGERS and kind.id in INTEGERS:
        return _to_integer(source, kind)
    if source.id in exact and kind.id in INTEGERS | {"DECIMAL"}:
        return _rescale(source, kind)
    if kind.id in INTEGERS:
        return _to_integer(source, kind)
    if kind.id == "DECIMAL":
        return _float_decimal(kind)
    if kind.id in FLOATS:
        factor = 10 ** source.args[1] if source.id == "DECIMAL" else 1
        if kind.id == "FLOAT":
            return lambda value: single(value / factor)
        return lambda value: value / factor
    return None


def _of_list(source: T, kind: T) -> Callable[[Any], Any]:
    one = caster(source.args[0], kind.args[0])
    return lambda value: json.dumps([None if item is None else one(item)
                                     for item in json.loads(value)])


def _of_struct(source: T, kind: T) -> Callable[[Any], Any] | None:
    if len(source.args) != len(kind.args):
        return None
    each = [caster(a[1], b[1]) for a, b in zip(source.args, kind.args)]
    return lambda value: json.dumps([
        None if item is None else one(item)
        for one, item in zip(each, json.loads(value))])


def _of_dates(source: T, kind: T) -> Callable[[Any], Any] | None:
    if source.id == "DATE" and kind.id in STAMPS:
        return lambda value: value * DAY
    if source.id in STAMPS or source == types.STAMP_TZ:
        return {"DATE": lambda value: value // DAY,
                "TIME": lambda value: value % DAY,
                "TIMESTAMP": lambda value: value,
                "TIMESTAMP_NS": lambda value: value}.get(kind.id)
    return None


def caster(source: T, kind: T) -> Callable[[Any], Any]:
    """The function that casts a kept value, which is not NULL."""
    made: Callable[[Any], Any] | None = None
    if source in (kind, types.NULL):
        return lambda value: value
    if source == types.VARCHAR:
        made = _of_text(kind)
    elif kind == types.VARCHAR:
        made = text_of(source)
    elif source.id in types.NUMBERS or source.id == "BOOLEAN":
        made = _of_number(source, kind)
    elif source.id == kind.id == "LIST":
        made = _of_list(source, kind)
    elif source.id == kind.id == "STRUCT":
        made = _of_struct(source, kind)
    else:
        made = _of_dates(source, kind)
    if made is None:
        fail(BinderException, f"Unimplemented type for cast ({source} -> "
             f"{kind})")
    return made


def trying(cast: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """CAST for TRY_CAST: NULL where it fails."""
    def attempt(value: Any) -> Any:
        try:
            return cast(value)
        except Error:
            return None
    return attempt


__all__ = ["caster", "trying", "of_unit", "single", "half_away", "physical",
           "micros_of", "time_micros"]
