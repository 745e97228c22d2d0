# expect: success
# needs: matplotlib
# results: ["text/html"]
# stderr-like: .*
# cut
import matplotlib.pyplot as plt
from matplotlib import animation
from IPython.display import HTML, display

fig, ax = plt.subplots(figsize=(2, 2))
line, = ax.plot([0, 1], [0, 1])
anim = animation.FuncAnimation(fig, lambda i: line.set_data([0, 1], [0, i]),
                               frames=3, interval=100)
plt.close(fig)
display(HTML(anim.to_jshtml()))
