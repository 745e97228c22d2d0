"""glyphs - each kind of glyph: its extent, and its picture.

A function for `learn` shows the places of a layer to its scales; one for `draw`
puts artists on the axes. Both are in the table KINDS.
"""

from __future__ import annotations

from typing import Any, Callable, NamedTuple

import numpy as np

from .layers import Layer
from .scales import numbers

_PX = 0.72                  # points of a pixel
_HATCHES = {" ": "", "blank": "", ".": ".", "dot": ".", "o": "o",
            "ring": "o", "-": "-", "horizontal_line": "-", "|": "|",
            "vertical_line": "|", "+": "+", "cross": "+", '"': "--",
            "horizontal_dash": "--", ":": "||", "vertical_dash": "||",
            "@": "..", "spiral": "..", "/": "/",
            "right_diagonal_line": "/", "\\": "\\",
            "left_diagonal_line": "\\", "x": "x", "diagonal_cross": "x",
            ",": "\\\\", "right_diagonal_dash": "\\\\", "`": "//",
            "left_diagonal_dash": "//", "v": "v", "horizontal_wave": "v",
            ">": "v", "vertical_wave": "v", "*": "*", "criss_cross": "*"}
MARKERS = {
    "circle": "o", "square": "s", "triangle": "^", "inverted_triangle": "v",
    "diamond": "D", "cross": "+", "plus": "P", "x": "x", "star": "*",
    "asterisk": (6, 2, 0), "hex": "h", "dot": ".", "dash": "_", "y": "1",
    "circle_cross": "o", "circle_x": "o", "circle_dot": "o", "circle_y": "o",
    "square_cross": "s", "square_x": "s", "square_dot": "s",
    "square_pin": "s", "diamond_cross": "D", "diamond_dot": "D",
    "triangle_dot": "^", "triangle_pin": "^", "hex_dot": "h",
    "star_dot": "*"}
_INNER = {"cross": "+", "x": "x", "dot": ".", "y": "1", "pin": "."}


class Kind(NamedTuple):
    """How a kind of glyph is learnt and drawn."""

    learn: Callable[[Layer], None]
    draw: Callable[[Any, Layer], None]


def _learn_points(*pairs: str) -> Callable[[Layer], None]:
    def learn(layer: Layer) -> None:
        for name in pairs:
            if name[0] == "x":
                layer.x_scale.learn(layer.x(name))
            else:
                layer.y_scale.learn(layer.y(name))
    return learn


# -- lines


def _parts(x: Any, y: Any) -> list[Any]:
    """The points of a line, cut at gaps."""
    points = np.column_stack([x, y])
    gaps = np.flatnonzero(~np.isfinite(points).all(axis=1))
    return [part[np.isfinite(part).all(axis=1)]
            for part in np.split(points, gaps)]


def _line_options(layer: Layer) -> dict[str, Any]:
    width = layer.widths()[0] if layer.count else _PX
    return {"color": layer.colors("line", 1)[0], "linewidth": width,
            "linestyle": layer.dash()}


def _draw_line(ax: Any, layer: Layer) -> None:
    layer.artists += ax.plot(layer.x("x"), layer.y("y"),
                             solid_joinstyle="bevel", **_line_options(layer))


def _draw_step(ax: Any, layer: Layer) -> None:
    where = {"before": "steps-pre", "after": "steps-post",
             "center": "steps-mid"}[layer.glyph.mode]
    layer.artists += ax.plot(layer.x("x"), layer.y("y"), drawstyle=where,
                             **_line_options(layer))


def _collection(ax: Any, layer: Layer, kind: str, paths: Any,
                fill: bool = True, **more: Any) -> None:
    import matplotlib.collections as collections

    options: dict[str, Any] = {"linewidths": layer.widths(),
                               "linestyles": [layer.dash()]}
    if fill:
        options.update(facecolors=layer.colors("fill"),
                       edgecolors=layer.colors("line"))
    else:
        options["colors"] = layer.colors("line")
    found = getattr(collections, kind)(paths, **options, **more)
    if fill and getattr(layer.glyph, "hatch_pattern", None) is not None:
        return _hatched(ax, layer, kind, paths, more)
    ax.add_collection(found, autolim=False)
    layer.artists.append(found)
    return None


