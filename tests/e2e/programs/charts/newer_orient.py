# orient= by the name of an axis, and linecolor=, of seaborn 0.13.
# expect: success
# needs: seaborn
# stderr-like: .*
# final: [["a", "b"], true, ["a", "b"], ["a", "b"], true]
# cut
import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib.colors import to_rgb

table = pd.DataFrame({"g": list("aabb"), "v": [1.0, 2, 3, 5]})


def names(ax):
    return [tick.get_text() for tick in ax.get_yticklabels()]


bars = names(sns.barplot(data=table, x="v", y="g", orient="y", errorbar=None,
                         ax=plt.subplots()[1]))
boxes = sns.boxplot(data=table, x="g", y="v", orient="x", linecolor="red",
                    ax=plt.subplots()[1])
red = all(to_rgb(line.get_color()) == (1, 0, 0) for line in boxes.lines
          if len(line.get_xdata()))
strips = names(sns.stripplot(data=table, x="v", y="g", orient="y",
                             ax=plt.subplots()[1]))
grid = names(sns.catplot(data=table, x="v", y="g", orient="y",
                         kind="violin").ax)
boxen = sns.boxenplot(data=table, x="g", y="v", linecolor="k",
                      ax=plt.subplots()[1])
plt.close("all")
[bars, red, strips, grid, boxen is not None]
