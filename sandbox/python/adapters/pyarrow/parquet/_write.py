"""Writes columns: values, levels, pages, the footer."""

from __future__ import annotations

from decimal import Context
from typing import Any, Optional

import numpy as np

from .. import _types as t
from .._array import Array, factorized
from .._errors import ArrowInvalid
from . import _codecs, _levels, _nested, _thrift, _tree, _types, _values as v
from ._facts import OWN

PAGE_ROWS, PAGE_BYTES = 1 << 17, 1 << 20
DICTIONARY_BYTES = 1 << 20
_SAMPLE = 4096
_CREATOR = "terrarium pyarrow adapter version 17.0.0"
_WIDE = Context(prec=80)


class Options:
    """Of a writer; columns' names may choose for some of them."""

    def __init__(self, compression: Any, level: Any, use_dictionary: Any,
                 statistics: Any, version: str, pages: str, split: Any
                 ) -> None:
        self.compression, self.level = compression, level
        self.use_dictionary, self.statistics = use_dictionary, statistics
        self.version, self.pages, self.split = version, pages, split

    @staticmethod
    def chosen(given: Any, name: str) -> Any:
        if isinstance(given, (list, tuple, set)):
            return name in given
        return given.get(name) if isinstance(given, dict) else given


# -- physical values

def physical(values: Array) -> Any:
    """Values without nulls as Parquet stores them: a numpy array, or a list
    of byte strings."""
    kind, raw = values.type, values._values
    name = kind._kind
    if name == "null":
        return np.empty(0, np.int32)
    if name in t.TEXTS:
        return [one.encode() for one in raw]
    if name == "decimal":
        width = _tree.decimal_width(kind.precision)
        return [int(one.scaleb(kind.scale, _WIDE)).to_bytes(
            width, "big", signed=True) for one in raw]
    if name == "halffloat":
        data = raw.astype("<f2").tobytes()
        return [data[i:i + 2] for i in range(0, len(data), 2)]
    if raw.dtype == object:
        return list(raw)
    if name == "date64":
        return raw // 86_400_000
    if str(kind) in ("timestamp[s]", "time32[s]") or \
            name == "timestamp" and kind.unit == "s":
        return raw * 1000
    return raw


def _bounds(kind: Any, raw: Any) -> Optional[tuple[bytes, bytes]]:
    """The least and the greatest value, for the statistics."""
    if not len(raw) or kind._kind in ("halffloat", "null"):
        return None
    if isinstance(raw, list):
        if kind._kind == "decimal":
            found = sorted(((int.from_bytes(one, "big", signed=True), one)
                            for one in (set(raw))))
            return found[0][1], found[-1][1]
        low, high = min(raw), max(raw)
        return (low, high) if len(low) + len(high) < 4096 else None
    if raw.dtype.kind == "f":
        raw = raw[~np.isnan(raw)]
        if not len(raw):
            return None
        low, high = raw.min(), raw.max()
        low, high = (-0.0 if low == 0 else low), (0.0 if high == 0 else high)
        wide = "<f4" if kind._bits == 32 else "<f8"
        return (np.array(low, wide).tobytes(), np.array(high, wide).tobytes())
    low, high = raw.min(), raw.max()
    if kind._kind == "bool":
        return bytes([int(low)]), bytes([int(high)])
    wide = "i8" if _tree.physical_of(kind)[0] == v.INT64 else "i4"
    if raw.dtype.kind == "u":
        wide = "u" + wide[1:]
    return tuple(np.array(one).astype(f"<{wide}").tobytes()
                 for one in (low, high))  # type: ignore[return-value]


def _encoded(values: Array) -> Any:
    """Numbers and the values that they stand for, if those are few."""
    import pandas
    source = values._values
    if source.dtype.kind == "f":
        source = source.view(f"i{source.dtype.itemsize}")
    elif source.dtype == object and values.type._kind in ("list", "struct"):
        return None
    if len(source) > 2 * _SAMPLE and \
            len(pandas.unique(source[:_SAMPLE])) > _SAMPLE * 0.7:
        return None
    codes, unique = factorized(source)
    size = unique.dtype.itemsize if unique.dtype != object else 20
    if len(unique) * size > DICTIONARY_BYTES or \
            len(unique) > max(0.6 * len(source), 8):
        return None
    if source is not values._values:
        unique = unique.view(values._values.dtype)
    return codes, values._with(unique, None)


