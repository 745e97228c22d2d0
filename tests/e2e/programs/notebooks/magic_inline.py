# expect: success
# needs: matplotlib
# results: ["image/png"]
# cut
%matplotlib inline
import matplotlib.pyplot as plt
plt.plot([1, 2, 3])
plt.show()
