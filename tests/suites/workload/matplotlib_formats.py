# One figure in every format, 3-D, mathematics, and dates.
import io
import warnings

import matplotlib.pyplot as plt
import numpy as np

figure, (one, two) = plt.subplots(1, 2, figsize=(6, 3))
one.plot([1, 2, 3], [1, 4, 9], label=r"$x^2 + \frac{1}{2}$")
one.legend()
two.hist(np.arange(100) % 10, bins=10)
starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF",
          "jpg": b"\xff\xd8\xff", "eps": b"%!PS-Adobe", "ps": b"%!PS",
          "tif": b"II*\0", "webp": b"RIFF"}
result = {}
for kind, start in starts.items():
    made = io.BytesIO()
    figure.savefig(made, format=kind)
    result[kind] = made.getvalue().startswith(start)
figure.savefig("to-a-file.pdf")
plt.close(figure)
solid = plt.figure()
axes = solid.add_subplot(projection="3d")
x, y = np.meshgrid(np.linspace(-2, 2, 20), np.linspace(-2, 2, 20))
axes.plot_surface(x, y, np.exp(-x ** 2 - y ** 2), cmap="viridis")
made = io.BytesIO()
solid.savefig(made, format="png", dpi=50)
picture = plt.imread(io.BytesIO(made.getvalue()))
result["3d"] = list(picture.shape)
result["colours"] = len(np.unique(picture.reshape(-1, 4), axis=0)) > 50
with warnings.catch_warnings():
    warnings.simplefilter("error")  # a missing glyph
    flat, axes = plt.subplots()
    axes.set_title("\u4f60\u597d \u00e9\u00df\u0416")
    flat.savefig(io.BytesIO())
plt.close("all")
import os
result["file"] = os.path.getsize("to-a-file.pdf") > 5000
os.remove("to-a-file.pdf")
result
# expected: {
#   "png": true,
#   "svg": true,
#   "pdf": true,
#   "jpg": true,
#   "eps": true,
#   "ps": true,
#   "tif": true,
#   "webp": true,
#   "3d": [240, 320, 4],
#   "colours": true,
#   "file": true
# }
