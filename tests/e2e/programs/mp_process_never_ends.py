# expect: failure
# error: timeout
# timeout_ms: 1000
# stdout: "main is done\n"
# stderr-has: "the time limit was reached"
# exit-code: 1
import time
from multiprocessing import Process


def forever():
    while True:
        time.sleep(0.01)


Process(target=forever).start()
print("main is done")
