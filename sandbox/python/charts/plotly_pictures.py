"""plotly_pictures - pictures of plotly's figures, drawn with matplotlib.

plotly makes pictures with kaleido, which is a browser and not in Debian. A
figure with a kind of trace that plotly_traces.py does not draw has no picture,
and the program is told which kind it was.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .plotly_axes import Sheet, Trace, array, at, color, plain, setting
from .plotly_traces import DASHES, KINDS

import importlib
import io
from typing import Any

_import, _BytesIO = importlib.import_module, io.BytesIO
SIZE = 700, 500             # pixels, as plotly's
ROW = 28                    # pixels of a row of the legend, above the axes
KEY = 7                     # pixels of a character in the legend
_FORMATS = {"jpg": "jpeg", "jpeg": "jpeg", "png": "png", "svg": "svg",
            "pdf": "pdf", "webp": "webp", "eps": "eps"}
_ELSE = ("use fig.write_html('figure.html') or fig.show(), or draw the chart "
         "with matplotlib")


def _visible(figure: dict[str, Any]) -> list[Trace]:
    """The traces that are drawn, each with its number and its name."""
    found = []
    for index, trace in enumerate(array(figure.get("data"))):
        trace = {"type": "scatter", **trace, "_index": index}
        trace["_label"] = plain(trace.get("name") or f"trace {index}")
        if trace.get("visible") not in (False, "legendonly"):
            found.append(trace)
    return found


def without_picture(figure: dict[str, Any]) -> list[str]:
    """The kinds of a figure's traces that are not drawn here."""
    return sorted({str(trace["type"]) for trace in _visible(figure)} -
                  KINDS.keys())


def _learn(sheet: Sheet, traces: list[Trace]) -> None:
    """Show all values to the axes, before the first is drawn."""
    for trace in traces:
        if not KINDS[trace["type"]].paired:
            continue
        values = {name: array(trace.get(name)) for name in "xy"}
        if trace["type"] in ("box", "violin"):
            flat = trace.get("orientation") == "h" or not values["y"]
            trace["orientation"] = "h" if flat else "v"
            name, other = ("y", "x") if flat else ("x", "y")
            if not values[name]:
                values[name] = trace[name] = \
                    [trace["_label"]] * len(values[other])
        for name, other in (("x", "y"), ("y", "x")):
            sheet.scale(trace.get(name + "axis") or name).learn(
                values[name], values[other])
    for scale in sheet.scales.values():
        scale.settle()


def _draw_traces(sheet: Sheet, traces: list[Trace]) -> None:
    groups: dict[Any, list[Trace]] = {}
    for trace in traces:
        kind = trace["type"]
        group = kind, trace.get("xaxis"), trace.get("yaxis")
        key = group if KINDS[kind].together else trace["_index"]
        groups.setdefault(key, []).append(trace)
    for members in groups.values():
        kind = KINDS[members[0]["type"]]
        kind.draw(sheet, members if kind.together else members[0])


def _has_legend(layout: dict[str, Any], traces: list[Trace]) -> bool:
    wanted = setting(layout, "showlegend")
    if wanted is not None:
        return bool(wanted)
    shown = [trace for trace in traces if trace.get("showlegend") is not False]
    return len(shown) > 1 or any(
        trace["type"] == "pie" or trace.get("showlegend") for trace in shown)


def _legend_width(traces: list[Trace]) -> int:
    """Pixels, of one column."""
    names = [str(name) for trace in traces for name in
             (array(trace.get("labels")) if trace["type"] == "pie"
              else [trace["_label"]])]
    return 60 + KEY * min(max(map(len, names), default=0), 30)


def _legend_place(sheet: Sheet) -> dict[str, Any]:
    """Where the legend is: beside the axes, or where its settings say."""
    flat = sheet.setting("legend", "orientation") == "h"
    x, y = (sheet.setting("legend", name) for name in "xy")
    across = sheet.left + sheet.width * (0 if x is None else x)
    if x is None and not flat:
        across += sheet.width + sheet.away / sheet.size[0] + \
            0.12 * len(sheet.bars)
    up = max(sheet.bottom + sheet.height * (1 if y is None else y), 0.01)
    room = ROW / (sheet.height * sheet.size[1])
    sides = {"left": "left", "center": "center", "right": "right",
             "top": "upper", "middle": "center", "bottom": "lower"}
    beside = sides.get(sheet.setting("legend", "xanchor"),
                       "right" if x is not None and 2 / 3 < x <= 1 else "left")
    above = sides.get(sheet.setting("legend", "yanchor"),
                      ("lower" if flat else "upper") if y is None else
                      "lower" if y < 1 / 3 or 0 < y - 1 < room else "upper")
    loc = f"{above} {beside}"
    return {"bbox_to_anchor": (across, up),
            "loc": "center" if loc == "center center" else loc}


def _draw_legend(sheet: Sheet) -> None:
    flat = sheet.setting("legend", "orientation") == "h"
    names = [name for name, _ in sheet.keys]
    sheet.figure.legend(
        [artist for _, artist in sheet.keys], names, frameon=False,
        ncol=min(len(names), 5) if flat else 1, fontsize=9,
        labelcolor=sheet.ink, **_legend_place(sheet),
        title=plain(sheet.setting("legend", "title")) or None)


