# expect: success
# stdout-like: ^fib\(0\) = 0\nfib\(5\) = 5\nfib\(10\) = 55\ntook [0-9.]+ s\n$
import time
from concurrent.futures import ProcessPoolExecutor


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


if __name__ == "__main__":
    numbers = [0, 5, 10]
    begin = time.perf_counter()
    with ProcessPoolExecutor() as executor:
        for n, value in zip(numbers, executor.map(fib, numbers, chunksize=2)):
            print(f"fib({n}) = {value}")
    print(f"took {time.perf_counter() - begin:.2f} s")
