# expect: success
# stdout: "all 10 tasks done: 285\n"
from multiprocessing import JoinableQueue, Process, Value


def worker(tasks, total):
    while True:
        n = tasks.get()
        if n is None:
            tasks.task_done()
            break
        with total.get_lock():
            total.value += n * n
        tasks.task_done()


tasks, total = JoinableQueue(), Value("i", 0)
workers = [Process(target=worker, args=(tasks, total), daemon=True)
           for _ in range(3)]
for one in workers:
    one.start()
for n in range(10):
    tasks.put(n)
tasks.join()
print(f"all 10 tasks done: {total.value}")
for _ in workers:
    tasks.put(None)
for one in workers:
    one.join()
