# expect: success
# final: [[1, 4, 9], "ZeroDivisionError", true, "PicklingError",
#    "BrokenProcessPool", 42]
import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed, wait


def square(x):
    return x * x


with ProcessPoolExecutor(max_workers=2) as executor:
    futures = {executor.submit(square, n): n for n in (1, 2, 3)}
    squares = sorted(future.result() for future in as_completed(futures))
    failed = executor.submit(divmod, 1, 0)
    error = type(failed.exception(timeout=5)).__name__
    slow = [executor.submit(time.sleep, 0.1) for _ in range(12)]
    cancelled = slow[-1].cancel()
    wait(slow)
    lost = type(executor.submit(lambda: 1).exception(timeout=5)).__name__
with ProcessPoolExecutor(1) as executor:
    broken = executor.submit(os._exit, 1).exception(timeout=5)
context = multiprocessing.get_context("spawn")
with ProcessPoolExecutor(2, mp_context=context, initializer=square,
                         initargs=(1,)) as executor:
    answer = executor.submit(int, "42").result(timeout=5)
[squares, error, cancelled, lost, type(broken).__name__, answer]
