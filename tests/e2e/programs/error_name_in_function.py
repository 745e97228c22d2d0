# expect: failure
# error: NameError
# line: 8
# message-has: ["NameError: name 'missing' is not defined", "in look"]


def look():
    return missing


look()
