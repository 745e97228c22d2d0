# expect: success
# needs: seaborn
# results: ["image/png"]
import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
data = pd.DataFrame({"x": [1, 2, 3, 4], "y": [2, 4, 5, 9],
                     "kind": ["a", "b", "a", "b"]})
sns.scatterplot(data=data, x="x", y="y", hue="kind")
plt.show()
