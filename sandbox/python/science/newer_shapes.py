"""newer_shapes - shapely 2's functions and classes, where shapely is older.

Programs are written for shapely 2. Its package itself has all classes and
functions; Debian 12 has 1.8, with classes in shapely.geometry and methods. A
function takes a geometry, or a sequence of them and gives an array.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import add, replace
from .stand_ins import stand_in

import ctypes
import importlib
import json
from typing import Any

_import = importlib.import_module
_CLASSES = ("GeometryCollection", "LinearRing", "LineString", "MultiLineString",
            "MultiPoint", "MultiPolygon", "Point", "Polygon", "box")
_PROPERTIES = ("area", "boundary", "centroid", "convex_hull", "envelope",
               "geom_type", "has_z", "is_closed", "is_empty", "is_ring",
               "is_simple", "is_valid", "length", "minimum_clearance",
               "minimum_rotated_rectangle")
_METHODS = ("buffer", "contains", "covered_by", "covers", "crosses",
            "difference", "disjoint", "distance", "equals", "equals_exact",
            "hausdorff_distance", "interpolate", "intersection", "intersects",
            "normalize", "overlaps", "point_on_surface", "project", "relate",
            "simplify", "symmetric_difference", "touches", "union", "within")


def _list_of(shapes: Any) -> Any:
    """An array of geometries, which numpy would take for sequences."""
    found = _import("numpy").empty(len(shapes), object)
    for place, one in enumerate(shapes):
        found[place] = one
    return found


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
        return _list_of(found)
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
    return _list_of([point(*pair) for pair in pairs])


# -- parts

_TYPES = ("Point", "LineString", "LinearRing", "Polygon", "MultiPoint",
          "MultiLineString", "MultiPolygon", "GeometryCollection")


def _is_geometry(thing: Any) -> bool:
    return hasattr(thing, "geom_type") and hasattr(thing, "is_empty")


def _parts_of(geometry: Any) -> list[Any]:
    return list(geometry.geoms) if hasattr(geometry, "geoms") else [geometry]


def _get_parts(geometry: Any, return_index: bool = False) -> Any:
    numpy = _import("numpy")
    many = [geometry] if _is_geometry(geometry) else list(geometry)
    pairs = [(place, part) for place, one in enumerate(many)
             for part in _parts_of(one)]
    parts = _list_of([part for _, part in pairs])
    return (parts, numpy.array([place for place, _ in pairs], int)) \
        if return_index else parts


def _part_at(geometry: Any, index: int) -> Any:
    parts = _parts_of(geometry)
    return parts[index] if -len(parts) <= index < len(parts) else None


def _coordinate(place: int) -> Any:
    def get(point: Any) -> float:
        return float(point.coords[0][place]) if len(
            point.coords) and len(point.coords[0]) > place else float("nan")
    return _for_each(get)


def _get_bounds(geometry: Any) -> Any:
    numpy = _import("numpy")
    return numpy.array(geometry.bounds or [numpy.nan] * 4, float)


def _total_bounds(geometry: Any, **_options: Any) -> Any:
    numpy = _import("numpy")
    many = [geometry] if _is_geometry(geometry) else list(geometry)
    boxes = numpy.array([one.bounds for one in many if one is not None and
                         not one.is_empty], float).reshape(-1, 4)
    if not len(boxes):
        return numpy.full(4, numpy.nan)
    return numpy.append(boxes[:, :2].min(0), boxes[:, 2:].max(0))


def _maker(kind: Any, depth: int) -> Any:
    """A function that makes a geometry of KIND from coordinates with DEPTH
    dimensions, and an array of them from one more."""
    def make(geometries: Any, *args: Any, **options: Any) -> Any:
        numpy = _import("numpy")
        try:
            many = numpy.ndim(geometries) > depth
        except ValueError:  # rows of different lengths
            many = True
        return _list_of([kind(one, *args) for one in geometries]) if many \
            else kind(geometries, *args)
    return make


def _collector(kind: Any) -> Any:
    return lambda geometries, **_options: kind(list(geometries))


# -- changes of a geometry

def _transformed(geometry: Any, transformation: Any, include_z: bool = False,
                 *, interleaved: bool = True) -> Any:
    """shapely.transform(), whose function takes an array of coordinates."""
    numpy, ops = _import("numpy"), _import("shapely.ops")

    def change(*axes: Any) -> Any:
        axes = axes if include_z else axes[:2]
        if not interleaved:
            return transformation(*map(numpy.atleast_1d, axes))
        found = transformation(numpy.stack(
            numpy.broadcast_arrays(*map(numpy.atleast_1d, axes)), -1))
        return tuple(numpy.asarray(found, float).T)

    return ops.transform(change, geometry)


def _along(coordinates: Any, longest: float) -> list[Any]:
    """COORDINATES with more between those that are farther apart."""
    numpy = _import("numpy")
    points = numpy.array(coordinates, float)
    found = [points[:1]]
    for begin, end in zip(points, points[1:]):
        count = max(1, int(numpy.ceil(
            numpy.hypot(*(end - begin)[:2]) / longest - 1e-12)))
        found.append(begin + (end - begin) * (
            numpy.arange(1, count + 1) / count)[:, None])
    return numpy.concatenate(found).tolist()  # type: ignore[no-any-return]


def _segmentize(geometry: Any, max_segment_length: float) -> Any:
    """segmentize(): no part of a line is longer."""
    if geometry.is_empty or geometry.geom_type in ("Point", "MultiPoint"):
        return geometry
    if hasattr(geometry, "geoms"):
        return type(geometry)([_segmentize(one, max_segment_length)
                               for one in geometry.geoms])
    if hasattr(geometry, "exterior"):
        rings = [_along(ring.coords, max_segment_length) for ring in
                 (geometry.exterior, *geometry.interiors)]
        return type(geometry)(rings[0], rings[1:])
    return type(geometry)(_along(geometry.coords, max_segment_length))


def _set_precision(geometry: Any, grid_size: float, **_options: Any) -> Any:
    """Coordinates that are multiples of GRID_SIZE."""
    if not grid_size:
        return geometry
    numpy = _import("numpy")
    found = _transformed(geometry, lambda points: numpy.round(
        points / grid_size) * grid_size).simplify(0)
    return found if found.is_valid else _import(
        "shapely.validation").make_valid(found)


def _force_2d(geometry: Any) -> Any:
    return _import("shapely.ops").transform(lambda x, y, z=None: (x, y),
                                            geometry)


def _offset_curve(self: Any, distance: float, quad_segs: int = 16,
                  join_style: Any = 1, mitre_limit: float = 5.0) -> Any:
    styles = {"round": 1, "mitre": 2, "bevel": 3}
    return self.parallel_offset(
        abs(distance), "left" if distance >= 0 else "right",
        resolution=quad_segs, join_style=styles.get(join_style, join_style),
        mitre_limit=mitre_limit)


def _line_merge(geometry: Any, **_options: Any) -> Any:
    if geometry.geom_type != "MultiLineString":
        return geometry
    return _import("shapely.ops").linemerge(geometry)


# -- geometries from others

def _concave_hull(geometry: Any, ratio: float = 0.0,
                  allow_holes: bool = False, **_options: Any) -> Any:
    """By GEOS itself, which has it since 3.11; shapely 1.8 does not call
    it."""
    geos, whole = _import("shapely.geos"), ctypes.c_void_p
    hull = ctypes.CFUNCTYPE(whole, whole, whole, ctypes.c_double,
                            ctypes.c_uint)(
        ("GEOSConcaveHull_r", geos._lgeos))
    found = hull(geos.lgeos.geos_handle, geometry._geom, ratio, allow_holes)
    if not found:
        raise _import("shapely").errors.TopologicalError(
            "the hull of this geometry cannot be made")
    return _import("shapely.geometry.base").geom_factory(found)


def _voronoi_polygons(geometry: Any, tolerance: float = 0.0,
                      extend_to: Any = None, only_edges: bool = False,
                      ordered: bool = False) -> Any:
    """voronoi_polygons(); with ORDERED in the order of the points."""
    found = _import("shapely.ops").voronoi_diagram(
        geometry, envelope=extend_to, tolerance=tolerance, edges=only_edges)
    if not ordered or only_edges:
        return found
    cells, point = list(found.geoms), _import("shapely.geometry").Point
    return type(found)([next(cell for cell in cells if cell.intersects(one))
                        for one in map(point, _get_coordinates(geometry))])


def _delaunay_triangles(geometry: Any, tolerance: float = 0.0,
                        only_edges: bool = False) -> Any:
    geometries = _import("shapely.geometry")
    found = _import("shapely.ops").triangulate(geometry, tolerance, only_edges)
    return (geometries.MultiLineString if only_edges
            else geometries.GeometryCollection)(found)


def _polygonize(geometries: Any, **_options: Any) -> Any:
    return _import("shapely.geometry").GeometryCollection(
        list(_import("shapely.ops").polygonize(list(geometries))))


def _shortest_line(a: Any, b: Any, **_options: Any) -> Any:
    return _import("shapely.geometry").LineString(
        _import("shapely.ops").nearest_points(a, b))


def _intersection_all(geometries: Any, **_options: Any) -> Any:
    shapes = list(geometries)
    found = shapes[0]
    for one in shapes[1:]:
        found = found.intersection(one)
    return found


def _to_geojson(geometry: Any, indent: Any = None, **_options: Any) -> str:
    return json.dumps(
        _import("shapely.geometry").mapping(geometry), indent=indent,
        separators=None if indent else (",", ":"))


def _from_geojson(geometry: Any, **_options: Any) -> Any:
    shape, found = _import("shapely.geometry").shape, json.loads(geometry)
    if found["type"] == "FeatureCollection":
        return _import("shapely.geometry").GeometryCollection(
            [shape(one["geometry"]) for one in found["features"]])
    return shape(found.get("geometry") or found)


def _dwithin(a: Any, b: Any, distance: float) -> bool:
    return bool(a.distance(b) <= distance)


def _contains_properly(self: Any, other: Any) -> bool:
    return bool(self.relate_pattern(other, "T**FF*FF*"))


def _contains_xy(geometry: Any, x: Any, y: Any = None) -> Any:
    points = _points(x, y)
    if not _is_geometry(points):
        points = list(points)
    return _for_each(lambda one, point: bool(one.contains(point)))(
        geometry, points)


def _reverse(self: Any) -> Any:
    if hasattr(self, "geoms"):
        return type(self)([_reverse(one) for one in self.geoms])
    if hasattr(self, "exterior"):
        return type(self)(self.exterior.coords[::-1],
                          [ring.coords[::-1] for ring in self.interiors])
    return type(self)(self.coords[::-1])


_CAPS = {"round": 1, "flat": 2, "square": 3}
_JOINS = {"round": 1, "mitre": 2, "bevel": 3}


def _change_buffers(base: Any) -> None:
    """buffer()'s quad_segs=, and its styles by name."""
    plain = base.buffer

    def buffer(self: Any, distance: float, *args: Any,
               **options: Any) -> Any:
        if "quad_segs" in options:
            options["resolution"] = options.pop("quad_segs")
        for name, styles in (("cap_style", _CAPS), ("join_style", _JOINS)):
            if name in options:
                options[name] = styles.get(options[name], options[name])
        return plain(self, distance, *args, **options)

    replace(base, "buffer", buffer)


