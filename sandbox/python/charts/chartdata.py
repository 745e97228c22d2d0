"""chartdata - reads what a figure of matplotlib shows: its points, not pixels.

A chart is an object of JSON: type, title, elements, and for the types with
axes their labels, units, scales and ticks. Several axes make a superchart.
Lines, points, bars and wedges are read from the figure. Box plots and
histograms are noted when they are drawn, because their numbers are not in it.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import adopt
from .channels import warn
from .job import CHART, Now

import math
import re
import sys
from typing import Any, Callable, Iterable, Optional

POINTS = 20000              # of one chart
ELEMENTS = 2000             # the same: lines, bars, wedges, boxes
TICKS = 200                 # of one axis
TEXT_CHARS = 1000           # of a label
AXES = 64                   # of a figure
_NOTES = "_terrarium_notes"  # attribute of an Axes: what was drawn in it
_SCALES = frozenset(["linear", "log", "symlog", "logit", "asinh", "function",
                     "functionlog"])
_isfinite, _isclose = math.isfinite, math.isclose
_find_unit = re.compile(r"[(\[]([^()\[\]]{1,40})[)\]]\s*$").search
_modules = sys.modules


def _text(value: Any) -> str:
    return str(value)[:TEXT_CHARS]


def _real(value: Any) -> Any:
    """A number; None for one that JSON lacks."""
    number = float(value)
    return number if _isfinite(number) else None


def _unit(label: str) -> Optional[str]:
    """The unit in a label such as "Speed (m/s)"."""
    found = _find_unit(label)
    return found[1].strip() if found else None


def _own_label(artist: Any) -> str:
    """The label that a program gave; matplotlib's own begin with "_"."""
    label = _text(artist.get_label() or "")
    return "" if label.startswith("_") else label


class _Axis:
    """One axis: how its numbers are called."""

    def __init__(self, ax: Any, name: str) -> None:
        self.ax, self.name = ax, name
        self.axis = getattr(ax, name + "axis")
        self.label = _text(getattr(ax, f"get_{name}label")())
        get = getattr(self.axis, "get_converter", None)
        converter = get() if get else getattr(self.axis, "converter", None)
        self.kind = type(converter).__name__
        units = getattr(self.axis, "units", None)
        mapping = getattr(units, "_mapping", None)
        self.categories = {number: _text(text) for text, number in
                           mapping.items()} if mapping else {}
        self.dates = "Date" in self.kind and not self.categories
        self.freq = getattr(ax, "freq", None) if name == "x" else None

    def scale(self) -> str:
        if self.categories:
            return "categorical"
        if self.dates or self.freq is not None:
            return "datetime"
        scale = self.axis.get_scale()
        return scale if scale in _SCALES else "function"

    def value(self, number: Any) -> Any:
        """A number of the axis as it was given: a category, a date."""
        number = _real(number)
        if number is None:
            return None
        if self.categories:
            return self.categories.get(round(number), number)
        if self.freq is not None:
            pandas = _modules["pandas"]
            period = pandas.Period(ordinal=round(number), freq=self.freq)
            return period.to_timestamp().isoformat()
        if self.dates:
            dates = _modules["matplotlib.dates"]
            return dates.num2date(number).replace(tzinfo=None).isoformat()
        return number

    def ticks(self) -> tuple[list[float], list[str]]:
        """The visible ticks and their texts."""
        low, high = sorted(self.axis.get_view_interval())
        ticks, texts = [], []
        labels = self.axis.get_majorticklabels()
        for at, label in zip(self.axis.get_majorticklocs(), labels):
            if low <= at <= high and len(ticks) < TICKS:
                ticks.append(self.value(at))
                texts.append(_text(label.get_text()))
        return ticks, texts

    def names(self) -> list[tuple[float, str]]:
        """Ticks whose texts a program has set."""
        formatter = type(self.axis.get_major_formatter()).__name__
        if formatter not in ("FixedFormatter", "FuncFormatter"):
            return []
        labels = self.axis.get_majorticklabels()
        return [(float(at), _text(label.get_text())) for at, label in
                zip(self.axis.get_majorticklocs(), labels)
                if label.get_text()][:ELEMENTS]

    def head(self, ticks: bool) -> dict[str, Any]:
        """The members of a chart that this axis gives."""
        name = self.name
        head: dict[str, Any] = {f"{name}_label": self.label or None,
                                f"{name}_unit": _unit(self.label)}
        if ticks:
            places, texts = self.ticks()
            head.update({f"{name}_ticks": places,
                         f"{name}_tick_labels": texts,
                         f"{name}_scale": self.scale()})
        return head


