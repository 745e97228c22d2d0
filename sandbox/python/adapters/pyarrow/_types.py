"""Types of columns, as pyarrow names and prints them.

A type has the numpy type of its values in memory (`_np`); texts, bytes,
decimals, lists and structs are Python objects.
"""

from __future__ import annotations

import re
from typing import Any, Callable, Iterable

import numpy as np

from ._errors import ArrowInvalid, lacks

_OBJECT = np.dtype(object)


class DataType:
    """A type without parameters; the base of all."""

    def __init__(self, name: str, numpy: Any = _OBJECT, kind: str = "",
                 bits: int = 0) -> None:
        self._name, self._np = name, np.dtype(numpy)
        self._kind, self._bits = kind or name, bits

    def __str__(self) -> str:
        return self._name

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"

    def __eq__(self, other: Any) -> Any:
        try:
            return self.equals(other)
        except (TypeError, ValueError, NotImplementedError):
            return NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> Any:
        return _from_state, (type(self), vars(self))

    def equals(self, other: Any, *, check_metadata: bool = False) -> bool:
        """Whether OTHER, a type or the name of one, is the same."""
        return str(self) == str(ensure_type(other))

    @property
    def bit_width(self) -> int:
        if not self._bits:
            raise ValueError("Non-fixed width type")
        return self._bits

    @property
    def byte_width(self) -> int:
        return self.bit_width // 8

    @property
    def num_fields(self) -> int:
        return len(self._children())

    def field(self, i: Any) -> "Field":
        for number, one in enumerate(self._children()):
            if i in (number, one.name):
                return one
        raise KeyError(i) if isinstance(i, str) else IndexError(i)

    def _children(self) -> list["Field"]:
        return []

    def to_pandas_dtype(self) -> Any:
        """The numpy type of such a column in pandas."""
        if self._kind in ("date32", "date64"):
            return np.dtype("datetime64[ms]")
        if self._kind == "duration":
            return np.dtype(f"timedelta64[{self.unit}]")
        if self._kind in ("time32", "time64"):
            return np.object_
        return self._np.type


def _from_state(kind: type, state: dict[str, Any]) -> Any:
    made = kind.__new__(kind)
    vars(made).update(state)
    return made


class TimestampType(DataType):
    def __init__(self, unit: str, tz: Any = None) -> None:
        if unit not in _UNITS:
            raise ValueError(f"Invalid time unit: '{unit}'")
        self.unit = unit
        self.tz = None if tz is None else _zone_name(tz)
        more = f", tz={self.tz}" if self.tz else ""
        super().__init__(f"timestamp[{unit}{more}]", "i8", "timestamp", 64)

    def to_pandas_dtype(self) -> Any:
        import pandas
        if self.tz:
            return pandas.DatetimeTZDtype("ns", self.tz)
        return np.dtype("datetime64[ns]")


def _zone_name(tz: Any) -> str:
    if isinstance(tz, str):
        return tz
    name = getattr(tz, "zone", None) or getattr(tz, "key", None) or str(tz)
    found = re.fullmatch(r"(?:UTC|pytz\.FixedOffset\((-?\d+)\))"
                         r"(?:([+-]\d\d:\d\d))?", name)
    if found and found[1]:
        minutes = int(found[1])
        return "%s%02d:%02d" % ("-" if minutes < 0 else "+",
                                *divmod(abs(minutes), 60))
    return found[2] if found and found[2] else name


_UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


class _Timed(DataType):
    def __init__(self, kind: str, unit: str, bits: int) -> None:
        self.unit = unit
        super().__init__(f"{kind}[{unit}]", f"i{bits // 8}", kind, bits)


class Time32Type(_Timed):
    pass


class Time64Type(_Timed):
    pass


class DurationType(_Timed):
    pass


class Decimal128Type(DataType):
    def __init__(self, precision: int, scale: int = 0) -> None:
        if not 1 <= precision <= 38:
            raise ValueError("precision should be between 1 and 38")
        self.precision, self.scale = precision, scale
        super().__init__(f"decimal128({precision}, {scale})", kind="decimal",
                         bits=128)


class FixedSizeBinaryType(DataType):
    def __init__(self, length: int) -> None:
        super().__init__(f"fixed_size_binary[{length}]", kind="fixed",
                         bits=8 * length)


class ListType(DataType):
    def __init__(self, value: Any, large: bool = False) -> None:
        if not isinstance(value, Field):
            value = field("item", ensure_type(value))
        self.value_field = value
        start = "large_list" if large else "list"
        super().__init__(f"{start}<{value._text()}>", kind="list")

    @property
    def value_type(self) -> DataType:
        return self.value_field.type

    def _children(self) -> list["Field"]:
        return [self.value_field]


class LargeListType(ListType):
    pass


