# No figure is drawn for a request that does not ask; each is closed all the
# same.
# expect: success
# warnings: ["a figure was shown and not sent: save it with plt.savefig(), or ask for it with \"results\": true in the request"]
# needs: matplotlib
# final: [0, []]
# files-out: {}
import matplotlib.figure
import matplotlib.pyplot as plt

drawn = []
matplotlib.figure.Figure.savefig = lambda *a, **b: drawn.append(1)
plt.plot([1, 2])
plt.show()
[len(plt.get_fignums()), drawn]
