"""The schema of a file: a tree, of which the leaves are the columns."""

from __future__ import annotations

from typing import Any, Iterator, Optional

from .. import _types as t
from .._errors import ArrowInvalid, lacks
from . import _values as v

REQUIRED, OPTIONAL, REPEATED = range(3)
_REPETITIONS = ["required", "optional", "repeated"]
DEEP = 30
_UNITS = {1: "ms", 2: "us", 3: "ns"}
_LONG_UNITS = {"ms": "milliseconds", "us": "microseconds",
               "ns": "nanoseconds"}
CONVERTED = ["UTF8", "MAP", "MAP_KEY_VALUE", "LIST", "ENUM", "DECIMAL", "DATE",
             "TIME_MILLIS", "TIME_MICROS", "TIMESTAMP_MILLIS",
             "TIMESTAMP_MICROS", "UINT_8", "UINT_16", "UINT_32", "UINT_64",
             "INT_8", "INT_16", "INT_32", "INT_64", "JSON", "BSON",
             "INTERVAL"]
_INTS = [t.uint8, t.uint16, t.uint32, t.uint64, t.int8, t.int16, t.int32,
         t.int64]


class Node:
    """A column, or a group of some."""

    def __init__(self, name: str, repetition: int = OPTIONAL,
                 children: Any = None, element: Any = None) -> None:
        self.name, self.repetition = name, repetition
        self.children: list[Node] = children or []
        self.element: dict[int, Any] = element or {}
        self.physical: Optional[int] = self.element.get(1)
        self.width: int = self.element.get(2, 0)
        self.converted = self.element.get(6)
        self.logical: dict[int, Any] = self.element.get(10) or {}
        self.max_def = self.max_rep = 0
        self.path: tuple[str, ...] = ()
        self.type: Any = None

    def settle(self, defined: int, repeated: int,
               path: tuple[str, ...]) -> None:
        """Compute the levels of this node and those below."""
        self.max_def = defined + (self.repetition != REQUIRED)
        self.max_rep = repeated + (self.repetition == REPEATED)
        self.path = (*path, self.name)
        for one in self.children:
            one.settle(self.max_def, self.max_rep, self.path)

    def leaves(self) -> Iterator["Node"]:
        if self.physical is not None and not self.children:
            yield self
        for one in self.children:
            yield from one.leaves()

    @property
    def is_list(self) -> bool:
        return self.converted == 3 or 3 in self.logical

    @property
    def is_map(self) -> bool:
        return self.converted in (1, 2) or 2 in self.logical


def parse(elements: list[dict[int, Any]]) -> Node:
    """The tree of a footer's list."""
    at = 0

    def build(deep: int) -> Node:
        nonlocal at
        if at >= len(elements) or deep > DEEP:
            raise ValueError("a broken schema")
        element = elements[at]
        at += 1
        count = element.get(5) or 0
        if not 0 <= count <= len(elements):
            raise ValueError("a broken schema")
        children = [build(deep + 1) for _ in range(count)]
        repetition = element.get(3, REQUIRED)
        if repetition not in (0, 1, 2):
            raise ValueError("a broken schema")
        return Node(element[4].decode(), repetition, children, element)

    root = build(0)
    if at != len(elements):
        raise ValueError("a broken schema")
    root.repetition = REQUIRED
    for one in root.children:
        one.settle(0, 0, ())
    return root


# -- types

def field_of(node: Node) -> t.Field:
    """The field that a node is in a table."""
    kind = _type_of(node)
    node.type = kind
    if node.repetition == REPEATED:
        return t.field(node.name, t.list_(t.field(node.name, kind, False)),
                       False)
    return t.field(node.name, kind, node.repetition == OPTIONAL)


def element_of(node: Node) -> Node:
    """The node of a list's elements: within its repeated child, or that."""
    if len(node.children) != 1 or node.children[0].repetition != REPEATED:
        raise ValueError(f"a broken list: {node.name}")
    middle = node.children[0]
    if len(middle.children) != 1 or middle.name == "array" or \
            middle.name == f"{node.name}_tuple":
        return middle
    return middle.children[0]


def pair_of(node: Node) -> Node:
    """The repeated node of a map's keys and values."""
    if len(node.children) != 1 or len(node.children[0].children) != 2:
        raise ValueError(f"a broken map: {node.name}")
    return node.children[0]


