"""DuckDB's types: names, numbers' bounds, and the type of two together."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ._errors import BinderException, CatalogException, fail, lacks


class T(NamedTuple):
    """A type: its name, and what a DECIMAL or a list is made of."""

    id: str
    args: tuple = ()

    def __str__(self) -> str:
        if self.id == "DECIMAL":
            return f"DECIMAL({self.args[0]},{self.args[1]})"
        if self.id == "LIST":
            return f"{self.args[0]}[]"
        if self.id == "STRUCT":
            inner = ", ".join(f"{name} {kind}" for name, kind in self.args)
            return f"STRUCT({inner})"
        if self.id == "NULL":
            return '"NULL"'
        return self.id.replace("_", " ") if self.id == "TIME_TZ" else self.id


NULL, BOOLEAN, VARCHAR, BLOB = T("NULL"), T("BOOLEAN"), T("VARCHAR"), T("BLOB")
TINYINT, SMALLINT, INTEGER = T("TINYINT"), T("SMALLINT"), T("INTEGER")
BIGINT, HUGEINT = T("BIGINT"), T("HUGEINT")
FLOAT, DOUBLE = T("FLOAT"), T("DOUBLE")
DATE, TIME, TIMESTAMP = T("DATE"), T("TIME"), T("TIMESTAMP")
# What now() gives: it is kept as the time of the clock on the wall.
STAMP_TZ = T("TIMESTAMP WITH TIME ZONE")
TIMESTAMP_NS, INTERVAL = T("TIMESTAMP_NS"), T("INTERVAL")


def list_of(child: T) -> T:
    return T("LIST", (child,))


def decimal(width: int, scale: int) -> T:
    return T("DECIMAL", (min(width, 38), scale))


SIGNED = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
UNSIGNED = ("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")
INTEGERS = frozenset(SIGNED + UNSIGNED)
FLOATS = frozenset(("FLOAT", "DOUBLE"))
NUMBERS = INTEGERS | FLOATS | {"DECIMAL"}
STAMPS = frozenset(("TIMESTAMP", "TIMESTAMP_NS"))

# What the header of a printed table calls a type: bits, not words.
_BITS = {"TINYINT": "int8", "SMALLINT": "int16", "INTEGER": "int32",
         "BIGINT": "int64", "HUGEINT": "int128", "UTINYINT": "uint8",
         "USMALLINT": "uint16", "UINTEGER": "uint32", "UBIGINT": "uint64"}
_BOUNDS = {"TINYINT": 8, "SMALLINT": 16, "INTEGER": 32, "BIGINT": 64,
           "HUGEINT": 128}
DIGITS = {"TINYINT": 3, "SMALLINT": 5, "INTEGER": 10, "BIGINT": 19,
          "HUGEINT": 38, "UTINYINT": 3, "USMALLINT": 5, "UINTEGER": 10,
          "UBIGINT": 20, "BOOLEAN": 1}

_NAMES = {
    "int": "INTEGER", "int4": "INTEGER", "integer": "INTEGER",
    "signed": "INTEGER", "int32": "INTEGER", "bigint": "BIGINT",
    "int8": "BIGINT", "long": "BIGINT", "int64": "BIGINT",
    "smallint": "SMALLINT", "int2": "SMALLINT", "short": "SMALLINT",
    "int16": "SMALLINT", "tinyint": "TINYINT", "int1": "TINYINT",
    "hugeint": "HUGEINT", "int128": "HUGEINT", "utinyint": "UTINYINT",
    "uint8": "UTINYINT", "usmallint": "USMALLINT", "uint16": "USMALLINT",
    "uinteger": "UINTEGER", "uint32": "UINTEGER", "ubigint": "UBIGINT",
    "uint64": "UBIGINT", "double": "DOUBLE", "float8": "DOUBLE",
    "double precision": "DOUBLE", "float": "FLOAT", "float4": "FLOAT",
    "real": "FLOAT", "decimal": "DECIMAL", "numeric": "DECIMAL",
    "dec": "DECIMAL", "varchar": "VARCHAR", "text": "VARCHAR",
    "string": "VARCHAR", "char": "VARCHAR", "bpchar": "VARCHAR",
    "boolean": "BOOLEAN", "bool": "BOOLEAN", "logical": "BOOLEAN",
    "date": "DATE", "time": "TIME", "timestamp": "TIMESTAMP",
    "datetime": "TIMESTAMP", "timestamp_us": "TIMESTAMP",
    "timestamp_ns": "TIMESTAMP_NS", "interval": "INTERVAL",
    "blob": "BLOB", "bytea": "BLOB", "varbinary": "BLOB",
    "binary": "BLOB",
}
# Types of DuckDB that are not here: another word for "no such type" would lie.
_REFUSED = frozenset(("uuid", "json", "bit", "bitstring", "uhugeint", "union",
                      "timestamptz", "timetz", "timestamp_s", "timestamp_ms",
                      "timestamp with time zone", "map", "enum", "varint",
                      "time with time zone", "guid"))


def named(name: str, args: tuple = ()) -> T:
    """The type that SQL calls NAME, with the numbers in its brackets."""
    low = name.lower()
    if low in _REFUSED:
        lacks(f"the type {name.upper()}", "use VARCHAR or TIMESTAMP")
    if low not in _NAMES:
        fail(CatalogException, f"Type with name {name} does not exist!")
    kind = _NAMES[low]
    if kind == "DECIMAL":
        width, scale = (tuple(args) + (0,))[:2] if args else (18, 3)
        if width > 18:
            lacks(f"DECIMAL of {width} digits", "18 are the most")
        if scale > width:
            fail(BinderException, "Scale cannot be bigger than width")
        return decimal(width, scale)
    return T(kind)


def parse(text: str) -> T:
    """The type of a text such as DECIMAL(10,2) or VARCHAR[]."""
    text = text.strip()
    if text.endswith("[]"):
        return list_of(parse(text[:-2]))
    if text == '"NULL"':
        return NULL
    found = re.fullmatch(r"([\w ]+?)\s*(?:\(\s*([\d\s,]+)\))?", text)
    if not found:
        lacks(f"the type {text}")
    numbers = tuple(int(one) for one in (found[2] or "").split(",") if one)
    return named(found[1], numbers)


def shown(kind: T) -> str:
    """The type's word in the header of a printed table."""
    if kind.id == "LIST":
        return shown(kind.args[0]) + "[]"
    if kind.id == "NULL":
        return "int32"
    return _BITS.get(kind.id, str(kind).lower())


