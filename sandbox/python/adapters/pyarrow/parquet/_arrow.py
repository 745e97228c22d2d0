"""The key "ARROW:schema": types that a writer of Arrow's family had.

It is a FlatBuffer. Tables of those are read as far as types need that are not
Parquet's; broken ones are as if they were not there.
"""

from __future__ import annotations

import base64
from typing import Any

from .. import _types as t

MANY = 100_000              # fields
_UNITS = ["s", "ms", "us", "ns"]
_DATE, _TIMESTAMP, _DURATION, _LARGE_BYTES, _LARGE_TEXT = 8, 10, 18, 19, 20


class _Table:
    """A table of a FlatBuffer: its fields by number."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data, self.at = data, at
        self.rows = at - self.whole(at, 4, True)
        if not 0 <= self.rows < len(data):
            raise ValueError("a table outside of its bytes")
        self.size = self.whole(self.rows, 2)

    def whole(self, at: int, size: int, signed: bool = False) -> int:
        if not 0 <= at <= len(self.data) - size:
            raise ValueError("a number outside of its bytes")
        return int.from_bytes(self.data[at:at + size], "little",
                              signed=signed)

    def place(self, number: int) -> int:
        """Where a field is; 0 if it is not there."""
        slot = 4 + 2 * number
        if slot + 2 > self.size:
            return 0
        found = self.whole(self.rows + slot, 2)
        return self.at + found if found else 0

    def number(self, number: int, size: int, default: int = 0) -> int:
        at = self.place(number)
        return self.whole(at, size) if at else default

    def follow(self, at: int) -> int:
        return at + self.whole(at, 4)

    def table(self, number: int) -> Any:
        at = self.place(number)
        return _Table(self.data, self.follow(at)) if at else None

    def tables(self, number: int) -> list["_Table"]:
        at = self.place(number)
        if not at:
            return []
        at = self.follow(at)
        size = self.whole(at, 4)
        if size > MANY:
            raise ValueError("too many fields")
        return [_Table(self.data, self.follow(at + 4 + 4 * i))
                for i in range(size)]

    def text(self, number: int) -> str:
        at = self.place(number)
        if not at:
            return ""
        at = self.follow(at)
        return self.data[at + 4:at + 4 + self.whole(at, 4)].decode()


def _type(field: _Table) -> Any:
    """The type of a field where Parquet has another; for a time zone its
    name, for a dictionary whether it is ordered."""
    encoding = field.table(4)
    if encoding is not None:
        return bool(encoding.number(2, 1))
    kind, facts = field.number(2, 1), field.table(3)
    if kind == _TIMESTAMP and facts is not None:
        return facts.text(1) or None
    if kind == _DURATION and facts is not None:
        return t.duration(_UNITS[facts.number(0, 2, 1)])
    if kind == _DATE and facts is not None:
        return t.date64() if facts.number(0, 2, 1) == 1 else None
    return {_LARGE_BYTES: t.large_binary(),
            _LARGE_TEXT: t.large_string()}.get(kind)


def types(text: Any) -> dict[str, Any]:
    """Types of columns by name."""
    try:
        data = base64.b64decode(text)
        at = 8 if data[:4] == b"\xff\xff\xff\xff" else 4
        message = _Table(data, at + int.from_bytes(data[at:at + 4], "little"))
        schema = message.table(2) if message.number(1, 1) == 1 else None
        if schema is None:
            return {}
        return {field.text(0): found for field in schema.tables(1)
                if (found := _type(field)) is not None}
    except (ValueError, IndexError, RecursionError):
        return {}
