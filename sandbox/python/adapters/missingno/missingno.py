"""The four pictures, drawn by matplotlib."""

from __future__ import annotations

from .utils import nullity_filter, nullity_sort

from typing import Any, Optional
import warnings

import numpy as np
import pandas as pd

_SIDES = ("top", "right", "bottom", "left")
_MANY = 50              # columns, above which names are not written


def _bare(ax: Any) -> None:
    """Take away the frame, the grid and the marks of ticks."""
    ax.grid(False)
    ax.xaxis.set_ticks_position("none")
    ax.yaxis.set_ticks_position("none")
    for side in _SIDES:
        ax.spines[side].set_visible(False)


def _larger(fontsize: float, share: int) -> int:
    return int(fontsize / 16 * share)


def _figure_size(columns: int, orientation: Optional[str]) -> Any:
    if columns <= _MANY or orientation in ("top", "bottom"):
        return (25, 10)
    return (25, (25 + columns - _MANY) * 0.5)


# -- matrix


def _matrix_axes(ax: Any, figsize: Any, width_ratios: Any,
                 sparkline: bool) -> tuple[Any, Any]:
    """The axes of the cells, and those of the line or None."""
    import matplotlib.pyplot as plt
    from matplotlib.gridspec import GridSpec

    if ax is not None:
        if sparkline:
            warnings.warn("Plotting a sparkline on an existing axis is not "
                          "currently supported. To remove this warning, set "
                          "sparkline=False.", stacklevel=3)
        return ax, None
    plt.figure(figsize=figsize)
    if not sparkline:
        return plt.subplot(GridSpec(1, 1)[0]), None
    grid = GridSpec(1, 2, width_ratios=width_ratios, wspace=0.08)
    line = plt.subplot(grid[1])
    return plt.subplot(grid[0]), line


def _dates(index: Any, freq: Any) -> tuple[list[int], list[str]]:
    """Rows of INDEX at each FREQ, and their dates."""
    if isinstance(index, pd.PeriodIndex):
        days = index.to_timestamp()
        first, last = days[0], days[-1]
    elif isinstance(index, pd.DatetimeIndex):
        first, last = index[0], index[-1]
    else:
        raise KeyError("Dataframe index must be PeriodIndex or "
                       "DatetimeIndex.")
    moments = pd.date_range(first, last, freq=freq)
    try:
        rows = [index.get_loc(moment) for moment in moments]
    except KeyError:
        raise KeyError("Could not divide time index into desired "
                       "frequency.") from None
    return rows, [moment.strftime("%Y-%m-%d") for moment in moments]


def _draw_cells(ax: Any, df: Any, color: Any) -> None:
    from matplotlib.colors import to_rgb

    cells = np.ones((*df.shape, 3), dtype=np.float32)
    cells[df.notnull().values] = to_rgb(color)
    ax.imshow(cells, interpolation="none")
    ax.set_aspect("auto")
    ax.xaxis.tick_top()
    _bare(ax)
    for column in range(df.shape[1] - 1):
        ax.axvline(column + 0.5, linestyle="-", color="white")


def _name_cells(ax: Any, df: Any, labels: Any, label_rotation: float,
                fontsize: float, freq: Any) -> None:
    if labels or (labels is None and len(df.columns) <= _MANY):
        ax.set_xticks(range(len(df.columns)))
        ax.set_xticklabels(list(df.columns), rotation=label_rotation,
                           ha="left", fontsize=fontsize)
    else:
        ax.set_xticks([])
    rows, names = _dates(df.index, freq) if freq else \
        ([0, len(df) - 1], ["1", str(len(df))])
    ax.set_yticks(rows)
    ax.set_yticklabels(names, fontsize=_larger(fontsize, 20), rotation=0)


def _draw_line(ax: Any, counts: list[int], color: Any,
               fontsize: float) -> None:
    """How many cells are full in each row, from the last one up."""
    low, high = min(counts), max(counts)
    ax.set_aspect("auto")
    ax.set_facecolor((1, 1, 1))
    ax.set_ymargin(0)
    ax.plot(counts, range(len(counts)), color=color)
    for value, step, ha in ((high, 2, "left"), (low, -2, "right")):
        row = counts.index(value)
        ax.annotate(str(value), xy=(value, row), xytext=(value + step, row),
                    fontsize=_larger(fontsize, 14), va="center", ha=ha)
        ax.plot([value], [row], ".", color=color, markersize=10.0)
    ax.set_xlim([low - 2, high + 2])


