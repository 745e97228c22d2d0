"""notes - titles, spans, boxes, labels, whiskers, bands and arrows."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from .._colors import rgba
from .glyphs import BASELINES, font
from .layers import Layer, dash_of, refuse_units
from .legends import bar_size, legend_size

_PX = 0.72


def _is(one: Any, *kinds: str) -> bool:
    return type(one).__name__ in kinds


def learn(sheet: Any, one: Any) -> None:
    """The places of whiskers and bands are part of the data's range."""
    if not _is(one, "Whisker", "Band") or one.source is None:
        return
    layer = _layer(sheet, one)
    flat = one.dimension == "width"
    along, across = (layer.y_scale, layer.x_scale) if flat else \
        (layer.x_scale, layer.y_scale)
    for name in ("lower", "upper"):
        across.learn(_column(layer, name, across))
    along.learn(_column(layer, "base", along))


class _Fake:
    """What a layer knows of its renderer."""

    def __init__(self, one: Any) -> None:
        self.glyph, self.data_source, self.view = one, one.source, None


def _layer(sheet: Any, one: Any) -> Layer:
    if one.source is None:
        from ..models import _NAMES as M
        one.source = M["ColumnDataSource"]()
    return Layer(_Fake(one), sheet.scale("x", one.x_range_name),
                 sheet.scale("y", one.y_range_name))


def _column(layer: Layer, name: str, scale: Any) -> Any:
    many, found = layer.given(name)
    if many:
        return scale.map(found)
    return scale.map(found) if isinstance(found, (list, np.ndarray)) \
        else np.full(layer.count, scale.of(found))


def _line(one: Any, prefix: str = "line_") -> dict[str, Any]:
    def plain(name: str) -> Any:
        value = getattr(one, prefix + name)
        return value["value"] if isinstance(value, dict) and \
            "value" in value else value

    return {"color": rgba(plain("color"), plain("alpha")),
            "linewidth": float(plain("width") or 0) * _PX,
            "linestyle": dash_of(plain("dash"))}


# -- kinds


def _span(sheet: Any, ax: Any, one: Any) -> None:
    wide = one.dimension == "width"
    scale = sheet.scale("y" if wide else "x",
                        one.y_range_name if wide else one.x_range_name)
    if one.location is None:
        return
    (ax.axhline if wide else ax.axvline)(scale.of(one.location), **_line(one))


def _side(value: Any, scale: Any, end: float) -> float:
    return end if value is None or not isinstance(
        value, (str, tuple)) and hasattr(value, "properties") \
        else scale.of(value)


def _box(sheet: Any, ax: Any, one: Any) -> None:
    from matplotlib.patches import Rectangle

    xs, ys = (sheet.scale("x", one.x_range_name),
              sheet.scale("y", one.y_range_name))
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    left, right = _side(one.left, xs, x0), _side(one.right, xs, x1)
    low, top = _side(one.bottom, ys, y0), _side(one.top, ys, y1)
    line = _line(one)
    ax.add_patch(Rectangle(
        (left, low), right - left, top - low, edgecolor=line["color"],
        facecolor=rgba(one.fill_color, one.fill_alpha),
        linewidth=line["linewidth"], linestyle=line["linestyle"]))


def _polygon(sheet: Any, ax: Any, one: Any) -> None:
    line = _line(one)
    ax.fill(sheet.scale("x").map(one.xs), sheet.scale("y").map(one.ys),
            facecolor=rgba(one.fill_color, one.fill_alpha),
            edgecolor=line["color"], linewidth=line["linewidth"])


def _slope(sheet: Any, ax: Any, one: Any) -> None:
    left, right = ax.get_xlim()
    x = np.array([left, right])
    if one.gradient is None or one.y_intercept is None:
        return
    y = float(one.gradient) * x + float(one.y_intercept)
    ax.plot(x, y, **_line(one))
    for side, end in (("above", 1), ("below", 0)):
        color = getattr(one, f"{side}_fill_color")
        if color is not None:
            ax.fill_between(x, y, ax.get_ylim()[end], linewidth=0, facecolor=(
                rgba(color, getattr(one, f"{side}_fill_alpha"))))


def _write(ax: Any, one: Any, place: Any, text: str, units: Any,
           looks: dict[str, Any]) -> None:
    boxed = rgba(one.background_fill_color, one.background_fill_alpha)
    edge = rgba(one.border_line_color, one.border_line_alpha)
    box = {"facecolor": boxed, "edgecolor": edge, "pad": 2,
           "linewidth": _PX} if boxed[3] or edge[3] else None
    ax.annotate(str(text), place, (float(one.x_offset) * _PX,
                                   float(one.y_offset) * _PX),
                xycoords=units, textcoords="offset points", bbox=box,
                annotation_clip=False, **looks)


