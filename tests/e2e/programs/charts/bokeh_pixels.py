# Bokeh: the areas of pictures are those of the data.
# expect: success
# needs: matplotlib
# without: bokeh
# files-kinds: {"both.png": "png", "one.png": "png", "one.svg": "text"}
# stdout:
#     "(400, 400) 3.0 True\n(400, 400) 3.0 True\n(400, 400) 3.0 True\n(255, 0,
#     0) (0, 0, 255)\n(0, 0, 255) (255, 0, 0)\n(800, 400) 2.0 True
#     0.5\n['one.svg'] True\n"
# cut
import numpy as np
from bokeh.io import export_png, export_svg
from bokeh.layouts import column, row
from bokeh.models import Range1d, Span
from bokeh.plotting import figure
from PIL import Image


def share(picture, color):
    """The share of the pixels that have COLOR."""
    same = np.abs(np.asarray(picture).astype(int) - color).max(axis=-1) < 12
    return same.mean()


def bare(**more):
    plot = figure(width=400, height=400, toolbar_location=None, **more)
    plot.axis.visible = False
    plot.grid.visible = False
    plot.outline_line_color = None
    return plot


# Three quarters of the frame are red, a quarter is blue, in three ways.
quads = bare(x_range=(0, 4), y_range=(0, 1))
quads.quad(left=[0, 3], right=[3, 4], bottom=0, top=1, color=["red", "blue"])
wedges = bare(x_range=(-1, 1), y_range=(-1, 1))
wedges.wedge(x=0, y=0, radius=1, start_angle=[0, np.pi / 2],
             end_angle=[np.pi / 2, 2 * np.pi], color=["blue", "red"])
image = bare(x_range=(0, 2), y_range=(0, 2))
image.image(image=[np.array([[1, 1], [1, 0]])], x=0, y=0, dw=2, dh=2,
            palette=["blue", "red"])
for plot in (quads, wedges, image):
    export_png(plot, filename="one.png")
    picture = Image.open("one.png").convert("RGB")
    red, blue = share(picture, (255, 0, 0)), share(picture, (0, 0, 255))
    print(picture.size, round(red / blue, 1), red + blue > 0.7)
# The pixels of an image begin below: the last is above, at the right.
print(picture.getpixel((100, 300)), picture.getpixel((300, 100)))

image.image(image=[np.array([[1, 1], [1, 0]])], x=0, y=0, dw=2, dh=2,
            palette=["blue", "red"], origin="top_left")
export_png(image, filename="one.png")
picture = Image.open("one.png").convert("RGB")
print(picture.getpixel((300, 300)), picture.getpixel((300, 100)))

# A second range, a line across and a logarithmic axis.
twice = bare(x_range=Range1d(0, 1), y_range=(0, 10))
twice.extra_y_ranges = {"wide": Range1d(0, 100)}
twice.quad(left=0, right=0.5, bottom=0, top=5, color="red")
twice.quad(left=0.5, right=1, bottom=0, top=25, color="blue",
           y_range_name="wide")
twice.add_layout(Span(location=7.5, dimension="width", line_color="lime",
                      line_width=8))
logs = bare(x_range=(0, 1), y_range=(1, 10000), y_axis_type="log")
logs.quad(left=0, right=1, bottom=1, top=100, color="red")
both = row(twice, logs)
export_png(column(both), filename="both.png")
picture = Image.open("both.png").convert("RGB")
left, right = picture.crop((0, 0, 400, 400)), picture.crop((400, 0, 800, 400))
print(picture.size, round(share(left, (255, 0, 0)) /
                          share(left, (0, 0, 255)), 1),
      share(left, (0, 255, 0)) > 0.01, round(share(right, (255, 0, 0)), 1))
names = export_svg(quads, filename="one.svg")
with open("one.svg", encoding="utf-8") as stream:
    print([name.rpartition("/")[2] for name in names],
          stream.read().startswith("<svg"))
