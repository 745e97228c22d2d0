"""pyarrow.parquet: Parquet files, read and written with numpy."""

from __future__ import annotations

import os
import uuid
from typing import Any

from .. import _types as t
from .._errors import ArrowInvalid, lacks, only
from .._schema import Schema
from .._table import Table
from . import _facts, _files, _types
from ._facts import (ColumnChunkMetaData, ColumnSchema, FileMetaData,
                     ParquetSchema, RowGroupMetaData, Statistics)
from ._files import ParquetFile
from ._write import FileWriter, Options

__all__ = ["ParquetFile", "ParquetWriter", "ParquetDataset", "read_table",
           "read_pandas", "read_schema", "read_metadata", "write_table",
           "write_to_dataset", "FileMetaData", "ParquetSchema",
           "ColumnChunkMetaData", "ColumnSchema", "RowGroupMetaData",
           "Statistics"]
_IDLE = {"use_threads": ..., "memory_map": ..., "buffer_size": ...,
         "pre_buffer": ..., "filesystem": None, "ignore_prefixes": None,
         "coerce_int96_timestamp_unit": None, "decryption_properties": None,
         "thrift_string_size_limit": ..., "thrift_container_size_limit": ...,
         "use_legacy_dataset": ..., "page_checksum_verification": ...,
         "schema": None}


def read_table(source: Any, *, columns: Any = None,
               use_pandas_metadata: bool = False, filters: Any = None,
               partitioning: Any = "hive", read_dictionary: Any = None,
               **options: Any) -> Table:
    """A file, or a directory of some, as a table."""
    only("read_table()", options, _IDLE)
    if isinstance(columns, str):
        raise TypeError("columns is a list of names, not one name")
    wanted = columns
    if filters is not None and columns is not None:
        wanted = [*columns, *(one for one in _names(filters)
                              if one not in columns)]
    found = _read(source, wanted, use_pandas_metadata, partitioning,
                  read_dictionary)
    if filters is not None:
        from ..compute import from_filters
        found = found.filter(from_filters(filters))
        if wanted is not columns and columns is not None:
            gone = [one for one in wanted if one not in columns]
            kept = (found.schema.pandas_metadata or {}).get(
                "index_columns", []) if use_pandas_metadata else []
            found = found.drop_columns([one for one in gone
                                        if one not in kept])
    return found


def _names(filters: Any) -> list[str]:
    from ..compute import from_filters
    return from_filters(filters)._names


def _read(source: Any, columns: Any, use_pandas_metadata: bool,
          partitioning: Any, read_dictionary: Any) -> Table:
    is_path = isinstance(source, (str, os.PathLike))
    if isinstance(source, (list, tuple)):
        from .._table import concat_tables
        return concat_tables([_read(one, columns, use_pandas_metadata,
                                    partitioning, read_dictionary)
                              for one in source])
    if is_path and os.path.isdir(source):
        return _files.read_folder(os.fspath(source), columns,
                                  use_pandas_metadata, partitioning)
    name = os.fspath(source) if is_path else "<Buffer>"
    if is_path and not os.path.exists(source):
        raise FileNotFoundError(2, "No such file or directory", name)
    with ParquetFile(source, read_dictionary=read_dictionary, start=(
            f"Could not open Parquet input source '{name}': ")) as file:
        schema = file.schema_arrow
        for one in columns or ():
            if one not in schema.names and "." not in one:
                raise ArrowInvalid(
                    f"No match for FieldRef.Name({one}) in\n"
                    f"{schema.to_string(show_schema_metadata=False)}")
        return file.read(columns, use_pandas_metadata=use_pandas_metadata)


def read_pandas(source: Any, columns: Any = None, **options: Any) -> Table:
    return read_table(source, columns=columns, use_pandas_metadata=True,
                      **options)


def read_metadata(where: Any, memory_map: bool = False,
                  decryption_properties: Any = None,
                  filesystem: Any = None) -> FileMetaData:
    data = _files.bytes_of(where)
    try:
        return FileMetaData(*_facts.footer(data))
    finally:
        data.close()


def read_schema(where: Any, memory_map: bool = False,
                decryption_properties: Any = None,
                filesystem: Any = None) -> Schema:
    return _types.restored(read_metadata(where)._arrow)


# -- writing

_KNOWN = {"filesystem": None, "write_batch_size": ...,
          "dictionary_pagesize_limit": ..., "data_page_size": ...,
          "use_byte_stream_split": ..., "store_schema": ...,
          "use_deprecated_int96_timestamps": None, "flavor": None,
          "encryption_properties": None, "column_encoding": None,
          "use_compliant_nested_type": True, "write_page_index": ...,
          "write_page_checksum": ..., "sorting_columns": ...,
          "store_decimal_as_integer": False, "memory_limit": None,
          "use_content_defined_chunking": ...}


