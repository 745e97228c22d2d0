# Methods of altair 5 and its conditions.
# expect: success
# needs: altair
# final: [{"zero": false}, "Price", {"maxbins": 20}, null, true]
# files-kinds: {"c.html": "text"}
# cut
import altair as alt
import pandas as pd

table = pd.DataFrame({"p": [1, 2], "s": ["a", "b"]})
brush = alt.selection_interval(encodings=["x"])
chart = alt.Chart(table).mark_bar().encode(
    alt.X("p:Q").bin(maxbins=20),
    alt.Y("p:Q").scale(zero=False).title("Price"),
    color=alt.Color("s:N").legend(None),
    opacity=alt.when(brush).then(alt.value(1)).otherwise(alt.value(0.2)),
).add_params(brush)
found = chart.to_dict()["encoding"]
chart.save("c.html")
[found["y"]["scale"], found["y"]["title"], found["x"]["bin"],
 found["color"]["legend"], "condition" in found["opacity"]]
