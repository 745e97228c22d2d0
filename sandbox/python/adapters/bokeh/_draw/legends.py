"""legends - keys of the layers, and bars of colours."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._colors import rgba
from . import ticks
from .glyphs import MARKERS, font
from .layers import Missing, span_of

_PX = 0.72
_PLACES = {"top": "upper", "bottom": "lower", "center": "center"}


def _place(location: Any) -> str:
    """A place of the library's as matplotlib's."""
    words = str(location).split("_")
    if len(words) == 1:
        words = ["center", words[0]] if words[0] in ("left", "right") \
            else [words[0], "center"]
    found = f"{_PLACES[words[0]]} {words[1]}"
    return "center" if found == "center center" else found


def _handle(layer: Any, at: int) -> Any:
    """A small picture of a layer's row AT."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Rectangle

    glyph = layer.glyph
    line = layer.colors("line")[min(at, layer.count - 1)] \
        if "line_color" in glyph._props and layer.count else (0, 0, 0, 0)
    width = layer.widths()[0] if "line_width" in glyph._props and \
        layer.count else 0
    if "fill_color" not in glyph._props:
        if "text_color" in glyph._props:
            return Rectangle((0, 0), 1, 1, color=layer.colors("text")[at])
        return Line2D([], [], color=line, linewidth=width,
                      linestyle=layer.dash())
    fill = layer.colors("fill")[min(at, layer.count - 1)]
    if layer.kind == "Scatter":
        mark = layer.values("marker")[at] if layer.count else "circle"
        return Line2D([], [], marker=MARKERS[mark], linestyle="none",
                      markersize=min(layer.num("size")[at] * _PX, 11),
                      markerfacecolor=fill, markeredgecolor=line,
                      markeredgewidth=width)
    if layer.kind == "Circle":
        return Line2D([], [], marker="o", linestyle="none", markersize=9,
                      markerfacecolor=fill, markeredgecolor=line)
    return Rectangle((0, 0), 1, 1, facecolor=fill, edgecolor=line,
                     linewidth=width)


def _rows(sheet: Any, legend: Any) -> list[tuple[Any, str]]:
    """The pictures and labels of a legend."""
    known = {id(one.renderer): one for one in sheet.layers}
    found: list[tuple[Any, str]] = []
    for item in legend.items:
        if not item.visible:
            continue
        layers = [known[id(one)] for one in item.renderers
                  if id(one) in known]
        if not layers:
            continue
        label = item.label
        if isinstance(label, dict) and "field" in label:
            found += _by_field(layers, label["field"])
            continue
        text = label.get("value") if isinstance(label, dict) else label
        parts = []
        for layer in layers:
            rows = np.flatnonzero(layer.rows == (item.index or 0))
            if layer.count:
                parts.append(_handle(layer, int(rows[0]) if len(rows) else 0))
        if parts:
            found.append((tuple(parts) if len(parts) > 1 else parts[0],
                          str(text)))
    return found


def _by_field(layers: Any, name: str) -> list[tuple[Any, str]]:
    first: dict[Any, Any] = {}
    for layer in layers:
        try:
            values = layer.column(name, "label")
        except Missing:
            # The library shows the column's name as a label.
            return [(_handle(layer, 0), name)]
        for at, value in enumerate(values):
            first.setdefault(value, _handle(layer, at))
    return [(handle, str(value)) for value, handle in first.items()]


def make_legend(sheet: Any, legend: Any, loc: str, anchor: Any) -> Any:
    """matplotlib's legend, or None for one without rows."""
    rows = _rows(sheet, legend)
    if not rows:
        return None
    size = font(legend, "label_text_")["fontsize"]
    columns = len(rows) if legend.orientation == "horizontal" else 1
    if isinstance(legend.ncols, int):
        columns = legend.ncols
    found = sheet.figure.legend(
        [one for one, _ in rows], [text for _, text in rows], loc=loc,
        bbox_to_anchor=anchor, bbox_transform=None, ncol=columns,
        fontsize=size, frameon=True, fancybox=False, borderaxespad=0,
        borderpad=legend.padding * _PX / size,
        labelspacing=max(legend.spacing, 0) * _PX / size + 0.35,
        handlelength=legend.glyph_width * _PX / size,
        handletextpad=legend.label_standoff * _PX / size,
        columnspacing=0.8,
        title=str(legend.title) if legend.title else None)
    frame = found.get_frame()
    frame.set(facecolor=rgba(legend.background_fill_color,
                             legend.background_fill_alpha),
              edgecolor=rgba(legend.border_line_color,
                             legend.border_line_alpha),
              linewidth=float(legend.border_line_width or 0) * _PX,
              alpha=None)
    color = rgba(legend.label_text_color, legend.label_text_alpha)
    for text in found.get_texts():
        text.set_color(color)
    looks = font(legend, "title_text_")
    found.get_title().set(color=rgba(legend.title_text_color), **looks)
    found.set_zorder(10)
    return found


def draw_legend(sheet: Any, legend: Any, side: Any, away: float) -> None:
    wide, high = sheet.size
    x, y, w, h = sheet.rect
    edge = float(legend.margin)
    if side is None:
        if isinstance(legend.location, (tuple, list)):
            dx, dy = legend.location
            make_legend(sheet, legend, "lower left",
                        (x + dx / wide, y + dy / high))
            return
        box = (x + edge / wide, y + edge / high, w - 2 * edge / wide,
               h - 2 * edge / high)
        make_legend(sheet, legend, _place(legend.location), box)
        return
    where = legend.location if isinstance(legend.location, str) else \
        "top_left"
    high_word = where.split("_")[0]
    across = "right" if where.endswith("right") else \
        "center" if where.endswith("center") or where == "center" else "left"
    if side in ("right", "left"):
        at = {"top": (y + h - edge / high, "upper"),
              "bottom": (y + edge / high, "lower")}.get(
                  high_word, (y + h / 2, "center"))
        place = x + w + away / wide if side == "right" else \
            x - away / wide
        make_legend(sheet, legend, at[1] + (" left" if side == "right"
                                            else " right"), (place, at[0]))
        return
    at_x = {"left": x, "center": x + w / 2, "right": x + w}[across]
    level = y + h + away / high if side == "above" else y - away / high
    make_legend(sheet, legend, ("lower " if side == "above" else "upper ") +
                across, (at_x, level))


