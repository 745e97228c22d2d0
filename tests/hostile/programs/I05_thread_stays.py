# expect: timeout|ok timeout_ms=1000
# A thread that outlives its program.
import threading


def forever():
    while True:
        time.sleep(0.1)


threading.Thread(target=forever).start()
print("the program has ended")
