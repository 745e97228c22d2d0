# expect: timeout|crash timeout_ms=2000
# Sixteen threads that need no lock.
import hashlib
import threading

data = b"x" * (32 << 20)


def work():
    while True:
        hashlib.sha256(data).digest()


for _ in range(16):
    threading.Thread(target=work, daemon=True).start()
time.sleep(60)
