"""newer_shapes - shapely 2's functions and classes, where shapely is older.

Programs are written for shapely 2. Its package itself has all classes and
functions; Debian 12 has 1.8, with classes in shapely.geometry and methods. A
function takes a geometry, or a sequence of them and gives an array.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import add

import importlib
from typing import Any

_import = importlib.import_module
_CLASSES = ("GeometryCollection", "LinearRing", "LineString", "MultiLineString",
            "MultiPoint", "MultiPolygon", "Point", "Polygon", "box")
_PROPERTIES = ("area", "boundary", "bounds", "centroid", "convex_hull",
               "envelope", "has_z", "is_empty", "is_ring", "is_simple",
               "is_valid", "length", "minimum_rotated_rectangle")
_METHODS = ("buffer", "contains", "covered_by", "covers", "crosses",
            "difference", "disjoint", "distance", "equals", "equals_exact",
            "hausdorff_distance", "interpolate", "intersection", "intersects",
            "normalize", "overlaps", "point_on_surface", "project", "relate",
            "simplify", "symmetric_difference", "touches", "union", "within")


def _for_each(one: Any) -> Any:
    """ONE, of a geometry, for arrays of geometries as well."""
    def call(geometry: Any, *args: Any, **options: Any) -> Any:
        lists = [isinstance(arg, (list, tuple)) or hasattr(arg, "dtype")
                 for arg in (geometry, *args)]
        if not any(lists):
            return one(geometry, *args, **options)
        numpy = _import("numpy")
        count = max(len(arg) for arg, many in zip((geometry, *args), lists)
                    if many)
        rows = zip(*(arg if many else [arg] * count
                     for arg, many in zip((geometry, *args), lists)))
        found = [one(*row, **options) for row in rows]
        if found and not hasattr(found[0], "geom_type"):
            return numpy.array(found)
        shapes = numpy.empty(len(found), object)
        shapes[:] = found
        return shapes
    return call


def _of_property(name: str) -> Any:
    return _for_each(lambda geometry: getattr(geometry, name))


def _of_method(name: str) -> Any:
    return _for_each(lambda geometry, *args, **options: getattr(
        geometry, name)(*args, **options))


def _to_wkt(geometry: Any, rounding_precision: int = 6, trim: bool = True,
            **_options: Any) -> str:
    wkt = _import("shapely.wkt")
    return wkt.dumps(geometry, trim=trim,
                     rounding_precision=rounding_precision)


def _get_coordinates(geometry: Any, include_z: bool = False,
                     **_options: Any) -> Any:
    """The coordinates of a geometry and of its parts, in an array."""
    numpy, found = _import("numpy"), []

    def walk(one: Any) -> None:
        if isinstance(one, (list, tuple)) or hasattr(one, "dtype"):
            for part in one:
                walk(part)
        elif hasattr(one, "geoms"):
            walk(list(one.geoms))
        elif hasattr(one, "exterior"):
            walk([one.exterior, *one.interiors])
        else:
            found.extend(one.coords)

    walk(geometry)
    width = 3 if include_z else 2
    return numpy.array([point[:width] for point in found],
                       float).reshape(-1, width)


def _points(x: Any, y: Any = None) -> Any:
    numpy, point = _import("numpy"), _import("shapely.geometry").Point
    pairs = numpy.asarray(x) if y is None else numpy.stack(
        numpy.broadcast_arrays(x, y), -1)
    if pairs.ndim == 1:
        return point(*pairs)
    found = numpy.empty(len(pairs), object)
    found[:] = [point(*pair) for pair in pairs]
    return found


def _change_shapely(shapely: Any) -> None:
    if not shapely.__version__.startswith("1."):
        return
    geometry, ops = _import("shapely.geometry"), _import("shapely.ops")
    wkb, wkt = _import("shapely.wkb"), _import("shapely.wkt")

    def union_all(geometries: Any, **_options: Any) -> Any:
        return ops.unary_union(list(geometries))

    add(shapely, **{name: getattr(geometry, name) for name in _CLASSES},
        **{name: _of_property(name) for name in _PROPERTIES},
        **{name: _of_method(name) for name in _METHODS
           if hasattr(geometry.Point, name)},
        to_wkt=_for_each(_to_wkt), from_wkt=_for_each(wkt.loads),
        to_wkb=_for_each(wkb.dumps), from_wkb=_for_each(wkb.loads),
        union_all=union_all, unary_union=union_all, points=_points,
        get_coordinates=_get_coordinates,
        make_valid=_for_each(_import("shapely.validation").make_valid),
        STRtree=_import("shapely.strtree").STRtree,
        prepare=lambda geometry: None)


when_imported({"shapely": _change_shapely})
