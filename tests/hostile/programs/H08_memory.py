# expect: memory memory_mb=200
# As much memory as there is.
kept = []
while True:
    kept.append(bytearray(os.urandom(1 << 20)) * 8)
