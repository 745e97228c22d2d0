"""duckdb - SQL over tables of pandas and files, with DuckDB's words.

Its dialect is translated for SQLite, with a type for each column; results,
names and printed boxes are those of DuckDB 1.1. A statement, function or type
that is not known to give DuckDB's answer raises NotImplementedError.
"""

from __future__ import annotations

from typing import Any

from . import _errors as _e

__version__ = "1.1.3"
apilevel, threadsafety, paramstyle = "2.0", 1, "qmark"

for _name in dir(_e):
    _value = getattr(_e, _name)
    if isinstance(_value, type) and issubclass(_value, Exception):
        globals()[_name] = _value

# Functions of the module are those of one connection.
_SHARED = ("sql", "query", "execute", "executemany", "table", "view",
           "register", "unregister", "from_df", "from_query", "values",
           "query_df", "read_csv", "from_csv_auto", "read_parquet",
           "from_parquet", "read_json", "fetchall", "fetchone", "fetchmany",
           "fetchdf", "fetch_df", "df", "fetchnumpy", "begin", "commit",
           "rollback", "cursor", "close", "pl", "arrow", "checkpoint",
           "duplicate", "create_function", "remove_function")


def connect(database: Any = ":memory:", read_only: bool = False,
            config: Any = None) -> Any:
    """A connection to a file, or to a database in memory."""
    from ._connection import connect as work
    return work(database, read_only, config)


def _shared(name: str) -> Any:
    # the parser and the binder are long: the first call imports them
    def call(*args: Any, connection: Any = None, **kwargs: Any) -> Any:
        from ._connection import default
        return getattr(connection or default(), name)(*args, **kwargs)
    call.__name__ = call.__qualname__ = name
    return call


for _name in _SHARED:
    globals()[_name] = _shared(_name)

_LEFT_OUT = ("ColumnExpression", "ConstantExpression", "FunctionExpression",
             "CaseExpression", "StarExpression", "SQLExpression",
             "LambdaExpression", "Expression", "functional",
             "experimental",
             "from_arrow", "append", "extract_statements", "tokenize",
             "install_extension", "load_extension", "filter", "project",
             "aggregate", "order", "limit", "distinct", "alias", "dtype",
             "type", "sqltype", "list_type", "struct_type", "array_type",
             "interrupt", "set_default_connection", "default_connection",
             "write_csv", "description", "rowcount")


def __getattr__(name: str) -> Any:
    if name == "DuckDBPyConnection":
        from ._connection import DuckDBPyConnection
        return DuckDBPyConnection
    if name == "DuckDBPyRelation":
        from ._relation import DuckDBPyRelation
        return DuckDBPyRelation
    if name == "description":
        from ._connection import default
        return default().description
    if name == "rowcount":
        return -1
    if name in _LEFT_OUT:
        raise AttributeError(f"duckdb has no {name} here; duckdb.sql(), "
                             "connections and relations are")
    raise AttributeError(f"module 'duckdb' has no attribute '{name}'")


__all__ = ["connect", "DuckDBPyConnection", "DuckDBPyRelation", *_SHARED]
