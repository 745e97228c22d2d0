"""Between pandas and tables: the values, the index, the "pandas" metadata."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd

from . import _types as t
from ._array import Array
from ._build import array
from ._chunks import chunked
from ._errors import ArrowException, lacks, only
from ._schema import Schema

_INDEX = "__index_level_{}__"
_TYPES = {"double": "float64", "float": "float32", "halffloat": "float16",
          "string": "unicode", "large_string": "unicode", "binary": "bytes",
          "date32": "date", "date64": "date", "null": "empty",
          "time32": "time", "time64": "time", "dictionary": "categorical",
          "large_binary": "bytes"}


# -- to a table

def _label(name: Any) -> Any:
    return name if name is None or isinstance(name, str) else str(name)


def columns_of(df: Any, schema: Any, preserve_index: Any, columns: Any,
               safe: bool) -> tuple[Schema, list[Any]]:
    """The schema and the columns of a table of DF."""
    names = list(df.columns) if columns is None else list(columns)
    levels = _levels(df, preserve_index)
    given = {_label(name): df.iloc[:, i] for i, name in enumerate(df.columns)}
    if len(given) != len(df.columns):
        raise ValueError("Duplicate column names found: "
                         f"{[_label(one) for one in df.columns]}")
    wanted = [(_label(name), given[_label(name)]) for name in names]
    if schema is not None:
        wanted = _of_schema(schema, given, levels)
        levels = [one for one in levels if not isinstance(one, tuple)
                  or one[0] in schema.names or one[0] not in given]
        stored = [one for one in levels if isinstance(one, tuple)
                  and one[0] in schema.names]
        levels = stored or [one for one in levels
                            if not isinstance(one, tuple)]
    else:
        stored = [one for one in levels if isinstance(one, tuple)]
        wanted += stored
    made = [_column(name, one, schema and schema.field(name).type, safe)
            for name, one in wanted]
    fields = [schema.field(name) if schema is not None else
              t.field(name, one.type) for (name, _), one in zip(wanted, made)]
    own = {name for name, _ in stored}
    facts = _metadata(df, [(name, one, array_.type, name in own)
                           for (name, one), array_ in zip(wanted, made)],
                      levels)
    metadata = dict((schema and schema.metadata) or {})
    metadata[b"pandas"] = json.dumps(facts).encode()
    return Schema(fields, metadata), [chunked(one) for one in made]


def _of_schema(schema: Any, given: Any, levels: Any) -> list[Any]:
    known = {**given, **{one[0]: one[1] for one in levels
                         if isinstance(one, tuple)}}
    missing = [name for name in schema.names if name not in known]
    if missing:
        raise KeyError(f"name '{missing[0]}' present in the specified schema "
                       "is not found in the columns or index")
    return [(name, known[name]) for name in schema.names]


def _column(name: str, one: Any, kind: Any, safe: bool) -> Array:
    try:
        return array(one, kind, from_pandas=True, safe=safe)
    except (ArrowException, NotImplementedError) as error:
        error.args += (f"Conversion failed for column {name} with type "
                       f"{one.dtype}",)
        raise


def _levels(df: Any, preserve: Any) -> list[Any]:
    """The levels of the index: a range's words, or a name and values."""
    if preserve is False:
        return []
    index = df.index
    if isinstance(index, pd.RangeIndex) and preserve is None:
        return [{"kind": "range", "name": _label(index.name),
                 "start": index.start, "stop": index.stop,
                 "step": index.step}]
    found = []
    for i in range(index.nlevels):
        name = index.names[i]
        if name is None or _label(name) in map(_label, df.columns):
            name = _INDEX.format(i)
        level = index.get_level_values(i) if index.nlevels > 1 else index
        found.append((_label(name), level))
    return found


def _metadata(df: Any, columns: list[Any], levels: list[Any]) -> Any:
    names = {_label(name): _label(name) for name in df.columns}
    described = []
    for name, one, kind, is_index in columns:
        shown = _label(one.name) if is_index else names.get(name)
        described.append(_described(shown, name, one.dtype, kind))
    index = df.columns
    return {"index_columns": [one if isinstance(one, dict) else one[0]
                              for one in levels],
            "column_indexes": [_of_names(index.get_level_values(i))
                               for i in range(index.nlevels)],
            "columns": described,
            "creator": {"library": "pyarrow", "version": "17.0.0"},
            "pandas_version": pd.__version__}


def _of_names(level: Any) -> Any:
    kind = array(level, from_pandas=True).type if len(level) else t.null()
    return {**_described(_label(level.name), _label(level.name), level.dtype,
                         kind),
            **({"metadata": {"encoding": "UTF-8"}}
               if kind._kind == "string" else {})}


