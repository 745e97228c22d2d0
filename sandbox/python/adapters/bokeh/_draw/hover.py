"""hover - tooltips of a page without a script: titles over the picture."""

from __future__ import annotations

import datetime
import html
import re
from typing import Any

import numpy as np
import pandas as pd

from . import ticks
from .glyphs import boxes, slices
from .layers import Layer, Missing
from .scales import moment

MOST = 3000                 # shapes of one page
_FIELD = re.compile(r"@(?:\{([^}]*)\}|(\w+))(?:\{([^}]*)\})?")
_SPECIAL = re.compile(r"\$(?:(name|index|snap_x|snap_y|x|y|sx|sy)\b|"
                      r"(?:color|swatch)(?:\[[^\]]*\])?(?::\w+)?)"
                      r"(?:\{([^}]*)\})?")
_TAG = re.compile(r"<[^>]*>")


def shown(value: Any, form: Any = None, way: Any = None) -> str:
    """A value as a tooltip has it."""
    if form == "safe":
        form = None
    if form and (way == "datetime" or isinstance(
            value, (datetime.date, np.datetime64, pd.Timestamp)) and
            "%" in form):
        return ticks.timed(moment(value) if not isinstance(
            value, (int, float)) else float(value), form)
    if form and way == "printf":
        return ticks.printf(form, value)
    if isinstance(value, (np.datetime64, pd.Timestamp, datetime.date)):
        return f"{moment(value):g}"
    if isinstance(value, (float, int, np.number)) and not isinstance(
            value, bool):
        if form:
            return ticks.numeral(float(value), form)
        if isinstance(value, (int, np.integer)):
            return str(value)
        size = abs(float(value))
        if size != size:
            return "NaN"
        return f"{value:.3e}" if size and (size >= 1e5 or size < 1e-3) \
            else f"{value:.3f}"
    return "???" if value is None else str(value)


class _Row:
    """A row of a layer, for templates."""

    def __init__(self, layer: Layer, at: int, tool: Any, place: Any) -> None:
        self.layer, self.at, self.place = layer, at, place
        self.forms = {str(name): way for name, way in
                      (tool.formatters or {}).items()}

    def _field(self, found: Any) -> str:
        name, form = found[1] or found[2], found[3]
        data = self.layer.data
        if name not in data:
            return "???"
        value = self.layer.column(name, "tooltips")[self.at]
        way = self.forms.get(f"@{name}", self.forms.get(f"@{{{name}}}",
                                                        self.forms.get(name)))
        return shown(value, form, way)

    def _special(self, found: Any) -> str:
        name, form = found[1], found[2]
        if name == "index":
            return str(int(self.layer.rows[self.at]))
        if name == "name":
            return str(self.layer.renderer.name)
        if name in ("x", "y", "snap_x", "snap_y"):
            value = self.place[int(name[-1] == "y")]
            way = self.forms.get(f"${name}")
            return shown(float(value), form, way)
        return ""

    def fill(self, template: str) -> str:
        text = str(template)
        if "$name" in text:
            text = text.replace("@$name", f"@{{{self.layer.renderer.name}}}")
        text = _FIELD.sub(self._field, text)
        return _SPECIAL.sub(self._special, text)


def _words(row: _Row, tips: Any) -> str:
    if isinstance(tips, str):
        return " ".join(html.unescape(_TAG.sub(" ", row.fill(tips))).split())
    return "\n".join(f"{label}: {row.fill(value)}".strip()
                     for label, value in tips)


def _point(sheet: Any, layer: Any, x: float, y: float) -> tuple[float, float]:
    px, py = layer.ax.transData.transform((x, y))
    return float(px), float(sheet.size[1] - py)


def _outline(sheet: Any, layer: Any, points: Any) -> str:
    each = [_point(sheet, layer, *one) for one in points
            if np.isfinite(one).all()]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in each) + "Z"
    return f'<path d="{path}"'


def _shapes(sheet: Any, layer: Any) -> list[tuple[str, Any]]:
    """The beginning of an element for each row, and the row's place."""
    kind = layer.kind
    if kind in ("VBar", "HBar", "Quad", "Rect", "Block"):
        left, right, low, top = boxes(layer)
        return [(_outline(sheet, layer, ((a, c), (b, c), (b, d), (a, d))),
                 ((a + b) / 2, d)) for a, b, c, d in
                zip(left, right, low, top)]
    if kind in ("Wedge", "AnnularWedge", "Annulus"):
        return [(_outline(sheet, layer, one), one.mean(axis=0))
                for one in slices(layer)]
    if kind in ("Patches", "MultiLine"):
        found = []
        for xs, ys in zip(layer.values("xs"), layer.values("ys")):
            points = np.column_stack([layer.x_scale.map(xs),
                                      layer.y_scale.map(ys)])
            found.append((_outline(sheet, layer, points),
                          points.mean(axis=0)))
        return found
    if "x" in layer.glyph._props and "y" in layer.glyph._props and \
            kind not in ("Image", "ImageRGBA", "Text"):
        radius = layer.num("size") / 2 if kind == "Scatter" else \
            np.full(layer.count, 6.0)
        found = []
        for x, y, one in zip(layer.x("x"), layer.y("y"), radius):
            if not (np.isfinite(x) and np.isfinite(y)):
                found.append(("", (x, y)))
                continue
            px, py = _point(sheet, layer, x, y)
            found.append((f'<circle cx="{px:.1f}" cy="{py:.1f}" '
                          f'r="{max(float(one), 4):.1f}"', (x, y)))
        return found
    return []


def overlay(sheet: Any) -> str:
    """Elements without colour, each with its tooltip."""
    found: list[str] = []
    for tool in sheet.plot.tools:
        if type(tool).__name__ != "HoverTool" or tool.tooltips is None:
            continue
        tips = tool.tooltips
        if tips == "default":
            tips = [("index", "$index"), ("data (x, y)", "($x, $y)")]
        elif isinstance(tips, dict):
            tips = list(tips.items())
        for layer in sheet.layers:
            if tool.renderers not in ("auto", None, []) and \
                    layer.renderer not in tool.renderers:
                continue
            try:
                shapes = _shapes(sheet, layer)
            except Missing:
                continue
            for at, (start, place) in enumerate(shapes):
                if not start or len(found) >= MOST:
                    continue
                words = _words(_Row(layer, at, tool, place), tips)
                found.append(f'{start} fill="none" pointer-events="all">'
                             f"<title>{html.escape(words)}</title>" +
                             ("</circle>" if start[1] == "c" else "</path>"))
    return "\n".join(found)
