"""ticks - where an axis has ticks, and their labels."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from .scales import number

_MS = {"microseconds": 1e-3, "milliseconds": 1.0, "seconds": 1e3,
       "minutes": 6e4, "hours": 3.6e6, "days": 8.64e7, "months": 2.628e9,
       "years": 3.1536e10}
_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1.5e4, 3e4,
          6e4, 1.2e5, 3e5, 6e5, 9e5, 1.8e6, 3.6e6, 7.2e6, 1.44e7, 2.16e7,
          4.32e7, 8.64e7, 1.728e8, 3.456e8, 6.048e8, 1.2096e9]


def _near(span: float, count: float, steps: Any) -> float:
    """The one of STEPS that gives about COUNT ticks."""
    return float(min(steps, key=lambda one: abs(span / one - count)))


def linear(low: float, high: float, count: float = 6,
           mantissas: Any = (1, 2, 5)) -> Any:
    low, high = min(low, high), max(low, high)
    span = high - low
    if not span > 0:
        return np.array([low])
    power = 10.0 ** np.floor(np.log10(span / count))
    step = _near(span, count, [one * power * scale for scale in (1, 10)
                               for one in mantissas] + [power * 0.5])
    first = np.ceil(low / step - 1e-9)
    last = np.floor(high / step + 1e-9)
    return np.arange(first, last + 1) * step + 0.0


def logarithmic(low: float, high: float) -> Any:
    powers = np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)
    found = 10.0 ** powers
    found = found[(found >= low * 0.999) & (found <= high * 1.001)]
    if len(found) < 2:
        found = linear(low, high)
        found = found[found > 0]
    return found[::max(1, len(found) // 8)]


def _date(ms: float) -> datetime.datetime:
    return datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=ms)


def dates(low: float, high: float) -> tuple[Any, str]:
    """Ticks of times, and the unit that they show."""
    low, high = min(low, high), max(low, high)
    span = high - low
    if span > 6 * _MS["months"]:
        return _months(low, high)
    if span > 2.5 * _MS["months"]:
        return _months(low, high)
    step = _near(span, 6, _STEPS)
    found = np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step
    unit = next(name for name in ("days", "hours", "minutes", "seconds",
                                  "milliseconds") if step >= _MS[name]
                or name == "milliseconds")
    return found, unit


def _months(low: float, high: float) -> tuple[Any, str]:
    span = (high - low) / _MS["months"]
    step = min((1, 2, 4, 6, 12, 24, 60, 120, 240, 600, 1200),
               key=lambda one: abs(span / one - 6))
    first, last = _date(low), _date(high)
    found = []
    for month in range(first.year * 12, last.year * 12 + 12):
        year, at = divmod(month, 12)
        if (at % step if step < 12 else at or year % (step // 12)):
            continue
        if not 1 <= year <= 9999:
            continue
        ms = number(datetime.datetime(year, at + 1, 1))
        if low <= ms <= high:
            found.append(ms)
    return np.array(found), "years" if step >= 12 else "months"


def _chosen(ticker: Any, low: float, high: float) -> tuple[Any, str]:
    """The days or months of a ticker, in all months or years."""
    days = getattr(ticker, "days", None) or [1]
    months = getattr(ticker, "months", None) or (
        [0] if type(ticker).__name__ == "YearsTicker" else range(12))
    found = []
    for year in range(_date(low).year, _date(high).year + 1):
        for month in months:
            for day in days:
                try:
                    when = datetime.datetime(year, month + 1, day)
                except ValueError:  # a day that this month does not have
                    continue
                found.append(number(when))
    unit = "days" if getattr(ticker, "days", None) else "years" \
        if type(ticker).__name__ == "YearsTicker" else "months"
    return np.array(found), unit


# -- labels


def plain(values: Any, formatter: Any = None) -> list[str]:
    """Numbers with as many digits as tell them apart."""
    values = np.asarray(values, dtype=float)
    if not len(values):
        return []
    top = np.abs(values).max()
    some = np.abs(values[values != 0])
    precision = getattr(formatter, "precision", "auto")
    wide = getattr(formatter, "use_scientific", True) and len(some) and (
        top >= 10.0 ** getattr(formatter, "power_limit_high", 5) or
        some.min() <= 10.0 ** getattr(formatter, "power_limit_low", -3))
    if wide:
        digits = 3 if precision in ("auto", None) else int(precision)
        return [_scientific(one, digits) for one in values]
    if precision not in ("auto", None):
        return [f"{one:.{int(precision)}f}" for one in values]
    for digits in range(15):
        shown = [f"{one:.{digits}f}" for one in values]
        if np.allclose([float(one) for one in shown], values,
                       rtol=1e-9, atol=top * 1e-9):
            break
    return ["0" if float(one) == 0 and digits == 0 else one for one in shown]


def _scientific(value: float, digits: int) -> str:
    if value == 0:
        return "0"
    head, tail = f"{value:.{digits}e}".split("e")
    return f"{head}e{tail[0]}{tail[1:].lstrip('0') or '0'}"


def numeral(value: float, form: str) -> str:
    """A number in a form such as 0,0.00, $0a or 0%."""
    if value is None or value != value:
        return "NaN"
    body = form.strip()
    before = after = ""
    for sign in "$€£¥":
        if body.startswith(sign):
            before = sign + (" " if body[1:2] == " " else "")
            body = body[1:].strip()
        elif body.endswith(sign):
            after = (" " if body[-2:-1] == " " else "") + sign
            body = body[:-1].strip()
    if body.endswith("%"):
        value, after = value * 100, (" %" if " %" in body else "%") + after
        body = body[:-1].strip()
    if body.endswith("a"):
        gap = " " if body.endswith(" a") else ""
        size, unit = next((one for one in ((1e12, "t"), (1e9, "b"),
                                           (1e6, "m"), (1e3, "k"))
                           if abs(value) >= one[0]), (1.0, ""))
        value, after = value / size, gap * bool(unit) + unit + after
        body = body[:-1].strip()
    if set(body) - set("0,.[]+-()") or not body:
        raise NotImplementedError(f"the number format {form!r} is not here")
    return _digits(value, body, before, after)


def _digits(value: float, body: str, before: str, after: str) -> str:
    whole, _, part = body.partition(".")
    whole = whole.rstrip("[")
    must = part.partition("[")[0].count("0")
    most = must + part.partition("[")[2].count("0")
    if part and "[" in body.partition(".")[0]:
        must = 0
    comma = "," if "," in whole else ""
    # Half is rounded away from zero, as in the library's script.
    value = float(np.sign(value) * np.floor(
        abs(value) * 10.0 ** most + 0.5 + 1e-9) / 10.0 ** most)
    text = f"{abs(value):{comma}.{most}f}"
    while most > must and text.endswith("0"):
        text, most = text[:-1], most - 1
    text = text.rstrip(".")
    wide = whole.lstrip("+-(").replace(",", "")
    if len(wide) > 1 and not comma:
        head, dot, tail = text.partition(".")
        text = head.zfill(len(wide)) + dot + tail
    sign = "-" if value < 0 else "+" if whole.startswith("+") else ""
    if "(" in body and value < 0:
        return f"({before}{text}{after})"
    return f"{sign}{before}{text}{after}"


def timed(ms: float, form: str) -> str:
    """A time by strftime's signs, and %3N for milliseconds."""
    if ms != ms:
        return "NaN"
    when = _date(float(ms))
    form = form.replace("%3N", f"{when.microsecond // 1000:03d}")
    form = form.replace("%N", f"{when.microsecond * 1000:09d}")
    form = form.replace("%F", "%Y-%m-%d").replace("%T", "%H:%M:%S")
    for sign in ("d", "m", "H", "I", "j"):
        form = form.replace(f"%-{sign}",
                            when.strftime(f"%{sign}").lstrip("0") or "0")
    return when.strftime(form)


