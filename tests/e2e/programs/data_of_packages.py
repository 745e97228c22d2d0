# needs: pyproj fiona geopandas plotly babel cairosvg
# expect: success
# final: [0, true, true, "Mittwoch, 1. Mai 2024", true, true]
# Packages that read data from outside of Python's directories.
import datetime
import os
import tempfile

import cairosvg
import geopandas
import plotly.express
import pyproj
from babel.dates import format_date
from shapely.geometry import Point

os.chdir(tempfile.mkdtemp())
points = geopandas.GeoDataFrame({"name": ["a"]}, geometry=[Point(13.4, 52.5)],
                                crs="EPSG:4326")
moved = points.to_crs(epsg=3857)
moved.to_file("points.geojson", driver="GeoJSON")
moved.to_file("points.shp")
again = geopandas.read_file("points.shp")
east, _ = pyproj.Transformer.from_crs(4326, 32633, always_xy=True) \
    .transform(9, 52)
figure = plotly.express.scatter(x=[1, 2], y=[3, 4], template="plotly_dark")
drawn = cairosvg.svg2png(
    b"<svg xmlns='http://www.w3.org/2000/svg' width='90' height='30'>"
    b"<text x='5' y='20' font-family='DejaVu Sans'>Text</text></svg>")
[round((east - 88216) / 10000), again.crs.to_epsg() == 3857,
 len(plotly.express.data.iris()) == 150,
 format_date(datetime.date(2024, 5, 1), "full", "de"),
 "plotly_dark" in plotly.io.templates and len(figure.to_html()) > 1 << 20,
 drawn.startswith(b"\x89PNG")]
