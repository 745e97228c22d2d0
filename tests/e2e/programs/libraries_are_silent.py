# A warning about one library that another one calls does not reach a program.
# expect: success
# needs: plotly altair pandas qrcode
# stderr: ""
# results: ["image/png"]
# final-like: PilImage
# cut
import altair as alt
import pandas as pd
import plotly.express as px
import qrcode

table = pd.DataFrame({"d": pd.date_range("2024-01-01", periods=4),
                      "v": [1, 2, 3, 4], "c": list("aabb")})
px.line(table, x="d", y="v", color="c")
px.histogram(table, x="v", color="c")
alt.Chart(table).mark_bar().encode(x="c", y="v").to_dict()
table.describe(include="all")
qrcode.make("x")
