"""addplots - plots of other data, above the prices or in a panel."""

from __future__ import annotations

from typing import Any

_DEFAULTS: dict[str, Any] = {
    "scatter": False, "type": "line", "mav": None, "panel": 0,
    "marker": "o", "markersize": 18, "color": None, "linestyle": None,
    "linewidths": None, "edgecolors": None, "width": None, "bottom": 0,
    "alpha": 1, "secondary_y": "auto", "y_on_right": None, "ylabel": None,
    "ylim": None, "title": None, "ax": None, "label": None,
    "stepwhere": "pre", "fill_between": None, "marketcolors": None,
    "yscale": None}
_OLD_PANELS = {"main": 0, "lower": 1, "A": 0, "B": 1, "C": 2}


def make_addplot(data: Any, **kwargs: Any) -> dict[str, Any]:
    """What plot(addplot=) takes."""
    for key in kwargs:
        if key not in _DEFAULTS:
            raise KeyError(f'Unrecognized kwarg="{key}"')
    made = {**_DEFAULTS, **kwargs, "data": data}
    if made["type"] in ("ohlc", "candle"):
        raise NotImplementedError("make_addplot(type='candle' or 'ohlc') is "
                                  "not here; line, scatter, bar and step are")
    if made["type"] not in ("line", "scatter", "bar", "step"):
        raise TypeError('kwarg "type" validator returned False for value: "'
                        f'{made["type"]}"')
    if made["yscale"] is not None:
        raise NotImplementedError("make_addplot(yscale=) is not here")
    return made


def panel_of(one: dict[str, Any]) -> int:
    panel = one["panel"]
    panel = _OLD_PANELS.get(panel, panel)
    if not isinstance(panel, int) or not 0 <= panel < 32:
        raise ValueError("addplot panel must be integer 0 to 9, but is "
                         f'"{panel}"')
    return panel


def series_of(one: dict[str, Any]) -> list[Any]:
    """One or more columns of numbers."""
    import numpy as np
    data = one["data"]
    if hasattr(data, "columns"):
        return [data[name].to_numpy(dtype=float) for name in data]
    return [np.asarray(data, dtype=float)]


def drawn(axes: Any, x: Any, y: Any, one: dict[str, Any],
          default_width: float) -> None:
    """Draws ONE with the numbers Y on AXES."""
    kind = "scatter" if one["scatter"] else one["type"]
    color, alpha, label = one["color"], one["alpha"], one["label"]
    if kind == "scatter":
        axes.scatter(x, y, s=one["markersize"], marker=one["marker"],
                     color=color, alpha=alpha, label=label,
                     edgecolors=one["edgecolors"],
                     linewidths=one["linewidths"])
    elif kind == "bar":
        axes.bar(x, y, width=0.8 if one["width"] is None else one["width"],
                 bottom=one["bottom"], color=color, alpha=alpha, label=label)
    else:
        width = default_width if one["width"] is None else one["width"]
        how = {"color": color, "alpha": alpha, "label": label,
               "linewidth": width, "linestyle": one["linestyle"] or "-"}
        if kind == "step":
            axes.step(x, y, where=one["stepwhere"], **how)
        else:
            axes.plot(x, y, **how)
    if one["fill_between"] is not None:
        filled(axes, x, one["fill_between"])


def filled(axes: Any, x: Any, how: Any) -> None:
    """fill_between= of plot() and of make_addplot()."""
    for each in how if isinstance(how, list) else [how]:
        given = dict(each) if isinstance(each, dict) else {"y1": each}
        given.pop("panel", None)
        given.setdefault("alpha", 0.25)
        axes.fill_between(x, **given)