def bounds(kind: T) -> tuple[int, int]:
    """The least and the greatest whole number of KIND."""
    if kind.id == "DECIMAL":
        most = 10 ** kind.args[0] - 1
        return -most, most
    if kind.id in UNSIGNED:
        return 0, 2 ** (8 << UNSIGNED.index(kind.id)) - 1
    bits = _BOUNDS[kind.id]
    return -2 ** (bits - 1), 2 ** (bits - 1) - 1


def is_number(kind: T) -> bool:
    return kind.id in NUMBERS


def of_integer(value: int) -> T:
    """The type of a whole number that is written in SQL."""
    for kind in (INTEGER, BIGINT):
        low, high = bounds(kind)
        if low <= value <= high:
            return kind
    return HUGEINT


def as_decimal(kind: T) -> T:
    if kind.id == "DECIMAL":
        return kind
    return decimal(DIGITS[kind.id], 0)


def _numbers(a: T, b: T) -> T:
    if "DOUBLE" in (a.id, b.id):
        return DOUBLE
    if "FLOAT" in (a.id, b.id):
        return FLOAT
    if "DECIMAL" in (a.id, b.id):
        one, other = as_decimal(a), as_decimal(b)
        scale = max(one.args[1], other.args[1])
        whole = max(one.args[0] - one.args[1], other.args[0] - other.args[1])
        return decimal(whole + scale, scale)
    order = SIGNED
    if a.id in order and b.id in order:
        return T(order[max(order.index(a.id), order.index(b.id))])
    if a.id in UNSIGNED and b.id in UNSIGNED:
        order = UNSIGNED
        return T(order[max(order.index(a.id), order.index(b.id))])
    return _mixed(*((a, b) if a.id in SIGNED else (b, a)))


def _mixed(signed: T, unsigned: T) -> T:
    """The smallest signed type that has all numbers of both."""
    wanted = UNSIGNED.index(unsigned.id) + 1
    return T(SIGNED[max(SIGNED.index(signed.id), wanted)])


def together(a: T, b: T) -> T | None:
    """The type that holds values of A and of B, or None."""
    if a == b or b.id == "NULL":
        return a
    if a.id == "NULL":
        return b
    if is_number(a) and is_number(b):
        return _numbers(a, b)
    for one, other in ((a, b), (b, a)):
        if one.id == "DATE" and other.id in STAMPS:
            return other
        if one.id == "TIMESTAMP" and other.id == "TIMESTAMP_NS":
            return other
        if one == STAMP_TZ and other.id in ("TIMESTAMP", "DATE"):
            return TIMESTAMP
        if one.id == "BOOLEAN" and other.id in INTEGERS:
            return other
    if a.id == b.id == "LIST":
        child = together(a.args[0], b.args[0])
        return list_of(child) if child else None
    return None


def union_of(a: T, b: T) -> T | None:
    """The type of a column of two queries: text takes all."""
    both = together(a, b)
    if both is None and VARCHAR in (a, b):
        return VARCHAR
    return both


class DuckDBPyType(str):
    """The name of a type, as a relation's `types` has it."""

    @property
    def id(self) -> str:
        return str(self).partition("(")[0].lower()


def for_python(kind: T) -> DuckDBPyType:
    return DuckDBPyType("INTEGER" if kind == NULL else str(kind))


_PYTHON = {"BOOLEAN": "bool", "VARCHAR": "STRING", "BLOB": "BINARY",
           "TIMESTAMP": "DATETIME", "TIMESTAMP_NS": "DATETIME",
           "TIME": "Time", "DATE": "Date", "STRUCT": "dict", "LIST": "list",
           "INTERVAL": "TIMEDELTA"}


def for_description(kind: T) -> Any:
    if is_number(kind) or kind.id == "NULL":
        return "NUMBER"
    return _PYTHON.get(kind.id, str(kind))
