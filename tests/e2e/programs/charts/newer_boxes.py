# Words of matplotlib 3.9 and 3.10, and of seaborn 0.13, for boxes and bars.
# expect: success
# needs: matplotlib seaborn
# final: [true, true, ["one", "two"], [0.0], true, "log", 0, true]
# stderr-like: .*
# cut
import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns

fig, (left, right) = plt.subplots(1, 2)
boxes = left.boxplot([[1, 2, 3], [2, 3, 9]], orientation="horizontal",
                     label=["one", "two"], patch_artist=True)
flat = left.get_xlim()[1] > 8
bodies = right.violinplot([[1, 2, 3]], orientation="horizontal")
wide = right.get_xlim()[1] > 2.5
words = [text.get_text() for text in left.legend().get_texts()]
plt.figure()
table = pd.DataFrame({"g": list("aabb"), "v": [1, 2, 30, 40]})
ax = sns.boxplot(table, x="g", y="v", hue="g", fill=False, legend=False)
clear = [patch.get_facecolor()[3] for patch in ax.patches]
plt.figure()
bars = sns.barplot(table, x="g", y="v", errorbar=("ci", 95),
                   err_kws={"linewidth": 5, "color": "red"})
thick = all(line.get_linewidth() == 5 for line in bars.lines)
plt.figure()
scaled = sns.barplot(table, x="g", y="v", log_scale=True).get_yscale()
plt.figure()
dots = sns.pointplot(table, x="g", y="v", linestyle="none", errorbar=None)
plt.figure()
sns.violinplot(table, x="g", y="v", density_norm="width", bw_adjust=0.5)
plt.close("all")
[flat, wide, words, sorted(set(map(float, clear))), thick, scaled,
 sum(line.get_linestyle() == "-" for line in dots.lines), bool(bodies)]
