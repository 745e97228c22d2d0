"""Casts between types; safe ones refuse what would be lost."""

from __future__ import annotations

import decimal
from typing import Any

import numpy as np

from . import _types as t
from ._array import Array, make, objects, of_dictionary
from ._build import _group, fit_decimal, of_rows
from ._errors import ArrowInvalid, ArrowNotImplementedError

_TIMED = ("timestamp", "date32", "date64", "duration", "time32", "time64")


def cast(one: Array, to: Any, safe: bool = True) -> Array:
    """ONE as an array of type TO."""
    if one.type == to:
        return one
    if one.type._kind == "dictionary" and to._kind != "dictionary":
        return cast(one.dictionary_decode(), to, safe)
    if one.type._kind == "null" or to._kind == "dictionary":
        return _rebuilt(one, to, safe)
    start, end = _group(one.type), _group(to)
    for sources, targets, way in _WAYS:
        if start in sources and end in targets:
            return way(one, to, safe)
    raise ArrowNotImplementedError(f"Unsupported cast from {one.type} to {to} "
                                   "using function cast_" + to._kind)


def _rebuilt(one: Array, to: Any, safe: bool) -> Array:
    if to._kind != "dictionary" or one.type._kind == "null":
        return of_rows(objects(one.to_pylist()), to, False)
    from .compute import dictionary_encode
    found = one if one.type._kind == "dictionary" else dictionary_encode(one)
    return of_dictionary(to, found._values.astype(to._np),
                         cast(found.dictionary, to.value_type, safe),
                         found._valid)


def _numbers(one: Array, to: Any, safe: bool) -> Array:
    with np.errstate(all="ignore"):
        made = one._values.astype(to._np)
    if safe and one.type._kind != "bool":
        _check_numbers(one, to, made)
    return make(to, made, one._valid)


def _check_numbers(one: Array, to: Any, made: Any) -> None:
    values, mask = one._values, one._mask
    if made.dtype.kind in "iu" and values.dtype.kind == "f":
        with np.errstate(all="ignore"):
            bad = mask & ~(made.astype(values.dtype) == values)
        if bad.any():
            raise ArrowInvalid(f"Float value {values[bad][0]} was truncated "
                               f"converting to {to}")
    elif made.dtype.kind in "iu":
        limits = np.iinfo(made.dtype)
        for bad in (int(x) for x in (values[mask].min(initial=0),
                                     values[mask].max(initial=0))):
            if not limits.min <= bad <= limits.max:
                wrong = [v for v in values[mask].tolist()
                         if not limits.min <= v <= limits.max][0]
                raise ArrowInvalid(f"Integer value {wrong} not in range: "
                                   f"{limits.min} to {limits.max}")
    elif values.dtype.kind in "iu" and made.dtype.kind == "f":
        most = 2 ** (np.finfo(made.dtype).nmant + 1)
        bad = mask & ((values > most) | (values < -most)) \
            if values.dtype.kind == "i" else mask & (values > most)
        if bad.any():
            raise ArrowInvalid(f"Integer value {values[bad][0]} not in range: "
                               f"-{most} to {most}")


def _to_bool(one: Array, to: Any, safe: bool) -> Array:
    return make(to, one._values != 0, one._valid)


def _to_text(one: Array, to: Any, safe: bool) -> Array:
    from ._text import writer_of
    write: Any = writer_of(one.type)
    if one.type._kind in t.BYTES:
        def write(value: Any) -> str:
            try:
                return bytes(value).decode()
            except UnicodeDecodeError:
                raise ArrowInvalid("Invalid UTF8 payload") from None
    elif one.type._kind in t.TEXTS:
        return make(to, one._values, one._valid)
    return _each(one, to, write)


def _each(one: Array, to: Any, change: Any) -> Array:
    mask, values = one._mask, one._values
    found: list[Any] = [change(v) if ok else None
                        for v, ok in zip(values, mask)]
    if to._np != object:
        found = [0 if v is None else v for v in found]
        return make(to, np.array(found, to._np), one._valid)
    return make(to, objects(found), one._valid)


def _to_bytes(one: Array, to: Any, safe: bool) -> Array:
    return _each(one, to, lambda v: v.encode() if isinstance(v, str) else v)


def _parse(one: Array, to: Any, safe: bool) -> Array:
    reader = _READERS[_group(to)]
    kind = to

    def read(text: str) -> Any:
        try:
            return reader(kind, text)
        except (ValueError, ArithmeticError):
            raise ArrowInvalid(f"Failed to parse string: '{text}' as a scalar "
                               f"of type {kind}") from None
    return _each(one, to, read)


def _read_integer(kind: Any, text: str) -> int:
    value = int(text)
    limits = np.iinfo(kind._np)
    if text != text.strip() or "_" in text or \
            not limits.min <= value <= limits.max:
        raise ValueError
    return value


def _read_float(_kind: Any, text: str) -> float:
    if text != text.strip() or "_" in text:
        raise ValueError
    return float(text)


def _read_bool(_kind: Any, text: str) -> bool:
    return {"true": True, "1": True, "false": False, "0": False}[
        text.lower()] if text.lower() in ("true", "1", "false", "0") \
        else bool(int("no"))


