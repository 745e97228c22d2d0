"""Reads columns: pages, levels, values."""

from __future__ import annotations

from decimal import Decimal, Context
from typing import Any

import numpy as np

from .. import _types as t
from .._array import Array, make, objects, of_dictionary
from .._errors import lacks
from . import _codecs, _levels, _thrift, _values as v

_DAY = 86_400 * 10**9
_EPOCH = 2_440_588          # the Julian day of 1970-01-01
_WIDE = Context(prec=80)


# -- from physical values to those of a type

def stored(kind: Any, node: Any, given: Any) -> Any:
    """Values as an array of type KIND holds them."""
    name = kind._kind
    if isinstance(given, v.Texts):
        if name in t.TEXTS:
            return objects_of(given.texts())
        if node.physical == v.INT96:
            return _int96(given.bytes())
        if name == "decimal":
            return objects([_decimal(int.from_bytes(one, "big", signed=True),
                                     kind.scale) for one in given.bytes()])
        if name == "halffloat":
            return np.frombuffer(b"".join(given.bytes()), "<f2")
        return objects_of(given.bytes())
    if name == "decimal":
        return objects([_decimal(one, kind.scale) for one in given.tolist()])
    if name == "null":
        return np.full(len(given), None, object)
    if name == "date64":
        return given.astype("i8") * 86_400_000
    return given.astype(kind._np)


def objects_of(values: list[Any]) -> Any:
    made = np.empty(len(values), object)
    made[:] = values
    return made


def _decimal(value: int, scale: int) -> Decimal:
    return Decimal(value).scaleb(-scale, _WIDE)


def _int96(values: list[bytes]) -> Any:
    raw = np.frombuffer(b"".join(values), np.uint8).reshape(-1, 12)
    nanos = np.ascontiguousarray(raw[:, :8]).view("<i8").ravel()
    days = np.ascontiguousarray(raw[:, 8:]).view("<u4").ravel()
    with np.errstate(over="ignore"):
        return (days.astype("i8") - _EPOCH) * _DAY + nanos


# -- pages

class Page:
    """The levels of a page, its values or their numbers in a dictionary."""

    def __init__(self, count: int, defs: Any, reps: Any) -> None:
        self.count, self.defs, self.reps = count, defs, reps
        self.values: Any = None
        self.indices: Any = None


