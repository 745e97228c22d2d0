# expect: success
# needs: matplotlib
# final: 0
import matplotlib.pyplot as plt
plt.plot([1, 2])
plt.close("all")
len(plt.get_fignums())
