# Words of matplotlib 3.9 and 3.10, and of seaborn 0.13, for boxes and bars.
# expect: success
# needs: matplotlib seaborn
# final: [true, true, ["one", "two"], true, true, "log", 0, true,
#    ["b", "a"], ["/", "x"], "Top", 10]
# stderr-like: .*
# cut
import matplotlib as mpl
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
plt.plot([1], label="a")
plt.plot([2], label="b")
turned = [text.get_text() for text in plt.legend(reverse=True).get_texts()]
plt.suptitle("Top")
top = plt.gcf().get_suptitle()
wedges = plt.pie([1, 2], hatch=["/", "x"], startangle=90)[0]
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
[flat, wide, words, not any(clear), thick, scaled,
 sum(line.get_linestyle() == "-" for line in dots.lines), bool(bodies),
 turned, [wedge.get_hatch() for wedge in wedges], top,
 len(mpl.color_sequences["petroff10"])]
