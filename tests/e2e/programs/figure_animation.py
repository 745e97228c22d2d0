# An animation shows its first frame, and is saved as a GIF.
# expect: success
# needs: matplotlib PIL
# final: [4, true, "there is no ffmpeg here to write a film: save the animation
#    as a GIF, anim.save('animation.gif', writer='pillow'), or use
#    anim.to_jshtml()"]
# results: ["image/png"]
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.animation import FuncAnimation
from PIL import Image

fig, ax = plt.subplots(figsize=(2, 2))
line, = ax.plot([], [], lw=20)
drawn = []


def begin():
    ax.set_xlim(0, 6)
    ax.set_ylim(-1, 1)
    return line,


def update(frame):
    drawn.append(frame)
    line.set_data([0, 6], [0, np.sin(frame)])
    return line,


anim = FuncAnimation(fig, update, frames=4, init_func=begin, blit=True)
anim.save("/tmp/a.gif", fps=2)
try:
    anim.save("a.mp4", writer="ffmpeg")
except ValueError as exc:
    refusal = str(exc)
drawn.clear()
plt.show()
[Image.open("/tmp/a.gif").n_frames, drawn == [0], refusal]
