import threading, time
n = 0
def count():
    global n
    while True:
        n += 1
        time.sleep(0.001)
threading.Thread(target=count, daemon=True).start()
time.sleep(0.2)
None
