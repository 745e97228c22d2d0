# expect: success
# final: [0, 1, 4, 9]
import threading
out = [None] * 4


def work(i):
    out[i] = i * i


threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
out
