"""What a file tells about itself: the footer, row groups, statistics."""

from __future__ import annotations

import struct
from typing import Any, Callable

import numpy as np

from .._array import make
from .._errors import ArrowException, ArrowInvalid
from .._schema import Schema
from . import _codecs, _thrift, _tree, _values

_SHORT = ("Parquet magic bytes not found in footer. Either the file is "
          "corrupted or this is not a parquet file.")
OWN = b"terrarium:types"    # types of columns that Parquet does not have


def guarded(function: Callable[..., Any]) -> Callable[..., Any]:
    """FUNCTION, of which an error by broken bytes is an ArrowInvalid."""
    def call(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except (ArrowException, MemoryError):
            raise
        except Exception as error:
            raise ArrowInvalid("Parquet file is corrupted: "
                               f"{type(error).__name__}: {error}") from None
    call.__name__, call.__doc__ = function.__name__, function.__doc__
    return call


def footer(data: Any, start: str = "") -> tuple[dict[int, Any], int]:
    """The footer's struct and its size."""
    if len(data) < 12:
        raise ArrowInvalid(
            f"{start}Parquet file size is {len(data)} bytes, smaller than the "
            "minimum file footer (8 bytes)" if len(data) < 8 else
            start + _SHORT)
    if bytes(data[-4:]) == b"PARE":
        raise ArrowInvalid(f"{start}The file is encrypted, which is not read "
                           "here")
    if bytes(data[-4:]) != b"PAR1":
        raise ArrowInvalid(start + _SHORT)
    size = int.from_bytes(data[-8:-4], "little")
    if size > len(data) - 8:
        raise ArrowInvalid(
            f"{start}Parquet file size is {len(data)} bytes, smaller than the "
            f"size reported by footer's ({size}bytes)")
    try:
        found = _thrift.Reader(bytes(data[-8 - size:-8])).fields()
        if not isinstance(found[2], list) or found[3] < 0:
            raise ValueError("a broken footer")
        return found, size
    except (ValueError, LookupError, TypeError, struct.error) as error:
        raise ArrowInvalid(f"{start}Couldn't deserialize thrift: {error}"
                           ) from None


class Statistics:
    """Of one column in one row group."""

    def __init__(self, facts: dict[int, Any], node: Any, count: int) -> None:
        old = _values.PHYSICAL[node.physical] not in ("BYTE_ARRAY",)
        low = facts.get(6, facts.get(2) if old else None)
        high = facts.get(5, facts.get(1) if old else None)
        self.has_min_max = low is not None and high is not None
        self.min = _value(low, node) if self.has_min_max else None
        self.max = _value(high, node) if self.has_min_max else None
        self.null_count = facts.get(3)
        self.has_null_count = self.null_count is not None
        self.distinct_count = facts.get(4)
        self.has_distinct_count = self.distinct_count is not None
        self.num_values = count - (self.null_count or 0)
        self.physical_type = _values.PHYSICAL[node.physical]

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in (
            "has_min_max", "min", "max", "null_count", "distinct_count",
            "num_values", "physical_type")}

    def __repr__(self) -> str:
        lines = "".join(f"\n  {name}: {value}" for name, value in
                        self.to_dict().items())
        return (f"<pyarrow._parquet.Statistics object at {hex(id(self))}>"
                f"{lines}")


def _value(raw: bytes, node: Any) -> Any:
    from ._read import stored
    kind = node.type
    if node.physical == _values.BOOLEAN:
        return raw != b"\0"
    given = _values.Texts(raw, [0], [len(raw)]) if node.physical in (
        _values.BYTES, _values.FIXED, _values.INT96) else np.frombuffer(
        raw, _values.NUMPY[node.physical], 1)
    return make(kind, stored(kind, node, given)).to_pylist()[0]


class ColumnChunkMetaData:
    """One column of one row group."""

    def __init__(self, chunk: dict[int, Any], node: Any) -> None:
        facts = chunk.get(3)
        if not isinstance(facts, dict):
            raise ValueError("a column chunk without metadata")
        self._facts, self._node = facts, node
        self.file_offset = chunk.get(2, 0)
        self.file_path = (chunk.get(1) or b"").decode()
        self.physical_type = _values.PHYSICAL[facts[1]]
        self.num_values: int = facts[5]
        self.path_in_schema = ".".join(one.decode() for one in facts[3])
        self.compression = _codecs.NAMES[facts[4]].replace("LZ4_RAW", "LZ4")
        self.encodings = tuple(_values.ENCODINGS[one] for one in facts[2])
        self.data_page_offset: int = facts[9]
        self.dictionary_page_offset = facts.get(11)
        self.has_dictionary_page = self.dictionary_page_offset is not None
        self.has_index_page, self.index_page_offset = False, None
        self.total_uncompressed_size: int = facts[6]
        self.total_compressed_size: int = facts[7]
        self.is_stats_set = bool(facts.get(12))

    @property
    def statistics(self) -> Any:
        return Statistics(self._facts[12], self._node, self.num_values) \
            if self.is_stats_set else None

    _SHOWN = ("file_offset", "file_path", "physical_type", "num_values",
              "path_in_schema", "is_stats_set", "statistics", "compression",
              "encodings", "has_dictionary_page", "dictionary_page_offset",
              "data_page_offset", "total_compressed_size",
              "total_uncompressed_size")

    def to_dict(self) -> dict[str, Any]:
        found = {name: getattr(self, name) for name in self._SHOWN}
        if found["statistics"] is not None:
            found["statistics"] = found["statistics"].to_dict()
        return found

    def __repr__(self) -> str:
        lines = ""
        for name in self._SHOWN:
            value = getattr(self, name)
            if name == "statistics":
                value = "\n    " + repr(value).replace("\n", "\n    ")
                lines += f"\n  {name}:{value}"
            else:
                lines += f"\n  {name}: {value}"
        return ("<pyarrow._parquet.ColumnChunkMetaData object at "
                f"{hex(id(self))}>{lines}")


