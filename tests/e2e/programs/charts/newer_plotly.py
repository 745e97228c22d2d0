# Subtitles and maps of plotly 5.23 and 5.24.
# expect: success
# needs: plotly
# final: [true, true, true, true, true]
# cut
import pandas as pd
import plotly.express as px
import plotly.graph_objects as go

table = pd.DataFrame({"lat": [52.5], "lon": [13.4], "v": [1]})
figure = px.scatter(table, x="lat", y="lon", title="Top", subtitle="below")
first = figure.to_json()
figure.update_layout(title=dict(text="New", subtitle=dict(text="second")))
second = figure.to_json()
places = px.scatter_map(table, lat="lat", lon="lon", zoom=5,
                        map_style="carto-positron")
places.update_layout(map_style="open-street-map", map=dict(zoom=3))
points = go.Figure(go.Scattermap(lat=[1], lon=[2]))
try:
    go.Figure().update_layout(nothing=1)
    refused = False
except ValueError:
    refused = True
["Top" in first and "below" in first, "New" in second and "second" in second,
 "open-street-map" in places.to_json() and '"zoom":3' in places.to_json(),
 points.data[0].type.startswith("scattermap"), refused]
