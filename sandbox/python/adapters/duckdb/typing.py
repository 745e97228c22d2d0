"""The names of types, for create_function() and others."""

from __future__ import annotations

from ._types import DuckDBPyType

BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, HUGEINT, UTINYINT, USMALLINT, \
    UINTEGER, UBIGINT, FLOAT, DOUBLE, VARCHAR, BLOB, DATE, TIME, TIMESTAMP, \
    TIMESTAMP_NS, INTERVAL = map(DuckDBPyType, (
        "BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT",
        "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "FLOAT", "DOUBLE",
        "VARCHAR", "BLOB", "DATE", "TIME", "TIMESTAMP", "TIMESTAMP_NS",
        "INTERVAL"))
__all__ = [_name for _name in dir() if _name.isupper()] + ["DuckDBPyType"]


def __getattr__(name: str) -> object:
    raise AttributeError(f"duckdb.typing has no {name} here")
