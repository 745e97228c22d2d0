# Deep recursion: an error, not a crash; and deep structures.
import copy
import json
import pickle
import sys
import threading


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


def forever():
    return forever()


result = {"shallow": depth(900)}
try:
    forever()
except RecursionError:
    result["forever"] = "RecursionError"
sys.setrecursionlimit(20000)
result["deep"] = depth(15000)
nested = []
for _ in range(500):
    nested = [nested]
result["pickle"] = str(pickle.loads(pickle.dumps(nested))) == str(nested)
result["json"] = len(json.dumps(nested))
result["copy"] = str(copy.deepcopy(nested)) == str(nested)
try:
    json.loads("[" * 100000)
except RecursionError:
    result["loads"] = "RecursionError"
except ValueError as error:
    result["loads"] = type(error).__name__
sys.setrecursionlimit(1000)
kept = []
thread = threading.Thread(target=lambda: kept.append(depth(900)))
thread.start()
thread.join()
result["thread"] = kept
result
# expected: {
#   "shallow": 900,
#   "forever": "RecursionError",
#   "deep": 15000,
#   "pickle": true,
#   "json": 1002,
#   "copy": true,
#   "loads": "RecursionError",
#   "thread": [900]
# }