def _described(name: Any, field: Any, dtype: Any, kind: Any) -> Any:
    facts: Any = None
    numpy_type = str(dtype)
    pandas_type = _TYPES.get(kind._kind, kind._kind)
    if kind._kind == "dictionary":
        facts = {"num_categories": len(dtype.categories)
                 if hasattr(dtype, "categories") else 0,
                 "ordered": kind.ordered}
        numpy_type = str(kind.index_type)
    elif kind._kind == "timestamp":
        pandas_type = "datetimetz" if kind.tz else "datetime"
        facts = {"timezone": kind.tz} if kind.tz else None
        numpy_type = f"datetime64[{getattr(dtype, 'unit', 'ns')}]" \
            if kind.tz else numpy_type
    elif kind._kind == "duration":
        pandas_type = "timedelta"
    elif kind._kind == "decimal":
        facts = {"precision": kind.precision, "scale": kind.scale}
    elif kind._kind == "list":
        inner = kind.value_type
        pandas_type = f"list[{_TYPES.get(inner._kind, inner)}]"
    elif kind._kind == "struct":
        pandas_type = "object"
    return {"name": name, "field_name": field, "pandas_type": pandas_type,
            "numpy_type": numpy_type, "metadata": facts}


# -- values of an array

def values_of(one: Array, plain: bool = False, dates: bool = False) -> Any:
    """A numpy array of the values, as pandas holds them: NaN, NaT or None for
    a null."""
    kind, valid = one.type._kind, one._valid
    if kind in ("timestamp", "duration"):
        return _moments(one, plain)
    if kind == "dictionary":
        return values_of(one.dictionary_decode(), plain)
    if kind == "list":
        return _rows(one)
    if kind in t.INTEGERS | t.FLOATS and valid is not None:
        made = one._values.astype(one._values.dtype if kind in t.FLOATS
                                  else float)
        made[~valid] = np.nan
        return made
    if kind in ("date32", "date64") and (plain or dates):
        unit = "D" if kind == "date32" else "ms"
        made = one._values.astype("i8").view("M8[D]" if unit == "D"
                                             else "M8[ms]").copy()
        if valid is not None:
            made[~valid] = np.datetime64("NaT")
        return made if plain else made.astype("M8[ns]")
    if one._values.dtype != object and (kind.startswith(("date", "time"))
                                        or valid is not None):
        made = np.empty(len(one), object)
        for i, item in enumerate(one.to_pylist()):
            made[i] = item
        return made
    return one._values.copy() if plain else one._values


def _rows(one: Array) -> Any:
    """Lists as numpy arrays."""
    made = np.empty(len(one), object)
    for i, row in enumerate(one._values):
        if row is not None:
            made[i] = values_of(array(row, one.type.value_type))
    return made


_NANO_ONLY = pd.__version__ < "2"


def _moments(one: Array, plain: bool) -> Any:
    code = "M8" if one.type._kind == "timestamp" else "m8"
    made = one._values.view(f"{code}[{one.type.unit}]").copy()
    if one._valid is not None:
        made[~one._valid] = np.array("NaT", made.dtype)
    if plain or not _NANO_ONLY:
        return made
    if one.type.unit != "ns":
        nano = 10**9 // t._UNITS[one.type.unit]
        stored = one._values[one._mask]
        if len(stored) and max(abs(int(stored.max())),
                               abs(int(stored.min()))) * nano >= 2**63:
            from ._errors import ArrowInvalid
            bad = stored[np.argmax(np.abs(stored))]
            raise ArrowInvalid(
                f"Casting from {one.type} to timestamp[ns] would result in "
                f"out of bounds timestamp: {bad}")
    return made.astype(f"{code}[ns]")


# -- to pandas

_IGNORED = {"memory_pool": ..., "use_threads": ..., "split_blocks": ...,
            "self_destruct": ..., "deduplicate_objects": ...,
            "date_as_object": ..., "types_mapper": ...,
            "ignore_metadata": ..., "zero_copy_only": False,
            "strings_to_categorical": False, "safe": True,
            "integer_object_nulls": False, "timestamp_as_object": False,
            "categories": None, "coerce_temporal_nanoseconds": False,
            "maps_as_pydicts": None}


def series_of(one: Array, **options: Any) -> Any:
    """Array.to_pandas()"""
    only("to_pandas()", options, _IGNORED)
    return pd.Series(_pandas_array(one, None, options), copy=True)


