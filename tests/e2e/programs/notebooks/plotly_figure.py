# expect: success
# needs: plotly
# stderr-like: .*
# results: [["application/vnd.plotly.v1+json", "image/png", "text/html"],
#    ["application/vnd.plotly.v1+json", "image/png", "text/html"]]
# final-like: ^Figure
import plotly.graph_objects as go
fig = go.Figure(go.Bar(x=["a", "b"], y=[1, 3]), layout={"template": "none"})
fig.show()
import plotly.io
plotly.io.renderers.default = "browser"
fig
