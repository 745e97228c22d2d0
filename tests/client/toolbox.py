"""Tools as frameworks have them: static and class methods, with the imports,
constants and helpers of their module; for test_names.py."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import enum
import functools
import json
import logging
import math as m
import os.path
import re
import threading
import xml.etree.ElementTree
import xml.etree.ElementTree as ET
from collections import Counter, namedtuple
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, cast

import helpers
import numpy as np
from helpers import LIMIT as OTHER_LIMIT
from helpers import clean, shout

log = logging.getLogger(__name__)
LIMIT = 10
NAMES = {"a": 1, "b": [2, b"\0"]}
WORD = re.compile(r"[a-z]+", re.I)
STOP = frozenset({"the", "a"})
SEEN = {1, 2}
PAIR = (1, (2, 3))
HOME = Path("/tmp/x")
DAY = date(2024, 2, 29)
STEP = timedelta(hours=1)
PRICE = Decimal("1.10")
NOTHING = None
LOCK = threading.Lock()
cache: Dict[str, int] = {}
count = 0


class Color(enum.Enum):
    RED = 1
    GREEN = "g"


class Access(enum.Flag):
    READ = 1
    WRITE = 2


@dataclass
class Point:
    x: int
    y: int = LIMIT
    tags: List[str] = field(default_factory=list)

    def size(self) -> float:
        return m.hypot(self.x, self.y)


@dataclass(frozen=True)
class Line:
    start: Point
    end: Optional[Point] = None
    color: Color = Color.RED


class Row(NamedTuple):
    name: str
    value: float = 0.5


Pair = namedtuple("Pair", "left right", defaults=[7])


class ToolError(ValueError):
    """Of the tools."""


class Stateful:
    def __init__(self) -> None:
        self.x = 1


class Base:
    unit = "m"


class Tools(Base):
    """A framework's tools."""

    rate = 3
    names = ["x", "y"]
    hidden = threading.Lock()

    @staticmethod
    def area(width: int, height: int = LIMIT) -> int:
        return width * height

    @staticmethod
    def uses_its_class(x: int) -> str:
        return f"{x * Tools.rate} {Tools.unit} {Tools.area(1)}"

    @classmethod
    def of_class(cls, x: int) -> Any:
        return [x * cls.rate, cls.names, cls.helper(x), cls.__name__]

    @classmethod
    def helper(cls, x: int) -> str:
        return f"{x}{cls.unit}"

    @classmethod
    def all_of_it(cls) -> Any:
        return sorted(name for name in vars(cls) if name[0] != "_")

    @staticmethod
    def uses_hidden() -> Any:
        return Tools.hidden

    @staticmethod
    def LIMIT() -> int:
        return LIMIT

    @classmethod
    def makes(cls) -> Any:
        return cls()

    def method(self) -> None:
        pass

    @classmethod
    def uses_method(cls) -> Any:
        return cls.method

    class Inner:
        @staticmethod
        def deep(x: int) -> int:
            return x + 1


def registered(function: Any) -> Any:
    function.is_tool = True
    return function


def retried(times: int) -> Any:
    def decorate(function: Any) -> Any:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            return [function(*args, **kwargs) for _ in range(times)][-1]
        return wrapper
    return decorate


@registered
def words(text: str) -> Dict[str, int]:
    log.debug("counting")
    found = [clean(word) for word in WORD.findall(text)]
    return dict(Counter(word for word in found if word not in STOP))


@retried(2)
def doubly(x: int) -> int:
    return twice(x)


def twice(x: int) -> int:
    return x * 2


@functools.lru_cache(maxsize=None)
def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@contextlib.contextmanager
def marked(out: List[str]) -> Any:
    out.append("in")
    yield out
    out.append("out")


def by_squares(n: int) -> Any:
    for k in range(n):
        yield k * k


def uses_decorated(n: int) -> Any:
    out: List[str] = []
    with marked(out):
        out.append(str(fib(n)))
    return [out, list(by_squares(n))]


def constants() -> Any:
    return [LIMIT, NAMES, SEEN, PAIR, HOME, DAY, STEP, PRICE, NOTHING, STOP]


def imports(x: float) -> Any:
    root = ET.fromstring("<a><b/></a>")
    return [m.floor(x), os.path.join("a", "b"), json.dumps({"x": 1}),
            len(root), xml.etree.ElementTree.fromstring("<c/>").tag,
            int(np.linalg.norm(np.array([3, 4]))),
            collections.OrderedDict(a=1)["a"], cast(Any, 5), Path("q").name]


def two_modules() -> Any:
    return [LIMIT, OTHER_LIMIT, shout("x"), helpers.clean(" Y "),
            helpers.LIMIT]


def even(n: int) -> bool:
    return n == 0 or odd(n - 1)


def odd(n: int) -> bool:
    return n != 0 and even(n - 1)


def with_default(x: int, limit: int = LIMIT, *, by: Any = Color.RED) -> Any:
    return [x + limit, by]


def remembers(key: str) -> Any:
    global count
    count += 1
    cache[key] = count
    return [cache, count]


def points(n: int) -> List[Point]:
    return [Point(k, tags=["t"]) for k in range(n)]


def line_of(point: Point) -> Line:
    return Line(point, Point(int(point.size())), Color.GREEN)


def records() -> Any:
    return [Row("r"), Pair(1), Pair(1, 2), Access.READ | Access.WRITE,
            Color("g")]


def same(x: Any) -> Any:
    return x


def kind_of(x: Any) -> str:
    return type(x).__name__


def raises(x: int) -> Any:
    if x:
        raise ToolError(f"no {x}")
    return fails_below(x)


def fails_below(x: int) -> Any:
    return helpers.divide(1, x)


def uses_lock() -> Any:
    return LOCK


def uses_stateful() -> Any:
    return Stateful().x


def uses_module_whole() -> Any:
    return helpers


def uses_missing() -> Any:
    return not_there  # noqa: F821


def uses_lambda() -> Any:
    return small(1)


def uses_closure() -> Any:
    return closed(1)


def uses_partial() -> Any:
    return part(1)


def uses_deep() -> Any:
    return helpers.needs_lock()


def uses_file() -> Any:
    return __file__


small = lambda x: x  # noqa: E731
part = functools.partial(twice, 2)


def make_closed(y: int) -> Any:
    def inner(x: int) -> int:
        return x + y
    return inner


closed = make_closed(2)
calls_wrapped = retried(2)(twice)


def uses_wrapped() -> Any:
    return calls_wrapped(1)
