"""Thrift's compact protocol, of which Parquet's headers are made.

A struct that was read is a dictionary of its fields by number. One to write is
a list of (number, kind, value); a value of None is left out.
"""

from __future__ import annotations

import struct
from typing import Any

from ._varint import read_varint, varint

DEEP = 40                   # structs in structs
MANY = 10_000_000           # items of all lists of one header
_SIMPLE = {"true": 1, "false": 2, "i8": 3, "i16": 4, "i32": 5, "i64": 6,
           "double": 7, "binary": 8, "list": 9, "struct": 12}


class Reader:
    """Reads structs from bytes; ValueError or IndexError if they are broken."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at, self.left = data, at, MANY

    def varint(self) -> int:
        found, self.at = read_varint(self.data, self.at)
        return found

    def number(self) -> int:
        found = self.varint()
        return (found >> 1) ^ -(found & 1)

    def take(self, size: int) -> bytes:
        if size < 0 or self.at + size > len(self.data):
            raise ValueError("a text is cut off")
        self.at += size
        return self.data[self.at - size:self.at]

    def value(self, kind: int, deep: int) -> Any:
        if kind in (1, 2):
            return kind == 1
        if kind == 3:
            return int.from_bytes(self.take(1), "little", signed=True)
        if kind in (4, 5, 6):
            return self.number()
        if kind == 7:
            return struct.unpack("<d", self.take(8))[0]
        if kind == 8:
            return self.take(self.varint())
        if kind in (9, 10):
            return self.items(deep)
        if kind == 12:
            return self.fields(deep + 1)
        raise ValueError(f"kind {kind} of a value")

    def items(self, deep: int) -> list[Any]:
        head = self.take(1)[0]
        size, kind = head >> 4, head & 15
        if size == 15:
            size = self.varint()
        self.left -= size
        if self.left < 0 or size > len(self.data) - self.at:
            raise ValueError("a list is too long")
        if kind in (1, 2):
            return [byte == 1 for byte in self.take(size)]
        return [self.value(kind, deep) for _ in range(size)]

    def fields(self, deep: int = 0) -> dict[int, Any]:
        if deep > DEEP:
            raise ValueError("too many structs in structs")
        found: dict[int, Any] = {}
        number = 0
        while True:
            head = self.take(1)[0]
            if head == 0:
                return found
            number = number + (head >> 4) if head >> 4 else self.number()
            found[number] = self.value(head & 15, deep)


def _zigzag(number: int) -> bytes:
    return varint(number << 1 if number >= 0 else (-number << 1) - 1)


def _value(kind: str, value: Any) -> bytes:
    if kind == "i8":
        return value.to_bytes(1, "little", signed=True)
    if kind in ("i16", "i32", "i64"):
        return _zigzag(value)
    if kind == "binary":
        value = value.encode() if isinstance(value, str) else bytes(value)
        return varint(len(value)) + value
    if kind == "struct":
        return fields(value)
    raise ValueError(kind)


def _list(kind: str, values: Any) -> bytes:
    size = len(values)
    head = bytes([min(size, 15) << 4 | _SIMPLE[kind]])
    if size > 14:
        head += varint(size)
    return head + b"".join([_value(kind, one) for one in values])


def fields(given: list[tuple[int, str, Any]]) -> bytes:
    """The bytes of a struct. A list's kind is that of its items, after '*'."""
    made, last = [], 0
    for number, kind, value in given:
        if value is None:
            continue
        if kind == "bool":
            code, body = (1 if value else 2), b""
        elif kind[0] == "*":
            code, body = 9, _list(kind[1:], value)
        else:
            code, body = _SIMPLE[kind], _value(kind, value)
        made.append(bytes([(number - last) << 4 | code]) + body)
        last = number
    return b"".join(made) + b"\0"
