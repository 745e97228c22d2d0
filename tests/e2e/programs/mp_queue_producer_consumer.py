# expect: success
# stdout: "consumed [0, 1, 4, 9, 16]\ndone\n"
from multiprocessing import Process, Queue


def producer(queue, count):
    for i in range(count):
        queue.put(i * i)
    queue.put(None)
    queue.close()


def consumer(queue, results):
    items = []
    while True:
        item = queue.get()
        if item is None:
            break
        items.append(item)
    results.put(items)


if __name__ == "__main__":
    queue, results = Queue(maxsize=2), Queue()
    first = Process(target=producer, args=(queue, 5))
    second = Process(target=consumer, args=(queue, results))
    first.start()
    second.start()
    print("consumed", results.get(timeout=5))
    first.join()
    second.join()
    print("done")
