# expect: success
# final: [[0, 1, 4, 9], [1, 2], true, true, false]
from multiprocessing.pool import ThreadPool
import multiprocessing

with ThreadPool(3) as pool:
    squares = pool.map(lambda x: x * x, range(4))
    later = [r.get() for r in [pool.apply_async(abs, (-1,)),
                               pool.apply_async(abs, (-2,))]]
lock = multiprocessing.RLock()
lock.acquire()
again = lock.acquire(timeout=1)
lock.release()
lock.release()
semaphore = multiprocessing.BoundedSemaphore(1)
[squares, later, again, semaphore.acquire(), semaphore.acquire(timeout=0.05)]
