# expect: error timeout_ms=3000
# An exception that cannot be told.
class Odd(Exception):
    def __str__(self):
        raise ValueError("no")

    __repr__ = __str__


one, two = Odd(), Odd()
one.__cause__, two.__cause__ = two, one
raise one
