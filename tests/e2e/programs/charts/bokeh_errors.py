# Bokeh: its errors and warnings in its words.
# expect: success
# needs: matplotlib
# without: bokeh
# files-kinds: {"rest.html": "text"}
# stdout:
#     "AttributeError - unexpected attribute 'plot_width' to figure, similar
#     attributes are outer_width, width or min_width\nAttributeError -
#     unexpected attribute 'titel' to figure, similar attributes are
#     title\nAttributeError - unexpected attribute 'colour' to Line, similar
#     attributes are line_color\nAttributeError - unexpected attribute
#     'legend' to Line, possible attributes are decorations,
#     js_event_callbacks, js_property_callbacks, line_alpha, line_cap,
#     line_colo\nValueError - failed to validate VBar(...).line_color:
#     expected an element of either String, Nullable(Color), ... or a column
#     of the source, got 'nocolour'\nValueError - failed to validate
#     Title(id='p1', ...).text_color: expected a color, got
#     'nocolour'\nRuntimeError - Expected x and y to reference fields in the
#     supplied data source.\nValueError - FactorRange must specify a unique
#     list of categorical factors, duplicates: ['a']\nValueError - failed to
#     validate FactorRange(id='p1', ...).factors: expected an element of
#     either Seq(String), Seq(Tuple(String, String)) or Seq(Tuple(String,
#     Strin\nValueError - unexpected tool name 'hovver', similar tools are
#     hover\nValueError - Unrecognized axis_type: 'dates'\nValueError -
#     Invalid place 'top' specified. Valid place values are: 'left', 'right',
#     'above', 'below' or 'center'\nValueError - Only LayoutDOM items can be
#     inserted into a row or column. Tried to insert: 5 of type <class
#     'int'>\nAttributeError - 'figure' object has no attribute
#     'nosuch'\nNotImplementedError - figure.hexbin() is not here\nValueError
#     - Keyword argument sequences for broadcasting must all be the same
#     lengths. Got lengths: [1, 2]\nBokehUserWarning - You are attempting to
#     set `plot.legend.location` on a plot that has
#     ze\nBokehDeprecationWarning - 'circle() method with size value' was
#     deprecated since Bokeh 3.4.0 and\nBokehUserWarning - ColumnDataSource's
#     columns must be of the same length. Current
#     lengths\nERROR:bokeh.core.validation.check:E-1001 (BAD_COLUMN_NAME):
#     Glyph refers to nonexistent column name.\nTrue\n"
# cut
import re
import sys
import warnings

from bokeh.layouts import row
from bokeh.models import FactorRange
from bokeh.plotting import ColumnDataSource, figure, save

warnings.simplefilter("always")
warnings.showwarning = lambda text, kind, *more: print(kind.__name__, "-",
                                                       str(text).strip()[:70])


def says(call):
    try:
        call()
    except Exception as exc:
        words = re.sub(r"p1\d+", "p1", str(exc).strip().split("\n")[0])
        print(type(exc).__name__, "-", words[:150])


plot = figure()
says(lambda: figure(plot_width=400))
says(lambda: setattr(plot, "titel", "x"))
says(lambda: plot.line([1, 2], [3, 4], colour="red"))
says(lambda: plot.line([1, 2], [3, 4], legend="red"))
says(lambda: plot.vbar(x=[1], top=[1], color="nocolour"))
says(lambda: setattr(plot.title, "text_color", "nocolour"))
says(lambda: plot.scatter([1], [2], source=ColumnDataSource({"x": [1]})))
says(lambda: figure(x_range=["a", "b", "a"]))
says(lambda: FactorRange(factors=[1, 2]))
says(lambda: figure(tools="pan,hovver"))
says(lambda: figure(x_axis_type="dates"))
says(lambda: plot.add_layout(plot.xaxis[0], "top"))
says(lambda: row(plot, 5))
says(lambda: plot.nosuch)
says(lambda: plot.hexbin([1], [2], size=1))
says(lambda: plot.vbar_stack(["a", "b"], x="x", color=["red"], source={}))
figure().legend.location = "top_left"
plot.circle([1, 2], [3, 4], size=8)
ColumnDataSource({"x": [1, 2], "y": [1]})
sys.stderr = type("Short", (), {
    "write": lambda self, text: print(text.strip()[:100]) if text.strip()
    else None, "flush": lambda self: None})()
plot.line("x", "nothing", source=ColumnDataSource({"x": [1, 2]}))
save(plot, "rest.html", title="Rest")
with open("rest.html", encoding="utf-8") as stream:
    print("<svg" in stream.read())
