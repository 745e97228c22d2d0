# A flat legend above the axes hangs from its y: it is below the title, and
# within the picture.
# expect: success
# needs: plotly
# final: [true, true]
# cut
import re

import plotly.graph_objects as go

chart = go.Figure([go.Bar(x=["a", "b"], y=[1, 2], name="bars"),
                   go.Scatter(x=["a", "b"], y=[2, 1], name="line")])
chart.update_layout(title="Two kinds", legend=dict(orientation="h", y=1.1))
svg = chart.to_image(format="svg").decode()


def height(text):
    """Points from the picture's top."""
    return float(re.search(rf"<!-- {text} -->\s*<g [^>]*translate\(\S+ (\S+)\)",
                           svg)[1])


[height("Two kinds") + 8 < height("bars"), height("bars") == height("line")]
