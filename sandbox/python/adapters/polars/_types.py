"""_types - the types of columns.

A type is used as a class (pl.Int64) or as an instance (pl.Datetime("us")); both
are equal where no parameter tells them apart. Inside of the adapter a type is
always an instance.
"""

from __future__ import annotations

import datetime as dt
from collections import OrderedDict
from decimal import Decimal as _Decimal
from typing import Any, Iterable, Optional

import numpy as np

from .exceptions import not_here

GROUPS = {"integer", "signed", "unsigned", "float", "temporal", "nested"}


class _Kind(type):
    """The class of types, which prints as its name."""

    def __repr__(cls) -> str:
        return cls.__name__

    def __eq__(cls, other: Any) -> bool:
        return cls is other or (isinstance(other, DataType) and
                                type(other) is cls)

    def __hash__(cls) -> int:
        return hash(cls.__name__)


class DataType(metaclass=_Kind):
    """The base of all types."""

    short = ""      # as the head of a printed table has it
    numpy = "O"     # the form of the values
    groups: frozenset[str] = frozenset()

    @classmethod
    def _in(cls, *names: str) -> bool:
        return not cls.groups.isdisjoint(names)

    @classmethod
    def is_numeric(cls) -> bool:
        return cls._in("integer", "float")

    @classmethod
    def is_integer(cls) -> bool:
        return cls._in("integer")

    @classmethod
    def is_signed_integer(cls) -> bool:
        return cls._in("signed")

    @classmethod
    def is_unsigned_integer(cls) -> bool:
        return cls._in("unsigned")

    @classmethod
    def is_float(cls) -> bool:
        return cls._in("float")

    @classmethod
    def is_temporal(cls) -> bool:
        return cls._in("temporal")

    @classmethod
    def is_nested(cls) -> bool:
        return cls._in("nested")

    @classmethod
    def base_type(cls) -> Any:
        return cls

    @classmethod
    def is_(cls, other: Any) -> bool:
        return bool(cls == other)

    def _key(self) -> Any:
        return ()

    def __eq__(self, other: Any) -> bool:
        if isinstance(other, type):
            return type(self) is other
        return type(self) is type(other) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(type(self).__name__)

    def __repr__(self) -> str:
        return type(self).__name__

    def text(self) -> str:
        return self.short


def _leaf(name: str, short: str, numpy: str, *groups: str) -> Any:
    return _Kind(name, (DataType,), {"short": short, "numpy": numpy,
                                     "groups": frozenset(groups),
                                     "__module__": "polars.datatypes"})


Int8 = _leaf("Int8", "i8", "i1", "integer", "signed")
Int16 = _leaf("Int16", "i16", "i2", "integer", "signed")
Int32 = _leaf("Int32", "i32", "i4", "integer", "signed")
Int64 = _leaf("Int64", "i64", "i8", "integer", "signed")
UInt8 = _leaf("UInt8", "u8", "u1", "integer", "unsigned")
UInt16 = _leaf("UInt16", "u16", "u2", "integer", "unsigned")
UInt32 = _leaf("UInt32", "u32", "u4", "integer", "unsigned")
UInt64 = _leaf("UInt64", "u64", "u8", "integer", "unsigned")
Float32 = _leaf("Float32", "f32", "f4", "float")
Float64 = _leaf("Float64", "f64", "f8", "float")
Boolean = _leaf("Boolean", "bool", "?")
String = _leaf("String", "str", "O")
Utf8 = String
Date = _leaf("Date", "date", "M8[D]", "temporal")
Time = _leaf("Time", "time", "i8", "temporal")
Null = _leaf("Null", "null", "O")
Object = _leaf("Object", "object", "O")
Binary = _leaf("Binary", "binary", "O")