def _pandas_array(one: Array, dtype: Any, options: dict[str, Any]) -> Any:
    """Values for a column of a frame; DTYPE is that of the metadata."""
    mapper = options.get("types_mapper")
    if mapper is getattr(pd, "ArrowDtype", ...):
        raise lacks("types_mapper=pd.ArrowDtype", "nullable dtypes are: "
                    "dtype_backend='numpy_nullable'")
    wanted = mapper(one.type) if mapper else None
    if wanted is None:
        wanted = _extension(dtype)
    if wanted is not None:
        return _of_dtype(one, wanted)
    if one.type._kind == "dictionary":
        codes = np.where(one._mask, one._values, -1)
        values = values_of(one.dictionary)
        return pd.Categorical.from_codes(codes, pd.Index(values),
                                         ordered=one.type.ordered)
    made = values_of(one, dates=options.get("date_as_object") is False)
    if one.type._kind == "timestamp" and one.type.tz:
        return pd.DatetimeIndex(made).tz_localize("UTC").tz_convert(
            one.type.tz)
    return made


def _extension(dtype: Any) -> Any:
    """The nullable dtype of a name in the metadata, or None."""
    if isinstance(dtype, str) and (dtype[:1].isupper() or
                                   dtype in ("boolean", "string")):
        try:
            return pd.api.types.pandas_dtype(dtype)
        except TypeError:
            return None
    return None


def _of_dtype(one: Array, dtype: Any) -> Any:
    kind = getattr(dtype, "numpy_dtype", None)
    if kind is None and getattr(dtype, "name", "") == "boolean":
        kind = np.dtype(bool)
    cls = dtype.construct_array_type()
    if kind is not None and one._values.dtype != object:
        values = one._values
        if values.dtype != kind:
            values = one.cast(t.from_numpy_dtype(kind))._values
        return cls(values.copy(), ~one._mask)
    if isinstance(dtype, pd.StringDtype):
        if one.type._kind not in (*t.TEXTS, "dictionary", "null"):
            raise TypeError(f"Expected array of {dtype} type, got {one.type} "
                            "instead")
        return cls._from_sequence(values_of(one), dtype=dtype)
    if one.type._kind == "null":
        return cls._from_sequence([pd.NA] * len(one), dtype=dtype)
    raise lacks(f"to_pandas() of {one.type} as {dtype}")


def frame_of(table: Any, **options: Any) -> Any:
    """Table.to_pandas()"""
    only("to_pandas()", options, _IGNORED)
    facts = None if options.get("ignore_metadata") else \
        table.schema.pandas_metadata
    dtypes = {one["field_name"]: one["numpy_type"] for one in
              (facts or {}).get("columns", []) if one.get("field_name")}
    columns = [_pandas_array(one.combine_chunks(), dtypes.get(field.name),
                             options)
               for field, one in zip(table.schema, table._columns)]
    names = table.column_names
    index, used = _index_of(table, facts, names, columns)
    kept = [i for i in range(len(names)) if i not in used]
    frame = pd.DataFrame({i: columns[i] for i in kept}, index=None
                         if kept else index, copy=True)
    if kept:
        frame.index = index
    frame.columns = _names_of(facts, [names[i] for i in kept])
    return frame


def _index_of(table: Any, facts: Any, names: list[str],
              columns: list[Any]) -> tuple[Any, set[int]]:
    size = table.num_rows
    shown = {one["field_name"]: one["name"] for one in
             (facts or {}).get("columns", []) if one.get("field_name")}
    levels, labels, used = [], [], set()
    for one in (facts or {}).get("index_columns", []):
        if isinstance(one, dict):
            made = pd.RangeIndex(one["start"], one["stop"], one["step"],
                                 name=one["name"])
            if len(made) == size:
                levels.append(made)
                labels.append(one["name"])
        elif one in names:
            used.add(names.index(one))
            levels.append(columns[names.index(one)])
            labels.append(shown.get(one, one) if not
                          one.startswith("__index_level_")
                          or shown.get(one) else None)
    if not levels:
        return pd.RangeIndex(size), used
    if len(levels) > 1:
        return pd.MultiIndex.from_arrays(levels, names=labels), used
    return pd.Index(levels[0], name=labels[0], copy=True), used


def _names_of(facts: Any, names: list[str]) -> Any:
    """The names of columns, with the type that the metadata tells."""
    indexes = (facts or {}).get("column_indexes") or []
    if len(indexes) > 1:
        import ast
        rows = [ast.literal_eval(one) for one in names]
        return pd.MultiIndex.from_tuples(
            rows, names=[one["name"] for one in indexes])
    name = indexes[0]["name"] if indexes else None
    kind = indexes[0]["pandas_type"] if indexes else "unicode"
    made = pd.Index(names, dtype=object, name=name)
    if kind in ("int64", "float64") and names:
        return made.astype(kind)
    if kind == "datetime":
        return pd.DatetimeIndex(made)
    return made


