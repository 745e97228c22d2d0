"""squarify - treemaps: rectangles with areas in proportion to sizes.

`squarify`, `padded_squarify`, `normalize_sizes` and `plot` of squarify 0.4. The
layout is that of Bruls, Huizing and van Wijk: rows along the shorter side, each
as long as its worst rectangle gets no longer.
"""

from __future__ import annotations

from typing import Any, Iterable, Optional

__version__ = "0.4.4"
__all__ = ["normalize_sizes", "padded_squarify", "plot", "squarify"]

_Rect = dict[str, float]


def normalize_sizes(sizes: Iterable[Any], dx: float, dy: float) -> list[float]:
    """SIZES in proportion, with the sum DX * DY."""
    sizes = list(sizes)
    total, area = sum(sizes), dx * dy
    return [float(size) * area / total for size in sizes]


def _worst(row: list[float], side: float) -> float:
    """The largest ratio of sides in ROW, which is laid along SIDE."""
    depth = sum(row) / side
    return max(max(depth * depth / size, size / (depth * depth))
               for size in row)


def _row_length(sizes: list[float], side: float) -> int:
    """How many of SIZES the next row takes."""
    count, worst = 1, _worst(sizes[:1], side)
    while count < len(sizes):
        longer = _worst(sizes[:count + 1], side)
        if longer > worst:
            break
        count, worst = count + 1, longer
    return count


def _place(row: list[float], x: float, y: float, dx: float, dy: float,
           ) -> tuple[list[_Rect], tuple[float, float, float, float]]:
    """The rectangles of ROW, and what is left: x, y, dx, dy."""
    rects = []
    if dx >= dy:
        depth, at = sum(row) / dy, y
        for size in row:
            rects.append({"x": x, "y": at, "dx": depth, "dy": size / depth})
            at += size / depth
        return rects, (x + depth, y, dx - depth, dy)
    depth, at = sum(row) / dx, x
    for size in row:
        rects.append({"x": at, "y": y, "dx": size / depth, "dy": depth})
        at += size / depth
    return rects, (x, y + depth, dx, dy - depth)


def squarify(sizes: Iterable[Any], x: float, y: float, dx: float,
             dy: float) -> list[_Rect]:
    """A rectangle for each of SIZES: positive, descending, of sum DX * DY."""
    left = list(map(float, sizes))
    rects: list[_Rect] = []
    while left:
        count = _row_length(left, min(dx, dy))
        placed, (x, y, dx, dy) = _place(left[:count], x, y, dx, dy)
        rects += placed
        left = left[count:]
    return rects


def padded_squarify(sizes: Iterable[Any], x: float, y: float, dx: float,
                    dy: float) -> list[_Rect]:
    """The same rectangles, each smaller by 1 at each side if it has room."""
    rects = squarify(sizes, x, y, dx, dy)
    for rect in rects:
        for start, length in (("x", "dx"), ("y", "dy")):
            if rect[length] > 2:
                rect[start] += 1
                rect[length] -= 2
    return rects


def _write(ax: Any, words: Any, rects: list[_Rect], va: str,
           text_kwargs: dict[str, Any]) -> None:
    for word, rect in zip(words, rects):
        ax.text(rect["x"] + rect["dx"] / 2, rect["y"] + rect["dy"] / 2, word,
                va=va, ha="center", **text_kwargs)


def plot(sizes: Any, norm_x: float = 100, norm_y: float = 100,
         color: Any = None, label: Any = None, value: Any = None,
         ax: Any = None, pad: bool = False,
         bar_kwargs: Optional[dict[str, Any]] = None,
         text_kwargs: Optional[dict[str, Any]] = None, **kwargs: Any) -> Any:
    """Draw the treemap of SIZES; returns the axes."""
    import matplotlib.pyplot as plt

    if ax is None:
        ax = plt.gca()
    if color is None:
        import random

        shades = plt.get_cmap()
        color = [shades(random.random()) for _ in range(len(sizes))]
    text_kwargs = dict(text_kwargs or {})
    layout = padded_squarify if pad else squarify
    rects = layout(normalize_sizes(sizes, norm_x, norm_y), 0, 0, norm_x,
                   norm_y)
    ax.bar([one["x"] for one in rects], [one["dy"] for one in rects],
           width=[one["dx"] for one in rects],
           bottom=[one["y"] for one in rects], color=color, label=label,
           align="edge", **{**(bar_kwargs or {}), **kwargs})
    if value is not None:
        _write(ax, value, rects, "center" if label is None else "top",
               text_kwargs)
    if label is not None:
        _write(ax, label, rects, "center" if value is None else "bottom",
               text_kwargs)
    ax.set_xlim(0, norm_x)
    ax.set_ylim(0, norm_y)
    return ax