def _hatched(ax: Any, layer: Layer, kind: str, paths: Any,
             more: dict[str, Any]) -> None:
    """A collection for each pattern."""
    import matplotlib.collections as collections

    patterns = layer.values("hatch_pattern")
    faces, edges = layer.colors("fill"), layer.colors("line")
    widths = layer.widths()
    for at, pattern in enumerate(patterns):
        found = getattr(collections, kind)(
            [paths[at]], facecolors=[faces[at]], edgecolors=[edges[at]],
            linewidths=[widths[at]], hatch=_HATCHES.get(pattern or " ", ""),
            **more)
        ax.add_collection(found, autolim=False)
        layer.artists.append(found)


def _lists(layer: Layer, name: str, scale: Any) -> list[Any]:
    """Lists of places; holes of polygons are not drawn."""
    return [scale.map(one) for one in layer.values(name)]


def _learn_lists(layer: Layer) -> None:
    for name, scale in (("xs", layer.x_scale), ("ys", layer.y_scale)):
        for one in _lists(layer, name, scale):
            scale.learn(one)


def _shapes(layer: Layer) -> list[Any]:
    return [np.column_stack(pair) for pair in
            zip(_lists(layer, "xs", layer.x_scale),
                _lists(layer, "ys", layer.y_scale))]


def _draw_lines(ax: Any, layer: Layer) -> None:
    _collection(ax, layer, "LineCollection", _shapes(layer), False)


def _draw_patches(ax: Any, layer: Layer) -> None:
    shapes = [one[np.isfinite(one).all(axis=1)] for one in _shapes(layer)]
    _collection(ax, layer, "PolyCollection", shapes)


def _draw_patch(ax: Any, layer: Layer) -> None:
    for part in _parts(layer.x("x"), layer.y("y")):
        if len(part):
            layer.artists += ax.fill(
                part[:, 0], part[:, 1], facecolor=layer.colors("fill", 1)[0],
                edgecolor=layer.colors("line", 1)[0],
                linewidth=layer.widths()[0], linestyle=layer.dash(),
                hatch=_HATCHES.get(layer.glyph.hatch_pattern or " ", ""))


def _learn_segment(layer: Layer) -> None:
    _learn_points("x0", "x1", "y0", "y1")(layer)


def _draw_segments(ax: Any, layer: Layer) -> None:
    ends = np.stack([np.column_stack([layer.x("x0"), layer.y("y0")]),
                     np.column_stack([layer.x("x1"), layer.y("y1")])], axis=1)
    _collection(ax, layer, "LineCollection", ends, False)


def _draw_ray(ax: Any, layer: Layer) -> None:
    x, y, angle = layer.x("x"), layer.y("y"), layer.angle()
    away = layer.num("length")
    away = np.where(away == 0, 1e6, away)
    ends = np.stack([np.column_stack([x, y]), np.column_stack(
        [x + away * np.cos(angle), y + away * np.sin(angle)])], axis=1)
    _collection(ax, layer, "LineCollection", ends, False)


def _draw_spans(ax: Any, layer: Layer) -> None:
    wide = layer.kind == "HSpan"
    places = layer.y("y") if wide else layer.x("x")
    draw = ax.axhline if wide else ax.axvline
    for place, color, width in zip(places, layer.colors("line"),
                                   layer.widths()):
        layer.artists.append(draw(place, color=color, linewidth=width,
                                  linestyle=layer.dash()))


# -- areas


def _areas(layer: Layer) -> tuple[Any, Any, Any]:
    if layer.kind == "HArea":
        return layer.y("y"), layer.x("x1"), layer.x("x2")
    return layer.x("x"), layer.y("y1"), layer.y("y2")


def _learn_area(layer: Layer) -> None:
    along, one, two = _areas(layer)
    flat = layer.kind == "HArea"
    first, second = (layer.y_scale, layer.x_scale) if flat else \
        (layer.x_scale, layer.y_scale)
    first.learn(along)
    second.learn(one)
    second.learn(two)


