# expect: success
# stdout: "before\n"
# stderr-has: ["Process Process-2:\nTraceback (most recent call last):",
#    "in fail\n", "ValueError: broken\n", "last words\n"]
# final: [0, 1, 7, 1, 3, -15, -9, false]
import os
import sys
import time
from multiprocessing import Process


def fail():
    raise ValueError("broken")


def at_once():
    print("before", flush=True)
    os._exit(3)


targets = [(abs, (1,)), (fail, ()), (sys.exit, (7,)),
           (sys.exit, ("last words",)), (at_once, ())]
codes = []
for target, args in targets:
    process = Process(target=target, args=args)
    process.start()
    process.join()
    codes.append(process.exitcode)
for end in (Process.terminate, Process.kill):
    process = Process(target=time.sleep, args=(100,))
    process.start()
    process.join(0.05)
    assert process.is_alive() and process.exitcode is None
    end(process)
    process.join()
    codes.append(process.exitcode)
codes + [process.is_alive()]
