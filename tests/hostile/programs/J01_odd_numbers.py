# expect: ok
# Numbers that JSON has not got.
[float("nan"), float("inf"), -float("inf"), -0.0, 1e400, 1j]
