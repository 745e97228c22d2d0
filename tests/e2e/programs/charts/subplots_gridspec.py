# expect: success
# files-kinds: {"dash.png": "png", "dash.pdf": "pdf"}
# results: ["image/png"]
# needs: matplotlib numpy
# cut
import matplotlib.pyplot as plt
import matplotlib.gridspec as gridspec
import numpy as np
plt.rcParams.update({"font.family": "Arial", "font.size": 11, "figure.dpi": 120})
fig = plt.figure(figsize=(10, 6), constrained_layout=True)
gs = gridspec.GridSpec(2, 3, figure=fig)
ax = fig.add_subplot(gs[0, :2]); ax.stackplot(range(5), np.random.rand(3, 5), labels=list("abc")); ax.legend(loc="upper left")
ax = fig.add_subplot(gs[0, 2]); ax.boxplot([np.random.randn(20) for _ in range(3)], patch_artist=True)
ax = fig.add_subplot(gs[1, 0], polar=True); ax.fill(np.linspace(0, 2*np.pi, 5), [1, 3, 2, 4, 1], alpha=.3)
ax = fig.add_subplot(gs[1, 1]); ax.hexbin(np.random.randn(500), np.random.randn(500), gridsize=15)
ax = fig.add_subplot(gs[1, 2]); ax.violinplot(np.random.randn(50, 2)); ax.set_title("€ – ² µ")
fig.suptitle("Dashboard", fontsize=16, fontweight="bold")
fig.savefig("/mnt/data/dash.png"); fig.savefig("/mnt/data/dash.pdf")
plt.show()
