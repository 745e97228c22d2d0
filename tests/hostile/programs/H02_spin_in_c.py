# expect: timeout timeout_ms=1500
# A computation that looks at no signal.
9 ** 9 ** 9
