# expect: success
# needs: numpy
# final: [true, 3, [[0, 0.834419, 1029211011], [1, 0.289831, 924495095],
#    [2, 0.252099, 864886796]]]
# Processes draw different numbers, the same at each run of a seeded program.
from multiprocessing import Process, Queue

import numpy as np
from numpy.random import rand


def draw(queue, i):
    queue.put((i, round(rand(), 6), int(np.random.randint(1 << 30))))


np.random.seed(7)
queue = Queue()
processes = [Process(target=draw, args=(queue, i)) for i in range(3)]
for process in processes:
    process.start()
for process in processes:
    process.join()
drawn = sorted(queue.get() for _ in processes)
untouched = np.random.random_sample()
np.random.seed(7)
[untouched == np.random.random_sample(), len({row[1:] for row in drawn}),
 drawn]