class StructType(DataType):
    def __init__(self, fields: Iterable[Any]) -> None:
        if isinstance(fields, dict):
            fields = fields.items()
        self._fields = [_as_field(one) for one in fields]
        inner = ", ".join(one._text() for one in self._fields)
        super().__init__(f"struct<{inner}>", kind="struct")

    @property
    def names(self) -> list[str]:
        return [one.name for one in self._fields]

    @property
    def fields(self) -> list["Field"]:
        return list(self._fields)

    def _children(self) -> list["Field"]:
        return self._fields

    def __getitem__(self, i: Any) -> "Field":
        return self.field(i)

    def __len__(self) -> int:
        return len(self._fields)

    def __iter__(self) -> Any:
        return iter(self._fields)


class MapType(DataType):
    def __init__(self, key: Any, item: Any) -> None:
        self.key_type, self.item_type = ensure_type(key), ensure_type(item)
        self.key_field = field("key", self.key_type, nullable=False)
        self.item_field = field("value", self.item_type)
        super().__init__(f"map<{self.key_type}, {self.item_type}>",
                         kind="map")

    def _children(self) -> list["Field"]:
        return [self.key_field, self.item_field]


class DictionaryType(DataType):
    def __init__(self, index: Any, value: Any, ordered: bool = False) -> None:
        self.index_type = ensure_type(index)
        self.value_type = ensure_type(value)
        self.ordered = bool(ordered)
        super().__init__(
            f"dictionary<values={self.value_type}, indices="
            f"{self.index_type}, ordered={int(self.ordered)}>",
            self.index_type._np, "dictionary", self.index_type._bits)

    def to_pandas_dtype(self) -> Any:
        raise NotImplementedError(str(self))


class BaseExtensionType(DataType):
    pass


class ExtensionType(BaseExtensionType):
    """Here only that pandas can define its own; no column has such a type."""

    def __init__(self, storage_type: DataType, extension_name: str) -> None:
        self.storage_type = storage_type
        self.extension_name = extension_name
        super().__init__(f"extension<{extension_name}>", kind="extension")


def register_extension_type(_type: Any) -> None:
    """Accepted: pandas registers its types when it looks for parquet."""


def unregister_extension_type(_name: str) -> None:
    """The reverse; without effect too."""


# -- fields


class Field:
    """A name and a type."""

    def __init__(self, name: str, type: DataType, nullable: bool = True,
                 metadata: Any = None) -> None:
        self.name, self.type, self.nullable = name, type, nullable
        self.metadata = _as_bytes(metadata)

    def _text(self) -> str:
        return f"{self.name}: {self.type}" + \
            ("" if self.nullable else " not null")

    def __str__(self) -> str:
        return f"pyarrow.Field<{self._text()}>"

    __repr__ = __str__

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Field) and self._text() == other._text()

    equals = __eq__

    def __hash__(self) -> int:
        return hash(self._text())

    def with_name(self, name: str) -> "Field":
        return Field(name, self.type, self.nullable, self.metadata)

    def with_type(self, new_type: Any) -> "Field":
        return Field(self.name, ensure_type(new_type), self.nullable,
                     self.metadata)

    def with_nullable(self, nullable: bool) -> "Field":
        return Field(self.name, self.type, nullable, self.metadata)

    def with_metadata(self, metadata: Any) -> "Field":
        return Field(self.name, self.type, self.nullable, metadata)

    def remove_metadata(self) -> "Field":
        return self.with_metadata(None)


def _as_bytes(metadata: Any) -> Any:
    if not metadata:
        return None
    return {_encoded(key): _encoded(value) for key, value in
            dict(metadata).items()}


def _encoded(text: Any) -> bytes:
    return text.encode() if isinstance(text, str) else bytes(text)


def _as_field(given: Any) -> Field:
    if isinstance(given, Field):
        return given
    if isinstance(given, (tuple, list)):
        return field(*given)
    raise TypeError(f"field or tuple expected, got {given!r}")


def field(name: Any, type: Any = None, nullable: bool = True,
          metadata: Any = None) -> Field:
    """pa.field()"""
    if type is None:
        raise TypeError("field() needs a type")
    return Field(str(name), ensure_type(type), nullable, metadata)


# -- makers of types

def _plain(name: str, numpy: Any, bits: int) -> Callable[[], DataType]:
    made = DataType(name, numpy, "", bits)

    def make() -> DataType:
        return made
    make.__name__ = name
    return make


int8, int16 = _plain("int8", "i1", 8), _plain("int16", "i2", 16)
int32, int64 = _plain("int32", "i4", 32), _plain("int64", "i8", 64)
uint8, uint16 = _plain("uint8", "u1", 8), _plain("uint16", "u2", 16)
uint32, uint64 = _plain("uint32", "u4", 32), _plain("uint64", "u8", 64)
float16, float32 = _plain("halffloat", "f2", 16), _plain("float", "f4", 32)
float64, bool_ = _plain("double", "f8", 64), _plain("bool", "?", 1)
null = _plain("null", object, 0)
string, large_string = _plain("string", object, 0), \
    _plain("large_string", object, 0)
