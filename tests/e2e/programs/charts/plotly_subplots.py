# expect: success
# files-kinds: {"fin.html": "text"}
# results: ["text/html"]
# stderr-like: .*
# needs: plotly pandas
# cut
import plotly.graph_objects as go
from plotly.subplots import make_subplots
import pandas as pd
dates = pd.date_range("2024-01-01", periods=5)
fig = make_subplots(rows=2, cols=1, shared_xaxes=True, row_heights=[.7, .3])
fig.add_trace(go.Candlestick(x=dates, open=[1,2,3,2,3], high=[2,3,4,3,4], low=[1,1,2,1,2], close=[2,3,2,3,4]), row=1, col=1)
fig.add_trace(go.Bar(x=dates, y=[5,3,6,2,4], name="Volume"), row=2, col=1)
fig.update_layout(template="plotly_dark", xaxis_rangeslider_visible=False)
fig.write_html("/mnt/data/fin.html")
fig.show()
