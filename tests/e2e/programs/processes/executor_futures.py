# expect: success
# stdout: "[False, True, True]\n[11, 13]\n"
# cut
from concurrent.futures import (ProcessPoolExecutor, ThreadPoolExecutor,
                                as_completed)
import math

def is_prime(n):
    return n > 1 and all(n % d for d in range(2, math.isqrt(n) + 1))

numbers = [112272535095293, 15, 97, 1099511627689]
with ProcessPoolExecutor(max_workers=4) as ex:
    print(list(ex.map(is_prime, [15, 97, 7919])))
with ThreadPoolExecutor(max_workers=8) as ex:
    futures = {ex.submit(is_prime, n): n for n in (10, 11, 12, 13)}
    print(sorted(futures[f] for f in as_completed(futures) if f.result()))
