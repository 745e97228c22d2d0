"""Tables and record batches."""

from __future__ import annotations

from typing import Any, Iterator

import numpy as np

from . import _types as t
from ._array import Array, kept, positions
from ._build import array
from ._chunks import ChunkedArray, chunked, chunked_array, empty
from ._errors import ArrowInvalid, lacks
from ._schema import Schema, schema as as_schema


class Table:
    """Columns of the same length."""

    def __init__(self, schema: Any = None, columns: Any = None) -> None:
        if columns is None:
            raise TypeError(f"Do not call {type(self).__name__}'s constructor "
                            "directly, use one of the "
                            f"`{type(self).__name__}.from_*` functions "
                            "instead.")
        self.schema: Schema = schema
        self._columns: list[ChunkedArray] = columns
        sizes = [len(one) for one in columns]
        for i, size in enumerate(sizes):
            if size != sizes[0]:
                raise ArrowInvalid(
                    f"Column {i} named {schema.names[i]} expected length "
                    f"{sizes[0]} but got length {size}")

    _empty_rows = 0         # rows of a table without columns

    # how it is made

    @classmethod
    def from_arrays(cls, arrays: Any, names: Any = None, schema: Any = None,
                    metadata: Any = None) -> "Table":
        arrays = list(arrays)
        if schema is None:
            if names is None:
                raise ValueError("Must pass names or schema when constructing "
                                 "Table or RecordBatch.")
            columns = [chunked(one) for one in arrays]
            if len(list(names)) != len(columns):
                raise ValueError(f"Length of names ({len(list(names))}) does "
                                 f"not match length of arrays "
                                 f"({len(columns)})")
            fields = [name if isinstance(name, t.Field) else
                      t.field(name, one.type)
                      for name, one in zip(names, columns)]
            return cls(Schema(fields, metadata), columns)
        if len(schema) != len(arrays):
            raise ValueError("Schema and number of arrays unequal")
        columns = [chunked(one, field.type)
                   for field, one in zip(schema, arrays)]
        return cls(schema, columns)

    @classmethod
    def from_pydict(cls, mapping: Any, schema: Any = None,
                    metadata: Any = None) -> "Table":
        if schema is None:
            return cls.from_arrays(list(mapping.values()), list(mapping),
                                   metadata=metadata)
        missing = [name for name in schema.names if name not in mapping]
        if missing:
            raise KeyError("The passed mapping doesn't contain the following "
                           f"field(s) of the schema: {', '.join(missing)}")
        return cls.from_arrays([mapping[name] for name in schema.names],
                               schema=schema)

    @classmethod
    def from_pylist(cls, mapping: Any, schema: Any = None,
                    metadata: Any = None) -> "Table":
        names = schema.names if schema is not None else \
            list(mapping[0]) if mapping else []
        columns = [[row.get(name) for row in mapping] for name in names]
        return cls.from_arrays(columns, None if schema is not None else names,
                               schema, metadata)

    @classmethod
    def from_pandas(cls, df: Any, schema: Any = None,
                    preserve_index: Any = None, nthreads: Any = None,
                    columns: Any = None, safe: bool = True) -> "Table":
        from ._pandas import columns_of
        return cls(*columns_of(df, schema, preserve_index, columns, safe))

    @classmethod
    def from_batches(cls, batches: Any, schema: Any = None) -> "Table":
        batches = list(batches)
        if schema is None and not batches:
            raise ValueError("Must pass schema, or at least one RecordBatch")
        schema = schema if schema is not None else batches[0].schema
        columns = [ChunkedArray([one.column(i).combine_chunks()
                                 for one in batches] or [empty(field.type)],
                                field.type)
                   for i, field in enumerate(schema)]
        return Table(schema, columns)

    # what it holds

    num_columns = property(lambda self: len(self._columns))
    num_rows = property(lambda self: len(self._columns[0])
                        if self._columns else self._empty_rows)
    shape = property(lambda self: (self.num_rows, self.num_columns))
    column_names = property(lambda self: self.schema.names)
    columns = property(lambda self: list(self._columns))
    nbytes = property(lambda self: sum(one.nbytes for one in self._columns))

    def get_total_buffer_size(self) -> int:
        return self.nbytes

    def __len__(self) -> int:
        return self.num_rows

    def _index(self, i: Any) -> int:
        if not isinstance(i, (str, bytes)):
            return self.schema._index(i)
        found = self.schema.get_all_field_indices(i)
        if len(found) != 1:
            raise KeyError(f'Field "{i}" does not exist in schema' if not found
                           else f'Field "{i}" exists {len(found)} times in '
                           'schema')
        return found[0]

    def column(self, i: Any) -> Any:
        return self._columns[self._index(i)]

    def field(self, i: Any) -> t.Field:
        return self.schema[self._index(i)]

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self.take(np.arange(self.num_rows)[key])
        return self.column(key)

    def itercolumns(self) -> Iterator[Any]:
        return iter(self.columns)

    def __eq__(self, other: Any) -> Any:
        return self.equals(other) if isinstance(other, Table) else \
            NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def equals(self, other: "Table", check_metadata: bool = False) -> bool:
        return self.schema.equals(other.schema, check_metadata) and all(
            mine.combine_chunks().equals(its.combine_chunks())
            for mine, its in zip(self._columns, other._columns))

    # how it looks

    def to_string(self, *, show_metadata: bool = False,
                  preview_cols: int = 0) -> str:
        pieces = [f"pyarrow.{type(self).__name__}\n" + self.schema.to_string(
            show_field_metadata=show_metadata,
            show_schema_metadata=show_metadata)]
        if preview_cols:
            pieces.append("----")
            for name, one in list(zip(self.column_names,
                                      self.columns))[:preview_cols]:
                pieces.append(f"{name}: " + one.to_string(
                    **self._SHORT, skip_new_lines=True))
            if preview_cols < self.num_columns:
                pieces.append("...")
        return "\n".join(pieces)

    _SHORT: dict[str, int] = {"indent": 0}

    def __repr__(self) -> str:
        return self.to_string(preview_cols=10)

    __str__ = __repr__

    # other forms

    def to_pydict(self) -> dict[str, Any]:
        return {name: one.to_pylist()
                for name, one in zip(self.column_names, self._columns)}

    def to_pylist(self) -> list[dict[str, Any]]:
        names = self.column_names
        return [dict(zip(names, row)) for row in
                zip(*(one.to_pylist() for one in self._columns))]

    def to_pandas(self, **options: Any) -> Any:
        from ._pandas import frame_of
        return frame_of(self, **options)

    def __dataframe__(self, nan_as_null: bool = False,
                      allow_copy: bool = True) -> Any:
        return self.to_pandas().__dataframe__(nan_as_null, allow_copy)

    def to_batches(self, max_chunksize: Any = None) -> list[Any]:
        step = max_chunksize or max(self.num_rows, 1)
        return [RecordBatch(self.schema, self.slice(i, step)._columns)
                for i in range(0, self.num_rows, step)]

    def to_reader(self, max_chunksize: Any = None) -> Any:
        return iter(self.to_batches(max_chunksize))

    def to_struct_array(self, max_chunksize: Any = None) -> Any:
        kind = t.struct(list(self.schema))
        return chunked(array(self.to_pylist(), kind))

    # parts of it

    def _rows(self, columns: list[ChunkedArray]) -> Any:
        return type(self)(self.schema, columns)

    def slice(self, offset: int = 0, length: Any = None) -> Any:
        return self._rows([one.slice(offset, length)
                           for one in self._columns])

    def take(self, indices: Any) -> Any:
        where = positions(indices, self.num_rows)
        from ._array import take
        return self._rows([chunked(take(one.combine_chunks(), where))
                           for one in self._columns])

    def filter(self, mask: Any, null_selection_behavior: str = "drop") -> Any:
        from .compute import Expression
        if isinstance(mask, Expression):
            mask = mask._on(self)
        return self.take(kept(mask, self.num_rows, null_selection_behavior))

    def drop_null(self) -> Any:
        mask = np.ones(self.num_rows, bool)
        for one in self._columns:
            mask &= one.combine_chunks()._mask
        return self.filter(mask)

    def select(self, columns: Any) -> Any:
        where = [self._index(one) for one in columns]
        return type(self)(Schema([self.schema[i] for i in where],
                                 self.schema.metadata),
                          [self._columns[i] for i in where])

    def drop_columns(self, columns: Any) -> Any:
        gone = [columns] if isinstance(columns, str) else list(columns)
        for one in gone:
            if one not in self.column_names:
                raise KeyError(f"Column '{one}' not found")
        return self.select([i for i, name in enumerate(self.column_names)
                            if name not in gone])

    drop = drop_columns

    def remove_column(self, i: int) -> Any:
        return self.select([j for j in range(self.num_columns)
                            if j != self._index(i)])

    # columns set

    def _new(self, name: Any, column: Any) -> tuple[Any, Any]:
        kind = name.type if isinstance(name, t.Field) else None
        if isinstance(column, (list, tuple)) and column and hasattr(
                column[0], "__len__") and not isinstance(column[0], str):
            made = chunked_array(column, kind)  # each item is a chunk
        else:
            made = chunked(column, kind)
        if len(made) != self.num_rows and self._columns:
            raise ArrowInvalid("Added column's length must match table's "
                               f"length. Expected length {self.num_rows} but "
                               f"got length {len(made)}")
        return (name if isinstance(name, t.Field) else
                t.field(name, made.type)), made

    def append_column(self, field_: Any, column: Any) -> Any:
        return self.add_column(self.num_columns, field_, column)

    def add_column(self, i: int, field_: Any, column: Any) -> Any:
        field, made = self._new(field_, column)
        return type(self)(self.schema.insert(i, field),
                          [*self._columns[:i], made, *self._columns[i:]])

    def set_column(self, i: Any, field_: Any, column: Any) -> Any:
        field, made = self._new(field_, column)
        i = self._index(i)
        columns = list(self._columns)
        columns[i] = made
        return type(self)(self.schema.set(i, field), columns)

    def rename_columns(self, names: Any) -> Any:
        if isinstance(names, dict):
            for one in names:
                self._index(one)
            names = [names.get(one, one) for one in self.column_names]
        if len(names) != self.num_columns:
            raise ArrowInvalid(f"tried to rename a table of "
                               f"{self.num_columns} columns but only "
                               f"{len(names)} names were provided")
        return type(self)(Schema([field.with_name(name) for field, name in
                                  zip(self.schema, names)],
                                 self.schema.metadata), self._columns)

    def cast(self, target_schema: Any, safe: Any = None,
             options: Any = None) -> Any:
        target = as_schema(target_schema)
        if target.names != self.column_names:
            raise ValueError("Target schema's field names are not matching "
                             f"the table's field names: {self.column_names}, "
                             f"{target.names}")
        return type(self)(target, [one.cast(field.type, safe) for one, field
                                   in zip(self._columns, target)])

    def replace_schema_metadata(self, metadata: Any = None) -> Any:
        return type(self)(self.schema.with_metadata(metadata), self._columns)

    def combine_chunks(self, memory_pool: Any = None) -> Any:
        return self._rows([chunked(one.combine_chunks())
                           for one in self._columns])

    def unify_dictionaries(self, memory_pool: Any = None) -> Any:
        return self.combine_chunks()

    def flatten(self, memory_pool: Any = None) -> Any:
        fields, columns = [], []
        for field, one in zip(self.schema, self._columns):
            whole = one.combine_chunks()
            inner = field.type._children() if field.type._kind == "struct" \
                else [None]
            for child in inner:
                fields.append(field if child is None else child.with_name(
                    f"{field.name}.{child.name}"))
                columns.append(chunked(whole if child is None else
                                       whole.field(child.name)))
        return type(self)(Schema(fields, self.schema.metadata), columns)

    # rows in order, in groups, joined

    def sort_by(self, sorting: Any, **options: Any) -> Any:
        from .compute import sort_indices
        keys = [(sorting, "ascending")] if isinstance(sorting, str) \
            else sorting
        return self.take(sort_indices(self, sort_keys=keys, **options))

    def group_by(self, keys: Any, use_threads: bool = True) -> Any:
        from ._groups import TableGroupBy
        return TableGroupBy(self, keys)

    def join(self, right_table: "Table", keys: Any, right_keys: Any = None,
             join_type: str = "left outer", left_suffix: Any = None,
             right_suffix: Any = None, coalesce_keys: bool = True,
             use_threads: bool = True) -> Any:
        from ._groups import join
        if not coalesce_keys:
            raise lacks("join() with coalesce_keys=False")
        return join(self, right_table, keys, right_keys, join_type,
                    left_suffix, right_suffix)

    def validate(self, *, full: bool = False) -> None:
        """Nothing to do: tables are made whole."""

    def __getattr__(self, name: str) -> Any:
        if name in ("join_asof", "to_tensor", "serialize"):
            raise AttributeError(f"Table.{name} is not here")
        raise AttributeError(f"'pyarrow.lib.{type(self).__name__}' object has "
                             f"no attribute '{name}'")


