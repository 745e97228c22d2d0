# expect: success
# needs: matplotlib
# results: ["image/png"]
# stderr-like: .*
# cut
import matplotlib.pyplot as plt

plt.style.use('seaborn')
plt.hist([1, 2, 2, 3, 3, 3, 4, 4, 5], bins=5, edgecolor='black')
plt.title('Distribution')
plt.show()
