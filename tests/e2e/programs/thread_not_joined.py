# A thread that is no daemon is waited for, as at the end of any program.
# expect: success
# stdout: "main ends\nthread ends\n"
import threading
import time


def late():
    time.sleep(0.1)
    print("thread ends")


threading.Thread(target=late).start()
print("main ends")
