# expect: success
# needs: matplotlib
# files-kinds: {"out.svg": "text"}
# stderr-like: .*
# cut
import matplotlib
matplotlib.use('TkAgg')
import matplotlib.pyplot as plt

fig, ax = plt.subplots()
ax.pie([30, 45, 25], labels=['a', 'b', 'c'], autopct='%1.1f%%')
ax.axis('equal')
fig.savefig('out.svg')
plt.close('all')
