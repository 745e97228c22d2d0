"""newer_strings - f-strings as Python 3.12 reads them, for an older one.

Since Python 3.12 (PEP 701), the expressions of an f-string may hold its own
quotes, backslashes, comments and line ends. Such an f-string is written anew
with the same value: in other quotes, and with {10:c} for a \\n within an
expression. Line ends stay where they are, because tracebacks show lines. The
text that {x=} shows is the new one.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__

import ast
import re
from typing import Iterator

_literal = ast.literal_eval

DEPTH = 30      # f-strings within f-strings
REFUSED = 50    # strings that are no f-strings of newer Pythons, in a program
_FORMATTED = ("f", "fr", "rf")
_STRING = r"([A-Za-z]*)('''|\"\"\"|'|\")"
_TOKEN = re.compile(r"#[^\n]*|" + _STRING).search
_INNER = re.compile(r"#[^\n]*|" + _STRING + r"|!=|[][(){}:]").search
_PLAIN = re.compile(r"[^\\{}'\"\n]+").match
_ESCAPES = re.compile(r"\\(?:N\{[^}]*\}|[0-7]{1,3}|x[0-9A-Fa-f]{2}|"
                      r"u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[^{}])|[{}'\"\n\\]",
                      re.S).sub
_RAW = re.compile(r"[\\{}'\"\n]").sub
_KNOWN = "\n\\'\"abfnrtvNxuU01234567"  # what follows a backslash


class Refused(Exception):
    """An f-string that newer Pythons refuse, or that cannot be written anew."""


def tokens(text: str) -> Iterator[tuple[int, int, str]]:
    """The comments and strings of a program: where each begins and ends, and
    the text that is to stand there for an older Python."""
    at = refused = 0
    while found := _TOKEN(text, at):
        begin, at = found.span()
        new = found[0]
        if found[2]:
            try:
                at, new = _string(text, found[1].lower(), found[2], at, 0)
            except Refused:
                refused += 1
                if refused > REFUSED:
                    return
                at = _plain_end(text, at, found[2])
                new = text[begin:at]
        yield begin, at, new


def older_strings(text: str) -> str:
    """TEXT for a Python before 3.12."""
    parts, last = [], 0
    for begin, end, new in tokens(text):
        parts += [text[last:begin], new]
        last = end
    return "".join(parts) + text[last:]


def _string(text: str, prefix: str, quote: str, at: int,
            depth: int) -> tuple[int, str]:
    """The end and the new text of a string, the inside of which begins at
    AT."""
    if prefix in _FORMATTED:
        return _formatted(text, prefix, quote, at, depth)
    end = _plain_end(text, at, quote)
    old = prefix + quote + text[at:end]
    if depth == 0 or "\\" not in old and "\n" not in old:
        return end, old
    inside = text[at:end - len(quote)]
    if "b" in prefix or not text.startswith(quote, end - len(quote)):
        raise Refused
    # Lines that go from within the string come behind it.
    return end, (f"f{quote[0]}{_spelled(inside, 'r' in prefix, True)}"
                 f"{quote[0]}" + "\n" * inside.count("\n"))


def _plain_end(text: str, at: int, quote: str) -> int:
    """Behind a string without fields. One that is not closed ends with its
    line."""
    while at < len(text):
        if text.startswith(quote, at):
            return at + len(quote)
        if text[at] == "\n" and len(quote) == 1:
            return at
        at += 2 if text[at] == "\\" else 1
    return len(text)


def _spelled(inside: str, raw: bool, plain: bool) -> str:
    """The inside of an f-string that has no quotes, backslashes and line ends,
    from that of a PLAIN string or from text between fields."""
    def one(found: re.Match[str]) -> str:
        piece = found[0]
        if piece in "{}":
            return piece * 2 if plain else piece
        if len(piece) > 1 and piece[1] in _KNOWN:
            try:
                piece = _literal(f"'''{piece}'''")
            except (SyntaxError, ValueError):
                raise Refused from None
        return "".join(f"{{{ord(char)}:c}}" if not char.isalnum() else char
                       for char in piece)

    return _RAW(one, inside) if raw else _ESCAPES(one, inside)


# -- f-strings

def _formatted(text: str, prefix: str, quote: str, at: int,
               depth: int) -> tuple[int, str]:
    if depth > DEPTH:
        raise Refused
    parts = [""]  # by turns text and a field
    while not text.startswith(quote, at):
        char, two = text[at:at + 1], text[at:at + 2]
        if char == "\\" and two[1:] not in "{}":
            named = prefix == "f" and text.startswith("N{", at + 1)
            end = text.find("}", at) + 1 if named else at + 2
        elif two == "{{" or two == "}}":
            end = at + 2
        elif char == "{":
            end, field = _field(text, quote, at + 1, depth)
            parts += [field, ""]
            at = end
            continue
        elif char in "}" or char == "\n" and len(quote) == 1:
            raise Refused  # also at the end of the text
        else:
            plain = _PLAIN(text, at)
            end = plain.end() if plain else at + 1
        if end <= at:
            raise Refused
        parts[-1] += text[at:end]
        at = end
    return at + len(quote), _quoted(parts, prefix, quote, depth)


def _field(text: str, quote: str, at: int, depth: int) -> tuple[int, str]:
    """A field, behind its brace: the end and the new text."""
    parts, level = ["{"], 0
    while found := _INNER(text, at):
        parts.append(text[at:found.start()])
        at, token = found.end(), found[0]
        if token[0] == "#":
            continue
        if found[2]:
            at, token = _string(text, found[1].lower(), found[2], at,
                                depth + 1)
        parts.append(token)
        if token in ("(", "[", "{"):
            level += 1
        elif token in (")", "]", "}"):
            level -= 1
            if level < 0:
                return _end_field(parts, at, token == "}")
        elif token == ":" and level == 0:
            at, spec = _spec(text, quote, at, depth)
            return _end_field([*parts, spec], at, True)
    raise Refused


def _end_field(parts: list[str], at: int, good: bool) -> tuple[int, str]:
    field = "".join(parts)
    if not good or "\\" in field:
        raise Refused
    return at, field


def _spec(text: str, quote: str, at: int, depth: int) -> tuple[int, str]:
    """The format of a field, and the brace that ends it."""
    parts = []
    while (char := text[at:at + 1]) != "}":
        if not char or char in "\n\\" or text.startswith(quote, at):
            raise Refused
        at += 1
        if char == "{":
            at, char = _field(text, quote, at, depth)
        parts.append(char)
    return at + 1, "".join(parts) + "}"


def _quoted(parts: list[str], prefix: str, quote: str, depth: int) -> str:
    """An f-string of PARTS. Its quotes are the old ones if they can be."""
    other = "'" if quote[0] == '"' else '"'
    fields = "\0".join(parts[1::2])
    between = "\0".join(parts[::2])
    for new in (quote, other, quote[0] * 3, other * 3):
        if new in fields or len(new) == 1 and "\n" in fields + between:
            continue
        texts = [_between(part, prefix, quote, new, depth)
                 for part in parts[::2]]
        parts[::2] = texts
        return prefix + new + "".join(parts) + new
    raise Refused


def _between(part: str, prefix: str, quote: str, new: str, depth: int) -> str:
    """Text between fields, for quotes that are NEW."""
    raw = prefix != "f"
    if depth > 0 and "\\" in part:
        return _spelled(part, raw, False)
    if new[0] == quote[0] or new[0] not in part:
        return part
    if raw or depth > 0:
        return part.replace(new[0], f"{{{ord(new[0])}:c}}")
    return re.sub(rf"\\.|{new[0]}", lambda found: found[0].replace(
        new[0], "\\" + new[0]) if len(found[0]) == 1 else found[0], part,
        flags=re.S)
