# A GIF's opaque frames are RGB, and a film that cannot be written says so.
# needs: imageio numpy
# without: imageio_ffmpeg
# expect: success
# stdout: "(3, 8, 12, 3) 255\nthere is no ffmpeg here, and nothing can be downloaded: write a GIF, imageio.mimsave('film.gif', frames), or a film by cv2.VideoWriter\n"
# files-kinds: {"a.gif": "gif"}
# cut
import imageio.v3 as iio
import numpy as np

frames = np.zeros((3, 8, 12, 3), np.uint8)
for count, frame in enumerate(frames):
    frame[2:5, count:count + 3] = (255, 200, 0)
iio.imwrite("a.gif", frames, duration=100)
back = iio.imread("a.gif", index=None)
print(back.shape, back.max())
try:
    iio.imwrite("a.mp4", frames, fps=10)
except Exception as exc:
    print(exc)
