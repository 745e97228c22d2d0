# expect: failure
# error: TypeError
# line: 9
# message-has: ["ValueError: first",
#    "During handling of the above exception, another exception occurred"]
try:
    raise ValueError("first")
except ValueError:
    "a" + 1
