# A matplotlibrc in home is in force, whether matplotlib is preloaded or not.
# expect: success
# needs: matplotlib
# files-in: {"matplotlibrc": "lines.linewidth: 7\nbackend: TkAgg\n"}
# final: [7.0, "agg", 1.5]
import matplotlib
import matplotlib.pyplot as plt
width = plt.plot([1, 2])[0].get_linewidth()
plt.close()
plt.rcdefaults()
[width, matplotlib.get_backend().lower(), plt.rcParams["lines.linewidth"]]
