# needs: shapely
# expect: success
# stderr-like: ^(ParseException.*)?$
# final: [true, 3.1365, true]
from shapely import wkt
from shapely.geometry import Point, Polygon, shape
from shapely.ops import transform, unary_union

square = Polygon([(0, 0), (2, 0), (2, 2), (0, 2)])
try:
    wkt.loads("POINT (")
    failed = False
except Exception:
    failed = True
moved = transform(lambda x, y: (x + 1, y), square)
[failed, round(Point(0, 0).buffer(1, 16).area, 4),
 unary_union([square, moved]).area == 6.0]
