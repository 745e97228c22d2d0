# expect: success
# final: [["go", "go"], 2, true, 3, ["ready", "used"], "AssertionError"]
import multiprocessing as mp
import time


def await_event(event, queue):
    queue.put("go" if event.wait(5) else "late")


def meet(barrier, arrived, together):
    with arrived.get_lock():
        arrived.value += 1
    barrier.wait(5)
    with together.get_lock():
        together.value += arrived.value == 3


def enter(semaphore, inside, most):
    with semaphore:
        with inside.get_lock():
            inside.value += 1
            most.value = max(most.value, inside.value)
        time.sleep(0.02)
        with inside.get_lock():
            inside.value -= 1


def use(condition, steps):
    with condition:
        condition.wait_for(lambda: len(steps) == 1, 5)
        steps.append("used")


def run(target, *args, count):
    processes = [mp.Process(target=target, args=args) for _ in range(count)]
    for process in processes:
        process.start()
    return processes


event, queue = mp.Event(), mp.Queue()
waiting = run(await_event, event, queue, count=2)
event.set()
heard = [queue.get(timeout=5) for _ in waiting]
arrived, together = mp.Value("i", 0), mp.Value("i", 0)
inside, most = mp.Value("i", 0), mp.Value("i", 0)
condition, steps = mp.Condition(), mp.Manager().list()
waiting += run(meet, mp.Barrier(3), arrived, together, count=3)
waiting += run(enter, mp.Semaphore(2), inside, most, count=5)
waiting += run(use, condition, steps, count=1)
with condition:
    steps.append("ready")
    condition.notify_all()
for process in waiting:
    process.join()
lock = mp.RLock()
with lock, lock:
    twice = True
try:
    lock.release()
except AssertionError as exc:
    error = type(exc).__name__
[heard, most.value, twice, together.value, list(steps), error]
