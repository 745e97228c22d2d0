"""_frame - DataFrame: its columns, rows and looks. _verbs has what it does."""

from __future__ import annotations

from typing import Any, Iterator

import numpy as np

from . import _types as t
from ._series import Series
from ._verbs import Verbs
from .exceptions import (DuplicateError, NoRowsReturnedError,
                         OutOfBoundsError, ShapeError,
                         TooManyRowsReturnedError, no_column)


class DataFrame(Verbs):
    """A table: columns of equal length."""

    __slots__ = ("_columns",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, data: Any = None, schema: Any = None, *,
                 schema_overrides: Any = None, strict: bool = True,
                 orient: Any = None, infer_schema_length: Any = 100,
                 nan_to_null: bool = False) -> None:
        from ._convert import columns_of

        self._columns: dict[str, Any] = {}
        self._set(columns_of(data, schema, schema_overrides, strict, orient,
                             nan_to_null))

    @classmethod
    def _of(cls, columns: Any) -> Any:
        """A frame of columns that are ready."""
        self = cls.__new__(cls)
        self._columns = {}
        self._set(list(columns))
        return self

    def _set(self, columns: list[Any]) -> None:
        found = {one.name: one for one in columns}
        if len(found) < len(columns):
            names = [one.name for one in columns]
            twice = next(one for one in names if names.count(one) > 1)
            raise DuplicateError(f"column with name '{twice}' has more than "
                                 "one occurrence")
        lengths = {len(one) for one in columns}
        if len(lengths) > 1:
            one, two = columns[0], next(x for x in columns
                                        if len(x) != len(columns[0]))
            raise ShapeError(
                f"could not create a new DataFrame: series \"{one.name}\" has "
                f"length {len(one)} while series \"{two.name}\" has length "
                f"{len(two)}")
        self._columns = found

    # -- its shape

    @property
    def columns(self) -> list[str]:
        return list(self._columns)

    @columns.setter
    def columns(self, names: Any) -> None:
        names = list(names)
        if len(names) != len(self._columns):
            raise ShapeError(f"{len(names)} column names provided for a "
                             f"DataFrame of width {len(self._columns)}")
        self._set([one.alias(name) for one, name in
                   zip(self._columns.values(), names)])

    @property
    def dtypes(self) -> list[Any]:
        return [one.dtype for one in self._columns.values()]

    @property
    def schema(self) -> Any:
        return t.Schema({name: one.dtype
                         for name, one in self._columns.items()})

    def collect_schema(self) -> Any:
        return self.schema

    @property
    def height(self) -> int:
        return next((len(one) for one in self._columns.values()), 0)

    @property
    def width(self) -> int:
        return len(self._columns)

    @property
    def shape(self) -> tuple[int, int]:
        return self.height, self.width

    def __len__(self) -> int:
        return self.height

    def is_empty(self) -> bool:
        return self.height == 0

    def estimated_size(self, unit: str = "b") -> Any:
        size = sum(one._v.nbytes if one._v.dtype != object else
                   sum(len(str(x)) for x in one._v)
                   for one in self._columns.values())
        scale = {"b": 1, "kb": 1024, "mb": 1024 ** 2, "gb": 1024 ** 3}
        return size if unit == "b" else size / scale[unit]

    # -- columns

    def get_column(self, name: str, *, default: Any = Ellipsis) -> Any:
        if name in self._columns:
            return self._columns[name].clone()
        if default is not Ellipsis:
            return default
        raise no_column(name, self._columns)

    def get_columns(self) -> list[Any]:
        return [one.clone() for one in self._columns.values()]

    iter_columns = get_columns

    def get_column_index(self, name: str) -> int:
        if name not in self._columns:
            raise no_column(name, self._columns)
        return self.columns.index(name)

    def to_series(self, index: int = 0) -> Any:
        columns = list(self._columns.values())
        if not -len(columns) <= index < len(columns):
            raise IndexError(f"index {index} is out of bounds")
        return columns[index].clone()

    def to_struct(self, name: str = "") -> Any:
        from ._shapes import struct_of
        return struct_of(list(self._columns.values())).alias(name)

    def _rows(self, rows: Any) -> Any:
        return self._of(one._take(rows) for one in self._columns.values())

    def _picked(self, key: Any) -> Any:
        """The columns of a key in brackets."""
        names = self.columns
        if isinstance(key, str):
            return self.get_column(key)
        if isinstance(key, (int, np.integer)):
            return self.to_series(int(key))
        if isinstance(key, slice):
            if isinstance(key.start, str) or isinstance(key.stop, str):
                start = 0 if key.start is None else names.index(key.start)
                stop = len(names) if key.stop is None else \
                    names.index(key.stop) + 1
                return self.select(names[start:stop:key.step])
            return self.select(names[key])
        key = list(key)
        if key and isinstance(key[0], (bool, np.bool_)):
            return self.select([name for name, on in zip(names, key) if on])
        return self.select([one if isinstance(one, str) else names[one]
                            for one in key])

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            if len(key) != 2:
                raise TypeError("too many indices for DataFrame")
            if isinstance(key[0], str):
                return self.select(list(key))
            found = self._picked(key[1])
            if isinstance(found, Series):
                return found[key[0]]
            return found._at_rows(key[0])
        if isinstance(key, str):
            return self.get_column(key)
        if isinstance(key, (list, tuple)) and key and \
                isinstance(key[0], str):
            return self.select(list(key))
        if isinstance(key, Series) and t.is_text(key.dtype):
            return self.select(key.to_list())
        return self._at_rows(key)

    def _at_rows(self, key: Any) -> Any:
        if isinstance(key, (int, np.integer)):
            if not -self.height <= key < self.height:
                raise IndexError(f"index {key} is out of bounds for "
                                 f"DataFrame of height {self.height}")
            return self._rows(np.array([int(key) % self.height]))
        if isinstance(key, slice):
            return self._rows(np.arange(*key.indices(self.height)))
        values = key.to_list() if isinstance(key, Series) else list(key)
        if values and isinstance(values[0], (bool, np.bool_)):
            raise TypeError("selecting rows by passing a boolean mask to "
                            "`__getitem__` is not supported\n\nHint: Use the "
                            "`filter` method instead.")
        return self._rows(np.array(values, "i8") % max(self.height, 1))

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, str):
            raise TypeError(
                "DataFrame object does not support `Series` assignment by "
                "index\n\nUse `DataFrame.with_columns`.")
        if not isinstance(key, tuple):
            raise TypeError(f"cannot set DataFrame column(s) with key {key!r}")
        row, column = key
        name = column if isinstance(column, str) else self.columns[column]
        found = self.get_column(name)
        found[row] = value
        self._columns[name] = found

    def __contains__(self, key: str) -> bool:
        return key in self._columns

    def __iter__(self) -> Iterator[Any]:
        return iter(self.get_columns())

    def __reversed__(self) -> Iterator[Any]:
        return iter(self.get_columns()[::-1])

    # -- rows

    def item(self, row: Any = None, column: Any = None) -> Any:
        if row is None and column is None:
            if self.shape != (1, 1):
                raise ValueError(
                    "can only call `.item()` if the dataframe is of shape "
                    "(1, 1), or if explicit row/col values are provided; "
                    f"frame has shape {self.shape!r}")
            return self.to_series(0)[0]
        if row is None or column is None:
            raise ValueError("cannot call `.item()` with only one of `row` or "
                             "`column`")
        found = self.to_series(column) if isinstance(column, int) else \
            self.get_column(column)
        return found[row]

    def _lists(self) -> list[list[Any]]:
        return [one.to_list() for one in self._columns.values()]

    def rows(self, *, named: bool = False) -> list[Any]:
        if named:
            return self.to_dicts()
        return list(zip(*self._lists()))

    def iter_rows(self, *, named: bool = False,
                  buffer_size: int = 512) -> Iterator[Any]:
        return iter(self.rows(named=named))

    def rows_by_key(self, key: Any, *, named: bool = False,
                    include_key: bool = False, unique: bool = False) -> Any:
        keys = [key] if isinstance(key, str) else list(key)
        rest = self if include_key else self.drop(keys)
        found: dict[Any, Any] = {}
        for at, row in zip(self.select(keys).rows(), rest.rows(named=named)):
            at = at[0] if len(keys) == 1 else at
            row = row[0] if not named and len(row) == 1 else row
            if unique:
                found[at] = row
            else:
                found.setdefault(at, []).append(row)
        return found

    def row(self, index: Any = None, *, by_predicate: Any = None,
            named: bool = False) -> Any:
        if by_predicate is not None:
            found = self.filter(by_predicate).rows(named=named)
            if not found:
                raise NoRowsReturnedError(f"predicate <{by_predicate!r}> "
                                          "returned no rows")
            if len(found) > 1:
                raise TooManyRowsReturnedError(
                    f"predicate <{by_predicate!r}> returned {len(found)} rows")
            return found[0]
        if index is None:
            raise ValueError("one of `index` or `by_predicate` must be set")
        if not -self.height <= index < self.height:
            raise OutOfBoundsError(f"index {index} is out of bounds")
        return self._at_rows(index).rows(named=named)[0]

    def to_dicts(self) -> list[dict[str, Any]]:
        names = self.columns
        return [dict(zip(names, row)) for row in zip(*self._lists())]

    def to_dict(self, *, as_series: bool = True) -> dict[str, Any]:
        return {name: one.clone() if as_series else one.to_list()
                for name, one in self._columns.items()}

    def to_numpy(self, *, order: str = "fortran", writable: bool = False,
                 allow_copy: bool = True, structured: bool = False) -> Any:
        from ._convert import frame_to_numpy
        return frame_to_numpy(self, structured)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        found = self.to_numpy()
        return found if dtype is None else found.astype(dtype)

    def to_pandas(self, *, use_pyarrow_extension_array: bool = False) -> Any:
        import pandas as pd

        if use_pyarrow_extension_array:
            from .exceptions import not_here
            raise not_here("to_pandas(use_pyarrow_extension_array=True)")
        return pd.DataFrame({name: one.to_pandas() for name, one in
                             self._columns.items()}, columns=self.columns)

    def to_arrow(self) -> Any:
        from .exceptions import not_here
        raise not_here("DataFrame.to_arrow", "to_pandas")

    def to_init_repr(self, n: int = 1000) -> str:
        from .exceptions import not_here
        raise not_here("DataFrame.to_init_repr", "to_dict")

    # -- looks

    def __repr__(self) -> str:
        from ._print import frame_text
        return frame_text(self)

    __str__ = __repr__

    def _repr_html_(self, **_: Any) -> str:
        from ._print import frame_html
        return frame_html(self)

    def equals(self, other: Any, *, null_equal: bool = True) -> bool:
        return self.schema == other.schema and \
            self.columns == other.columns and self.height == other.height \
            and all(one.equals(other._columns[name], null_equal=null_equal)
                    for name, one in self._columns.items())

    def __bool__(self) -> bool:
        raise TypeError(
            "the truth value of a DataFrame is ambiguous\n\nHint: to check if "
            "a DataFrame contains any values, use `is_empty()`.")

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'DataFrame' object has no attribute '{name}'"
                             + _instead(name))

    def _compared(self, other: Any, how: Any) -> Any:
        if isinstance(other, DataFrame):
            if other.shape != self.shape:
                raise ShapeError("the frames' shapes differ: "
                                 f"{self.shape} and {other.shape}")
            pairs = zip(self._columns.values(), other._columns.values())
            return self._of([how(a, b).alias(a.name) for a, b in pairs])
        return self._of([how(one, other).alias(one.name)
                         for one in self._columns.values()])


