"""The parser of queries."""

from __future__ import annotations

from typing import Any

from . import _nodes as n
from ._calls import Calls
from ._errors import lacks
from ._expressions import RESERVED

_SETS = ("union", "except", "intersect")
_BEGINS = frozenset(("select", "with", "from", "values", "pivot", "unpivot",
                     "describe", "show", "summarize"))
_JOINS = ("join", "inner", "left", "right", "full", "cross", "natural",
          "semi", "anti", "asof", "positional")


class Queries(Calls):
    def is_query(self) -> bool:
        """Whether a query is next, also one in brackets."""
        at = 0
        while self.peek(at).text == "(" and self.peek(at).kind == "mark":
            at += 1
        token = self.peek(at)
        if token.kind != "word" or token.low not in _BEGINS:
            return False
        after = self.peek(at + 1)
        if at and token.low not in ("select", "with", "from", "values"):
            return False
        return not (after.kind == "mark" and after.text in ".,)=+-") or (
            token.low in ("select",))

    def query(self) -> Any:
        ctes, recursive = self._ctes() if self.word("with") else ((), False)
        body = self._sets()
        made = n.Query(body, ctes, recursive)
        if self.word("order", "by"):
            if self.word("all"):
                made = made._replace(order="all-desc" if self.word("desc")
                                     else "all")
                self.word("asc")
            else:
                made = made._replace(order=self.order_by())
        made = self._limits(made)
        if self.is_word("using", "sample") or self.is_word("for", "update"):
            lacks("USING SAMPLE", "use ORDER BY and LIMIT")
        simple = made == n.Query(body) and isinstance(body, n.Query)
        return body if simple else made

    def _limits(self, made: Any) -> Any:
        for _ in range(2):
            if self.word("limit"):
                if not self.word("all"):
                    made = made._replace(limit=self.expression())
                if self.is_mark("%") or self.is_word("percent"):
                    lacks("LIMIT of a percentage")
            if self.word("offset"):
                made = made._replace(offset=self.expression())
                self.word("rows")
        if self.is_word("fetch"):
            lacks("FETCH FIRST", "use LIMIT")
        return made

    def _ctes(self) -> tuple:
        recursive = self.word("recursive")

        def one() -> Any:
            name = self.name()
            columns = self.names() if self.is_mark("(") else ()
            self.need("as")
            self.word("not")
            self.word("materialized")
            self.need("(")
            query = self.query()
            self.need(")")
            return name, columns, query
        return self.several(one), recursive

    def _sets(self) -> Any:
        left = self._intersections()
        while self.is_word("union") or self.is_word("except"):
            left = self._set(left, self._intersections)
        return left

    def _intersections(self) -> Any:
        left = self._body()
        while self.is_word("intersect"):
            left = self._set(left, self._body)
        return left

    def _set(self, left: Any, right: Any) -> Any:
        op = self.next().low.upper()
        every = self.word("all")
        every or self.word("distinct")
        by_name = self.word("by", "name")
        return n.SetOp(op, every, by_name, left, right())

    def _body(self) -> Any:
        if self.mark("("):
            made = self.query()
            self.need(")")
            return made
        if self.word("values"):
            return n.Values(self.several(self._row))
        if self.is_word("pivot") or self.is_word("unpivot"):
            return self._pivot()
        if self.is_word("select") or self.is_word("from"):
            return self._select()
        return self.wrong()

    def _row(self) -> tuple:
        self.need("(")
        found = self.several(self.expression)
        self.need(")")
        return found

    # -- SELECT

    def _select(self) -> Any:
        source, distinct = None, None
        items: tuple = (n.Named(n.Star()),)
        if self.word("from"):
            source = self.source()
        if self.word("select"):
            distinct = self._distinct()
            items = self._items_of_select()
            if source is None and self.word("from"):
                source = self.source()
        made = n.Select(items, source, distinct=distinct)
        if self.word("where"):
            made = made._replace(where=self.expression())
        if self.word("group", "by"):
            made = made._replace(group=self._group())
        if self.word("having"):
            made = made._replace(having=self.expression())
        if self.word("window"):
            made = made._replace(windows=self.several(self._named_window))
        if self.word("qualify"):
            made = made._replace(qualify=self.expression())
        return made

    def _distinct(self) -> Any:
        if self.word("distinct"):
            if self.word("on"):
                return self._row()
            return True
        self.word("all")
        return None

    def _items_of_select(self) -> tuple:
        found = [self._item()]
        while self.mark(","):
            if self.here.kind == "end" or self.is_word("from"):
                break  # a comma before FROM is allowed
            found.append(self._item())
        return tuple(found)

    def _item(self) -> Any:
        if self.here.kind in ("word", "name") and self.peek().text == ":" \
                and self.peek().kind == "mark":
            alias = self.name()
            self.need(":")
            return n.Named(self.expression(), alias)
        expr = self.expression()
        if self.word("as"):
            token = self.here
            if token.kind == "text":
                self.at += 1
                return n.Named(expr, token.text)
            return n.Named(expr, self.name(True))
        token = self.here
        if token.kind == "name" or (token.kind == "word"
                                    and token.low not in RESERVED):
            return n.Named(expr, self.name())
        return n.Named(expr)

    def _group(self) -> Any:
        if self.word("all"):
            return "all"
        for word in ("rollup", "cube"):
            if self.is_word(word):
                lacks(f"GROUP BY {word.upper()}", "use UNION ALL")
        if self.is_word("grouping", "sets"):
            lacks("GROUPING SETS", "use UNION ALL")
        return self.several(self.expression)

    def _named_window(self) -> Any:
        name = self.name()
        self.need("as", "(")
        window = self.window(None)
        self.need(")")
        return name.lower(), window

    # -- FROM

    def source(self) -> Any:
        left = self._joins()
        while self.mark(","):
            left = n.Join("CROSS", left, self._joins())
        return left

    def _joins(self) -> Any:
        left = self._table()
        while self.here.kind == "word" and self.here.low in _JOINS:
            left = self._join(left)
        return left

    def _join(self, left: Any) -> Any:
        natural = self.word("natural")
        for word in ("asof", "positional"):
            if self.is_word(word):
                lacks(f"{word.upper()} JOIN", "use row_number() and JOIN")
        kind = "INNER"
        for word in ("inner", "left", "right", "full", "cross", "semi",
                     "anti"):
            if self.word(word):
                kind = word.upper()
        self.word("outer")
        self.need("join")
        right = self._table()
        made = n.Join(kind, left, right, natural=natural)
        if self.word("on"):
            return made._replace(on=self.expression())
        if self.word("using"):
            return made._replace(using=self.names())
        if kind != "CROSS" and not natural:
            self.wrong()
        return made

    def _table(self) -> Any:
        lateral = self.word("lateral")
        if self.mark("("):
            made = self._in_brackets()
        elif self.here.kind == "text":
            made = n.TableFunc("read_auto", (
                n.Const("text", self.next().text),), ())
        elif self.is_word("values"):
            made = n.Derived(n.Query(self._body()))
        else:
            made = self._named_table()
        made = self._alias(made)
        if lateral and not isinstance(made, n.TableFunc):
            lacks("LATERAL", "use a join or a correlated subquery")
        if self.is_word("tablesample"):
            lacks("TABLESAMPLE")
        if self.is_word("pivot") or self.is_word("unpivot"):
            return self._alias(self._standard_pivot(made))
        return made

    def _in_brackets(self) -> Any:
        if self.is_query():
            made: Any = n.Derived(self.query())
        else:
            made = self.source()
        self.need(")")
        return made

    def _named_table(self) -> Any:
        parts = [self.name()]
        while self.mark("."):
            parts.append(self.name(True))
        if not self.is_mark("("):
            return n.Table(tuple(parts))
        self.need("(")
        args, options = [], []
        while not self.is_mark(")"):
            after = self.peek()
            if self.here.kind == "word" and after.kind == "mark" \
                    and after.text in ("=", ":=", "=>"):
                name = self.name(True).lower()
                self.at += 1
                options.append((name, self.expression()))
            else:
                args.append(self._argument())
            if not self.mark(","):
                break
        self.need(")")
        if self.word("with", "ordinality"):
            lacks("WITH ORDINALITY", "use generate_subscripts()")
        return n.TableFunc(parts[-1].lower(), tuple(args), tuple(options))

    def _alias(self, made: Any) -> Any:
        alias = None
        if self.word("as"):
            alias = self.name()
        elif self.here.kind == "name" or (
                self.here.kind == "word" and self.here.low not in RESERVED
                and self.here.low not in ("tablesample", "set")):
            alias = self.name()
        if alias is None:
            return made
        if isinstance(made, n.Join):
            lacks("a name for a join in brackets")
        columns = self.names() if self.is_mark("(") else ()
        return made._replace(alias=alias, columns=columns)

    # -- PIVOT

    def _pivot(self) -> Any:
        if self.next().low == "unpivot":
            return self._unpivot()
        source = self._table()
        on: tuple = ()
        using: tuple = ()
        group: tuple = ()
        if self.word("on"):
            on = self.several(self._pivot_on)
        if self.word("using"):
            using = self.several(self._item)
        if self.word("group", "by"):
            group = self.several(self.expression)
        return n.Pivot(source, on, using, group)

    def _pivot_on(self) -> Any:
        expr = self._others()
        values = None
        if self.word("in"):
            values = self._row()
        return expr, values

    def _unpivot(self) -> Any:
        source = self._table()
        self.need("on")
        on = self.several(self.expression)
        name, value = "name", "value"
        if self.word("into"):
            self.need("name")
            name = self.name()
            self.need("value")
            value = self.name()
        return n.Unpivot(source, on, name, value)

    def _standard_pivot(self, source: Any) -> Any:
        if self.next().low == "unpivot":
            self.need("(")
            value = self.name()
            self.need("for")
            name = self.name()
            self.need("in")
            on = self._row()
            self.need(")")
            return n.Derived(n.Query(n.Unpivot(source, on, name, value)))
        self.need("(")
        using = self.several(self._item)
        self.need("for")
        on = (self._pivot_on(),)
        group: tuple = ()
        if self.word("group", "by"):
            group = self.several(self.expression)
        self.need(")")
        return n.Derived(n.Query(n.Pivot(source, on, using, group)))
