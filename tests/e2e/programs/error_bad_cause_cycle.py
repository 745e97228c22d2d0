# expect: failure
# error: ValueError
# line: 6
a, b = ValueError("a"), KeyError("b")
a.__cause__, b.__cause__ = b, a
raise a
