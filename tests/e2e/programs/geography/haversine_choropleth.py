# expect: success
# needs: plotly
# results: ["text/html"]
# stdout: "504.3 km\n"
# cut
from math import asin, cos, radians, sin, sqrt
import plotly.express as px

def haversine(lat1, lon1, lat2, lon2):
    lat1, lon1, lat2, lon2 = map(radians, (lat1, lon1, lat2, lon2))
    h = (sin((lat2 - lat1) / 2) ** 2
         + cos(lat1) * cos(lat2) * sin((lon2 - lon1) / 2) ** 2)
    return 2 * 6371 * asin(sqrt(h))

print(f"{haversine(52.52, 13.405, 48.137, 11.575):.1f} km")
df = px.data.gapminder().query("year == 2007")
fig = px.choropleth(df, locations="iso_alpha", color="lifeExp",
                    hover_name="country")
fig.show()
