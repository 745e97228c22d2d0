# Imports of notebook services that have nothing to do here.
# expect: success
# needs: cv2 tqdm
# without: google nest_asyncio ipywidgets
# stdout: "[1, 2]\n"
# stderr-like: 100%
# results: ["image/png"]
# files-out: {"a.txt": ""}
# cut
import asyncio

import google.colab
import nest_asyncio
import numpy as np
from google.colab import files
from google.colab.patches import cv2_imshow
from tqdm.notebook import tqdm, trange

nest_asyncio.apply()


async def main():
    await asyncio.sleep(0)
    return [1, 2]


print(asyncio.run(main()))
cv2_imshow(np.zeros((4, 4, 3), np.uint8))
for _ in tqdm(range(3)):
    pass
for _ in trange(2):
    pass
open("a.txt", "w").close()
files.download("a.txt")
