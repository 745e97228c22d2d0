"""newer_layers - newer methods and words of geopandas and folium.

As newer_shapes.py: programs are written for geopandas 1.0 and folium 0.17,
while Debian 12 has 0.12 and 0.14. A method of a column of geometries is that of
each of them.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import add, lacks, replace

import importlib
import importlib.util
from typing import Any

_import, _find_spec = importlib.import_module, importlib.util.find_spec

# -- geopandas

# shapely's functions of one geometry that give another, and that do not.
_SHAPES = ("force_2d", "line_merge", "minimum_bounding_circle",
           "offset_curve", "reverse", "segmentize", "set_precision")
_VALUES = ("is_valid_reason", "minimum_bounding_radius")
_TRIES = 200        # rounds of points at random


def _each_shape(name: str) -> Any:
    def method(self: Any, *args: Any, **options: Any) -> Any:
        one = getattr(_import("shapely"), name)
        return _series(self, [
            shape if shape is None else one(shape, *args, **options)
            for shape in self.geometry])
    return method


def _each_value(name: str) -> Any:
    def method(self: Any) -> Any:
        one = getattr(_import("shapely"), name)
        return _import("pandas").Series(
            [one(shape) for shape in self.geometry], self.index)
    return method


def _series(self: Any, shapes: Any, index: Any = None) -> Any:
    return _import("geopandas").GeoSeries(
        shapes, self.index if index is None else index, crs=self.crs)


def _with_other(one: Any) -> Any:
    """A method with another geometry, or a column of them."""
    def method(self: Any, other: Any, *args: Any, align: Any = None,
               **options: Any) -> Any:
        shapes = list(self.geometry)
        others = [other] * len(shapes) if hasattr(other, "geom_type") and \
            isinstance(other.geom_type, str) else list(
                (other.reindex(self.index) if align is not False else
                 other).geometry if hasattr(other, "geometry") else other)
        found = [one(shape, another, *args, **options)
                 for shape, another in zip(shapes, others)]
        if found and hasattr(found[0], "geom_type"):
            return _series(self, found)
        return _import("pandas").Series(found, self.index)
    return method


def _of_all(name: str) -> Any:
    """Geometries that are made from all points together."""
    def method(self: Any, *_args: Any, extend_to: Any = None,
               **options: Any) -> Any:
        shapely = _import("shapely")
        if extend_to is not None:
            options["extend_to"] = extend_to
        if name == "polygonize":
            found = shapely.polygonize(list(self.geometry))
        else:
            points = _import("shapely.geometry").MultiPoint(
                shapely.get_coordinates(list(self.geometry)))
            found = getattr(shapely, name)(points, **options)
        shapes = list(found.geoms)
        return _series(self, shapes, range(len(shapes)))
    return method


def _get_coordinates(self: Any, include_z: bool = False,
                     ignore_index: bool = False,
                     index_parts: bool = False) -> Any:
    """A table with a row for each coordinate."""
    pandas, shapely = _import("pandas"), _import("shapely")
    parts = [shapely.get_coordinates(shape, include_z=include_z)
             for shape in self.geometry]
    table = pandas.DataFrame(
        _import("numpy").concatenate(parts) if parts else [],
        columns=["x", "y", "z"][:3 if include_z else 2])
    if not ignore_index:
        table.index = self.index.repeat([len(part) for part in parts])
    if index_parts:
        places = [place for part in parts for place in range(len(part))]
        table = table.set_index(pandas.Index(places), append=True)
    return table


def _points_in(shape: Any, count: int, draws: Any) -> Any:
    """COUNT points at random in a polygon, or along a line; one is a Point."""
    shapes, found = _import("shapely.geometry"), []
    if shape is None or shape.is_empty or not shape.area:
        found = [shape.interpolate(part, normalized=True)
                 for part in draws.random(count)] \
            if shape is not None and shape.length else []
        return found[0] if len(found) == 1 else shapes.MultiPoint(found)
    left, low, right, high = shape.bounds
    for _ in range(_TRIES):
        for x, y in zip(draws.uniform(left, right, 4 * count),
                        draws.uniform(low, high, 4 * count)):
            point = shapes.Point(x, y)
            if len(found) < count and shape.contains(point):
                found.append(point)
        if len(found) >= count:
            break
    return found[0] if len(found) == 1 else shapes.MultiPoint(found)


def _sample_points(self: Any, size: Any, method: str = "uniform",
                   seed: Any = None, rng: Any = None, **_options: Any) -> Any:
    """Points at random in each geometry."""
    numpy = _import("numpy")
    draws = numpy.random.default_rng(seed if rng is None else rng)
    sizes = numpy.broadcast_to(size, len(self))
    found = _series(self, [_points_in(shape, int(count), draws) for
                           shape, count in zip(self.geometry, sizes)])
    return found.rename("sampled_points")


def _change_columns(base: Any) -> None:
    kind = base.GeoPandasBase
    if hasattr(kind, "get_coordinates"):
        return
    values = _import("shapely")
    add(kind, **{name: _each_shape(name) for name in _SHAPES},
        **{name: _each_value(name) for name in _VALUES},
        dwithin=_with_other(lambda a, b, distance: bool(
            a.distance(b) <= distance)),
        contains_properly=_with_other(
            lambda a, b: bool(a.relate_pattern(b, "T**FF*FF*"))),
        hausdorff_distance=_with_other(
            lambda a, b, **_options: a.hausdorff_distance(b)),
        shortest_line=_with_other(lambda a, b: values.shortest_line(a, b)),
        snap=_with_other(lambda a, b, tolerance: values.snap(
            a, b, tolerance)),
        voronoi_polygons=_of_all("voronoi_polygons"),
        delaunay_triangles=_of_all("delaunay_triangles"),
        polygonize=_of_all("polygonize"), get_coordinates=_get_coordinates,
        sample_points=_sample_points,
        remove_repeated_points=lambda self, tolerance=0.0: self.simplify(
            tolerance),
        minimum_rotated_rectangle=lambda self: _series(self, [
            shape.minimum_rotated_rectangle for shape in self.geometry]),
        count_coordinates=lambda self: _import("pandas").Series(
            [values.get_num_coordinates(shape) for shape in self.geometry],
            self.index),
        count_geometries=lambda self: _import("pandas").Series(
            [values.get_num_geometries(shape) for shape in self.geometry],
            self.index),
        intersection_all=lambda self: values.intersection_all(self.geometry))


def _change_frames(module: Any) -> None:
    add(module.GeoDataFrame, active_geometry_name=property(
        lambda self: self._geometry_column_name
        if self._geometry_column_name in self.columns else None))


def _list_layers(filename: Any) -> Any:
    """The layers of a file, and their kinds of geometry."""
    fiona, rows = _import("fiona"), []
    for name in fiona.listlayers(filename):
        with fiona.open(filename, layer=name) as source:
            rows.append((name, source.schema["geometry"]))
    return _import("pandas").DataFrame(rows, columns=["name",
                                                      "geometry_type"])


def _without_engine(plain: Any) -> Any:
    """A function for files without the engine that is not installed."""
    def call(*args: Any, **options: Any) -> Any:
        if options.get("engine") == "pyogrio" and not _find_spec("pyogrio"):
            del options["engine"]
            options.pop("use_arrow", None)
        return plain(*args, **options)
    return call


def _change_geopandas(geopandas: Any) -> None:
    add(geopandas, list_layers=_list_layers)
    replace(geopandas, "read_file", _without_engine(geopandas.read_file))
    for kind in (geopandas.GeoDataFrame, geopandas.GeoSeries):
        replace(kind, "to_file", _without_engine(kind.to_file))


def _change_index(module: Any) -> None:
    """sindex.query() of several geometries and by distance, of 0.14 and 1.0."""
    kind = getattr(module, "RTreeIndex", None)
    if kind is None or not lacks(kind.query, "distance"):
        return
    plain = kind.query

    def query(self: Any, geometry: Any, predicate: Any = None,
              sort: bool = False, distance: Any = None,
              **_options: Any) -> Any:
        one = geometry is None or isinstance(
            getattr(geometry, "geom_type", None), str)
        if predicate == "dwithin":
            tree = _import("shapely").STRtree(self.geometries)
            return tree.query(geometry if one else list(geometry), "dwithin",
                              distance)
        if one:
            return plain(self, geometry, predicate, sort)
        return self.query_bulk(geometry, predicate, sort)

    replace(kind, "query", query)


# -- folium

_ESRI = ("https://server.arcgisonline.com/ArcGIS/rest/services/{}/MapServer/"
         "tile/{{z}}/{{y}}/{{x}}")
_CARTO = "https://{{s}}.basemaps.cartocdn.com/{}/{{z}}/{{x}}/{{y}}{{r}}.png"
# Maps that folium 0.17 knows by name, without signs and in small letters.
_TILES = {
    **{"esri" + name.replace("_", "").lower(): (
        _ESRI.format(name), "Tiles &copy; Esri") for name in (
            "World_Imagery", "World_Street_Map", "World_Topo_Map",
            "World_Physical_Map", "World_Terrain_Base",
            "World_Shaded_Relief")},
    "esrinatgeoworldmap": (_ESRI.format("NatGeo_World_Map"),
                           "Tiles &copy; Esri"),
    "esriworldgraycanvas": (
        _ESRI.format("Canvas/World_Light_Gray_Base"), "Tiles &copy; Esri"),
    **{"cartodb" + name.replace("/", "").replace("_", "").replace(
        "rastertiles", ""): (_CARTO.format(name), "&copy; OpenStreetMap "
                             "contributors &copy; CARTO") for name in (
            "rastertiles/voyager", "light_nolabels", "dark_nolabels",
            "rastertiles/voyager_nolabels")},
    "opentopomap": (
        "https://{s}.tile.opentopomap.org/{z}/{x}/{y}.png",
        "Map data: &copy; OpenStreetMap contributors, SRTM | Map style: "
        "&copy; OpenTopoMap (CC-BY-SA)"),
    "openstreetmaphot": (
        "https://{s}.tile.openstreetmap.fr/hot/{z}/{x}/{y}.png",
        "&copy; OpenStreetMap contributors"),
}


def _known_tiles(tiles: Any) -> Any:
    """Address and source of a map that folium 0.14 does not know by name."""
    if not isinstance(tiles, str) or "://" in tiles:
        return None
    return _TILES.get("".join(filter(str.isalnum, tiles)).lower().replace(
        "positronnolabels", "lightnolabels").replace(
        "darkmatternolabels", "darknolabels"))


def _change_tiles(module: Any) -> None:
    if "xyzservices" in vars(module):
        return
    plain = module.TileLayer.__init__

    def __init__(self: Any, tiles: Any = "OpenStreetMap", *args: Any,
                 **options: Any) -> None:
        found = _known_tiles(tiles)
        if found and not args and not options.get("attr"):
            options.setdefault("name", tiles)
            tiles, options["attr"] = found
        plain(self, tiles, *args, **options)

    replace(module.TileLayer, "__init__", __init__)


when_imported({
    "folium.raster_layers": _change_tiles,
    "geopandas": _change_geopandas,
    "geopandas.base": _change_columns,
    "geopandas.geodataframe": _change_frames,
    "geopandas.sindex": _change_index,
})
