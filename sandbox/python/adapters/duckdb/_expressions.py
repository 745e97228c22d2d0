"""The parser of expressions: DuckDB's operators, by how they bind."""

from __future__ import annotations

from typing import Any

from . import _nodes as n
from . import _types as types
from ._errors import ParserException, fail, lacks
from ._tokens import tokens, where

# Words that end an expression or a name without AS.
RESERVED = frozenset("""all and any array as asc asymmetric both case cast check
    collate column constraint create default desc describe distinct do else end
    except false fetch for foreign from group having in initially intersect into
    lateral leading limit not null offset on only or order pivot placing primary
    qualify references returning select show some summarize symmetric table then
    to trailing true union unique unpivot using variadic when where window with
    join inner left right full cross natural semi anti asof positional is isnull
    notnull like ilike glob similar sample""".split())
# These are words of functions too: left(x, 1)
_ALSO_FUNCTIONS = frozenset(("left", "right", "glob"))
_COMPARISONS = {"=": "=", "==": "=", "<>": "!=", "!=": "!=", "<": "<",
                ">": ">", "<=": "<=", ">=": ">="}
_OTHER = frozenset(("||", "->", "->>", "^@", "&", "|", "<<", ">>", "~~",
                    "!~~", "~~*", "!~~*", "~", "!~"))
_LIKES = {"like": ("~~", "!~~"), "ilike": ("~~*", "!~~*"),
          "glob": ("~~~", "~~~")}
UNITS = {}
for _unit, _words in {
        "year": "years yr yrs y", "month": "months mon mons",
        "day": "days d dayofmonth", "hour": "hours hr hrs h",
        "minute": "minutes min mins m", "second": "seconds sec secs s",
        "week": "weeks w", "quarter": "quarters", "decade": "decades",
        "century": "centuries", "millennium": "millennia",
        "millisecond": "milliseconds ms msec msecs",
        "microsecond": "microseconds us usec usecs"}.items():
    UNITS.update(dict.fromkeys([_unit, *_words.split()], _unit))


