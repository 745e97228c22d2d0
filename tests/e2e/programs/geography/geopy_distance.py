# expect: success
# needs: geopy pyproj
# stdout: "5585 km\n3461 miles\n[261601, 6249448]\n111319\n"
# cut
from geopy.distance import geodesic, great_circle
from pyproj import Geod, Transformer

nyc, london = (40.7128, -74.0060), (51.5074, -0.1278)
print(f"{geodesic(nyc, london).km:.0f} km")
print(f"{great_circle(nyc, london).miles:.0f} miles")
t = Transformer.from_crs("EPSG:4326", "EPSG:3857", always_xy=True)
print([round(v) for v in t.transform(2.35, 48.85)])
print(round(Geod(ellps='WGS84').inv(0, 0, 1, 0)[2]))
