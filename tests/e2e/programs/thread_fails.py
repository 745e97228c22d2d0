# expect: success
# stdout: "still here\n"
# stderr-has: ["Exception in thread", "ValueError: in a thread",
#    "File \"<exec>\", line 9, in fail"]
import threading


def fail():
    raise ValueError("in a thread")


thread = threading.Thread(target=fail)
thread.start()
thread.join()
print("still here")
