# expect: success
# final: ["work", "run"]
# A worker finds no frame behind the library's.
import inspect
from multiprocessing import Process, Queue


def work(queue):
    queue.put([frame.function for frame in inspect.stack()])


queue = Queue()
process = Process(target=work, args=(queue,))
process.start()
process.join()
queue.get()
