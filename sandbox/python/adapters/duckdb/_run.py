"""Statements that are no queries: each changes tables or tells of them."""

from __future__ import annotations

import json
from typing import Any

from . import _nodes as n
from . import _types as types
from ._binder import Binder
from ._engine import Engine, Stored
from ._errors import (BinderException, CatalogException, Error,
                      TransactionException, fail, lacks)
from ._result import Result
from ._scope import Column, E, Rel, Scope
from ._select import Bound, bind_query
from ._source import quoted
from ._types import BIGINT, BOOLEAN, INTEGER, VARCHAR

_HARMLESS = frozenset("""threads worker_threads memory_limit max_memory
    enable_progress_bar enable_progress_bar_print preserve_insertion_order
    temp_directory disable_progress_bar verify_parallelism
    enable_object_cache enable_profiling disable_profiling
    max_temp_directory_size allow_unsigned_extensions
    python_enable_replacements autoinstall_known_extensions
    autoload_known_extensions""".split())


def count(number: int) -> Result:
    return Result(["Count"], [BIGINT], [(number,)])


def nothing() -> Result:
    return Result([], [], [])


class Runner:
    def __init__(self, engine: Engine, params: Any = None) -> None:
        self.engine = engine
        self.binder = Binder(engine, params)

    def run(self, node: Any, text: str) -> Result:
        if not isinstance(node, n.Statement):
            return self.query(bind_query(self.binder, node, None))
        return getattr(self, "r_" + node.kind)(text, **node.parts)

    def query(self, bound: Bound) -> Result:
        return Result(bound.names, bound.types, self.engine.rows(bound.sql))

    def bind(self, query: Any) -> Bound:
        return bind_query(self.binder, query, None)

    # -- CREATE, DROP, ALTER

    def _free(self, name: str, replace: bool, missing: bool,
              kind: str) -> bool:
        """Whether NAME may be made; an old one of it is dropped."""
        old = self.engine.table(name)
        if old is None:
            return True
        if missing and not replace:
            return False
        if not replace:
            fail(CatalogException, f"{old.kind.capitalize()} with name "
                 f'"{name}" already exists!')
        if old.kind != kind:
            fail(CatalogException, f"Existing object {name} is of type "
                 f"{old.kind.capitalize()}, trying to replace with type "
                 f"{kind.capitalize()}")
        self._drop(old)
        return True

    def _drop(self, old: Stored) -> None:
        if old.kind == "table":
            self.engine.run(f"DROP TABLE {quoted(old.stored)}")
        self.engine.forget(old.name)

    def r_create_table(self, text: str, name: str, columns: list, keys: list,
                       query: Any, replace: bool, missing: bool) -> Result:
        bound = self.bind(query) if query is not None else None
        rows = self.engine.rows(bound.sql) if bound else []
        if not self._free(name, replace, missing, "table"):
            return nothing()
        if bound is not None:
            kinds = [INTEGER if kind == types.NULL else kind
                     for kind in bound.types]
            heads = [one for one in bound.names]
            if columns:
                lacks("CREATE TABLE with both columns and AS")
            self._make(name, list(zip(heads, kinds)), [], "{}")
            return self._fill(name, rows)
        self._define(name, columns, keys)
        return nothing()

    def _fill(self, name: str, rows: list) -> Result:
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            with _Together(self.engine):
                self.engine.db.executemany(
                    f"INSERT INTO {quoted(name)} VALUES ({marks})", rows)
        return count(len(rows))

    def _define(self, name: str, columns: list, keys: list) -> None:
        pairs = [(one["name"], one["type"]) for one in columns]
        parts = []
        main = next((cols for kind, cols in keys
                     if kind == "PRIMARY KEY"), ())
        for one in columns:
            if one["name"] in main:
                one["null"] = False
                one["key"] = one["key"] or "PRIMARY KEY" * (len(main) == 1)
            part = quoted(one["name"])
            part += "" if one["null"] else " NOT NULL"
            if one["key"] and one["name"] not in main:
                part += " " + one["key"]
            if one["check"] is not None:
                part += f" CHECK ({self._check(pairs, one['check'])})"
            parts.append(part)
        for kind, what in keys:
            inner = self._check(pairs, what) if kind == "CHECK" \
                else ", ".join(map(quoted, what))
            parts.append(f"{kind} ({inner})")
        facts = {"defaults": {one["name"]: one["default"] for one in columns
                              if one["default"] is not None},
                 "needed": [one["name"] for one in columns
                            if not one["null"]],
                 "main": list(main) + [one["name"] for one in columns
                                       if one["key"] == "PRIMARY KEY"
                                       and one["name"] not in main]}
        self._make(name, pairs, parts, json.dumps(facts))

    def _check(self, pairs: list, expr: Any) -> str:
        scope = self._scope("", pairs, "")
        self.binder.scope = scope
        sql = self.binder.boolean(expr)
        if "f" in sql and any(f"{made}(" in sql for made in
                              self.engine.names.values()):
            lacks("this CHECK", "use comparisons of columns")
        return sql

    def _make(self, name: str, pairs: list, parts: list, facts: str) -> None:
        parts = parts or [quoted(one) for one, _ in pairs]
        for _, kind in pairs:
            if kind.id == "STRUCT" or kind == types.STAMP_TZ:
                lacks(f"a table with a column of {kind}")
        self.engine.run(f"CREATE TABLE {quoted(name)} ({', '.join(parts)})")
        self.engine.save(Stored("table", name, name, pairs, facts))

    def r_create_view(self, text: str, name: str, query: Any, columns: tuple,
                      replace: bool, missing: bool) -> Result:
        bound = self.bind(query)
        if not self._free(name, replace, missing, "view"):
            return nothing()
        words = text[text.lower().index(name.lower()) + len(name):]
        start = words.lower().index("as") + 2
        for at in range(len(words)):  # the first AS that is a word
            if words[at:at + 2].lower() == "as" and (
                    at == 0 or not words[at - 1].isalnum()) \
                    and not words[at + 2:at + 3].isalnum():
                start = at + 2
                break
        pairs = [(one, kind) for one, kind in zip(columns, bound.types)]
        self.engine.save(Stored("view", name, name, pairs, words[start:]))
        return nothing()

    def r_create_sequence(self, text: str, name: str, start: int, step: int,
                          replace: bool, missing: bool) -> Result:
        low = name.lower()
        if low in self.engine.sequences and not replace:
            if missing:
                return nothing()
            fail(CatalogException,
                 f'Sequence with name "{name}" already exists!')
        self.engine.sequences[low] = [start, step]
        return nothing()

    def r_create_index(self, text: str, name: str, table: str,
                       columns: tuple, unique: bool, missing: bool) -> Result:
        found = self._table(table)
        word = "UNIQUE INDEX" if unique else "INDEX"
        exists = "IF NOT EXISTS " if missing else ""
        self.engine.run(f"CREATE {word} {exists}{quoted(name)} ON "
                        f"{quoted(found.stored)} "
                        f"({', '.join(map(quoted, columns))})")
        return nothing()

    def r_drop(self, text: str, what: str, name: str,
               missing: bool) -> Result:
        word = what.capitalize()
        if what == "index":
            self.engine.run(f"DROP INDEX {'IF EXISTS ' * missing}"
                            f"{quoted(name)}")
            return nothing()
        if what == "sequence":
            if self.engine.sequences.pop(name.lower(), None) is None \
                    and not missing:
                fail(CatalogException,
                     f"Sequence with name {name} does not exist!")
            return nothing()
        old = self.engine.table(name)
        if old is None:
            if missing:
                return nothing()
            if name.lower() in self.engine.registered and what == "view":
                del self.engine.registered[name.lower()]
                return nothing()
            if what == "table":
                self.engine.no_table(name)
            fail(CatalogException, f"View with name {name} does not exist!")
        if old.kind != what:
            fail(CatalogException, f"Existing object {name} is of type "
                 f"{old.kind.capitalize()}, trying to drop type {word}")
        self._drop(old)
        return nothing()

    def _table(self, name: str) -> Stored:
        found = self.engine.table(name)
        if found is None:
            return self.engine.no_table(name)
        if found.kind != "table":
            fail(CatalogException, f"{name} is not a table")
        return found

    def r_alter(self, text: str, action: str, name: str,
                **parts: Any) -> Result:
        table = self._table(name)
        getattr(self, "a_" + action)(table, **parts)
        return nothing()

    def a_rename(self, table: Stored, to: str) -> None:
        self.engine.run(f"ALTER TABLE {quoted(table.stored)} RENAME TO "
                        f"{quoted(to)}")
        self.engine.forget(table.name)
        self.engine.save(table._replace(name=to, stored=to))

    def _column(self, table: Stored, name: str) -> int:
        for at, (one, _) in enumerate(table.columns):
            if one.lower() == name.lower():
                return at
        return fail(BinderException, f'Table "{table.name}" does not have a '
                    f'column with name "{name}"')

    def a_rename_column(self, table: Stored, column: str, to: str) -> None:
        at = self._column(table, column)
        self.engine.run(f"ALTER TABLE {quoted(table.stored)} RENAME COLUMN "
                        f"{quoted(column)} TO {quoted(to)}")
        pairs = list(table.columns)
        pairs[at] = (to, pairs[at][1])
        self.engine.save(table._replace(columns=pairs))

    def a_add(self, table: Stored, column: dict) -> None:
        if column["key"] or column["check"] is not None \
                or not column["null"]:
            lacks("ADD COLUMN with a constraint")
        facts = json.loads(table.text)
        value = "NULL"
        if column["default"] is not None:
            facts.setdefault("defaults", {})[column["name"]] = \
                column["default"]
            value = self._default(column["default"], column["type"])
        self.engine.run(f"ALTER TABLE {quoted(table.stored)} ADD COLUMN "
                        f"{quoted(column['name'])}")
        self.engine.run(f"UPDATE {quoted(table.stored)} SET "
                        f"{quoted(column['name'])} = {value}")
        self.engine.save(table._replace(
            columns=table.columns + [(column["name"], column["type"])],
            text=json.dumps(facts)))

    def a_drop(self, table: Stored, column: str) -> None:
        at = self._column(table, column)
        self.engine.run(f"ALTER TABLE {quoted(table.stored)} DROP COLUMN "
                        f"{quoted(column)}")
        self.engine.save(table._replace(
            columns=table.columns[:at] + table.columns[at + 1:]))

    def _default(self, text: str, kind: Any) -> str:
        from ._statements import parse
        query = parse(f"SELECT {text}")[0][0]
        self.binder.scope = Scope(None)
        return self.binder.cast(self.binder.bind(
            query.body.items[0].expr), kind).sql

    # -- rows

    def _scope(self, name: str, pairs: list, prefix: str,
               alias: Any = None) -> Scope:
        scope = Scope(None)
        scope.rels.append(Rel(alias or name, [
            Column(one, prefix + quoted(one), kind) for one, kind in pairs]))
        return scope

    def r_insert(self, text: str, name: str, columns: tuple, query: Any,
                 conflict: str, updates: Any, by_name: bool,
                 returning: Any) -> Result:
        table = self._table(name)
        bound = self.bind(query) if query is not None else None
        if by_name and bound:
            columns = tuple(bound.names)
        places = [self._column(table, one) for one in columns] \
            or list(range(len(table.columns)))
        if bound is not None and len(bound.types) != len(places):
            word = f"table {name} has {len(table.columns)} columns" \
                if not columns else f"Column name/value mismatch: " \
                f"{len(places)} columns"
            fail(BinderException, f"{word} but {len(bound.types)} values "
                 "were supplied")
        given = {at: E(f"c{k}", bound.types[k])
                 for k, at in enumerate(places)} if bound else {}
        defaults = json.loads(table.text).get("defaults", {})
        values = []
        for at, (column, kind) in enumerate(table.columns):
            if at in given:
                values.append(self.binder.cast(given[at], kind).sql)
            else:
                values.append(self._default(defaults[column], kind)
                              if column in defaults else "NULL")
        come = f" FROM ({bound.sql}) WHERE true" if bound else ""
        word = {"": "INSERT", "update": "INSERT", "replace":
                "INSERT OR REPLACE", "ignore": "INSERT OR IGNORE"}[conflict]
        sql = (f"{word} INTO {quoted(table.stored)} "
               f"SELECT {', '.join(values)}{come}")
        if conflict == "update":
            sql += self._upsert(table, updates)
        return self._changed(table, sql, returning)

    def _upsert(self, table: Stored, updates: tuple) -> str:
        target, sets = updates
        scope = self._scope(table.name, table.columns,
                            quoted(table.stored) + ".")
        scope.rels.append(Rel("excluded", [
            Column(one, f"excluded.{quoted(one)}", kind)
            for one, kind in table.columns]))
        made = self._sets(table, scope, sets, True)
        names = ", ".join(map(quoted, target))
        return f" ON CONFLICT ({names}) DO UPDATE SET {made}" if target \
            else lacks("ON CONFLICT without columns")

    def _sets(self, table: Stored, scope: Scope, sets: tuple,
              first: bool = False) -> str:
        parts = []
        for name, expr in sets:
            at = self._column(table, name)
            column, kind = table.columns[at]
            self.binder.scope = scope
            rels = list(scope.rels)
            if first:  # a plain name is the old row's
                scope.rels = rels[:1] if isinstance(expr, n.Col) and len(
                    expr.parts) == 1 else rels
            e = self.binder.cast(self.binder.bind(expr), kind)
            scope.rels = rels
            parts.append(f"{quoted(column)} = {e.sql}")
        return ", ".join(parts)

    def _changed(self, table: Stored, sql: str, returning: Any) -> Result:
        with _Together(self.engine):
            if returning is None:
                return count(self.engine.run(sql).rowcount)
            scope = self._scope(table.name, table.columns, "")
            self.binder.scope = scope
            names, es = [], []
            for item in returning:
                if isinstance(item.expr, n.Star):
                    found = scope.star(item.expr)
                    names += [one.name for one in found]
                    es += [E(one.sql, one.type) for one in found]
                else:
                    from ._names import column_name
                    names.append(item.alias or column_name(item.expr))
                    es.append(self.binder.bind(item.expr))
            rows = self.engine.rows(
                f"{sql} RETURNING {', '.join(e.sql for e in es)}")
            return Result(names, [e.type for e in es], rows)

    def r_update(self, text: str, name: str, alias: Any, sets: tuple,
                 where: Any, returning: Any) -> Result:
        table = self._table(name)
        scope = self._scope(table.name, table.columns,
                            quoted(table.stored) + ".", alias)
        made = self._sets(table, scope, sets)
        return self._changed(table, f"UPDATE {quoted(table.stored)} SET "
                             f"{made}{self._where(scope, where)}", returning)

    def _where(self, scope: Scope, where: Any) -> str:
        if where is None:
            return " WHERE true"
        self.binder.scope = scope
        return f" WHERE {self.binder.boolean(where)}"

    def r_delete(self, text: str, name: str, where: Any,
                 returning: Any) -> Result:
        table = self._table(name)
        scope = self._scope(table.name, table.columns,
                            quoted(table.stored) + ".")
        return self._changed(table, f"DELETE FROM {quoted(table.stored)}"
                             + self._where(scope, where), returning)

    def r_copy(self, text: str, query: Any, table: Any, columns: tuple,
               way: str, file: str, options: dict) -> Result:
        from ._copy import copy_from, copy_to
        if way == "from":
            return copy_from(self, table, columns, file, options)
        if query is None:
            items = tuple(n.Named(n.Col((one,))) for one in columns) or (
                n.Named(n.Star()),)
            query = n.Select(items, n.Table((table,)))
        result = self.query(self.bind(query))
        copy_to(result, file, options)
        return count(len(result.rows))

    # -- about the database

    def r_describe(self, text: str, query: Any) -> Result:
        bound = self.bind(query)
        facts: dict = {}
        source = getattr(query.body, "source", None) \
            if isinstance(query, n.Query) else None
        if isinstance(source, n.Table) and query.body.items == (
                n.Named(n.Star()),):
            found = self.engine.table(source.parts[-1])
            if found is not None and found.kind == "table":
                facts = json.loads(found.text)
        rows = [(name, str(INTEGER if kind == types.NULL else kind),
                 "NO" if name in facts.get("needed", ()) else "YES",
                 "PRI" if name in facts.get("main", ()) else None,
                 facts.get("defaults", {}).get(name), None)
                for name, kind in zip(bound.names, bound.types)]
        return Result(["column_name", "column_type", "null", "key",
                       "default", "extra"], [VARCHAR] * 6, rows)

    def r_table_info(self, text: str, query: Any) -> Result:
        made = self.r_describe(text, query)
        rows = [(at, row[0], row[1], int(row[2] == "NO"), row[4],
                 int(row[3] == "PRI")) for at, row in enumerate(made.rows)]
        return Result(["cid", "name", "type", "notnull", "dflt_value", "pk"],
                      [INTEGER, VARCHAR, VARCHAR, BOOLEAN, VARCHAR, BOOLEAN],
                      rows)

    def r_show(self, text: str, what: str) -> Result:
        names = [one.name for one in self.engine.tables.values()]
        names += list(self.engine.registered)
        return Result(["name"], [VARCHAR], [(one,) for one in sorted(names)])

    def r_summarize(self, text: str, query: Any) -> Result:
        lacks("SUMMARIZE", "use DESCRIBE, or df().describe()")

    def r_set(self, text: str, name: str, value: str) -> Result:
        if name not in _HARMLESS:
            lacks(f"SET {name}")
        return nothing()

    # -- transactions

    def r_begin(self, text: str) -> Result:
        if self.engine.db.in_transaction:
            fail(TransactionException,
                 "cannot start a transaction within a transaction")
        self.engine.run("BEGIN")
        return nothing()

    def r_commit(self, text: str) -> Result:
        if not self.engine.db.in_transaction:
            fail(TransactionException,
                 "cannot commit - no transaction is active")
        self.engine.run("COMMIT")
        return nothing()

    def r_rollback(self, text: str) -> Result:
        if not self.engine.db.in_transaction:
            fail(TransactionException,
                 "cannot rollback - no transaction is active")
        self.engine.run("ROLLBACK")
        self.engine.load()
        return nothing()


class _Together:
    """All of a statement, or nothing of it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def __enter__(self) -> None:
        self.engine.db.execute("SAVEPOINT statement")

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        if kind is not None:
            self.engine.db.execute("ROLLBACK TO statement")
        self.engine.db.execute("RELEASE statement")


__all__ = ["Runner", "Error"]
