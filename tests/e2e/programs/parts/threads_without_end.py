import threading
stop = threading.Event()
made = []
try:
    for _ in range(5000):
        t = threading.Thread(target=stop.wait)
        t.start()
        made.append(t)
    out = 'no end'
except RuntimeError as error:
    out = str(error)
stop.set()
[out, 4 <= len(made) < 5000]
