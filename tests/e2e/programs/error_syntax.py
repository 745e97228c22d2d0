# expect: failure
# error: SyntaxError
# line: 7
# message-has: ["SyntaxError: ", "7: print(x"]
x = 1
y = 2
print(x
z = 3
