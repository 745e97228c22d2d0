# expect: failure
# error: PicklingError
# message-has: "Can't pickle <function <lambda>"
from multiprocessing import Pool

with Pool(2) as pool:
    pool.map(lambda x: x, [1])
