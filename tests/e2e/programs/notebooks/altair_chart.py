# expect: success
# needs: altair
# stderr-like: .*
# final-like: ^alt.Chart
# stdout-has: "pictures of altair's charts need a browser"
# results: [["application/vnd.vegalite.v?+json", "text/html"],
#    ["application/vnd.vegalite.v?+json", "text/html"]]
import altair as alt
import pandas as pd
chart = alt.Chart(pd.DataFrame({"a": [1, 2], "b": [3, 4]})).mark_bar().encode(
    x="a:O", y="b:Q")
chart.show()
try:
    chart.save("chart.png")
except ValueError as exc:
    print(exc)
chart
