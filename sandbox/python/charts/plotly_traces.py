"""plotly_traces - the traces of plotly's figures, drawn with matplotlib.

Each kind that programs draw most has a row in KINDS: what draws it, and
whether that takes one trace or all of the kind on the same axes, because they
are stacked or set side by side.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .plotly_axes import (Sheet, Trace, array, at, axes_of, color, decoded,
                          filled, ink_on, own_color, plain, swatch)
from .plotly_bars import (draw_bars, draw_candles, draw_histograms,
                          draw_spreads, edges_of)
from .values import numpy_module

import base64
import importlib
import io
import math
from typing import Any, Callable, NamedTuple

_import, _b64decode, _BytesIO = (importlib.import_module, base64.b64decode,
                                 io.BytesIO)
LABELLED = 0.04             # of a pie: smaller parts have no text
DASHES = {"dash": "--", "dot": ":", "dashdot": "-.", "longdash": (0, (8, 3)),
          "longdashdot": "-."}
_STEPS = {"hv": "steps-post", "vh": "steps-pre", "hvh": "steps-mid",
          "vhv": "steps-mid"}
_MARKS = {"square": "s", "diamond": "D", "cross": "P", "x": "X", "star": "*",
          "triangle-up": "^", "triangle-down": "v", "pentagon": "p",
          "hexagon": "h"}


# -- points and lines


def _mode(trace: Trace, count: int) -> str:
    few = count < 20 and not trace.get("stackgroup")
    return trace.get("mode") or ("lines+markers" if few else "lines")


def _mark(trace: Trace) -> str:
    symbol = str(at(trace, "marker", "symbol") or "").removesuffix("-open")
    return _MARKS.get(symbol, "o")


def _markers(sheet: Sheet, trace: Trace, ax: Any, places: tuple[Any, ...],
             paint: Any) -> Any:
    np: Any = numpy_module()
    marker = trace.get("marker") or {}
    sizes: Any = decoded(marker.get("size"))
    sizes = 6 if sizes is None else np.array(sizes, float)
    if np.ndim(sizes) and marker.get("sizemode") == "area":
        sizes = np.sqrt(sizes / float(marker.get("sizeref") or 1))
    colors: Any = decoded(marker.get("color"))
    if colors is None or isinstance(colors, str):
        colors = [paint] * len(places[0])
    elif len(colors) and not isinstance(colors[0], str):
        values = np.array(list(colors), float)
        colors = sheet.mapped(marker, values).to_rgba(values)
    else:
        colors = [color(one) for one in colors]
    opacity = marker.get("opacity", trace.get("opacity"))
    return ax.scatter(*places, s=np.square(np.asarray(sizes) * 0.72),
                      c=colors, marker=_mark(trace), zorder=3,
                      alpha=opacity if isinstance(opacity, (int, float))
                      else None, linewidths=0.5,
                      edgecolors=color(at(marker, "line", "color")) or "none")


def _lines(trace: Trace, ax: Any, places: tuple[Any, ...],
           paint: Any) -> Any:
    line = trace.get("line") or {}
    return ax.plot(*places, color=paint, linewidth=line.get("width", 2) * 0.72,
                   linestyle=DASHES.get(line.get("dash"), "-"),
                   drawstyle=_STEPS.get(line.get("shape"), "default"),
                   alpha=trace.get("opacity"))[0]


def _fill(sheet: Sheet, trace: Trace, ax: Any, x: Any, y: Any,
          paint: Any) -> None:
    kind = trace.get("fill") or ("tonexty" if trace.get("stackgroup")
                                 else "none")
    shade = color(trace["fillcolor"]) if trace.get("fillcolor") \
        else color(paint, 0.5)
    before = sheet.lines.get(ax)
    if kind in ("toself", "tonext"):
        ax.fill(x, y, color=shade, linewidth=0)
    elif kind == "tozerox":
        ax.fill_betweenx(y, 0, x, color=shade, linewidth=0)
    elif kind in ("tozeroy", "tonexty"):
        low = before[1] if kind == "tonexty" and before is not None and \
            len(before[1]) == len(y) else 0
        ax.fill_between(x, low, y, color=shade, linewidth=0)
    sheet.lines[ax] = x, y


def _errors(trace: Trace, ax: Any, x: Any, y: Any, paint: Any) -> None:
    found = {}
    for name in ("x", "y"):
        bars = trace.get("error_" + name) or {}
        if bars.get("array") is not None and bars.get("visible") is not False:
            low = bars.get("arrayminus")
            high = array(bars["array"])
            found[name + "err"] = [high if low is None else array(low), high]
    if found:
        ax.errorbar(x, y, fmt="none", ecolor=paint, capsize=3, **found)


def _texts(sheet: Sheet, trace: Trace, ax: Any, x: Any, y: Any) -> None:
    texts: Any = trace.get("text")
    texts = [texts] * len(x) if isinstance(texts, str) else array(texts)
    for place in zip(x, y, texts):
        ax.annotate(plain(place[2]), place[:2], ha="center", va="bottom",
                    xytext=(0, 4), textcoords="offset points",
                    color=sheet.ink, fontsize=8)


def _scatter(sheet: Sheet, trace: Trace) -> None:
    ax, across, up = axes_of(sheet, trace)
    y = up.numbers(array(trace.get("y")))
    x = across.numbers(array(trace.get("x")) if trace.get("x") is not None
                       else range(len(y)))
    if trace.get("stackgroup"):
        pile = ax, trace["stackgroup"]
        y = sheet.sums[pile] = y + sheet.sums.get(pile, 0)
    mode = _mode(trace, len(x))
    paint = own_color(sheet, trace, "line", "marker") if "lines" in mode \
        else own_color(sheet, trace, "marker", "line")
    key = None
    _fill(sheet, trace, ax, x, y, paint)
    if "lines" in mode:
        key = _lines(trace, ax, (x, y), paint)
    if "markers" in mode:
        _markers(sheet, trace, ax, (x, y), paint)
        # Of one size, whatever the points have.
        key = key or _import("matplotlib.lines").Line2D(
            [], [], color=paint, marker=_mark(trace), linestyle="",
            markersize=5)
    if "text" in mode:
        _texts(sheet, trace, ax, x, y)
    _errors(trace, ax, x, y, paint)
    sheet.add_key(trace, key or swatch(paint))


def _radar(sheet: Sheet, trace: Trace) -> None:
    name = trace.get("subplot") or "polar"
    settings = at(sheet.layout, name) or {}
    if name not in sheet.parts:
        ax = sheet.parts[name] = sheet.part(settings, projection="polar")
        axis = at(settings, "angularaxis") or {}
        flip = axis.get("direction") == "clockwise"
        ax.set_theta_direction(-1 if flip else 1)
        ax.set_theta_offset(math.radians(
            axis.get("rotation", 90 if flip else 0)))
    ax = sheet.parts[name]
    names = [str(one) for one in array(trace.get("theta"))]
    kinds = list(dict.fromkeys(names))
    if any(not isinstance(one, (int, float)) for one in
           array(trace.get("theta"))):
        angles = [math.tau * kinds.index(one) / len(kinds) for one in names]
        ax.set_xticks([math.tau * k / len(kinds) for k in range(len(kinds))],
                      [plain(kind) for kind in kinds])
    else:
        angles = [math.radians(float(one)) for one in names]
    reach = [float(one) for one in array(trace.get("r"))]
    paint = own_color(sheet, trace, "line", "marker")
    if "lines" in _mode(trace, len(reach)):
        ax.plot(angles, reach, color=paint)
    else:
        ax.plot(angles, reach, "o", color=paint)
    if trace.get("fill") == "toself":
        ax.fill(angles, reach, color=color(paint, 0.4))
    limits = array(at(settings, "radialaxis", "range"))
    if len(limits) == 2:
        ax.set_ylim(*map(float, limits))
    sheet.add_key(trace, swatch(paint))


# -- areas of colours


def _grid(sheet: Sheet, trace: Trace) -> None:
    """heatmap, contour"""
    np: Any = numpy_module()
    ax, across, up = axes_of(sheet, trace)
    z = np.array([[np.nan if one is None else float(one) for one in row]
                  for row in array(trace.get("z"))])
    x, y = (scale.numbers(array(trace.get(name))) if trace.get(name)
            is not None else np.arange(z.shape[side], dtype=float)
            for scale, name, side in ((across, "x", 1), (up, "y", 0)))
    mapped = sheet.mapped(trace, z)
    if trace["type"] == "contour":
        ax.contourf(x, y, z, 12, cmap=mapped.cmap, norm=mapped.norm)
    else:
        ax.pcolormesh(x, y, z, cmap=mapped.cmap, norm=mapped.norm,
                      shading="nearest" if len(x) == z.shape[1] else "flat")
    texts, template = array(trace.get("text")), trace.get("texttemplate")
    if not template or len(x) != z.shape[1]:
        return
    for row, column in np.ndindex(z.shape):
        text = texts[row][column] if len(texts) else ""
        ax.annotate(filled(template, {"z": z[row, column], "text": text}),
                    (x[column], y[row]), ha="center", va="center",
                    fontsize=8, color=ink_on(mapped.to_rgba(z[row, column])))


def _counted(sheet: Sheet, trace: Trace) -> None:
    """histogram2d"""
    np: Any = numpy_module()
    ax, across, up = axes_of(sheet, trace)
    x, y = (scale.numbers(array(trace.get(name)))
            for scale, name in ((across, "x"), (up, "y")))
    z, x_edges, y_edges = np.histogram2d(x, y, (
        edges_of(trace, across, x, "x"), edges_of(trace, up, y, "y")))
    mapped = sheet.mapped(trace, z)
    ax.pcolormesh(x_edges, y_edges, z.T, cmap=mapped.cmap, norm=mapped.norm)


def _image(sheet: Sheet, trace: Trace) -> None:
    np: Any = numpy_module()
    ax, _, up = axes_of(sheet, trace)
    source = trace.get("source")
    if source:
        data = _b64decode(str(source).partition(",")[2])
        z = np.asarray(_import("PIL.Image").open(_BytesIO(data)))
    else:
        z = np.array(decoded(trace.get("z")), "uint8")
    up.settings = {"autorange": "reversed", **up.settings}
    ax.imshow(z, origin="lower", aspect="equal")


def _pie(sheet: Sheet, trace: Trace) -> None:
    values = [float(value) for value in array(trace.get("values"))]
    labels = [str(one) for one in array(trace.get("labels"))] or \
        [str(index) for index in range(len(values))]
    sums: dict[str, float] = {}
    for label, value in zip(labels, values or [1.0] * len(labels)):
        sums[label] = sums.get(label, 0.0) + value
    given = dict(zip(labels, array(at(trace, "marker", "colors"))))
    paints = {label: color(given.get(label) or sheet.color_of(index))
              for index, label in enumerate(sums)}
    order = list(sums) if trace.get("sort") is False else \
        sorted(sums, key=lambda label: -sums[label])
    total, info = sum(sums.values()) or 1, trace.get("textinfo") or "percent"
    ax = sheet.part(trace)
    hole = trace.get("hole") or 0
    wedges, _ = ax.pie([sums[label] for label in order], startangle=90,
                       colors=[paints[label] for label in order],
                       counterclock=False,
                       wedgeprops={"width": 1 - hole, "edgecolor": "white"})
    for wedge, label in zip(wedges, order):
        part = sums[label] / total
        texts = {"label": plain(label), "percent": f"{part:.1%}",
                 "value": f"{sums[label]:g}"}
        text = "\n".join(texts[name] for name in texts if name in info)
        if part >= LABELLED and text:
            angle = math.radians((wedge.theta1 + wedge.theta2) / 2)
            reach = 1 - (1 - hole) / 2 if hole else 0.65
            ax.text(reach * math.cos(angle), reach * math.sin(angle), text,
                    ha="center", va="center", fontsize=9, color="white")
    sheet.keys += [(plain(label), swatch(paints[label]))
                   for label in order]


# -- three dimensions


def _space(sheet: Sheet, trace: Trace) -> Any:
    """matplotlib's axes of a scene."""
    _import("mpl_toolkits.mplot3d")
    name = trace.get("scene") or "scene"
    settings = at(sheet.layout, name) or {}
    if name not in sheet.parts:
        ax = sheet.parts[name] = sheet.part(settings, projection="3d")
        for letter in "xyz":
            title = plain(at(settings, letter + "axis", "title"))
            getattr(ax, f"set_{letter}label")(title or letter)
    return sheet.parts[name]


