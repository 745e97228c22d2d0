# Bokeh: a page with a picture and tooltips, layouts and parts of pages.
# expect: success
# needs: matplotlib
# without: bokeh
# files-kinds: {"fruit.html": "text"}
# stdout:
#     "fruit.html\nTrue 1 True False True\n['fruit: Apples', 'count: 50.0',
#     'share: 28.6%', 'day: 2024-02-29', 'row: 0']\n[0.5, 0.25, 1.0] 1.25\n5
#     True True True\nTrue True True\nTrue True\n"
# cut
import re

import pandas as pd
from bokeh.embed import components, file_html
from bokeh.layouts import column, gridplot, row
from bokeh.models import Div, HoverTool, Slider, TabPanel, Tabs
from bokeh.plotting import ColumnDataSource, figure, output_file, save
from bokeh.resources import CDN

table = pd.DataFrame({"fruit": ["Apples", "Pears", "Plums"],
                      "count": [50, 25, 100], "share": [0.2857, 0.1429, 0.5714],
                      "day": pd.to_datetime(["2024-02-29"] * 3)})
source = ColumnDataSource(table)
bars = figure(x_range=list(table["fruit"]), title="Fruit & more",
              y_range=(0, 100), height=300,
              tools="pan,reset,save", toolbar_location=None)
bars.vbar(x="fruit", top="count", width=0.8, source=source)
bars.add_tools(HoverTool(
    tooltips=[("fruit", "@fruit"), ("count", "@count{0,0.0}"),
              ("share", "@share{0.0%}"), ("day", "@day{%F}"),
              ("row", "$index")],
    formatters={"@day": "datetime"}))
output_file("fruit.html", title="Fruit")
print(save(bars).rpartition("/")[2])
with open("fruit.html", encoding="utf-8") as stream:
    page = stream.read()
print(page.startswith("<!DOCTYPE html>"), page.count("<svg"),
      "<title>Fruit</title>" in page, "<script" in page, "Plums</text>" in page)


def bars_of(text):
    """Left, right, top and bottom of each bar with a title."""
    for path, words in re.findall(r'<path d="M([^"]*)Z"[^>]*><title>([^<]*)',
                                  text):
        points = [tuple(map(float, one.split())) for one in path.split("L")]
        xs, ys = zip(*points)
        yield min(xs), max(xs), min(ys), max(ys), words


boxes = list(bars_of(page))
print(boxes[0][4].split("\n"))
high = [low - top for _, _, top, low, _ in boxes]
wide = [right - left for left, right, _, _, _ in boxes]
print([round(one / high[2], 2) for one in high],
      round((boxes[1][0] - boxes[0][0]) / wide[0], 2))

line = figure(width=300, height=200)
line.line([1, 2, 3], [4, 6, 5], legend_label="Temp.", line_width=2)
slider = Slider(start=0, end=10, value=3, step=1, title="Power")
every = column(Div(text="<b>About</b>"), slider, row(bars, line),
               gridplot([[line, None], [None, bars]]),
               Tabs(tabs=[TabPanel(child=line, title="First tab")]))
text = file_html(every, CDN, "All")
print(text.count("<svg"), "<b>About</b>" in text, "Power: 3" in text,
      "First tab" in text)
script, div = components(line)
print(script.startswith("<script"), div.startswith("<div"), "Temp." in div)
script, (one, two) = components((line, bars))
print("Temp." in one, "Fruit &amp; more" in two)
