# expect: success
# final: [true, true, true, [0.844, 0.134, 0.956]]
# Workers that seed draw what they expect, however many draw at once, and
# others draw different numbers.
import random
from multiprocessing import Pool
from random import random as draw, seed


def inside(args):
    number, points = args
    random.seed(number)
    return sum(random.random() ** 2 + random.random() ** 2 <= 1
               for _ in range(points))


def first(number):
    seed(number)
    return draw()


def unseeded(_):
    return random.random()


tasks = [(n, 20000) for n in range(4)]
before = random.getstate()
with Pool(4) as pool:
    hits = pool.map(inside, tasks, chunksize=1)
    again = pool.map(inside, tasks, chunksize=1)
    alone = pool.map(first, range(3))
    others = set(pool.map(unseeded, range(8), chunksize=1))
untouched = random.getstate() == before
[abs(4 * sum(hits) / 80000 - 3.14159) < 0.05, hits == again and untouched,
 len(others) == 8, [round(x, 3) for x in alone]]