class _Chart:
    """The one under way: its elements, and the room for more."""

    def __init__(self, ax: Any) -> None:
        self.ax = ax
        self.points = POINTS
        self.elements: list[dict[str, Any]] = []
        self.cut = False

    def take(self, items: Iterable[Any], room: int) -> list[Any]:
        """The first ROOM items."""
        taken = []
        for item in items:
            if len(taken) >= room:
                self.cut = True
                break
            taken.append(item)
        return taken

    def add(self, element: dict[str, Any]) -> None:
        if len(self.elements) < ELEMENTS:
            self.elements.append(element)
        else:
            self.cut = True

    def add_points(self, label: str, pairs: Iterable[tuple[Any, Any]],
                   x: _Axis, y: _Axis) -> None:
        taken = self.take(pairs, self.points)
        self.points -= len(taken)
        points = [[x.value(a), y.value(b)] for a, b in taken]
        self.add({"label": label, "points": points})


def _notes(ax: Any, kind: str) -> list[Any]:
    """What was noted of KIND in an Axes, and is still there."""
    notes = vars(ax).get(_NOTES, ())
    here = {id(artist) for artist in ax.get_children()} if notes else ()
    return [note for name, note, artists in notes
            if name == kind and any(id(artist) in here
                                    for artist in artists)]


def _noted(ax: Any, kind: str) -> set[int]:
    """The ids of the artists of KIND."""
    return {id(artist) for name, _, artists in vars(ax).get(_NOTES, ())
            if name == kind for artist in artists}


# ---- the types of charts ------------------------------------------------

def _wedges(ax: Any) -> list[Any]:
    cls = _modules["matplotlib.patches"].Wedge
    return [patch for patch in ax.patches if isinstance(patch, cls)]


def _read_pie(chart: _Chart, _x: _Axis, _y: _Axis) -> str:
    wedges = _wedges(chart.ax)
    # one that is drawn as "_nolegend_" has its label in a text beside it
    for wedge in wedges:
        chart.add({"label": _text(wedge.get_label() or ""),
                   "angle": _real(wedge.theta2 - wedge.theta1),
                   "radius": _real(wedge.r)})
    return "pie"


def _read_boxes(chart: _Chart, x: _Axis, y: _Axis) -> str:
    for stats, places, vertical in _notes(chart.ax, "box"):
        axis = x if vertical else y
        names = dict(axis.names())
        for box, place in zip(stats, places):
            label = names.get(float(place)) or box.get("label")
            outliers = chart.take(box.get("fliers", ()), chart.points)
            chart.points -= len(outliers)
            chart.add({
                "label": _text(place if label is None else label),
                "min": _real(box["whislo"]),
                "first_quartile": _real(box["q1"]),
                "median": _real(box["med"]),
                "third_quartile": _real(box["q3"]),
                "max": _real(box["whishi"]),
                "outliers": [_real(one) for one in outliers]})
    return "box_and_whisker"


def _bar_containers(ax: Any) -> list[Any]:
    cls = _modules["matplotlib.container"].BarContainer
    return [one for one in ax.containers
            if isinstance(one, cls) and len(one.patches)]


def _upright(container: Any) -> bool:
    return getattr(container, "orientation", None) != "horizontal"


def _is_whole(number: float) -> bool:
    return _isclose(number, round(number), abs_tol=1e-6)


def _are_bins(bars: list[tuple[float, float, float]]) -> bool:
    """Whether bars touch each other, and do not stand on whole numbers."""
    return len(bars) > 1 and \
        all(_isclose(one[1], two[0], rel_tol=1e-6, abs_tol=1e-9)
            for one, two in zip(bars, bars[1:])) and \
        not all(_is_whole((low + high) / 2) for low, high, _ in bars)


def _bars(container: Any, upright: bool) -> list[tuple[float, float, float]]:
    """(from, to, value) of each bar."""
    found = []
    for bar in container.patches:
        if upright:
            low, size, value = bar.get_x(), bar.get_width(), bar.get_height()
        else:
            low, size, value = bar.get_y(), bar.get_height(), bar.get_width()
        found.append((float(low), float(low) + float(size), value))
    return found


def _nearest(names: list[tuple[float, str]], at: float,
             most: float) -> Optional[str]:
    found = min(names, key=lambda row: abs(row[0] - at), default=None)
    return found[1] if found and abs(found[0] - at) <= most else None


