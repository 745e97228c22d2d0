# Figures that were open when the program failed are shown all the same.
# expect: failure
# needs: matplotlib
# error: ValueError
# line: 9
# results: ["image/png"]
import matplotlib.pyplot as plt
plt.plot([1, 2])
raise ValueError("too late")
