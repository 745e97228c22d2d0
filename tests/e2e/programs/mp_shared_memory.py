# expect: success
# needs: numpy
# final: [[2.0, 4.0, 6.0], [1, "b", 3.5], "FileNotFoundError", true]
from multiprocessing import Process, shared_memory

import numpy as np


def double(name, shape, dtype):
    there = shared_memory.SharedMemory(name=name)
    array = np.ndarray(shape, dtype=dtype, buffer=there.buf)
    array *= 2
    del array
    there.close()


def close(block):
    block.close()


data = np.array([1.0, 2.0, 3.0])
block = shared_memory.SharedMemory(create=True, size=data.nbytes)
shared = np.ndarray(data.shape, dtype=data.dtype, buffer=block.buf)
shared[:] = data
for target, args in ((double, (block.name, data.shape, data.dtype)),
                     (close, (block,))):
    process = Process(target=target, args=args)
    process.start()
    process.join()
result = shared.tolist()
del shared
block.close()
block.unlink()
items = shared_memory.ShareableList([1, "a", 3.5])
items[1] = "b"
listed = list(shared_memory.ShareableList(name=items.shm.name))
try:
    shared_memory.SharedMemory(name=block.name)
except FileNotFoundError as exc:
    missing = type(exc).__name__
from multiprocessing.managers import SharedMemoryManager
with SharedMemoryManager() as manager:
    ours = manager.SharedMemory(size=16)
[result, listed, missing, ours.size == 16]
