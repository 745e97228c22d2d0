"""_group - group_by: aggregates of the rows with equal keys.

Groups stand in the order of their first rows (polars has no order of its own
without maintain_order=True).
"""

from __future__ import annotations

from typing import Any, Callable, Iterator

import numpy as np

from ._eval import aggregated, unique_names
from ._expr import Expr, everything, exprs_of
from ._groups import Groups
from .exceptions import ComputeError


def _all() -> Expr:
    return Expr("cols", (everything(),))


class Aggregates:
    """Short ways to agg(), for all columns."""

    def agg(self, *aggs: Any, **named_aggs: Any) -> Any:
        raise NotImplementedError

    def all(self) -> Any:
        return self.agg(_all())

    def len(self, name: str = "len") -> Any:
        return self.agg(Expr("len", (name,)))

    def count(self) -> Any:
        return self.len("count")

    def quantile(self, quantile: float,
                 interpolation: str = "nearest") -> Any:
        return self.agg(_all().quantile(  # type: ignore[attr-defined]
            quantile, interpolation))


def _give(name: str) -> Callable[[Aggregates], Any]:
    return lambda self: self.agg(getattr(_all(), name)())


for _name in ("sum", "mean", "median", "min", "max", "first", "last",
              "n_unique"):
    setattr(Aggregates, _name, _give(_name))


class GroupBy(Aggregates):
    """Of a frame, by keys."""

    def __init__(self, frame: Any, keys: list[Any]) -> None:
        self._frame, self._keys = frame, keys
        if not keys:
            raise ComputeError("at least one key is required in a group_by "
                               "operation")
        unique_names([one.name for one in keys])
        self._groups = Groups.by([one._spread(frame.height)
                                  for one in keys], frame.height)

    def _heads(self) -> list[Any]:
        groups = self._groups
        if not self._frame.height:
            return [one._spread(0) if len(one) != 0 else one
                    for one in self._keys]
        rows = groups.order[groups.starts]
        return [one._spread(self._frame.height)._take(rows)
                for one in self._keys]

    def agg(self, *aggs: Any, **named_aggs: Any) -> Any:
        wanted = exprs_of(*aggs, **named_aggs)
        names = {one.name for one in self._keys}
        found = aggregated(wanted, self._frame._columns, self._groups, names)
        columns = [*self._heads(), *found]
        unique_names([one.name for one in columns])
        return self._frame._of(columns)

    def __iter__(self) -> Iterator[Any]:
        frames = [self._frame._rows(rows) for rows in self._groups.rows()]
        heads = self._frame._of(self._heads()).rows()
        return iter(list(zip(heads, frames)))

    def head(self, n: int = 5) -> Any:
        return self._some(lambda rows: rows[:n])

    def tail(self, n: int = 5) -> Any:
        return self._some(lambda rows: rows[-n:] if n else rows[:0])

    def _some(self, pick: Callable[[Any], Any]) -> Any:
        rows = [pick(one) for one in self._groups.rows()]
        taken = np.concatenate(rows) if rows else np.zeros(0, "i8")
        frame = self._frame._rows(taken)
        names = [one.name for one in self._keys]
        heads = [one._spread(self._frame.height)._take(taken)
                 for one in self._keys]
        return self._frame._of([*heads, *(
            one for name, one in frame._columns.items()
            if name not in names)])

    def map_groups(self, function: Callable[[Any], Any]) -> Any:
        from ._join import concat
        return concat([function(frame) for _, frame in self],
                      how="vertical_relaxed")


def key_of(frame: Any, wanted: Any) -> Any:
    """The column by whose order windows are made."""
    series = frame._selected(exprs_of(wanted))[0]
    if series._m is not None:
        raise ComputeError("null values in the index column of a window are "
                           "not supported")
    values = series._v.view("i8") if series._v.dtype.kind in "mM" \
        else series._v
    if (np.diff(values) < 0).any():
        from .exceptions import InvalidOperationError
        raise InvalidOperationError(
            "argument in operation 'group_by_dynamic' is not sorted, please "
            "sort the 'expr/series/column' first")
    return series


