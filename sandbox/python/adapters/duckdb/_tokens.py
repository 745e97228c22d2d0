"""Words, numbers, texts and marks of SQL."""

from __future__ import annotations

import re
from typing import NamedTuple

from ._errors import ParserException, fail


class Token(NamedTuple):
    """KIND is word, name (in quotes), text, number, mark, parameter, end."""

    kind: str
    text: str
    at: int

    @property
    def low(self) -> str:
        return self.text.lower() if self.kind == "word" else self.text


_TOKEN = re.compile(r"""
    (?P<gap>\s+|--[^\n]*|/\*.*?\*/)
  | (?P<number>(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)
  | (?P<escaped>[eE]'(?:[^'\\]|''|\\.)*')
  | (?P<text>'(?:[^']|'')*')
  | (?P<name>"(?:[^"]|"")*")
  | (?P<dollars>\$\$.*?\$\$)
  | (?P<parameter>\?\d*|\$\w+)
  | (?P<word>[^\W\d]\w*)
  | (?P<mark>::|:=|->>|->|=>|<=|>=|<>|!=|==|!~~\*|!~~|~~\*|~~|!~|\|\||\*\*
      |//|\^@|<<|>>|[-+*/%^~<>=(),.;\[\]{}:&|@!])
    """, re.X | re.S)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def _plain(kind: str, text: str, at: int) -> Token:
    if kind == "text":
        return Token("text", text[1:-1].replace("''", "'"), at)
    if kind == "name":
        return Token("name", text[1:-1].replace('""', '"'), at)
    if kind == "dollars":
        return Token("text", text[2:-2], at)
    if kind == "escaped":
        inner = re.sub(r"''|\\(.)", lambda found: "'" if not found[1] else
                       _ESCAPES.get(found[1], found[1]), text[2:-1])
        return Token("text", inner, at)
    if kind == "number":
        return Token("number", text.replace("_", ""), at)
    return Token(kind, text, at)


def tokens(sql: str) -> list[Token]:
    found, at = [], 0
    while at < len(sql):
        match = _TOKEN.match(sql, at)
        if match is None:
            rest = sql[at]
            if rest in "'\"":
                word = "string" if rest == "'" else "identifier"
                fail(ParserException, f"unterminated quoted {word} at or near"
                     f' "{sql[at:]}"' + where(sql, at))
            fail(ParserException,
                 f'syntax error at or near "{rest}"' + where(sql, at))
        if match.lastgroup != "gap":
            found.append(_plain(match.lastgroup or "", match[0], at))
        at = match.end()
    found.append(Token("end", "", len(sql)))
    return found


def where(sql: str, at: int) -> str:
    """The line of SQL that an error is in, with a mark below the place."""
    first = sql.rfind("\n", 0, at) + 1
    last = sql.find("\n", at)
    line = sql[first:] if last < 0 else sql[first:last]
    head = f"LINE {sql.count(chr(10), 0, at) + 1}: "
    return f"\n{head}{line}\n{' ' * (len(head) + at - first)}^"
