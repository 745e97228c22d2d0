import threading
passed = []
def ever():
    while True:
        got, error = knock()
        if got == 0:
            os._exit(0)
        if got > 0:
            passed.append(got)
for _ in range(8):
    threading.Thread(target=ever, daemon=True).start()
