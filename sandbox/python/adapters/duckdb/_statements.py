"""The parser of statements: CREATE, INSERT, UPDATE, COPY and others."""

from __future__ import annotations

from typing import Any

from . import _nodes as n
from ._errors import lacks
from ._queries import Queries

_KNOWN = frozenset("""attach detach use checkpoint vacuum analyze export import
    install load call comment explain prepare deallocate merge truncate
    """.split())


def parse(sql: str) -> list[tuple[Any, str]]:
    """The statements of SQL, each with its text."""
    return Statements(sql).all()


class Statements(Queries):
    def all(self) -> list[tuple[Any, str]]:
        found = []
        while self.here.kind != "end":
            if self.mark(";"):
                continue
            start = self.here.at
            self.questions = 0
            made = self.statement()
            if not (self.is_mark(";") or self.here.kind == "end"):
                self.wrong()
            found.append((made, self.sql[start:self.here.at].strip()))
        return found

    def statement(self) -> Any:
        if self.is_query() and self.here.low not in ("describe", "show",
                                                     "summarize"):
            return self.query()
        token = self.here
        made = getattr(self, "s_" + token.low, None) \
            if token.kind == "word" else None
        if made is None:
            if token.low in _KNOWN:
                lacks(token.text.upper())
            return self.wrong()
        self.at += 1
        return made()

    def _make(self, kind: str, **parts: Any) -> Any:
        return n.Statement(kind, parts)

    def table_name(self) -> str:
        parts = [self.name()]
        while self.mark("."):
            parts.append(self.name(True))
        if len(parts) > 1 and parts[-2].lower() not in ("main", "temp"):
            lacks(f"the schema {parts[-2]}")
        return parts[-1]

    def _exists(self, *words: str) -> bool:
        if self.word("if"):
            self.need(*words)
            return True
        return False

    # -- CREATE, DROP, ALTER

    def s_create(self) -> Any:
        replace = self.word("or", "replace")
        temporary = self.word("temp") or self.word("temporary")
        self.word("persistent")
        if self.word("table"):
            return self._create_table(replace)
        if self.word("view"):
            return self._create_view(replace)
        if self.word("sequence"):
            return self._create_sequence(replace)
        if self.is_word("unique", "index") or self.is_word("index"):
            return self._create_index()
        if self.word("schema"):
            lacks("CREATE SCHEMA", "use one schema")
        lacks(f"CREATE {'TEMP ' if temporary else ''}"
              f"{self.here.text.upper()}")

    def _create_table(self, replace: bool) -> Any:
        missing = self._exists("not", "exists")
        name = self.table_name()
        columns: list = []
        keys: list = []
        if self.is_mark("("):
            self.need("(")
            self._definition(columns, keys)
            while self.mark(","):
                if self.is_mark(")"):
                    break
                self._definition(columns, keys)
            self.need(")")
        query = self.query_or_table() if self.word("as") else None
        return self._make("create_table", name=name, columns=columns,
                          keys=keys, query=query, replace=replace,
                          missing=missing)

    def query_or_table(self) -> Any:
        return self.query()

    def _definition(self, columns: list, keys: list) -> None:
        if self.word("constraint"):
            self.name()
        for words, kind in ((("primary", "key"), "PRIMARY KEY"),
                            (("unique",), "UNIQUE")):
            if self.word(*words):
                keys.append((kind, self.names()))
                return
        if self.word("check"):
            self.need("(")
            keys.append(("CHECK", self.expression()))
            self.need(")")
            return
        if self.is_word("foreign"):
            lacks("FOREIGN KEY")
        columns.append(self._column_definition())

    def _column_definition(self) -> dict:
        made = {"name": self.name(True), "type": self.type_name(),
                "null": True, "key": "", "default": None, "check": None}
        while True:
            if self.word("not", "null"):
                made["null"] = False
            elif self.word("null"):
                pass
            elif self.word("primary", "key"):
                made["key"], made["null"] = "PRIMARY KEY", False
            elif self.word("unique"):
                made["key"] = "UNIQUE"
            elif self.word("default"):
                start = self.here.at
                self._others()
                made["default"] = self.sql[start:self.here.at].strip()
            elif self.word("check"):
                self.need("(")
                made["check"] = self.expression()
                self.need(")")
            elif self.is_word("references") or self.is_word("generated") \
                    or self.is_word("as"):
                lacks(f"{self.here.text.upper()} of a column")
            else:
                return made

    def _create_view(self, replace: bool) -> Any:
        missing = self._exists("not", "exists")
        name = self.table_name()
        columns = self.names() if self.is_mark("(") else ()
        self.need("as")
        return self._make("create_view", name=name, query=self.query(),
                          columns=columns, replace=replace, missing=missing)

    def _create_sequence(self, replace: bool) -> Any:
        missing = self._exists("not", "exists")
        name = self.table_name()
        start, step = 1, 1
        while self.here.kind == "word":
            if self.word("start"):
                self.word("with")
                start = int(self.next().text)
            elif self.word("increment"):
                self.word("by")
                step = int(self.next().text)
            else:
                lacks(f"{self.here.text.upper()} of a sequence")
        return self._make("create_sequence", name=name, start=start,
                          step=step, replace=replace, missing=missing)

    def _create_index(self) -> Any:
        unique = self.word("unique")
        self.need("index")
        missing = self._exists("not", "exists")
        name = self.name()
        self.need("on")
        table = self.table_name()
        return self._make("create_index", name=name, table=table,
                          columns=self.names(), unique=unique,
                          missing=missing)

    def s_drop(self) -> Any:
        kind = self.next().low
        if kind not in ("table", "view", "sequence", "index"):
            lacks(f"DROP {kind.upper()}")
        missing = self._exists("exists")
        name = self.table_name()
        self.word("cascade") or self.word("restrict")
        return self._make("drop", what=kind, name=name, missing=missing)

    def s_alter(self) -> Any:
        self.need("table")
        self._exists("exists") and lacks("ALTER TABLE IF EXISTS")
        parts: dict = {"name": self.table_name()}
        if self.word("rename"):
            if self.word("to"):
                return self._make("alter", action="rename",
                                  to=self.name(), **parts)
            self.word("column")
            old = self.name(True)
            self.need("to")
            return self._make("alter", action="rename_column", column=old,
                              to=self.name(True), **parts)
        if self.word("add"):
            self.word("column")
            self._exists("not", "exists") and lacks("ADD COLUMN IF NOT EXISTS")
            return self._make("alter", action="add",
                              column=self._column_definition(), **parts)
        if self.word("drop"):
            self.word("column")
            self._exists("exists") and lacks("DROP COLUMN IF EXISTS")
            return self._make("alter", action="drop",
                              column=self.name(True), **parts)
        lacks("this ALTER TABLE", "use CREATE OR REPLACE TABLE")

    # -- rows

    def s_insert(self) -> Any:
        conflict = ""
        if self.word("or"):
            conflict = self.next().low
        self.need("into")
        name = self.table_name()
        by_name = self.word("by", "name")
        columns = self.names() if self.is_mark("(") and not (
            self.is_query()) else ()
        query = None if self.word("default", "values") else self.query()
        updates: Any = None
        if self.word("on", "conflict"):
            conflict, updates = self._conflict()
        return self._make("insert", name=name, columns=columns, query=query,
                          conflict=conflict, updates=updates, by_name=by_name,
                          returning=self._returning())

    def _conflict(self) -> tuple:
        target = self.names() if self.is_mark("(") else ()
        self.need("do")
        if self.word("nothing"):
            return "ignore", None
        self.need("update", "set")
        return "update", (target, self._assignments())

    def _returning(self) -> Any:
        return self._items_of_select() if self.word("returning") else None

    def _assignments(self) -> tuple:
        def one() -> Any:
            name = self.name(True)
            self.need("=")
            return name, self.expression()
        return self.several(one)

    def s_update(self) -> Any:
        name = self.table_name()
        alias = None
        if self.word("as") or self.here.kind == "word" \
                and not self.is_word("set"):
            alias = self.name()
        self.need("set")
        sets = self._assignments()
        if self.is_word("from"):
            lacks("UPDATE ... FROM", "use a subquery")
        condition = self.expression() if self.word("where") else None
        return self._make("update", name=name, alias=alias, sets=sets,
                          where=condition, returning=self._returning())

    def s_delete(self) -> Any:
        self.need("from")
        name = self.table_name()
        if self.is_word("using"):
            lacks("DELETE ... USING", "use a subquery")
        condition = self.expression() if self.word("where") else None
        return self._make("delete", name=name, where=condition,
                          returning=self._returning())

    def s_truncate(self) -> Any:
        self.word("table")
        return self._make("delete", name=self.table_name(), where=None,
                          returning=None)

    def s_copy(self) -> Any:
        if self.mark("("):
            query = self.query()
            self.need(")")
            table, columns = None, ()
        else:
            query, table = None, self.table_name()
            columns = self.names() if self.is_mark("(") else ()
        way = self.next().low
        if way not in ("to", "from"):
            self.at -= 1
            self.wrong()
        file = self.next()
        return self._make("copy", query=query, table=table, columns=columns,
                          way=way, file=file.text, options=self._options())

    def _options(self) -> dict:
        found: dict = {}
        self.word("with")
        bracket = self.mark("(")
        while self.here.kind == "word":
            name = self.next().low
            self.mark("=")
            value: Any = True
            if self.here.kind in ("text", "number", "word") and not (
                    not bracket and self.here.kind == "word"):
                value = self.next().text
            found[name] = value
            bracket and self.mark(",")
        bracket and self.need(")")
        return found

    # -- about the database

    def s_describe(self) -> Any:
        if self.is_query():
            return self._make("describe", query=self.query())
        if self.here.kind == "end" or self.is_mark(";"):
            return self._make("show", what="tables")
        return self._make("describe", query=self._whole(self._table()))

    s_desc = s_describe

    @staticmethod
    def _whole(table: Any) -> Any:
        return n.Query(n.Select((n.Named(n.Star()),), table))

    def s_summarize(self) -> Any:
        query = self.query() if self.is_query() else self._whole(
            self._table())
        return self._make("summarize", query=query)

    def s_show(self) -> Any:
        if self.word("all", "tables"):
            lacks("SHOW ALL TABLES", "use SHOW TABLES")
        if self.word("tables"):
            return self._make("show", what="tables")
        if self.is_word("databases"):
            lacks("SHOW DATABASES")
        return self._make("describe", query=self._whole(self._table()))

    def s_begin(self) -> Any:
        self.word("transaction")
        return self._make("begin")

    def s_start(self) -> Any:
        self.need("transaction")
        return self._make("begin")

    def s_commit(self) -> Any:
        self.word("transaction")
        return self._make("commit")

    s_end = s_commit

    def s_rollback(self) -> Any:
        self.word("transaction")
        return self._make("rollback")

    s_abort = s_rollback

    def s_set(self) -> Any:
        self.word("session") or self.word("global")
        name = self.name(True).lower()
        self.mark("=") or self.word("to")
        return self._make("set", name=name, value=self.next().text)

    def s_pragma(self) -> Any:
        name = self.name(True).lower()
        if self.mark("="):
            return self._make("set", name=name, value=self.next().text)
        if name in ("table_info", "show") and self.mark("("):
            table = self.next().text
            self.need(")")
            return self._make("table_info" if name == "table_info"
                              else "describe", query=self._whole(
                                  n.Table((table,))))
        if name == "show_tables":
            return self._make("show", what="tables")
        return self._make("set", name=name, value="")
