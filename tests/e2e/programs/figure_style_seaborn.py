# Styles by the names that matplotlib 3.8 has removed.
# expect: success
# needs: matplotlib
# stderr-has: "seaborn"
# final: true
import matplotlib.pyplot as plt
plt.style.use("seaborn")
plt.style.use("seaborn-whitegrid")
plt.rcParams["axes.grid"]