def _bar_label(axis: _Axis, names: list[tuple[float, str]], low: float,
               high: float) -> str:
    """The text of the tick that is nearest to a bar; else its place."""
    middle = (low + high) / 2
    rows = list(axis.categories.items()) or names
    places = sorted(row[0] for row in rows)
    gaps = [two - one for one, two in zip(places, places[1:]) if two > one]
    found = _nearest(rows, middle, max(min(gaps, default=1.0) / 2,
                                       (high - low) / 2) + 1e-9)
    if found is not None:
        return found
    value = axis.value(middle)
    return value if isinstance(value, str) else f"{middle:g}"


def _read_bars(chart: _Chart, x: _Axis, y: _Axis) -> str:
    containers = _bar_containers(chart.ax)
    bins_of = {id(one) for made in _notes(chart.ax, "bins") for one in made}
    for number, container in enumerate(containers):
        upright = _upright(container)
        axis = x if upright else y
        names = axis.names()
        bars = _bars(container, upright)
        noted = id(container) in bins_of
        bins = noted or (not names and not axis.categories and
                         _are_bins(bars))
        label = _own_label(container.patches[0] if noted else container)
        group = label or (
            f"group {number + 1}" if len(containers) > 1 else "")
        for low, high, value in bars:
            label = f"{_edge(axis, low)} to {_edge(axis, high)}" if bins \
                else _bar_label(axis, names, low, high)
            chart.add({"label": label, "group": group,
                       "value": _real(value)})
    return "bar"


def _edge(axis: _Axis, number: float) -> str:
    value = axis.value(number)
    return value if isinstance(value, str) else f"{number:.6g}"


def _read_steps(chart: _Chart, x: _Axis, y: _Axis) -> str:
    """Histograms that are drawn as one outline each."""
    for counts, edges, labels, upright in _notes(chart.ax, "steps"):
        axis = x if upright else y
        for row, group in zip(counts, labels):
            for low, high, value in zip(edges, edges[1:], row):
                chart.add({"label": f"{_edge(axis, low)} to "
                                    f"{_edge(axis, high)}",
                           "group": group, "value": _real(value)})
    return "bar"


def _data_lines(ax: Any) -> list[tuple[Any, str]]:
    """The lines that show data, with their labels: no grids, no marks across
    the axes, no parts of error bars or boxes."""
    parts = _noted(ax, "box")
    labels: dict[int, str] = {}
    for container in ax.containers:
        if type(container).__name__ == "ErrorbarContainer":
            line, caps, _ = container.lines
            parts |= {id(cap) for cap in caps}
            if line is not None:
                labels[id(line)] = _own_label(container)
    return [(line, labels.get(id(line)) or _own_label(line))
            for line in ax.lines
            if id(line) not in parts and len(line.get_xdata(orig=False)) and
            line.get_transform().contains_branch(ax.transData) and
            line.get_transform() == ax.transData]


def _point_sets(ax: Any) -> list[Any]:
    cls = _modules["matplotlib.collections"].PathCollection
    return [one for one in ax.collections
            if isinstance(one, cls) and len(one.get_offsets())]


def _is_drawn(line: Any) -> bool:
    return line.get_linestyle() not in ("None", "none", " ", "")


def _read_points(chart: _Chart, x: _Axis, y: _Axis) -> str:
    sets, lines = _point_sets(chart.ax), _data_lines(chart.ax)
    for one in sets:
        chart.add_points(_own_label(one), one.get_offsets(), x, y)
    for line, label in lines:
        chart.add_points(label, zip(line.get_xdata(orig=False),
                                    line.get_ydata(orig=False)), x, y)
    if sets or not any(_is_drawn(line) for line, _ in lines):
        return "scatter"
    return "line"


def _has_points(ax: Any) -> bool:
    return bool(_point_sets(ax) or _data_lines(ax))


# Of two that fit, the first counts. The last member: whether ticks are told;
# None: the chart has no axes.
_Reader = Callable[[_Chart, _Axis, _Axis], str]
_READERS: tuple[tuple[Callable[[Any], Any], _Reader, Optional[bool]], ...] = (
    (_wedges, _read_pie, None),
    (lambda ax: _notes(ax, "box"), _read_boxes, False),
    (_bar_containers, _read_bars, False),
    (lambda ax: _notes(ax, "steps"), _read_steps, False),
    (_has_points, _read_points, True),
)


def _title(ax: Any) -> str:
    for place in ("center", "left", "right"):
        title = ax.get_title(loc=place)
        if title:
            return _text(title)
    return ""


def _unknown(ax: Any) -> dict[str, Any]:
    return {"type": "unknown", "title": _title(ax) or None, "elements": []}


