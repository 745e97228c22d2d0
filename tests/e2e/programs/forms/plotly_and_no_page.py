# expect: success
# needs: plotly
# stderr-like: .*
# forms: ["other"]
# results: [["application/vnd.plotly.v1+json", "text/plain"]]
# final-like: ^Figure
import plotly.graph_objects as go
go.Figure(go.Bar(x=["a", "b"], y=[1, 3]), layout={"template": "none"})
