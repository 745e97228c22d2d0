# catplot() with the words of seaborn 0.13, and bars that leave no entry for
# the legend of a later drawing.
# expect: success
# needs: seaborn
# stderr-like: .*
# final: [2, ["a", "b"], true, [["x", "y"], ["x", "y"]], true]
# cut
import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns

table = pd.DataFrame({"quarter": [1, 1, 2, 2] * 4, "v": range(16),
                      "year": [2023, 2024] * 8, "s": list("aabb") * 4,
                      "g": list("xxyy") * 4})
grid = sns.catplot(data=table, x="quarter", y="v", hue="s", col="year",
                   kind="bar", native_scale=True, errorbar=None)
own = sns.catplot(data=table, x="g", y="v", hue="g", kind="violin",
                  density_norm="width", gap=0.1, col="year")
fig, ax = plt.subplots()
sns.barplot(data=table, x="g", y="v", hue="g", legend=False, ax=ax)
sns.stripplot(data=table, x="g", y="v", color="k", ax=ax)
labels = [[tick.get_text() for tick in one.get_xticklabels()]
          for one in own.axes.flat]
plt.close("all")
[len(grid.axes.flat), [text.get_text() for text in grid.legend.get_texts()],
 own.legend is None, labels, ax.legend_ is None]