class RecordBatch(Table):
    """A table of which each column is one array."""

    _SHORT = {"indent": 0, "window": 5}

    def column(self, i: Any) -> Array:
        return self._columns[self._index(i)].combine_chunks()

    columns = property(lambda self: [one.combine_chunks()
                                     for one in self._columns])

    def to_string(self, *, show_metadata: bool = False,
                  preview_cols: int = 0) -> str:
        text = super().to_string(show_metadata=show_metadata)
        if preview_cols:
            text += "\n----"
            for name, one in list(zip(self.column_names,
                                      self.columns))[:preview_cols]:
                text += f"\n{name}: " + one.to_string(
                    window=5, skip_new_lines=True)
            if preview_cols < self.num_columns:
                text += "\n..."
        return text

    __str__ = __repr__ = lambda self: self.to_string(preview_cols=10)


for _one in (Table, RecordBatch):
    _one.__module__ = "pyarrow.lib"


def table(data: Any, names: Any = None, schema: Any = None,
          metadata: Any = None, nthreads: Any = None) -> Table:
    """pa.table()"""
    if isinstance(data, (list, tuple)):
        return Table.from_arrays(data, names, schema, metadata)
    if names is not None and not hasattr(data, "iloc"):
        raise ValueError("The 'names' argument is not valid when passing a "
                         "dictionary")
    if isinstance(data, dict):
        return Table.from_pydict(data, schema, metadata)
    if hasattr(data, "iloc"):
        return Table.from_pandas(data, schema)
    raise TypeError("Expected pandas DataFrame, python dictionary or list of "
                    "arrays")


