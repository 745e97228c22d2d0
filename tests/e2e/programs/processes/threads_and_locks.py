# expect: success
# stdout: "10000 10\ntick\n"
# cut
import queue
import threading
import time

counter, lock = 0, threading.Lock()
q = queue.Queue()

def work():
    global counter
    for _ in range(1000):
        with lock:
            counter += 1
    q.put(threading.current_thread().name)

threads = [threading.Thread(target=work, name=f'w{i}') for i in range(10)]
[t.start() for t in threads]
[t.join() for t in threads]
print(counter, q.qsize())
timer = threading.Timer(0.01, print, args=('tick',))
timer.start(); timer.join();