_INSTEAD = {"groupby": "group_by", "groupby_dynamic": "group_by_dynamic",
            "with_column": "with_columns", "apply": "map_rows", "sql":
            "filter, group_by and join", "plot": "matplotlib with to_pandas()",
            "style": "to_pandas().style", "iloc": "df[rows]", "loc":
            "filter", "assign": "with_columns", "sort_values": "sort",
            "merge": "join", "drop_duplicates": "unique", "dropna":
            "drop_nulls", "fillna": "fill_null", "astype": "cast", "append":
            "vstack", "with_row_number": "with_row_index",
            "groupby_rolling": "over", "rolling": "rolling_mean of a column",
            "upsample": "join of a date_range", "to_html": "_repr_html_()",
            "write_ipc": "write_csv", "write_database": "to_pandas().to_sql",
            "write_avro": "write_csv", "write_delta": "write_csv"}


def _instead(name: str) -> str:
    return f"; instead take {_INSTEAD[name]}" if name in _INSTEAD else ""


def _give_operators() -> None:
    import operator

    for word in ("add", "sub", "mul", "truediv", "floordiv", "mod", "eq",
                 "ne", "lt", "le", "gt", "ge"):
        how = getattr(operator, word)
        setattr(DataFrame, f"__{word}__",
                lambda self, other, how=how: self._compared(other, how))
    for word in ("add", "mul"):
        how = getattr(operator, word)
        setattr(DataFrame, f"__r{word}__",
                lambda self, other, how=how: self._compared(other, how))


_give_operators()