def _type_of(node: Node) -> Any:
    if node.children:
        if node.is_list:
            inner = element_of(node)
            found = field_of(inner) if inner.repetition != REPEATED else \
                t.field(inner.name, _inner(inner), False)
            return t.list_(found)
        if node.is_map:
            key, item = (field_of(one) for one in pair_of(node).children)
            return t.map_(key.type, item.type)
        return t.struct([field_of(one) for one in node.children])
    if node.physical is None:
        return t.struct([])
    return _leaf(node)


def _inner(node: Node) -> Any:
    node.type = _type_of(node)
    return node.type


def _leaf(node: Node) -> Any:
    physical, logical, converted = node.physical, node.logical, node.converted
    if physical == v.INT96:
        return t.timestamp("ns")
    if 8 in logical or converted in (9, 10):
        unit, adjusted = _unit(logical.get(8), converted, 9)
        return t.timestamp(unit, "UTC" if adjusted else None)
    if 7 in logical or converted in (7, 8):
        unit, _ = _unit(logical.get(7), converted, 7)
        return t.time32(unit) if unit == "ms" else t.time64(unit)
    if 5 in logical or converted == 5:
        facts = logical.get(5) or {1: node.element.get(7, 0),
                                   2: node.element.get(8, 0)}
        if facts[2] > 38:
            raise lacks(f"A decimal of {facts[2]} digits")
        return t.decimal128(facts[2], facts[1])
    if 6 in logical or converted == 6:
        return t.date32()
    if physical == v.BYTES:
        is_text = logical.keys() & {1, 4, 12} or converted in (0, 4, 19)
        return t.string() if is_text else t.binary()
    if physical == v.FIXED:
        return t.float16() if 15 in logical else t.binary(node.width)
    if 11 in logical:
        return t.null()
    if physical in (v.INT32, v.INT64):
        return _integer(physical, logical.get(10), converted)
    return {v.BOOLEAN: t.bool_, v.FLOAT: t.float32,
            v.DOUBLE: t.float64}[physical]()


def _unit(facts: Any, converted: Any, first: int) -> tuple[str, bool]:
    if facts is None:
        return ("ms", "us")[converted - first], True
    return _UNITS[next(iter(facts[2]))], bool(facts.get(1))


def _integer(physical: Any, facts: Any, converted: Any) -> Any:
    if facts is not None:
        sign = "" if facts.get(2, True) else "u"
        return t.type_for_alias(f"{sign}int{facts[1]}")
    if converted is not None and 11 <= converted <= 18:
        return _INTS[converted - 11]()
    return t.int32() if physical == v.INT32 else t.int64()


# -- to write

def _text(name: str, repetition: int) -> list[Any]:
    return [(3, "i32", repetition), (4, "binary", name)]


def _int(bits: int, signed: bool) -> Any:
    return [(10, "struct", [(1, "i8", bits), (2, "bool", signed)])]


def _timed(kind: int, adjusted: bool, unit: str) -> Any:
    number = {"ms": 1, "us": 2, "ns": 3}[unit]
    return [(kind, "struct", [(1, "bool", adjusted), (2, "struct",
                                                      [(number, "struct",
                                                        [])])])]


def decimal_width(precision: int) -> int:
    """Bytes that a decimal of so many digits needs."""
    return ((10**precision - 1).bit_length() + 8) // 8


def physical_of(kind: Any) -> tuple[int, int, Any, Any]:
    """For a type: its physical type, width, converted type, logical type."""
    name = kind._kind
    if name in t.INTEGERS:
        wide = v.INT64 if kind._bits == 64 else v.INT32
        if name in ("int32", "int64"):
            return wide, 0, None, None
        code = [make()._kind for make in _INTS].index(name) + 11
        return wide, 0, code, _int(kind._bits, name[0] == "i")
    if name == "decimal":
        return v.FIXED, decimal_width(kind.precision), 5, [
            (5, "struct", [(1, "i32", kind.scale), (2, "i32",
                                                    kind.precision)])]
    if name in ("timestamp", "time32", "time64"):
        return _physical_time(kind)
    if name == "fixed":
        return v.FIXED, kind.byte_width, None, None
    if name not in _PLAIN:
        raise lacks(f"Writing a column of type {kind} to Parquet")
    return _PLAIN[name]


