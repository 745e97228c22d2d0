import threading, time
threads = []
try:
    while True:
        t = threading.Thread(target=time.sleep, args=(600,), daemon=True)
        t.start()
        threads.append(t)
except RuntimeError: pass
