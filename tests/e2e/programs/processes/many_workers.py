# expect: success
# stdout: "19900\n"
# cut
import time
from concurrent.futures import ThreadPoolExecutor

def fetch(n):
    time.sleep(0.005)
    return n

with ThreadPoolExecutor(max_workers=64) as pool:
    print(sum(pool.map(fetch, range(200))))