class _Leaf:
    """A column of a row group on its way into the file."""

    def __init__(self, field: t.Field, path: Any, values: Array, defs: Any,
                 reps: Any, most: tuple[int, int], rows: int) -> None:
        self.field, self.path = field, path
        self.defs, self.reps = defs, reps
        self.max_def, self.max_rep = most
        self.rows, self.values = rows, values
        self.codes: Any = None
        self.kind = values.type
        if self.kind._kind == "dictionary":
            self.codes = values._values.astype("i8")
            self.unique = values.dictionary
            self.kind = self.kind.value_type
            if self.unique._valid is not None:
                self.values, self.codes = values.dictionary_decode(), None

    @property
    def count(self) -> int:
        return self.rows if self.defs is None else len(self.defs)

    @property
    def nulls(self) -> int:
        return 0 if self.defs is None else \
            int((self.defs < self.max_def).sum())


def leaves_of(field: t.Field, one: Array) -> list[_Leaf]:
    """The leaves of a column."""
    kind = one.type
    if kind._kind in ("list", "struct", "map"):
        return [_Leaf(part.field, part.path, part.values, part.defs,
                      part.reps if part.max_rep else None,
                      (part.max_def, part.max_rep), len(one))
                for part in _nested.shred(field, one.to_pylist())]
    if not field.nullable and one._valid is not None:
        raise ArrowInvalid(f"Column '{field.name}' declared non-nullable "
                           "contains nulls")
    defs = None
    if field.nullable:
        defs = one._mask.astype("i8")
    whole = one.drop_null()
    return [_Leaf(field, (field.name,), whole, defs, None,
                  (int(field.nullable), 0), len(one))]


