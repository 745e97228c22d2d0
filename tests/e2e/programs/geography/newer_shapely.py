# Names of shapely 2.
# expect: success
# needs: shapely
# final: [5.0, 4.0, "POINT (1 2)", true, [1.0, 2.0], 3.0,
#    [[0.0, 0.0], [1.0, 2.0]], 2]
# stderr-like: .*
# cut
import shapely
from shapely import LineString, Point, Polygon, box

square = Polygon([(0, 0), (2, 0), (2, 2), (0, 2)])
[shapely.distance(Point(0, 0), Point(3, 4)), shapely.area(square),
 shapely.to_wkt(Point(1, 2)),
 shapely.contains(square, shapely.Point(1, 1)) == True,
 [float(one) for one in shapely.area([box(0, 0, 1, 1), box(0, 0, 2, 1)])],
 shapely.union_all([box(0, 0, 1, 2), box(1, 0, 2, 1)]).area,
 shapely.get_coordinates(LineString([(0, 0), (1, 2)])).tolist(),
 len(shapely.points([0, 1], [2, 3]))]
