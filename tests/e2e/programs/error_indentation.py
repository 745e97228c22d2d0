# expect: failure
# error: IndentationError
# line: 5
if True:
print("x")
