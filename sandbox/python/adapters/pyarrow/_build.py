"""pa.array(): arrays of Python's, numpy's and pandas' values."""

from __future__ import annotations

import datetime
import decimal
from typing import Any, Callable

import numpy as np

from . import _types as t
from ._array import Array, make, objects, of_dictionary, of_objects
from ._errors import ArrowInvalid, ArrowTypeError, lacks

_EPOCH = datetime.datetime(1970, 1, 1)
_MICRO = datetime.timedelta(microseconds=1)


def array(obj: Any, type: Any = None, mask: Any = None, size: Any = None,
          from_pandas: Any = None, safe: bool = True,
          memory_pool: Any = None) -> Any:
    """pa.array(); an array of ours stays itself."""
    if size is not None:
        raise lacks("array() with size=")
    type = t.ensure_type(type, True)
    if isinstance(obj, Array) or hasattr(obj, "chunks") and \
            hasattr(obj, "combine_chunks"):
        return obj if type is None or obj.type == type else \
            obj.cast(type, safe)
    if from_pandas is None:
        from_pandas = hasattr(obj, "iloc") or _is_extension(obj)
    if hasattr(obj, "array") and hasattr(obj, "to_numpy"):
        obj = obj.array                     # a Series or an Index
    found = _of(obj, type, from_pandas)
    if mask is not None:
        found = _masked(found, np.asarray(mask, bool))
    return found if type is None or found.type == type else \
        found.cast(type, safe)


def _is_extension(obj: Any) -> bool:
    return hasattr(obj, "_from_sequence") and hasattr(obj, "dtype")


def _masked(found: Array, mask: Any) -> Array:
    if len(mask) != len(found):
        raise ArrowInvalid("Mask must be a 1-D array of the same length")
    values = found._values
    if values.dtype == object:
        values = values.copy()
        values[mask] = None
    return found._with(values, found._mask & ~mask)


def _of(obj: Any, type: Any, from_pandas: bool) -> Array:
    if _is_extension(obj):
        return _of_extension(obj, type)
    if isinstance(obj, np.ndarray):
        if obj.ndim != 1:
            raise ArrowInvalid("only handle 1-dimensional arrays")
        if obj.dtype != object:
            return _of_numpy(obj, type, from_pandas)
    elif isinstance(obj, (str, bytes)) or not hasattr(obj, "__iter__"):
        raise TypeError(f"'{obj.__class__.__name__}' object is not iterable")
    rows = obj if isinstance(obj, np.ndarray) else objects(
        [one.as_py() if hasattr(one, "as_py") else one for one in obj])
    return of_rows(rows, type, from_pandas)


# -- of pandas

def _of_extension(obj: Any, type: Any) -> Array:
    import pandas
    dtype = obj.dtype
    if hasattr(dtype, "categories"):
        return _of_categories(obj)
    if hasattr(obj, "_data") and hasattr(obj, "_mask"):
        kind = t.from_numpy_dtype(obj._data.dtype)
        return make(kind, obj._data.copy(), ~obj._mask)
    if isinstance(dtype, pandas.DatetimeTZDtype):
        moments = obj.asi8 if hasattr(obj, "asi8") else obj.view("i8")
        return make(t.timestamp(getattr(dtype, "unit", "ns"), dtype.tz),
                    np.array(moments), ~pandas.isna(obj))
    if isinstance(dtype, pandas.StringDtype):
        return of_rows(np.asarray(obj, object), type or t.string(), True)
    if isinstance(dtype, (pandas.PeriodDtype, pandas.IntervalDtype)):
        raise lacks(f"A column of dtype {dtype}", "astype(str) makes texts "
                    "of it")
    if isinstance(dtype, pandas.SparseDtype):
        raise TypeError(f"Sparse pandas data (column of {dtype}) not "
                        "supported.")
    return _of(np.asarray(obj), type, True)


