# expect: timeout timeout_ms=1200
# Calls in which the kernel stays long.
import threading


def read():
    block = bytearray(64 << 20)
    with open("/dev/zero", "rb", buffering=0) as zeros:
        while True:
            zeros.readinto(block)


threading.Thread(target=read, daemon=True).start()
while True:
    os.urandom(32 << 20)
