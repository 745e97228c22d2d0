# expect: success
# needs: matplotlib
# forms: ["chart", "svg"]
# results: [["application/vnd.terrarium.chart+json", "image/svg+xml", "text/plain"]]
import matplotlib.pyplot as plt
plt.plot([1, 2], [3, 4])
plt.show()
