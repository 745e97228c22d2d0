# Each kind of chart that is drawn has its colours where its data is.
# expect: success
# needs: plotly
# stderr-like: .*
# final: []
# cut
import io

import numpy as np
import pandas as pd
import plotly.express as px
import plotly.graph_objects as go
from PIL import Image

rng = np.random.default_rng(0)
table = pd.DataFrame({"a": rng.normal(size=60), "b": rng.random(60),
                      "c": ["one", "two", "three"] * 20})
days = pd.date_range("2024-01-01", periods=4)
candle = dict(x=days, open=[1, 2, 3, 2], high=[3, 4, 4, 3],
              low=[0, 1, 2, 1], close=[2, 3, 2, 3])
tasks = pd.DataFrame([dict(T="A", S="2024-01-01", F="2024-01-05")])
names = list("abcd")
red = dict(color="red")
figures = {
    "line": px.line(x=days, y=[1, 3, 2, 4]).update_traces(line=red),
    "scatter": px.scatter(table, x="a", y="b", size="b", log_y=True,
                          color_discrete_sequence=["red"]),
    "text": go.Figure(go.Scatter(x=[1], y=[1], text=["$5 <b>x</b>"],
                                 mode="markers+text", marker=red)),
    "area": px.area(x=[1, 2], y=[1, 2], color_discrete_sequence=["red"]),
    "bars": px.bar(table, x="c", y="b", color="c", barmode="group",
                   text_auto=".1f", color_discrete_sequence=["red"]),
    "stack": px.bar(table, x="b", y="c", orientation="h",
                    color_discrete_sequence=["red"]),
    "gantt": px.timeline(tasks, x_start="S", x_end="F", y="T",
                         color_discrete_sequence=["red"]),
    "funnel": go.Figure(go.Funnel(x=[3, 2], y=["a", "b"], marker=red)),
    "waterfall": go.Figure(go.Waterfall(x=["a", "b"], y=[1, -2])),
    "histogram": px.histogram(table, x="a", nbins=5,
                              color_discrete_sequence=["red"]),
    "counts": px.histogram(table, x="c", y="b", histfunc="avg",
                           color_discrete_sequence=["red"]),
    "box": px.box(table, x="c", y="a", points="all",
                  color_discrete_sequence=["red"]),
    "violin": px.violin(table, y="a", color_discrete_sequence=["red"]),
    "strip": px.strip(table, x="c", y="a", color_discrete_sequence=["red"]),
    "pie": px.pie(values=[3, 1], names=["a", "b"], hole=0.3,
                  color_discrete_sequence=["red", "blue"]),
    "heat": px.imshow(table[["a", "b"]].corr(), text_auto=True,
                      color_continuous_scale=["blue", "red"]),
    "pixels": px.imshow(np.full((4, 4, 3), (255, 0, 0), np.uint8)),
    "density": px.density_heatmap(table, x="a", y="b",
                                  color_continuous_scale=["blue", "red"]),
    "contour": go.Figure(go.Contour(z=[[1, 2], [3, 4]],
                                    colorscale=["blue", "red"])),
    "candles": go.Figure(go.Candlestick(**candle)),
    "radar": go.Figure(go.Scatterpolar(r=[1, 2, 3, 1], theta=names,
                                       fill="toself", line=red)),
    "space": px.scatter_3d(table, x="a", y="b", z="b",
                           color_discrete_sequence=["red"]),
    "surface": go.Figure(go.Surface(z=[[1, 2], [2, 5]],
                                    colorscale=["red", "red"])),
}


def is_reddish(figure):
    data = np.asarray(Image.open(io.BytesIO(figure.to_image())).convert("RGB"))
    red, green, blue = (data[..., k].astype(int) for k in range(3))
    return ((red - green > 60) & (red - blue > 60)).sum() > 20


[name for name, figure in figures.items() if not is_reddish(figure)]
