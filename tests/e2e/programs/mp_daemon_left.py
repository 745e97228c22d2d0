# expect: success
# stdout: "working\nmain is done\nlate\n"
# A daemon ends with the program, and others are waited for.
import time
from multiprocessing import Event, Process


def forever(begun):
    print("working", flush=True)
    begun.set()
    while True:
        pass


def late():
    time.sleep(0.1)
    print("late")


begun = Event()
Process(target=forever, args=(begun,), daemon=True).start()
begun.wait()
Process(target=late).start()
print("main is done")
