"""_verbs - that which a frame does, and a LazyFrame as well."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _reshape as reshape
from . import _types as t
from ._eval import expand, select, unique_names
from ._expr import (Expr, column, everything, exprs_of, flat, picker_of,
                    predicates_of)
from ._groups import Groups
from ._output import Output
from ._series import Series
from ._shapes import flags, order_of, sampled
from .exceptions import ShapeError, no_column, not_here


def _all() -> Expr:
    return Expr("cols", (everything(),))


class Verbs(Output):
    """Methods of DataFrame."""

    __slots__ = ()
    _columns: dict[str, Any]
    _of: Any
    _rows: Any
    columns: list[str]
    schema: Any
    height: int
    width: int

    # -- columns

    def _selected(self, exprs: list[Expr]) -> list[Any]:
        found = select(exprs, self._columns, self.height)
        unique_names([one.name for one, _ in found])
        lengths = {len(one) for one, scalar in found if not scalar}
        if len(lengths) > 1:
            bad = [one for one, scalar in found if not scalar]
            other = next(x for x in bad if len(x) != len(bad[0]))
            raise ShapeError(
                f"Series length {len(other)} doesn't match the DataFrame "
                f"height of {len(bad[0])}")
        length = lengths.pop() if lengths else 1
        return [one._spread(length) if scalar else one
                for one, scalar in found]

    def select(self, *exprs: Any, **named_exprs: Any) -> Any:
        return self._of(self._selected(exprs_of(*exprs, **named_exprs)))

    select_seq = select

    def with_columns(self, *exprs: Any, **named_exprs: Any) -> Any:
        wanted = exprs_of(*exprs, **named_exprs)
        height = self.height
        found = select(wanted, self._columns, height)
        unique_names([one.name for one, _ in found])
        columns = dict(self._columns)
        for one, scalar in found:
            if not self._columns:
                height = len(one) if not scalar else max(height, 1)
            if scalar and len(one) == 1:
                one = one._spread(height)
            if len(one) != height:
                raise ShapeError(
                    f"unable to add a column of length {len(one)} to a "
                    f"DataFrame of height {height}")
            columns[one.name] = one
        return self._of(columns.values())

    with_columns_seq = with_columns

    def with_row_index(self, name: str = "index", offset: int = 0) -> Any:
        rows = np.arange(offset, offset + self.height).astype("u4")
        return self._of([Series._of(name, t.UInt32(), rows),
                         *self._columns.values()])

    def with_row_count(self, name: str = "row_nr", offset: int = 0) -> Any:
        return self.with_row_index(name, offset)

    def drop(self, *columns: Any, strict: bool = True) -> Any:
        wanted = [one for one in flat(*columns)]
        names = set()
        for one in wanted:
            if isinstance(one, Expr):
                names |= set(picker_of(one).pick(self.schema))
            elif one in self._columns:
                names.add(one)
            elif strict:
                raise no_column(one, self._columns)
        return self._of(one for name, one in self._columns.items()
                        if name not in names)

    def rename(self, mapping: Any, *, strict: bool = True) -> Any:
        if callable(mapping):
            mapping = {name: mapping(name) for name in self._columns}
        for name in mapping:
            if name not in self._columns and strict:
                raise no_column(name, self._columns)
        return self._of(one.alias(mapping.get(name, name))
                        for name, one in self._columns.items())

    def cast(self, dtypes: Any, *, strict: bool = True) -> Any:
        if not hasattr(dtypes, "items"):
            return self._of(one.cast(dtypes, strict=strict)
                            for one in self._columns.values())
        wanted: dict[str, Any] = {}
        for key, kind in dtypes.items():
            if isinstance(key, str) and key not in self._columns and strict:
                raise no_column(key, self._columns)
            names = [key] if isinstance(key, str) else \
                picker_of(key).pick(self.schema)
            wanted.update(dict.fromkeys(names, kind))
        return self._of(one.cast(wanted[name], strict=strict)
                        if name in wanted else one
                        for name, one in self._columns.items())

    def insert_column(self, index: int, column: Any) -> Any:
        columns = list(self._columns.values())
        if isinstance(column, Expr):
            column = self.select(column).to_series()
        columns.insert(index if index >= 0 else len(columns) + index, column)
        self._set(columns)
        return self

    def replace_column(self, index: int, column: Any) -> Any:
        columns = list(self._columns.values())
        columns[index] = column
        self._set(columns)
        return self

    def _set(self, columns: list[Any]) -> None:
        raise NotImplementedError

    def drop_in_place(self, name: str) -> Any:
        if name not in self._columns:
            raise no_column(name, self._columns)
        return self._columns.pop(name)

    def hstack(self, columns: Any, *, in_place: bool = False) -> Any:
        more = columns.get_columns() if hasattr(columns, "get_columns") \
            else list(columns)
        found = [*self._columns.values(), *more]
        if in_place:
            self._set(found)
            return self
        return self._of(found)

    # -- rows

    def filter(self, *predicates: Any, **constraints: Any) -> Any:
        tests = predicates_of(predicates, constraints)
        keep = np.ones(self.height, bool)
        for test in [one for each in tests
                     for one in expand(each, self.schema)]:
            found = select([test], self._columns, self.height)[0][0]
            if not isinstance(found.dtype, (t.Boolean, t.Null)):
                from .exceptions import ComputeError
                raise ComputeError(
                    "filter predicate must be of type `Boolean`, got "
                    f"`{found.dtype!r}`")
            found = found.cast(t.Boolean)
            if len(found) == 1:
                found = found._spread(self.height)
            if len(found) != self.height:
                raise ShapeError(
                    f"filter's length: {len(found)} differs from that of the "
                    f"series: {self.height}")
            keep &= found._v & ~found._nulls()
        return self._rows(np.flatnonzero(keep))

    def remove(self, *predicates: Any, **constraints: Any) -> Any:
        test = predicates_of(predicates, constraints)
        found = test[0]
        for one in test[1:]:
            found = found & one
        return self.filter(~found.fill_null(False))  # type: ignore

    def _keys(self, by: Any, more: Any) -> list[Any]:
        return self._selected(exprs_of(by, *more)) if by is not None else []

    def sort(self, by: Any, *more_by: Any, descending: Any = False,
             nulls_last: Any = False, multithreaded: bool = True,
             maintain_order: bool = False) -> Any:
        keys = self._keys(by, more_by)
        return self._rows(order_of(keys, descending, nulls_last))

    def top_k(self, k: int, *, by: Any, reverse: Any = False) -> Any:
        keys = self._keys(by, ())
        down = [not one for one in flags(reverse, len(keys), "reverse")]
        return self._rows(order_of(keys, down, True)[:k])

    def bottom_k(self, k: int, *, by: Any, reverse: Any = False) -> Any:
        keys = self._keys(by, ())
        return self._rows(order_of(keys, flags(reverse, len(keys), "reverse"),
                                   True)[:k])

    def head(self, n: int = 5) -> Any:
        return self._rows(np.arange(self.height)[:n])

    def limit(self, n: int = 5) -> Any:
        return self.head(n)

    def tail(self, n: int = 5) -> Any:
        rows = np.arange(self.height)
        return self._rows(rows[-n:] if n else rows[:0])

    def slice(self, offset: int, length: Any = None) -> Any:
        start = offset if offset >= 0 else max(0, self.height + offset)
        end = self.height if length is None else start + length
        return self._rows(np.arange(self.height)[start:end])

    def reverse(self) -> Any:
        return self._rows(np.arange(self.height)[::-1])

    def gather_every(self, n: int, offset: int = 0) -> Any:
        return self._rows(np.arange(self.height)[offset::n])

    def sample(self, n: Any = None, *, fraction: Any = None,
               with_replacement: bool = False, shuffle: bool = False,
               seed: Any = None) -> Any:
        n = int(n.item()) if hasattr(n, "item") else n
        return self._rows(sampled(self.height, n, fraction, with_replacement,
                                  shuffle, seed))

    def unique(self, subset: Any = None, *, keep: str = "any",
               maintain_order: bool = False) -> Any:
        if keep not in ("any", "first", "last", "none"):
            raise ValueError("`keep` must be one of {'first', 'last', 'any', "
                             f"'none'}}, got {keep!r}")
        columns = self._subset(subset)
        groups = Groups.by(columns, self.height)
        if not self.height:
            return self.clone()
        if keep == "last":
            rows = np.sort(groups.order[groups.ends - 1])
        else:
            rows = groups.order[groups.starts]
        if keep == "none":
            rows = rows[groups.sizes == 1]
        return self._rows(rows)

    def _subset(self, subset: Any) -> list[Any]:
        if subset is None:
            return list(self._columns.values())
        names = picker_of(subset).pick(self.schema)
        for name in names:
            if name not in self._columns:
                raise no_column(name, self._columns)
        return [self._columns[name] for name in names]

    def is_duplicated(self) -> Any:
        groups = Groups.by(list(self._columns.values()), self.height)
        return Series("", groups.sizes[groups.of] > 1)

    def is_unique(self) -> Any:
        return ~self.is_duplicated()

    def drop_nulls(self, subset: Any = None) -> Any:
        keep = np.ones(self.height, bool)
        for one in self._subset(subset):
            keep &= ~one._nulls()
        return self._rows(np.flatnonzero(keep))

    def drop_nans(self, subset: Any = None) -> Any:
        keep = np.ones(self.height, bool)
        for one in self._subset(subset):
            if one.dtype.is_float():
                keep &= ~np.isnan(one._v) | one._nulls()
        return self._rows(np.flatnonzero(keep))

    def fill_null(self, value: Any = None, strategy: Any = None,
                  limit: Any = None, *, matches_supertype: bool = True) -> Any:
        def fits(one: Any) -> bool:
            if value is None or isinstance(value, Expr):
                return True
            kind = Series("", [value]).dtype
            return t.supertype(one.dtype, kind) is not None and (
                one.dtype.is_numeric() == kind.is_numeric() or
                isinstance(one.dtype, t.Null))
        return self.with_columns([
            column(one.name).fill_null(value, strategy, limit)  # type: ignore
            for one in self._columns.values() if fits(one)])

    def fill_nan(self, value: Any) -> Any:
        return self.with_columns([
            column(one.name).fill_nan(value)  # type: ignore[attr-defined]
            for one in self._columns.values() if one.dtype.is_float()])

    def shift(self, n: int = 1, *, fill_value: Any = None) -> Any:
        return self.select(_all().shift(  # type: ignore[attr-defined]
            n, fill_value=fill_value))

    def interpolate(self) -> Any:
        return self.select([
            column(one.name).interpolate()  # type: ignore[attr-defined]
            if one.dtype.is_numeric() else column(one.name)
            for one in self._columns.values()])

    def clear(self, n: int = 0) -> Any:
        return self._of(one.clear(n) for one in self._columns.values())

    def clone(self) -> Any:
        return self._of(self._columns.values())

    def rechunk(self) -> Any:
        return self

    def shrink_to_fit(self, *, in_place: bool = False) -> Any:
        return self

    def set_sorted(self, column: Any, *, descending: bool = False) -> Any:
        return self

    def vstack(self, other: Any, *, in_place: bool = False) -> Any:
        if self.width != other.width:
            raise ShapeError(
                f"unable to append to a DataFrame of width {self.width} with "
                f"a DataFrame of width {other.width}")
        from ._join import stacked
        found = stacked([self, other], False)
        if in_place:
            self._set(list(found))
            return self
        return self._of(found)

    def extend(self, other: Any) -> Any:
        return self.vstack(other, in_place=True)

    # -- groups, joins, other shapes

    def group_by(self, *by: Any, maintain_order: bool = False,
                 **named_by: Any) -> Any:
        from ._group import GroupBy
        return GroupBy(self, self._selected(exprs_of(*by, **named_by)))

    def group_by_dynamic(self, index_column: Any, *, every: Any,
                         period: Any = None, offset: Any = None,
                         include_boundaries: bool = False,
                         closed: str = "left", label: str = "left",
                         group_by: Any = None, start_by: str = "window",
                         ) -> Any:
        from ._dynamic import DynamicGroupBy
        return DynamicGroupBy(self, index_column, every, period, offset,
                              include_boundaries, closed, label, group_by,
                              start_by)

    def rolling(self, index_column: Any, *, period: Any, offset: Any = None,
                closed: str = "right", group_by: Any = None) -> Any:
        from ._dynamic import Rolling
        return Rolling(self, index_column, period, offset, closed, group_by)

    def join(self, other: Any, on: Any = None, how: str = "inner", *,
             left_on: Any = None, right_on: Any = None,
             suffix: str = "_right", validate: str = "m:m",
             join_nulls: bool = False, coalesce: Any = None,
             nulls_equal: bool = False, maintain_order: Any = None) -> Any:
        if maintain_order not in (None, "none", "left", "left_right"):
            raise not_here(f"join(maintain_order={maintain_order!r})")
        from ._join import join
        return join(self, other, on, how, left_on, right_on, suffix, validate,
                    join_nulls or nulls_equal, coalesce)

    def join_asof(self, other: Any, *, left_on: Any = None,
                  right_on: Any = None, on: Any = None, by_left: Any = None,
                  by_right: Any = None, by: Any = None,
                  strategy: str = "backward", suffix: str = "_right",
                  tolerance: Any = None, coalesce: bool = True,
                  **rest: Any) -> Any:
        if rest:
            raise not_here(f"join_asof({next(iter(rest))}=)")
        from ._join import join_asof
        return join_asof(self, other, on or left_on, on or right_on,
                         by or by_left, by or by_right, strategy, suffix,
                         tolerance, coalesce)

    def join_where(self, other: Any, *predicates: Any,
                   suffix: str = "_right") -> Any:
        return self.join(other, how="cross", suffix=suffix).filter(*predicates)

    def pivot(self, on: Any = None, *, index: Any = None, values: Any = None,
              aggregate_function: Any = None, maintain_order: bool = True,
              sort_columns: bool = False, separator: str = "_",
              columns: Any = None) -> Any:
        return reshape.pivot(self, columns if on is None else on, index,
                             values, aggregate_function, sort_columns,
                             separator)

    def unpivot(self, on: Any = None, *, index: Any = None,
                variable_name: Any = None, value_name: Any = None) -> Any:
        return reshape.unpivot(self, on, index, variable_name, value_name)

    def melt(self, id_vars: Any = None, value_vars: Any = None,
             variable_name: Any = None, value_name: Any = None) -> Any:
        return reshape.unpivot(self, value_vars, id_vars, variable_name,
                               value_name)

    def explode(self, columns: Any, *more_columns: Any) -> Any:
        return reshape.explode(self, picker_of(columns, *more_columns).pick(
            self.schema))

    def unnest(self, columns: Any, *more_columns: Any) -> Any:
        return reshape.unnest(self, picker_of(columns, *more_columns).pick(
            self.schema))

    def transpose(self, *, include_header: bool = False,
                  header_name: str = "column", column_names: Any = None,
                  ) -> Any:
        return reshape.transpose(self, include_header, header_name,
                                 column_names)

    def to_dummies(self, columns: Any = None, *, separator: str = "_",
                   drop_first: bool = False) -> Any:
        names = self.columns if columns is None else \
            picker_of(columns).pick(self.schema)
        return reshape.to_dummies(self, names, separator, drop_first)

    def partition_by(self, by: Any, *more_by: Any, maintain_order: bool = True,
                     include_key: bool = True, as_dict: bool = False) -> Any:
        names = picker_of(by, *more_by).pick(self.schema)
        groups = Groups.by([self._columns[one] for one in names], self.height)
        kept = self if include_key else self.drop(names)
        parts = [kept._rows(rows) for rows in groups.rows()]
        if not as_dict:
            return parts
        heads = self.select(names)._rows(groups.order[groups.starts]).rows()
        return dict(zip(heads, parts))

    # -- whole frames

    def pipe(self, function: Callable[..., Any], *args: Any,
             **more: Any) -> Any:
        return function(self, *args, **more)

    def lazy(self) -> Any:
        from ._lazy import LazyFrame
        return LazyFrame._of_frame(self)

    def map_rows(self, function: Callable[[Any], Any],
                 return_dtype: Any = None) -> Any:
        found = [function(row) for row in self.rows()]  # type: ignore
        if found and isinstance(found[0], (tuple, list)):
            return self._of([Series(f"column_{at}", list(values))
                             for at, values in enumerate(zip(*found))])
        return self._of([Series("map", found, return_dtype)])

    def fold(self, operation: Callable[[Any, Any], Any]) -> Any:
        columns = list(self._columns.values())
        found = columns[0]
        for one in columns[1:]:
            found = operation(found, one)
        return found

    def _total(self, name: str, *args: Any) -> Any:
        from ._registry import OPERATIONS
        from .exceptions import InvalidOperationError

        found = []
        for one in self._columns.values():
            try:
                total = OPERATIONS[name].run(one, Groups.one(self.height),
                                             *args)
            except InvalidOperationError:
                total = Series.full_null(one.name, 1, one.dtype)
            found.append(total.alias(one.name))
        return self._of(found)

    def quantile(self, quantile: float,
                 interpolation: str = "nearest") -> Any:
        return self._total("quantile", quantile, interpolation)

    def std(self, ddof: int = 1) -> Any:
        return self._total("std", ddof)

    def var(self, ddof: int = 1) -> Any:
        return self._total("var", ddof)

    def n_unique(self, subset: Any = None) -> int:
        columns = self._subset(subset)
        return Groups.by(columns, self.height).count if self.height else 0

    def _horizontal(self, name: str) -> Any:
        from . import _functions
        how = getattr(_functions, name + "_horizontal")
        found = [column(one.name) for one in self._columns.values()
                 if one.dtype.is_numeric() or isinstance(one.dtype, t.Boolean)
                 or name in ("min", "max")]
        return self.select(how(*found).alias(name)).to_series()

    def sum_horizontal(self) -> Any:
        return self._horizontal("sum")

    def mean_horizontal(self) -> Any:
        return self._horizontal("mean")

    def max_horizontal(self) -> Any:
        return self._horizontal("max")

    def min_horizontal(self) -> Any:
        return self._horizontal("min")

    def corr(self, **more: Any) -> Any:
        columns = [one.to_numpy().astype("f8")
                   for one in self._columns.values()]
        found = np.corrcoef(np.vstack(columns), **more)
        return self._of([Series(name, row) for name, row in
                         zip(self.columns, found)])

    def describe(self, percentiles: Any = (0.25, 0.5, 0.75), *,
                 interpolation: str = "nearest") -> Any:
        from ._describe import describe
        return describe(self, percentiles, interpolation)

    def glimpse(self, *, max_items_per_column: int = 10,
                max_colname_length: int = 50,
                return_as_string: bool = False) -> Any:
        from ._describe import glimpse
        text = glimpse(self, max_items_per_column, max_colname_length)
        if return_as_string:
            return text
        print(text, end="")
        return None


def _give_totals() -> None:
    for name, method in vars(Verbs).items():
        if hasattr(method, "__qualname__"):     # as errors of calls name it
            method.__qualname__ = f"DataFrame.{name}"
    for name in ("sum", "mean", "median", "min", "max", "product", "count",
                 "null_count"):
        setattr(Verbs, name, lambda self, name=name: self._total(name))


_give_totals()
