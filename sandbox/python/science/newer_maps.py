"""newer_maps - what geopandas misses: shapely 2 for sjoin_nearest(), and
mapclassify, which Debian lacks, for explore() and scheme=.

mapclassify sorts numbers into classes. The classes that maps have most are
here, as a module of that name that comes with geopandas.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import replace

import importlib.util
import sys
import types
from typing import Any

_import, _find_spec = importlib.import_module, importlib.util.find_spec
_modules = sys.modules
_MOST = 1500        # values that natural breaks are made of


# -- mapclassify

class MapClassifier:
    """Values in classes. bins: the upper end of each class; yb: the class of
    each value, from 0."""

    def __init__(self, y: Any, bins: Any) -> None:
        numpy = _import("numpy")
        self.y = numpy.asarray(y, float).ravel()
        bins = numpy.unique(numpy.asarray(bins, float))
        if not len(bins) or self.y.max() > bins[-1]:
            bins = numpy.append(bins, self.y.max())
        self.bins, self.k = bins, len(bins)
        self.yb = numpy.searchsorted(bins, self.y)
        self.counts = numpy.bincount(self.yb, minlength=self.k)
        self.name = type(self).__name__

    def __call__(self, x: Any) -> Any:
        numpy = _import("numpy")
        found = numpy.searchsorted(self.bins, x)
        return numpy.minimum(found, self.k - 1)

    def get_legend_classes(self, fmt: str = "{:.2f}") -> list[str]:
        least = self.y.min()
        ends = [fmt.format(least if least <= self.bins[0] else float("-inf")),
                *map(fmt.format, self.bins)]
        width = max(map(len, ends))
        return ["[("[place > 0] + f"{low:>{width}}, {high:>{width}}]"
                for place, (low, high) in enumerate(zip(ends, ends[1:]))]

    def __repr__(self) -> str:
        rows = [f"{name} | {count:>5}" for name, count in
                zip(self.get_legend_classes(), self.counts)]
        return "\n".join([self.name, "", "Interval  Count",
                          "-" * max(map(len, rows)), *rows])


class UserDefined(MapClassifier):
    def __init__(self, y: Any, bins: Any, **_options: Any) -> None:
        super().__init__(y, bins)


class Quantiles(MapClassifier):
    def __init__(self, y: Any, k: int = 5) -> None:
        numpy = _import("numpy")
        super().__init__(y, numpy.quantile(y, numpy.arange(1, k + 1) / k))


class Percentiles(MapClassifier):
    def __init__(self, y: Any, pct: Any = (1, 10, 50, 90, 99, 100),
                 **_options: Any) -> None:
        super().__init__(y, _import("numpy").percentile(y, pct))


class EqualInterval(MapClassifier):
    def __init__(self, y: Any, k: int = 5) -> None:
        numpy = _import("numpy")
        super().__init__(y, numpy.linspace(numpy.min(y), numpy.max(y),
                                           k + 1)[1:])


class StdMean(MapClassifier):
    def __init__(self, y: Any, multiples: Any = (-2, -1, 1, 2),
                 **_options: Any) -> None:
        numpy = _import("numpy")
        super().__init__(y, numpy.mean(y) + numpy.std(y, ddof=1) *
                         numpy.asarray(multiples))


class BoxPlot(MapClassifier):
    def __init__(self, y: Any, hinge: float = 1.5, **_options: Any) -> None:
        low, middle, high = _import("numpy").percentile(y, (25, 50, 75))
        far = hinge * (high - low)
        super().__init__(y, [low - far, low, middle, high, high + far])


def _breaks(y: Any, k: int) -> Any:
    """The upper ends of K classes within which values differ least: the best
    ends of one class more are found from those of one class less."""
    numpy = _import("numpy")
    x = numpy.sort(numpy.asarray(y, float).ravel())
    if len(x) > _MOST:
        x = numpy.quantile(x, numpy.linspace(0, 1, _MOST))
    count = len(x)
    k = min(k, len(numpy.unique(x)))
    sums = numpy.append(0, numpy.cumsum(x - x.mean()))
    squares = numpy.append(0, numpy.cumsum((x - x.mean()) ** 2))
    first, end = numpy.arange(count)[:, None], numpy.arange(1, count + 1)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        error = squares[end] - squares[first] - (
            sums[end] - sums[first]) ** 2 / (end - first)
    error[end <= first] = numpy.inf
    best, begins = error[0], []
    for _ in range(k - 1):
        paths = numpy.append(numpy.inf, best[:-1])[:, None] + error
        begins.append(paths.argmin(0))
        best = paths.min(0)
    ends = [count - 1]
    for begin in reversed(begins):
        ends.append(int(begin[ends[-1]]) - 1)
    return x[ends[::-1]]


class NaturalBreaks(MapClassifier):
    def __init__(self, y: Any, k: int = 5, **_options: Any) -> None:
        super().__init__(y, _breaks(y, k))


class FisherJenks(NaturalBreaks):
    pass


_CLASSES = (BoxPlot, EqualInterval, FisherJenks, NaturalBreaks, Percentiles,
            Quantiles, StdMean, UserDefined)


def _classify(y: Any, scheme: str, **options: Any) -> MapClassifier:
    """The values Y in the classes of SCHEME."""
    wanted = str(scheme).replace("_", "").replace(" ", "").lower()
    for kind in _CLASSES:
        if kind.__name__.lower() == wanted:
            return kind(y, **options)  # type: ignore[arg-type]
    raise ValueError(
        f"scheme={scheme!r} needs mapclassify, which is not installed, and "
        "nothing can be installed here: use one of " +
        ", ".join(kind.__name__ for kind in _CLASSES))


def _add_classes(_module: Any) -> None:
    name = "mapclassify"
    if name in _modules or _find_spec(name):
        return
    module = types.ModuleType(name, "Classes for maps, without mapclassify.")
    module.__version__ = "2.4.0"  # type: ignore[attr-defined]
    _classify.__name__, _classify.__module__ = "classify", name
    module.classify = _classify  # type: ignore[attr-defined]
    for kind in (MapClassifier, *_CLASSES):
        kind.__module__ = name
        setattr(module, kind.__name__, kind)
    _modules[name] = module


# -- sjoin_nearest()

def _pairs(queries: Any, targets: Any, farthest: float) -> Any:
    """For each of QUERIES the nearest of TARGETS, or all that are as near:
    the places of both, and the distance. The boxes around TARGETS say which
    of them are worth a look."""
    numpy = _import("numpy")
    known = [place for place, shape in enumerate(targets)
             if shape is not None and not shape.is_empty]
    boxes = numpy.array([targets[place].bounds for place in known],
                        float).reshape(-1, 4).T
    for index, shape in enumerate(queries):
        if shape is None or shape.is_empty:
            continue
        left, low, right, high = shape.bounds
        gaps = numpy.hypot(
            numpy.maximum(numpy.maximum(boxes[0] - right, left - boxes[2]), 0),
            numpy.maximum(numpy.maximum(boxes[1] - high, low - boxes[3]), 0))
        best, near = farthest, []
        for place in gaps.argsort(kind="stable"):
            if gaps[place] > best:
                break
            distance = shape.distance(targets[known[place]])
            if distance < best:
                best, near = distance, []
            if distance == best:
                near.append(known[place])
        yield from ((index, place, best) for place in sorted(near))


def _change_joins(module: Any) -> None:
    compat = getattr(module, "compat", None)  # geopandas 1.0 has none
    if getattr(compat, "USE_SHAPELY_20", True) or compat.USE_PYGEOS:
        return

    def _nearest_query(left_df: Any, right_df: Any, max_distance: Any,
                       how: str, return_distance: bool) -> Any:
        sides = [list(frame.geometry) for frame in (left_df, right_df)]
        names = ["_key_left", "_key_right"]
        if how == "right":
            sides.reverse()
            names.reverse()
        rows = list(_pairs(*sides, float("inf") if max_distance is None
                           else max_distance))
        found = module.pd.DataFrame(rows, columns=[*names, "distances"])
        if not rows:
            found = found.astype(float)
        found = found[["_key_left", "_key_right", "distances"]]
        if how == "right":
            found = found.sort_values("_key_left", kind="stable",
                                      ignore_index=True)
        if not return_distance:
            found["distances"] = None
        return found

    replace(module, "_nearest_query", _nearest_query)


when_imported({
    "geopandas.explore": _add_classes,
    "geopandas.plotting": _add_classes,
    "geopandas.tools.sjoin": _change_joins,
})
