# expect: success
# needs: matplotlib
# check: check_svg
import os
import matplotlib.pyplot as plt
os.mkdir("plots")
plt.plot([1, 2, 3])
plt.savefig("plots/line.svg")
plt.close()