def _label(sheet: Any, ax: Any, one: Any) -> None:
    looks = {"color": rgba(one.text_color, one.text_alpha),
             "rotation": np.degrees(float(one.angle)) if one.angle_units ==
             "rad" else float(one.angle), "rotation_mode": "anchor",
             "ha": one.text_align, "va": BASELINES[one.text_baseline],
             **font(one)}
    units = ["data" if getattr(one, f"{way}_units") == "data"
             else "axes pixels" for way in "xy"]
    place = [sheet.scale(way).of(getattr(one, way)) if unit == "data"
             else float(getattr(one, way)) * _PX * 100 / 72
             for way, unit in zip("xy", units)]
    _write(ax, one, place, one.text, tuple(units), looks)


def _labels(sheet: Any, ax: Any, one: Any) -> None:
    layer = _layer(sheet, one)
    colors = layer.colors("text")
    rows = zip(_column(layer, "x", layer.x_scale),
               _column(layer, "y", layer.y_scale), layer.values("text"),
               colors, layer.num("x_offset"), layer.num("y_offset"))
    for x, y, text, color, dx, dy in rows:
        if np.isfinite(x) and np.isfinite(y):
            ax.annotate(str(text), (x, y), (dx * _PX, dy * _PX),
                        xycoords="data", textcoords="offset points",
                        color=color, ha=one.text_align,
                        va=BASELINES[one.text_baseline],
                        rotation=np.degrees(float(one.angle or 0)),
                        annotation_clip=False, **font(one))


def _spans(sheet: Any, one: Any) -> tuple[bool, Any, list[Any]]:
    """Whether spans lie flat, their places, and their two ends."""
    layer = _layer(sheet, one)
    flat = one.dimension == "width"
    along, across = (layer.y_scale, layer.x_scale) if flat else \
        (layer.x_scale, layer.y_scale)
    return flat, _column(layer, "base", along), [
        _column(layer, name, across) for name in ("lower", "upper")]


def _whisker(sheet: Any, ax: Any, one: Any) -> None:
    flat, base, ends = _spans(sheet, one)
    line = _line(one)
    (ax.hlines if flat else ax.vlines)(base, *ends, **{
        "colors": [line["color"]], "linewidths": line["linewidth"],
        "linestyles": [line["linestyle"]]})
    for end, name in zip(ends, ("lower_head", "upper_head")):
        head = getattr(one, name)
        xy = (end, base) if flat else (base, end)
        if head is not None:
            size, look = float(head.size), _line(head)
            ax.plot(*xy, linestyle="none", marker="|" if flat else "_",
                    markersize=size * _PX, color=look["color"],
                    markeredgewidth=look["linewidth"])


def _band(sheet: Any, ax: Any, one: Any) -> None:
    flat, base, ends = _spans(sheet, one)
    order = np.argsort(base, kind="stable")
    ends = [end[order] for end in ends]
    line = _line(one)
    (ax.fill_betweenx if flat else ax.fill_between)(
        base[order], *ends, facecolor=rgba(one.fill_color, one.fill_alpha),
        linewidth=0)
    for end in ends:
        xy = (end, base[order]) if flat else (base[order], end)
        ax.plot(*xy, **line)


def _arrow(sheet: Any, ax: Any, one: Any) -> None:
    layer = _layer(sheet, one)
    ends = zip(*(_column(layer, f"{way}_{end}", getattr(
        layer, f"{way}_scale")) for end in ("start", "end") for way in "xy"))
    line = _line(one)
    heads = {"OpenHead": "->", "NormalHead": "-|>", "VeeHead": "-|>",
             "TeeHead": "-["}
    head = one.end
    style = heads.get(type(head).__name__, "->")
    for x0, y0, x1, y1 in ends:
        ax.annotate("", (x1, y1), (x0, y0), annotation_clip=False,
                    arrowprops={
                        "arrowstyle": style, "shrinkA": 0, "shrinkB": 0,
                        "color": line["color"], "mutation_scale": (
                            float(head.size) if head is not None else 25) *
                        _PX, "linewidth": line["linewidth"],
                        "linestyle": line["linestyle"]})


_Drawer = Callable[[Any, Any, Any], None]
_KINDS: dict[str, _Drawer] = {
    "Span": _span, "BoxAnnotation": _box, "PolyAnnotation": _polygon,
    "Slope": _slope, "Label": _label, "LabelSet": _labels,
    "Whisker": _whisker, "Band": _band, "Arrow": _arrow}


