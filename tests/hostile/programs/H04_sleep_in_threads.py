# expect: timeout timeout_ms=1000
# Forever, at no cost.
import threading

for _ in range(20):
    threading.Thread(target=time.sleep, args=(1e6,)).start()
time.sleep(1e6)
