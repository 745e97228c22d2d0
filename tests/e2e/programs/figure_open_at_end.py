# expect: success
# needs: matplotlib
# results: ["image/png", "image/png"]
import matplotlib.pyplot as plt
plt.figure()
plt.plot([1, 2])
plt.figure()
plt.bar(["a", "b"], [3, 4]);
