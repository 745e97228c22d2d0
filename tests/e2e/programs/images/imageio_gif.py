# expect: success
# needs: imageio
# files-kinds: {"blink.gif": "gif"}
# stdout: "5\n"
# stderr-like: .*
# cut
import imageio
import numpy as np

frames = [np.full((32, 32, 3), i * 50, dtype=np.uint8) for i in range(5)]
imageio.mimsave('/mnt/data/blink.gif', frames, duration=0.2)
print(len(imageio.mimread('/mnt/data/blink.gif')))
