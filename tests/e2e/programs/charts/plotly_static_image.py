# expect: success
# needs: plotly
# files-kinds: {"plot.png": "png", "plot.svg": "text", "plot.pdf": "pdf"}
# final: [[1400, 1000], [560, 300], "RIFF", true]
# cut
import io

import plotly.graph_objects as go
from PIL import Image

fig = go.Figure(go.Scatter(x=[1, 2, 3], y=[4, 1, 9], mode='lines+markers'))
fig.write_image('/mnt/data/plot.png', scale=2)
fig.write_image('/mnt/data/plot.svg')
fig.write_image('/mnt/data/plot.pdf')
small = fig.to_image(format='jpg', width=560, height=300)
opened = io.BytesIO()
fig.write_image(opened, format='webp')
picture = Image.open('/mnt/data/plot.png')
[list(picture.size), list(Image.open(io.BytesIO(small)).size),
 opened.getvalue()[:4].decode(), len(set(picture.convert("RGB").getdata())) > 3]
