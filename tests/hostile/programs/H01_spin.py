# expect: timeout timeout_ms=1500
# A loop.
while True:
    pass
