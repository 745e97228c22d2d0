# expect: success
# results: ["image/png"]
# stdout-has: ["EPSG:3857", "True"]
# stderr-like: .*
# needs: geopandas matplotlib shapely
# cut
import geopandas as gpd, matplotlib.pyplot as plt
from shapely.geometry import Point, box
import json
g = gpd.GeoDataFrame({"v": [1, 2]}, geometry=[box(0, 0, 1, 1), box(1, 0, 2, 1)], crs=4326)
m = g.to_crs("EPSG:3857"); print(m.crs.to_string()); j = gpd.sjoin(gpd.GeoDataFrame(geometry=[Point(.5, .5)], crs=4326), g, predicate="within"); print(j.v.iloc[0] == 1)
print(g.dissolve().area.iloc[0], json.loads(g.to_json())["type"])
g.plot(column="v", legend=True, edgecolor="k"); plt.title("Map"); plt.show()
