"""table - tables by their edges: lines, rectangles, given places, or where
words begin."""

from __future__ import annotations

from typing import Any, Iterator, Optional

from .text import Words, box_of, cluster

Edge = dict[str, Any]
Box = tuple[float, float, float, float]
Point = tuple[float, float]
STRATEGIES = ("lines", "lines_strict", "text", "explicit")
DEFAULTS: dict[str, Any] = {
    "vertical_strategy": "lines", "horizontal_strategy": "lines",
    "explicit_vertical_lines": None, "explicit_horizontal_lines": None,
    "snap_tolerance": 3, "snap_x_tolerance": None, "snap_y_tolerance": None,
    "join_tolerance": 3, "join_x_tolerance": None, "join_y_tolerance": None,
    "edge_min_length": 3, "edge_min_length_prefilter": 1,
    "min_words_vertical": 3, "min_words_horizontal": 1,
    "intersection_tolerance": 3, "intersection_x_tolerance": None,
    "intersection_y_tolerance": None,
}


def _flat(x0: float, x1: float, top: float) -> Edge:
    return {"x0": x0, "x1": x1, "top": top, "bottom": top,
            "orientation": "h"}


def _upright(x: float, top: float, bottom: float) -> Edge:
    return {"x0": x, "x1": x, "top": top, "bottom": bottom,
            "orientation": "v"}


def _edges_of(thing: dict[str, Any]) -> Iterator[Edge]:
    """The horizontal and vertical edges of a line, a rectangle or a curve."""
    x0, x1 = thing["x0"], thing["x1"]
    top, bottom = thing["top"], thing["bottom"]
    if thing["object_type"] == "rect":
        yield _flat(x0, x1, top)
        yield _flat(x0, x1, bottom)
        yield _upright(x0, top, bottom)
        yield _upright(x1, top, bottom)
    elif thing["object_type"] == "line":
        if top == bottom:
            yield _flat(x0, x1, top)
        elif x0 == x1:
            yield _upright(x0, top, bottom)
    else:
        for (x, y), (u, v) in zip(thing["pts"], thing["pts"][1:]):
            if y == v:
                yield _flat(min(x, u), max(x, u), y)
            elif x == u:
                yield _upright(x, min(y, v), max(y, v))


def _length(edge: Edge) -> float:
    return float(edge["x1"] - edge["x0"] + edge["bottom"] - edge["top"])


def _merged(edges: list[Edge], across: str, snap: float, join: float,
            begin: str, end: str) -> list[Edge]:
    """Edges of one direction: those near each other get one place, and those
    of a place that touch become one. ACROSS names the place."""
    found: list[Edge] = []
    for near in cluster(edges, lambda one: one[across], snap):
        place = sum(one[across] for one in near) / len(near)
        last: Optional[Edge] = None
        for edge in sorted(near, key=lambda one: one[begin]):
            if last and edge[begin] <= last[end] + join:
                last[end] = max(last[end], edge[end])
                continue
            last = {**edge, across: place,
                    "bottom" if across == "top" else "x1": place}
            found.append(last)
    return found


def _columns_of(words: list[Any], least: int) -> list[Edge]:
    """Upright edges where at least LEAST words begin, end or have their
    middle."""
    groups = [group for key in (
        lambda one: one["x0"], lambda one: one["x1"],
        lambda one: (one["x0"] + one["x1"]) / 2)
        for group in cluster(words, key, 1)]
    boxes: list[dict[str, float]] = []
    for group in sorted(groups, key=len, reverse=True):
        box = box_of(group)
        if len(group) >= least and not any(
                box["x0"] <= one["x1"] and one["x0"] <= box["x1"] and
                box["top"] <= one["bottom"] and one["top"] <= box["bottom"]
                for one in boxes):
            boxes.append(box)
    if not boxes:
        return []
    whole = box_of(boxes)
    places = sorted(box["x0"] for box in boxes) + [whole["x1"]]
    return [_upright(x, whole["top"], whole["bottom"]) for x in places]


def _rows_of(words: list[Any], least: int) -> list[Edge]:
    boxes = [box_of(group) for group in
             cluster(words, lambda one: one["top"], 1) if len(group) >= least]
    if not boxes:
        return []
    whole = box_of(boxes)
    return [_flat(whole["x0"], whole["x1"], box[side])
            for box in boxes for side in ("top", "bottom")]


class Row:
    def __init__(self, cells: list[Optional[Box]]) -> None:
        self.cells = cells
        there = [cell for cell in cells if cell]
        self.bbox = (min(one[0] for one in there),
                     min(one[1] for one in there),
                     max(one[2] for one in there),
                     max(one[3] for one in there))


class Table:
    """Cells as boxes, and their texts."""

    def __init__(self, page: Any, cells: list[Box]) -> None:
        self.page, self.cells = page, cells
        self.bbox = Row(list(cells)).bbox

    def _groups(self, along: int, across: int) -> list[Row]:
        places = sorted({cell[along] for cell in self.cells})
        groups: dict[float, dict[float, Box]] = {}
        for cell in sorted(self.cells, key=lambda one: one[across]):
            groups.setdefault(cell[across], {})[cell[along]] = cell
        return [Row([group.get(place) for place in places])
                for group in groups.values()]

    rows = property(lambda self: self._groups(0, 1))
    columns = property(lambda self: self._groups(1, 0))

    def _text(self, cell: Optional[Box], options: dict[str, Any]
              ) -> Optional[str]:
        if cell is None:
            return None
        x0, top, x1, bottom = cell
        from .utils import extract_text
        return extract_text(
            [one for one in self.page.chars
             if x0 <= (one["x0"] + one["x1"]) / 2 < x1 and
             top <= (one["top"] + one["bottom"]) / 2 < bottom], **options)

    def extract(self, **options: Any) -> list[list[Optional[str]]]:
        return [[self._text(cell, options) for cell in row.cells]
                for row in self.rows]