def _of_categories(obj: Any) -> Array:
    codes, values = np.array(obj.codes), array(obj.categories)
    if hasattr(values, "combine_chunks"):
        values = values.combine_chunks()
    kind = t.dictionary(t.from_numpy_dtype(codes.dtype), values.type,
                        obj.ordered)
    absent = codes < 0
    return of_dictionary(kind, np.where(absent, 0, codes).astype(codes.dtype),
                         values, ~absent)


# -- of numpy

def _of_numpy(obj: Any, type: Any, from_pandas: bool) -> Array:
    kind = obj.dtype.kind
    if kind in "US":
        return of_rows(obj.astype(object), type, False)
    own = t.from_numpy_dtype(obj.dtype)
    if kind in "Mm":
        absent = np.isnat(obj)
        values = obj.view("i8").astype(own._np)
        values[absent] = 0
        return make(own, values, ~absent)
    values = np.array(obj, dtype=own._np)
    if kind == "f" and from_pandas:
        absent = np.isnan(values)
        if absent.any():
            values[absent] = 0
            return make(own, values, ~absent)
    return make(own, values)


# -- of Python's objects

def of_rows(rows: Any, type: Any, from_pandas: bool) -> Array:
    """An array of an array of objects; TYPE is a wish, or None."""
    import pandas
    if from_pandas:
        absent = np.asarray(pandas.isna(rows), bool)
    else:
        absent = np.fromiter((one is None or one is pandas.NA
                              for one in rows), bool, len(rows))
    whole = rows[~absent]
    if type is None:
        type = infer(whole)
    if type._kind in ("list", "struct", "map"):
        return _nested(rows, absent, type, from_pandas)
    if type._kind == "null":
        if len(whole):
            raise ArrowInvalid("Invalid null value")
        return make(type, np.full(len(rows), None, object), ~absent)
    if type._kind == "dictionary":
        from .compute import dictionary_encode
        plain = of_rows(rows, type.value_type, from_pandas)
        found = dictionary_encode(plain)
        return of_dictionary(type, found._values.astype(type._np),
                             found.dictionary, found._valid)
    stored = _STORED[_group(type)](type, whole)
    if not absent.any():
        return make(type, stored)
    values = np.full(len(rows), None, object) if type._np == object \
        else np.zeros(len(rows), type._np)
    values[~absent] = stored
    return make(type, values, ~absent)


def _group(type: Any) -> str:
    kind = type._kind
    for name, kinds in (("integer", t.INTEGERS), ("float", t.FLOATS),
                        ("text", t.TEXTS), ("bytes", t.BYTES)):
        if kind in kinds:
            return name
    return kind


def _wrong(value: Any, type: Any, words: str) -> ArrowInvalid:
    return ArrowInvalid(f"Could not convert {value!r} with type "
                        f"{value.__class__.__name__}: {words}")


def _integers(type: Any, whole: Any) -> Any:
    for one in whole:
        if isinstance(one, (bool, np.bool_)) or \
                not isinstance(one, (int, np.integer)):
            if isinstance(one, (float, np.floating)) and one == int(one):
                continue
            if isinstance(one, (float, np.floating)):
                raise ArrowInvalid(f"Float value {one} was truncated "
                                   f"converting to {type}")
            raise _wrong(one, type, f"tried to convert to {type}")
    try:
        found = np.array([int(one) for one in whole], dtype=object)
        limits = np.iinfo(type._np)
        for one in found:
            if not limits.min <= one <= limits.max:
                raise OverflowError
        return found.astype(type._np)
    except OverflowError:
        if type._bits == 64:
            raise OverflowError("Python int too large to convert to C long") \
                from None
        bad = next(one for one in found
                   if not limits.min <= one <= limits.max)
        raise ArrowInvalid(f"Value {bad} too large to fit in C integer type"
                           ) from None


