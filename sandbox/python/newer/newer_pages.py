"""newer_pages - PyMuPDF's Page.find_tables(), where it is older than 1.23.

Tables are found by their lines, which is PyMuPDF's own default. A table
without lines between its columns is no table here.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import add

import importlib
from typing import Any, Iterator, Optional

_import = importlib.import_module
_SNAP = 3.0         # points: lines that are nearer are one
_LEAST = 4.0        # points: shorter lines divide nothing
_LINES = 6000       # of a page, that are looked at

Box = tuple[float, float, float, float]
Line = tuple[float, float, float]  # where it is, and its two ends


def _edges(shape: Any) -> Iterator[Box]:
    """The straight lines of a drawing's item."""
    if shape[0] == "l":
        (x, y), (u, v) = tuple(shape[1]), tuple(shape[2])
        yield min(x, u), min(y, v), max(x, u), max(y, v)
    elif shape[0] == "re":
        x, y, u, v = tuple(shape[1])
        if v - y < _SNAP or u - x < _SNAP:  # a line that is a thin area
            yield x, y, u, v
        else:
            yield from ((x, y, u, y), (x, v, u, v), (x, y, x, v),
                        (u, y, u, v))


def _lines(page: Any, clip: Any) -> tuple[list[Line], list[Line]]:
    """The horizontal and the vertical lines of a page."""
    across: list[Line] = []
    down: list[Line] = []
    for drawing in page.get_drawings():
        for shape in drawing["items"]:
            for x, y, u, v in _edges(shape):
                if clip and not clip.intersects((x - 1, y - 1, u + 1, v + 1)):
                    continue
                if v - y < _SNAP <= _LEAST < u - x:
                    across.append(((y + v) / 2, x, u))
                elif u - x < _SNAP <= _LEAST < v - y:
                    down.append(((x + u) / 2, y, v))
        if len(across) + len(down) > _LINES:
            break
    return across, down


def _meet(flat: Line, upright: Line) -> bool:
    return (flat[1] - _SNAP <= upright[0] <= flat[2] + _SNAP and
            upright[1] - _SNAP <= flat[0] <= upright[2] + _SNAP)


def _grids(across: list[Line], down: list[Line]) -> \
        Iterator[tuple[list[Line], list[Line]]]:
    """Lines that touch each other, directly or by others."""
    left = set(range(len(down)))
    rows = set(range(len(across)))
    while rows:
        grid_rows, grid_columns, news = set(), set(), {rows.pop()}
        while news:
            grid_rows |= news
            found = {column for column in left
                     if any(_meet(across[row], down[column])
                            for row in news)}
            left -= found
            grid_columns |= found
            news = {row for row in rows
                    if any(_meet(across[row], down[column])
                           for column in found)}
            rows -= news
        yield ([across[row] for row in sorted(grid_rows)],
               [down[column] for column in sorted(grid_columns)])


def _places(lines: list[Line]) -> list[float]:
    """Where lines are, those that are nearly one as one."""
    found: list[float] = []
    for place in sorted(line[0] for line in lines):
        if not found or place - found[-1] > _SNAP:
            found.append(place)
    return found


def _divides(lines: list[Line], place: float, middle: float) -> bool:
    """Whether one of LINES is at PLACE and passes MIDDLE."""
    return any(abs(line[0] - place) <= _SNAP and line[1] <= middle <= line[2]
               for line in lines)


def _text_in(words: list[Any], box: Box) -> str:
    """The words whose middle is in a box, line by line."""
    lines: dict[tuple[int, int], list[str]] = {}
    for x, y, u, v, word, block, line, _ in words:
        if box[0] <= (x + u) / 2 <= box[2] and box[1] <= (y + v) / 2 <= box[3]:
            lines.setdefault((block, line), []).append(word)
    return "\n".join(" ".join(line) for line in lines.values())


class TableHeader:
    def __init__(self, bbox: Any, cells: Any, names: list[str]) -> None:
        self.bbox, self.cells, self.names = bbox, cells, names
        self.external = False


class TableRow:
    def __init__(self, cells: list[Optional[Box]]) -> None:
        there = [cell for cell in cells if cell]
        self.cells = cells
        self.bbox = (min(cell[0] for cell in there),
                     min(cell[1] for cell in there),
                     max(cell[2] for cell in there),
                     max(cell[3] for cell in there)) if there else None