def _read(ax: Any) -> dict[str, Any]:
    """One Axes as a chart."""
    if ax.name != "rectilinear":  # polar and others mean other numbers
        if not (ax.name == "polar" and _has_points(ax)):
            return _unknown(ax)
    for fits, read, ticks in _READERS:
        if not fits(ax):
            continue
        chart, x, y = _Chart(ax), _Axis(ax, "x"), _Axis(ax, "y")
        kind = read(chart, x, y)
        if chart.cut:
            warn(f"a chart was cut: it has the first {POINTS:,} points and "
                 f"{ELEMENTS:,} elements")
        heads = {**x.head(ticks), **y.head(ticks)} if ticks is not None \
            else {}
        return {"type": kind, "title": _title(ax) or None, **heads,
                "elements": chart.elements}
    return _unknown(ax)


def _is_shown(ax: Any) -> bool:
    """Whether an Axes shows data of its own. A colour bar does not."""
    return ax.get_visible() and ax.has_data() and \
        getattr(ax, "_colorbar", None) is None and \
        ax.get_label() != "<colorbar>"


def chart_of(figure: Any) -> Optional[dict[str, Any]]:
    """A figure's data; None if it shows none."""
    shown = [ax for ax in figure.axes if _is_shown(ax)][:AXES]
    charts = [_read(ax) for ax in shown]
    suptitle = getattr(figure, "_suptitle", None)
    title = _text(suptitle.get_text()) if suptitle is not None else None
    if not charts:
        return None
    if len(charts) > 1:
        return {"type": "superchart", "title": title or None,
                "elements": charts}
    if not charts[0]["title"] and title:
        charts[0]["title"] = title
    return charts[0]


# ---- notes of what is drawn ----------------------------------------------

def _note(ax: Any, kind: str, note: Any, artists: Iterable[Any]) -> None:
    vars(ax).setdefault(_NOTES, []).append((kind, note, list(artists)))


def _wanted() -> bool:
    return Now.job.shows and bool(Now.job.forms & CHART)


def _note_boxes(ax: Any, drawn: dict[str, Any], stats: Any, places: Any,
                vertical: bool) -> None:
    stats = [dict(box) for box in stats]
    if places is None:
        places = range(1, len(stats) + 1)
    _note(ax, "box", (stats, list(places), vertical),
          [artist for artists in drawn.values() for artist in artists])


def _note_histogram(ax: Any, made: Any, options: dict[str, Any]) -> None:
    counts, edges, patches = made
    upright = options.get("orientation", "vertical") == "vertical"
    one = getattr(counts, "ndim", 2) == 1  # else a list of several
    rows = [counts] if one else list(counts)
    lists = [patches] if one or not isinstance(patches, list) and \
        not hasattr(patches, "__len__") else list(patches)
    if one and isinstance(patches, list):
        lists = [patches]
    if all(type(each).__name__ == "BarContainer" for each in lists):
        _note(ax, "bins", lists, [each[0] for each in lists if len(each)])
        return
    if options.get("stacked"):  # the counts are sums
        rows = [rows[0]] + [two - one for one, two in zip(rows, rows[1:])]
    labels = [_own_label(each[0]) for each in lists]
    if len(labels) > 1:
        labels = [label or f"group {number + 1}"
                  for number, label in enumerate(labels)]
    _note(ax, "steps", (rows, list(edges), labels, upright),
          [artist for each in lists for artist in each])


def _adopt_axes(module: Any) -> None:
    """Note box plots and histograms, if charts are asked for."""
    cls = module.Axes
    plain_bxp, plain_hist = cls.bxp, cls.hist

    def bxp(self: Any, bxpstats: Any, *args: Any, **options: Any) -> Any:
        if not _wanted():
            return plain_bxp(self, bxpstats, *args, **options)
        bxpstats = list(bxpstats)
        drawn = plain_bxp(self, bxpstats, *args, **options)
        upright = options.get("vert") is not False and \
            options.get("orientation", "vertical") == "vertical"
        places = args[0] if args else options.get("positions")
        _try(_note_boxes, self, drawn, bxpstats, places, upright)
        return drawn

    def hist(self: Any, *args: Any, **options: Any) -> Any:
        made = plain_hist(self, *args, **options)
        if _wanted():
            _try(_note_histogram, self, made, options)
        return made

    for new, plain in ((bxp, plain_bxp), (hist, plain_hist)):
        new.__doc__, new.__wrapped__ = \
            plain.__doc__, plain  # type: ignore[attr-defined]
        new.__name__, new.__qualname__ = plain.__name__, plain.__qualname__
    cls.bxp, cls.hist = bxp, hist


def _try(note: Callable[..., None], *args: Any) -> None:
    """A chart that cannot be noted is drawn all the same."""
    try:
        note(*args)
    except Exception:
        warn("a chart's numbers could not be noted")


adopt("matplotlib.axes._axes", _adopt_axes)
