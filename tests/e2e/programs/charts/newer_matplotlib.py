# Words of matplotlib 3.7 to 3.9.
# expect: success
# needs: matplotlib
# final: [["$1,000", "$2,500"], ["1.0", "2.5"], ["1", "2.5"], [0.0, 1.0],
#    ["a", "b"], ["c"], true]
# results: ["image/png"]
# cut
import matplotlib.pyplot as plt

fig, (ax, other) = plt.subplots(1, 2)
bars = ax.bar(["x", "y"], [1000, 2500], label="sales")
money = [text.get_text() for text in ax.bar_label(bars, fmt="${:,.0f}")]
thousands = [text.get_text() for text in
             ax.bar_label(bars, fmt=lambda v: f"{v / 1000:.1f}")]
old = [text.get_text() for text in
       ax.bar_label(ax.bar([0, 1], [1, 2.5]), fmt="%g", padding=3)]
line = other.ecdf([3, 1, 2])
fig.legend(loc="outside upper right")
fig.legend(loc="outside right center")
fig.canvas.draw()
plt.show()
plt.figure()
plt.boxplot([[1, 2], [3, 4]], tick_labels=["a", "b"])
names = [text.get_text() for text in plt.gca().get_xticklabels()]
plt.gca().clear()
plt.gca().boxplot([[1, 2]], tick_labels=["c"])
[money, thousands, old, [float(y) for y in line.get_ydata()[[0, -1]]], names,
 [text.get_text() for text in plt.gca().get_xticklabels()],
 plt.close("all") is None]
