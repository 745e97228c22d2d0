# expect: memory memory_mb=200
# A little that becomes much.
import gzip

bomb = gzip.compress(b"\0" * (64 << 20))
kept = []
while True:
    kept.append(gzip.decompress(bomb))
