"""_spans - durations as texts ("1mo2d"), formats of times, ranges."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any, NamedTuple

import numpy as np

from .exceptions import ComputeError, InvalidOperationError

_NANOS = {"ns": 1, "us": 1000, "µs": 1000, "ms": 1_000_000, "s": 10 ** 9,
          "m": 60 * 10 ** 9, "h": 3600 * 10 ** 9}
_PART = re.compile(r"(\d+)(ns|us|µs|ms|mo|s|m|h|d|w|q|y|i)")
DAY = 86_400 * 10 ** 9
MONDAY = -3         # 1969-12-29


class Span(NamedTuple):
    """A duration: months, days and nanoseconds."""

    months: int
    days: int
    nanos: int
    weeks: bool = False

    @property
    def fixed(self) -> int:
        return self.days * DAY + self.nanos

    def times(self, count: int) -> "Span":
        return Span(self.months * count, self.days * count,
                    self.nanos * count, self.weeks)


def span_of(value: Any) -> Span:
    """A text such as "1d12h", or a timedelta."""
    if isinstance(value, Span):
        return value
    if isinstance(value, dt.timedelta):
        return Span(0, value.days, value.seconds * 10 ** 9 +
                    value.microseconds * 1000)
    text, sign = str(value), 1
    if text.startswith("-"):
        text, sign = text[1:], -1
    if not text or _PART.sub("", text):
        raise InvalidOperationError(
            f"expected leading integer in the duration string, found "
            f"{value!r}" if not text[:1].isdigit() else
            f"unit of the duration string {value!r} is not supported; "
            "available units are: 'y', 'mo', 'q', 'w', 'd', 'h', 'm', 's', "
            "'ms', 'us', 'ns'")
    months = days = nanos = 0
    for number, unit in _PART.findall(text):
        count = int(number)
        months += count * {"mo": 1, "q": 3, "y": 12}.get(unit, 0)
        days += count * {"d": 1, "w": 7}.get(unit, 0)
        nanos += count * (1 if unit == "i" else _NANOS.get(unit, 0))
    return Span(months, days, nanos, "w" in text and not months
                and not nanos).times(sign)


def plus(values: Any, span: Span) -> Any:
    """Moments (datetime64) later by SPAN; the end of a month stays there."""
    if span.months:
        day = values.astype("M8[D]")
        month = day.astype("M8[M]")
        inside = (day - month.astype("M8[D]")).astype("i8")
        new = month + span.months
        last = ((new + 1).astype("M8[D]") - new.astype("M8[D]")).astype("i8")
        moved = new.astype("M8[D]") + np.minimum(inside, last - 1)
        values = moved.astype(values.dtype) + \
            (values - day.astype(values.dtype))
    if span.days or span.nanos:
        unit = np.datetime_data(values.dtype)[0]
        if unit == "D":
            return values + (span.days + span.nanos // DAY)
        values = values + np.timedelta64(span.fixed, "ns").astype(
            f"m8[{unit}]")
    return values


def floor(values: Any, span: Span) -> Any:
    """The beginnings of the windows of SPAN in which moments are."""
    if span.months and (span.days or span.nanos):
        raise ComputeError("duration may not mix month, weeks and nanosecond "
                           "units")
    if span.months:
        month = values.astype("M8[M]").astype("i8")
        month -= month % span.months
        return month.astype("M8[M]").astype(values.dtype)
    every = span.fixed
    if every <= 0:
        raise ComputeError("duration must be positive")
    unit = np.datetime_data(values.dtype)[0]
    scale = {"D": DAY, "ms": 10 ** 6, "us": 1000, "ns": 1}[unit]
    base = MONDAY * DAY // scale if span.weeks else 0
    step = max(every // scale, 1)
    whole = values.view("i8") - base
    return (whole - whole % step + base).view(values.dtype)


# -- formats

_SHORT = {"%F": "%Y-%m-%d", "%T": "%H:%M:%S", "%D": "%m/%d/%y",
          "%R": "%H:%M", "%h": "%b", "%v": "%e-%b-%Y", "%r": "%I:%M:%S %p",
          "%x": "%m/%d/%y", "%X": "%H:%M:%S", "%c": "%a %b %e %H:%M:%S %Y",
          "%+": "%Y-%m-%dT%H:%M:%S%.f%:z"}
_SIGN = re.compile(r"%(?:[-_0^]?[A-Za-z]|\.?[369]?f|:z|%|\+)")


def _full(form: str) -> str:
    return re.sub(r"%[FTDRhvrxXc+]", lambda m: _SHORT[m[0]], form)


def _sign(sign: str, value: Any) -> str:
    micro = getattr(value, "microsecond", 0)
    if sign.endswith("f"):
        digits = next((int(one) for one in sign if one.isdigit()), 9)
        if sign == "%.f":
            digits = 0 if not micro else 3 if micro % 1000 == 0 else 6
            return f".{micro:06d}"[:digits + 1] if digits else ""
        text = f"{micro * 1000:09d}"[:digits]
        return "." + text if "." in sign else text
    if sign == "%:z":
        text = value.strftime("%z")
        return f"{text[:3]}:{text[3:]}"
    if sign == "%e":
        return f"{value.day:2d}"
    if sign == "%P":
        return str(value.strftime("%p")).lower()
    if sign == "%k" or sign == "%l":
        return f"{value.hour if sign == '%k' else value.hour % 12 or 12:2d}"
    if sign == "%Y":
        return f"{value.year:04d}"
    if sign == "%q":
        return str((value.month + 2) // 3)
    return str(value.strftime(sign))


def write(value: Any, form: str) -> str:
    """A date or time by chrono's FORM."""
    return _SIGN.sub(lambda m: _sign(m[0], value), _full(form))