def _draw_area(ax: Any, layer: Layer) -> None:
    along, one, two = _areas(layer)
    draw = ax.fill_betweenx if layer.kind == "HArea" else ax.fill_between
    step = {"before": "pre", "after": "post", "center": "mid"}.get(
        getattr(layer.glyph, "step_mode", None) or "")
    layer.artists.append(draw(
        along, one, two, facecolor=layer.colors("fill", 1)[0], linewidth=0,
        step=step,
        hatch=_HATCHES.get(layer.glyph.hatch_pattern or " ", "")))


# -- boxes


def boxes(layer: Layer) -> Any:
    """left, right, bottom, top of each row."""
    kind = layer.kind
    if kind == "Quad":
        return (layer.x("left"), layer.x("right"), layer.y("bottom"),
                layer.y("top"))
    if kind == "VBar":
        x, half = layer.x("x"), layer.num("width") / 2
        return x - half, x + half, layer.y("bottom"), layer.y("top")
    if kind == "HBar":
        y, half = layer.y("y"), layer.num("height") / 2
        return layer.x("left"), layer.x("right"), y - half, y + half
    x, y = layer.x("x"), layer.y("y")
    wide, high = layer.num("width"), layer.num("height")
    if kind == "Block":
        return x, x + wide, y, y + high
    return x - wide / 2, x + wide / 2, y - high / 2, y + high / 2


def _learn_boxes(layer: Layer) -> None:
    left, right, bottom, top = boxes(layer)
    for one in (left, right):
        layer.x_scale.learn(one)
    for one in (bottom, top):
        layer.y_scale.learn(one)


def _draw_boxes(ax: Any, layer: Layer) -> None:
    left, right, bottom, top = boxes(layer)
    if layer.y_scale.kind == "log":
        bottom = np.maximum(bottom, 1e-300)
    if layer.x_scale.kind == "log":
        left = np.maximum(left, 1e-300)
    corners = np.stack([np.column_stack(pair) for pair in (
        (left, bottom), (right, bottom), (right, top), (left, top))], axis=1)
    if layer.kind == "Rect" and layer.angle().any():
        middle = corners.mean(axis=1, keepdims=True)
        away, angle = corners - middle, layer.angle()[:, None]
        corners = middle + np.stack([
            away[..., 0] * np.cos(angle) - away[..., 1] * np.sin(angle),
            away[..., 0] * np.sin(angle) + away[..., 1] * np.cos(angle)],
            axis=-1)
    _collection(ax, layer, "PolyCollection", corners)


# -- markers


def _draw_scatter(ax: Any, layer: Layer) -> None:
    x, y = layer.x("x"), layer.y("y")
    sizes = (layer.num("size") * _PX) ** 2
    fill, line = layer.colors("fill"), layer.colors("line")
    widths, marks = layer.widths(), layer.values("marker")
    for mark in dict.fromkeys(marks):
        if mark not in MARKERS:
            raise ValueError(f"failed to validate {layer.glyph!r}.marker: "
                             f"unknown marker {mark!r}")
        rows = np.array([one == mark for one in marks])
        form = MARKERS[mark]
        open_ = mark in ("cross", "x", "asterisk", "dash", "y")
        scale = 0.6 if mark in ("square", "diamond") or \
            mark.startswith(("square_", "diamond_")) else \
            0.1 if mark == "dot" else 1.0
        found = ax.scatter(
            x[rows], y[rows], s=sizes[rows] * (scale if mark != "dot" else 1),
            marker=form, linewidths=widths[rows], clip_on=True,
            **({"c": line[rows]} if open_ else
               {"facecolors": fill[rows], "edgecolors": line[rows]}))
        layer.artists.append(found)
        inner = _INNER.get(mark.partition("_")[2])
        if inner:
            ax.scatter(x[rows], y[rows], s=sizes[rows] * 0.8, marker=inner,
                       c=line[rows], linewidths=widths[rows])


def _radii(layer: Layer) -> Any:
    return layer.num("radius" if "radius" in layer.glyph._props
                     else "outer_radius")


def _learn_round(layer: Layer) -> None:
    x, y, away = layer.x("x"), layer.y("y"), _radii(layer)
    for sign in (-1, 1):
        layer.x_scale.learn(x + sign * away)
        layer.y_scale.learn(y + sign * away)