utf8, large_utf8 = string, large_string
large_binary = _plain("large_binary", object, 0)
_binary = _plain("binary", object, 0)
_date32, _date64 = (DataType("date32[day]", "i4", "date32", 32),
                    DataType("date64[ms]", "i8", "date64", 64))


def binary(length: int = -1) -> DataType:
    return _binary() if length == -1 else FixedSizeBinaryType(length)


def date32() -> DataType:
    return _date32


def date64() -> DataType:
    return _date64


def timestamp(unit: str, tz: Any = None) -> DataType:
    return TimestampType(unit, tz)


def _checked(unit: str, units: tuple[str, ...], name: str) -> str:
    if unit not in units:
        raise ValueError(f"Invalid time unit for {name}: '{unit}'")
    return unit


def time32(unit: str) -> DataType:
    return Time32Type("time32", _checked(unit, ("s", "ms"), "time32"), 32)


def time64(unit: str) -> DataType:
    return Time64Type("time64", _checked(unit, ("us", "ns"), "time64"), 64)


def duration(unit: str) -> DataType:
    return DurationType("duration", _checked(unit, tuple(_UNITS), "duration"),
                        64)


def decimal128(precision: int, scale: int = 0) -> DataType:
    return Decimal128Type(precision, scale)


def list_(value_type: Any, list_size: int = -1) -> DataType:
    if list_size != -1:
        raise lacks("list_() with list_size=", "lists have any length")
    return ListType(value_type)


def large_list(value_type: Any) -> DataType:
    return LargeListType(value_type, True)


def struct(fields: Any) -> DataType:
    return StructType(fields)


def map_(key_type: Any, item_type: Any, keys_sorted: bool = False) -> DataType:
    return MapType(key_type, item_type)


def dictionary(index_type: Any, value_type: Any,
               ordered: bool = False) -> DataType:
    return DictionaryType(index_type, value_type, ordered)


_ALIASES: dict[str, Callable[[], DataType]] = {
    "null": null, "bool": bool_, "boolean": bool_,
    **{f"{sign}int{bits}": globals()[f"{sign}int{bits}"]
       for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "i1": int8, "i2": int16, "i4": int32, "i8": int64, "u1": uint8,
    "u2": uint16, "u4": uint32, "u8": uint64, "f2": float16, "f4": float32,
    "f8": float64, "halffloat": float16, "float16": float16,
    "float": float32, "float32": float32, "double": float64,
    "float64": float64, "string": string, "str": string, "utf8": string,
    "large_string": large_string, "large_str": large_string,
    "large_utf8": large_string, "binary": _binary,
    "large_binary": large_binary, "date32": date32, "date64": date64,
    "date32[day]": date32, "date64[ms]": date64,
}
_TIMED = {"timestamp": timestamp, "duration": duration, "time32": time32,
          "time64": time64}


def type_for_alias(name: Any) -> DataType:
    """The type of a name such as 'int64' or 'timestamp[ns]'."""
    if name in _ALIASES:
        return _ALIASES[name]()
    found = re.fullmatch(r"(timestamp|duration|time32|time64)\[(\w+)"
                         r"(?:, tz=(.+))?\]", str(name))
    if not found:
        raise ValueError(f"No type alias for {name}")
    if found[3]:
        return timestamp(found[2], found[3])
    return _TIMED[found[1]](found[2])


def ensure_type(given: Any, allow_none: bool = False) -> Any:
    if isinstance(given, DataType) or given is None and allow_none:
        return given
    if isinstance(given, str):
        return type_for_alias(given)
    raise TypeError(f"DataType expected, got {type(given)}")


def from_numpy_dtype(dtype: Any) -> DataType:
    """The type of arrays of a numpy type."""
    dtype = np.dtype(dtype)
    if dtype.kind in "Mm":
        unit = np.datetime_data(dtype)[0]
        if unit == "D" and dtype.kind == "M":
            return date32()
        if unit in _UNITS:
            return (timestamp if dtype.kind == "M" else duration)(unit)
    elif dtype.kind in "US":
        return string() if dtype.kind == "U" else _binary()
    elif dtype.kind in "biuf" and dtype.itemsize <= 8:
        return _ALIASES["bool" if dtype.kind == "b" else dtype.name]()
    raise lacks(f"Unsupported numpy type {dtype}: an arrow type of it")


def unify(types: Iterable[DataType]) -> Any:
    """The one type of several; ArrowInvalid if there are more."""
    found = None
    for one in types:
        if found is None or str(found) == "null":
            found = one
        elif str(one) not in ("null", str(found)):
            raise ArrowInvalid(f"Unable to merge: incompatible types: {found} "
                               f"vs {one}")
    return found


_SIGNED = frozenset(("int8", "int16", "int32", "int64"))
_UNSIGNED = frozenset(("uint8", "uint16", "uint32", "uint64"))
INTEGERS = _SIGNED | _UNSIGNED
FLOATS = frozenset(("halffloat", "float", "double"))
TEXTS = frozenset(("string", "large_string"))
BYTES = frozenset(("binary", "large_binary", "fixed"))
