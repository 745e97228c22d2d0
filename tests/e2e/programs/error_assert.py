# expect: failure
# error: AssertionError
# line: 5
# message-has: "AssertionError: two is not three"
assert 2 == 3, "two is not three"
