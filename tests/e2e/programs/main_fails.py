# expect: failure
# arguments: {"x": 0}
# error: ZeroDivisionError
# line: 8


def main(x):
    return 1 / x
