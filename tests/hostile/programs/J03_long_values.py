# expect: ok|error|timeout timeout_ms=3000
# A number of a million digits.
10 ** 1000000
