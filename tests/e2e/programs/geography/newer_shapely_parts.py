# shapely 2: STRtree answers with places; functions of parts, Voronoi cells and
# GeoJSON.
# expect: success
# needs: shapely
# final: [[1, 2], [[0, 0], [0, 1], [1, 2]], 2, [2, 1.0], 4, 16.0,
#    "{\"type\":\"Point\",\"coordinates\":[1.0,2.0]}", [3, 5, [0, 0, 1]],
#    [0.0, 0.0, 5.0, 5.0], [2.0, 4.0], true, 2, "LINESTRING (0 1, 4 1)"]
# cut
import numpy as np
import shapely
from shapely import LineString, MultiPoint, Point, STRtree, box

points = shapely.points([0, 1, 5], [0, 1, 5])
tree = STRtree(points)
near = tree.query(Point(2, 2), predicate="dwithin", distance=5)
both = tree.query([box(-1, -1, 2, 2), box(4, 4, 6, 6)], predicate="contains")
place, far = tree.query_nearest(Point(5, 4), return_distance=True)
corners = MultiPoint([(0, 0), (4, 0), (0, 4), (4, 4)])
cells = shapely.voronoi_polygons(corners, extend_to=box(0, 0, 4, 4))
inside = [cell.intersection(box(0, 0, 4, 4)) for cell in cells.geoms]
line = LineString([(0, 0), (4, 0)])
parts, owners = shapely.get_parts([MultiPoint([(0, 0), (1, 1)]), Point(2, 2)],
                                  return_index=True)
moved = shapely.transform(line, lambda xy: xy + np.array([2, 4]))
[sorted(near.tolist())[-2:], both.T.tolist(),
 int(tree.nearest(Point(9, 9))), [int(place[0]), float(far[0])],
 len(cells.geoms), sum(one.area for one in inside),
 shapely.to_geojson(Point(1, 2)),
 [len(parts), shapely.get_num_coordinates(line.segmentize(1)),
  owners.tolist()],
 shapely.total_bounds(points).tolist(), list(moved.coords[0]),
 Point(0, 0).dwithin(Point(3, 4), 5), shapely.get_num_geometries(
     shapely.from_geojson(shapely.to_geojson(MultiPoint([(0, 0), (1, 1)])))),
 line.offset_curve(1).wkt]
