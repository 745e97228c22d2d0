# sjoin_nearest() without shapely 2: ties, a limit, both directions; and maps of
# explore() and scheme= without mapclassify.
# expect: success
# needs: geopandas folium
# stdout: "[('a', 'p', 1.0), ('b', 'p', 3.0), ('b', 'q', 3.0), ('c', 'r',
#     0.0)]\n[('a', 'p'), ('c', 'r')]\n[('p', 'a'), ('q', 'b'), ('r',
#     'c')]\n[' 1.00,  2.67', ' 2.67, 40.33',
#     '40.33, 90.00']\n[3.0, 41.0, 90.0]\n[30.666666666666668,
#     60.333333333333336, 90.0]\nscheme='headtail' needs mapclassify\n"
# files-kinds: {"classes.html": "text", "map.html": "text"}
# stderr-like: .*
# without: mapclassify
# cut
import geopandas as gpd
import mapclassify
from shapely.geometry import Point, box

left = gpd.GeoDataFrame(
    {"name": list("abc")}, crs=3857,
    geometry=[Point(0, 0), Point(4, 0), Point(21, 1)])
right = gpd.GeoDataFrame(
    {"place": list("pqr")}, crs=3857,
    geometry=[Point(1, 0), Point(7, 0), box(20, 0, 30, 10)])
near = gpd.sjoin_nearest(left, right, distance_col="far")
print(sorted(zip(near["name"], near["place"], near["far"])))
near = gpd.sjoin_nearest(left, right, max_distance=1.5)
print(sorted(zip(near["name"], near["place"])))
near = gpd.sjoin_nearest(left, right, how="right")
print(sorted(zip(near["place"], near["name"])))
right.explore(column="place", tooltip="place").save("map.html")
numbers = gpd.GeoDataFrame({"v": [1.0, 2, 3, 40, 41, 90]}, crs=4326,
                           geometry=[box(i, 0, i + 1, 1) for i in range(6)])
numbers.explore(column="v", scheme="NaturalBreaks", k=3).save("classes.html")
ax = numbers.plot(column="v", scheme="quantiles", k=3, legend=True)
print([text.get_text() for text in ax.get_legend().get_texts()])
for scheme in ("fisher_jenks", "EqualInterval", "headtail"):
    try:
        print(mapclassify.classify(numbers["v"], scheme, k=3).bins.tolist())
    except ValueError as exc:
        print(str(exc)[:35])
