"""text - words and lines, by the places of their characters."""

from __future__ import annotations

import re
from typing import Any, Callable, Iterator, Optional

X_TOLERANCE = Y_TOLERANCE = 3.0     # points
X_DENSITY, Y_DENSITY = 7.25, 13.0   # points of a character with layout=True
LIGATURES = {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi",
             "\ufb04": "ffl", "\ufb05": "st", "\ufb06": "st"}
PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

Char = dict[str, Any]
Word = dict[str, Any]
Map = list[tuple[str, Optional[Char]]]  # each letter of a text, and its char


def cluster(things: list[Any], key: Callable[[Any], float],
            tolerance: float) -> list[list[Any]]:
    """Groups of things whose keys are near each other, by key. In a group the
    order stays."""
    group_of: dict[float, int] = {}
    last: Optional[float] = None
    group = -1
    for value in sorted({key(thing) for thing in things}):
        if last is None or value > last + tolerance:
            group += 1
        group_of[value] = group
        last = value
    groups: list[list[Any]] = [[] for _ in range(group + 1)]
    for thing in things:
        groups[group_of[key(thing)]].append(thing)
    return groups


def box_of(things: list[Any]) -> dict[str, float]:
    return {"x0": min(one["x0"] for one in things),
            "x1": max(one["x1"] for one in things),
            "top": min(one["top"] for one in things),
            "bottom": max(one["bottom"] for one in things)}


class Words:
    """Makes words of characters."""

    def __init__(self, x_tolerance: float = X_TOLERANCE,
                 y_tolerance: float = Y_TOLERANCE,
                 x_tolerance_ratio: Optional[float] = None,
                 keep_blank_chars: bool = False, use_text_flow: bool = False,
                 extra_attrs: Optional[list[str]] = None,
                 split_at_punctuation: Any = False,
                 expand_ligatures: bool = True, **others: Any) -> None:
        for name in others:
            raise NotImplementedError(f"{name}= is not here, for words and "
                                      "texts")
        self.x_tolerance, self.y_tolerance = x_tolerance, y_tolerance
        self.ratio = x_tolerance_ratio
        self.keep_blanks, self.flow = keep_blank_chars, use_text_flow
        self.attrs = extra_attrs or []
        self.splitters = PUNCTUATION if split_at_punctuation is True \
            else split_at_punctuation or ""
        self.expand = expand_ligatures

    def letters(self, char: Char) -> str:
        text = char["text"]
        return LIGATURES.get(text, text) if self.expand else text

    def _begins(self, last: Char, char: Char) -> bool:
        """Whether CHAR is of another word than LAST, before it."""
        near = self.x_tolerance if self.ratio is None \
            else self.ratio * last["size"]
        return (char["x0"] < last["x0"] or char["x0"] > last["x1"] + near or
                abs(char["top"] - last["top"]) > self.y_tolerance or
                any(char.get(name) != last.get(name) for name in self.attrs))

    def _of_line(self, chars: list[Char]) -> Iterator[list[Char]]:
        word: list[Char] = []
        for char in chars:
            text = char["text"]
            if not self.keep_blanks and text.isspace():
                if word:
                    yield word
                word = []
            elif text in self.splitters and self.splitters:
                if word:
                    yield word
                yield [char]
                word = []
            elif word and self._begins(word[-1], char):
                yield word
                word = [char]
            else:
                word.append(char)
        if word:
            yield word

    def pieces(self, chars: list[Char]) -> Iterator[list[Char]]:
        """The characters of each word."""
        if self.flow:
            yield from self._of_line(chars)
            return
        # Upright text comes first, then that which runs up or down.
        for upright in (True, False):
            same = [one for one in chars if bool(one["upright"]) == upright]
            for line in cluster(same, lambda one: one["top"],
                                self.y_tolerance):
                yield from self._of_line(sorted(line,
                                                key=lambda one: one["x0"]))

    def word(self, chars: list[Char]) -> Word:
        first = chars[0]
        made = {"text": "".join(map(self.letters, chars)), **box_of(chars)}
        made["doctop"] = made["top"] + first["doctop"] - first["top"]
        made["upright"] = first["upright"]
        made["height"] = made["bottom"] - made["top"]
        made["width"] = made["x1"] - made["x0"]
        made["direction"] = "ltr"
        made.update({name: first[name] for name in self.attrs})
        return made


def _lines(pieces: list[list[Char]], words: Words) -> list[list[list[Char]]]:
    """Words, line by line, each from left to right."""
    if words.flow:
        lines: list[list[list[Char]]] = []
        for piece in pieces:
            if lines and abs(piece[0]["top"] - lines[-1][-1][0]["top"]) <= \
                    words.y_tolerance:
                lines[-1].append(piece)
            else:
                lines.append([piece])
        return lines
    grouped = cluster(pieces, lambda piece: min(one["doctop"]
                                                for one in piece),
                      words.y_tolerance)
    return [sorted(line, key=lambda piece: piece[0]["x0"])
            for line in grouped]


def text_map(chars: list[Char], words: Words) -> Map:
    """A text and where its letters come from: words with a blank between, and
    lines."""
    found: Map = []
    for line in _lines(list(words.pieces(chars)), words):
        if found:
            found.append(("\n", None))
        for number, piece in enumerate(line):
            if number:
                found.append((" ", None))
            for char in piece:
                found.extend((letter, char) for letter in words.letters(char))
    return found


def laid_out(chars: list[Char], words: Words, box: tuple[float, ...],
             x_density: float = X_DENSITY,
             y_density: float = Y_DENSITY) -> str:
    """A text with blanks and empty lines where the page is empty."""
    x0, top, x1, bottom = box
    width, height = round((x1 - x0) / x_density), \
        round((bottom - top) / y_density)
    lines: list[str] = []
    for line in _lines(list(words.pieces(chars)), words):
        down = (min(one["top"] for one in line[0]) - top) / y_density
        lines.extend([""] * max(0, round(down) - len(lines)))
        text = ""
        for piece in line:
            right = round((piece[0]["x0"] - x0) / x_density)
            text += " " * max(min(1, len(text)), right - len(text))
            text += "".join(map(words.letters, piece))
        lines.append(text)
    lines.extend([""] * max(0, height - len(lines)))
    return "\n".join(line.ljust(width) for line in lines)


def found_in(chars: Map, pattern: Any, regex: bool, case: bool,
             groups: bool) -> Iterator[dict[str, Any]]:
    """The places of PATTERN in a text."""
    if not isinstance(pattern, re.Pattern):
        pattern = re.compile(pattern if regex else re.escape(pattern),
                             0 if case else re.IGNORECASE)
    for match in pattern.finditer("".join(letter for letter, _ in chars)):
        own = [char for _, char in chars[match.start():match.end()] if char]
        if own and match[0].strip():
            row = {"text": match[0], **box_of(own), "chars": own}
            if groups:
                row["groups"] = match.groups()
            yield row