def _ratio(layer: Layer) -> float:
    """How many units of y are as long as a unit of x: round stays round."""
    return float(getattr(layer, "ratio", 1.0))


def _draw_circle(ax: Any, layer: Layer) -> None:
    x, y, away = layer.x("x"), layer.y("y"), _radii(layer)
    turn = np.linspace(0, 2 * np.pi, 65)
    shapes = [np.column_stack([x[at] + away[at] * np.cos(turn),
                               y[at] + away[at] * _ratio(layer) *
                               np.sin(turn)]) for at in range(layer.count)]
    _collection(ax, layer, "PolyCollection", shapes)


def _ellipse(ax: Any, layer: Layer) -> None:
    x, y, angle = layer.x("x"), layer.y("y"), layer.angle()
    wide, high = layer.num("width") / 2, layer.num("height") / 2
    turn = np.linspace(0, 2 * np.pi, 65)
    shapes = []
    for at in range(layer.count):
        dx, dy = wide[at] * np.cos(turn), high[at] * np.sin(turn)
        cos, sin = np.cos(angle[at]), np.sin(angle[at])
        shapes.append(np.column_stack([x[at] + dx * cos - dy * sin,
                                       y[at] + dx * sin + dy * cos]))
    _collection(ax, layer, "PolyCollection", shapes)


def _learn_ellipse(layer: Layer) -> None:
    x, y = layer.x("x"), layer.y("y")
    wide, high = layer.num("width") / 2, layer.num("height") / 2
    for sign in (-1, 1):
        layer.x_scale.learn(x + sign * wide)
        layer.y_scale.learn(y + sign * high)


def slices(layer: Layer) -> list[Any]:
    """The outlines of wedges, rings and arcs."""
    x, y = layer.x("x"), layer.y("y")
    outer = _radii(layer)
    inner = layer.num("inner_radius") if "inner_radius" in \
        layer.glyph._props else np.zeros(layer.count)
    if layer.kind == "Annulus":
        first, last = np.zeros(layer.count), np.full(layer.count, 2 * np.pi)
    else:
        first, last = layer.angle("start_angle"), layer.angle("end_angle")
    back = getattr(layer.glyph, "direction", "") == "clock"
    found = []
    for at in range(layer.count):
        begin, end = (last[at], first[at]) if back else (first[at], last[at])
        if end < begin:
            end += 2 * np.pi * np.ceil((begin - end) / (2 * np.pi))
        turn = np.linspace(begin, end, max(3, int(
            abs(end - begin) / (2 * np.pi) * 120) + 2))
        edge = np.column_stack([np.cos(turn), np.sin(turn)])
        shape = [edge * outer[at]]
        if layer.kind != "Arc":
            shape.append(edge[::-1] * inner[at] if inner[at] else
                         np.zeros((1, 2)))
        found.append(np.concatenate(shape) * [1, _ratio(layer)] +
                     [x[at], y[at]])
    return found


def _draw_slices(ax: Any, layer: Layer) -> None:
    flat = layer.kind == "Arc"
    _collection(ax, layer, "LineCollection" if flat else "PolyCollection",
                slices(layer), not flat)


# -- words and images

_ALIGN = {"left": "left", "center": "center", "right": "right"}
BASELINES = {"top": "top", "middle": "center", "bottom": "bottom",
             "alphabetic": "baseline", "hanging": "top",
             "ideographic": "bottom"}


def points(size: Any, default: float = 16.0) -> float:
    """A font's size in points: of 12px, 9pt or 1.2em."""
    if isinstance(size, (int, float)):
        return float(size) * _PX
    text = str(size).strip()
    for unit, factor in (("px", _PX), ("pt", 0.96), ("em", 16 * _PX),
                         ("%", 0.16 * _PX)):
        if text.endswith(unit):
            return float(text[:-len(unit)]) * factor
    return default * _PX


def font(model: Any, prefix: str = "text_") -> dict[str, Any]:
    """A text's looks for matplotlib."""
    style = str(getattr(model, prefix + "font_style"))
    size = getattr(model, prefix + "font_size")
    return {"fontsize": points(size["value"] if isinstance(size, dict)
                               else size),
            "fontweight": "bold" if "bold" in style else "normal",
            "fontstyle": "italic" if "italic" in style else "normal"}


