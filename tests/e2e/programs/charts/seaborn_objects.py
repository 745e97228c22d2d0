# expect: success
# results: ["image/png", "image/png"]
# stderr-like: .*
# needs: seaborn pandas numpy matplotlib
# cut
import seaborn as sns, pandas as pd, numpy as np, matplotlib.pyplot as plt
df = pd.DataFrame({"day": ["Thu", "Fri"]*20, "tip": np.linspace(1, 9, 40), "sex": (["M"]*20 + ["F"]*20)})
ax = sns.barplot(data=df, x="day", y="tip", hue="sex", errorbar="sd")
ax.bar_label(ax.containers[0], fmt="%.1f"); plt.show()
g = sns.catplot(data=df, x="day", y="tip", col="sex", kind="violin"); g.fig.suptitle("Tips"); plt.show()
