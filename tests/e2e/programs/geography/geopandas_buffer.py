# expect: success
# needs: geopandas shapely
# stdout: "391 km\n['Paris']\n2\n"
# files-kinds: {"cities.geojson": "text"}
# stderr-like: .*
# cut
import geopandas as gpd
from shapely.geometry import Point, Polygon

gdf = gpd.GeoDataFrame({'city': ['Paris', 'Lyon'], 'pop': [2.1, 0.5]},
                       geometry=[Point(2.35, 48.85), Point(4.83, 45.76)],
                       crs='EPSG:4326')
metric = gdf.to_crs(epsg=2154)
dist = metric.geometry.iloc[0].distance(metric.geometry.iloc[1]) / 1000
print(f"{dist:.0f} km")
box = Polygon([(2, 48), (3, 48), (3, 49), (2, 49)])
print(gdf[gdf.within(box)]['city'].tolist())
gdf.to_file('/mnt/data/cities.geojson', driver='GeoJSON')
print(len(gpd.read_file('/mnt/data/cities.geojson')))