def _floats(type: Any, whole: Any) -> Any:
    for one in whole:
        if not isinstance(one, (int, float, np.number, decimal.Decimal)) or \
                isinstance(one, (bool, np.bool_)):
            raise _wrong(one, type, f"tried to convert to {type}")
    return np.array([float(one) for one in whole], type._np)


def _booleans(type: Any, whole: Any) -> Any:
    for one in whole:
        if not isinstance(one, (bool, np.bool_)):
            raise _wrong(one, type, "tried to convert to boolean")
    return whole.astype(bool)


def _texts(type: Any, whole: Any) -> Any:
    for one in whole:
        if not isinstance(one, str):
            if isinstance(one, bytes):
                return objects([_decoded(one) for one in whole])
            raise ArrowTypeError(
                f"Expected bytes, got a '{one.__class__.__name__}' object")
    return objects([str(one) for one in whole]) if any(
        one.__class__ is not str for one in whole) else whole


def _decoded(one: Any) -> str:
    return one if isinstance(one, str) else bytes(one).decode()


def _byte_strings(type: Any, whole: Any) -> Any:
    found = []
    for one in whole:
        if isinstance(one, str):
            one = one.encode()
        if not isinstance(one, (bytes, bytearray, memoryview)):
            raise ArrowTypeError(
                f"Expected bytes, got a '{one.__class__.__name__}' object")
        if type._kind == "fixed" and len(one) != type.byte_width:
            raise ArrowInvalid(f"Got bytestring of length {len(one)} "
                               f"(expected {type.byte_width})")
        found.append(bytes(one))
    return objects(found)


