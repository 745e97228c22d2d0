# expect: success
# final: [100, 4950]
# More than there may be threads, each for a moment.
import time
from multiprocessing import Process, Queue


def work(queue, n):
    time.sleep(0.01)
    queue.put(n)


queue = Queue()
processes = [Process(target=work, args=(queue, n)) for n in range(100)]
for process in processes:
    process.start()
for process in processes:
    process.join()
found = [queue.get() for _ in processes]
[len(found), sum(found)]
