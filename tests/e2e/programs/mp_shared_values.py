# expect: success
# final: [4000, [0, 1, 4, 9, 16], [1.0, 2.5], 7]
from ctypes import Structure, c_double, c_int
from multiprocessing import Array, Lock, Process, RawArray, Value


class Point(Structure):
    _fields_ = [("x", c_double), ("n", c_int)]


def count(counter, lock):
    for _ in range(1000):
        with lock:
            counter.value += 1


def fill(array, i):
    array[i] = i * i


def move(point):
    point.n += 7


counter, lock = Value("i", 0), Lock()
array, raw, point = Array("i", 5), RawArray("d", [1, 2.5]), Value(Point, 1, 0)
processes = [Process(target=count, args=(counter, lock)) for _ in range(4)]
processes += [Process(target=fill, args=(array, i)) for i in range(5)]
processes += [Process(target=move, args=(point,))]
for process in processes:
    process.start()
for process in processes:
    process.join()
[counter.value, array[:], list(raw), point.n]
