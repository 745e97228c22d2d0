# expect: success
# needs: plotly pandas
# files-kinds: {"sunburst.html": "text"}
# results: ["text/html"]
# stderr-like: .*
# cut
import plotly.express as px
import pandas as pd

df = pd.DataFrame({"region": ["EU", "EU", "US"],
                   "city": ["Rome", "Oslo", "NYC"], "pop": [28, 7, 84]})
fig = px.sunburst(df, path=["region", "city"], values="pop")
fig.update_layout(title="Population")
fig.write_html("/mnt/data/sunburst.html", include_plotlyjs="cdn")
fig.show()
