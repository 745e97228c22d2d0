"""_excel - frames in workbooks, over openpyxl and xlsxwriter."""

from __future__ import annotations

from typing import Any

from . import _types as t
from .exceptions import NoDataError, not_here


def _cell(value: Any) -> Any:
    if isinstance(value, (list, dict)):
        return str(value)
    if isinstance(value, float) and value != value:
        return None
    if getattr(value, "tzinfo", None) is not None:
        return value.replace(tzinfo=None)
    return value


def write(frame: Any, workbook: Any, sheet: Any, header: bool, autofit: bool,
          widths: Any, freeze: Any, forms_of: Any, digits: int,
          table: dict[str, Any]) -> Any:
    """FRAME as a sheet of an xlsxwriter workbook, or of a new file."""
    import xlsxwriter

    ours = not hasattr(workbook, "add_worksheet")
    if ours:
        if isinstance(workbook, (str, bytes)) or hasattr(workbook,
                                                         "__fspath__"):
            workbook = str(workbook)
            if "." not in workbook.rpartition("/")[2]:
                workbook += ".xlsx"
        workbook = xlsxwriter.Workbook(
            "dataframe.xlsx" if workbook is None else workbook)
    page = sheet if hasattr(sheet, "write") else \
        workbook.get_worksheet_by_name(sheet or "Sheet1") or \
        workbook.add_worksheet(sheet)
    forms = [_form(one.dtype, workbook, forms_of or {}, digits)
             for one in frame._columns.values()]
    if header:
        page.write_row(0, 0, frame.columns, workbook.add_format(
            {"bold": True}))
    for at, row in enumerate(frame.rows(), int(header)):
        for place, (value, form) in enumerate(zip(row, forms)):
            value = _cell(value)
            if value is not None:
                page.write(at, place, value, form)
    if header and frame.height:
        page.add_table(0, 0, frame.height, frame.width - 1, {
            "columns": [{"header": name} for name in frame.columns], **table})
    if freeze is not None:
        page.freeze_panes(*freeze) if isinstance(freeze, tuple) else \
            page.freeze_panes(freeze)
    _set_widths(page, frame, autofit, widths)
    if ours:
        workbook.close()
    return workbook


def _form(kind: Any, workbook: Any, forms: Any, digits: int) -> Any:
    given = [form for key, form in forms.items()
             if kind == key or isinstance(key, (tuple, list, frozenset)) and
             kind in key]
    if kind.is_float():
        given.append("#,##0." + "0" * digits if digits else "#,##0")
    form = given[0] if given else {
        "Date": "yyyy-mm-dd", "Datetime": "yyyy-mm-dd hh:mm:ss",
        "Time": "hh:mm:ss"}.get(type(kind).__name__)
    return workbook.add_format({"num_format": form}) if form else None


def _set_widths(page: Any, frame: Any, autofit: bool, widths: Any) -> None:
    for at, (name, one) in enumerate(frame._columns.items()):
        if autofit:
            longest = max([len(name), *(len(str(x)) for x in one.to_list())])
            page.set_column(at, at, longest + 2)
        wide = widths.get(name) if isinstance(widths, dict) else widths
        if wide is not None:
            page.set_column_pixels(at, at, wide)


def read(source: Any, sheet_id: Any, sheet_name: Any, options: Any,
         header: bool, columns: Any, overrides: Any) -> Any:
    """One sheet as a frame; several (sheet_id=0) as a dict of frames."""
    import pandas as pd

    from ._frame import DataFrame

    if options:
        raise not_here("read_excel(read_options=)")
    if sheet_id is not None and sheet_name is not None:
        raise ValueError("cannot specify both `sheet_name` and `sheet_id`")
    wanted: Any = 0 if sheet_name is None else sheet_name
    if sheet_id is not None:
        wanted = None if sheet_id == 0 else \
            [one - 1 for one in sheet_id] if isinstance(
                sheet_id, (list, tuple)) else sheet_id - 1
    found = pd.read_excel(source, sheet_name=wanted,
                          header=0 if header else None)

    def frame_of(table: Any) -> Any:
        if table.empty and not len(table.columns):
            raise NoDataError("no data found in the sheet")
        if not header:
            table.columns = [f"column_{at + 1}"
                             for at in range(len(table.columns))]
        frame = DataFrame(table)
        frame = frame.with_columns([_whole(one) for one in
                                    frame.get_columns()])
        frame = frame.select(columns) if columns is not None else frame
        return frame.cast(overrides) if overrides else frame
    if isinstance(found, dict):
        return {str(name): frame_of(one) for name, one in found.items()}
    return frame_of(found)


def _whole(one: Any) -> Any:
    """Whole numbers that pandas had to make floats of; days as dates."""
    if isinstance(one.dtype, t.Float64) and one.null_count() < len(one):
        known = one.drop_nulls()
        if (known == known.round(0)).all() and one.null_count():
            return one.cast(t.Int64)
    if isinstance(one.dtype, t.Datetime):
        days = one.cast(t.Date)
        if (one == days).all() and one.null_count() < len(one):
            return days
        return one.cast(t.Datetime("ms"))
    return one
