# expect: failure
# error: ValueError
# line: 1
# message-has: "Code context:\n1: raise ValueError('x')"
# cut
raise ValueError('x')
