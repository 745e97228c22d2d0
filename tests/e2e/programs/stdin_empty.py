# expect: failure
# error: EOFError
# line: 4
input()
