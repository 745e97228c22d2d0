"""plotly_bars - plotly's bars, and what stands side by side like bars.

Bars, histograms, boxes and violins of the same axes are drawn together: they
are stacked or share a place.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .plotly_axes import (Sheet, Trace, array, at, axes_of, color, decoded,
                          filled, is_flat, own_color, swatch)
from .values import numpy_module

import importlib
import math
from typing import Any

_import = importlib.import_module
DAY_MS = 86_400_000
_UNSEEN = "rgba(255,255,255,0)"  # of the boxes of px.strip()
_TOTALS = ("total", "absolute")
_RISE, _FALL, _TOTAL = "#3d9970", "#ff4136", "#4499ff"


def _groups(sheet: Sheet, traces: list[Trace], mode: str) -> list[Any]:
    """The side of each trace, from 0. All are 0 if they are not grouped."""
    if mode != "group":
        return [0] * len(traces)
    names = [trace.get("offsetgroup") or trace["_index"] for trace in traces]
    order = list(dict.fromkeys(names))
    return [order.index(name) for name in names]


def _step(places: Any) -> float:
    """The least distance of PLACES."""
    np: Any = numpy_module()
    found = np.diff(np.unique(places[~np.isnan(places)]))
    return float(found.min()) if len(found) else 1.0


def _bar_texts(sheet: Sheet, trace: Trace, ax: Any, rows: Any) -> None:
    """Write the texts of bars: ROWS of place, length and base."""
    template = trace.get("texttemplate")
    texts: Any = trace.get("text")
    texts = [texts] * len(rows) if isinstance(texts, str) else array(texts)
    flat = is_flat(trace)
    inside = trace.get("textposition") == "inside"
    for index, (place, length, base) in enumerate(rows):
        text = texts[index] if index < len(texts) else None
        fields = {"text": text, "value": length, "x": length if flat
                  else place, "y": place if flat else length}
        label = filled(template or "%{text}", fields)
        end = base + length * (0.5 if inside else 1)
        if label:
            ax.annotate(label, (end, place) if flat else (place, end),
                        ha="left" if flat and not inside else "center",
                        va="center" if flat or inside else "bottom",
                        xytext=(2, 0) if flat else (0, 2), fontsize=8,
                        textcoords="offset points", color=sheet.ink)


def _paints(sheet: Sheet, trace: Trace) -> tuple[Any, Any]:
    """The colours of a trace's bars, and the one of the legend."""
    np: Any = numpy_module()
    marker = trace.get("marker") or {}
    colors: Any = decoded(marker.get("color"))
    plain_one = color(sheet.color_of(trace["_index"]))
    if colors is None:
        return plain_one, plain_one
    if isinstance(colors, str):
        return color(colors), color(colors)
    if len(colors) and isinstance(colors[0], str):
        return [color(one) for one in colors], color(colors[0])
    values = np.array(list(colors), float)
    return sheet.mapped(marker, values).to_rgba(values), plain_one


def _pile(sheet: Sheet, traces: list[Trace], ax: Any, rows: list[Any],
          share: float) -> None:
    """Draw bars: ROWS of places, lengths and where the bars begin (None: at
    0), one for each trace. SHARE: of the distance between two places that
    bars cover."""
    np: Any = numpy_module()
    mode = str(sheet.setting("barmode") or "group")
    sides = _groups(sheet, traces, mode)
    width = share * _step(np.concatenate([row[0] for row in rows]))
    thin = width / (max(sides) + 1)
    ends: dict[tuple[float, bool], float] = {}
    for trace, (places, lengths, base), side in zip(traces, rows, sides):
        lengths = np.nan_to_num(lengths)
        if base is None:
            base = np.zeros(len(places))
        if mode in ("stack", "relative"):
            for index, (place, length) in enumerate(zip(places, lengths)):
                key = float(place), bool(length < 0)
                base[index] = ends.get(key, 0.0)
                ends[key] = base[index] + length
        centers = places + (side - max(sides) / 2) * thin
        paint, one = _paints(sheet, trace)
        opacity = trace.get("opacity", at(trace, "marker", "opacity"))
        options: dict[str, Any] = {
            "color": paint, "edgecolor": "white", "linewidth": 0.5,
            "alpha": opacity if isinstance(opacity, (int, float)) else None}
        if is_flat(trace):
            ax.barh(centers, lengths, thin, base, **options)
        else:
            ax.bar(centers, lengths, thin, base, **options)
        _bar_texts(sheet, trace, ax, list(zip(centers, lengths, base)))
        sheet.add_key(trace, swatch(one))


