"""Options as objects: the same names as arguments."""

from __future__ import annotations

from typing import Any

__all__ = ["ScalarAggregateOptions", "CountOptions", "SortOptions",
           "VarianceOptions", "ArraySortOptions"]


class _Options:
    """Names and values; a function takes them as its arguments."""

    names: tuple[str, ...] = ()

    def __init__(self, *values: Any, **named: Any) -> None:
        self.given = {**dict(zip(self.names, values)), **named}
        for one in self.given:
            if one not in self.names:
                raise TypeError(f"{type(self).__name__} has no option {one!r}")


class ScalarAggregateOptions(_Options):
    names = ("skip_nulls", "min_count")


class CountOptions(_Options):
    names = ("mode",)


class VarianceOptions(_Options):
    names = ("ddof", "skip_nulls", "min_count")


class SortOptions(_Options):
    names = ("sort_keys", "null_placement")


class ArraySortOptions(_Options):
    names = ("order", "null_placement")


def given(options: Any) -> dict[str, Any]:
    return {} if options is None else dict(options.given)
