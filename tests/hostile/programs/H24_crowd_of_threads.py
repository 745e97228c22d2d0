# expect: timeout|ok|error timeout_ms=2500
# Threads that come and go as fast as they can be made.
import threading

while True:
    try:
        threading.Thread(target=time.sleep, args=(0.001,)).start()
    except RuntimeError:
        time.sleep(0.001)