class Column:
    """The pages of one column chunk, read."""

    def __init__(self, data: Any, chunk: Any, node: Any) -> None:
        self.node, self.data = node, data
        self.codec: int = chunk._facts[4]
        self.dictionary: Any = None
        self.pages: list[Page] = []
        start = chunk.data_page_offset
        if chunk.dictionary_page_offset:
            start = min(start, chunk.dictionary_page_offset)
        self.at, self.left = start, chunk.num_values
        if not 0 < start < len(data) or not 0 <= self.left < _levels.MOST:
            raise ValueError("a column outside of the file")
        while self.left > 0:
            self.page()

    def page(self) -> None:
        head = bytes(self.data[self.at:self.at + 4096])
        reader = _thrift.Reader(head)
        try:
            found = reader.fields()
        except (ValueError, IndexError):
            reader = _thrift.Reader(bytes(self.data[self.at:]))
            found = reader.fields()
        self.at += reader.at
        size = found[3]
        if size < 0 or self.at + size > len(self.data):
            raise ValueError("a page outside of the file")
        body = bytes(self.data[self.at:self.at + size])
        self.at += size
        kind = found[1]
        if kind == 2:
            self.read_dictionary(found, body)
        elif kind in (0, 3):
            (self.first if kind == 0 else self.second)(found, body)

    def read_dictionary(self, found: dict[int, Any], body: bytes) -> None:
        facts = found[7]
        body = _codecs.decompress(self.codec, body, found[2])
        self.counted(facts[1], len(body))
        given = v.plain(body, self.node.physical, facts[1], self.node.width)
        self.dictionary = stored(self.node.type, self.node, given)

    @staticmethod
    def counted(count: int, size: int) -> None:
        if not 0 <= count <= size * 8:
            raise ValueError("more values than bits in a dictionary")

    def begin(self, count: int) -> int:
        if not 0 <= count <= self.left:
            raise ValueError("more values in pages than in the column")
        self.left -= count
        return count

    def first(self, found: dict[int, Any], body: bytes) -> None:
        """A page of the first version: levels are compressed too."""
        facts, node = found[5], self.node
        count = self.begin(facts[1])
        body = _codecs.decompress(self.codec, body, found[2])
        reps = defs = None
        if node.max_rep:
            reps, body = _sized(body, node.max_rep, count, facts.get(4, 3))
        if node.max_def:
            defs, body = _sized(body, node.max_def, count, facts.get(3, 3))
        self.add(Page(count, defs, reps), facts[2], body)

    def second(self, found: dict[int, Any], body: bytes) -> None:
        """A page of the second version."""
        facts, node = found[8], self.node
        count = self.begin(facts[1])
        of_defs, of_reps = facts[5], facts[6]
        if of_defs < 0 or of_reps < 0 or of_defs + of_reps > len(body):
            raise ValueError("levels are cut off")
        reps = _levels.read_runs(body[:of_reps], node.max_rep.bit_length(),
                                 count) if node.max_rep else None
        defs = _levels.read_runs(body[of_reps:of_reps + of_defs],
                                 node.max_def.bit_length(), count) \
            if node.max_def else None
        rest, size = body[of_reps + of_defs:], found[2] - of_defs - of_reps
        if facts.get(7, True):
            rest = _codecs.decompress(self.codec, rest, size)
        self.add(Page(count, defs, reps), facts[4], rest)

    def add(self, page: Page, encoding: int, body: bytes) -> None:
        node = self.node
        count = page.count if page.defs is None else \
            int((page.defs == node.max_def).sum())
        if encoding in (2, 8):
            if self.dictionary is None:
                raise ValueError("a page without its dictionary")
            page.indices = _levels.read_runs(body[1:], body[0], count) \
                if count else np.empty(0, np.int64)
            if count and page.indices.max() >= len(self.dictionary):
                raise ValueError("a number beyond the dictionary")
        elif not count:
            page.values = np.empty(0, node.type._np)
        else:
            page.values = stored(node.type, node, v.read(
                encoding, body, node.physical, count, node.width))
        self.pages.append(page)

    # the whole

    def levels(self) -> tuple[Any, Any]:
        """The definition and repetition levels of all pages."""
        found = []
        for name in ("defs", "reps"):
            parts = [getattr(one, name) for one in self.pages]
            if not parts or parts[0] is None:
                total = sum(one.count for one in self.pages)
                found.append(np.zeros(total, np.int64))
            else:
                found.append(np.concatenate(parts))
        return found[0], found[1]

    def values(self) -> Any:
        """The values that are there, of all pages."""
        parts = [one.values if one.indices is None else
                 self.dictionary[one.indices] for one in self.pages]
        if not parts:
            return np.empty(0, self.node.type._np)
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def indices(self) -> Any:
        """Numbers in the dictionary; None where a page has values itself."""
        if self.dictionary is None or any(one.indices is None
                                          for one in self.pages):
            return None
        return np.concatenate([one.indices for one in self.pages]) \
            if self.pages else None


def _sized(body: bytes, most: int, count: int, encoding: int) -> \
        tuple[Any, bytes]:
    """Levels with their size before them, and the rest."""
    width = most.bit_length()
    if encoding == 4:
        raise lacks("Levels in the encoding BIT_PACKED")
    size = int.from_bytes(body[:4], "little")
    if len(body) < 4 or size > len(body) - 4:
        raise ValueError("levels are cut off")
    return _levels.read_runs(body[4:4 + size], width, count), body[4 + size:]


def flat(column: Column, as_dictionary: Any = None) -> Array:
    """The array of a column that is not nested."""
    node = column.node
    defs, _ = column.levels()
    valid = defs == node.max_def if node.max_def else None
    if valid is not None and valid.all():
        valid = None
    if as_dictionary is not None:
        indices = column.indices()
        if indices is not None:
            values = make(node.type, column.dictionary)
            kind = t.dictionary(t.int32(), node.type, as_dictionary.ordered)
            return of_dictionary(kind, _spread(indices.astype("i4"), valid),
                                 values, valid)
    return make(node.type, _spread(column.values(), valid), valid)


def _spread(values: Any, valid: Any) -> Any:
    """VALUES at the places that are valid."""
    if valid is None:
        return values
    if int(valid.sum()) != len(values):
        raise ValueError("another number of values than levels tell")
    made = np.full(len(valid), None, object) if values.dtype == object \
        else np.zeros(len(valid), values.dtype)
    made[valid] = values
    return made
