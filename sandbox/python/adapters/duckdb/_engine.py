"""The engine: a database of SQLite, DuckDB's names and types for it."""

from __future__ import annotations

import datetime
import difflib
import json
import os
import random
import sqlite3
import sys
from typing import Any, Callable, NamedTuple

from . import _types as types
from ._errors import (CatalogException, ConstraintException, Error,
                      InternalError, IOException, fail, lacks)
from ._source import quoted

_CATALOG = "duckdb's catalog"


class Stored(NamedTuple):
    """A table or a view: KIND, its name in the engine, and its columns."""

    kind: str
    name: str
    stored: str
    columns: list
    text: str = ""


class Engine:
    def __init__(self, path: str) -> None:
        self.db = self._open(path)
        self.names: dict[Any, str] = {}
        self.failure: BaseException | None = None
        self.tables: dict[str, Stored] = {}
        self.sequences: dict[str, list[int]] = {}
        self.registered: dict[str, Any] = {}
        self.users: dict[str, Any] = {}
        self.number = 0
        self.frame: Any = None
        self.cursors = 1
        self.db.execute("PRAGMA case_sensitive_like = ON")
        self.db.execute("PRAGMA temp_store = MEMORY")
        self.db.execute(f"CREATE TABLE IF NOT EXISTS {quoted(_CATALOG)} "
                        "(name TEXT PRIMARY KEY, record TEXT)")
        self.load()

    @staticmethod
    def _open(path: str) -> Any:
        if path != ":memory:" and os.path.exists(path):
            with open(path, "rb") as file:
                head = file.read(16)
            if head[8:12] == b"DUCK":
                lacks("a database file of DuckDB itself",
                      "use a file that this module wrote")
            if head and not head.startswith(b"SQLite format 3"):
                fail(IOException, f'The file "{path}" exists, but it is not '
                     "a valid DuckDB database file!")
        try:
            return sqlite3.connect(path, isolation_level=None,
                                   check_same_thread=False)
        except sqlite3.OperationalError:
            fail(IOException, f'Cannot open file "{path}": No such file or '
                 "directory")

    # -- functions of Python

    def function(self, name: Any, count: int, make: Callable[[], Any],
                 nulls: bool) -> str:
        key = (name, count)
        made = self.names.get(key)
        if made is None:
            made = self.names[key] = f"f{len(self.names)}"
            self.db.create_function(made, count, self._guarded(make(), nulls),
                                    deterministic=True)
        return made

    def _guarded(self, work: Any, nulls: bool) -> Any:
        def run(*args: Any) -> Any:
            if not nulls and None in args:
                return None
            try:
                made = work(*args)
            except BaseException as error:
                self.failure = error
                raise
            if made != made:
                self.failure = NotImplementedError("duckdb: NaN is not here")
                raise self.failure
            return made
        return run

    def volatile(self, name: str) -> str:
        key = ("volatile", name)
        if key not in self.names:
            self.names[key] = f"v_{name}"
            work, count = {"random": (random.random, 0),
                           "nextval": (self._nextval, 1)}[name]
            self.db.create_function(f"v_{name}", count,
                                    self._guarded(work, False))
        return self.names[key]

    def _nextval(self, name: str) -> int:
        state = self.sequences.get(name.lower())
        if state is None:
            fail(CatalogException,
                 f"Sequence with name {name} does not exist!")
        state[0] += state[1]
        return state[0] - state[1]

    def aggregate(self, name: Any, count: int,
                  make: Callable[[], type]) -> str:
        key = ("aggregate", name, count)
        made = self.names.get(key)
        if made is None:
            made = self.names[key] = f"a{len(self.names)}"
            self.db.create_window_function(made, count,
                                           self._watched(make()))
        return made

    def _watched(self, parent: type) -> type:
        engine = self

        def watch(name: str) -> Any:
            work = getattr(parent, name)

            def run(self: Any, *args: Any) -> Any:
                try:
                    return work(self, *args)
                except BaseException as error:
                    engine.failure = error
                    raise
            return run
        return type("Watched", (parent,), {
            name: watch(name) for name in ("step", "inverse", "value",
                                           "finalize")})

    # -- running

    def run(self, sql: str) -> Any:
        self.failure = None
        try:
            return self.db.execute(sql)
        except sqlite3.Error as error:
            self.explain(error)

    def rows(self, sql: str) -> list:
        self.failure = None
        try:
            return self.db.execute(sql).fetchall()
        except sqlite3.Error as error:
            return self.explain(error)

    def explain(self, error: sqlite3.Error) -> Any:
        """Raise DuckDB's error, or the one of a function of ours."""
        failure, self.failure = self.failure, None
        if failure is not None:
            raise failure from None
        text = str(error)
        if "integer overflow" in text:
            lacks("a sum of more than 64 bits", "cast to DOUBLE first")
        if isinstance(error, sqlite3.IntegrityError):
            self._constraint(text)
        if isinstance(error, sqlite3.ProgrammingError):
            raise Error(text) from error
        raise InternalError(f"duckdb: {text}") from error

    @staticmethod
    def _constraint(text: str) -> None:
        kind, _, rest = text.partition(" constraint failed: ")
        if kind == "NOT NULL":
            fail(ConstraintException, f"NOT NULL constraint failed: {rest}")
        if kind in ("UNIQUE", "PRIMARY KEY"):
            names = ", ".join(one.rpartition(".")[2]
                              for one in rest.split(", "))
            fail(ConstraintException, f'Duplicate key "{names}" violates '
                 "primary key constraint." if kind == "PRIMARY KEY" else
                 f'Duplicate key "{names}" violates unique or primary key '
                 "constraint.")
        fail(ConstraintException, text)

    @staticmethod
    def now() -> Any:
        return datetime.datetime.now()

    # -- the catalogue

    def load(self) -> None:
        self.tables, self.sequences = {}, {}
        for name, record in self.db.execute(
                f"SELECT name, record FROM {quoted(_CATALOG)}"):
            made = json.loads(record)
            if made["kind"] == "sequence":
                self.sequences[name] = made["state"]
                continue
            columns = [(one, types.parse(kind)) for one, kind in
                       made["columns"]]
            self.tables[name] = Stored(made["kind"], made["name"],
                                       made["name"], columns, made["text"])

    def save(self, table: Stored) -> None:
        self.tables[table.name.lower()] = table
        record = json.dumps({
            "kind": table.kind, "name": table.name, "text": table.text,
            "columns": [(name, str(kind)) for name, kind in table.columns]})
        self.put(table.name, record)

    def put(self, name: str, record: str) -> None:
        self.db.execute(f"INSERT OR REPLACE INTO {quoted(_CATALOG)} "
                        "VALUES (?, ?)", (name.lower(), record))

    def forget(self, name: str) -> None:
        self.tables.pop(name.lower(), None)
        self.db.execute(f"DELETE FROM {quoted(_CATALOG)} WHERE name = ?",
                        (name.lower(),))

    def table(self, name: str) -> Stored | None:
        return self.tables.get(name.lower())

    def no_table(self, name: str) -> Any:
        names = [one.name for one in self.tables.values()] + list(
            self.registered)
        near = difflib.get_close_matches(name.lower(), names, 1, 0.3) \
            or names[:1]
        hint = f'\nDid you mean "{near[0]}"?' if near else ""
        fail(CatalogException,
             f"Table with name {name} does not exist!{hint}")

    # -- tables from outside

    def scan(self, binder: Any, names: list, kinds: list,
             values: list) -> Stored:
        """A passing table of VALUES, a list for each column."""
        self.number += 1
        stored = f"scan {self.number}"
        heads = unique_names(names)
        self.db.execute(f"CREATE TEMP TABLE {quoted(stored)} "
                        f"({', '.join(map(quoted, heads))})")
        marks = ", ".join("?" * len(heads))
        begun = not self.db.in_transaction
        begun and self.db.execute("BEGIN")
        self.db.executemany(f"INSERT INTO {quoted(stored)} VALUES ({marks})",
                            zip(*values))
        begun and self.db.execute("COMMIT")
        binder.scans.append(Scan(self, stored))
        return Stored("table", stored, stored, list(zip(heads, kinds)))

    def variable(self, binder: Any, name: str) -> Any:
        """The table or relation that NAME is registered as, or that a
        variable of the program's frame is."""
        from ._frames import kept_columns
        value = self.registered.get(name.lower())
        if value is None:
            value = self._in_frame(name)
        if value is None:
            return None
        if hasattr(value, "_bound"):
            binder.scans.append(value)
            return value._bound
        names, kinds, values = kept_columns(value, name)
        return self.scan(binder, names, kinds, values)

    def _in_frame(self, name: str) -> Any:
        frame = self.frame
        if frame is None:
            return None
        for names in (frame.f_locals, frame.f_globals):
            if name in names:
                value = names[name]
                if _is_table(value):
                    return value
        return None

    def file(self, binder: Any, function: str, path: Any,
             options: dict) -> Stored:
        from ._files import read
        names, kinds, values = read(function, path, options)
        return self.scan(binder, names, kinds, values)


