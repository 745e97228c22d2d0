# expect: success
# needs: matplotlib PIL
# files-kinds: {"wave.gif": "gif"}
# stdout: "done\n"
# cut
import numpy as np
import matplotlib.pyplot as plt
from matplotlib.animation import FuncAnimation, PillowWriter

fig, ax = plt.subplots(figsize=(3, 2))
x = np.linspace(0, 2 * np.pi, 50)
line, = ax.plot(x, np.sin(x))

def update(frame):
    line.set_ydata(np.sin(x + frame / 3))
    return line,

ani = FuncAnimation(fig, update, frames=6, interval=50, blit=True)
ani.save('/mnt/data/wave.gif', writer=PillowWriter(fps=10))
plt.close()
print('done')