def to_read(form: str) -> str:
    """Chrono's FORM for Python's strptime."""
    form = _full(form).replace("%e", "%d").replace("%:z", "%z")
    form = re.sub(r"%-([A-Za-z])", r"%\1", form)
    form = re.sub(r"%\.[369]?f", ".%f", form)
    return re.sub(r"%[369]f", "%f", form)


DATES = ("%Y-%m-%d", "%Y/%m/%d", "%d-%m-%Y", "%d/%m/%Y", "%Y%m%d",
         "%d.%m.%Y")
_CLOCKS = ("%H:%M:%S", "%H:%M:%S.%f", "%H:%M")
MOMENTS = tuple(f"{day}{gap}{clock}" for day in DATES[:4]
                for gap in (" ", "T") for clock in _CLOCKS) + tuple(
    f"%Y-%m-%dT{clock}%z" for clock in _CLOCKS) + DATES[:4]


def guess(text: str, forms: tuple[str, ...]) -> Any:
    """The one of FORMS in which TEXT is written, or None."""
    for form in forms:
        try:
            dt.datetime.strptime(text, form)
            return form
        except ValueError:
            continue
    return None


def steps(start: Any, end: Any, span: Span, closed: str = "both") -> Any:
    """START and each SPAN after it up to END."""
    if span.fixed <= 0 and span.months <= 0:
        raise ComputeError("`interval` must be positive")
    if span.months:
        count = int((end.astype("M8[M]") - start.astype("M8[M]"))
                    .astype("i8")) // span.months + 2
        found = np.array([plus(np.array([start]), span.times(at))[0]
                          for at in range(max(count, 0))], start.dtype)
    else:
        step = plus(np.array([start]), span)[0] - start
        found = np.arange(start, end + step, step) if start <= end else \
            np.array([], start.dtype)
    found = found[(found <= end) & (found >= start)]
    if closed in ("right", "none") and len(found) and found[0] == start:
        found = found[1:]
    if closed in ("left", "none") and len(found) and found[-1] == end:
        found = found[:-1]
    return found
