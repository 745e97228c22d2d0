# expect: success
# needs: seaborn pandas
# results: ["image/png", "image/png"]
# stderr-like: .*
# cut
import seaborn as sns
import pandas as pd
import numpy as np
import matplotlib.pyplot as plt

rng = np.random.default_rng(1)
df = pd.DataFrame(rng.normal(size=(40, 2)), columns=list('ab'))
df['kind'] = np.where(df.a > 0, 'pos', 'neg')
sns.set_theme(style='whitegrid')
sns.heatmap(df[['a', 'b']].corr(), annot=True, cmap='coolwarm')
plt.show()
sns.pairplot(df, hue='kind', height=2)
plt.show()
