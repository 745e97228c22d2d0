# Bokeh: show() writes a page and displays it; a final plot is displayed.
# expect: success
# needs: matplotlib
# without: bokeh
# files-kinds: {"bokeh_plot.html": "text"}
# results: [["image/png", "text/html"], ["image/png", "text/html"]]
# final-like: ^figure\(id=
# cut
import numpy as np
import pandas as pd
from bokeh.layouts import row
from bokeh.models import (ColorBar, DatetimeTickFormatter, LinearAxis,
                          NumeralTickFormatter, Range1d, Whisker)
from bokeh.plotting import ColumnDataSource, figure, show
from bokeh.transform import dodge, jitter, linear_cmap

days = pd.date_range("2024-01-01", periods=90)
rise = np.linspace(0, 30, 90) + np.sin(np.arange(90))
price = figure(title="Price", x_axis_type="datetime", width=500, height=300,
               tooltips=[("on", "@x{%F}"), ("price", "$y{0.00}")])
price.line(days, rise, legend_label="close", line_width=2)
price.varea(x=days, y1=rise - 2, y2=rise + 2, fill_alpha=0.2)
price.xaxis.formatter = DatetimeTickFormatter(months="%b %Y")
price.yaxis.formatter = NumeralTickFormatter(format="$0,0")
price.extra_y_ranges = {"count": Range1d(0, 100)}
price.add_layout(LinearAxis(y_range_name="count", axis_label="count"), "right")
price.vbar(x=days, top=np.arange(90), width=5e7, y_range_name="count",
           color="orange", alpha=0.3)
source = ColumnDataSource({"k": ["a", "b"], "one": [1, 3], "two": [2, 1],
                           "low": [0.5, 2.5], "high": [1.5, 3.5]})
pairs = figure(x_range=["a", "b"], width=400, height=300, y_axis_type="linear")
pairs.vbar(x=dodge("k", -0.2, range=pairs.x_range), top="one", width=0.3,
           source=source, legend_label="one")
pairs.vbar(x=dodge("k", 0.2, range=pairs.x_range), top="two", width=0.3,
           source=source, color="green", legend_label="two")
pairs.add_layout(Whisker(source=source, base="k", lower="low", upper="high"))
mapped = linear_cmap("one", "Viridis256", 1, 3)
pairs.scatter(jitter("k", width=0.3, range=pairs.x_range), "two", size=9,
              source=source, color=mapped)
pairs.add_layout(ColorBar(color_mapper=mapped["transform"], width=8), "right")
show(row(price, pairs))
pairs