def _date_labels(values: Any, unit: str, formatter: Any) -> list[str]:
    from ..models import _NAMES as M

    forms = formatter if hasattr(formatter, "days") else \
        M["DatetimeTickFormatter"]()
    name = {"minutes": "hourmin", "hours": "hours"}.get(unit, unit)
    found = []
    for one in values:
        own = name
        when = _date(float(one))
        if forms.boundary_scaling and own in ("hours", "hourmin") and \
                (when.hour, when.minute) == (0, 0):
            own = "days"
        form = getattr(forms, own)
        found.append(timed(one, form if isinstance(form, str) else form[0]))
    return found


def labels(values: Any, unit: str, formatter: Any) -> list[str]:
    kind = type(formatter).__name__
    if kind == "NumeralTickFormatter":
        return [numeral(one, formatter.format) for one in values]
    if kind == "PrintfTickFormatter":
        return [printf(formatter.format, one) for one in values]
    if kind == "CustomJSTickFormatter":
        raise NotImplementedError("CustomJSTickFormatter needs a browser, "
                                  "which is not here")
    if kind == "DatetimeTickFormatter" or unit in _MS:
        return _date_labels(values, unit if unit in _MS else "days",
                            formatter)
    if unit == "log" and kind != "BasicTickFormatter":
        return [_power(one) for one in values]
    return plain(values, formatter)


