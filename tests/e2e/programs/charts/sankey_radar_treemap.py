# expect: failure
# error: ModuleNotFoundError
# told: "squarify"
# without: squarify
# cut
import squarify
import matplotlib.pyplot as plt
squarify.plot(sizes=[50, 25, 12], label=["A", "B", "C"])
plt.axis("off"); plt.show()
