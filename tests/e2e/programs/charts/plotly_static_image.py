# expect: failure
# needs: plotly
# error: ValueError
# told: ["kaleido", "write_html"]
# cut
import plotly.graph_objects as go

fig = go.Figure(go.Scatter(x=[1, 2, 3], y=[4, 1, 9], mode='lines+markers'))
fig.write_image('/mnt/data/plot.png', scale=2)
