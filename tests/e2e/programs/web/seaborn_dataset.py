# expect: failure
# needs: seaborn
# error: URLError
# told: "network"
# cut
import seaborn as sns
import matplotlib.pyplot as plt

penguins = sns.load_dataset("penguins")
sns.boxplot(x="island", y="body_mass_g", data=penguins)
plt.show()
