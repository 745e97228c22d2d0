# expect: success
# final: [[1, 2], [0, 1, 4]]
# A process starts processes and threads of its own.
import threading
from multiprocessing import Pool, Process, Queue


def square(x):
    return x * x


def inner(queue):
    with Pool(2) as pool:
        queue.put(pool.map(abs, [-1, -2]))
    found = []

    def work():
        with Pool(2) as pool:
            found.extend(pool.map(square, range(3)))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    queue.put(found)


queue = Queue()
process = Process(target=inner, args=(queue,))
process.start()
process.join()
[queue.get(), queue.get()]