def _draw_shape(sheet: Sheet, shape: dict[str, Any]) -> None:
    ax, x_place, y_place = sheet.coordinates(shape.get("xref"),
                                             shape.get("yref"))
    if ax is None:
        return
    blend = _import("matplotlib.transforms").blended_transform_factory
    x0, x1, y0, y1 = (
        _coordinate(sheet, shape.get(end[0] + "ref") or end[0],
                    shape.get(end)) for end in ("x0", "x1", "y0", "y1"))
    line = shape.get("line") or {}
    paint = color(line.get("color") or sheet.ink, shape.get("opacity"))
    if shape.get("type") == "line":
        ax.add_artist(_import("matplotlib.lines").Line2D(
            [x0, x1], [y0, y1], color=paint, transform=blend(x_place, y_place),
            linewidth=float(line.get("width") or 2) * 0.72,
            linestyle=DASHES.get(str(line.get("dash")), "-")))
    elif shape.get("type") == "rect":
        ax.add_artist(_import("matplotlib.patches").Polygon(
            [(x0, y0), (x1, y0), (x1, y1), (x0, y1)],
            transform=blend(x_place, y_place), linewidth=line.get("width", 0),
            facecolor=color(shape.get("fillcolor") or "none",
                            shape.get("opacity")), edgecolor=paint))


def _coordinate(sheet: Sheet, ref: str, value: Any) -> float:
    if ref == "paper" or ref.endswith("domain"):
        return float(value)
    return sheet.scale(ref).place(value)


def _draw_note(sheet: Sheet, note: dict[str, Any]) -> None:
    """An annotation, for example a subplot's title."""
    refs = [str(note.get(name + "ref") or name) for name in "xy"]
    ax, *places = sheet.coordinates(*refs)
    place = [_coordinate(sheet, ref, note.get(name))
             for name, ref in zip("xy", refs)]
    arrow = note.get("showarrow") is not False and ax is not None
    options: dict[str, Any] = {}
    if arrow:
        away = [note.get("ax", 0), note.get("ay", -30)]
        options = {"xytext": (float(away[0] or 0), -float(away[1] or 0)),
                   "textcoords": "offset pixels", "arrowprops": {
                       "arrowstyle": "->", "color": sheet.ink}}
    (ax or sheet.figure.add_axes((0, 0, 1, 1), frameon=False, xticks=[],
                                 yticks=[])).annotate(
        plain(note.get("text")), place, xycoords=tuple(places),
        ha="left" if note.get("xanchor") == "left" else "center",
        va={"top": "top", "middle": "center", "bottom": "bottom"}.get(
            str(note.get("yanchor")), "bottom" if arrow else "center"),
        color=color(at(note, "font", "color") or sheet.ink),
        annotation_clip=False, **options)


def _draw(figure: dict[str, Any], width: float, height: float) -> Any:
    """matplotlib's figure."""
    layout, traces = figure.get("layout") or {}, _visible(figure)
    legend = _has_legend(layout, traces)
    beside = legend and setting(layout, "legend", "orientation") != "h"
    sheet = Sheet(layout, width, height,
                  _legend_width(traces) if beside else 0)
    _learn(sheet, traces)
    _draw_traces(sheet, traces)
    sheet.finish()
    for shape in array(layout.get("shapes")):
        _draw_shape(sheet, shape)
    for note in array(layout.get("annotations")):
        _draw_note(sheet, note)
    if legend and sheet.keys:
        _draw_legend(sheet)
    title = at(layout, "title")
    sheet.figure.text(at(title, "x") or sheet.setting("title", "x") or 0.5,
                      1 - 15 / height, plain(title), color=sheet.ink,
                      va="top", fontsize=13, ha="left" if not at(title, "x")
                      and sheet.setting("title", "x") else "center")
    return sheet.figure


def picture(figure: dict[str, Any], form: Any, width: Any = None,
            height: Any = None, scale: Any = None) -> bytes:
    """A figure's picture. Raises ValueError for one that has none here."""
    kinds = without_picture(figure)
    if kinds:
        raise ValueError(
            "without kaleido, which is not installed here, plotly's "
            f"{', '.join(kinds)} have no picture: {_ELSE}")
    name = str(form or "png").lower().lstrip(".")
    if name not in _FORMATS:
        raise ValueError(f"Invalid format {form!r}: a picture is one of "
                         f"{', '.join(sorted(_FORMATS))}")
    layout = figure.get("layout") or {}
    size = [float(given or layout.get(side) or default) for given, side,
            default in zip((width, height), ("width", "height"), SIZE)]
    try:
        drawn = _draw(figure, *size)
        buffer = _BytesIO()
        drawn.savefig(buffer, format=_FORMATS[name], facecolor=drawn.patch
                      .get_facecolor(), dpi=drawn.dpi * float(scale or 1))
    except Exception as exc:
        raise ValueError(
            "without kaleido, which is not installed here, this figure has "
            f"no picture ({exc}): {_ELSE}") from None
    return buffer.getvalue()