class ColumnWriter:
    """Writes a leaf as a column chunk."""

    def __init__(self, out: Any, leaf: _Leaf, options: Options) -> None:
        self.out, self.leaf, self.options = out, leaf, options
        name = ".".join(leaf.path)
        codec = Options.chosen(options.compression, name)
        level = Options.chosen(options.level, name)
        self.codec, self.pack = _codecs.packer(codec, level)
        self.full = self.packed = 0
        self.encodings: list[int] = []
        self.physical, self.width = _tree.physical_of(leaf.kind)[:2]
        if leaf.codes is None and self.physical != v.BOOLEAN and \
                Options.chosen(options.use_dictionary, name):
            found = _encoded(leaf.values)
            if found is not None:
                leaf.codes, leaf.unique = found
        self.split = bool(Options.chosen(options.split, name)) and \
            self.physical in v.NUMPY and leaf.codes is None

    def put(self, header: Any, body: bytes, head: bytes = b"") -> None:
        """A page: HEAD is not compressed."""
        packed = head + (self.pack(body) if self.codec else body)
        full = len(head) + len(body)
        start = _thrift.fields([header[0], (2, "i32", full),
                                (3, "i32", len(packed)), *header[1:]])
        self.out.write(start)
        self.out.write(packed)
        self.full += len(start) + full
        self.packed += len(start) + len(packed)

    def write(self) -> Any:
        """The column chunk's struct."""
        leaf, out = self.leaf, self.out
        start = out.tell()
        raw: Any = None
        at_dictionary = None
        if leaf.codes is not None:
            at_dictionary = start
            unique = physical(leaf.unique)
            self.put([(1, "i32", 2), (7, "struct", [
                (1, "i32", len(unique)), (2, "i32", 0)])],
                v.write(unique, self.physical))
            width = max(len(unique) - 1, 0).bit_length()
            self.width = width
            self.encodings = [0, 3, 8]
            used = leaf.unique
        else:
            raw = physical(leaf.values)
            self.encodings = [9 if self.split else 0, 3]
            used = leaf.values
        at_data = out.tell()
        self.pages(raw)
        return self.chunk(start, at_dictionary, at_data, used, raw)

    def pages(self, raw: Any) -> None:
        leaf = self.leaf
        values = raw if leaf.codes is None else leaf.codes
        size = 8 * len(values) if not isinstance(values, list) else \
            sum(map(len, values))
        rows = min(PAGE_ROWS, leaf.rows if size <= PAGE_BYTES else
                   leaf.rows * PAGE_BYTES // size + 1) or 1
        begins = None if leaf.reps is None else np.flatnonzero(leaf.reps == 0)
        done = 0
        for row in range(0, max(leaf.rows, 1), rows):
            last = min(row + rows, leaf.rows)
            a, b = (row, last) if begins is None else (
                int(begins[row]) if len(begins) else 0,
                int(begins[last]) if last < len(begins) else leaf.count)
            defs = None if leaf.defs is None else leaf.defs[a:b]
            held = b - a if defs is None else int((defs == leaf.max_def
                                                   ).sum())
            self.page(values[done:done + held], defs,
                      None if leaf.reps is None else leaf.reps[a:b],
                      b - a, last - row)
            done += held

    def page(self, values: Any, defs: Any, reps: Any, count: int,
             rows: int) -> None:
        leaf = self.leaf
        if leaf.codes is not None:
            body = bytes([self.width]) + _levels.write_runs(values,
                                                            self.width)
            encoding = 8
        elif self.split:
            body, encoding = v.write_split(values, self.physical), 9
        else:
            body, encoding = v.write(values, self.physical), 0
        of_reps = b"" if not leaf.max_rep else _levels.write_runs(
            reps, leaf.max_rep.bit_length())
        of_defs = b"" if not leaf.max_def else _levels.write_runs(
            defs, leaf.max_def.bit_length())
        if self.options.pages == "2.0":
            self.put([(1, "i32", 3), (8, "struct", [
                (1, "i32", count), (2, "i32", count - len(values)),
                (3, "i32", rows), (4, "i32", encoding),
                (5, "i32", len(of_defs)), (6, "i32", len(of_reps)),
                (7, "bool", bool(self.codec))])], body, of_reps + of_defs)
            return
        levels = b"".join(len(one).to_bytes(4, "little") + one
                          for one, most in ((of_reps, leaf.max_rep),
                                            (of_defs, leaf.max_def)) if most)
        self.put([(1, "i32", 0), (5, "struct", [
            (1, "i32", count), (2, "i32", encoding), (3, "i32", 3),
            (4, "i32", 3)])], levels + body)

    def chunk(self, start: int, at_dictionary: Any, at_data: int,
              used: Array, raw: Any) -> Any:
        leaf = self.leaf
        facts = None
        if Options.chosen(self.options.statistics, ".".join(leaf.path)):
            facts = [(3, "i64", leaf.nulls)]
            if leaf.codes is not None:
                numbers = np.unique(leaf.codes)
                raw = physical(used._with(used._values[numbers], None))
            bounds = _bounds(leaf.kind, raw)
            if bounds:
                facts += [(5, "binary", bounds[1]), (6, "binary", bounds[0])]
        return [(2, "i64", 0), (3, "struct", [
            (1, "i32", self.physical), (2, "*i32", self.encodings),
            (3, "*binary", leaf.path), (4, "i32", self.codec),
            (5, "i64", leaf.count), (6, "i64", self.full),
            (7, "i64", self.packed), (9, "i64", at_data),
            (11, "i64", at_dictionary), (12, "struct", facts)])]


class FileWriter:
    """A file on its way."""

    def __init__(self, out: Any, schema: Any, options: Options) -> None:
        self.out, self.schema, self.options = out, schema, options
        self.groups: list[Any] = []
        self.rows = 0
        self.elements = [[(4, "binary", "schema"), (5, "i32", len(schema))],
                         *(line for field in schema
                           for line in _tree.elements_of(field))]
        out.write(b"PAR1")

    def write(self, columns: list[Array], rows: int) -> None:
        """A row group."""
        start, full, chunks = self.out.tell(), 0, []
        for field, one in zip(self.schema, columns):
            for leaf in leaves_of(field, one):
                writer = ColumnWriter(self.out, leaf, self.options)
                chunks.append(writer.write())
                full += writer.full
        self.groups.append([
            (1, "*struct", chunks), (2, "i64", full), (3, "i64", rows),
            (5, "i64", start), (6, "i64", self.out.tell() - start),
            (7, "i16", len(self.groups) % 32768)])
        self.rows += rows

    def close(self) -> None:
        metadata = dict(self.schema.metadata or {})
        own = _types.told(self.schema)
        if own:
            metadata[OWN] = own
        pairs = [[(1, "binary", key), (2, "binary", value)]
                 for key, value in metadata.items()]
        leaves = sum(one[0][0] == 1 for one in self.elements)
        body = _thrift.fields([
            (1, "i32", 1 if self.options.version == "1.0" else 2),
            (2, "*struct", self.elements), (3, "i64", self.rows),
            (4, "*struct", self.groups), (5, "*struct", pairs or None),
            (6, "binary", _CREATOR),
            (7, "*struct", [[(1, "struct", [])]] * leaves)])
        self.out.write(body + len(body).to_bytes(4, "little") + b"PAR1")