class Expressions:
    def __init__(self, sql: str) -> None:
        self.sql, self.tokens, self.at = sql, tokens(sql), 0
        self.questions = 0

    # -- tokens

    @property
    def here(self) -> Any:
        return self.tokens[self.at]

    def peek(self, ahead: int = 1) -> Any:
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def next(self) -> Any:
        token = self.here
        if token.kind != "end":
            self.at += 1
        return token

    def wrong(self, token: Any = None) -> Any:
        token = token or self.here
        if token.kind == "end":
            fail(ParserException, "syntax error at end of input"
                 + where(self.sql, len(self.sql)))
        text = self.sql[token.at:token.at + max(len(token.text), 1)]
        fail(ParserException, f'syntax error at or near "{text}"'
             + where(self.sql, token.at))

    def is_word(self, *words: str) -> bool:
        """Whether the words WORDS are next."""
        return all(self.peek(k).kind == "word" and self.peek(k).low == word
                   for k, word in enumerate(words))

    def word(self, *words: str) -> bool:
        if self.is_word(*words):
            self.at += len(words)
            return True
        return False

    def is_mark(self, text: str) -> bool:
        return self.here.kind == "mark" and self.here.text == text

    def mark(self, text: str) -> bool:
        if self.is_mark(text):
            self.at += 1
            return True
        return False

    def need(self, *words: str) -> None:
        for word in words:
            if not (self.word(word) or self.mark(word)):
                self.wrong()

    def name(self, any_word: bool = False) -> str:
        token = self.here
        if token.kind == "name" or (token.kind == "word" and (
                any_word or token.low not in RESERVED)):
            self.at += 1
            return token.text
        return self.wrong()

    def names(self) -> tuple:
        """Names in brackets."""
        self.need("(")
        found = [self.name(True)]
        while self.mark(","):
            found.append(self.name(True))
        self.need(")")
        return tuple(found)

    def several(self, one: Any) -> tuple:
        found = [one()]
        while self.mark(","):
            found.append(one())
        return tuple(found)

    # -- operators

    def expression(self) -> Any:
        left = self._and()
        while self.word("or"):
            left = n.Binary("OR", left, self._and())
        return left

    def _and(self) -> Any:
        left = self._not()
        while self.word("and"):
            left = n.Binary("AND", left, self._not())
        return left

    def _not(self) -> Any:
        if self.is_word("not") and not self.is_word("not", "exists"):
            self.at += 1
            return n.Unary("NOT", self._not())
        if self.word("not"):
            return n.Unary("NOT", self._not())
        return self._is()

    def _is(self) -> Any:
        left = self._comparison()
        while True:
            if self.word("isnull"):
                left = n.Unary("IS NULL", left)
            elif self.word("notnull"):
                left = n.Unary("IS NOT NULL", left)
            elif self.word("is"):
                left = self._after_is(left)
            else:
                return left

    def _after_is(self, left: Any) -> Any:
        negated = self.word("not")
        if self.word("distinct", "from"):
            op = "IS NOT DISTINCT FROM" if negated else "IS DISTINCT FROM"
            return n.Binary(op, left, self._comparison())
        if self.word("null"):
            return n.Unary("IS NOT NULL" if negated else "IS NULL", left)
        for word, value in (("true", True), ("false", False)):
            if self.word(word):
                op = "IS DISTINCT FROM" if negated else "IS NOT DISTINCT FROM"
                return n.Binary(op, left, n.Const("bool", value))
        return self.wrong()

    def _comparison(self) -> Any:
        left = self._membership()
        while self.here.kind == "mark" and self.here.text in _COMPARISONS:
            op = _COMPARISONS[self.next().text]
            if self.is_word("any") or self.is_word("all") \
                    or self.is_word("some"):
                every = self.next().low == "all"
                self.need("(")
                if not self.is_query():
                    lacks("ANY() and ALL() of a list",
                          "use list_contains()")
                left = n.Quantified(op, left, self.query(), every)
                self.need(")")
            else:
                left = n.Binary(op, left, self._membership())
        return left

    def _membership(self) -> Any:
        left = self._others()
        while True:
            start, negated = self.at, self.word("not")
            if self.word("in"):
                left = self._in(left, negated)
            elif self.word("between"):
                self.word("symmetric") and lacks("BETWEEN SYMMETRIC")
                low = self._others()
                self.need("and")
                left = n.Between(left, low, self._others(), negated)
            elif self.here.kind == "word" and self.here.low in _LIKES:
                left = self._like(left, self.next().low, negated)
            elif self.word("similar"):
                self.need("to")
                made = n.Func("regexp_full_match", (left, self._others()))
                left = n.Unary("NOT", made) if negated else made
            else:
                self.at = start
                return left

    def _like(self, left: Any, word: str, negated: bool) -> Any:
        right = self._others()
        if self.word("escape"):
            name = ("not_" if negated else "") + word + "_escape"
            return n.Func(name, (left, right, self._others()))
        made = n.Binary(_LIKES[word][negated], left, right)
        return n.Unary("NOT", made) if negated and word == "glob" else made

    def _in(self, left: Any, negated: bool) -> Any:
        if not self.mark("("):
            made = n.Func("contains", (self._others(), left))
            return n.Unary("NOT", made) if negated else made
        if self.is_query():
            made = n.In(left, self.query(), negated)
        else:
            made = n.In(left, self.several(self.expression), negated)
        self.mark(",")
        self.need(")")
        return made

    def _others(self) -> Any:
        left = self._sum()
        while self.here.kind == "mark" and self.here.text in _OTHER:
            op = self.next().text
            left = n.Binary(op, left, self._sum())
        return left

    def _sum(self) -> Any:
        left = self._product()
        while self.is_mark("+") or self.is_mark("-"):
            op = self.next().text
            left = n.Binary(op, left, self._product())
        return left

    def _product(self) -> Any:
        left = self._power()
        while self.here.kind == "mark" and self.here.text in ("*", "/", "//",
                                                              "%"):
            op = self.next().text
            left = n.Binary(op, left, self._power())
        return left

    def _power(self) -> Any:
        left = self._signed()
        while self.is_mark("^") or self.is_mark("**"):
            op = self.next().text
            left = n.Binary(op, left, self._signed())
        return left

    def _signed(self) -> Any:
        if self.mark("-"):
            arg = self._signed()
            if isinstance(arg, n.Const) and arg.kind in ("int", "decimal",
                                                         "double"):
                return n.Const(arg.kind, "-" + arg.value
                               if isinstance(arg.value, str) else -arg.value)
            return n.Unary("-", arg)
        if self.mark("+"):
            return self._signed()
        if self.mark("~"):
            return n.Unary("~", self._signed())
        return self._postfix(self.primary())

    def _postfix(self, left: Any) -> Any:
        while True:
            if self.mark("::"):
                left = n.Cast(left, self.type_name())
            elif self.mark("["):
                left = self._index(left)
            elif self.is_mark(".") and not isinstance(left, n.Col):
                self.at += 1
                left = self._field(left)
            elif self.word("collate"):
                self.name()
                lacks("COLLATE", "use lower()")
            elif self.is_word("at", "time", "zone"):
                lacks("AT TIME ZONE")
            else:
                return left

    def _field(self, left: Any) -> Any:
        name = self.name(True)
        if self.is_mark("("):
            call = self.call(name)
            return call._replace(args=(left,) + call.args)
        return n.Func("struct_extract", (left, n.Const("text", name)))

    def _index(self, left: Any) -> Any:
        low = None if self.is_mark(":") else self.expression()
        if self.mark("]"):
            return n.Index(left, low)
        self.need(":")
        high = None if self.is_mark("]") else self.expression()
        self.need("]")
        return n.Index(left, low, high, True)

    # -- types

    def type_name(self) -> Any:
        name = self.name(True)
        if self.word("precision"):
            name = "double precision"
        elif self.word("varying"):
            pass
        if self.word("with", "time", "zone"):
            name += " with time zone"
        self.word("without", "time", "zone")
        if name.lower() in ("struct", "map", "union", "enum"):
            lacks(f"the type {name.upper()}")
        args: tuple = ()
        if self.mark("("):
            args = self.several(lambda: int(self.next().text))
            self.need(")")
        kind = types.named(name, args)
        while self.is_mark("["):
            self.at += 1
            if not self.is_mark("]"):
                lacks("ARRAY of a fixed size", "use a list")
            self.need("]")
            kind = types.list_of(kind)
        return kind

    # -- what has no operator

    def primary(self) -> Any:
        token = self.here
        if token.kind == "number":
            self.at += 1
            return self._number(token.text)
        if token.kind == "text":
            self.at += 1
            return n.Const("text", token.text)
        if token.kind == "parameter":
            self.at += 1
            return self._parameter(token.text)
        if token.kind == "name":
            return self._column()
        if token.kind == "word":
            return self._word(token)
        return self._bracket()

    def _number(self, text: str) -> Any:
        if "e" in text.lower():
            return n.Const("double", float(text))
        if "." in text:
            digits = len(text.replace(".", "").lstrip("0")) or 1
            return n.Const("double", float(text)) if digits > 18 \
                else n.Const("decimal", text)
        return n.Const("int", int(text))

    def _parameter(self, text: str) -> Any:
        if text == "?":
            self.questions += 1
            return n.Param(self.questions)
        key = text[1:]
        return n.Param(int(key) if key.isdigit() else key)

    def _bracket(self) -> Any:
        if self.mark("("):
            if self.is_query():
                made = n.Sub(self.query())
                self.need(")")
                return made
            found = self.several(self.expression)
            self.need(")")
            return found[0] if len(found) == 1 else n.Func("row", found)
        if self.mark("["):
            return self._items("]")
        if self.mark("{"):
            return self._struct()
        if self.mark("*"):
            return self.star(None)
        return self.wrong()

    def _items(self, end: str) -> Any:
        found = () if self.is_mark(end) else self.several(self.expression)
        if self.is_word("for"):
            lacks("a list comprehension", "use list_transform()")
        self.need(end)
        return n.Items(found)

    def _struct(self) -> Any:
        def field() -> Any:
            name = self.next().text
            self.need(":")
            return name, self.expression()
        found = self.several(field)
        self.need("}")
        return n.Struct(found)

    def star(self, table: Any) -> Any:
        """What follows a star: EXCLUDE, REPLACE."""
        exclude: tuple = ()
        replace: tuple = ()
        if self.word("exclude"):
            exclude = self.names() if self.is_mark("(") else (
                self.name(True),)
        if self.word("replace"):
            bracket = self.mark("(")
            replace = self.several(self._replacement)
            bracket and self.need(")")
        if self.is_word("rename"):
            lacks("* RENAME", "use AS")
        return n.Star(table, tuple(one.lower() for one in exclude), replace)

    def _replacement(self) -> Any:
        expr = self.expression()
        self.need("as")
        return self.name(True).lower(), expr

    def _column(self) -> Any:
        parts = [self.name()]
        while self.is_mark("."):
            self.at += 1
            if self.mark("*"):
                return self.star(parts[-1])
            parts.append(self.name(True))
            if self.is_mark("("):
                call = self.call(parts.pop())
                if parts == ["main"]:
                    return call
                return call._replace(args=(n.Col(tuple(parts)),) + call.args)
        if len(parts) == 1 and self.is_mark("->"):
            return self._lambda((parts[0],))
        return n.Col(tuple(parts))

    def _lambda(self, params: tuple) -> Any:
        self.need("->")
        return n.Lambda(params, self.expression())

    def _word(self, token: Any) -> Any:
        special = getattr(self, "w_" + token.low, None)
        if special is not None:
            start = self.at
            made = special()
            if made is not None:
                return made
            self.at = start
        after = self.peek()
        if after.kind == "mark" and after.text == "(" and (
                token.low not in RESERVED or token.low in _ALSO_FUNCTIONS):
            self.at += 1
            return self.call(token.text)
        if after.kind == "text" and token.low not in RESERVED:
            return self._typed_text()
        return self._column()

    def _typed_text(self) -> Any:
        kind = types.named(self.name())
        return n.Cast(n.Const("text", self.next().text), kind)

    # -- words with a grammar of their own; None: it is a plain name

    def w_null(self) -> Any:
        self.at += 1
        return n.Const("null", None)

    def w_true(self) -> Any:
        self.at += 1
        return n.Const("bool", True)

    def w_false(self) -> Any:
        self.at += 1
        return n.Const("bool", False)

    def w_case(self) -> Any:
        self.at += 1
        operand = None if self.is_word("when") else self.expression()
        whens = []
        while self.word("when"):
            condition = self.expression()
            self.need("then")
            whens.append((condition, self.expression()))
        other = self.expression() if self.word("else") else None
        if not whens:
            self.wrong()
        self.need("end")
        return n.Case(operand, tuple(whens), other)

    def w_cast(self) -> Any:
        trying = self.next().low == "try_cast"
        if not self.mark("("):
            return None
        arg = self.expression()
        self.need("as")
        kind = self.type_name()
        self.need(")")
        return n.Cast(arg, kind, trying)

    w_try_cast = w_cast

    def w_exists(self) -> Any:
        self.at += 1
        if not self.mark("("):
            return None
        made = n.Exists(self.query())
        self.need(")")
        return made

    def w_map(self) -> Any:
        self.at += 1
        if self.is_mark("{"):
            lacks("MAP", "use a struct, or a table of two columns")
        return None

    def w_array(self) -> Any:
        self.at += 1
        if self.mark("["):
            return self._items("]")
        if self.is_mark("("):
            lacks("ARRAY(SELECT ...)", "use list()")
        return None

    def w_columns(self) -> Any:
        self.at += 1
        if not self.mark("("):
            return None
        if self.mark("*"):
            made = self.star(None)
        elif self.here.kind == "text":
            made = n.Star(matching=self.next().text)
        else:
            lacks("COLUMNS() of a function or a list")
        self.need(")")
        return n.Func("columns", (made,))

    def w_interval(self) -> Any:
        self.at += 1
        if self.here.kind == "number":
            arg: Any = self._number(self.next().text)
        elif self.here.kind == "text":
            arg = n.Const("text", self.next().text)
        elif self.mark("("):
            arg = self.expression()
            self.need(")")
        else:
            return None
        if self.here.kind == "word" and self.here.low in UNITS:
            return n.Interval(arg, UNITS[self.next().low])
        return n.Cast(arg, types.INTERVAL)

    def w_extract(self) -> Any:
        self.at += 1
        self.need("(")
        unit = self.next().text
        self.need("from")
        arg = self.expression()
        self.need(")")
        return n.Func("date_part", (n.Const("text", unit), arg), system=True)

    def w_substring(self) -> Any:
        self.at += 1
        if not self.mark("("):
            return None
        args = [self.expression()]
        for word in (("from", ","), ("for", ",")):
            if self.word(word[0]) or self.mark(word[1]):
                args.append(self.expression())
        self.need(")")
        return n.Func("substring", tuple(args), system=True)

    def w_position(self) -> Any:
        self.at += 1
        if not self.mark("("):
            return None
        needle = self._sum()
        if not self.word("in"):
            return None
        text = self.expression()
        self.need(")")
        return n.Func("position", (text, needle), system=True)

    def w_trim(self) -> Any:
        self.at += 1
        if not self.mark("("):
            return None
        name = "trim"
        for word, other in (("both", "trim"), ("leading", "ltrim"),
                            ("trailing", "rtrim")):
            if self.word(word):
                name = other
        if self.word("from"):
            args: tuple = (self.expression(),)
        else:
            args = self.several(self.expression)
            if self.word("from"):
                args = (self.expression(),) + args
        self.need(")")
        return n.Func(name, args, system=True)