def record_batch(data: Any, names: Any = None, schema: Any = None,
                 metadata: Any = None) -> RecordBatch:
    """pa.record_batch()"""
    made = table(data, names, schema, metadata)
    return RecordBatch(made.schema, made._columns)


def concat_tables(tables: Any, memory_pool: Any = None,
                  promote_options: str = "none", promote: Any = None) -> Table:
    """pa.concat_tables()"""
    tables = list(tables)
    if not tables:
        raise ArrowInvalid("Must pass at least one table")
    if promote or promote_options == "default":
        tables = _promoted(tables)
    elif promote_options != "none":
        raise lacks(f"concat_tables() with promote_options="
                    f"{promote_options!r}")
    first = tables[0].schema
    for i, one in enumerate(tables):
        if one.schema != first:
            raise ArrowInvalid(f"Schema at index {i} was different: \n"
                               f"{first.to_string()}\nvs\n"
                               f"{one.schema.to_string()}")
    columns = [ChunkedArray([chunk for one in tables
                             for chunk in one._columns[i].chunks], field.type)
               for i, field in enumerate(first)]
    return Table(first, columns)


def _promoted(tables: list[Table]) -> list[Table]:
    from ._build import nulls
    whole = unify_schemas([one.schema for one in tables])
    found = []
    for one in tables:
        columns = []
        for field in whole:
            if field.name in one.column_names:
                columns.append(one.column(field.name).cast(field.type))
            else:
                columns.append(chunked(nulls(one.num_rows, field.type)))
        found.append(Table(whole, columns))
    return found


def unify_schemas(schemas: Any, *, promote_options: str = "default") -> Schema:
    """pa.unify_schemas()"""
    if promote_options != "default":
        raise lacks(f"unify_schemas() with {promote_options!r}")
    fields: dict[str, t.Field] = {}
    for one in schemas:
        for field in one:
            known = fields.get(field.name, field)
            fields[field.name] = known.with_type(
                t.unify([known.type, field.type]))
    return Schema(list(fields.values()), schemas[0].metadata)
