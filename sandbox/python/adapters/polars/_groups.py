"""_groups - codes of values, and the groups that equal values make."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Iterable

import numpy as np
import pandas as pd

from . import _types as t


def _hashable(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_hashable, value))
    if isinstance(value, dict):
        return tuple((name, _hashable(one)) for name, one in value.items())
    return value


def _of_objects(kind: Any, values: Any) -> Any:
    if isinstance(kind, t.Enum):
        order = {one: at for at, one in enumerate(kind.categories)}
        return np.array([order.get(one, -1) for one in values], "i8")
    if isinstance(kind, (t.List, t.Struct)):
        found = np.empty(len(values), object)
        for at, one in enumerate(values):
            found[at] = _hashable(one)
        values = found
    lexical = not isinstance(kind, t.Categorical) or \
        kind.ordering == "lexical"
    if not isinstance(kind, (t.List, t.Struct)):
        return pd.factorize(values, sort=lexical)[0].astype("i8")
    found = pd.factorize(values)[0].astype("i8")
    firsts = {int(code): one for code, one in zip(found, values)
              if code >= 0}
    try:
        order = sorted(firsts, key=firsts.__getitem__)
    except TypeError:
        return found
    places = np.empty(len(order), "i8")
    places[order] = np.arange(len(order))
    return np.where(found < 0, -1, places[found]) if len(order) else found


def codes(series: Any) -> Any:
    """Whole numbers in the order of the values; -1 for null."""
    kind, values, mask = series.dtype, series._v, series._m
    if isinstance(kind, t.Null):
        return np.full(len(values), -1, "i8")
    if t.is_object(kind):
        return _of_objects(kind, values)
    if isinstance(kind, t.Boolean):
        found = values.astype("i8")
    else:
        if values.dtype.kind in "mM":
            values = values.view("i8")
        if values.dtype.kind == "f":
            values = values + 0.0       # -0.0 is 0.0
        found = np.unique(values, return_inverse=True)[1]
        found = found.astype("i8").reshape(-1)
    return found if mask is None else np.where(mask, -1, found)


def combined(many: Iterable[Any], length: int = 0) -> Any:
    """One code for the codes of several columns."""
    found = None
    for one in many:
        if found is None:
            found = one
            continue
        found = pd.factorize(found)[0].astype("i8")
        top = int(one.max(initial=-1)) + 2
        found = found * top + (one + 1)
    return np.zeros(length, "i8") if found is None else found


class Groups:
    """For each row the number of its group, and how many groups there are."""

    def __init__(self, of: Any, count: int) -> None:
        self.of, self.count = of, count

    @staticmethod
    def one(length: int) -> "Groups":
        return Groups(np.zeros(length, "i8"), 1)

    @staticmethod
    def by(columns: list[Any], length: int = 0) -> "Groups":
        """Groups of equal values, in the order in which they appear."""
        numbers, firsts = pd.factorize(combined(map(codes, columns), length))
        return Groups(numbers.astype("i8"), len(firsts))

    @cached_property
    def order(self) -> Any:
        """The rows, group after group."""
        if self.count <= 1:
            return np.arange(len(self.of))
        return np.argsort(self.of, kind="stable")

    @cached_property
    def sizes(self) -> Any:
        return np.bincount(self.of, minlength=self.count)[:self.count]

    @cached_property
    def ends(self) -> Any:
        return np.cumsum(self.sizes)

    @cached_property
    def starts(self) -> Any:
        return self.ends - self.sizes

    def rows(self) -> list[Any]:
        """Of each group, the rows."""
        return [self.order[start:end] for start, end in
                zip(self.starts.tolist(), self.ends.tolist())]

    def where(self, keep: Any) -> "Groups":
        return Groups(self.of[keep], self.count)

    def reduce(self, how: Any, values: Any, empty: Any) -> Any:
        """HOW of each group's VALUES, and EMPTY for a group of none."""
        found = np.full(self.count, empty, values.dtype)
        some = self.sizes > 0
        if some.any():
            found[some] = how.reduceat(values[self.order], self.starts[some])
        return found

    def same(self, other: "Groups") -> bool:
        return self is other or (
            self.count == other.count and len(self.of) == len(other.of) and
            bool((self.of == other.of).all()))
