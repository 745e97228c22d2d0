# expect: failure
# arguments: {"y": 1}
# error: TypeError
# message-has: ["unexpected keyword argument 'y'"]


def main(x):
    return x
