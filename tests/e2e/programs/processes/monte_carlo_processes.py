# expect: success
# stdout-has: ["pi 3.1"]
# cut
import random, os
from multiprocessing import Pool, cpu_count
def trial(args):
    seed, n = args; r = random.Random(seed)
    return sum(r.random()**2 + r.random()**2 <= 1 for _ in range(n))
def main():
    n = 20000
    with Pool(min(4, cpu_count())) as p:
        hits = sum(p.map(trial, [(s, n) for s in range(4)]))
    print("pi", round(4 * hits / (4 * n), 2))
if __name__ == "__main__":
    main()