def _lengths(trace: Trace, scale: Any, values: list[Any]) -> Any:
    """The lengths of bars and where they begin."""
    np: Any = numpy_module()
    base = array(trace.get("base"))
    if trace["type"] == "waterfall":
        return _steps(trace, scale.numbers(values))
    if trace["type"] == "funnel":
        lengths = scale.numbers(values)
        return lengths, -lengths / 2
    if not base:
        return scale.numbers(values), None
    if scale.kind == "date":    # then lengths are milliseconds
        return np.array(values, float) / DAY_MS, scale.numbers(base)
    return scale.numbers(values), scale.numbers(base)


def _steps(trace: Trace, values: Any) -> tuple[Any, Any]:
    """The bars of a waterfall: each begins where the one before ended."""
    np: Any = numpy_module()
    measures = array(trace.get("measure"))
    ends, total = [], 0.0
    for index, value in enumerate(values):
        kind = str(measures[index] if index < len(measures) else "relative")
        begin = total if kind.startswith("relative") else 0.0
        if kind.startswith("relative"):
            total += value
        elif kind.startswith("absolute"):
            total = value
        ends.append((total - begin, begin))
    found = np.array(ends).reshape(-1, 2)
    trace["marker"] = {"color": [
        _TOTAL if index < len(measures) and measures[index] in _TOTALS
        else _RISE if length >= 0 else _FALL
        for index, length in enumerate(found[:, 0])]}
    return found[:, 0], found[:, 1]


def draw_bars(sheet: Sheet, traces: list[Trace]) -> None:
    ax, across, up = axes_of(sheet, traces[0])
    rows = []
    for trace in traces:
        flat = is_flat(trace)
        places, lengths = (array(trace.get(name)) for name in
                           ("yx" if flat else "xy"))
        along, length = (up, across) if flat else (across, up)
        rows.append((along.numbers(places or range(len(lengths))),
                     *_lengths(trace, length, lengths)))
    _pile(sheet, traces, ax, rows, 1 - (sheet.setting("bargap") or 0.2))


def edges_of(trace: Trace, scale: Any, values: Any, name: str) -> Any:
    """The edges of a histogram's bins."""
    np: Any = numpy_module()
    bins = trace.get(f"{name}bins") or {}
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if scale.kind == "category":
        return np.arange(-0.5, len(scale.names) + 0.5)
    if isinstance(bins.get("size"), (int, float)):
        first = scale.place(bins["start"]) if bins.get("start") is not None \
            else math.floor(low / bins["size"]) * bins["size"]
        last = scale.place(bins["end"]) if bins.get("end") is not None \
            else high
        return np.arange(first, last + bins["size"] * 1.001, bins["size"])
    most = trace.get(f"nbins{name}") or max(5, min(40, int(math.sqrt(
        len(values))) * 2))
    if low == high:
        return np.array([low - 0.5, low + 0.5])
    return _import("matplotlib.ticker").MaxNLocator(most).tick_values(low,
                                                                      high)


def _heights(trace: Trace, values: Any, weights: Any, edges: Any) -> Any:
    np: Any = numpy_module()
    way, norm = trace.get("histfunc"), str(trace.get("histnorm") or "")
    counts = np.histogram(values, edges)[0].astype(float)
    found = counts
    if len(weights) == len(values) and way in ("sum", "avg"):
        found = np.histogram(values, edges, weights=weights)[0]
        if way == "avg":
            found = found / np.maximum(counts, 1)
    total = found.sum() or 1
    if norm.startswith("percent"):
        found = found * 100 / total
    elif norm.startswith("probability"):
        found = found / total
    if norm.endswith("density"):
        found = found / np.diff(edges) / (total if norm == "density" else 1)
    return np.cumsum(found) if at(trace, "cumulative", "enabled") else found


