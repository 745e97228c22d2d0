# expect: success
# needs: plotly
# stderr-like: .*
# stdout: "pictures of plotly's figures need kaleido, which is not installed
#    here: use fig.write_html('figure.html') or fig.show(), or draw the chart
#    with matplotlib\n"
# results: [["application/vnd.plotly.v1+json", "text/html"],
#    ["application/vnd.plotly.v1+json", "text/html"]]
# final-like: ^Figure
import plotly.graph_objects as go
fig = go.Figure(go.Bar(x=["a", "b"], y=[1, 3]), layout={"template": "none"})
fig.show()
try:
    fig.write_image("a.png")
except ValueError as exc:
    print(exc)
import plotly.io
plotly.io.renderers.default = "browser"
fig
