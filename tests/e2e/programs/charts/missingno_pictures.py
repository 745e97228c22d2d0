# Missingno: the four pictures of a table's gaps, read back from the axes.
# expect: success
# needs: seaborn
# without: missingno
# stdout:
#     "['age', 'fare', 'deck', 'port'] ['1', '8']\n[[1, 1, 0, 1], [0, 1, 1,
#     0], [1, 1, 0, 1], [0, 1, 1, 0], [1, 1, 0, 1], [1, 1, 0, 0], [1, 1, 0,
#     1], [1, 1, 0, 1]]\n[3, 3, 2, 3, 2, 3, 2, 3] ['3', '2'] ['data
#     completeness'] [25.0, 10.0]\n[1.0, 0.75, 0.625, 0.25]\n['fare', 'age',
#     'port', 'deck'] [['8', '6', '5', '2']]\n(0.0, 1.0) ['0', '1', '3', '4',
#     '6', '8']\n['age', 'deck', 'port'] ['age', 'deck', 'port']\n['-1',
#     '0.8', '-0.8']\n['age', 'deck', 'fare', 'port'] 3\n1 Plotting a
#     sparkline on an existing axis is 2\n"
# cut
import warnings

import matplotlib.pyplot as plt
import missingno as msno
import numpy as np
import pandas as pd

gap = np.nan
table = pd.DataFrame({"age": [1, gap, 3, gap, 5, 6, 7, 8],
                      "fare": [1, 2, 3, 4, 5, 6, 7, 8],
                      "deck": [gap, "b", gap, "d", gap, gap, gap, gap],
                      "port": [1, gap, 3, gap, 5, gap, 7, 8]})


def words(labels):
    return [label.get_text() for label in labels]


def pairs(texts):
    return [(round(x), round(y), text.get_text()) for text in texts
            for x, y in [text.get_position()] if text.get_text()]


ax = msno.matrix(table, labels=True)
cells = ax.images[0].get_array()
print(words(ax.get_xticklabels()), words(ax.get_yticklabels()))
print((cells.mean(axis=2) < 1).astype(int).tolist())
line = [one for one in ax.figure.axes if one is not ax][0]
print([int(x) for x in line.lines[0].get_xdata()], words(line.texts),
      words(line.get_xticklabels()), ax.figure.get_size_inches().tolist())
plt.close("all")

ax = msno.bar(table, sort="descending", figsize=(8, 4))
print([float(bar.get_height()) for bar in ax.patches])
print(words(ax.get_xticklabels()),
      [words(one.get_xticklabels()) for one in ax.figure.axes[2:]])
print(tuple(map(float, ax.get_ylim())),
      words(ax.figure.axes[1].get_yticklabels()))
plt.close("all")

ax = msno.heatmap(table, figsize=(6, 4))
print(words(ax.get_xticklabels()), words(ax.get_yticklabels()))
print(words(ax.texts))
plt.close("all")

ax = msno.dendrogram(table)
print(sorted(words(ax.get_xticklabels())), len(ax.collections[0].get_paths()))
plt.close("all")

fig, axes = plt.subplots(1, 2)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    msno.matrix(table, ax=axes[0])
    msno.matrix(table, ax=axes[1], sparkline=False, color="teal")
print(len(caught), str(caught[0].message)[:43], len(fig.axes))
plt.close(fig)
