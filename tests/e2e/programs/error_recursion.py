# expect: failure
# error: RecursionError
# message-has: ["maximum recursion depth exceeded", "more times]",
#    "7:     return down(n + 1)"]
def down(n):
    return down(n + 1)


down(0)
