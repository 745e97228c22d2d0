# expect: failure
# needs: numpy
# error: MemoryError
# told: ["512 MB", "80.5 GiB", "chunksize"]
# cut
import numpy as np

# full distance matrix of 60,000 points
pts = np.random.rand(60_000, 3)
d = np.sqrt(((pts[:, None, :] - pts[None, :, :]) ** 2).sum(-1))
print(d.mean())
