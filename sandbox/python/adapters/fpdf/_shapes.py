"""fpdf._shapes - lines, boxes, ellipses, polygons; turned and clipped."""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import Any, Iterator

from ._state import State
from .enums import RenderStyle

_ROUND = 4 / 3 * (math.sqrt(2) - 1)


def _paint(style: Any) -> tuple[int, int]:
    """Whether to draw the line, and whether to fill."""
    style = RenderStyle.coerce(style)
    return int(style != RenderStyle.F), int(style != RenderStyle.D)


class Shapes(State):
    def _draw(self, parts: list[Any], style: Any) -> None:
        k = self.k
        scaled = [(part[0], *(place * k for place in part[1:]))
                  for part in parts]
        self._out("path", self._pen(), scaled, *_paint(style))

    def line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self._draw([("m", x1, y1), ("l", x2, y2)], "D")

    def dashed_line(self, x1: float, y1: float, x2: float, y2: float,
                    dash_length: float = 1, space_length: float = 1) -> None:
        kept = dict(self.dash_pattern)
        self.set_dash_pattern(dash_length, space_length)
        self.line(x1, y1, x2, y2)
        self.dash_pattern = kept

    def polyline(self, point_list: Any, fill: bool = False,
                 polygon: bool = False, style: Any = None) -> None:
        (x, y), *rest = point_list
        parts = [("m", x, y), *(("l", *point) for point in rest)]
        if polygon:
            parts.append(("h",))
        if fill and style is None:
            style = "DF"
        self._draw(parts, style)

    def polygon(self, point_list: Any, fill: bool = False,
                style: Any = None) -> None:
        self.polyline(point_list, fill, True, style)

    def rect(self, x: float, y: float, w: float, h: float, style: Any = None,
             round_corners: Any = False, corner_radius: float = 0) -> None:
        if not round_corners:
            k = self.k
            self._out("rect", self._pen(), x * k, y * k, w * k, h * k,
                      *_paint(style))
            return
        if round_corners is not True:
            raise NotImplementedError("rect(round_corners=True) only: all "
                                      "corners are round in this fpdf")
        r = corner_radius or min(w, h) / 5
        if r >= min(w, h) / 2:
            r /= min(w, h)
        self._draw(_rounded(x, y, w, h, r, r), style)

    def ellipse(self, x: float, y: float, w: float, h: float,
                style: Any = None) -> None:
        self._draw(_rounded(x, y, w, h, w / 2, h / 2), style)

    def circle(self, x: float, y: float, radius: Any = None,
               style: Any = None, r: Any = None) -> None:
        radius = r if radius is None else radius
        self.ellipse(x - radius, y - radius, 2 * radius, 2 * radius, style)

    def regular_polygon(self, x: float, y: float, numSides: int,
                        polyWidth: float, rotateDegrees: float = 0,
                        style: Any = None) -> None:
        r = polyWidth / 2
        begin = math.radians(rotateDegrees)
        step = 2 * math.pi / numSides
        self.polygon([(x + r + r * math.cos(begin + step * at),
                       y - r + r * math.sin(begin + step * at))
                      for at in range(1, numSides + 1)], style=style)

    def star(self, x: float, y: float, r_in: float, r_out: float,
             corners: int, rotate_degrees: float = 0,
             style: Any = None) -> None:
        begin, step = math.radians(rotate_degrees), math.pi / corners
        radii = (r_out, r_in)
        self.polygon([(x + radii[at % 2] * math.sin(begin + step * at),
                       y + radii[at % 2] * math.cos(begin + step * at))
                      for at in range(2 * corners)], style=style)

    # boxes of cells

    def _cell_box(self, x: float, y: float, w: float, h: float, border: Any,
                  fill: bool) -> None:
        """The border and the area of a cell."""
        if isinstance(border, str) and set("LTRB") <= set(border):
            border = 1
        if not fill and not border:
            return
        if isinstance(border, str):
            if fill:
                self.rect(x, y, w, h, "F")
            self._sides(x, y, x + w, y + h, border)
        else:
            self.rect(x, y, w, h, "DF" if fill and border else
                      "F" if fill else "D")

    def _box(self, x1: float, y1: float, x2: float, y2: float, border: Any,
             fill: Any) -> None:
        if fill:
            kept, self.fill_color = self.fill_color, fill
            self.rect(x1, y1, x2 - x1, y2 - y1, "F")
            self.fill_color = kept
        if isinstance(border, str) and not set("LTRB") <= set(border):
            self._sides(x1, y1, x2, y2, border)
        elif border:
            self.rect(x1, y1, x2 - x1, y2 - y1, "D")

    def _sides(self, x1: float, y1: float, x2: float, y2: float,
               border: str) -> None:
        for side, ends in (("L", (x1, y1, x1, y2)), ("T", (x1, y1, x2, y1)),
                           ("R", (x2, y1, x2, y2)), ("B", (x1, y2, x2, y2))):
            if side in border:
                self.line(*ends)

    # contexts

    @contextmanager
    def rotation(self, angle: float, x: Any = None,
                 y: Any = None) -> Iterator[None]:
        x = (self.x if x is None else x) * self.k
        y = self.h_pt - (self.y if y is None else y) * self.k
        turn = math.radians(angle)
        c, s = math.cos(turn), math.sin(turn)
        self._out("push", c, s, -s, c, x - c * x + s * y, y - s * x - c * y)
        yield
        self._out("pop")

    @contextmanager
    def rect_clip(self, x: float, y: float, w: float,
                  h: float) -> Iterator[None]:
        k = self.k
        self._out("push")
        self._out("path", self._pen(), [
            ("m", x * k, y * k), ("l", (x + w) * k, y * k),
            ("l", (x + w) * k, (y + h) * k), ("l", x * k, (y + h) * k),
            ("h",)], 0, 0, True)
        yield
        self._out("pop")

    @contextmanager
    def local_context(self, **options: Any) -> Iterator[None]:
        kept = self._snapshot()
        for name, value in options.items():
            if name in ("fill_opacity", "stroke_opacity"):
                self.any_alpha = True
                setattr(self, "_fill_alpha" if name[0] == "f" else
                        "_draw_alpha", value)
            elif name in ("draw_color", "fill_color", "text_color",
                          "char_spacing", "line_width"):
                getattr(self, f"set_{name}")(value)
            elif name == "font_size":
                self.font_size_pt = value * self.k
            elif name == "font_size_pt":
                self.font_size_pt = value
            elif name in ("underline", "strikethrough"):
                setattr(self, name, value)
            elif name == "dash_pattern":
                self.set_dash_pattern(**value)
            elif name in ("font_family", "font_style"):
                self.set_font(**{name[5:]: value, **(
                    {"style": self._style_letters()}
                    if name == "font_family" else {})})
            else:
                raise NotImplementedError(
                    f"local_context({name}=...) is not in this fpdf")
        yield
        self._restore(kept)


def _rounded(x: float, y: float, w: float, h: float, rx: float,
             ry: float) -> list[Any]:
    """A box with round corners, from the middle of its right side."""
    u, v, p, q = x + w, y + h, rx * (1 - _ROUND), ry * (1 - _ROUND)
    return [("m", u, y + ry), ("l", u, v - ry),
            ("c", u, v - q, u - p, v, u - rx, v), ("l", x + rx, v),
            ("c", x + p, v, x, v - q, x, v - ry), ("l", x, y + ry),
            ("c", x, y + q, x + p, y, x + rx, y), ("l", u - rx, y),
            ("c", u - p, y, u, y + q, u, y + ry), ("h",)]
