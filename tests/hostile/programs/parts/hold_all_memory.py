import time
blocks = []
try:
    while True:
        blocks.append(bytearray(b'x') * (4 << 20))
except MemoryError:
    blocks.pop()
time.sleep(1)
len(blocks) * 4