def _scaled(total: int, unit: str) -> int:
    """TOTAL microseconds in UNIT."""
    step = t._UNITS[unit]
    return total * (step // 10**6) if step >= 10**6 else \
        total // (10**6 // step)


def _moment(type: Any, one: Any) -> int:
    if hasattr(one, "value") and hasattr(one, "asm8"):     # a Timestamp
        return int(one.value) // (10**9 // t._UNITS[type.unit])
    if isinstance(one, np.datetime64):
        return int(one.astype(f"M8[{type.unit}]").astype("i8"))
    if isinstance(one, datetime.datetime):
        if one.tzinfo is not None:
            one = one.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return _scaled((one - _EPOCH) // _MICRO, type.unit)
    if isinstance(one, datetime.date):
        return (one.toordinal() - _EPOCH.toordinal()) * 86400 * \
            t._UNITS[type.unit]
    if isinstance(one, (int, np.integer)) and not isinstance(one, bool):
        return int(one)
    raise _wrong(one, type, f"tried to convert to {type}")


def _span(type: Any, one: Any) -> int:
    if hasattr(one, "value") and hasattr(one, "asm8"):     # a Timedelta
        return int(one.value) // (10**9 // t._UNITS[type.unit])
    if isinstance(one, np.timedelta64):
        return int(one.astype(f"m8[{type.unit}]").astype("i8"))
    if isinstance(one, datetime.timedelta):
        return _scaled(one // _MICRO, type.unit)
    if isinstance(one, (int, np.integer)):
        return int(one)
    raise _wrong(one, type, f"tried to convert to {type}")


def _clock(type: Any, one: Any) -> int:
    if isinstance(one, datetime.time):
        total = ((one.hour * 60 + one.minute) * 60 + one.second) * 10**6 + \
            one.microsecond
        return _scaled(total, type.unit)
    if isinstance(one, (int, np.integer)):
        return int(one)
    raise _wrong(one, type, f"tried to convert to {type}")


def _date(type: Any, one: Any) -> int:
    if isinstance(one, np.datetime64):
        one = one.astype("M8[D]").item()
    if isinstance(one, datetime.date):
        days = one.toordinal() - _EPOCH.toordinal()
        return days * (86_400_000 if type._kind == "date64" else 1)
    if isinstance(one, (int, np.integer)):
        return int(one)
    raise _wrong(one, type, "tried to convert to date")


def _each(convert: Callable[[Any, Any], int]) -> Callable[[Any, Any], Any]:
    def every(type: Any, whole: Any) -> Any:
        return np.array([convert(type, one) for one in whole], type._np)
    return every


def _decimals(type: Any, whole: Any) -> Any:
    found = []
    for one in whole:
        if isinstance(one, (int, np.integer)):
            one = decimal.Decimal(int(one))
        if not isinstance(one, decimal.Decimal):
            raise ArrowTypeError(f"int or Decimal object expected, got "
                                 f"{one.__class__.__name__}")
        found.append(fit_decimal(type, one))
    return objects(found)


_WIDE = decimal.Context(prec=80, traps=[])


def fit_decimal(type: Any, one: decimal.Decimal) -> decimal.Decimal:
    """ONE with the digits of TYPE."""
    made = one.quantize(decimal.Decimal(1).scaleb(-type.scale), context=_WIDE)
    if made != one:
        raise ArrowInvalid(f"Rescaling Decimal value {one} from original "
                           f"scale of {-one.as_tuple().exponent} to new scale "
                           f"of {type.scale} would cause data loss")
    if len(made.as_tuple().digits) > type.precision:
        raise ArrowInvalid(f"Decimal type with precision "
                           f"{len(made.as_tuple().digits)} does not fit into "
                           f"precision inferred from first array element: "
                           f"{type.precision}")
    return made


_STORED: dict[str, Callable[[Any, Any], Any]] = {
    "integer": _integers, "float": _floats, "bool": _booleans,
    "text": _texts, "bytes": _byte_strings, "timestamp": _each(_moment),
    "duration": _each(_span), "time32": _each(_clock),
    "time64": _each(_clock), "date32": _each(_date), "date64": _each(_date),
    "decimal": _decimals}


# -- lists and structs

def _nested(rows: Any, absent: Any, type: Any, from_pandas: bool) -> Array:
    stored: list[Any] = [None] * len(rows)
    where = np.flatnonzero(~absent)
    whole = [rows[i] for i in where]
    made = _NESTED[type._kind](type, whole, from_pandas)
    for i, one in zip(where, made):
        stored[i] = one
    return of_objects(type, stored)


def _lists(type: Any, whole: list[Any], from_pandas: bool) -> list[Any]:
    for one in whole:
        if isinstance(one, (str, bytes, dict)) or \
                not hasattr(one, "__iter__"):
            raise _wrong(one, type, "was not a sequence or recognized null "
                         f"for conversion to {type._kind} type")
    flat = [item for row in whole for item in row]
    inner = of_rows(objects(flat), type.value_type, from_pandas).to_pylist()
    found, start = [], 0
    for row in whole:
        found.append(inner[start:start + len(row)])
        start += len(row)
    return found


def _structs(type: Any, whole: list[Any], from_pandas: bool) -> list[Any]:
    columns = []
    for one in whole:
        if not hasattr(one, "get"):
            raise ArrowTypeError(f"Could not convert {one!r} with type "
                                 f"{one.__class__.__name__}: was expecting "
                                 "tuple of (key, value) pair")
    for child in type:
        values = objects([one.get(child.name) for one in whole])
        columns.append(of_rows(values, child.type, from_pandas).to_pylist())
    return [dict(zip(type.names, row)) for row in zip(*columns)] \
        if columns else [{} for _ in whole]


def _maps(type: Any, whole: list[Any], from_pandas: bool) -> list[Any]:
    pairs = [list(one.items() if isinstance(one, dict) else one)
             for one in whole]
    keys = [two[0] for row in pairs for two in row]
    items = [two[1] for row in pairs for two in row]
    made = list(zip(
        of_rows(objects(keys), type.key_type, from_pandas).to_pylist(),
        of_rows(objects(items), type.item_type, from_pandas).to_pylist()))
    found, start = [], 0
    for row in pairs:
        found.append(made[start:start + len(row)])
        start += len(row)
    return found


_NESTED = {"list": _lists, "struct": _structs, "map": _maps}


# -- the type of Python's objects

_OF_WORDS: dict[str, Callable[[], Any]] = {
    "string": t.string, "bytes": t.binary, "boolean": t.bool_,
    "integer": t.int64, "floating": t.float64,
    "mixed-integer-float": t.float64, "date": t.date32,
    "time": lambda: t.time64("us"), "empty": t.null}


def infer(whole: Any) -> Any:
    """The type of an array of objects, without nulls."""
    from pandas.api.types import infer_dtype
    word = infer_dtype(whole, skipna=False)
    if word == "integer":
        return t.uint64() if max(whole) > 2**63 - 1 >= 0 <= min(whole) \
            else t.int64()
    if word in _OF_WORDS:
        return _OF_WORDS[word]()
    if word in ("datetime", "datetime64", "timedelta", "timedelta64"):
        return _timed(whole[0])
    if word == "decimal":
        return _decimal_type(whole)
    return t.unify(_types_of(whole))


def _timed(first: Any) -> Any:
    pandas_own = hasattr(first, "asm8")
    unit = getattr(first, "unit", "ns") if pandas_own else "us"
    if isinstance(first, (np.datetime64, np.timedelta64)):
        return t.from_numpy_dtype(first.dtype)
    if isinstance(first, datetime.timedelta):
        return t.duration(unit)
    return t.timestamp(unit, first.tzinfo)


def _decimal_type(whole: Any) -> Any:
    before = after = 0
    for one in whole:
        _, digits, power = one.as_tuple()
        if isinstance(power, int):
            after = max(after, -power)
            before = max(before, len(digits) + power)
    return t.decimal128(max(before + after, 1), after)


def _types_of(whole: Any) -> Any:
    """Types of lists, structs and of what does not go together."""
    first = whole[0]
    if isinstance(first, dict):
        return [_struct_type(whole)]
    if isinstance(first, (list, tuple, np.ndarray, set)):
        for one in whole:
            if isinstance(one, (str, bytes)) or not hasattr(one, "__iter__"):
                raise _wrong(one, None, "was not a sequence or recognized "
                             "null for conversion to list type")
        return [t.list_(_inner_type(whole))]
    if isinstance(first, str):
        bad = next(one for one in whole if not isinstance(one, str))
        raise ArrowTypeError(f"Expected bytes, got a "
                             f"'{bad.__class__.__name__}' object")
    if isinstance(first, (int, float, datetime.date, bool)):
        own = infer(objects([first]))
        bad = next((one for one in whole if not isinstance(
            one, (int, float) if not isinstance(first, datetime.date)
            else datetime.date)), whole[-1])
        raise _wrong(bad, None, f"tried to convert to {own}")
    raise _wrong(first, None, "did not recognize Python value type when "
                 "inferring an Arrow data type")


def _inner_type(whole: Any) -> Any:
    dtypes = {getattr(one, "dtype", None) for one in whole}
    if len(dtypes) == 1 and None not in dtypes:
        only = dtypes.pop()
        if only != object:
            return t.from_numpy_dtype(only)
    flat = [item for row in whole for item in row if item is not None]
    return infer(objects(flat))


def _struct_type(whole: Any) -> Any:
    names: dict[str, list[Any]] = {}
    for one in whole:
        if not isinstance(one, dict):
            raise _wrong(one, None, "was expecting a dict")
        for name, value in one.items():
            if value is not None:
                names.setdefault(name, []).append(value)
            else:
                names.setdefault(name, [])
    return t.struct([(name, infer(objects(values)))
                     for name, values in names.items()])


def nulls(size: int, type: Any = None) -> Array:
    """pa.nulls()"""
    return of_rows(np.full(size, None, object), type or t.null(), False)


def repeat(value: Any, size: int) -> Array:
    """pa.repeat()"""
    one = value.as_py() if hasattr(value, "as_py") else value
    return array([one] * size, getattr(value, "type", None))
