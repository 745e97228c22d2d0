"""Files, sources and directories: what parquet's functions are given."""

from __future__ import annotations

import io
import os
from typing import Any

from .. import _types as t
from .._array import Array, of_dictionary
from .._build import array
from .._chunks import ChunkedArray, chunked, empty
from .._errors import ArrowInvalid, lacks
from .._schema import Schema
from .._table import RecordBatch, Table
from . import _facts, _nested, _read, _types


class _Bytes:
    """The bytes of a file, of which parts are read when they are asked for."""

    def __init__(self, file: Any, own: bool) -> None:
        self.file, self.own = file, own
        self.size: int = file.seek(0, os.SEEK_END)

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, part: slice) -> bytes:
        start, stop, _ = part.indices(self.size)
        self.file.seek(start)
        found = self.file.read(max(stop - start, 0))
        if len(found) != max(stop - start, 0):
            raise ValueError("the file became shorter")
        return found

    def close(self) -> None:
        if self.own:
            self.file.close()


def bytes_of(source: Any) -> _Bytes:
    """The bytes of a path, a file or bytes."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _Bytes(io.BytesIO(source), True)
    if not hasattr(source, "read"):
        return _Bytes(open(os.fspath(source), "rb"), True)
    if not hasattr(source, "seekable") or not source.seekable():
        return _Bytes(io.BytesIO(source.read()), True)
    return _Bytes(source, False)


class ParquetFile:
    """One file, of which parts may be read."""

    def __init__(self, source: Any, *, metadata: Any = None,
                 common_metadata: Any = None, read_dictionary: Any = None,
                 memory_map: bool = False, buffer_size: int = 0,
                 pre_buffer: bool = False, coerce_int96_timestamp_unit: Any
                 = None, thrift_string_size_limit: Any = None,
                 thrift_container_size_limit: Any = None,
                 start: str = "") -> None:
        if coerce_int96_timestamp_unit not in (None, "ns"):
            raise lacks("coerce_int96_timestamp_unit="
                        f"{coerce_int96_timestamp_unit!r}")
        self._data = bytes_of(source)
        self.metadata = _facts.FileMetaData(*_facts.footer(self._data, start))
        self.schema = self.metadata.schema
        self.schema_arrow = _types.restored(self.metadata._arrow)
        for name in read_dictionary or ():
            i = self.schema_arrow._index(name)
            kind = self.schema_arrow[i].type
            if kind._kind != "dictionary":
                self.schema_arrow = self.schema_arrow.set(
                    i, self.schema_arrow[i].with_type(
                        t.dictionary(t.int32(), kind)))

    num_row_groups = property(lambda self: self.metadata.num_row_groups)

    def close(self, force: bool = False) -> None:
        self._data.close()

    def __enter__(self) -> "ParquetFile":
        return self

    def __exit__(self, *_error: Any) -> None:
        self.close()

    def _chosen(self, columns: Any, use_pandas_metadata: bool) -> list[int]:
        """The numbers of columns; those of no such name are left out."""
        names = self.schema_arrow.names
        if columns is None:
            return list(range(len(names)))
        wanted = []
        for one in columns:
            if one in names:
                wanted.append(names.index(one))
            elif "." in one and one.split(".")[0] in names:
                raise lacks(f"Reading a part of a column ({one})",
                            "the whole column is read by its name")
        if use_pandas_metadata:
            facts = self.schema_arrow.pandas_metadata or {}
            wanted += [names.index(one) for one in
                       facts.get("index_columns", [])
                       if isinstance(one, str) and one in names]
        return list(dict.fromkeys(wanted))

    @_facts.guarded
    def _column(self, group: Any, i: int) -> Array:
        node = self.metadata._root.children[i]
        field = self.schema_arrow[i]
        leaves = {}
        for chunk, leaf in zip(group._columns, self.metadata._leaves):
            if leaf.path[0] == node.name and leaf in list(node.leaves()):
                leaves[leaf.path] = _read.Column(self._data, chunk, leaf)
        if node.children or node.max_rep:
            found = _nested.assemble(node, self.metadata._arrow[i].type,
                                     leaves)
        else:
            found = _read.flat(
                next(iter(leaves.values())),
                field.type if field.type._kind == "dictionary" else None)
        if len(found) != group.num_rows:
            raise ValueError("a column of another number of rows")
        return _retyped(found, field.type)

    def read_row_groups(self, row_groups: Any, columns: Any = None,
                        use_threads: bool = True,
                        use_pandas_metadata: bool = False) -> Table:
        groups = [self.metadata.row_group(i) for i in row_groups]
        chosen = self._chosen(columns, use_pandas_metadata)
        made = []
        for i in chosen:
            kind = self.schema_arrow[i].type
            chunks = [self._column(one, i) for one in groups]
            made.append(ChunkedArray(chunks or [empty(kind)], kind))
        fields = [self.schema_arrow[i] for i in chosen]
        found = Table(Schema(fields, self.schema_arrow.metadata), made)
        found._empty_rows = sum(one.num_rows for one in groups)
        return found

    def read_row_group(self, i: int, columns: Any = None,
                       use_threads: bool = True,
                       use_pandas_metadata: bool = False) -> Table:
        return self.read_row_groups([i], columns, use_threads,
                                    use_pandas_metadata)

    def read(self, columns: Any = None, use_threads: bool = True,
             use_pandas_metadata: bool = False) -> Table:
        return self.read_row_groups(range(self.num_row_groups), columns,
                                    use_threads, use_pandas_metadata)

    def iter_batches(self, batch_size: int = 65536, row_groups: Any = None,
                     columns: Any = None, use_threads: bool = True,
                     use_pandas_metadata: bool = False) -> Any:
        groups = range(self.num_row_groups) if row_groups is None \
            else row_groups
        left: Any = None
        for i in groups:
            part = self.read_row_group(i, columns, use_threads,
                                       use_pandas_metadata)
            if left is not None and left.num_rows:
                from .._table import concat_tables
                part = concat_tables([left, part]).combine_chunks()
            full = part.num_rows - part.num_rows % batch_size
            for at in range(0, full, batch_size):
                yield _batch(part.slice(at, batch_size))
            left = part.slice(full)
        if left is not None and left.num_rows:
            yield _batch(left)


def _batch(part: Table) -> RecordBatch:
    return RecordBatch(part.schema, [chunked(one.combine_chunks())
                                     for one in part._columns])


def _retyped(found: Array, kind: Any) -> Array:
    """FOUND with the type that the metadata told."""
    if found.type == kind:
        return found
    if kind._kind == "dictionary":
        if found.type._kind != "dictionary":
            found = found.dictionary_encode()
        return of_dictionary(kind, found._values.astype(kind._np),
                             _retyped(found.dictionary, kind.value_type),
                             found._valid)
    if kind._kind == "timestamp" and found.type._kind == "timestamp" and \
            kind.unit == found.type.unit:
        from .._array import make
        return make(kind, found._values, found._valid)
    return found.cast(kind)


# -- directories

def _files(folder: str) -> list[str]:
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders
                            if not one.startswith((".", "_")))
        found += [os.path.join(place, one) for one in names
                  if not one.startswith((".", "_"))]
    return sorted(found)


def _keys(folder: str, path: str) -> dict[str, Any]:
    from urllib.parse import unquote
    parts = os.path.relpath(os.path.dirname(path), folder).split(os.sep)
    found = dict(one.split("=", 1) for one in parts if "=" in one)
    return {name: None if value == "__HIVE_DEFAULT_PARTITION__" else
            unquote(value) for name, value in found.items()}


def read_folder(folder: str, columns: Any, use_pandas_metadata: bool,
                partitioning: Any) -> Table:
    """The files of a directory, with columns of the names of directories
    (key=value)."""
    from .._table import concat_tables
    if partitioning not in ("hive", None):
        raise lacks(f"partitioning={partitioning!r}")
    paths = _files(folder)
    if not paths:
        raise FileNotFoundError(f"No files in {folder}")
    tables = [_one(path, columns, use_pandas_metadata) for path in paths]
    keys = [_keys(folder, path) if partitioning else {} for path in paths]
    first = tables[0].schema
    whole = concat_tables([one.cast(first).replace_schema_metadata(
        first.metadata) for one in tables])
    for name in keys[0]:
        if columns is not None and name not in columns or \
                name in whole.column_names:
            continue
        values = [one.get(name) for one in keys]
        rows = [value for value, part in zip(values, tables)
                for _ in range(part._empty_rows)]
        whole = whole.append_column(name, _partition(values, rows))
    return whole


def _one(path: str, columns: Any, use_pandas_metadata: bool) -> Table:
    with ParquetFile(path, start=f"Could not open Parquet input source "
                     f"'{path}': ") as file:
        return file.read(columns, use_pandas_metadata=use_pandas_metadata)


def _partition(values: list[Any], rows: list[Any]) -> Any:
    """Numbers where all of a key's values are some."""
    try:
        known = {one: None if one is None else int(one) for one in values}
        kind = t.int32()
    except ValueError:
        known, kind = {one: one for one in values}, t.string()
    kept = [one for one in dict.fromkeys(known.values()) if one is not None]
    try:
        plain = array([known[one] for one in rows], kind)
        own = array(kept, kind)
    except ArrowInvalid:
        kind = t.int64()
        plain, own = array([known[one] for one in rows], kind), \
            array(kept, kind)
    place = {one: i for i, one in enumerate(kept)}
    codes = array([None if one is None else place[known[one]]
                   for one in rows], t.int32())
    return of_dictionary(t.dictionary(t.int32(), plain.type), codes._values,
                         own, codes._valid)
