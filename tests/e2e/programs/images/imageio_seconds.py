# Debian 12's imageio takes seconds; a program may be written for either.
# expect: success
# needs: imageio PIL
# without: python:3.12
# final: 50
# files-kinds: {"c.gif": "gif"}
# cut
import imageio
import numpy as np
from PIL import Image

with imageio.get_writer("c.gif", mode="I", duration=0.05) as writer:
    for step in range(3):
        writer.append_data(np.full((8, 8, 3), step * 100, np.uint8))
Image.open("c.gif").info["duration"]
