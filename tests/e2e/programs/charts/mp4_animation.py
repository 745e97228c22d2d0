# expect: failure
# needs: matplotlib
# error: ValueError
# told: ".gif"
# stderr-like: .*
# results: ["image/png"]
# cut
import matplotlib.pyplot as plt
from matplotlib.animation import FuncAnimation

fig, ax = plt.subplots()
dot, = ax.plot([0], [0], 'ro')
ani = FuncAnimation(fig, lambda i: dot.set_data([i], [i]), frames=5)
ani.save('/mnt/data/ball.mp4', writer='ffmpeg', fps=30)
