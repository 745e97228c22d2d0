"""_lazy - LazyFrame: steps that are done by collect()."""

from __future__ import annotations

from typing import Any, Callable

from ._frame import DataFrame
from .exceptions import not_here

_STEPS = ("select", "select_seq", "with_columns", "with_columns_seq",
          "filter", "sort", "head", "limit", "tail", "slice", "reverse",
          "unique", "drop", "drop_nulls", "drop_nans", "fill_null",
          "fill_nan", "rename", "cast", "with_row_index", "with_row_count",
          "explode", "unnest", "unpivot", "melt", "shift", "top_k",
          "bottom_k", "gather_every", "interpolate", "sum", "mean", "median",
          "min", "max", "std", "var", "quantile", "null_count", "count",
          "set_sorted", "clear", "remove", "pivot")
_JOINS = ("join", "join_asof", "join_where")
_GROUPS = ("group_by", "group_by_dynamic", "rolling")


class LazyFrame:
    """A frame that will be: nothing is computed before collect()."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, data: Any = None, schema: Any = None,
                 **options: Any) -> None:
        frame = DataFrame(data, schema, **options)
        self._make: Callable[[], Any] = lambda: frame
        self._text = "DF"

    @classmethod
    def _of_frame(cls, frame: Any) -> "LazyFrame":
        return cls._of(lambda: frame, "DF")

    @classmethod
    def _of(cls, make: Callable[[], Any], text: str) -> "LazyFrame":
        self = cls.__new__(cls)
        self._make, self._text = make, text
        return self

    def collect(self, *, streaming: bool = False, engine: Any = "auto",
                **options: Any) -> Any:
        for name in options:
            if name not in _HINTS:
                raise TypeError("LazyFrame.collect() got an unexpected "
                                f"keyword argument {name!r}")
        return self._make()

    def fetch(self, n_rows: int = 500) -> Any:
        return self._make().head(n_rows)

    def collect_schema(self) -> Any:
        return self._make().schema

    @property
    def schema(self) -> Any:
        return self.collect_schema()

    @property
    def columns(self) -> list[str]:
        return self.collect_schema().names()  # type: ignore[no-any-return]

    @property
    def dtypes(self) -> list[Any]:
        return self.collect_schema().dtypes()  # type: ignore[no-any-return]

    @property
    def width(self) -> int:
        return len(self.collect_schema())

    def lazy(self) -> "LazyFrame":
        return self

    def cache(self) -> "LazyFrame":
        frame = self._make()
        return LazyFrame._of(lambda: frame, self._text)

    def clone(self) -> "LazyFrame":
        return LazyFrame._of(self._make, self._text)

    def pipe(self, function: Callable[..., Any], *args: Any,
             **more: Any) -> Any:
        return function(self, *args, **more)

    def explain(self, **_: Any) -> str:
        raise not_here("LazyFrame.explain", "collect")

    def describe(self, percentiles: Any = (0.25, 0.5, 0.75), *,
                 interpolation: str = "nearest") -> Any:
        return self._make().describe(percentiles,
                                     interpolation=interpolation)

    def map_batches(self, function: Callable[[Any], Any],
                    **_: Any) -> "LazyFrame":
        make = self._make
        return LazyFrame._of(lambda: function(make()), self._text)

    def sink_csv(self, path: Any, **options: Any) -> None:
        self._make().write_csv(path, **options)

    def sink_parquet(self, path: Any, **options: Any) -> None:
        self._make().write_parquet(path, **options)

    def sink_ndjson(self, path: Any) -> None:
        self._make().write_ndjson(path)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'LazyFrame' object has no attribute '{name}'")

    def __repr__(self) -> str:
        return f"<LazyFrame: {self._text}; the frame comes by collect()>"

    def __bool__(self) -> bool:
        raise TypeError("the truth value of a LazyFrame is ambiguous")


_HINTS = frozenset({
    "type_coercion", "predicate_pushdown", "projection_pushdown",
    "simplify_expression", "slice_pushdown", "comm_subplan_elim",
    "comm_subexpr_elim", "cluster_with_columns", "collapse_joins",
    "no_optimization", "background", "optimizations"})


class LazyGroupBy:
    def __init__(self, make: Callable[[], Any], text: str) -> None:
        self._make, self._text = make, text

    def __getattr__(self, name: str) -> Any:
        make = self._make

        def step(*args: Any, **more: Any) -> LazyFrame:
            return LazyFrame._of(lambda: getattr(make(), name)(*args, **more),
                                 self._text)
        return step


def _step(name: str) -> Any:
    def method(self: LazyFrame, *args: Any, **more: Any) -> LazyFrame:
        make = self._make
        return LazyFrame._of(lambda: getattr(make(), name)(*args, **more),
                             f"{name} of {self._text}")
    return method


def _join(name: str) -> Any:
    def method(self: LazyFrame, other: Any, *args: Any,
               **more: Any) -> LazyFrame:
        if not isinstance(other, LazyFrame):
            raise TypeError("expected `other` join table to be a LazyFrame, "
                            f"not a {type(other).__name__!r}")
        make = self._make
        return LazyFrame._of(lambda: getattr(make(), name)(
            other.collect(), *args, **more), f"{name} of {self._text}")
    return method


def _groups(name: str) -> Any:
    def method(self: LazyFrame, *args: Any, **more: Any) -> LazyGroupBy:
        make = self._make
        return LazyGroupBy(lambda: getattr(make(), name)(*args, **more),
                           f"{name} of {self._text}")
    return method


for _names, _give in ((_STEPS, _step), (_JOINS, _join), (_GROUPS, _groups)):
    for _name in _names:
        setattr(LazyFrame, _name, _give(_name))


def collect_all(lazy_frames: Any, **_: Any) -> list[Any]:
    return [one.collect() for one in lazy_frames]
