"""tables - DataFrame and Series of pandas as data, beside their text and HTML.

The form is that of Frictionless Data's tabular resources, as notebooks know
it: a schema with the columns and their types, and rows as objects.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .deadline import Timeout
from .channels import warn
from .job import Now
from .own import type_name
from .values import encode_or_none

import datetime
import json
import sys
from typing import Any, Optional

_loads = json.loads
_modules = sys.modules
_Date = datetime.date        # base of datetime and of pandas' Timestamp

MEDIA = "application/vnd.dataresource+json"
ROWS = 1000                 # of a table, at most
CELLS = 20000               # of those rows
DIGITS = 15                 # of a real number

COLUMNS_MEDIA = "application/vnd.terrarium.data+json"
COLUMN_CELLS = 200000       # of columns_of(), at most


def _rows_as_data(pandas: Any, table: Any, rows: int, room: int,
                  index: bool) -> Any:
    """The schema and as many of the first ROWS as fit into ROOM characters, or
    None. ValueError and others for what the form does not know, such as
    columns of several levels."""
    kind = pandas.DataFrame if type(table) is pandas.DataFrame \
        else pandas.Series
    if not index:
        table = kind.reset_index(table, drop=True)
    while rows:
        text = kind.to_json(kind.head(table, rows), orient="table",
                            double_precision=DIGITS, date_unit="us")
        if len(text) <= room:
            return _loads(text)
        rows = min(rows // 2, rows * room // len(text))
    return None


def table_of(obj: Any) -> dict[str, Any]:
    """Media type and data of a table, or nothing. Its JSON takes at most a
    quarter of the room that displays have left, so that HTML has some."""
    pandas = _modules.get("pandas")
    if pandas is None or type(obj) not in (
            getattr(pandas, "DataFrame", None),
            getattr(pandas, "Series", None)):
        return {}
    columns = obj.shape[1] if len(obj.shape) > 1 else 1
    rows = min(ROWS, max(1, CELLS // max(1, columns)))
    room = Now.job.room // 4
    for index in (True, False):  # one whose name a column has cannot be shown
        try:
            data = _rows_as_data(pandas, obj, rows, room, index)
            if data is None:
                break
            data["total_rows"] = len(obj)
            return {MEDIA: data}
        except Timeout:
            raise
        except BaseException:
            continue
    return {}


def _cell(item: Any) -> Any:
    """Dates as ISO 8601; NaT as null."""
    if isinstance(item, _Date):
        return item.isoformat() if item == item else None
    return item


def _columns(table: Any, rows: int) -> dict[str, list[Any]]:
    """The first ROWS of each column. Of two of one name the later gets a
    number."""
    found: dict[str, list[Any]] = {}
    for place in range(table.shape[1]):
        column = table.iloc[:rows, place]
        name = str(table.columns[place])
        number = 2
        while name in found:
            name = f"{table.columns[place]}_{number}"
            number += 1
        found[name] = [_cell(item) for item in column.tolist()]
    return found


def columns_of(obj: Any) -> Optional[str]:
    """A table as JSON text: {column: [values]}. None if it is no table, or
    does not fit into half of the room that displays have left."""
    pandas = _modules.get("pandas")
    if pandas is None or type(obj) not in (
            getattr(pandas, "DataFrame", None),
            getattr(pandas, "Series", None)):
        return None
    table = obj.to_frame() if type(obj) is pandas.Series else obj
    rows, text = len(table), None
    if table.shape[1]:
        rows = min(rows, max(1, COLUMN_CELLS // table.shape[1]))
    while True:
        text = encode_or_none(_columns(table, rows), Now.job.room // 2, False)
        if text is not None or not rows:
            break
        rows //= 2
    if text is not None and rows < len(table):
        warn(f"the data of {type_name(type(obj))} was cut: it has the first "
             f"{rows:,} of {len(table):,} rows")
    return text
