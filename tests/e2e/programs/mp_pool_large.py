# expect: success
# needs: numpy
# final: [8000000, 1000000.0]
# Arguments and results beyond a pipe's buffer.
from multiprocessing import Pool

import numpy as np


def ones(n):
    return np.ones(n)


with Pool(2) as pool:
    parts = pool.map(ones, [500000, 500000])
    size = pool.apply(np.ndarray.__len__, (np.concatenate(parts),)) * 8
[size, float(sum(part.sum() for part in parts))]