def _scatter_3d(sheet: Sheet, trace: Trace) -> None:
    np: Any = numpy_module()
    ax = _space(sheet, trace)
    places = tuple(np.array(array(trace.get(name)), float) for name in "xyz")
    mode = trace.get("mode") or "lines+markers"
    paint = own_color(sheet, trace, "marker", "line")
    if "lines" in mode:
        ax.plot(*places, color=paint)
    if "markers" in mode:
        _markers(sheet, trace, ax, places, paint)
    sheet.add_key(trace, swatch(paint))


def _surface(sheet: Sheet, trace: Trace) -> None:
    np: Any = numpy_module()
    ax = _space(sheet, trace)
    z = np.array([list(row) for row in array(trace.get("z"))], float)
    x, y = (np.array(decoded(trace.get(name)), float)
            if trace.get(name) is not None else
            np.arange(z.shape[side], dtype=float)
            for name, side in (("x", 1), ("y", 0)))
    if x.ndim == 1:
        x, y = np.meshgrid(x, y)
    mapped = sheet.mapped(trace, z)
    ax.plot_surface(x, y, z, cmap=mapped.cmap, norm=mapped.norm)


class Kind(NamedTuple):
    """draw: draws a trace, or all of the kind on the same axes if TOGETHER.
    paired: it has an x and a y axis."""
    draw: Callable[[Sheet, Any], None]
    together: bool = False
    paired: bool = True


KINDS = {
    "scatter": Kind(_scatter), "scattergl": Kind(_scatter),
    "bar": Kind(draw_bars, True), "funnel": Kind(draw_bars, True),
    "waterfall": Kind(draw_bars, True),
    "histogram": Kind(draw_histograms, True),
    "box": Kind(draw_spreads, True), "violin": Kind(draw_spreads, True),
    "candlestick": Kind(draw_candles), "ohlc": Kind(draw_candles),
    "heatmap": Kind(_grid), "contour": Kind(_grid),
    "histogram2d": Kind(_counted), "image": Kind(_image),
    "pie": Kind(_pie, paired=False),
    "scatterpolar": Kind(_radar, paired=False),
    "scatter3d": Kind(_scatter_3d, paired=False),
    "surface": Kind(_surface, paired=False),
}
