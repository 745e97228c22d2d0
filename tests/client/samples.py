"""Functions for test_functions.py; at odd columns, in odd places."""

from __future__ import annotations

import enum
import functools
import json
import threading
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator, List, NamedTuple, Optional

SETTING = 5
LOCK = threading.Lock()


def add(a, b=2):
    return a + b


def everything(a, /, b, *rest, c=3, **more):
    return [a, b, rest, c, more]


def annotated(x: Optional[List[Any]] = None) -> Callable[..., None]:
    y: json.JSONDecoder = 1  # never evaluated
    return [x, y]


def documented(x):
    """A docstring
with lines at no column at all."""
    text = """
  kept as it is
"""
    return text + str(x)


def importing(numbers):
    import statistics
    from math import floor as down
    return down(statistics.mean(numbers))


def main(n):
    return 1 if n == 0 else n * main(n - 1)


def recursive(n):
    def inner(k):
        return recursive(k - 1)[0] if k else "end"

    class Local:
        word = "of a class"

        def say(self):
            return Local.word
    return [inner(n), Local().say(), [i for i in range(n)]]


def making_globals(x):
    global np_like
    import math as np_like
    return use_np_like(x) if x is None else np_like.floor(x)


def makes_its_own(x):
    global counter
    counter = x
    return counter + 1


def same(x):
    return x


def shape(x):
    return type(x).__name__


def fails(x):
    items = [1]
    return items[x]


def wrong(kind):
    import math
    cycle = [math.pi]
    cycle.append(cycle)
    return {"object": object(), "big": 10 ** 5000, "cycle": cycle}[kind]


def prints(x):
    print("said", x)
    open("left", "w").write("file")
    return None


async def later(x):
    import asyncio
    await asyncio.sleep(0.01)
    return x * 2


def large(n):
    return b"x" * n


class Holder:
    def method(self, x):
        return x

    @staticmethod
    def static(x):
        return x

    @classmethod
    def of_class(cls, x):
        return x


def uses_setting(x):
    return x + SETTING


class Color(enum.Enum):
    RED = 1


@dataclass
class Point:
    x: int
    tags: List[int] = field(default_factory=list)


class Row(NamedTuple):
    a: int
    b: int = 2


def makes_a_point(x) -> Point:
    return Point(x, [x])


def uses_lock():
    return LOCK


def uses_module(x):
    return json.dumps(x)


def uses_both(x, y=SETTING):
    class Inner:
        field = annotated

    def deeper():
        return [same(x) for _ in range(2)]
    return deeper()


def generator() -> Iterator[int]:
    yield 1


async def async_generator() -> Any:
    yield 1


a_lambda = lambda x: x  # noqa: E731


def make_closure(y):
    def closure(x):
        return x + y
    return closure


def make_free():
    if True:
            def odd_column(x):
                if x:
                    return "yes"
                return "no"
    return odd_column


def wrapping(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)
    return wrapper


@wrapping
def wrapped(x):
    return x


a_partial = functools.partial(add, 1)