def draw_histograms(sheet: Sheet, traces: list[Trace]) -> None:
    np: Any = numpy_module()
    ax, across, up = axes_of(sheet, traces[0])
    parts = []
    for trace in traces:
        flat = is_flat(trace) or trace.get("x") is None
        if flat:
            trace["orientation"] = "h"
        name, other = ("y", "x") if flat else ("x", "y")
        parts.append((name, (up if flat else across),
                      (up if flat else across).numbers(
                          array(trace.get(name))), array(trace.get(other))))
    name, scale = parts[0][:2]
    edges = edges_of(traces[0], scale, np.concatenate(
        [part[2] for part in parts]), name)
    rows = [((edges[:-1] + edges[1:]) / 2,
             _heights(trace, part[2], np.array(part[3], float)
                      if trace.get("histfunc") in ("sum", "avg")
                      else [], edges), None)
            for trace, part in zip(traces, parts)]
    share = 0.8 if scale.kind == "category" else 1.0
    _pile(sheet, traces, ax, rows, share)


def _samples(trace: Trace, across: Any, up: Any) -> list[tuple[float, Any]]:
    """The boxes of a trace: where each is, and its values."""
    np: Any = numpy_module()
    flat = is_flat(trace)
    name, other = ("x", "y") if flat else ("y", "x")
    values = (across if flat else up).numbers(array(trace.get(name)))
    places = (up if flat else across).numbers(array(trace.get(other)))
    return [(float(place), values[(places == place) & ~np.isnan(values)])
            for place in np.unique(places[~np.isnan(places)])]


def draw_spreads(sheet: Sheet, traces: list[Trace]) -> None:
    """Boxes or violins."""
    ax, across, up = axes_of(sheet, traces[0])
    violin = traces[0]["type"] == "violin"
    mode = str(sheet.setting("violinmode" if violin else "boxmode"))
    sides = _groups(sheet, traces, mode)
    thin = 0.6 / (max(sides) + 1)
    for trace, side in zip(traces, sides):
        flat = is_flat(trace)
        found = [row for row in _samples(trace, across, up) if len(row[1])]
        if not found:
            continue
        places = [place + (side - max(sides) / 2) * thin
                  for place, _ in found]
        values = [row[1] for row in found]
        paint = own_color(sheet, trace, "marker", "line")
        if trace.get("fillcolor") != _UNSEEN:
            draw = _violins if violin else _boxes
            for body in draw(ax, places, values, not flat, thin, paint):
                body.set_facecolor(color(paint, 0.6))
        if "all" in (trace.get("boxpoints"), trace.get("points")):
            _dots(ax, places, values, flat, thin, paint)
        sheet.add_key(trace, swatch(paint))


def _violins(ax: Any, places: list[float], values: list[Any], vert: bool,
             width: float, paint: Any) -> Any:
    drawn = ax.violinplot(values, places, vert=vert, widths=width,
                          showmedians=True)
    for name in ("cbars", "cmins", "cmaxes", "cmedians"):
        drawn[name].set_color(paint)
    return drawn["bodies"]


def _boxes(ax: Any, places: list[float], values: list[Any], vert: bool,
           width: float, paint: Any) -> Any:
    lines = {name + "props": {"color": paint}
             for name in ("box", "whisker", "cap", "median")}
    return ax.boxplot(values, positions=places, vert=vert, widths=width * 0.9,
                      patch_artist=True, manage_ticks=False, **lines,
                      flierprops={"markersize": 4, "markeredgecolor": paint}
                      )["boxes"]


def _dots(ax: Any, places: list[float], values: list[Any], flat: bool,
          width: float, paint: Any) -> None:
    """The points of a box plot, side by side."""
    np: Any = numpy_module()
    for place, found in zip(places, values):
        beside = place + width * (np.arange(len(found)) * 0.618 % 1 - 0.5) / 2
        pair = (found, beside) if flat else (beside, found)
        ax.scatter(*pair, s=12, color=paint, linewidths=0)


def draw_candles(sheet: Sheet, trace: Trace) -> None:
    ax, across, up = axes_of(sheet, trace)
    x = across.numbers(array(trace.get("x")))
    first, high, low, last = (up.numbers(array(trace.get(name))) for name in
                              ("open", "high", "low", "close"))
    width = 0.6 * _step(x)
    for end, default in (("increasing", _RISE), ("decreasing", _FALL)):
        rows = last >= first if end == "increasing" else last < first
        paint = color(at(trace, end, "line", "color") or default)
        ax.vlines(x[rows], low[rows], high[rows], color=paint, linewidth=1)
        ax.bar(x[rows], (last - first)[rows], width, first[rows],
               color=paint)
    sheet.add_key(trace, swatch(color(_RISE)))