def _physical_time(kind: Any) -> tuple[int, int, Any, Any]:
    unit = "ms" if kind.unit == "s" else kind.unit
    if kind._kind == "timestamp":
        converted = {"ms": 9, "us": 10}.get(unit) if kind.tz else None
        return v.INT64, 0, converted, _timed(8, bool(kind.tz), unit)
    wide = v.INT32 if unit == "ms" else v.INT64
    return wide, 0, {"ms": 7, "us": 8}.get(unit), _timed(7, True, unit)


_STRING = (v.BYTES, 0, 0, [(1, "struct", [])])
_BINARY = (v.BYTES, 0, None, None)
_DATE = (v.INT32, 0, 6, [(6, "struct", [])])
_PLAIN: dict[str, tuple[int, int, Any, Any]] = {
    "bool": (v.BOOLEAN, 0, None, None), "float": (v.FLOAT, 0, None, None),
    "double": (v.DOUBLE, 0, None, None), "string": _STRING,
    "large_string": _STRING, "binary": _BINARY, "large_binary": _BINARY,
    "halffloat": (v.FIXED, 2, None, [(15, "struct", [])]),
    "date32": _DATE, "date64": _DATE, "duration": (v.INT64, 0, None, None),
    "null": (v.INT32, 0, None, [(11, "struct", [])])}


def elements_of(field: t.Field) -> list[Any]:
    """The schema elements of a field, to write."""
    kind = field.type
    if kind._kind == "dictionary":
        kind = kind.value_type
    head = _text(field.name, OPTIONAL if field.nullable else REQUIRED)
    if kind._kind == "struct":
        if not len(kind):
            raise ArrowInvalid("Cannot write struct type "
                               f"'{field.name}' with no child field to "
                               "Parquet. Consider adding a dummy child field.")
        return [[*head, (5, "i32", len(kind))],
                *(line for one in kind for line in elements_of(one))]
    if kind._kind == "list":
        return [[*head, (5, "i32", 1), (6, "i32", 3),
                 (10, "struct", [(3, "struct", [])])],
                [*_text("list", REPEATED), (5, "i32", 1)],
                *elements_of(kind.value_field.with_name("element"))]
    if kind._kind == "map":
        return [[*head, (5, "i32", 1), (6, "i32", 1),
                 (10, "struct", [(2, "struct", [])])],
                [*_text("key_value", REPEATED), (5, "i32", 2)],
                *elements_of(kind.key_field), *elements_of(kind.item_field)]
    physical, width, converted, logical = physical_of(kind)
    more = [(7, "i32", kind.scale), (8, "i32", kind.precision)] \
        if kind._kind == "decimal" else []
    return [[(1, "i32", physical), (2, "i32", width or None), *head,
             (6, "i32", converted), *more, (10, "struct", logical)]]


# -- as the file's schema is printed

def _words(node: Node) -> str:
    logical, kind = node.logical, node.type
    if 1 in logical:
        return " (String)"
    if 8 in logical or 7 in logical:
        name = "Timestamp" if 8 in logical else "Time"
        facts = logical.get(8) or logical.get(7)
        rest = ", is_from_converted_type=false, " \
            "force_set_converted_type=false" if 8 in logical else ""
        unit = _LONG_UNITS[kind.unit]
        return (f" ({name}(isAdjustedToUTC={str(bool(facts[1])).lower()}, "
                f"timeUnit={unit}{rest}))")
    if 6 in logical:
        return " (Date)"
    if 5 in logical:
        return f" (Decimal(precision={kind.precision}, scale={kind.scale}))"
    if 10 in logical:
        return (f" (Int(bitWidth={kind._bits}, isSigned="
                f"{str(kind._kind[0] == 'i').lower()}))")
    return {11: " (Null)", 15: " (Float16)"}.get(next(iter(logical), 0), "")


_SHORT = ["boolean", "int32", "int64", "int96", "float", "double", "binary",
          "fixed_len_byte_array"]


def printed(node: Node, indent: int = 2) -> str:
    start = f"{' ' * indent}{_REPETITIONS[node.repetition]} "
    if node.children:
        words = " (List)" if node.is_list else " (Map)" if node.is_map else ""
        return (f"{start}group field_id=-1 {node.name}{words} {{\n" +
                "".join(printed(one, indent + 2) for one in node.children) +
                " " * indent + "}\n")
    kind = _SHORT[node.physical or 0]
    if node.physical == v.FIXED:
        kind += f"({node.width})"
    return f"{start}{kind} field_id=-1 {node.name}{_words(node)};\n"
