# An animation as GIF by Pillow, contours, and a style sheet.
import os

import matplotlib.animation as animation
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

plt.style.use("ggplot")
figure, axes = plt.subplots(figsize=(2, 2))
line, = axes.plot([], [])
axes.set_xlim(0, 6.3)
axes.set_ylim(-1, 1)
x = np.linspace(0, 6.3, 50)


def draw(step):
    line.set_data(x, np.sin(x + step))
    return line,


animation.FuncAnimation(figure, draw, frames=4).save(
    "wave.gif", writer=animation.PillowWriter(fps=5))
with Image.open("wave.gif") as picture:
    result = {"frames": picture.n_frames, "size": list(picture.size)}
os.remove("wave.gif")
plt.close("all")
grid = np.hypot(*np.meshgrid(np.linspace(-3, 3, 30),
                             np.linspace(-3, 3, 30)))
result["contours"] = len(plt.contour(grid, levels=[1, 2]).allsegs)
plt.close("all")
result
# expected: {
#   "frames": 4,
#   "size": [200, 200],
#   "contours": 2
# }
