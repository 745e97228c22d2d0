# expect: success
# final: [1, 2, 3, 4, 5, 6, 7, 8]
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool:
    out = list(pool.map(lambda x: x + 1, range(8)))
out
