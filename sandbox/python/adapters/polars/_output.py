"""_output - frames as files: CSV, JSON, Excel, Parquet."""

from __future__ import annotations

import json
from typing import Any

from . import _types as t
from ._cast import to_text
from .exceptions import ComputeError, not_here


def _put(text: Any, file: Any) -> Any:
    """TEXT to FILE, or back if there is none."""
    if file is None:
        return text
    if hasattr(file, "write"):
        try:
            file.write(text)
        except TypeError:
            file.write(text.encode())
        return None
    with open(file, "w", encoding="utf-8", newline="") as stream:
        stream.write(text)
    return None


def _quoted(text: str, sign: str, separator: str, style: str) -> str:
    special = separator in text or sign in text or "\n" in text or \
        "\r" in text or text == ""
    if style == "never" or style == "necessary" and not special:
        return text
    return sign + text.replace(sign, sign * 2) + sign


def _cells(one: Any, options: Any) -> list[str]:
    kind = one.dtype
    if kind.is_nested():
        raise ComputeError("CSV format does not support nested data")
    if kind.is_float() and options["float_precision"] is not None:
        digits = options["float_precision"]
        texts = [None if x is None else f"{x:.{digits}f}"
                 for x in one.to_list()]
    elif isinstance(kind, (t.Date, t.Datetime, t.Time)):
        word = {"Date": "date_format", "Time": "time_format"}.get(
            type(kind).__name__, "datetime_format")
        form = options[word]
        if form is None and isinstance(kind, t.Datetime):
            form = "%Y-%m-%dT%H:%M:%S%.6f" if kind.time_unit == "us" else \
                "%Y-%m-%dT%H:%M:%S%.3f" if kind.time_unit == "ms" else \
                "%Y-%m-%dT%H:%M:%S%.9f"
        from ._spans import write
        if form is None and isinstance(kind, t.Time):
            form = "%H:%M:%S%.9f"
        texts = [None if x is None else write(x, form) if form else str(x)
                 for x in one.to_list()]
    else:
        texts = list(to_text(kind, one._v, one._m)) \
            if not t.is_text(kind) else list(one._v)
    style, sign = options["quote_style"], options["quote_char"]
    every = style == "always" or style == "non_numeric" and \
        not kind.is_numeric()
    if every or t.is_text(kind):
        how = "always" if every else style
        texts = [x if x is None else _quoted(x, sign, options["separator"],
                                             how) for x in texts]
    return [options["null_value"] if x is None else x for x in texts]


class Output:
    """Methods that write."""

    __slots__ = ()
    _columns: dict[str, Any]
    columns: list[str]

    def write_csv(self, file: Any = None, *, include_bom: bool = False,
                  include_header: bool = True, separator: str = ",",
                  line_terminator: str = "\n", quote_char: str = '"',
                  batch_size: int = 1024, datetime_format: Any = None,
                  date_format: Any = None, time_format: Any = None,
                  float_scientific: Any = None, float_precision: Any = None,
                  null_value: Any = None, quote_style: Any = None) -> Any:
        if float_scientific is not None:
            raise not_here("write_csv(float_scientific=)")
        options = {"separator": separator, "quote_char": quote_char,
                   "datetime_format": datetime_format, "date_format":
                   date_format, "time_format": time_format,
                   "float_precision": float_precision, "null_value":
                   null_value or "", "quote_style": quote_style or
                   "necessary"}
        rows = zip(*(_cells(one, options) for one in self._columns.values()))
        lines = [separator.join(row) for row in rows]
        if include_header:
            lines.insert(0, separator.join(
                _quoted(name, quote_char, separator, "necessary")
                for name in self.columns))
        text = "".join(line + line_terminator for line in lines)
        return _put("\ufeff" + text if include_bom else text, file)

    def _json_rows(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.to_dicts()  # type: ignore
        return rows

    def write_json(self, file: Any = None, *, row_oriented: bool = True,
                   pretty: bool = False) -> Any:
        return _put(json.dumps(self._json_rows(), default=_as_json,
                               ensure_ascii=False, separators=(",", ":")),
                    file)

    def write_ndjson(self, file: Any = None) -> Any:
        lines = [json.dumps(row, default=_as_json, ensure_ascii=False,
                            separators=(",", ":")) + "\n"
                 for row in self._json_rows()]
        return _put("".join(lines), file)

    def serialize(self, file: Any = None, **_: Any) -> Any:
        raise not_here("DataFrame.serialize", "write_json")

    def write_parquet(self, file: Any, *, compression: str = "zstd",
                      compression_level: Any = None, statistics: Any = True,
                      row_group_size: Any = None, data_page_size: Any = None,
                      use_pyarrow: bool = False, pyarrow_options: Any = None,
                      **rest: Any) -> None:
        if rest or pyarrow_options:
            raise not_here(f"write_parquet({next(iter(rest), 'pyarrow_')}=)")
        frame = self.to_pandas()  # type: ignore[attr-defined]
        frame.to_parquet(file)

    def write_excel(self, workbook: Any = None, worksheet: Any = None, *,
                    include_header: bool = True, position: Any = "A1",
                    autofit: bool = False, column_widths: Any = None,
                    table_style: Any = None, float_precision: int = 3,
                    autofilter: bool = True, dtype_formats: Any = None,
                    freeze_panes: Any = None, hide_gridlines: bool = False,
                    table_name: Any = None, **rest: Any) -> Any:
        if rest:
            raise not_here(f"write_excel({next(iter(rest))}=)",
                           "openpyxl or xlsxwriter")
        if position not in ("A1", (0, 0)):
            raise not_here("write_excel(position=)", "pandas.to_excel")
        from ._excel import write
        table = {"style": table_style, "name": table_name,
                 "autofilter": autofilter}
        if hide_gridlines:
            raise not_here("write_excel(hide_gridlines=True)")
        return write(self, workbook, worksheet, include_header, autofit,
                     column_widths, freeze_panes, dtype_formats,
                     float_precision, {name: one for name, one in
                                       table.items() if one is not None})

    def to_csv(self, *_: Any, **__: Any) -> Any:
        raise AttributeError("'DataFrame' object has no attribute 'to_csv'; "
                             "instead take write_csv")


def _as_json(value: Any) -> Any:
    from ._print import as_text
    return as_text(value)
