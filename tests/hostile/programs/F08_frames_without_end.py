# expect: crash|ok|timeout timeout_ms=3000
# As many small frames as a loop can make, then half of one.
import struct

for _ in range(200000):
    try:
        os.write(3, struct.pack("=II", 1, 0))
    except OSError:
        break
attempt(os.write, 3, b"\1")
time.sleep(30)
