# expect: success
# needs: shapely
# stdout: "1.22 5.05\n12.0 True POINT (2 1.5)\nLineString\n5.0\n"
# cut
from shapely.geometry import LineString, Point, Polygon, mapping, shape
from shapely.ops import unary_union
from shapely import wkt

a = Point(0, 0).buffer(1)
b = Point(1, 0).buffer(1)
print(round(a.intersection(b).area, 2), round(unary_union([a, b]).area, 2))
poly = Polygon([(0, 0), (4, 0), (4, 3), (0, 3)])
print(poly.area, poly.contains(Point(1, 1)), poly.centroid.wkt)
print(mapping(LineString([(0, 0), (1, 1)]))['type'])
print(wkt.loads('POINT (3 4)').distance(Point(0, 0)))