class Datetime(DataType):
    groups = frozenset({"temporal"})

    def __init__(self, time_unit: str = "us",
                 time_zone: Optional[str] = None) -> None:
        if time_unit not in ("ns", "us", "ms"):
            raise ValueError("invalid `time_unit`; expected one of "
                             f"{{'ns','us','ms'}}, got {time_unit!r}")
        self.time_unit, self.time_zone = time_unit, time_zone

    @property
    def numpy(self) -> str:  # type: ignore[override]
        return f"M8[{self.time_unit}]"

    def _key(self) -> Any:
        return self.time_unit, self.time_zone

    def __repr__(self) -> str:
        return (f"Datetime(time_unit={self.time_unit!r}, "
                f"time_zone={self.time_zone!r})")

    def text(self) -> str:
        unit = self.time_unit.replace("us", "μs")
        zone = f", {self.time_zone}" if self.time_zone else ""
        return f"datetime[{unit}{zone}]"


class Duration(DataType):
    groups = frozenset({"temporal"})

    def __init__(self, time_unit: str = "us") -> None:
        self.time_unit = time_unit

    @property
    def numpy(self) -> str:  # type: ignore[override]
        return f"m8[{self.time_unit}]"

    def _key(self) -> Any:
        return self.time_unit

    def __repr__(self) -> str:
        return f"Duration(time_unit={self.time_unit!r})"

    def text(self) -> str:
        return f"duration[{self.time_unit.replace('us', 'μs')}]"


class Categorical(DataType):
    short = "cat"

    def __init__(self, ordering: str = "physical") -> None:
        self.ordering = ordering

    def __repr__(self) -> str:
        return f"Categorical(ordering={self.ordering!r})"


class Enum(DataType):
    short = "enum"

    def __init__(self, categories: Iterable[str]) -> None:
        self.categories = tuple(categories)

    def _key(self) -> Any:
        return self.categories

    def __repr__(self) -> str:
        return f"Enum(categories={list(self.categories)!r})"


class List(DataType):
    groups = frozenset({"nested"})

    def __init__(self, inner: Any) -> None:
        self.inner = as_dtype(inner)

    def _key(self) -> Any:
        return self.inner

    def __repr__(self) -> str:
        return f"List({self.inner!r})"

    def text(self) -> str:
        return f"list[{self.inner.text()}]"


class Field:
    def __init__(self, name: str, dtype: Any) -> None:
        self.name, self.dtype = name, as_dtype(dtype)

    def __eq__(self, other: Any) -> bool:
        return (isinstance(other, Field) and self.name == other.name and
                self.dtype == other.dtype)

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"Field({self.name!r}, {self.dtype!r})"


class Struct(DataType):
    groups = frozenset({"nested"})

    def __init__(self, fields: Any) -> None:
        if isinstance(fields, dict):
            fields = [Field(*pair) for pair in fields.items()]
        self.fields = list(fields)

    def _key(self) -> Any:
        return self.fields

    def __repr__(self) -> str:
        inner = {one.name: one.dtype for one in self.fields}
        return f"Struct({inner!r})"

    def text(self) -> str:
        return f"struct[{len(self.fields)}]"


class Schema(OrderedDict):  # type: ignore[type-arg]
    """Names of columns, each with its type."""

    def __init__(self, schema: Any = ()) -> None:
        pairs = schema.items() if hasattr(schema, "items") else schema
        super().__init__((name, as_dtype(kind)) for name, kind in pairs)

    def names(self) -> list[str]:
        return list(self)

    def dtypes(self) -> list[Any]:
        return list(self.values())

    def len(self) -> int:
        return len(self)

    def to_python(self) -> dict[str, Any]:
        return {name: python_type(kind) for name, kind in self.items()}

    def __repr__(self) -> str:
        inner = ", ".join(f"{name!r}: {kind!r}" for name, kind in self.items())
        return f"Schema({{{inner}}})" if self else "Schema()"