def _name_line(ax: Any, counts: list[int], first: str, labels: Any,
               label_rotation: float, fontsize: float) -> None:
    ax.set_yticks([])
    ax.set_xticks([])
    if labels:
        words = "Data Completeness"
        # The case of the columns' own names.
        words = (words.lower() if first.islower() else
                 words.upper() if first.isupper() else words)
        ax.xaxis.tick_top()
        ax.set_xticks([(min(counts) + max(counts)) / 2])
        ax.set_xticklabels([words], rotation=label_rotation, ha="left",
                           fontsize=fontsize)
    _bare(ax)


def matrix(df: Any, filter: Optional[str] = None, n: int = 0, p: float = 0,
           sort: Optional[str] = None, figsize: Any = (25, 10),
           width_ratios: Any = (15, 1), color: Any = (0.25, 0.25, 0.25),
           fontsize: float = 16, labels: Any = None,
           label_rotation: float = 45, sparkline: bool = True,
           freq: Any = None, ax: Any = None) -> Any:
    """A cell for each value: white where it is missing."""
    df = nullity_sort(nullity_filter(df, filter=filter, n=n, p=p), sort=sort,
                      axis="columns")
    cells, line = _matrix_axes(ax, figsize, width_ratios, sparkline)
    _draw_cells(cells, df, color)
    _name_cells(cells, df, labels, label_rotation, fontsize, freq)
    if line is not None:
        counts = df.notnull().sum(axis=1).tolist()[::-1]
        _draw_line(line, counts, color, fontsize)
        _name_line(line, counts, str(df.columns[0]), labels, label_rotation,
                   fontsize)
    return cells


# -- bar


def _upright_ticks(ax: Any, counts: Any, rows: int, log: bool,
                   label_rotation: float, fontsize: float) -> list[Any]:
    """Names below, shares to the left, rows to the right, counts above."""
    ax.set_xticklabels(ax.get_xticklabels(), rotation=label_rotation,
                       ha="right", fontsize=fontsize)
    right = ax.twinx()
    if log:
        right.set_yscale("log")
        right.minorticks_off()
    else:
        ax.set_ylim([0, 1])
        right.set_ylim([0, 1])
    ticks = ax.get_yticks()
    limits = ax.get_ylim()
    right.set_yticks(ticks)
    right.set_yticklabels([int(tick * rows) for tick in ticks],
                          fontsize=fontsize)
    right.set_ylim(limits)
    above = ax.twiny()
    above.set_xticks(ax.get_xticks())
    above.set_xlim(ax.get_xlim())
    above.set_xticklabels(counts.values, fontsize=fontsize,
                          rotation=label_rotation, ha="left")
    return [right, above]


def _lying_ticks(ax: Any, counts: Any, fontsize: float) -> list[Any]:
    """Names to the left, and counts to the right."""
    right = ax.twinx()
    right.set_yticks(ax.get_yticks())
    right.set_ylim(ax.get_ylim())
    right.set_yticklabels(counts.values, fontsize=fontsize)
    return [right]


def bar(df: Any, figsize: Any = None, fontsize: float = 16,
        labels: Any = None, label_rotation: float = 45, log: bool = False,
        color: Any = "dimgray", filter: Optional[str] = None, n: int = 0,
        p: float = 0, sort: Optional[str] = None, ax: Any = None,
        orientation: Optional[str] = None) -> Any:
    """A bar for each column: the share of its values that are there."""
    import matplotlib.pyplot as plt

    df = nullity_sort(nullity_filter(df, filter=filter, n=n, p=p), sort=sort,
                      axis="rows")
    columns, counts = len(df.columns), len(df) - df.isnull().sum()
    orientation = orientation or ("left" if columns > _MANY else "bottom")
    if ax is None:
        ax, figsize = plt.gca(), \
            figsize or _figure_size(columns, orientation)
    else:
        figsize = None
    upright = orientation == "bottom"
    draw = (counts / len(df)).plot
    (draw.bar if upright else draw.barh)(
        figsize=figsize, fontsize=fontsize, log=log, color=color, ax=ax)
    every = [ax]
    if labels or (labels is None and columns <= _MANY):
        every += _upright_ticks(ax, counts, len(df), log, label_rotation,
                                fontsize) if upright else \
            _lying_ticks(ax, counts, fontsize)
    for one in every:
        _bare(one)
    return ax


