"""squarify - treemaps: rectangles of given areas that are nearly squares.

The functions of squarify 0.4, with matplotlib for plot().
"""

from __future__ import annotations

from typing import Any, Iterable

__version__ = "0.4.4"
_Rectangle = dict[str, float]


def normalize_sizes(sizes: Iterable[float], dx: float,
                    dy: float) -> list[float]:
    """SIZES as areas of a rectangle of DX by DY."""
    found = list(sizes)
    return [float(one) * dx * dy / sum(found) for one in found]


def _laid(sizes: list[float], x: float, y: float, dx: float,
          dy: float) -> list[_Rectangle]:
    """One strip: at the left if the room is wide, else at its bottom."""
    found, at = [], 0.0
    wide = dx >= dy
    thick = sum(sizes) / (dy if wide else dx)
    for size in sizes:
        long = size / thick
        found.append({"x": x, "y": y + at, "dx": thick, "dy": long} if wide
                     else {"x": x + at, "y": y, "dx": long, "dy": thick})
        at += long
    return found


def _worst(sizes: list[float], *room: float) -> float:
    return max(max(one["dx"] / one["dy"], one["dy"] / one["dx"])
               for one in _laid(sizes, *room))


def squarify(sizes: Iterable[float], x: float, y: float, dx: float,
             dy: float) -> list[_Rectangle]:
    """A rectangle of each size; sizes are areas, the largest first."""
    left, found = [float(one) for one in sizes], []
    while left:
        count = 1
        while count < len(left) and _worst(left[:count], x, y, dx, dy) >= \
                _worst(left[:count + 1], x, y, dx, dy):
            count += 1
        found += _laid(left[:count], x, y, dx, dy)
        used = sum(left[:count])
        if dx >= dy:
            x, dx = x + used / dy, dx - used / dy
        else:
            y, dy = y + used / dx, dy - used / dx
        left = left[count:]
    return found


def pad_rectangle(rect: _Rectangle) -> None:
    for at, length in (("x", "dx"), ("y", "dy")):
        if rect[length] > 2:
            rect[at] += 1
            rect[length] -= 2


def padded_squarify(sizes: Iterable[float], x: float, y: float, dx: float,
                    dy: float) -> list[_Rectangle]:
    found = squarify(sizes, x, y, dx, dy)
    for one in found:
        pad_rectangle(one)
    return found


def plot(sizes: Any, norm_x: float = 100, norm_y: float = 100,
         color: Any = None, label: Any = None, value: Any = None,
         ax: Any = None, pad: bool = False, bar_kwargs: Any = None,
         text_kwargs: Any = None, **kwargs: Any) -> Any:
    """Draw a treemap on AX, the current axes by default; give the axes."""
    import matplotlib.pyplot as pyplot

    axes = pyplot.gca() if ax is None else ax
    if color is None:
        import random
        colors = pyplot.get_cmap()
        color = [colors(random.random()) for _ in sizes]
    areas = normalize_sizes(sizes, norm_x, norm_y)
    found = (padded_squarify if pad else squarify)(
        areas, 0, 0, norm_x, norm_y)
    axes.bar([one["x"] for one in found], [one["dy"] for one in found],
             width=[one["dx"] for one in found],
             bottom=[one["y"] for one in found], color=color, label=label,
             align="edge", **{**(bar_kwargs or {}), **kwargs})
    both = value is not None and label is not None
    for texts, place in ((value, "top"), (label, "bottom")):
        for text, one in zip(() if texts is None else texts, found):
            axes.text(one["x"] + one["dx"] / 2, one["y"] + one["dy"] / 2,
                      text, va=place if both else "center", ha="center",
                      **(text_kwargs or {}))
    axes.set_xlim(0, norm_x)
    axes.set_ylim(0, norm_y)
    return axes