SIGNED = (Int8, Int16, Int32, Int64)
UNSIGNED = (UInt8, UInt16, UInt32, UInt64)
INTEGERS = SIGNED + UNSIGNED
FLOATS = (Float32, Float64)
NUMERIC = INTEGERS + FLOATS
INTEGER_DTYPES = frozenset(INTEGERS)
FLOAT_DTYPES = frozenset(FLOATS)
NUMERIC_DTYPES = frozenset(NUMERIC)
TEXTS = (String, Categorical, Enum)
OBJECTS = (String, Categorical, Enum, List, Struct, Object, Binary, Null)

_PYTHON = {int: Int64, float: Float64, bool: Boolean, str: String,
           dt.date: Date, dt.datetime: Datetime, dt.timedelta: Duration,
           dt.time: Time, bytes: Binary, type(None): Null, object: Object}
_TO_PYTHON = {"Date": dt.date, "Datetime": dt.datetime, "Time": dt.time,
              "Duration": dt.timedelta, "Boolean": bool, "String": str,
              "Categorical": str, "Enum": str, "List": list, "Struct": dict,
              "Binary": bytes, "Null": type(None), "Object": object}


def as_dtype(kind: Any) -> Any:
    """KIND, which is a type, a class of it or a Python type, as a type."""
    if isinstance(kind, DataType):
        return kind
    if kind in (list, List):
        return List(Null())
    if isinstance(kind, type) and issubclass(kind, DataType):
        if kind in (Struct, Enum):
            return kind(())
        return kind()
    if kind is _Decimal:
        raise not_here("Decimal", "Float64")
    if isinstance(kind, type) and kind in _PYTHON:
        return _PYTHON[kind]()
    raise TypeError(f"cannot parse input of type {type(kind).__name__!r} into "
                    f"Polars data type: {kind!r}")


def python_type(kind: Any) -> Any:
    if kind.is_integer():
        return int
    if kind.is_float():
        return float
    return _TO_PYTHON[type(kind).__name__]


_OF_NUMPY = {np.dtype(one.numpy): one for one in NUMERIC + (Boolean,)}


def of_numpy(form: Any) -> Any:
    """The type for numpy's FORM, or None if values must tell."""
    if form in _OF_NUMPY:
        return _OF_NUMPY[form]()
    if form.kind in "Mm":
        unit = np.datetime_data(form)[0]
        if form.kind == "M" and unit == "D":
            return Date()
        unit = unit if unit in ("ns", "us", "ms") else "us"
        return Datetime(unit) if form.kind == "M" else Duration(unit)
    if form.kind == "f":
        return Float32() if form.itemsize < 4 else Float64()
    return None


def is_text(kind: Any) -> bool:
    return isinstance(kind, TEXTS)


def is_object(kind: Any) -> bool:
    """Whether the values are Python's objects."""
    return isinstance(kind, OBJECTS)


def _of_numbers(one: Any, two: Any) -> Any:
    if one.is_float() or two.is_float():
        small = (Int8, Int16, UInt8, UInt16, Float32)
        return Float32() if isinstance(one, small) and \
            isinstance(two, small) else Float64()
    form = np.promote_types(one.numpy, two.numpy)
    return of_numpy(form)


def supertype(one: Any, two: Any) -> Any:
    """The type that holds both, or None."""
    if one == two:
        return one
    for left, right in ((one, two), (two, one)):
        if isinstance(left, Null):
            return right
        if isinstance(left, Boolean) and right.is_numeric():
            return right
        if isinstance(left, Date) and isinstance(right, Datetime):
            return right
        if isinstance(left, String) and is_text(right):
            return String()
    if one.is_numeric() and two.is_numeric():
        return _of_numbers(one, two)
    if isinstance(one, List) and isinstance(two, List):
        inner = supertype(one.inner, two.inner)
        return inner and List(inner)
    if type(one) is type(two) and isinstance(one, (Datetime, Duration)):
        units = ["ms", "us", "ns"]
        unit = units[min(units.index(one.time_unit),
                         units.index(two.time_unit))]
        if isinstance(one, Duration):
            return Duration(unit)
        return Datetime(unit, one.time_zone) \
            if one.time_zone == two.time_zone else None
    return None