def _read_moment(kind: Any, text: str) -> int:
    import pandas
    if len(text) < 10 or text[4:5] != "-":
        raise ValueError
    found = pandas.Timestamp(text)
    if found.tzinfo is not None:
        found = found.tz_convert("UTC").tz_localize(None)
    return int(np.datetime64(found.value, "ns").astype(
        f"M8[{kind.unit}]").astype("i8"))


def _read_date(kind: Any, text: str) -> int:
    import datetime
    days = datetime.date.fromisoformat(text).toordinal() - 719163
    return days * (86_400_000 if kind._kind == "date64" else 1)


def _read_clock(kind: Any, text: str) -> int:
    import datetime

    from ._build import _clock
    return _clock(kind, datetime.time.fromisoformat(text))


_READERS = {"integer": _read_integer, "float": _read_float,
            "bool": _read_bool, "timestamp": _read_moment,
            "date32": _read_date, "date64": _read_date,
            "time32": _read_clock, "time64": _read_clock,
            "decimal": lambda kind, text: fit_decimal(
                kind, decimal.Decimal(text))}


def _step(type: Any) -> int:
    """Units of a day."""
    if type._kind == "date32":
        return 1
    if type._kind == "date64":
        return 86_400_000
    return 86_400 * t._UNITS[type.unit]


def _times(one: Array, to: Any, safe: bool) -> Array:
    if (one.type._kind in ("date32", "date64", "timestamp")) != \
            (to._kind in ("date32", "date64", "timestamp")) and \
            to._kind not in ("time32", "time64"):
        raise ArrowNotImplementedError(
            f"Unsupported cast from {one.type} to {to}")
    values = one._values.astype("i8")
    start, end = _step(one.type), _step(to)
    if to._kind in ("time32", "time64") and one.type._kind == "timestamp":
        values = values % start
    if end >= start:
        made = values * (end // start)
        if safe and (made // (end // start) != values).any():
            raise ArrowInvalid(f"Casting from {one.type} to {to} would result "
                               "in out of bounds timestamp")
    else:
        made = values // (start // end)
        lost = one._mask & (made * (start // end) != values)
        if safe and lost.any() and to._kind not in ("date32", "date64"):
            raise ArrowInvalid(f"Casting from {one.type} to {to} would lose "
                               f"data: {values[lost][0]}")
    if to._kind == "date64":
        made = made // 86_400_000 * 86_400_000
    return make(to, made.astype(to._np), one._valid)


def _stored(one: Array, to: Any, safe: bool) -> Array:
    """Between times and the integers that they are."""
    if one._values.dtype.itemsize != to._np.itemsize:
        raise ArrowNotImplementedError(
            f"Unsupported cast from {one.type} to {to} using function "
            f"cast_{to._kind}")
    return make(to, one._values.astype(to._np), one._valid)


def _decimal(one: Array, to: Any, safe: bool) -> Array:
    def change(value: Any) -> decimal.Decimal:
        if isinstance(value, np.floating):
            value = decimal.Decimal(repr(float(value)))
            return value.quantize(decimal.Decimal(1).scaleb(-to.scale))
        if isinstance(value, np.integer):
            value = decimal.Decimal(int(value))
        return fit_decimal(to, value)
    return _each(one, to, change)


def _from_decimal(one: Array, to: Any, safe: bool) -> Array:
    def change(value: Any) -> Any:
        if to._np.kind == "f":
            return float(value)
        if safe and value != int(value):
            raise ArrowInvalid("Rescaling Decimal value would cause data loss")
        return int(value)
    return _each(one, to, change)


def _objects(one: Array, to: Any, safe: bool) -> Array:
    """Lists and structs: made again of their values."""
    if to._kind == "list":
        flat = one.flatten().cast(to.value_type, safe).to_pylist()
        rows, start = [], 0
        for row in one._values:
            rows.append(None if row is None else
                        flat[start:start + len(row)])
            start += 0 if row is None else len(row)
        return make(to, objects(rows), one._valid)
    if to._kind == "struct" and one.type.names == to.names:
        columns = [one.field(f.name).cast(f.type, safe).to_pylist()
                   for f in to]
        rows = [dict(zip(to.names, row)) if ok else None
                for row, ok in zip(zip(*columns), one._mask)]
        return make(to, objects(rows), one._valid)
    return of_rows(objects(one.to_pylist()), to, False)


_PLAIN = ("integer", "float", "bool")
_WAYS = (
    (_PLAIN, ("integer", "float"), _numbers),
    (("integer", "float"), ("bool",), _to_bool),
    ((*_PLAIN, "text", "bytes", "decimal", *_TIMED), ("text",), _to_text),
    (("text", "bytes"), ("bytes",), _to_bytes),
    (("text",), tuple(_READERS), _parse),
    (_TIMED, _TIMED, _times),
    (("integer",), _TIMED, _stored), (_TIMED, ("integer",), _stored),
    (("integer", "float", "decimal"), ("decimal",), _decimal),
    (("decimal",), ("integer", "float"), _from_decimal),
    (("list",), ("list",), _objects), (("struct",), ("struct",), _objects),
    (("map",), ("map",), _objects))
