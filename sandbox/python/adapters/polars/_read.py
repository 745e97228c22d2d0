"""_read - frames of files: CSV, JSON, Excel, Parquet."""

from __future__ import annotations

import csv
import glob
import io
import json
import os
import re
from typing import Any

import numpy as np

from . import _types as t
from ._frame import DataFrame
from ._series import Series, as_series
from .exceptions import ComputeError, NoDataError, not_here

_WHOLE = re.compile(r"\s*-?\d+\Z").match
_FLOAT = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z|"
                    r"[+-]?(inf|NaN|nan|Infinity)\Z").match
_DATE = re.compile(r"\d{4}-\d\d-\d\d\Z|\d{4}/\d\d/\d\d\Z|"
                   r"\d\d[-/]\d\d[-/]\d{4}\Z").match
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d").match


def text_of(source: Any, encoding: str = "utf8") -> str:
    """All of a file, a path, bytes or a stream."""
    if encoding == "utf8-lossy":
        encoding, errors = "utf-8-sig", "replace"
    else:
        errors = "strict"
        encoding = "utf-8-sig" if encoding in ("utf8", "utf-8") else encoding
    if hasattr(source, "read"):
        source = source.read()
    elif isinstance(source, (str, os.PathLike)):
        name = os.fspath(source)
        if "://" in name:
            raise OSError(f"there is no network here: {name}")
        with open(os.path.expanduser(name), "rb") as stream:
            source = stream.read()
    if isinstance(source, bytes):
        source = source.decode(encoding, errors)
    return str(source)


def _kind_of(values: list[Any], dates: bool) -> Any:
    """The type that texts are of."""
    some = [one for one in values if one is not None]
    if not some:
        return t.String()
    if all(map(_WHOLE, some)):
        return t.Int64()
    if all(map(_FLOAT, some)):
        return t.Float64()
    if all(one in ("true", "false", "True", "False") for one in some):
        return t.Boolean()
    if dates and all(map(_DATE, some)):
        return t.Date()
    if dates and all(map(_MOMENT, some)):
        return t.Datetime("us")
    return t.String()


def _column(name: str, values: list[Any], wanted: Any, sample: Any,
            dates: bool, careless: bool) -> Any:
    kind = wanted if wanted is not None else _kind_of(
        values if sample is None else values[:sample], dates)
    text = Series(name, values, t.String)
    if isinstance(kind, t.String):
        return text
    if isinstance(kind, t.Boolean):
        text = text.str.to_lowercase()  # type: ignore[attr-defined]
    if kind.is_float() or kind.is_integer():
        text = text.str.strip_chars()  # type: ignore[attr-defined]
    strict = not careless
    try:
        if isinstance(kind, t.Date):
            return text.str.to_date(  # type: ignore[attr-defined]
                strict=wanted is not None and strict)
        if isinstance(kind, t.Datetime):
            return text.str.to_datetime(  # type: ignore[attr-defined]
                strict=wanted is not None and strict, time_unit=kind.time_unit)
        return text.cast(kind, strict=strict)
    except Exception as why:
        if isinstance(kind, t.Int64) and wanted is None and \
                all(one is None or _FLOAT(one.strip()) for one in values):
            return text.cast(t.Float64)
        bad = re.search(r'\["?([^"\],]*)', str(why))
        raise ComputeError(
            f"could not parse `{bad[1] if bad else ''}` as dtype "
            f"`{kind.text()}` at column '{name}'\n\nYou might want to try:\n- "
            "increasing `infer_schema_length` (e.g. "
            "`infer_schema_length=10000`),\n- specifying correct dtype with "
            "the `schema_overrides` argument\n- setting `ignore_errors` to "
            "`True`,\n- adding the problematic value to the `null_values` "
            "list.") from None


def _nulls(null_values: Any, names: list[str]) -> list[set[str]]:
    if isinstance(null_values, dict):
        return [{null_values[name]} if name in null_values else set()
                for name in names]
    many = [null_values] if isinstance(null_values, str) else \
        list(null_values or ())
    return [set(many)] * len(names)


def _overrides(kinds: Any, names: list[str]) -> dict[str, Any]:
    if kinds is None:
        return {}
    if isinstance(kinds, dict):
        return {name: t.as_dtype(kind) for name, kind in kinds.items()}
    return {name: t.as_dtype(kind) for name, kind in zip(names, kinds)}


