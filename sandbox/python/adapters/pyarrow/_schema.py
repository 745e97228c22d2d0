"""Schemas of tables, and how they are printed."""

from __future__ import annotations

from typing import Any

from ._types import DataType, Field, _as_bytes, _as_field


class Schema:
    """The fields of a table, and its metadata (bytes to bytes)."""

    def __init__(self, fields: list[Field], metadata: Any = None) -> None:
        self._fields, self.metadata = fields, _as_bytes(metadata)

    names = property(lambda self: [one.name for one in self._fields])
    types = property(lambda self: [one.type for one in self._fields])

    def __len__(self) -> int:
        return len(self._fields)

    def __iter__(self) -> Any:
        return iter(self._fields)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Schema) and self.equals(other)

    def __hash__(self) -> int:
        return hash(tuple(self._fields))

    def equals(self, other: "Schema", check_metadata: bool = False) -> bool:
        return self._fields == other._fields and (
            not check_metadata or self.metadata == other.metadata)

    def _index(self, i: Any) -> int:
        if isinstance(i, str):
            found = self.get_all_field_indices(i)
            if len(found) != 1:
                raise KeyError(f"Column {i} does not exist in schema")
            return found[0]
        if not -len(self) <= i < len(self):
            raise IndexError(f"index out of bounds: {i}")
        return i % len(self)

    def field(self, i: Any) -> Field:
        return self._fields[self._index(i)]

    __getitem__ = field

    def get_field_index(self, name: str) -> int:
        found = self.get_all_field_indices(name)
        return found[0] if len(found) == 1 else -1

    def get_all_field_indices(self, name: str) -> list[int]:
        return [i for i, one in enumerate(self._fields) if one.name == name]

    def _with(self, fields: list[Field]) -> "Schema":
        return Schema(fields, self.metadata)

    def append(self, field: Any) -> "Schema":
        return self._with([*self._fields, _as_field(field)])

    def insert(self, i: int, field: Any) -> "Schema":
        return self._with([*self._fields[:i], _as_field(field),
                           *self._fields[i:]])

    def set(self, i: int, field: Any) -> "Schema":
        fields = list(self._fields)
        fields[i] = _as_field(field)
        return self._with(fields)

    def remove(self, i: int) -> "Schema":
        return self._with(self._fields[:i] + self._fields[i + 1:])

    def with_metadata(self, metadata: Any) -> "Schema":
        return Schema(self._fields, metadata)

    def remove_metadata(self) -> "Schema":
        return Schema(self._fields)

    def empty_table(self) -> Any:
        from ._table import Table
        return Table.from_pylist([], schema=self)

    @property
    def pandas_metadata(self) -> Any:
        import json
        text = (self.metadata or {}).get(b"pandas")
        return json.loads(text) if text else None

    @classmethod
    def from_pandas(cls, df: Any, preserve_index: Any = None) -> "Schema":
        from ._table import Table
        return Table.from_pandas(df, preserve_index=preserve_index).schema

    def to_string(self, truncate_metadata: bool = True,
                  show_field_metadata: bool = True,
                  show_schema_metadata: bool = True) -> str:
        lines = []
        for one in self._fields:
            lines.append(one._text())
            lines += _child_lines(one.type, 2)
            if one.metadata and show_field_metadata:
                lines.append("  -- field metadata --")
                lines += _metadata_lines(one.metadata, truncate_metadata, 2)
        if self.metadata and show_schema_metadata:
            lines.append("-- schema metadata --")
            lines += _metadata_lines(self.metadata, truncate_metadata, 0)
        return "\n".join(lines)

    __str__ = __repr__ = lambda self: self.to_string()


def _child_lines(kind: DataType, indent: int) -> list[str]:
    lines = []
    for i, one in enumerate(kind._children()):
        lines.append(f"{' ' * indent}child {i}, {one._text()}")
        lines += _child_lines(one.type, indent + 4)
    return lines


def _metadata_lines(metadata: dict[bytes, bytes], cut: bool,
                    indent: int) -> list[str]:
    lines = []
    for key, value in metadata.items():
        name, text = key.decode(), value.decode("utf-8", "replace")
        room = max(10, 70 - len(name) - indent)
        rest = ""
        if cut and len(text) > room:
            rest, text = f" + {len(text) - room}", text[:room]
        lines.append(" " * indent + f"{name}: '{text}'{rest}")
    return lines


def schema(fields: Any, metadata: Any = None) -> Schema:
    """pa.schema()"""
    if isinstance(fields, Schema):
        return fields if metadata is None else fields.with_metadata(metadata)
    if isinstance(fields, dict):
        fields = fields.items()
    return Schema([_as_field(one) for one in fields], metadata)
