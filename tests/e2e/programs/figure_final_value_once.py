# expect: success
# needs: matplotlib
# final-like: ^<?Figure
# results: ["image/png"]
import matplotlib.pyplot as plt
fig, ax = plt.subplots()
ax.plot([1, 2])
fig
