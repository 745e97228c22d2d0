"""_store - the values of a column: numpy arrays, and masks of nulls.

A column is an array of the type's form and a mask that is True where a value is
null, or None without nulls. Texts, lists (Python's) and structs (dicts) are
objects, with None for null as well. The array's values at nulls mean nothing.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any, Optional

import numpy as np

from . import _types as t
from .exceptions import not_here

_EMPTY = np.zeros(0, bool)
_NUMBERS = (int, float, np.number)
NS_DAY = 86_400_000_000_000


def objects(values: Any) -> Any:
    """VALUES as an array of objects of one dimension."""
    found = np.empty(len(values), object)
    for at, one in enumerate(values):
        found[at] = one
    return found


def mask_of(values: Any) -> Any:
    """Where VALUES are None, or None if no one is."""
    found = np.fromiter((one is None for one in values), bool, len(values))
    return found if found.any() else None


def any_null(mask: Any) -> Any:
    return mask if mask is not None and mask.any() else None


def either(*masks: Any) -> Any:
    """Null where one of MASKS is; lengths of 1 spread."""
    found = None
    for mask in masks:
        if mask is not None:
            found = mask if found is None else found | mask
    return any_null(found)


def kind_of(value: Any) -> Any:
    """The type for a Python value."""
    if value is None:
        return t.Null()
    if isinstance(value, (bool, np.bool_)):
        return t.Boolean()
    if isinstance(value, np.generic):
        return t.of_numpy(value.dtype) or kind_of(value.item())
    if isinstance(value, dt.datetime):
        zone = value.tzinfo
        return t.Datetime("us", None if zone is None else
                          getattr(zone, "key", None) or str(zone))
    for python, kind in ((str, t.String), (int, t.Int64), (float, t.Float64),
                         (dt.date, t.Date), (dt.timedelta, t.Duration),
                         (dt.time, t.Time), (bytes, t.Binary)):
        if isinstance(value, python):
            return kind()
    if isinstance(value, Decimal):
        raise not_here("The type Decimal", "float(value)")
    if isinstance(value, dict):
        return t.Struct({name: kind_of(one) for name, one in value.items()})
    if hasattr(value, "dtype") and hasattr(value, "to_list"):
        return t.List(value.dtype)
    if isinstance(value, (list, tuple, np.ndarray, range)):
        return t.List(infer(list(value)))
    return t.Object()


def _both(one: Any, two: Any, strict: bool) -> Any:
    """The type of values of both types."""
    if isinstance(one, t.Struct) and isinstance(two, t.Struct):
        fields = {field.name: field.dtype for field in one.fields}
        for field in two.fields:
            fields[field.name] = _both(fields.get(field.name, t.Null()),
                                       field.dtype, strict)
        return t.Struct(fields)
    found = t.supertype(one, two)
    mixed = isinstance(one, t.Boolean) != isinstance(two, t.Boolean) and \
        not isinstance(one, t.Null) and not isinstance(two, t.Null)
    if found is not None and not (strict and mixed):
        return found
    if strict:
        raise TypeError(
            f"unexpected value while building Series of type {one!r}; found "
            f"value of type {two!r}\n\nHint: Try setting `strict=False` to "
            "allow passing data with mixed types.")
    return found or t.String()


def infer(values: Any, strict: bool = True) -> Any:
    """The type that holds VALUES."""
    found: Any = t.Null()
    plain = {type(one) for one in values}
    if not plain & {list, tuple, dict, np.ndarray, dt.datetime, Decimal} and \
            all(one.__module__ == "builtins" for one in plain):
        values = [next(one for one in values if type(one) is kind)
                  for kind in _in_order(values, plain)]
    for value in values:
        kind = kind_of(value)
        if kind != found and not isinstance(kind, t.Null):
            found = _both(found, kind, strict)
    return found


def _in_order(values: Any, plain: set[type]) -> list[type]:
    return list(dict.fromkeys(map(type, values))) if len(plain) > 1 \
        else list(plain)


def build(values: Any, kind: Any = None, strict: bool = True,
          nan_to_null: bool = False) -> Any:
    """The type, values and mask of a column of VALUES."""
    if isinstance(values, np.ndarray):
        if values.ndim > 1:
            values = list(values)
        elif values.dtype != object:
            return _of_array(values, kind, nan_to_null)
    values = list(values)
    given = t.as_dtype(kind) if kind is not None else None
    if given is None or isinstance(given, t.List) and \
            isinstance(given.inner, t.Null):
        given = infer(values, strict)
    return (given, *_fill(values, given, strict))


def _of_array(values: Any, kind: Any, nan_to_null: bool) -> Any:
    if values.dtype.kind in "US":
        return build(values.tolist(), kind)
    found = t.of_numpy(values.dtype)
    if values.dtype.kind == "f" and values.dtype.itemsize < 4:
        values = values.astype("f4")
    values = np.ascontiguousarray(values).astype(found.numpy)
    mask = None
    if values.dtype.kind in "Mm":
        mask = any_null(np.isnat(values))
    elif nan_to_null and values.dtype.kind == "f":
        mask = any_null(np.isnan(values))
    if kind is not None and t.as_dtype(kind) != found:
        from ._cast import cast
        return cast(found, values, mask, t.as_dtype(kind))
    return found, values, mask


def _fill(values: list[Any], kind: Any, strict: bool) -> Any:
    """VALUES as an array of KIND, and the mask."""
    if t.is_object(kind):
        return _fill_objects(values, kind, strict)
    mask = mask_of(values)
    if kind.is_temporal():
        values = [_instant(one, kind) for one in values]
        return np.array(values, "i8").astype(kind.numpy), mask
    if mask is not None:
        values = [0 if one is None else one for one in values]
    wrong = next((one for one in values
                  if not isinstance(one, (bool, np.bool_, *_NUMBERS))), None)
    if isinstance(kind, t.Boolean) and strict:
        wrong = next((one for one in values if one not in (0, 1)), wrong)
    if wrong is not None and strict:
        raise TypeError(f"unexpected value while building Series of type "
                        f"{kind!r}; found value of type {kind_of(wrong)!r}")
    if wrong is not None:
        return _loose(values, kind, mask)
    if kind.is_integer() and any(isinstance(one, (float, np.floating))
                                 for one in values):
        if strict and any(one != int(one) for one in values):
            raise TypeError("unexpected value while building Series of type "
                            f"{kind!r}; found value of type Float64")
        values = [int(one) for one in values]
    try:
        found = np.array(values, kind.numpy)
        wide = kind.is_integer() and np.array(values, object) != found
    except OverflowError:
        wide = np.True_
    if np.any(wide):
        raise OverflowError(f"a value does not fit into {kind!r}")
    return found, mask


def _loose(values: list[Any], kind: Any, mask: Any) -> Any:
    """Values of other types as KIND, or null."""
    found = np.zeros(len(values), kind.numpy)
    bad = np.zeros(len(values), bool) if mask is None else mask.copy()
    for at, one in enumerate(values):
        try:
            found[at] = one
        except (TypeError, ValueError, OverflowError):
            bad[at] = True
    return found, any_null(bad)


def _fill_objects(values: list[Any], kind: Any, strict: bool) -> Any:
    if isinstance(kind, t.List):
        values = [None if one is None else plain_list(one) for one in values]
        if kind.inner.is_float():
            values = [None if one is None else
                      [None if x is None else float(x) for x in one]
                      for one in values]
    elif isinstance(kind, t.Struct):
        names = [field.name for field in kind.fields]
        values = [None if one is None else
                  {name: one.get(name) for name in names} for one in values]
    elif t.is_text(kind):
        wrong = next((one for one in values
                      if one is not None and not isinstance(one, str)), None)
        if wrong is not None and strict:
            raise TypeError("unexpected value while building Series of type "
                            f"{kind!r}; found value of type "
                            f"{kind_of(wrong)!r}")
        if wrong is not None:
            from ._print import as_text
            values = [one if one is None or isinstance(one, str)
                      else as_text(one) for one in values]
    found = objects(values)
    return found, mask_of(found)


def plain_list(value: Any) -> list[Any]:
    if hasattr(value, "to_list"):
        return list(value.to_list())
    if isinstance(value, np.ndarray):
        return list(value.tolist())
    return [plain_list(one) if isinstance(one, (tuple, np.ndarray)) else one
            for one in value]


_PER_SECOND = {"ms": 1000, "us": 1_000_000, "ns": 1_000_000_000}
_EPOCH = dt.datetime(1970, 1, 1)
_DAY_ONE = dt.date(1970, 1, 1).toordinal()
_MICRO = dt.timedelta(microseconds=1)


def _scaled(micros: int, unit: str) -> int:
    per = _PER_SECOND[unit]
    return micros * (per // 1_000_000) if per >= 1_000_000 else micros // 1000


def _instant(value: Any, kind: Any) -> int:
    """VALUE as KIND's number."""
    if value is None:
        return 0
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool) or isinstance(value, str):
        raise TypeError(f"unexpected value while building Series of type "
                        f"{kind!r}; found value of type {kind_of(value)!r}")
    if isinstance(value, int):
        return value
    if isinstance(kind, t.Date):
        return value.toordinal() - _DAY_ONE
    if isinstance(kind, t.Time):
        return ((value.hour * 60 + value.minute) * 60 + value.second) * \
            1_000_000_000 + value.microsecond * 1000
    if isinstance(kind, t.Duration):
        return _scaled(value // _MICRO, kind.time_unit)
    if not isinstance(value, dt.datetime):
        value = dt.datetime(value.year, value.month, value.day)
    if value.tzinfo is not None:
        value = value.astimezone(dt.timezone.utc).replace(tzinfo=None)
    return _scaled((value - _EPOCH) // _MICRO, kind.time_unit)


def zone_of(name: str) -> Any:
    import zoneinfo

    from .exceptions import ComputeError
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        raise ComputeError(f"unable to parse time zone: '{name}'") from None


def a_time(nanos: int) -> dt.time:
    seconds, rest = divmod(int(nanos), 1_000_000_000)
    return dt.time(seconds // 3600, seconds // 60 % 60, seconds % 60,
                   rest // 1000)


def to_list(kind: Any, values: Any, mask: Optional[Any]) -> list[Any]:
    """The values as Python's, with None for null."""
    if t.is_object(kind):
        return list(values)
    if isinstance(kind, t.Time):
        found = [a_time(one) for one in np.where(
            _EMPTY if mask is None else mask, 0, values)] \
            if mask is not None else [a_time(one) for one in values]
    elif isinstance(kind, t.Datetime):
        found = values.astype("M8[us]").astype(object).tolist()
        if kind.time_zone:
            zone = zone_of(kind.time_zone)
            found = [one and one.replace(tzinfo=dt.timezone.utc)
                     .astimezone(zone) for one in found]
    elif isinstance(kind, t.Duration):
        found = values.astype("m8[us]").astype(object).tolist()
    else:
        found = values.tolist()
    if mask is not None:
        for at in np.flatnonzero(mask).tolist():
            found[at] = None
    return found
