# expect: success
# final: "def f():\n    return 1\n"
import inspect


def f():
    return 1


inspect.getsource(f)