class RowGroupMetaData:
    """One group of rows."""

    def __init__(self, group: dict[int, Any], leaves: list[Any]) -> None:
        chunks = group[1]
        if len(chunks) != len(leaves):
            raise ValueError("a row group with other columns")
        self._columns = [ColumnChunkMetaData(one, leaf)
                         for one, leaf in zip(chunks, leaves)]
        self.num_columns, self.num_rows = len(chunks), group[3]
        self.total_byte_size: int = group[2]
        if self.num_rows < 0:
            raise ValueError("a negative number of rows")

    def column(self, i: int) -> ColumnChunkMetaData:
        if not 0 <= i < self.num_columns:
            raise IndexError(f"{i} out of bounds")
        return self._columns[i]

    def to_dict(self) -> dict[str, Any]:
        return {"num_columns": self.num_columns, "num_rows": self.num_rows,
                "total_byte_size": self.total_byte_size,
                "columns": [one.to_dict() for one in self._columns]}

    def __repr__(self) -> str:
        return (f"<pyarrow._parquet.RowGroupMetaData object at "
                f"{hex(id(self))}>\n  num_columns: {self.num_columns}\n"
                f"  num_rows: {self.num_rows}\n  total_byte_size: "
                f"{self.total_byte_size}\n  sorting_columns: ()")


class FileMetaData:
    """The whole footer."""

    @guarded
    def __init__(self, found: dict[int, Any], size: int) -> None:
        self._root = _tree.parse(found[2])
        fields = [_tree.field_of(one) for one in self._root.children]
        self._leaves = list(self._root.leaves())
        self.metadata = {one[1]: one.get(2, b"") for one in
                         found.get(5) or []} or None
        self._arrow = Schema(fields, self.metadata)
        self.num_rows: int = found[3]
        self._groups = [RowGroupMetaData(one, self._leaves)
                        for one in found[4]]
        if sum(one.num_rows for one in self._groups) != self.num_rows:
            raise ValueError("another number of rows in the groups")
        self.created_by = (found.get(6) or b"").decode()
        self.format_version = {1: "1.0", 2: "2.6"}.get(found[1], "2.6")
        self.serialized_size = size

    num_row_groups = property(lambda self: len(self._groups))
    num_columns = property(lambda self: len(self._leaves))
    schema = property(lambda self: ParquetSchema(self))

    def row_group(self, i: int) -> RowGroupMetaData:
        if not 0 <= i < len(self._groups):
            raise IndexError(f"{i} out of bounds")
        return self._groups[i]

    _SHOWN = ("created_by", "num_columns", "num_rows", "num_row_groups",
              "format_version", "serialized_size")

    def to_dict(self) -> dict[str, Any]:
        found = {name: getattr(self, name) for name in self._SHOWN}
        found["row_groups"] = [one.to_dict() for one in self._groups]
        return found

    def __repr__(self) -> str:
        lines = "".join(f"\n  {name}: {getattr(self, name)}"
                        for name in self._SHOWN)
        return (f"<pyarrow._parquet.FileMetaData object at {hex(id(self))}>"
                f"{lines}")


class ColumnSchema:
    """A leaf of a file's schema."""

    def __init__(self, node: Any) -> None:
        self.name, self.path = node.name, ".".join(node.path)
        self.max_definition_level = node.max_def
        self.max_repetition_level = node.max_rep
        self.physical_type = _values.PHYSICAL[node.physical]
        self.converted_type = "NONE" if node.converted is None else \
            _tree.CONVERTED[node.converted]
        self.length = node.width or None
        self.logical_type = _tree._words(node).strip(" ()") or "None"

    def __repr__(self) -> str:
        return (f"<ParquetColumnSchema>\n  name: {self.name}\n"
                f"  path: {self.path}\n  max_definition_level: "
                f"{self.max_definition_level}\n  max_repetition_level: "
                f"{self.max_repetition_level}\n  physical_type: "
                f"{self.physical_type}\n  logical_type: {self.logical_type}\n"
                f"  converted_type (legacy): {self.converted_type}")


class ParquetSchema:
    """The columns as the file has them."""

    def __init__(self, facts: FileMetaData) -> None:
        self._facts = facts
        self.names = [one.name for one in facts._leaves]

    def __len__(self) -> int:
        return len(self.names)

    def column(self, i: int) -> ColumnSchema:
        return ColumnSchema(self._facts._leaves[i])

    def __getitem__(self, i: int) -> ColumnSchema:
        return self.column(i)

    def __iter__(self) -> Any:
        return map(ColumnSchema, self._facts._leaves)

    def to_arrow_schema(self) -> Schema:
        from ._types import restored
        return restored(self._facts._arrow)

    def equals(self, other: "ParquetSchema") -> bool:
        return repr(self).split("\n", 1)[1] == repr(other).split("\n", 1)[1]

    def __repr__(self) -> str:
        root = self._facts._root
        return (f"<pyarrow._parquet.ParquetSchema object at {hex(id(self))}>\n"
                f"required group field_id=-1 {root.name} {{\n" +
                "".join(map(_tree.printed, root.children)) + "}\n")


