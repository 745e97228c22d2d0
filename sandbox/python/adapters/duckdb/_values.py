"""Values: how the engine keeps them, how they are written, and in Python.

The engine knows whole numbers, floats and texts. A DATE is kept as days since
1970, a TIMESTAMP and a TIME as microseconds, a DECIMAL as a whole number of its
last digit, a list or a struct as JSON of kept values, and an INTERVAL as a text
that begins with its length, so that texts of intervals sort as they do.
"""

from __future__ import annotations

import datetime as dt
import json
import math
from decimal import Decimal
from typing import Any, Callable

from ._errors import lacks
from ._types import INTEGERS, STAMPS, T

DAY = 86_400_000_000
EPOCH = dt.date(1970, 1, 1).toordinal()
_START = dt.datetime(1970, 1, 1)
_SHIFT = 10 ** 19


# -- dates and times


def date_of(days: int) -> dt.date:
    return dt.date.fromordinal(days + EPOCH)


def days_of(date: dt.date) -> int:
    return date.toordinal() - EPOCH


def stamp_of(micros: int) -> dt.datetime:
    return _START + dt.timedelta(microseconds=micros)


def micros_of(stamp: dt.datetime) -> int:
    gap = stamp - _START
    return gap.days * DAY + gap.seconds * 1_000_000 + gap.microseconds


def time_of(micros: int) -> dt.time:
    return (_START + dt.timedelta(microseconds=micros)).time()


def time_micros(time: dt.time) -> int:
    seconds = time.hour * 3600 + time.minute * 60 + time.second
    return seconds * 1_000_000 + time.microsecond


def interval(months: int, days: int, micros: int) -> str:
    """How the engine keeps an interval."""
    length = (months * 30 + days) * DAY + micros
    return f"{length + _SHIFT:020d}|{months}|{days}|{micros}"


def interval_parts(kept: str) -> tuple[int, int, int]:
    _, months, days, micros = kept.split("|")
    return int(months), int(days), int(micros)


def span(delta: dt.timedelta) -> str:
    return interval(0, delta.days, delta.seconds * 1_000_000
                    + delta.microseconds)


# -- texts


def _clock(micros: int) -> str:
    seconds, rest = divmod(micros, 1_000_000)
    text = (f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:"
            f"{seconds % 60:02d}")
    return text + (f".{rest:06d}".rstrip("0") if rest else "")


def _stamp_text(micros: int) -> str:
    days, rest = divmod(micros, DAY)
    return f"{date_of(days).isoformat()} {_clock(rest)}"


def float_text(value: float) -> str:
    return repr(float(value))


def _single_text(value: float) -> str:
    import numpy as np
    return str(np.float32(value))


