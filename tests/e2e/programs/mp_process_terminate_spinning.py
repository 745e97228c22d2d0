# expect: success
# final: [true, -15, 1]
# It ends, not only in name: its thread is gone.
import threading
import time
from multiprocessing import Process


def spin():
    while True:
        sum(range(100))


process = Process(target=spin)
process.start()
process.join(timeout=0.1)
alive = process.is_alive()
process.terminate()
process.join()
while threading.active_count() > 1:
    time.sleep(0.01)
[alive, process.exitcode, threading.active_count()]
