# Words of seaborn 0.13: hue repeats an axis to give each bar its colour.
# expect: success
# needs: seaborn
# stderr-like: .*
# final: [[0.8], true, 3, true, true, 50.0]
# cut
import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns

table = pd.DataFrame({"g": list("aabbcc"), "v": [1, 2, 3, 4, 5, 6],
                      "s": list("xyxyxx")})
ax = sns.barplot(data=table, x="g", y="v", hue="g", palette="Set2",
                 legend=False, errorbar=None)
widths = sorted({round(bar.get_width(), 3) for bar in ax.patches})
plain = ax.legend_ is None
colors = len({bar.get_facecolor() for bar in ax.patches})
plt.figure()
box = sns.boxplot(data=table, x="g", y="v", hue="g", legend=False,
                  gap=0.1)
plt.figure()
two = sns.violinplot(data=table, x="g", y="v", hue="s")
plt.figure()
count = sns.countplot(data=table, x="g", hue="g", stat="percent")
share = sum(bar.get_height() for bar in count.patches) / 2
plt.close("all")
[widths, plain, colors, box.legend_ is None, two.legend_ is not None, share]