def interval_text(kept: str) -> str:
    months, days, micros = interval_parts(kept)
    years, months = int(math.copysign(abs(months) // 12, months)), \
        int(math.copysign(abs(months) % 12, months))
    words = [f"{number} {word}{'' if number == 1 else 's'}"
             for number, word in ((years, "year"), (months, "month"),
                                  (days, "day")) if number]
    if micros or not words:
        words.append(("-" if micros < 0 else "") + _clock(abs(micros)))
    return " ".join(words)


def _decimal_text(scale: int) -> Callable[[int], str]:
    def text(kept: int) -> str:
        if not scale:
            return str(kept)
        digits = f"{abs(kept):0{scale + 1}d}"
        return (f"{'-' if kept < 0 else ''}{digits[:-scale]}"
                f".{digits[-scale:]}")
    return text


def _list_text(kind: T) -> Callable[[str], str]:
    one = text_of(kind.args[0])

    def text(kept: str) -> str:
        return "[" + ", ".join("NULL" if item is None else one(item)
                               for item in json.loads(kept)) + "]"
    return text


def _struct_text(kind: T) -> Callable[[str], str]:
    fields = [(name, text_of(child)) for name, child in kind.args]

    def text(kept: str) -> str:
        return "{" + ", ".join(
            f"'{name}': " + ("NULL" if item is None else one(item))
            for (name, one), item in zip(fields, json.loads(kept))) + "}"
    return text


def _blob_text(kept: bytes) -> str:
    return "".join(chr(one) if 32 <= one < 127 and one not in b"\"'\\"
                   else f"\\x{one:02X}" for one in kept)


_TEXTS: dict[str, Callable[[Any], str]] = {
    "BOOLEAN": lambda kept: "true" if kept else "false",
    "DOUBLE": float_text, "FLOAT": _single_text,
    "DATE": lambda kept: date_of(kept).isoformat(), "TIME": _clock,
    "TIMESTAMP": _stamp_text, "TIMESTAMP_NS": _stamp_text,
    "INTERVAL": interval_text, "BLOB": _blob_text,
}


def _zone_text(micros: int) -> str:
    gap = stamp_of(micros).astimezone().strftime("%z")
    return _stamp_text(micros) + gap[:3] + (
        "" if gap[3:] == "00" else ":" + gap[3:])


_TEXTS["TIMESTAMP WITH TIME ZONE"] = _zone_text


def text_of(kind: T) -> Callable[[Any], str]:
    """The function that writes a kept value of KIND."""
    if kind.id == "DECIMAL":
        return _decimal_text(kind.args[1])
    if kind.id == "LIST":
        return _list_text(kind)
    if kind.id == "STRUCT":
        return _struct_text(kind)
    return _TEXTS.get(kind.id, str)


# -- to Python


def _python_list(kind: T) -> Callable[[str], Any]:
    one = python_of(kind.args[0])
    return lambda kept: [None if item is None else one(item)
                         for item in json.loads(kept)]


def _python_struct(kind: T) -> Callable[[str], Any]:
    fields = [(name, python_of(child)) for name, child in kind.args]
    return lambda kept: {
        name: None if item is None else one(item)
        for (name, one), item in zip(fields, json.loads(kept))}


def _delta(kept: str) -> dt.timedelta:
    months, days, micros = interval_parts(kept)
    return dt.timedelta(days=months * 30 + days, microseconds=micros)


_PYTHON: dict[str, Callable[[Any], Any]] = {
    "BOOLEAN": bool, "DATE": date_of, "TIME": time_of, "INTERVAL": _delta,
    "TIMESTAMP": stamp_of, "TIMESTAMP_NS": stamp_of,
    "TIMESTAMP WITH TIME ZONE": lambda kept: stamp_of(kept).astimezone(),
}


def _same(kept: Any) -> Any:
    return kept


def python_of(kind: T) -> Callable[[Any], Any]:
    """The function that makes a Python value of a kept one."""
    if kind.id == "DECIMAL":
        scale = -kind.args[1]
        return lambda kept: Decimal(kept).scaleb(scale)
    if kind.id == "LIST":
        return _python_list(kind)
    if kind.id == "STRUCT":
        return _python_struct(kind)
    return _PYTHON.get(kind.id, _same)


# -- from Python


def _kept_decimal(value: Decimal) -> tuple[T, int]:
    from ._types import decimal
    if not value.is_finite():
        lacks(f"a decimal {value}")
    sign, digits, exponent = value.as_tuple()
    scale = max(-int(exponent), 0)
    number = int(value.scaleb(scale))
    width = max(len(str(abs(number))), scale + (scale > 0), 1)
    if width > 18:
        lacks("a DECIMAL of more than 18 digits", "use floats")
    return decimal(width, scale), number


def _kept_list(values: Any) -> tuple[T, str]:
    from . import _types as types
    from ._casts import caster
    pairs = [kept(one) for one in values]
    child = types.NULL
    for kind, _ in pairs:
        both = types.together(child, kind)
        if both is None:
            lacks("a list of values of several types")
        child = both
    items = [None if one is None else caster(kind, child)(one)
             for kind, one in pairs]
    return types.list_of(child if child != types.NULL else types.INTEGER), \
        json.dumps(items)


def kept(value: Any) -> tuple[T, Any]:
    """The type of a Python value, and how the engine keeps it."""
    from . import _types as types
    if hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
        value = _of_numpy(value)
    if value is None or value != value:
        return types.NULL, None
    if isinstance(value, bool):
        return types.BOOLEAN, int(value)
    if isinstance(value, int):
        kind = types.of_integer(value)
        if kind == types.HUGEINT:
            lacks("a whole number of more than 64 bits")
        return kind, value
    if isinstance(value, float):
        return types.DOUBLE, value
    for python, make in _KEPT:
        if isinstance(value, python):
            return make(value)
    lacks(f"a value of type {type(value).__name__}")


def _of_numpy(value: Any) -> Any:
    if value.dtype.kind == "M":
        import pandas as pd
        return pd.Timestamp(value)
    return value.item()


def _kept_stamp(value: dt.datetime) -> tuple[T, int]:
    if value.tzinfo is not None:
        lacks("TIMESTAMP WITH TIME ZONE", "remove the zone first")
    if getattr(value, "nanosecond", 0):
        lacks("a time with nanoseconds")
    if hasattr(value, "to_pydatetime"):
        value = value.to_pydatetime()
    return T("TIMESTAMP"), micros_of(value)


def _kept_struct(value: dict) -> tuple[T, str]:
    pairs = {str(name): kept(one) for name, one in value.items()}
    return T("STRUCT", tuple((name, kind) for name, (kind, _) in
                             pairs.items())), \
        json.dumps([one for _, one in pairs.values()])


_KEPT: tuple = (
    (str, lambda value: (T("VARCHAR"), str(value))),
    ((bytes, bytearray), lambda value: (T("BLOB"), bytes(value))),
    (Decimal, _kept_decimal),
    (dt.datetime, _kept_stamp),
    (dt.date, lambda value: (T("DATE"), days_of(value))),
    (dt.time, lambda value: (T("TIME"), time_micros(value))),
    (dt.timedelta, lambda value: (T("INTERVAL"), span(value))),
    (dict, _kept_struct),
    ((list, tuple), _kept_list),
)


def literal(value: Any) -> str:
    """A kept value, as the engine's SQL has it."""
    if value is None:
        return "NULL"
    if isinstance(value, float):
        if math.isinf(value):
            return "9e999" if value > 0 else "-9e999"
        return repr(value)
    if isinstance(value, int):
        return str(int(value)) if value != -2 ** 63 \
            else "(-9223372036854775807 - 1)"
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    if "\0" in value:
        return f"CAST(x'{value.encode().hex()}' AS TEXT)"
    return "'" + value.replace("'", "''") + "'"


def numeric_right(kind: T) -> bool:
    """Whether a printed table aligns KIND at the right."""
    return kind.id in INTEGERS or kind.id in ("FLOAT", "DOUBLE", "DECIMAL",
                                              "NULL")


def is_stamp(kind: T) -> bool:
    return kind.id in STAMPS
