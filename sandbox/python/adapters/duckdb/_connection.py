"""Connections."""

from __future__ import annotations

import os
from typing import Any

from . import _nodes as n
from ._engine import Engine, calling_frame
from ._errors import (ConnectionException, InvalidInputException, fail,
                      lacks)
from ._relation import DuckDBPyRelation, value_relation
from ._result import Fetches, Result
from ._run import Runner
from ._select import bind_query
from ._statements import parse


class DuckDBPyConnection(Fetches):
    def __init__(self, engine: Any) -> None:
        self._held: Any = engine
        self._result: Result | None = None

    @property
    def _engine(self) -> Engine:
        if self._held is None:
            fail(ConnectionException, "Connection already closed!")
        return self._held

    def _look(self) -> None:
        """Names of tables may be variables of the frame that asks."""
        self._engine.frame = calling_frame()

    def _open(self) -> Result:
        self._engine
        if self._result is None:
            fail(InvalidInputException, "No open result set")
        return self._result

    # -- SQL

    def execute(self, query: str, parameters: Any = None,
                multiple_parameter_sets: bool = False) -> Any:
        if multiple_parameter_sets:
            return self.executemany(query, parameters)
        self._look()
        self._run(query, parameters)
        return self

    def _run(self, query: Any, parameters: Any) -> None:
        found = parse(_sql(query))
        params = _params(parameters)
        for at, (node, text) in enumerate(found):
            runner = Runner(self._engine, params)
            result = runner.run(node, text)
            if at == len(found) - 1:
                _all_used(params, runner.binder.used)
            self._result = result
        if not found:
            self._result = None

    def executemany(self, query: str, parameters: Any = None) -> Any:
        self._look()
        found = parse(_sql(query))
        sets = list(parameters if parameters is not None else ())
        if not sets:
            fail(InvalidInputException, "executemany requires a non-empty "
                 "list of parameter sets to be provided")
        engine, begun = self._engine, False
        if not engine.db.in_transaction:
            engine.db.execute("BEGIN")
            begun = True
        try:
            for one in sets:
                params = _params(one)
                for node, text in found:
                    runner = Runner(engine, params)
                    self._result = runner.run(node, text)
                    _all_used(params, runner.binder.used)
        except BaseException:
            begun and engine.db.execute("ROLLBACK")
            raise
        begun and engine.db.execute("COMMIT")
        return self

    def sql(self, query: str, *, alias: str = "",
            params: Any = None) -> Any:
        self._look()
        found = parse(_sql(query))
        made: Any = None
        values = _params(params)
        for node, text in found:
            runner = Runner(self._engine, values)
            if isinstance(node, n.Statement):
                result = runner.run(node, text)
                told = node.kind in ("describe", "show", "table_info") \
                    or node.parts.get("returning") is not None
                made = value_relation(self, result) if told else None
                continue
            bound = bind_query(runner.binder, node, None)
            _all_used(values, runner.binder.used)
            made = DuckDBPyRelation(self, bound, list(runner.binder.scans),
                                    alias)
        return made

    query = from_query = sql

    # -- tables from outside

    def register(self, view_name: str, python_object: Any) -> Any:
        from ._engine import _is_table
        if not _is_table(python_object):
            fail(InvalidInputException, f"Python Object {view_name} not "
                 "suitable to be registered as a view")
        self._engine.registered[view_name.lower()] = python_object
        return self

    def unregister(self, view_name: str) -> Any:
        self._engine.registered.pop(view_name.lower(), None)
        return self

    def _from(self, source: Any, alias: str = "") -> DuckDBPyRelation:
        runner = Runner(self._engine)
        node = n.Query(n.Select((n.Named(n.Star()),), source))
        bound = bind_query(runner.binder, node, None)
        return DuckDBPyRelation(self, bound, list(runner.binder.scans), alias)

    def table(self, table_name: str) -> DuckDBPyRelation:
        self._look()
        return self._from(n.Table(tuple(table_name.split("."))), table_name)

    view = table

    def from_df(self, df: Any) -> DuckDBPyRelation:
        from ._frames import kept_columns
        names, kinds, values = kept_columns(df, "df")
        return value_relation(self, Result(names, kinds,
                                           list(zip(*values))))

    def df(self, df: Any = None, *, date_as_object: bool = False) -> Any:
        if df is not None:
            return self.from_df(df)
        return self._open().frame(date_as_object)

    def values(self, *values: Any) -> DuckDBPyRelation:
        from ._values import kept
        rows = values if values and isinstance(values[0], tuple) else (
            tuple(values[0]) if len(values) == 1
            and isinstance(values[0], list) else values,)
        return self._from(n.Derived(n.Query(n.Values(tuple(
            tuple(n.Const("python", kept(one)) for one in row)
            for row in rows)))))

    def query_df(self, df: Any, virtual_table_name: str,
                 sql_query: str) -> Any:
        return self.from_df(df).query(virtual_table_name, sql_query)

    def create_function(self, name: str, function: Any,
                        parameters: Any = None, return_type: Any = None, *,
                        type: Any = "native", null_handling: Any = "default",
                        exception_handling: Any = "default",
                        side_effects: bool = False) -> Any:
        from ._user import create
        if type != "native":
            lacks(f"create_function(type={type!r})")
        if exception_handling != "default":
            lacks("create_function(exception_handling=...)")
        if side_effects:
            lacks("create_function(side_effects=True)")
        create(self._engine, name, function, parameters, return_type,
               null_handling == "special", not side_effects)
        return self

    def remove_function(self, name: str) -> Any:
        if self._engine.users.pop(name.lower(), None) is None:
            fail(InvalidInputException, f'No function by the name of "{name}"'
                 " was found in the list of registered functions")
        return self

    # -- files

    def _file(self, name: str, path: Any, options: dict) -> DuckDBPyRelation:
        paths = [os.fspath(one) for one in path] \
            if isinstance(path, (list, tuple)) else os.fspath(path)
        runner = Runner(self._engine)
        stored = self._engine.file(runner.binder, name, paths, {
            key: value for key, value in options.items()
            if value is not None})
        from ._source import quoted
        items = ", ".join(f"{quoted(one)} AS c{k}" for k, (one, _) in
                          enumerate(stored.columns))
        from ._select import Bound
        bound = Bound(f"SELECT {items} FROM {quoted(stored.stored)}",
                      [one for one, _ in stored.columns],
                      [kind for _, kind in stored.columns])
        return DuckDBPyRelation(self, bound, list(runner.binder.scans))

    def read_csv(self, path_or_buffer: Any, **options: Any) -> Any:
        aliases = {"na_values": "nullstr", "dtype": "types",
                   "quotechar": "quote", "escapechar": "escape",
                   "skiprows": "skip", "date_format": "dateformat",
                   "timestamp_format": "timestampformat",
                   "delimiter": "delim"}
        if hasattr(path_or_buffer, "read"):
            lacks("read_csv() of a buffer", "write a file, or use pandas")
        return self._file("read_csv", path_or_buffer, {
            aliases.get(name, name): value
            for name, value in options.items()})

    from_csv_auto = read_csv

    def read_parquet(self, file_glob: Any, **options: Any) -> Any:
        return self._file("read_parquet", file_glob, options)

    from_parquet = read_parquet

    def read_json(self, path_or_buffer: Any, **options: Any) -> Any:
        return self._file("read_json", path_or_buffer, options)

    # -- transactions, and the end

    def begin(self) -> Any:
        return self.execute("BEGIN")

    def commit(self) -> Any:
        return self.execute("COMMIT")

    def rollback(self) -> Any:
        return self.execute("ROLLBACK")

    def checkpoint(self) -> Any:
        return self

    def cursor(self) -> DuckDBPyConnection:
        self._engine.cursors += 1
        return DuckDBPyConnection(self._engine)

    duplicate = cursor

    @property
    def description(self) -> Any:
        return None if self._result is None else self._result.description

    @property
    def rowcount(self) -> int:
        return -1

    def close(self) -> None:
        if self._held is not None:
            self._held.cursors -= 1
            if not self._held.cursors:
                self._held.db.close()
        self._held = None

    def __enter__(self) -> DuckDBPyConnection:
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        self.close()

    def __getattr__(self, name: str) -> Any:
        if name in _LEFT_OUT:
            lacks(f"connection.{name}()")
        raise AttributeError("'duckdb.duckdb.DuckDBPyConnection' object has "
                             f"no attribute '{name}'")


