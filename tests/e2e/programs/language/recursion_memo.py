# expect: success
# stdout: "990979600 BLUE\n{'A': 0, 'B': 1, 'C': 3, 'D': 4}\nx=4\n"
# cut
from functools import lru_cache, reduce, partial
from itertools import groupby, permutations, accumulate
import sys
import heapq
from collections import defaultdict, deque, OrderedDict, namedtuple
from enum import Enum, auto

sys.setrecursionlimit(10000)

@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

class Color(Enum):
    RED = auto()
    BLUE = auto()

print(fib(300) % 10 ** 9, Color.BLUE.name)
graph = {'A': {'B': 1, 'C': 4}, 'B': {'C': 2, 'D': 5}, 'C': {'D': 1}, 'D': {}}
dist, heap = {'A': 0}, [(0, 'A')]
while heap:
    d, u = heapq.heappop(heap)
    for v, w in graph[u].items():
        if d + w < dist.get(v, 1e9):
            dist[v] = d + w
            heapq.heappush(heap, (dist[v], v))
print(dist)
match dist:
    case {'D': int(x)} if x < 5:
        print(f'{x=}')
