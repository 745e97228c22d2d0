"""polars - frames of typed columns, and expressions over them.

The everyday part of polars 1.x over numpy and pandas: DataFrame, Series,
LazyFrame (collect() does its steps), expressions, group_by, joins, files. Nulls are nulls and not NaN; types, names, orders and printed tables are
polars'. Groups stand in the order of their first rows. Not here: SQL, Arrow,
Decimal, Array, plots, plugins, streaming.
"""

from __future__ import annotations

from typing import Any

from . import _methods  # noqa: F401
from . import datatypes, exceptions, selectors, testing
from ._config import Config
from ._expr import Expr
from ._frame import DataFrame
from ._functions import *  # noqa: F401,F403
from ._functions import __all__ as _functions
from ._join import concat
from ._lazy import LazyFrame, collect_all
from ._read import (from_dict, from_dicts, from_numpy, from_pandas,
                    from_records, read_csv, read_database, read_excel,
                    read_json, read_ndjson, read_parquet, scan_csv,
                    scan_ndjson, scan_parquet)
from ._series import Series
from ._types import (FLOAT_DTYPES, INTEGER_DTYPES, NUMERIC_DTYPES, Binary,
                     Boolean, Categorical, DataType, Date, Datetime, Duration,
                     Enum, Field, Float32, Float64, Int8, Int16, Int32, Int64,
                     List, Null, Object, Schema, String, Struct, Time, UInt8,
                     UInt16, UInt32, UInt64, Utf8)

__version__ = "1.9.0"
_INSTEAD = {
    "SQLContext": "group_by, join and filter, or sqlite3",
    "sql": "group_by, join and filter, or sqlite3",
    "sql_expr": "pl.col", "Decimal": "Float64", "Array": "List",
    "from_arrow": "from_pandas", "read_ipc": "read_csv", "scan_ipc":
    "scan_csv", "read_avro": "read_csv", "read_delta": "read_csv",
    "scan_delta": "scan_csv", "read_ods": "read_excel", "time_range":
    "datetime_range", "time": "datetime", "business_day_count":
    "numpy.busday_count", "map_groups": "map_elements", "groups": "implode",
    "int_ranges": "int_range", "date_ranges": "date_range",
    "datetime_ranges": "datetime_range", "rolling_corr": "corr",
    "StringCache": "String columns", "enable_string_cache":
    "String columns", "Unknown": "Null", "api": "functions of Expr",
    "plugins": "map_elements", "cum_fold": "fold", "cum_reduce": "reduce",
    "field": "Expr.struct.field", "read_database_uri": "read_database",
    "read_clipboard": "read_csv", "build_info": "__version__"}


def show_versions() -> None:
    print(f"Polars: {__version__}")


def __getattr__(name: str) -> Any:
    if name in _INSTEAD:
        raise AttributeError(f"polars.{name} is not here; instead take "
                             f"{_INSTEAD[name]}")
    raise AttributeError(f"module 'polars' has no attribute '{name}'")


__all__ = [*_functions, "Binary", "Boolean", "Categorical", "Config",
           "DataFrame", "DataType", "Date", "Datetime", "Duration", "Enum",
           "Expr", "FLOAT_DTYPES", "Field", "Float32", "Float64",
           "INTEGER_DTYPES", "Int16", "Int32", "Int64", "Int8", "LazyFrame",
           "List", "NUMERIC_DTYPES", "Null", "Object", "Schema", "Series",
           "String", "Struct", "Time", "UInt16", "UInt32", "UInt64", "UInt8",
           "Utf8", "collect_all", "concat", "datatypes", "exceptions",
           "from_dict", "from_dicts", "from_numpy", "from_pandas",
           "from_records", "read_csv", "read_database", "read_excel",
           "read_json", "read_ndjson", "read_parquet", "scan_csv",
           "scan_ndjson", "scan_parquet", "selectors", "show_versions",
           "testing"]
