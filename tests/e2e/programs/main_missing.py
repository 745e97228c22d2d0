# expect: failure
# arguments: {}
# error: NameError
# message-has: "main"
x = 1