# -- heatmap


def _short(number: float) -> str:
    """A correlation in the few characters of a cell."""
    if 0.95 <= number < 1:
        return "<1"
    if -1 < number <= -0.95:
        return ">-1"
    if abs(number) == 1:
        return str(int(number))
    return "" if abs(number) < 0.05 else str(round(number, 1))


def heatmap(df: Any, filter: Optional[str] = None, n: int = 0, p: float = 0,
            sort: Optional[str] = None, figsize: Any = (20, 12),
            fontsize: float = 16, labels: bool = True,
            label_rotation: float = 45, cmap: Any = "RdBu",
            vmin: float = -1, vmax: float = 1, cbar: bool = True,
            ax: Any = None) -> Any:
    """Which columns lack values in the same rows: correlations of gaps."""
    import matplotlib.pyplot as plt
    import seaborn

    df = nullity_sort(nullity_filter(df, filter=filter, n=n, p=p), sort=sort,
                      axis="rows")
    if ax is None:
        plt.figure(figsize=figsize)
        ax = plt.gca()
    gaps = df.isnull()
    # A column that is full, or empty, correlates with nothing.
    gaps = gaps.iloc[:, np.flatnonzero(gaps.values.var(axis=0) > 0)]
    numbers = gaps.corr()
    seaborn.heatmap(numbers, mask=np.triu(np.ones(numbers.shape, bool)),
                    cmap=cmap, ax=ax, cbar=cbar, vmin=vmin, vmax=vmax,
                    annot=True if labels else None,
                    annot_kws={"size": fontsize - 2} if labels else None)
    ax.xaxis.tick_bottom()
    ax.set_xticklabels(ax.xaxis.get_majorticklabels(), ha="right",
                       rotation=label_rotation, fontsize=fontsize)
    ax.set_yticklabels(ax.yaxis.get_majorticklabels(), rotation=0,
                       fontsize=fontsize)
    ax.xaxis.set_ticks_position("none")
    ax.yaxis.set_ticks_position("none")
    ax.patch.set_visible(False)
    for text in ax.texts:
        text.set_text(_short(float(text.get_text())))
    return ax


# -- dendrogram


def dendrogram(df: Any, method: str = "average",
               filter: Optional[str] = None, n: int = 0, p: float = 0,
               orientation: Optional[str] = None, figsize: Any = None,
               fontsize: float = 16, label_rotation: float = 45,
               ax: Any = None) -> Any:
    """A tree of the columns: near ones lack values in the same rows."""
    import matplotlib.pyplot as plt
    from scipy.cluster import hierarchy

    if ax is None:
        plt.figure(figsize=figsize or _figure_size(len(df.columns),
                                                   orientation))
        ax = plt.gca()
    df = nullity_filter(df, filter=filter, n=n, p=p)
    orientation = orientation or (
        "left" if len(df.columns) > _MANY else "bottom")
    links = hierarchy.linkage(df.isnull().astype(int).values.T, method)
    hierarchy.dendrogram(links, orientation=orientation,
                         labels=df.columns.tolist(), ax=ax,
                         distance_sort="descending", leaf_font_size=fontsize,
                         link_color_func=lambda _link: "black")
    ax.set_aspect("auto")
    if orientation == "bottom":
        ax.xaxis.tick_top()
    _bare(ax)
    upright = orientation in ("top", "bottom")
    if upright:
        ax.set_xticklabels(ax.xaxis.get_majorticklabels(),
                           rotation=label_rotation,
                           ha="left" if orientation == "bottom" else "right")
    ax.tick_params(axis="y" if upright else "x",
                   labelsize=_larger(fontsize, 20))
    return ax
