# imageio.v3, and durations of frames in milliseconds.
# expect: success
# needs: imageio PIL
# final: [[4, 32, 32, 3], 4, [32, 32, 3], 50, [32, 32, 3], [8, 8], 50, 50, 4]
# files-kinds: {"a.gif": "gif", "b.gif": "gif", "c.gif": "gif", "p.png": "png",
#    "g.png": "png"}
# cut
import imageio
import imageio.v3 as iio
import numpy as np
from PIL import Image

frames = []
for step in range(4):
    frame = np.zeros((32, 32, 3), np.uint8)
    frame[:, : step * 8] = [255, 10 * step, 0]
    frames.append(frame)
iio.imwrite("a.gif", np.stack(frames), duration=50, loop=0)
iio.imwrite("p.png", frames[2])
iio.imwrite("g.png", np.zeros((8, 8), np.uint8))
imageio.mimsave("b.gif", frames, duration=50)
with imageio.get_writer("c.gif", mode="I", duration=50) as writer:
    for frame in frames:
        writer.append_data(frame)
[list(iio.imread("a.gif").shape), iio.improps("a.gif").n_images,
 list(iio.imread("a.gif", index=1).shape), Image.open("a.gif").info["duration"],
 list(iio.imread("p.png").shape), list(iio.imread("g.png").shape),
 Image.open("b.gif").info["duration"], Image.open("c.gif").info["duration"],
 len(list(iio.imiter("a.gif")))]