def _hash(self: Any) -> int:
    return hash((self.geom_type, self.wkb))


def _allow_sets(base: Any) -> None:
    """Geometries in sets and as keys: each class compares by itself."""
    kinds = [base]
    for kind in kinds:
        kinds += [one for one in kind.__subclasses__() if one not in kinds]
        if "__eq__" in vars(kind) and kind.__hash__ is None:
            kind.__hash__ = stand_in(_hash, kind, "__hash__")


def _circle_of(points: list[Any]) -> tuple[float, float, float]:
    """The circle through two points, or three."""
    (ax, ay), (bx, by), *rest = points
    if not rest:
        return ((ax + bx) / 2, (ay + by) / 2,
                ((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 / 2)
    bx, by, cx, cy = bx - ax, by - ay, rest[0][0] - ax, rest[0][1] - ay
    twice = 2 * (bx * cy - by * cx)
    if not twice:
        return 0.0, 0.0, float("inf")
    x = (cy * (bx * bx + by * by) - by * (cx * cx + cy * cy)) / twice
    y = (bx * (cx * cx + cy * cy) - cx * (bx * bx + by * by)) / twice
    return ax + x, ay + y, (x * x + y * y) ** 0.5


def _is_outside(point: Any, circle: tuple[float, float, float]) -> bool:
    x, y, radius = circle
    return ((point[0] - x) ** 2 + (point[1] - y) ** 2) ** 0.5 > \
        radius * (1 + 1e-10) + 1e-12


def _least_circle(geometry: Any) -> tuple[float, float, float]:
    """Welzl's circle, around the corners of the hull."""
    points = list(dict.fromkeys(map(tuple, _get_coordinates(
        geometry.convex_hull).tolist())))
    circle = (*points[0], 0.0)
    for i, p in enumerate(points):
        if not _is_outside(p, circle):
            continue
        circle = (*p, 0.0)
        for j, q in enumerate(points[:i]):
            if not _is_outside(q, circle):
                continue
            circle = _circle_of([p, q])
            for r in points[:j]:
                if _is_outside(r, circle):
                    circle = _circle_of([p, q, r])
    return circle


def _bounding_circle(geometry: Any) -> Any:
    x, y, radius = _least_circle(geometry)
    return _import("shapely.geometry").Point(x, y).buffer(radius)


def _change_methods(shapely: Any) -> None:
    base = _import("shapely.geometry.base").BaseGeometry
    _change_buffers(base)
    _allow_sets(base)
    add(base, segmentize=_segmentize, dwithin=_dwithin, reverse=_reverse,
        contains_properly=_contains_properly,
        point_on_surface=lambda self: self.representative_point(),
        oriented_envelope=property(
            lambda self: self.minimum_rotated_rectangle))
    add(_import("shapely.geometry").LineString, offset_curve=_offset_curve)


def _add_parts(shapely: Any, geometry: Any) -> None:
    """The functions that make geometries and take them apart."""
    add(shapely, bounds=_for_each(_get_bounds), total_bounds=_total_bounds,
        get_parts=_get_parts, get_geometry=_for_each(_part_at),
        get_num_geometries=_for_each(lambda one: len(_parts_of(one))),
        get_num_coordinates=_for_each(lambda one: len(_get_coordinates(one))),
        count_coordinates=lambda geometry: len(_get_coordinates(geometry)),
        get_num_points=_for_each(
            lambda one: len(getattr(one, "coords", ()))),
        get_type_id=_for_each(lambda one: _TYPES.index(one.geom_type)),
        get_x=_coordinate(0), get_y=_coordinate(1), get_z=_coordinate(2),
        get_exterior_ring=_for_each(lambda one: one.exterior),
        get_num_interior_rings=_for_each(lambda one: len(one.interiors)),
        get_interior_ring=_for_each(lambda one, index: one.interiors[index]),
        is_geometry=lambda thing, **_options: _is_geometry(thing),
        is_ccw=_for_each(lambda one: bool(one.is_ccw)),
        linestrings=_maker(geometry.LineString, 2),
        linearrings=_maker(geometry.LinearRing, 2),
        polygons=_maker(geometry.Polygon, 2),
        multipoints=_collector(geometry.MultiPoint),
        multilinestrings=_collector(geometry.MultiLineString),
        multipolygons=_collector(geometry.MultiPolygon),
        geometrycollections=_collector(geometry.GeometryCollection))


def _add_changes(shapely: Any, ops: Any) -> None:
    """The functions that make other geometries and compare them."""
    add(shapely, segmentize=_for_each(_segmentize), transform=_for_each(
            _transformed), set_precision=_for_each(_set_precision),
        force_2d=_for_each(_force_2d), reverse=_for_each(_reverse),
        offset_curve=_for_each(_offset_curve),
        line_merge=_for_each(_line_merge), dwithin=_for_each(_dwithin),
        line_interpolate_point=_of_method("interpolate"),
        line_locate_point=_of_method("project"), snap=_for_each(ops.snap),
        clip_by_rect=_for_each(ops.clip_by_rect),
        concave_hull=_for_each(_concave_hull),
        voronoi_polygons=_voronoi_polygons, polygonize=_polygonize,
        delaunay_triangles=_delaunay_triangles,
        shortest_line=_for_each(_shortest_line),
        intersection_all=_intersection_all,
        coverage_union_all=lambda geometries, **_options: ops.unary_union(
            list(geometries)),
        to_geojson=_for_each(_to_geojson),
        from_geojson=_for_each(_from_geojson),
        contains_properly=_for_each(_contains_properly),
        contains_xy=_contains_xy,
        minimum_bounding_circle=_for_each(_bounding_circle),
        minimum_bounding_radius=_for_each(lambda one: _least_circle(one)[2]),
        is_valid_reason=_for_each(
            _import("shapely.validation").explain_validity),
        oriented_envelope=_of_property("minimum_rotated_rectangle"))


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
        prepare=lambda geometry, **_options: None,
        destroy_prepared=lambda geometry, **_options: None)
    _change_methods(shapely)
    _add_parts(shapely, geometry)
    _add_changes(shapely, ops)


when_imported({"shapely": _change_shapely})
