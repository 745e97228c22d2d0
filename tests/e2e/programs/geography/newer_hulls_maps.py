# shapely 2's concave_hull, a layout's map of plotly 5.24, an IsolationForest
# of a table that warns of nothing.
# expect: success
# needs: shapely plotly.express sklearn pandas below:3.12
# stdout:
#     "0 Polygon 9.0 True\n0.3 Polygon 10.0 True\n1 Polygon 17.0 True\n[17.0,
#     17.0] 0.5\n7 13 carto-positron\nTrue\n4 -1\n"
# cut
import numpy as np
import pandas as pd
import plotly.express as px
import shapely
from shapely.geometry import MultiPoint, Polygon
from sklearn.ensemble import IsolationForest

corner = [(x, y) for x in range(6) for y in range(6) if x < 2 or y < 2]
points = MultiPoint(corner)
for ratio in (0, 0.3, 1):
    hull = shapely.concave_hull(points, ratio=ratio)
    print(ratio, hull.geom_type, hull.area, hull.covers(points))
print([one.area for one in shapely.concave_hull([points, points], 1.0)],
      shapely.concave_hull(Polygon([(0, 0), (1, 0), (0, 1)]), 0.5).area)

figure = px.scatter_map(lat=[52.5], lon=[13.4], zoom=7,
                        map_style="carto-positron")
figure.update_layout(map_center={"lat": 52, "lon": 13})
print(figure.layout.map.zoom, figure.layout.map.center.lon,
      figure.layout.map.style)
try:
    figure.layout.mapp
except AttributeError as error:
    print("mapp" in str(error))

table = pd.DataFrame(np.random.default_rng(1).normal(size=(80, 2)),
                     columns=["a", "b"])
table.loc[0] = [9, 9]
forest = IsolationForest(contamination=0.05, random_state=0).fit(table)
print((forest.predict(table) == -1).sum(), forest.predict(table)[0])
