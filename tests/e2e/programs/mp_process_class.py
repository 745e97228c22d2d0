# expect: success
# final: [[0, 0], [1, 1], [2, 4], [3, 9]]
import multiprocessing


class Squarer(multiprocessing.Process):
    def __init__(self, number, results):
        super().__init__()
        self.number = number
        self.results = results

    def run(self):
        self.results.put((self.number, self.number ** 2))


results = multiprocessing.Queue()
workers = [Squarer(n, results) for n in range(4)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
found = []
while not results.empty():
    found.append(results.get())
sorted(found)
