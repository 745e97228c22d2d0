# expect: success
# needs: seaborn
# results: ["image/png"]
# stderr-like: .*
# cut
import numpy as np
import seaborn as sns
import matplotlib.pyplot as plt

np.random.seed(0)
sns.distplot(np.random.normal(size=300), kde=True)
plt.show()