_LEFT_OUT = frozenset("""append from_arrow
    install_extension load_extension list_filesystems register_filesystem
    filesystem_is_registered unregister_filesystem get_substrait
    from_substrait get_table_names extract_statements interrupt
    table_function sqltype array_type struct_type map_type enum_type
    from_parquet_glob""".split())


def _sql(query: Any) -> str:
    if not isinstance(query, str):
        fail(InvalidInputException, "Please provide either a "
             "DuckDBPyStatement or a string representing the query")
    return query


def _params(values: Any) -> dict:
    if values is None:
        return {}
    if isinstance(values, dict):
        return dict(values)
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        fail(InvalidInputException, "Prepared parameters can only be passed "
             "as a list or a dictionary")
    return {at: one for at, one in enumerate(values, 1)}


def _all_used(params: dict, used: set) -> None:
    missing = [str(key) for key in params if key not in used]
    if missing:
        fail(InvalidInputException, "Parameter argument/count mismatch, "
             "identifiers of the excess parameters: " + ", ".join(missing))


_OPEN: dict[str, Any] = {}


def connect(database: Any = ":memory:", read_only: bool = False,
            config: Any = None) -> DuckDBPyConnection:
    """A connection; two of one file share its tables."""
    path = os.fspath(database) or ":memory:"
    from ._run import _HARMLESS
    for name in config or {}:
        if name not in _HARMLESS:
            lacks(f"connect(config={{{name!r}: ...}})")
    if path == ":default:":
        return default()
    if path.startswith(":memory:"):
        if path == ":memory:":
            return DuckDBPyConnection(Engine(path))
        key = path
    else:
        key = os.path.realpath(path)
        if read_only and not os.path.exists(path):
            from ._errors import IOException
            fail(IOException, f'Cannot open database "{path}" in read-only '
                 "mode: database does not exist")
    engine = _OPEN.get(key)
    if engine is None or not engine.cursors:
        engine = _OPEN[key] = Engine(path if key != path or not
                                     path.startswith(":memory:")
                                     else ":memory:")
    else:
        engine.cursors += 1
    return DuckDBPyConnection(engine)


_DEFAULT: list[DuckDBPyConnection] = []


def default() -> DuckDBPyConnection:
    if not _DEFAULT or _DEFAULT[0]._held is None:
        _DEFAULT[:] = [DuckDBPyConnection(Engine(":memory:"))]
    return _DEFAULT[0]