def _records(text: str, separator: str, quote: Any,
             eol: str) -> list[list[Any]]:
    """The rows; a field that is empty without quotes is None."""
    if eol not in ("\n", "\r\n"):
        text = text.replace(eol, "\n")
    if quote is None or quote not in text:
        return [[one or None for one in line.split(separator)]
                for line in text.replace("\r\n", "\n").split("\n") if line]
    text = text.replace("\r\n", "\n")
    mark = "\0"
    empty = re.compile(rf"(^|{re.escape(separator)}){quote}{quote}"
                       rf"(?={re.escape(separator)}|$)", re.M)
    text = empty.sub(lambda m: m[1] + mark, text)
    rows = csv.reader(io.StringIO(text), delimiter=separator, quotechar=quote)
    return [["" if one == mark else one or None for one in row]
            for row in rows if row]


def _padded(rows: list[list[Any]], width: int, ragged: bool) -> None:
    for row in rows:
        if len(row) < width:
            row += [None] * (width - len(row))
        elif len(row) > width:
            if not ragged:
                raise ComputeError(
                    "found more fields than defined in 'Schema'\n\nConsider "
                    "setting 'truncate_ragged_lines=True'.")
            del row[width:]


def read_csv(source: Any, *, has_header: bool = True, columns: Any = None,
             new_columns: Any = None, separator: str = ",",
             comment_prefix: Any = None, quote_char: Any = '"',
             skip_rows: int = 0, schema: Any = None,
             schema_overrides: Any = None, dtypes: Any = None,
             null_values: Any = None,
             missing_utf8_is_empty_string: bool = False,
             ignore_errors: bool = False, try_parse_dates: bool = False,
             n_threads: Any = None, infer_schema: bool = True,
             infer_schema_length: Any = 100, batch_size: int = 8192,
             n_rows: Any = None, encoding: str = "utf8",
             low_memory: bool = False, rechunk: bool = False,
             skip_rows_after_header: int = 0, row_index_name: Any = None,
             row_index_offset: int = 0, eol_char: str = "\n",
             raise_if_empty: bool = True,
             truncate_ragged_lines: bool = False,
             decimal_comma: bool = False, use_pyarrow: bool = False) -> Any:
    text = text_of(source, encoding)
    rows = _lines(text, skip_rows, comment_prefix, separator, quote_char,
                  eol_char)
    if not rows:
        if raise_if_empty:
            raise NoDataError("empty CSV")
        return DataFrame()
    names = _titles(rows, has_header)
    rows = rows[skip_rows_after_header:]
    rows = rows if n_rows is None else rows[:n_rows]
    _padded(rows, len(names), truncate_ragged_lines)
    gone = _nulls(null_values, names)
    kinds = _overrides(schema_overrides or dtypes, names)
    if schema is not None:
        names = list(schema)
        kinds = {name: t.as_dtype(kind) for name, kind in schema.items()}
    found = []
    for at, (name, bad) in enumerate(zip(names, gone)):
        values = [row[at] for row in rows]
        if bad:
            values = [None if one in bad else one for one in values]
        if decimal_comma:
            values = [one and re.sub(r"^([+-]?\d+),(\d+)$", r"\1.\2", one)
                      for one in values]
        wanted = kinds.get(name) or (None if infer_schema else t.String())
        one = _column(name, values, wanted, infer_schema_length,
                      try_parse_dates, ignore_errors)
        if missing_utf8_is_empty_string and t.is_text(one.dtype):
            one = one.fill_null("")
        found.append(one)
    frame = DataFrame._of(found)
    if columns is not None:
        frame = frame[list(columns)] if isinstance(columns[0], str) else \
            frame.select([frame.columns[at] for at in columns])
    if new_columns:
        frame.columns = [*new_columns, *frame.columns[len(new_columns):]]
    return frame if row_index_name is None else \
        frame.with_row_index(row_index_name, row_index_offset)


def _lines(text: str, skip: int, comment: Any, separator: str, quote: Any,
           eol: str) -> list[list[Any]]:
    if skip or comment:
        lines = text.splitlines()[skip:]
        if comment:
            lines = [one for one in lines if not one.startswith(comment)]
        text = "\n".join(lines)
    return _records(text, separator, quote, eol)


def _titles(rows: list[list[Any]], header: bool) -> list[str]:
    """The names of the columns; takes the head from ROWS."""
    if not header:
        return [f"column_{at + 1}" for at in range(len(rows[0]))]
    names: list[str] = []
    for at, one in enumerate(rows.pop(0)):
        title = one or ""
        count = 0
        while title in names:
            title = f"{one or ''}_duplicated_{count}"
            count += 1
        names.append(title)
    return names


