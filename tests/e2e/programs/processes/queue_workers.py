# expect: success
# stdout: "[(0, 0), (1, 1), (2, 8), (3, 27), (4, 64), (5, 125)] 6\n"
# cut
from multiprocessing import Manager, Process, Queue, Value

def worker(q, results, counter):
    while (item := q.get()) is not None:
        results[item] = item ** 3
        with counter.get_lock():
            counter.value += 1

if __name__ == "__main__":
    q, counter = Queue(), Value('i', 0)
    results = Manager().dict()
    procs = [Process(target=worker, args=(q, results, counter))
             for _ in range(3)]
    for p in procs:
        p.start()
    for n in range(6):
        q.put(n)
    for _ in procs:
        q.put(None)
    for p in procs:
        p.join()
    print(sorted(results.items()), counter.value)