class ParquetWriter:
    """Writes tables of one schema into a file."""

    def __init__(self, where: Any, schema: Any, filesystem: Any = None,
                 flavor: Any = None, version: str = "2.6",
                 use_dictionary: Any = True, compression: Any = "snappy",
                 write_statistics: Any = True, compression_level: Any = None,
                 data_page_version: str = "1.0", coerce_timestamps: Any
                 = None, allow_truncated_timestamps: bool = False,
                 **options: Any) -> None:
        only("ParquetWriter()", {"filesystem": filesystem, "flavor": flavor,
                                 **options}, _KNOWN)
        if version not in ("1.0", "2.4", "2.6"):
            raise ValueError(f"Unsupported Parquet format version: {version}")
        if data_page_version not in ("1.0", "2.0"):
            raise ValueError("Unsupported Parquet data page version: "
                             f"{data_page_version}")
        self.schema, self._given = schema, schema
        self._truncate = allow_truncated_timestamps
        self._unit = coerce_timestamps or ("us" if version != "2.6" else None)
        self._forced = coerce_timestamps is not None
        target = self._coerced(schema)
        self.is_open = True
        chosen = Options(compression, compression_level, use_dictionary,
                         write_statistics, version, data_page_version,
                         options.get("use_byte_stream_split", False))
        _check(chosen)
        self._own = not hasattr(where, "write")
        self.file_handle = open(os.fspath(where), "wb") if self._own else where
        self._writer = FileWriter(_Counted(self.file_handle), target, chosen)

    def _coerced(self, schema: Schema) -> Schema:
        """SCHEMA with the unit of times that was asked for."""
        fields = []
        for one in schema:
            kind = one.type
            if kind._kind == "timestamp" and self._unit and (
                    self._forced or kind.unit == "ns"):
                one = one.with_type(t.timestamp(self._unit, kind.tz))
            fields.append(one)
        return Schema(fields, schema.metadata)

    def write(self, table: Any, row_group_size: Any = None) -> None:
        self.write_table(table, row_group_size)

    def write_batch(self, batch: Any, row_group_size: Any = None) -> None:
        self.write_table(batch, row_group_size)

    def write_table(self, table: Any, row_group_size: Any = None) -> None:
        if table.schema != self._given:
            raise ValueError(
                "Table schema does not match schema used to create file: \n"
                f"table:\n{table.schema!s} vs. \nfile:\n{self._given!s}")
        columns = [one.cast(field.type, safe=not self._truncate)
                   for one, field in zip(table._columns, self._writer.schema)]
        size = row_group_size or 1 << 20
        for at in range(0, max(table.num_rows, 1), size):
            rows = min(size, table.num_rows - at)
            self._writer.write([one.slice(at, size).combine_chunks()
                                for one in columns], rows)

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            self._writer.close()
            if self._own:
                self.file_handle.close()

    def __enter__(self) -> "ParquetWriter":
        return self

    def __exit__(self, *_error: Any) -> None:
        self.close()


def _check(chosen: Options) -> None:
    """Unknown codecs are told before a file is made."""
    from ._codecs import packer
    given = chosen.compression
    for one in given.values() if isinstance(given, dict) else [given]:
        packer(one, None)


class _Counted:
    """A file, of which the number of written bytes is known."""

    def __init__(self, file: Any) -> None:
        self.file, self.at = file, 0

    def write(self, data: bytes) -> None:
        self.file.write(data)
        self.at += len(data)

    def tell(self) -> int:
        return self.at


def write_table(table: Any, where: Any, row_group_size: Any = None,
                **options: Any) -> None:
    """Write a table into a file."""
    if not isinstance(table, Table):
        raise TypeError(f"expected a pyarrow.Table, got {type(table)}")
    if row_group_size is not None and row_group_size < 1:
        raise ValueError("row_group_size must be positive")
    with ParquetWriter(where, table.schema, **options) as writer:
        writer.write_table(table, row_group_size)


def write_to_dataset(table: Any, root_path: Any, partition_cols: Any = None,
                     basename_template: Any = None,
                     existing_data_behavior: str = "overwrite_or_ignore",
                     row_group_size: Any = None, filesystem: Any = None,
                     **options: Any) -> None:
    """Write a table into directories, named by the values of columns."""
    from urllib.parse import quote
    if existing_data_behavior != "overwrite_or_ignore":
        raise lacks(f"existing_data_behavior={existing_data_behavior!r}")
    template = basename_template or f"{uuid.uuid4().hex}-{{i}}.parquet"
    parts: dict[Any, list[int]] = {}
    names = list(partition_cols or ())
    for i, key in enumerate(zip(*(table.column(one).to_pylist()
                                  for one in names))):
        parts.setdefault(key, []).append(i)
    rest = table.drop_columns(names) if names else table
    for key, rows in parts.items() if names else [((), None)]:
        folder = os.path.join(os.fspath(root_path), *(
            f"{name}=" + ("__HIVE_DEFAULT_PARTITION__" if value is None
                          else quote(str(value), safe=" "))
            for name, value in zip(names, key)))
        os.makedirs(folder, exist_ok=True)
        write_table(rest if rows is None else rest.take(rows),
                    os.path.join(folder, template.format(i=0)),
                    row_group_size, **options)


class ParquetDataset:
    """A file or a directory, read as a whole."""

    def __init__(self, path_or_paths: Any, filesystem: Any = None, *,
                 filters: Any = None, partitioning: Any = "hive") -> None:
        self._source, self._filters = path_or_paths, filters
        self._partitioning = partitioning
        self.files = _files._files(path_or_paths) if isinstance(
            path_or_paths, str) and os.path.isdir(path_or_paths) else [
            path_or_paths]

    @property
    def schema(self) -> Schema:
        return self.read().schema

    def read(self, columns: Any = None, use_threads: bool = True,
             use_pandas_metadata: bool = False) -> Table:
        return read_table(self._source, columns=columns, filters=self._filters,
                          partitioning=self._partitioning,
                          use_pandas_metadata=use_pandas_metadata)

    def read_pandas(self, **options: Any) -> Table:
        return self.read(use_pandas_metadata=True, **options)


def __getattr__(name: str) -> Any:
    raise AttributeError(f"pyarrow.parquet.{name} is not here")