def _many(source: Any) -> list[Any]:
    if isinstance(source, (list, tuple)):
        return list(source)
    if isinstance(source, str) and glob.has_magic(source):
        found = sorted(glob.glob(source))
        if not found:
            raise FileNotFoundError(f"expanded paths were empty: {source}")
        return list(found)
    return [source]


def scan_csv(source: Any, **options: Any) -> Any:
    from ._join import concat
    return concat([read_csv(one, **options)
                   for one in _many(source)]).lazy()


def _frame_of(rows: Any, schema: Any, overrides: Any) -> Any:
    return DataFrame(rows, schema, schema_overrides=overrides, strict=False)


def read_json(source: Any, *, schema: Any = None,
              schema_overrides: Any = None,
              infer_schema_length: Any = 100) -> Any:
    found = json.loads(text_of(source))
    return _frame_of([found] if isinstance(found, dict) else found, schema,
                     schema_overrides)


def read_ndjson(source: Any, *, schema: Any = None,
                schema_overrides: Any = None, infer_schema_length: Any = 100,
                ignore_errors: bool = False) -> Any:
    rows = [json.loads(line) for line in text_of(source).splitlines()
            if line.strip()]
    return _frame_of(rows, schema, schema_overrides)


def scan_ndjson(source: Any, **options: Any) -> Any:
    return read_ndjson(source, **options).lazy()


def read_excel(source: Any, *, sheet_id: Any = None, sheet_name: Any = None,
               engine: str = "calamine", engine_options: Any = None,
               read_options: Any = None, has_header: bool = True,
               columns: Any = None, schema_overrides: Any = None,
               infer_schema_length: Any = 100, raise_if_empty: bool = True,
               drop_empty_rows: bool = True, drop_empty_cols: bool = True,
               ) -> Any:
    from ._excel import read
    return read(source, sheet_id, sheet_name, read_options or engine_options,
                has_header, columns, schema_overrides)


def read_parquet(source: Any, *, columns: Any = None, n_rows: Any = None,
                 **rest: Any) -> Any:
    if rest:
        raise not_here(f"read_parquet({next(iter(rest))}=)")
    import pandas as pd

    from ._join import concat
    names = list(columns) if columns is not None else None
    found = concat([DataFrame(pd.read_parquet(one, columns=names))
                    for one in _many(source)])
    return found if n_rows is None else found.head(n_rows)


def scan_parquet(source: Any, **options: Any) -> Any:
    return read_parquet(source, **options).lazy()


def read_database(query: str, connection: Any, **rest: Any) -> Any:
    """The rows of a query, by a connection of sqlite3 or SQLAlchemy."""
    if rest:
        raise not_here(f"read_database({next(iter(rest))}=)")
    if hasattr(connection, "connect"):
        import pandas as pd
        return DataFrame(pd.read_sql(query, connection))
    cursor = connection.cursor() if hasattr(connection, "cursor") \
        else connection
    cursor.execute(query)
    names = [one[0] for one in cursor.description]
    return DataFrame(cursor.fetchall(), names, orient="row", strict=False)


def from_pandas(data: Any, *, schema_overrides: Any = None,
                rechunk: bool = True, nan_to_null: bool = True,
                include_index: bool = False) -> Any:
    if data.ndim == 1 or not hasattr(data, "columns"):
        return Series(data.name or "", data)
    if include_index:
        data = data.reset_index()
    found = DataFrame(data)
    if not nan_to_null:
        found = found.with_columns([
            as_series(np.asarray(data[name])).alias(name)
            for name in found.columns if found[name].dtype.is_float()])
    return found.cast(schema_overrides) if schema_overrides else found


def from_numpy(data: Any, schema: Any = None, *, schema_overrides: Any = None,
               orient: Any = None) -> Any:
    return DataFrame(data, schema, schema_overrides=schema_overrides,
                     orient=orient)


def from_dict(data: Any, schema: Any = None, *, schema_overrides: Any = None,
              strict: bool = True) -> Any:
    return DataFrame(data, schema, schema_overrides=schema_overrides,
                     strict=strict)


def from_dicts(data: Any, schema: Any = None, *, schema_overrides: Any = None,
               strict: bool = True, infer_schema_length: Any = 100) -> Any:
    if not data and not schema:
        raise NoDataError("no data, cannot infer schema")
    return DataFrame(data, schema, schema_overrides=schema_overrides,
                     strict=strict)


def from_records(data: Any, schema: Any = None, *,
                 schema_overrides: Any = None, strict: bool = True,
                 orient: Any = None, infer_schema_length: Any = 100) -> Any:
    return DataFrame(data, schema, schema_overrides=schema_overrides,
                     strict=strict, orient=orient)
