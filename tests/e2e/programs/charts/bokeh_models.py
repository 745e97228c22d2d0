# Bokeh: palettes, sources, legends, and how rows are read when they are drawn.
# expect: success
# needs: matplotlib
# without: bokeh
# stdout:
#     "('#1f77b4', '#ff7f0e', '#2ca02c') #3288bd #9e0142 ('#440154',
#     '#208F8C', '#FDE724') 256\n#08306b #e6550d #66c2a5 ('#440154',
#     '#FDE724') True True\n['index', 'kind', 'v'] [0, 1, 2, 3, 4] 5\n['kind',
#     'v_count', 'v_mean', 'v_std']\n[7, 9, 9, 9, 9, 0] c\nGroups 500 600
#     CategoricalAxis names [('A', 'x'), ('A', 'y'), ('B', 'x')]\nVBar navy x
#     ['x', 'top']\n[{'value': 'bars'}, {'value': 'line'}] top_right
#     #1f77b4\ntop_left None #e5e5e5 ['PanTool', 'WheelZoomTool',
#     'BoxZoomTool', 'SaveTool', 'ResetTool', 'HelpTool']\n2 2\n['field',
#     'transform'] kind ['a', 'b']\nTrue 256 ['field', 'transform']\n[0.0,
#     1.0, 1.5] [1.0, 1.5, 2.0]\n['black', 'red', 'red', 'green', 'green',
#     'green', 'gray']\n[0.5  1.5  3.9  1.   4.15] (0.0, 4.4)\n(-0.5,
#     10.5)\n[3.0, 4.0, 5.0]\n[1.0, 3.0, 5.0]\n[1.0, 2.0, 6.0]\n"
# cut
from math import pi

import numpy as np
import pandas as pd
from bokeh.models import (BooleanFilter, CDSView, ColumnDataSource, FactorRange,
                          GroupFilter, Legend, LinearColorMapper)
from bokeh.palettes import (Blues9, Category10, Category20c, Set2_3, Spectral6,
                            Spectral11, Viridis3, Viridis256, all_palettes,
                            linear_palette, viridis)
from bokeh.plotting import figure
from bokeh.transform import cumsum, dodge, factor_cmap, linear_cmap

print(Category10[3], Spectral6[0], Spectral11[-1], Viridis3, len(Viridis256))
print(Blues9[0], Category20c[20][4], Set2_3[0], viridis(2),
      linear_palette(Viridis256, 3) == Viridis3, "Turbo" in all_palettes)
table = pd.DataFrame({"kind": list("aabbb"), "v": [1, 2, 3, 4, 5]})
source = ColumnDataSource(table)
print(source.column_names, source.data["index"].tolist(), source.length)
print(ColumnDataSource(table.groupby("kind")).column_names[:4])
source.add([9] * 5, "w")
source.stream({"index": [5], "kind": ["c"], "v": [6], "w": [0]})
source.patch({"w": [(0, 7)]})
print(list(source.data["w"]), list(source.data["kind"])[-1])

plot = figure(x_range=FactorRange(("A", "x"), ("A", "y"), ("B", "x")),
              title="Groups", width=500, x_axis_label="names")
print(plot.title.text, plot.width, plot.height, type(plot.xaxis[0]).__name__,
      plot.xaxis.axis_label, plot.x_range.factors)
bars = plot.vbar(x=[("A", "x"), ("A", "y"), ("B", "x")], top=[1, 2, 3],
                 width=0.9, color="navy", legend_label="bars")
print(type(bars.glyph).__name__, bars.glyph.fill_color, bars.glyph.x,
      bars.data_source.column_names)
line = plot.line([("A", "x"), ("B", "x")], [1, 2], legend_label="line",
                 line_dash="dashed")
print([item.label for item in plot.legend[0].items], plot.legend.location,
      line.glyph.line_color)
plot.legend.location = "top_left"
plot.xgrid.grid_line_color = None
plot.y_range.start = 0
print(plot.legend.location, plot.xgrid[0].grid_line_color,
      plot.ygrid[0].grid_line_color, [type(one).__name__ for one in plot.tools])
plot.add_layout(Legend(items=[("both", [bars, line])]), "right")
print(len(plot.legend), len(plot.renderers))

cmap = factor_cmap("kind", palette=["red", "blue"], factors=["a", "b"])
print(sorted(cmap), cmap["field"], cmap["transform"].factors)
graded = linear_cmap("v", "Viridis256", 0, 10)
print(type(graded["transform"]) is LinearColorMapper,
      len(graded["transform"].palette), sorted(dodge("x", 0.2)))
pie = figure()
pie.wedge(x=0, y=1, radius=0.4, start_angle=cumsum("a", include_zero=True),
          end_angle=cumsum("a"), source={"a": [pi, pi / 2, pi / 2]})
from bokeh._draw.layers import Layer, mapped_colors
from bokeh._draw.scales import Scale

# How rows are read when they are drawn: only ours has these.
plain = Scale(pie.x_range, "linear")
layer = Layer(pie.renderers[0], plain, plain)
print((layer.angle("start_angle") / pi).tolist(),
      (layer.angle("end_angle") / pi).tolist())
print(mapped_colors(LinearColorMapper(palette=["red", "green"], low=0, high=10,
                                      low_color="black"),
                    [-1, 0, 4.9, 5, 10, 11, np.nan]))
groups = Scale(plot.x_range, "linear")
print(groups.map([("A", "x"), ("A", "y"), ("B", "x"), "A", ("B", "x", 0.25)]),
      groups.ends())
auto = Scale(figure().x_range, "linear")
auto.learn([0, 10])
print(auto.ends())
for kept in (GroupFilter(column_name="kind", group="b"),
             BooleanFilter([True, False] * 3),
             ~GroupFilter(column_name="kind", group="b")):
    dots = figure().scatter("v", "w", source=source, view=CDSView(filter=kept))
    print(Layer(dots, plain, plain).x("x").tolist())
