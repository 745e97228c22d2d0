# needs: matplotlib
# expect: success
# files-kinds: {"chart.png": "png"}
import matplotlib.pyplot as plt

plt.plot([1, 2, 3])
plt.savefig("chart.png")
plt.show()