class TableFinder:
    """Finds the tables of a page."""

    def __init__(self, page: Any, settings: dict[str, Any]) -> None:
        self.page = page
        self.settings = dict(DEFAULTS)
        self.text_options: dict[str, Any] = {}
        for name, value in settings.items():
            if name.startswith("text_"):
                self.text_options[name[len("text_"):]] = value
            elif name in DEFAULTS:
                self.settings[name] = value
            else:
                raise TypeError(f"TableSettings has no setting {name!r}")
        for way in ("vertical", "horizontal"):
            if self.settings[way + "_strategy"] not in STRATEGIES:
                raise ValueError(f"{way}_strategy must be one of "
                                 f"{STRATEGIES}")

    def all_edges(self) -> list[Edge]:
        return [edge for things in (self.page.lines, self.page.rects,
                                    self.page.curves)
                for thing in things for edge in _edges_of(thing)]

    def _found(self, way: str) -> list[Edge]:
        strategy = self.settings[way + "_strategy"]
        least = self.settings["min_words_" + way]
        if strategy == "text":
            words = Words(**self.text_options)
            found = [words.word(one) for one in words.pieces(self.page.chars)]
            return _columns_of(found, least) if way == "vertical" \
                else _rows_of(found, least)
        if strategy == "explicit":
            return []
        if strategy == "lines_strict":
            edges = [edge for thing in self.page.lines
                     for edge in _edges_of(thing)]
        else:
            edges = self.all_edges()
        return [edge for edge in edges if edge["orientation"] == way[0] and
                _length(edge) >= self.settings["edge_min_length_prefilter"]]

    def _given(self, way: str) -> Iterator[Edge]:
        x0, top, x1, bottom = self.page.bbox
        for place in self.settings[f"explicit_{way}_lines"] or ():
            if isinstance(place, dict):
                yield from (edge for edge in _edges_of(
                    {"object_type": "line", **place})
                    if edge["orientation"] == way[0])
            elif way == "vertical":
                yield _upright(float(place), top, bottom)
            else:
                yield _flat(x0, x1, float(place))

    def _tolerance(self, name: str, axis: str) -> float:
        own = self.settings[f"{name}_{axis}_tolerance"]
        return float(self.settings[f"{name}_tolerance"] if own is None
                     else own)

    def edges(self, way: str) -> list[Edge]:
        found = self._found(way) + list(self._given(way))
        axis, across, begin, end = ("x", "x0", "top", "bottom") \
            if way == "vertical" else ("y", "top", "x0", "x1")
        return [edge for edge in _merged(
            found, across, self._tolerance("snap", axis),
            self._tolerance("join", "y" if axis == "x" else "x"), begin, end)
            if _length(edge) >= self.settings["edge_min_length"]]

    def _crossings(self) -> dict[Point, tuple[set[int], set[int]]]:
        """Where edges meet: the numbers of the upright and flat ones."""
        x_near = self._tolerance("intersection", "x")
        y_near = self._tolerance("intersection", "y")
        found: dict[Point, tuple[set[int], set[int]]] = {}
        flat = self.edges("horizontal")
        for number, line in enumerate(self.edges("vertical")):
            for other, row in enumerate(flat):
                if line["top"] <= row["top"] + y_near and \
                        line["bottom"] >= row["top"] - y_near and \
                        row["x0"] - x_near <= line["x0"] <= \
                        row["x1"] + x_near:
                    at = found.setdefault((line["x0"], row["top"]),
                                          (set(), set()))
                    at[0].add(number)
                    at[1].add(other)
        return found

    def _cells(self) -> Iterator[Box]:
        points = self._crossings()

        def joined(one: Point, other: Point) -> bool:
            return bool(points[one][0] & points[other][0]
                        if one[0] == other[0]
                        else points[one][1] & points[other][1])

        below: dict[float, list[Point]] = {}
        right: dict[float, list[Point]] = {}
        for point in sorted(points):
            below.setdefault(point[0], []).append(point)
            right.setdefault(point[1], []).append(point)

        def smallest(point: Point) -> Optional[Box]:
            for low in below[point[0]]:
                if low[1] <= point[1] or not joined(point, low):
                    continue
                for far in right[point[1]]:
                    if far[0] <= point[0] or not joined(point, far):
                        continue
                    corner = (far[0], low[1])
                    if corner in points and joined(corner, far) and \
                            joined(corner, low):
                        return (*point, *corner)
            return None

        for point in sorted(points, key=lambda one: (one[1], one[0])):
            cell = smallest(point)
            if cell:
                yield cell

    @property
    def tables(self) -> list[Table]:
        """Cells that share a corner are of one table."""
        tables: list[tuple[set[Point], list[Box]]] = []
        for cell in self._cells():
            x0, top, x1, bottom = cell
            corners = {(x0, top), (x0, bottom), (x1, top), (x1, bottom)}
            cells = [cell]
            apart = []
            for others, theirs in tables:
                if others & corners:
                    corners |= others
                    cells = theirs + cells
                else:
                    apart.append((others, theirs))
            tables = [*apart, (corners, cells)]
        found = [Table(self.page, cells) for _, cells in tables
                 if len(cells) > 1]
        return sorted(found, key=lambda one: (one.bbox[1], one.bbox[0]))
