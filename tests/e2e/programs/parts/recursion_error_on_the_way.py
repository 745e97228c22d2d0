import json, threading
def closure(x):
    return lambda: x
def f():
    value = a_dict = 0
    for _ in range(100_000):
        value, a_dict = closure(value), {1: a_dict}
    del value
    try:
        json.dumps(a_dict)
    except RecursionError:
        said.append("counted")
said = []