def _draw_text(ax: Any, layer: Layer) -> None:
    rows = zip(layer.x("x"), layer.y("y"), layer.values("text"),
               layer.colors("text"), layer.angle(), layer.num("x_offset"),
               layer.num("y_offset"), layer.values("text_align"),
               layer.values("text_baseline"))
    looks = font(layer.glyph)
    for x, y, text, color, angle, dx, dy, align, base in rows:
        if not (np.isfinite(x) and np.isfinite(y)):
            continue
        layer.artists.append(ax.annotate(
            str(text), (x, y), (dx * _PX, -dy * _PX), xycoords="data",
            textcoords="offset points", color=color, annotation_clip=False,
            rotation=np.degrees(angle), rotation_mode="anchor",
            ha=_ALIGN.get(align, "left"), va=BASELINES.get(base, "bottom"),
            clip_on=True, **looks))


def _images(layer: Layer) -> list[Any]:
    """x, y, width and height of each image."""
    found = list(zip(layer.x("x"), layer.y("y"), layer.num("dw"),
                     layer.num("dh")))
    anchor = str(layer.glyph.anchor)
    if "center" in anchor and anchor in ("center", "center_center"):
        found = [(x - w / 2, y - h / 2, w, h) for x, y, w, h in found]
    elif anchor.startswith("top"):
        found = [(x, y - h, w, h) for x, y, w, h in found]
    return found


def _learn_images(layer: Layer) -> None:
    for x, y, wide, high in _images(layer):
        layer.x_scale.learn([x, x + wide])
        layer.y_scale.learn([y, y + high])


def _pixels(layer: Layer, image: Any) -> Any:
    from .layers import mapped_colors
    from .._colors import Column, rgbas

    image = np.asarray(image)
    if layer.kind == "ImageRGBA":
        if image.dtype == np.uint32:
            image = image.view(np.uint8).reshape((*image.shape, 4))
        return image
    shades = mapped_colors(layer.glyph.color_mapper, image.ravel())
    known = {one: None for one in set(shades) if isinstance(one, str)}
    table = dict(zip(known, rgbas(Column(known), 1.0, len(known))))
    flat = np.array([table.get(one, (0, 0, 0, 0)) for one in shades])
    return flat.reshape((*image.shape, 4))


def _draw_images(ax: Any, layer: Layer) -> None:
    for (x, y, wide, high), image in zip(_images(layer),
                                         layer.values("image")):
        origin = "upper" if str(layer.glyph.origin).startswith("top") \
            else "lower"
        layer.artists.append(ax.imshow(
            _pixels(layer, image), extent=(x, x + wide, y, y + high),
            origin=origin, aspect="auto", interpolation="nearest",
            alpha=float(numbers([layer.given("global_alpha")[1]])[0])))


_XY = _learn_points("x", "y")
KINDS = {
    "Line": Kind(_XY, _draw_line), "Step": Kind(_XY, _draw_step),
    "Scatter": Kind(_XY, _draw_scatter), "Text": Kind(_XY, _draw_text),
    "Patch": Kind(_XY, _draw_patch),
    "MultiLine": Kind(_learn_lists, _draw_lines),
    "Patches": Kind(_learn_lists, _draw_patches),
    "Segment": Kind(_learn_segment, _draw_segments),
    "Ray": Kind(_XY, _draw_ray),
    "HSpan": Kind(_learn_points("y"), _draw_spans),
    "VSpan": Kind(_learn_points("x"), _draw_spans),
    "VArea": Kind(_learn_area, _draw_area),
    "HArea": Kind(_learn_area, _draw_area),
    "VAreaStep": Kind(_learn_area, _draw_area),
    "Circle": Kind(_learn_round, _draw_circle),
    "Ellipse": Kind(_learn_ellipse, _ellipse),
    "Image": Kind(_learn_images, _draw_images),
    "ImageRGBA": Kind(_learn_images, _draw_images),
    **{name: Kind(_learn_boxes, _draw_boxes)
       for name in ("VBar", "HBar", "Quad", "Rect", "Block")},
    **{name: Kind(_learn_round, _draw_slices)
       for name in ("Wedge", "AnnularWedge", "Annulus", "Arc")},
}
