"""The parser of calls of functions: DISTINCT, FILTER, OVER."""

from __future__ import annotations

from typing import Any

from . import _nodes as n
from ._errors import lacks
from ._expressions import Expressions

_NOW = frozenset(("current_date", "current_timestamp", "current_time",
                  "localtimestamp", "localtime", "current_schema"))


class Calls(Expressions):
    def primary(self) -> Any:
        token = self.here
        if token.low in _NOW and token.kind == "word" and not (
                self.peek().kind == "mark" and self.peek().text in "(."):
            self.at += 1
            return n.Func(token.low, ())
        return super().primary()

    def call(self, name: str) -> Any:
        """The call of NAME; its bracket is next."""
        self.need("(")
        name = name.lower()
        distinct = self.word("distinct")
        distinct or self.word("all")
        args: tuple = ()
        if self.mark("*"):
            star = self.star(None)
            args = () if name == "count" and star == n.Star() else (star,)
            name = "count_star" if not args else name
        elif not (self.is_mark(")") or self.is_word("order")):
            args = self.several(self._argument)
        nulls = self._nulls()
        order = self.order_by() if self.word("order", "by") else ()
        nulls = nulls or self._nulls()
        self.need(")")
        made = n.Func(name, args, distinct, order, nulls=nulls)
        return self._after(made)

    def _nulls(self) -> str:
        for word in ("ignore", "respect"):
            if self.word(word, "nulls"):
                return word
        return ""

    def _argument(self) -> Any:
        after = self.peek()
        if after.kind == "mark" and after.text in (":=", "=>"):
            name = self.name(True)
            self.at += 1
            return n.Named(self.expression(), name)
        if self.is_mark("(") and self._is_lambda():
            return self._lambda(self.names())
        if self.is_query():
            return n.Sub(self.query())
        return self.expression()

    def _is_lambda(self) -> bool:
        """Whether `(a, b) ->` is next."""
        at = 1
        while self.peek(at).kind in ("word", "name"):
            follower = self.peek(at + 1)
            if follower.text == ")":
                return self.peek(at + 2).text == "->"
            if follower.text != ",":
                return False
            at += 2
        return False

    def _after(self, made: Any) -> Any:
        if self.word("within", "group"):
            self.need("(", "order", "by")
            key = self.order_by()[0]
            self.need(")")
            made = self._within(made, key)
        if self.word("filter"):
            self.need("(")
            self.word("where")
            made = made._replace(where=self.expression())
            self.need(")")
        if self.word("over"):
            return self._over(made)
        if made.nulls:
            lacks(f"{made.nulls.upper()} NULLS", "use FILTER")
        return made

    def _within(self, made: Any, key: Any) -> Any:
        names = {"percentile_cont": "quantile_cont",
                 "percentile_disc": "quantile_disc", "mode": "mode"}
        if made.name not in names or key.descending:
            lacks(f"{made.name}() WITHIN GROUP")
        return made._replace(name=names[made.name],
                             args=(key.expr,) + made.args)

    def _over(self, made: Any) -> Any:
        if self.mark("("):
            window = self.window(made)
            self.need(")")
            return window
        return n.Window(made, base=self.name())

    def window(self, made: Any) -> Any:
        """What stands in the brackets of OVER."""
        base = None
        if self.here.kind in ("word", "name") and not (
                self.here.low in ("partition", "order", "rows", "range",
                                  "groups")):
            base = self.name()
        partition = self.several(self.expression) \
            if self.word("partition", "by") else ()
        order = self.order_by() if self.word("order", "by") else ()
        frame = None
        for kind in ("rows", "range", "groups"):
            if self.word(kind):
                frame = self._frame(kind.upper())
        return n.Window(made, partition, order, frame, base)

    def _frame(self, kind: str) -> Any:
        if self.word("between"):
            low = self._bound()
            self.need("and")
            high: Any = self._bound()
        else:
            low, high = self._bound(), None
        if self.is_word("exclude"):
            lacks("EXCLUDE in a window")
        return kind, low, high

    def _bound(self) -> Any:
        if self.word("current", "row"):
            return None, "CURRENT ROW"
        value = None if self.word("unbounded") else self.expression()
        way = self.next().low
        if way not in ("preceding", "following"):
            self.at -= 1
            self.wrong()
        way = way.upper()
        return value, way if value is not None else "UNBOUNDED " + way

    def order_by(self) -> tuple:
        return self.several(self._key)

    def _key(self) -> Any:
        expr = self.expression()
        descending = self.word("desc") or self.word("descending")
        descending or self.word("asc") or self.word("ascending")
        first = False
        if self.word("nulls", "first"):
            first = True
        else:
            self.word("nulls", "last")
        return n.Order(expr, descending, first)
