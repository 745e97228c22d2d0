# expect: failure
# error: RuntimeError
# line: 11
# message-has: ["KeyError: 'k'", "RuntimeError: outer",
#    "The above exception was the direct cause of the following",
#    "line 9, in <module>"]
table = {}
try:
    table["k"]
except KeyError as error:
    raise RuntimeError("outer") from error
