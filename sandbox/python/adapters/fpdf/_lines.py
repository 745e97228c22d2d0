"""fpdf._lines - a text as characters with a style, and its lines."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Callable, NamedTuple, Optional

from .errors import FPDFException

_LINK = re.compile(r"\[([^][]+)\]\(([^()]+)\)")
_MARKS = {"**": "B", "__": "I", "~~": "S", "--": "U"}


class Style(NamedTuple):
    font: Any
    size: float             # in points
    color: Any
    underline: bool = False
    strike: bool = False
    link: Any = ""
    spacing: float = 0      # between characters, in points


Letter = tuple[str, Style]


@dataclass
class Line:
    letters: list[Letter] = field(default_factory=list)
    width: float = 0        # in points
    justified: bool = False
    newline: bool = False   # whether a newline ended it

    @property
    def text(self) -> str:
        return "".join(letter for letter, _ in self.letters)

    def runs(self) -> list[tuple[str, Style]]:
        """The pieces of one style."""
        found: list[tuple[str, Style]] = []
        for letter, style in self.letters:
            if found and found[-1][1] == style:
                found[-1] = found[-1][0] + letter, style
            else:
                found.append((letter, style))
        return found


def letter_width(letter: str, style: Style) -> float:
    return style.font.width(letter) * style.size / 1000 + style.spacing


def marked_letters(text: str, style_of: Callable[[set[str], Any], Style],
                   begin: set[str]) -> list[Letter]:
    """The characters of a text with **bold**, __italic__, --underlined--,
    ~~struck~~ pieces and [links](to)."""
    on, found, at = set(begin), [], 0
    while at < len(text):
        two = text[at:at + 2]
        before = text[at - 1] if at else ""
        if two in _MARKS and before != two[0] and \
                text[at + 2:at + 3] != two[0]:
            if before == "\\":
                found.pop()
            else:
                on ^= {_MARKS[two]}
                at += 2
                continue
        link = _LINK.match(text, at)
        if link:
            style = style_of(on | {"U"}, link[2])
            found += [(letter, style) for letter in link[1]]
            at = link.end()
            continue
        found.append((text[at], style_of(on, "")))
        at += 1
    return found


class Breaker:
    """Gives the lines of a text, each for a width that may differ."""

    def __init__(self, letters: list[Letter], justify: bool,
                 by_letters: bool) -> None:
        self.letters, self.at = letters, 0
        self.justify, self.by_letters = justify, by_letters

    def line(self, room: float) -> Optional[Line]:
        line, space = Line(), -1    # where in the text the last space is
        start = self.at
        for at in range(start, len(self.letters)):
            letter, style = self.letters[at]
            if letter in "\n\f":
                self.at = at + 1
                line.newline = letter == "\n"
                return line
            width = letter_width(letter, style)
            if line.width + width > room + 1e-6:
                return self._broken(line, start, at, space)
            if letter == " " and not self.by_letters:
                space = at
            line.letters.append((letter, style))
            line.width += width
        self.at = len(self.letters)
        return line if line.width else None

    def _broken(self, line: Line, start: int, at: int, space: int) -> Line:
        if self.letters[at][0] == " ":
            self.at = at + 1
            line.justified = self.justify
        elif space >= 0:
            self.at = space + 1
            for letter, style in line.letters[space - start:]:
                line.width -= letter_width(letter, style)
            del line.letters[space - start:]
            line.justified = self.justify
        elif not line.letters:
            raise FPDFException("Not enough horizontal space to render a "
                                "single character")
        else:
            self.at = at
            line.justified = self.justify
        return line
