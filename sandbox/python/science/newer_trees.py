"""newer_trees - shapely 2's STRtree, where shapely is older.

It answers with the places of geometries in its list; that of shapely 1.8 gives
the geometries, and stays in shapely.strtree.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import add

import importlib
from typing import Any

_import = importlib.import_module
_NOWHERE = (float("nan"),) * 4
_PREDICATES = ("intersects", "within", "contains", "overlaps", "crosses",
               "touches", "covers", "covered_by", "contains_properly")


def _is_many(geometry: Any) -> bool:
    return isinstance(geometry, (list, tuple)) or (
        hasattr(geometry, "__array__") and not hasattr(geometry, "geom_type"))


def _is_blank(geometry: Any) -> bool:
    return geometry is None or bool(geometry.is_empty)


class STRtree:
    """The boxes around geometries, which say what is worth a look."""

    def __init__(self, geoms: Any, node_capacity: int = 10) -> None:
        numpy = _import("numpy")
        geoms = list(geoms)
        self.geometries = numpy.empty(len(geoms), object)
        for place, one in enumerate(geoms):
            self.geometries[place] = one
        self._boxes = numpy.array(
            [_NOWHERE if _is_blank(one) else one.bounds for one in geoms],
            float).reshape(-1, 4).T

    def __len__(self) -> int:
        return len(self.geometries)

    def _gaps(self, geometry: Any) -> Any:
        """How far each box is from that around GEOMETRY; NaN for none."""
        numpy = _import("numpy")
        left, low, right, high = geometry.bounds
        boxes = self._boxes
        return numpy.hypot(
            numpy.maximum(numpy.maximum(boxes[0] - right, left - boxes[2]), 0),
            numpy.maximum(numpy.maximum(boxes[1] - high, low - boxes[3]), 0))

    def _found(self, geometry: Any, predicate: Any, distance: Any) -> Any:
        """The places of those that fit one geometry."""
        if _is_blank(geometry):
            return []
        far = float(distance) if predicate == "dwithin" else 0.0
        places = (self._gaps(geometry) <= far).nonzero()[0]
        if predicate is None:
            return places
        if predicate == "dwithin":
            return [place for place in places
                    if geometry.distance(self.geometries[place]) <= far]
        if predicate not in _PREDICATES:
            raise ValueError(f"{predicate!r} is not a valid predicate")
        fits = getattr(geometry, predicate)
        return [place for place in places if fits(self.geometries[place])]

    def query(self, geometry: Any, predicate: Any = None,
              distance: Any = None) -> Any:
        """Places in the list; of several geometries two rows: their own
        places, and those in the list."""
        numpy = _import("numpy")
        if predicate == "dwithin" and distance is None:
            raise ValueError("distance parameter must be provided for "
                             "dwithin predicate")
        if not _is_many(geometry):
            return numpy.array(self._found(geometry, predicate, distance),
                               numpy.int64)
        pairs = [(index, place) for index, one in enumerate(geometry)
                 for place in self._found(one, predicate, distance)]
        return numpy.array(pairs, numpy.int64).reshape(-1, 2).T

    def _nearest(self, geometry: Any, farthest: float,
                 exclusive: bool) -> tuple[float, list[int]]:
        """The least distance, and the places of those that are as near."""
        best, near = farthest, []  # type: ignore[var-annotated]
        gaps = self._gaps(geometry)
        for place in gaps.argsort(kind="stable"):
            if not gaps[place] <= best:
                break
            other = self.geometries[place]
            if exclusive and other.equals(geometry):
                continue
            distance = geometry.distance(other)
            if distance < best:
                best, near = distance, []
            if distance == best:
                near.append(int(place))
        return best, sorted(near)

    def nearest(self, geometry: Any) -> Any:
        """The place of the nearest one, or an array of them."""
        numpy = _import("numpy")
        many = _is_many(geometry)
        shapes = list(geometry) if many else [geometry]
        if any(map(_is_blank, shapes)):
            raise ValueError("Cannot determine nearest geometry for empty "
                             "geometry or None")
        if not (self._boxes == self._boxes).any():
            return None
        found = numpy.array([self._nearest(one, float("inf"), False)[1][0]
                             for one in shapes], numpy.int64)
        return found if many else found[0]

    def query_nearest(self, geometry: Any, max_distance: Any = None,
                      return_distance: bool = False, exclusive: bool = False,
                      all_matches: bool = True) -> Any:
        """As query(): the nearest of each geometry, and their distances."""
        numpy = _import("numpy")
        farthest = float("inf") if max_distance is None else max_distance
        many, rows = _is_many(geometry), []
        for index, one in enumerate(geometry if many else [geometry]):
            if not _is_blank(one):
                best, near = self._nearest(one, farthest, exclusive)
                rows += [(index, place, best)
                         for place in (near if all_matches else near[:1])]
        table = numpy.array(rows, float).reshape(-1, 3).T
        places = table[:2].astype(numpy.int64) if many else table[1].astype(
            numpy.int64)
        return (places, table[2]) if return_distance else places


def _change_shapely(shapely: Any) -> None:
    if shapely.__version__.startswith("1."):
        STRtree.__module__ = "shapely"
        add(shapely, STRtree=STRtree)


when_imported({"shapely": _change_shapely})
