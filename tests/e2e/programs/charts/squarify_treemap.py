# Squarify: areas of a treemap, and its picture.
# expect: success
# needs: matplotlib
# without: squarify
# stdout:
#     "{'x': 0, 'y': 0, 'dx': 327.72, 'dy': 433.0}\n{'x': 327.72, 'y': 0,
#     'dx': 372.28, 'dy': 330.09}\n{'x': 327.72, 'y': 330.09, 'dx': 215.1,
#     'dy': 102.91}\n{'x': 542.81, 'y': 330.09, 'dx': 68.94, 'dy':
#     102.91}\n{'x': 611.75, 'y': 330.09, 'dx': 88.25, 'dy': 80.4}\n{'x':
#     611.75, 'y': 410.49, 'dx': 88.25, 'dy': 22.51}\n[{'x': 0, 'y': 0,
#     'dx': 2.0, 'dy': 2.0}, {'x': 2.0, 'y': 0, 'dx': 2.0, 'dy': 2.0}]\nTrue
#     3 ['50', '30', '20', 'a', 'b', 'c'] top 0.5 (0.0, 100.0)\n"
# cut
import matplotlib.pyplot as plt
import squarify

areas = squarify.normalize_sizes([500, 433, 78, 25, 25, 7], 700, 433)
for one in squarify.squarify(areas, 0, 0, 700, 433):
    print({name: round(value, 2) for name, value in one.items()})
print(squarify.padded_squarify([4, 4], 0, 0, 4, 2))
fig, ax = plt.subplots()
drawn = squarify.plot([50, 30, 20], label=["a", "b", "c"],
                      value=[50, 30, 20], color=["red", "gold", "navy"],
                      alpha=0.5, pad=True, ax=ax,
                      text_kwargs={"fontsize": 9})
print(drawn is ax, len(ax.patches), [text.get_text() for text in ax.texts],
      ax.texts[0].get_va(), ax.patches[0].get_alpha(),
      tuple(map(float, ax.get_xlim())))
plt.close(fig)
