# expect: success
# needs: plotly
# stdout-has: ["treemap have no picture", "write_html", "Invalid format 'bmp'"]
# cut
import plotly.graph_objects as go

tree = go.Figure(go.Treemap(labels=["a", "b"], parents=["", "a"]))
for figure, kind in ((tree, "png"), (go.Figure(go.Bar(y=[1])), "bmp")):
    try:
        figure.to_image(format=kind)
    except ValueError as exc:
        print(exc)
tree.show()
