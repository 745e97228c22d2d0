# Methods and words of geopandas 1.0, and of shapely 2 below them.
# expect: success
# needs: geopandas
# stderr-like: .*
# final: ["geometry", [15, 2], 11, [2, 3], [true, false], [1.5, 1.8028], 2, 3,
#    [4.0, 2.8284], ["Polygon"], [[0, 1], [0, 1]], ["layer_a"], 1, true,
#    "Valid Geometry", "Point"]
# cut
import os

import geopandas as gpd
import shapely
from shapely.geometry import LineString, Point, box

table = gpd.GeoDataFrame({"n": list("abc")}, crs=3857, geometry=[
    box(0, 0, 1, 1), box(1, 0, 2, 1), box(0, 1, 1, 2)])
points = gpd.GeoSeries([Point(0.5, 0.5), Point(1.5, 0.5)], crs=3857)
finer = gpd.GeoSeries([LineString([(0, 0), (10, 0)])]).segmentize(1)
drawn = table.sample_points([2, 3, 1], rng=0)
inside = all(shape.covers(one) for shape, one in zip(table.geometry, drawn))
circle = table.minimum_bounding_radius() * 2
flat = LineString([(0, 0), (2, 0)]).buffer(1, cap_style="flat")
table.to_file("a.gpkg", layer="layer_a", driver="GPKG", engine="pyogrio")
layers = gpd.list_layers("a.gpkg")["name"].tolist()
again = gpd.read_file("a.gpkg", engine="pyogrio", rows=1)
os.remove("a.gpkg")
[table.active_geometry_name, list(table.get_coordinates().shape),
 len(finer.get_coordinates()), [len(one.geoms) for one in drawn[:2]],
 points.dwithin(Point(0, 0), 1).tolist(),
 points.shortest_line(Point(0.5, 2)).length.round(4).tolist(),
 len(points.voronoi_polygons()), len({*table.geometry, box(0, 0, 1, 1)}),
 [flat.area, round(float(circle.sum() * 2 / 3), 4)],
 table.minimum_bounding_circle().geom_type.unique().tolist(),
 table.sindex.query(points, predicate="within").tolist(), layers, len(again),
 inside, shapely.is_valid_reason(box(0, 0, 1, 1)), drawn[2].geom_type]