def legend_size(sheet: Any, legend: Any) -> tuple[float, float]:
    """Width and height in pixels, by a trial."""
    found = make_legend(sheet, legend, "center", (0.5, 0.5))
    if found is None:
        return 0.0, 0.0
    box = found.get_window_extent(sheet.figure.canvas.get_renderer())
    sheet.figure.legends.remove(found)
    return float(box.width), float(box.height)


# -- bars of colours


def _span(sheet: Any, bar: Any) -> tuple[float, float]:
    """The least and the largest value, of the layer's if none are given."""
    mapper = bar.color_mapper
    for layer in sheet.layers:
        for name in ("fill_color", "line_color", "text_color"):
            value = getattr(layer.glyph, name, None)
            if isinstance(value, dict) and value.get("transform") is mapper:
                return span_of(mapper, layer.column(value["field"], name))
        if getattr(layer.glyph, "color_mapper", None) is mapper:
            return span_of(mapper, np.concatenate(
                [np.ravel(one) for one in layer.values("image")]))
    return span_of(mapper, [])


def draw_bar(sheet: Any, bar: Any, side: str, away: float) -> None:
    from matplotlib.colors import ListedColormap

    wide, high = sheet.size
    x, y, w, h = sheet.rect
    thick = float(bar.width) if isinstance(bar.width, (int, float)) else 20.0
    tall = float(bar.height) if isinstance(bar.height, (int, float)) and \
        bar.height > thick else h * high
    flat = side in ("above", "below")
    if flat:
        box = [x, y - (away + thick) / high if side == "below" else
               y + h + away / high, w, thick / high]
    elif side == "center":
        box = [x + w - (thick + 60) / wide, y + 15 / high, thick / wide,
               min(tall, h * high - 30) / high]
    else:
        left = x + w + away / wide if side == "right" else \
            x - (away + thick) / wide
        box = [left, y + h - tall / high, thick / wide, tall / high]
    ax = sheet.figure.add_axes(box, label="bar", zorder=4)
    palette = [rgba(one, bar.scale_alpha)
               for one in bar.color_mapper.palette]
    shades = np.arange(len(palette))
    ends = _bar_ends(sheet, bar, palette)
    extent = (*ends[0], 0, 1) if flat else (0, 1, *ends[0])
    ax.imshow(shades[None, :] if flat else shades[:, None],
              cmap=ListedColormap(palette), aspect="auto", origin="lower",
              extent=extent, interpolation="nearest")
    _bar_ticks(ax, bar, flat, side, *ends[1:])
    for spine in ax.spines.values():
        spine.set_visible(bar.bar_line_color is not None)
        spine.set_color(rgba(bar.bar_line_color))
    if bar.title:
        looks = font(bar, "title_text_")
        ax.annotate(str(bar.title), (0, 1), (0, 4), xycoords="axes fraction",
                    textcoords="offset points", ha="left", va="bottom",
                    color=rgba(bar.title_text_color), annotation_clip=False,
                    **looks)


def _bar_ends(sheet: Any, bar: Any, palette: Any) -> tuple[Any, Any, Any]:
    """The ends of a bar, and its ticks with their labels."""
    mapper = bar.color_mapper
    if type(mapper).__name__ == "CategoricalColorMapper":
        count = len(palette)
        return (0, count), np.arange(count) + 0.5, \
            [str(one) for one in mapper.factors]
    low, high = _span(sheet, bar)
    log = type(mapper).__name__ == "LogColorMapper"
    ticker = bar.ticker
    if hasattr(ticker, "ticks"):
        places = np.array(ticker.ticks, dtype=float)
    elif log:
        places = ticks.logarithmic(low, high)
    else:
        places = ticks.linear(low, high, getattr(ticker, "desired_num_ticks",
                                                 6))
    shown = ticks.labels(places, "log" if log else "",
                         None if bar.formatter == "auto" else bar.formatter)
    own = bar.major_label_overrides or {}
    shown = [own.get(place, text) for place, text in zip(places, shown)]
    if log:
        return np.log10([low, high]), np.log10(places), shown
    return (low, high if high > low else low + 1), places, shown


def _bar_ticks(ax: Any, bar: Any, flat: bool, side: str, places: Any,
               shown: list[str]) -> None:
    looks = font(bar, "major_label_text_")
    line, other = (ax.xaxis, ax.yaxis) if flat else (ax.yaxis, ax.xaxis)
    other.set_visible(False)
    line.set_ticks(list(places), shown)
    line.set_ticks_position({"below": "bottom", "above": "top"}.get(
        side, "left" if side == "left" else "right"))
    ax.tick_params(axis="x" if flat else "y", direction="in", length=4,
                   color=rgba(bar.major_tick_line_color),
                   pad=bar.label_standoff * _PX + 2,
                   labelsize=looks["fontsize"],
                   labelcolor=rgba(bar.major_label_text_color))


def bar_size(bar: Any) -> float:
    """Pixels across a bar beside the plot, with its labels."""
    thick = bar.width if isinstance(bar.width, (int, float)) else 20
    return float(thick) + 52