class Table:
    """A table of a page: a box for each cell, None for one that belongs to
    the cell on its left or above it."""

    def __init__(self, page: Any, across: list[Line],
                 down: list[Line]) -> None:
        self.page = page
        xs, ys = _places(down), _places(across)
        self.bbox = (xs[0], ys[0], xs[-1], ys[-1])
        self.row_count, self.col_count = len(ys) - 1, len(xs) - 1
        self.rows = [TableRow([
            self._cell(xs, ys, across, down, row, column)
            for column in range(self.col_count)])
            for row in range(self.row_count)]
        self.cells = [cell for one in self.rows for cell in one.cells if cell]
        names = self.extract()[0] if self.rows else []
        self.header = TableHeader(
            self.rows[0].bbox, self.rows[0].cells,
            [name or f"Col{place}" for place, name in enumerate(names)])

    @staticmethod
    def _cell(xs: list[float], ys: list[float], across: list[Line],
              down: list[Line], row: int, column: int) -> Optional[Box]:
        middle = (xs[column] + xs[column + 1]) / 2
        level = (ys[row] + ys[row + 1]) / 2
        if not _divides(down, xs[column], level) or \
                not _divides(across, ys[row], middle):
            return None
        right, low = column + 1, row + 1
        while right < len(xs) - 1 and not _divides(down, xs[right], level):
            right += 1
        while low < len(ys) - 1 and not _divides(across, ys[low], middle):
            low += 1
        return xs[column], ys[row], xs[right], ys[low]

    def extract(self, **_options: Any) -> list[list[Optional[str]]]:
        words = self.page.get_text("words")
        return [[cell and _text_in(words, cell) for cell in row.cells]
                for row in self.rows]

    def to_pandas(self, **_options: Any) -> Any:
        names = list(self.header.names)
        for place, name in enumerate(names):
            if name in names[:place]:
                names[place] = f"{place}-{name}"
        return _import("pandas").DataFrame(self.extract()[1:], columns=names)

    def to_markdown(self, clean: bool = False, **_options: Any) -> str:
        rows = [self.header.names, ["---"] * self.col_count,
                *self.extract()[1:]]
        return "".join("|" + "|".join(
            (cell or "").replace("\n", "<br>") for cell in row) + "|\n"
            for row in rows) + "\n"


class TableFinder:
    """The tables of a page, from above. As PyMuPDF finds them: a box without
    text is none, nor is one of a single column, such as a coloured line."""

    def __init__(self, page: Any, clip: Any) -> None:
        self.page, self.tables = page, []
        for across, down in _grids(*_lines(page, clip)):
            if len(_places(across)) > 1 and len(_places(down)) > 2:
                table = Table(page, across, down)
                if any(map(any, table.extract())):
                    self.tables.append(table)
        self.tables.sort(key=lambda table: (table.bbox[1], table.bbox[0]))
        self.cells = [cell for table in self.tables for cell in table.cells]

    def __getitem__(self, index: int) -> Table:
        count = len(self.tables)
        if not -count <= index < count:
            raise IndexError("table not on page")
        return self.tables[index]

    def __iter__(self) -> Iterator[Table]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)


def _find_tables(self: Any, clip: Any = None, strategy: Any = None,
                 vertical_strategy: str = "lines",
                 horizontal_strategy: str = "lines",
                 **_options: Any) -> TableFinder:
    """Find the tables of a page by their lines."""
    for way in (strategy or "lines", vertical_strategy, horizontal_strategy):
        if not str(way).startswith("lines"):
            raise ValueError(
                f"strategy={way!r} needs PyMuPDF 1.23; here tables are found "
                "by their lines. For a table without lines use "
                "page.get_text('words') with its positions")
    return TableFinder(self, clip and _import("fitz").Rect(clip))


def _change_pages(fitz: Any) -> None:
    if hasattr(fitz.Page, "find_tables"):
        return
    for kind in (TableFinder, Table, TableHeader, TableRow):
        kind.__module__ = "fitz.table"
    _find_tables.__name__ = "find_tables"
    add(fitz.Page, find_tables=_find_tables)


when_imported({"fitz": _change_pages})
