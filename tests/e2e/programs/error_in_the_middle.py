# expect: failure
# error: ZeroDivisionError
# line: 12
# stdout: "started\n"
# message-has: "in third"
# message-lacks: ["_terrarium", "runner.py"]
print("started")


def third(x):
    # one above
    return x / 0


def second(x):
    return third(x)


second(1)
print("never")
