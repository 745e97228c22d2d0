"""selectors - columns by their types and names (import as cs)."""

from __future__ import annotations

import re
from typing import Any, Callable

from . import _types as t
from ._expr import Expr, Picker, flat, literal


class Selector(Expr):
    """Some columns. | & - ^ ~ make other selectors of it."""

    __slots__ = ()

    def __init__(self, test: Callable[[str, Any], bool]) -> None:
        super().__init__("cols", (Picker(test),))

    def _test(self) -> Callable[[str, Any], bool]:
        return self.args[0].test  # type: ignore[no-any-return]

    def _both(self, other: Any, how: Any, word: str) -> Any:
        if not isinstance(other, Selector):
            if isinstance(other, Expr) and other.op == "col":
                other = by_name(other.args[0])
            else:
                return Expr(word, (self, literal(other)))
        one, two = self._test(), other._test()
        return Selector(lambda name, kind: how(one(name, kind),
                                               two(name, kind)))

    def __or__(self, other: Any) -> Any:
        return self._both(other, lambda a, b: a or b, "or_")

    def __and__(self, other: Any) -> Any:
        return self._both(other, lambda a, b: a and b, "and_")

    def __sub__(self, other: Any) -> Any:
        return self._both(other, lambda a, b: a and not b, "sub")

    def __xor__(self, other: Any) -> Any:
        return self._both(other, lambda a, b: a != b, "xor")

    def __invert__(self) -> Any:
        test = self._test()
        return Selector(lambda name, kind: not test(name, kind))

    def exclude(self, columns: Any, *more: Any) -> Any:
        return Expr.exclude(self, columns, *more)

    def as_expr(self) -> Expr:
        return Expr("cols", self.args)


def _of_types(*kinds: Any) -> Callable[[], Selector]:
    return lambda: Selector(lambda name, kind: isinstance(kind, kinds))


def _of_group(word: str) -> Callable[[], Selector]:
    return lambda: Selector(lambda name, kind: word in kind.groups)


def numeric() -> Selector:
    return Selector(lambda name, kind: kind.is_numeric())


integer = _of_group("integer")
signed_integer = _of_group("signed")
unsigned_integer = _of_group("unsigned")
float = _of_group("float")
temporal = _of_group("temporal")
boolean = _of_types(t.Boolean)
categorical = _of_types(t.Categorical)
date = _of_types(t.Date)
time = _of_types(t.Time)
binary = _of_types(t.Binary)
struct = _of_types(t.Struct)
list = _of_types(t.List)
object = _of_types(t.Object)


def string(*, include_categorical: bool = False) -> Selector:
    kinds = (t.String, t.Categorical) if include_categorical else (t.String,)
    return Selector(lambda name, kind: isinstance(kind, kinds))


def datetime(time_unit: Any = None, time_zone: Any = ("*", None)) -> Selector:
    units = [time_unit] if isinstance(time_unit, str) else time_unit
    zones = [time_zone] if not isinstance(time_zone, (tuple, set)) else \
        [*time_zone]
    return Selector(lambda name, kind: isinstance(kind, t.Datetime) and (
        units is None or kind.time_unit in units) and (
        kind.time_zone in zones or "*" in zones and bool(kind.time_zone)))


def duration(time_unit: Any = None) -> Selector:
    units = [time_unit] if isinstance(time_unit, str) else time_unit
    return Selector(lambda name, kind: isinstance(kind, t.Duration) and (
        units is None or kind.time_unit in units))


def all() -> Selector:
    return Selector(lambda name, kind: True)


def by_name(*names: Any, require_all: bool = True) -> Selector:
    wanted = flat(*names)
    found = Selector(lambda name, kind: name in wanted)
    if require_all:
        found.args[0].names = wanted
    return found


def by_dtype(*dtypes: Any) -> Selector:
    wanted = [one if isinstance(one, type) and issubclass(one, t.DataType)
              else t.as_dtype(one) for one in flat(*dtypes)]
    return Selector(lambda name, kind: any(kind == one for one in wanted))


def by_index(*indices: Any) -> Expr:
    from ._functions import nth

    return nth(*flat(*indices))


def first() -> Expr:
    return by_index(0)


def last() -> Expr:
    return by_index(-1)


def contains(*substring: Any) -> Selector:
    wanted = flat(*substring)
    return Selector(lambda name, kind: any(one in name for one in wanted))


def starts_with(*prefix: str) -> Selector:
    return Selector(lambda name, kind: name.startswith(prefix))


def ends_with(*suffix: str) -> Selector:
    return Selector(lambda name, kind: name.endswith(suffix))


def matches(pattern: str) -> Selector:
    find = re.compile(pattern).search
    return Selector(lambda name, kind: find(name) is not None)


def exclude(columns: Any, *more_columns: Any) -> Selector:
    from ._expr import picker_of

    test = picker_of(columns, *more_columns).test
    return Selector(lambda name, kind: not test(name, kind))


def expand_selector(target: Any, selector: Any, *,
                    strict: bool = True) -> Any:
    schema = target if isinstance(target, dict) else target.schema
    return tuple(selector.args[0].pick(schema))


def is_selector(obj: Any) -> bool:
    return isinstance(obj, Selector)
