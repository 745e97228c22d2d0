# A treemap.
# expect: success
# results: ["image/png"]
# needs: matplotlib
# stdout: "[0, 0, 327.7154, 433.0] [327.7154, 0, 372.2846, 330.0863]\n303100
#     6 1\nA\n50 4 (0.0, 100.0) 0.8\n"
# cut
import matplotlib.pyplot as plt
import squarify

values = squarify.normalize_sizes([500, 433, 78, 25, 25, 7], 700, 433)
rects = squarify.squarify(values, 0, 0, 700, 433)
print([round(rects[0][key], 4) for key in ("x", "y", "dx", "dy")],
      [round(rects[1][key], 4) for key in ("x", "y", "dx", "dy")])
print(round(sum(one["dx"] * one["dy"] for one in rects)), len(rects),
      round(squarify.padded_squarify(values, 0, 0, 700, 433)[0]["x"]))
sizes, labels = [50, 25, 12, 8], ["A\n50", "B\n25", "C\n12", "D\n8"]
plt.figure(figsize=(6, 4))
ax = squarify.plot(sizes=sizes, label=labels, alpha=0.8, pad=True,
                   color=["red", "green", "blue", "grey"],
                   text_kwargs={"fontsize": 9})
print([text.get_text() for text in ax.texts][0], len(ax.patches),
      tuple(map(float, ax.get_xlim())), ax.patches[0].get_alpha())
plt.axis("off")
plt.title("Treemap")
plt.show()
