"""Results in a box of lines, as DuckDB prints them."""

from __future__ import annotations

import sys
import unicodedata
from typing import Any

from . import _types as types
from ._values import numeric_right, text_of

_ROWS, _WIDTH, _COLUMN = 20, 120, 20
_MORE = "…"
_ESCAPES = str.maketrans({"\n": "\\n", "\t": "\\t", "\r": "\\r",
                          "\0": "\\0"})


def width(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(one) else
               2 if unicodedata.east_asian_width(one) in "WF" else 1
               for one in text)


def _cell(text: str, size: int, side: str = "middle") -> str:
    wide = width(text)
    if wide > size:
        text, wide = _cut(text, size), size
    gap = size - wide + 2
    left = {"left": 1, "middle": gap // 2, "right": gap - 1}[side]
    return "│" + " " * left + text + " " * (gap - left)


def _cut(text: str, size: int) -> str:
    made, used = "", 1
    for one in text:
        if used + width(one) >= size:
            break
        made, used = made + one, used + width(one)
    return made + _MORE + " " * (size - used)


class Box:
    """ROWS of kept values, as text. LIMITED: there may be more rows."""

    def __init__(self, names: list, kinds: list, rows: list,
                 max_rows: Any = None, max_width: Any = None,
                 max_col_width: Any = None, null: str = "NULL",
                 limited: bool = False) -> None:
        self.names, self.kinds, self.count = names, kinds, len(rows)
        self.max_width = max_width or _terminal()
        self.max_column = max_col_width or _COLUMN
        self.limited = limited
        most = max_rows or _ROWS
        shown = self.count if self.count <= most + 3 else most
        self.top = self.count if shown == self.count else (shown + 1) // 2
        self.bottom = shown - self.top
        picked = rows[:self.top] + (rows[-self.bottom:] if self.bottom
                                    else [])
        writers = [text_of(kind) for kind in kinds]
        self.cells = [[null if one is None else
                       write(one).translate(_ESCAPES)
                       for one, write in zip(row, writers)]
                      for row in picked]
        self.sides = ["right" if numeric_right(kind) else "left"
                      for kind in kinds]

    # -- sizes

    def _sizes(self, least: int) -> None:
        sizes = [max(width(name), width(types.shown(kind)))
                 for name, kind in zip(self.names, self.kinds)]
        for row in self.cells:
            for at, text in enumerate(row):
                sizes[at] = max(sizes[at], width(text))
        self.total = 1 + sum(size + 3 for size in sizes)
        if self.total < least:
            sizes[0] += least - self.total
            self.total = least
        pruned = self._fit(sizes)
        self.map: list[Any] = []
        self.sizes: list[int] = []
        for at, size in enumerate(sizes):
            if at not in pruned:
                self.map.append(at)
                self.sizes.append(size)
            elif None not in self.map:
                self.map.append(None)
                self.sizes.append(1)

    def _fit(self, sizes: list[int]) -> set[int]:
        """Make columns narrow, then leave some out from the middle."""
        if self.total <= self.max_width:
            return set()
        for at, size in enumerate(sizes):
            if size <= self.max_column:
                continue
            less = size - self.max_column
            if self.total - less <= self.max_width:
                sizes[at] -= self.total - self.max_width
                self.total = self.max_width
                break
            sizes[at] = self.max_column
            self.total -= less
        pruned: set[int] = set()
        if self.total > self.max_width:
            self.total += 4
            offset = 0
            while self.total > self.max_width and len(pruned) < len(sizes):
                at = len(sizes) // 2 + offset
                if 0 <= at < len(sizes):
                    self.total -= sizes[at] + 3
                    pruned.add(at)
                offset = -offset - 1 if offset >= 0 else -offset
        return pruned

    # -- lines

    def _line(self, left: str, middle: str, right: str) -> str:
        return left + middle.join("─" * (size + 2)
                                  for size in self.sizes) + right

    def _row(self, cells: list, sides: Any = None) -> str:
        made = []
        for k, (at, size) in enumerate(zip(self.map, self.sizes)):
            text = _MORE if at is None else cells[at]
            side = "middle" if sides is None or at is None else sides[at]
            made.append(_cell(text, size, side))
        return "".join(made) + "│"

    def _dots(self) -> str:
        """A row of dots, each where its column's values are."""
        made = []
        for at, size in zip(self.map, self.sizes):
            text, side = "·", "middle"
            if at is not None:
                side = self.sides[at]
                both = [min(size, width(row[at])) for row in (
                    self.cells[self.top - 1], self.cells[self.top])]
                text, side = _dot(min(both), side)
            made.append(_cell(text, size, side))
        return "".join(made) + "│"

    def text(self) -> str:
        rows = f"{'?' if self.limited else self.count} rows"
        hidden = self.bottom > 0
        shown = ""
        if hidden:
            more = f">{self.count - 1} rows, " if self.limited else ""
            shown = f"({more}{self.top + self.bottom} shown)"
        least = max(len(rows), len(shown)) + 4
        self._sizes(least if hidden or not self.count else 0)
        lines = [self._line("┌", "┬", "┐"), self._row(self.names)]
        kinds = [types.shown(kind) for kind in self.kinds]
        spare = [_MORE if at is None else kinds[at] for at in self.map]
        lines.append("".join(_cell("" if at is None else text, size)
                             for at, text, size in zip(
                                 self.map, spare, self.sizes)) + "│")
        lines.append(self._line("├", "┼" if self.count else "┴", "┤"))
        for at, row in enumerate(self.cells):
            if hidden and at == self.top:
                lines += [self._dots()] * 3
            lines.append(self._row(row, self.sides))
        return "\n".join(lines + self._foot(rows, shown, hidden, least)) \
            + "\n"

    def _foot(self, rows: str, shown: str, hidden: bool,
              least: int) -> list[str]:
        separate = hidden
        if hidden and self.total >= len(rows) + len(shown) + 5:
            rows, shown, separate = f"{rows} {shown}", "", False
            least = len(rows) + 4
        count = len(self.names)
        columns = f"{count} column" + ("s" if count > 1 else "")
        cut = None in self.map
        if cut:
            columns += f" ({len(self.map) - 1} shown)"
        wide = self.total >= len(rows) + len(columns) + 6 and (
            cut and self.count > 0 or self.count >= 10 and count > 1)
        narrow = self.total >= least and (self.count == 0
                                          or self.count >= 10)
        made = []
        if self.count:
            ends = ("├", "┤") if wide or narrow else ("└", "┘")
            made.append(self._line(ends[0], "┴", ends[1]))
        if not (wide or narrow):
            return made
        if wide:
            gap = self.total - len(rows) - len(columns) - 4
            made.append(f"│ {rows}{' ' * gap}{columns} │")
        else:
            made.append(_cell(rows, self.total - 4) + "│")
            if separate:
                made.append(_cell(shown, self.total - 4) + "│")
        return made + ["└" + "─" * (self.total - 2) + "┘"]


def _dot(length: int, side: str) -> tuple[str, str]:
    if length <= 1:
        return "·", side if length else "middle"
    left = length // 2
    right = length - left
    if side == "left":
        return " " * left + "·" + " " * (right - 1), side
    return " " * (left - 1) + "·" + " " * right, side


def _terminal() -> int:
    try:
        if sys.__stdout__ is not None and sys.__stdout__.isatty():
            import shutil
            return shutil.get_terminal_size((80, 24)).columns
    except ValueError:
        pass
    return _WIDTH