def _is_table(value: Any) -> bool:
    if hasattr(value, "_bound"):
        return True
    pandas, numpy = sys.modules.get("pandas"), sys.modules.get("numpy")
    if pandas is not None and isinstance(value, pandas.DataFrame):
        return True
    if numpy is not None and isinstance(value, numpy.ndarray):
        return value.dtype.kind in "iufbU" and value.ndim <= 2
    module = type(value).__module__.partition(".")[0]
    if module in ("polars", "pyarrow"):
        lacks(f"a table of {module}", "use pandas")
    return isinstance(value, dict) and bool(value) and all(
        numpy is not None and isinstance(one, numpy.ndarray)
        for one in value.values())


class Scan:
    """A passing table; it goes with the last that uses it."""

    def __init__(self, engine: Engine, stored: str) -> None:
        self.engine, self.stored = engine, stored

    def __del__(self) -> None:
        try:
            self.engine.db.execute(
                f"DROP TABLE IF EXISTS temp.{quoted(self.stored)}")
        except (sqlite3.Error, AttributeError, TypeError):
            pass


def unique_names(names: list) -> list[str]:
    from ._names import unique
    return unique([str(one) for one in names])


def calling_frame() -> Any:
    """The frame of the program that called this module."""
    frame = sys._getframe(1)
    package = __name__.partition(".")[0]
    while frame is not None and frame.f_globals.get(
            "__name__", "").partition(".")[0] == package:
        frame = frame.f_back
    return frame
