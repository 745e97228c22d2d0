# Programs that ask for windows get pictures.
# expect: success
# needs: matplotlib
# stdout: "agg\n"
# results: ["image/png", "image/png"]
import matplotlib
matplotlib.use("TkAgg")
import matplotlib.pyplot as plt
plt.switch_backend("Qt5Agg")
plt.ion()
plt.plot([1, 2])
plt.show(block=False)
print(matplotlib.get_backend())
for height in range(3):
    plt.bar([height], [height])
    plt.pause(100)
