# expect: success
# final: [[10, 20, 30], true]
import os
import signal
from multiprocessing import Pool

factor = None


def begin(value):
    global factor
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    factor = value


def scaled(x):
    return x * factor


def number(_):
    return os.getpid()


with Pool(2, initializer=begin, initargs=(10,), maxtasksperchild=1) as pool:
    values = pool.map(scaled, [1, 2, 3])
    numbers = set(pool.map(number, range(6), chunksize=1))
[values, len(numbers) == 6 and os.getpid() not in numbers]
