# expect: success
# final: [4950, 45]
# More workers than there may be threads.
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool

with Pool(64) as pool, ProcessPoolExecutor(max_workers=64) as executor:
    sums = [sum(pool.map(abs, range(-99, 1))),
            sum(executor.map(abs, range(10)))]
sums
