# expect: success
# final: {"x": "int"}
from __future__ import annotations


def f(x: int):
    pass


f.__annotations__