def draw_all(sheet: Any, under: bool) -> None:
    """Notes below the glyphs or above them."""
    plot = sheet.plot
    every = [*plot.center, *plot.left, *plot.right, *plot.above, *plot.below,
             *plot.renderers]
    for at, one in enumerate(every):
        draw = _KINDS.get(type(one).__name__)
        if draw is None or not one.visible or \
                (one.level in ("underlay", "image")) != under:
            continue
        refuse_units(one, *(("x_units", "y_units")
                            if _is(one, "Label") else ()))
        ax = sheet.sheet(one.x_range_name, one.y_range_name)
        before = set(ax.get_children())
        draw(sheet, ax, one)
        for artist in set(ax.get_children()) - before:
            artist.set_zorder((1.5 if under else 5) + at * 0.001)


# -- around the frame


def _titles(sheet: Any) -> list[tuple[str, Any]]:
    plot = sheet.plot
    found = [(plot.title_location or "above", plot.title)] if \
        plot.title is not None and plot.title_location else []
    for side in ("above", "below", "left", "right"):
        found += [(side, one) for one in reversed(getattr(plot, side))
                  if _is(one, "Title")]
    return [(side, one) for one_side, one in found if one.text and one.visible
            for side in (one_side,)]


def _title_room(title: Any) -> float:
    lines = str(title.text).count("\n") + 1
    return font(title)["fontsize"] / _PX * 1.3 * lines + \
        min(float(title.standoff), 10) / 2


def rooms(sheet: Any) -> tuple[dict[str, float], list[Any]]:
    """Pixels that panels and titles take at each side, and the panels with
    how far each is from the frame."""
    room = {side: 0.0 for side in ("left", "right", "above", "below")}
    panels = []
    margins = sheet.measure()
    for side in room:
        for one in getattr(sheet.plot, side):
            if not getattr(one, "visible", True):
                continue
            if _is(one, "Legend"):
                size = legend_size(sheet, one)[side in ("above", "below")]
            elif _is(one, "ColorBar"):
                size = bar_size(one)
                if one.title and side != "above":
                    room["above"] = max(room["above"], 12.0)
            else:
                continue
            panels.append((side, one, margins[side] + room[side] + 8))
            room[side] += size + 10
    sheet.title_base = {side: margins[side] + room[side] for side in room}
    for side, title in _titles(sheet):
        room[side] += _title_room(title)
    return room, panels


def draw_title(sheet: Any) -> None:
    away = dict(sheet.title_base)
    ax = sheet.sheet()
    for side, one in _titles(sheet):
        flat = side in ("above", "below")
        at = {"left": 0.0, "center": 0.5, "right": 1.0}[one.align]
        move = away[side] + 4
        place = {"above": (at, 1), "below": (at, 0), "left": (0, at),
                 "right": (1, at)}[side]
        offset = {"above": (float(one.offset), move),
                  "below": (float(one.offset), -move - 4),
                  "left": (-move, 0), "right": (move, 0)}[side]
        ax.annotate(
            str(one.text), place, tuple(part * _PX for part in offset),
            xycoords="axes fraction", textcoords="offset points",
            ha=one.align if flat else {"left": "right",
                                       "right": "left"}[side],
            va="bottom" if side == "above" else "top" if flat else
            {"left": "bottom", "center": "center", "right": "top"}[one.align],
            rotation=0 if flat else 90, annotation_clip=False,
            color=rgba(one.text_color, one.text_alpha), **font(one))
        away[side] += _title_room(one)


# -- names of groups


def draw_groups(ax: Any, axis: Any, scale: Any, way: str) -> None:
    """The names of groups below the names in them, with lines between."""
    drawn = ax.figure.canvas.get_renderer()
    boxes = [one.get_window_extent(drawn) for one in
             getattr(ax, f"{way}axis").get_ticklabels()]
    depth = max((one.height if way == "x" else one.width for one in boxes),
                default=10.0)
    deepest = scale.levels - 1
    for parts, (first, last) in scale.spans.items():
        level = deepest - len(parts) + 1
        away = 16 + depth + (level - 1) * 18
        middle = (first + last) / 2
        place, offset = ((middle, 0), (0, -away)) if way == "x" else \
            ((0, middle), (-away - 4, 0))
        prefix = "group_text_" if len(parts) == 1 else "subgroup_text_"
        ax.annotate(
            parts[-1], place, tuple(part * _PX for part in offset),
            xycoords=("data", "axes fraction") if way == "x" else
            ("axes fraction", "data"), textcoords="offset points",
            ha="center" if way == "x" else "right",
            va="top" if way == "x" else "center", annotation_clip=False,
            color=rgba(getattr(axis, prefix + "color")),
            rotation=0 if way == "x" else 90, **font(axis, prefix))
