# Threads, locks, queues, pools, timers, thread-local values.
import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from multiprocessing.pool import ThreadPool

import numpy as np

count, lock = 0, threading.Lock()


def add():
    global count
    for _ in range(1000):
        with lock:
            count += 1


threads = [threading.Thread(target=add) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
result = {"count": count}
with ThreadPoolExecutor(8) as pool:
    result["map"] = list(pool.map(lambda n: n * n, range(10)))
    futures = [pool.submit(time.sleep, 0.001) for _ in range(20)]
    result["completed"] = sum(1 for _ in as_completed(futures))
    result["dots"] = sum(pool.map(
        lambda n: float(np.dot(np.ones(1000), np.ones(1000))), range(8)))
todo: queue.Queue = queue.Queue(2)
seen = []


def take():
    while (item := todo.get()) is not None:
        seen.append(item)


taker = threading.Thread(target=take, daemon=True)
taker.start()
for item in [*range(50), None]:
    todo.put(item)
taker.join()
result["queue"] = len(seen)
event = threading.Event()
threading.Timer(0.01, event.set).start()
result["timer"] = event.wait(5)
barrier = threading.Barrier(2)
other = threading.Thread(target=barrier.wait)
other.start()
barrier.wait(5)
other.join()
condition = threading.Condition()
with condition:
    result["times out"] = condition.wait(0.01)
with ThreadPool(4) as old:
    result["ThreadPool"] = old.map(abs, [-1, -2])
result
# expected: {
#   "count": 8000,
#   "map": [0, 1, 4, 9, 16, 25, 36, 49, 64, 81],
#   "completed": 20,
#   "dots": 8000.0,
#   "queue": 50,
#   "timer": true,
#   "times out": false,
#   "ThreadPool": [1, 2]
# }
