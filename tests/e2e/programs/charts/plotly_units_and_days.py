# SI units of texts and axes as d3 writes them, and a line at a number on an
# axis of dates, which plotly takes for milliseconds.
# expect: success
# needs: plotly
# final: ["150M", "1.3G", "2.0", "25m", "12.5k", "$1.2k", "1.5k"]
# files-kinds: {"gantt.png": "png"}
# cut
import re
from datetime import datetime

import pandas as pd
import plotly.express as px
import plotly.graph_objects as go

tasks = pd.DataFrame([
    dict(Task="Design", Start="2024-01-01", End="2024-01-20", Team="UX"),
    dict(Task="Build", Start="2024-01-15", End="2024-02-10", Team="Dev")])
plan = px.timeline(tasks, x_start="Start", x_end="End", y="Task",
                   color="Team", text="Team")
plan.update_yaxes(autorange="reversed")
plan.add_vline(x=datetime(2024, 1, 25).timestamp() * 1000, line_dash="dot",
               annotation_text="today")
plan.write_image("gantt.png", scale=2)

values = {".2s": [146_330_000, 1.3187e9, 2, 0.025], ".3s": [12_500],
          "$.2s": [1234], "s": [1500]}
bars = go.Figure([
    go.Bar(x=list("abcd"[:len(row)]), y=row,
           texttemplate="_%{y:" + form + "}_") for form, row in values.items()])
svg = bars.to_image(format="svg").decode()
[text.replace("\\", "") for text in re.findall(r"<!-- _(.*?)_ -->", svg)]