def printf(form: str, value: Any) -> str:
    text = form.replace("%i", "%d")
    try:
        return text % value
    except TypeError:
        return text % int(value)


def _power(value: float) -> str:
    power = round(np.log10(value))
    if abs(np.log10(value) - power) > 1e-9:
        return f"{value:g}"
    signs = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    return "10" + str(power).translate(signs)


def of_axis(axis: Any, scale: Any, ends: tuple[float, float],
            ) -> tuple[Any, list[str], str]:
    """The places and labels of an axis' major ticks, and their unit."""
    low, high = min(ends), max(ends)
    if scale.factors:
        names = list(scale.given.factors)
        places = np.array([scale.of(one) for one in names])
        shown = [one[-1] if isinstance(one, tuple) else one for one in names]
        return _overridden(axis, places, shown, "factors")
    ticker = axis.ticker
    kind = type(ticker).__name__
    unit = ""
    if isinstance(ticker, (list, tuple, range, np.ndarray)) or \
            kind == "FixedTicker":
        given = getattr(ticker, "ticks", ticker)
        places = np.array([scale.of(one) for one in given], dtype=float)
    elif kind == "SingleIntervalTicker":
        step = float(ticker.interval)
        places = np.arange(np.ceil(low / step), np.floor(high / step) + 1) \
            * step
    elif kind in ("DaysTicker", "MonthsTicker", "YearsTicker"):
        places, unit = _chosen(ticker, low, high)
    elif kind == "DatetimeTicker" or type(axis).__name__ == "DatetimeAxis":
        places, unit = dates(low, high)
    elif scale.kind == "log":
        places, unit = logarithmic(low, high), "log"
    else:
        places = linear(low, high, getattr(ticker, "desired_num_ticks", 6),
                        getattr(ticker, "mantissas", (1, 2, 5)))
    if type(axis).__name__ == "DatetimeAxis" and not unit:
        unit = dates(low, high)[1]
    inside = (places >= low - (high - low) * 1e-9) & \
        (places <= high + (high - low) * 1e-9)
    places = places[inside]
    return _overridden(axis, places, labels(places, unit, axis.formatter),
                       unit)


def _overridden(axis: Any, places: Any, shown: list[str], unit: str) -> Any:
    own = {}
    for key, text in (axis.major_label_overrides or {}).items():
        text = getattr(text, "text", text)
        own[key] = own[str(key)] = text
    if own:
        shown = [own.get(place, own.get(label, label))
                 for place, label in zip(places, shown)]
    return places, shown, unit
