# expect: success
# final: [[1], true, "Empty", "Full", 1]
import queue as queues
from multiprocessing import Queue

queue = Queue(1)
items = [1]
queue.put(items)
items.append(2)
full = queue.full()
try:
    queue.put(3, timeout=0.05)
except queues.Full as exc:
    refused = type(exc).__name__
size = queue.qsize()
got = queue.get()
try:
    queue.get_nowait()
except queues.Empty as exc:
    missing = type(exc).__name__
[got, full, missing, refused, size]
