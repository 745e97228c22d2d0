"""_functions - the functions of polars that make expressions or columns."""

from __future__ import annotations

import builtins as _builtins
import datetime as _dt
from typing import Any

import numpy as np

from . import _spans as spans, _store as store
from . import _types as t
from ._aggs import made
from ._expr import (Expr, Picker, column, everything, expr_of, exprs_of, flat,
                    literal, predicates_of)
from ._ops import choose, coalesce as _first_known
from ._registry import each, shape
from ._series import Series, as_series
from ._shapes import order_of, struct_of
from .exceptions import ComputeError, InvalidOperationError, not_here


class _Col:
    """pl.col("a"), pl.col("a", "b"), pl.col(pl.Int64), pl.col.a."""

    def __call__(self, name: Any, *more_names: Any) -> Expr:
        return column(name, *more_names)

    def __getattr__(self, name: str) -> Expr:
        if name.startswith("__"):
            raise AttributeError(name)
        return column(name)


col = _Col()


def lit(value: Any, dtype: Any = None, *, allow_object: bool = False) -> Expr:
    return literal(value, dtype)


def all(*names: Any, ignore_nulls: bool = True) -> Expr:
    if names:
        return column(*names).all(ignore_nulls=ignore_nulls)
    return Expr("cols", (everything(),))


def any(*names: Any, ignore_nulls: bool = True) -> Expr:
    return column(*names).any(ignore_nulls=ignore_nulls)


def exclude(columns: Any, *more_columns: Any) -> Expr:
    return all().exclude(columns, *more_columns)


def len() -> Expr:
    return Expr("len", ("len",))


def count(*columns: Any) -> Expr:
    return column(*columns).count() if columns else Expr("len", ("count",))


def element() -> Any:
    return Element()


class Element(Expr):
    """pl.element(): the values in list.eval and in pivot."""

    def __init__(self) -> None:
        super().__init__("col", ("",))


def _give(name: str) -> Any:
    def run(*columns: Any) -> Expr:
        return getattr(column(*columns), name)()
    run.__name__ = name
    return run


sum, mean, median, min, max, n_unique, implode, cum_count = map(_give, (
    "sum", "mean", "median", "min", "max", "n_unique", "implode",
    "cum_count"))
cum_sum = _give("cum_sum")


def std(column_: Any, ddof: int = 1) -> Expr:
    return column(column_).std(ddof)


def var(column_: Any, ddof: int = 1) -> Expr:
    return column(column_).var(ddof)


def quantile(column_: str, quantile: float,
             interpolation: str = "nearest") -> Expr:
    return column(column_).quantile(quantile, interpolation)


def first(*columns: Any) -> Expr:
    if columns:
        return column(*columns).first()
    return nth(0)


def last(*columns: Any) -> Expr:
    return column(*columns).last() if columns else nth(-1)


class _Nth(Picker):
    def __init__(self, *places: int) -> None:
        super().__init__(lambda name, kind: False)
        self.places = places

    def pick(self, schema: dict[str, Any]) -> list[str]:
        names = list(schema)
        return [names[at] for at in self.places]


def nth(*indices: Any) -> Expr:
    return Expr("cols", (_Nth(*flat(*indices)),))


def head(column_: str, n: int = 10) -> Expr:
    return column(column_).head(n)


def tail(column_: str, n: int = 10) -> Expr:
    return column(column_).tail(n)


# -- when


class _When:
    def __init__(self, pairs: Any, test: Expr) -> None:
        self._pairs, self._test = pairs, test

    def then(self, statement: Any) -> Any:
        return _Then([*self._pairs, (self._test, expr_of(statement))])


class _Then(Expr):
    """A when().then(): an expression that is null where no test is true."""

    __slots__ = ("_pairs",)

    def __init__(self, pairs: Any) -> None:
        found = literal(None)
        for test, value in reversed(pairs):
            found = Expr("_when", (test, value, found))
        super().__init__(found.op, found.args)
        self._pairs = pairs

    def when(self, *predicates: Any, **constraints: Any) -> _When:
        return _When(self._pairs, _and(predicates, constraints))

    def otherwise(self, statement: Any) -> Expr:
        found = expr_of(statement)
        for test, value in reversed(self._pairs):
            found = Expr("_when", (test, value, found))
        return found


def _and(predicates: Any, constraints: Any) -> Expr:
    tests = predicates_of(predicates, constraints)
    found = tests[0]
    for one in tests[1:]:
        found = found & one
    return found


def when(*predicates: Any, **constraints: Any) -> _When:
    return _When([], _and(predicates, constraints))


# -- across columns


def _give_horizontal(name: str, how: Any) -> Any:
    each(f"_{name}")(how)

    def run(*exprs: Any) -> Expr:
        return Expr(f"_{name}", tuple(exprs_of(*exprs)))
    run.__name__ = name
    return run


def _zeros(one: Any) -> Any:
    return one if one._m is None else one.fill_null(0)


def _sum_of(*many: Any, ignore_nulls: bool = True) -> Any:
    found = _zeros(many[0])
    if isinstance(found.dtype, t.Boolean):
        found = found.cast(t.UInt32)
    for one in many[1:]:
        found = found + _zeros(one)
    return found.alias(many[0].name)


def _mean_of(*many: Any) -> Any:
    total = _sum_of(*[one.cast(t.Float64) for one in many])
    some = _sum_of(*[one.is_not_null().cast(t.UInt32) for one in many])
    found = total / some
    zero = some == 0
    return choose(zero, Series.full_null("", 1, t.Float64()),
                  found).alias(many[0].name) if zero.any() else found


def _extreme_of(word: str) -> Any:
    def run(*many: Any) -> Any:
        found = many[0]
        for one in many[1:]:
            better = (one < found) if word == "min" else (one > found)
            found = choose(better | found.is_null(), one, found)
        return found.alias(many[0].name)
    return run


def _truth_of(word: str) -> Any:
    def run(*many: Any) -> Any:
        found = many[0]
        for one in many[1:]:
            found = found & one if word == "all" else found | one
        return found
    return run


def _lists_of(*many: Any) -> Any:
    length = _builtins.max(one.__len__() for one in many)
    plain = []
    inner: Any = t.Null()
    for one in many:
        one = one._spread(int(length))
        kind = one.dtype
        if isinstance(kind, t.List):
            plain.append(one.to_list())
            kind = kind.inner
        else:
            plain.append([[x] for x in one.to_list()])
        inner = t.supertype(inner, kind)
        if inner is None:
            raise InvalidOperationError("concat_list needs columns of types "
                                        "that go together")
    return Series(many[0].name, [
        None if None in parts else [x for part in parts for x in part]
        for parts in zip(*plain)], t.List(inner))


def _texts_of(separator: str, ignore_nulls: bool, many: Any) -> Any:
    length = _builtins.max(one.__len__() for one in many)
    plain = [one.cast(t.String)._spread(length)._v for one in many]
    found = []
    for parts in zip(*plain):
        some = [one for one in parts if one is not None]
        bad = not ignore_nulls and some.__len__() < parts.__len__()
        found.append(None if bad else separator.join(some))
    return Series(many[0].name, found, t.String)


min_horizontal = _give_horizontal("min_horizontal", _extreme_of("min"))
max_horizontal = _give_horizontal("max_horizontal", _extreme_of("max"))
all_horizontal = _give_horizontal("all_horizontal", _truth_of("all"))
any_horizontal = _give_horizontal("any_horizontal", _truth_of("any"))
concat_list = _give_horizontal("concat_list", _lists_of)
coalesce = _give_horizontal("coalesce", _first_known)
each("_sum_horizontal")(_sum_of)
each("_mean_horizontal")(_mean_of)
each("_struct")(lambda *many: struct_of(list(many)))
each("_concat_str")(lambda *many, separator, ignore_nulls: _texts_of(
    separator, ignore_nulls, many))


def sum_horizontal(*exprs: Any, ignore_nulls: bool = True) -> Expr:
    if not ignore_nulls:
        raise not_here("sum_horizontal(ignore_nulls=False)", "+")
    return Expr("_sum_horizontal", tuple(exprs_of(*exprs)))


def mean_horizontal(*exprs: Any, ignore_nulls: bool = True) -> Expr:
    if not ignore_nulls:
        raise not_here("mean_horizontal(ignore_nulls=False)", "+ and /")
    return Expr("_mean_horizontal", tuple(exprs_of(*exprs)))


def concat_str(exprs: Any, *more_exprs: Any, separator: str = "",
               ignore_nulls: bool = False) -> Expr:
    return Expr("_concat_str", tuple(exprs_of(exprs, *more_exprs)),
                {"separator": separator, "ignore_nulls": ignore_nulls})


def format(f_string: str, *args: Any) -> Expr:
    parts = f_string.split("{}")
    if parts.__len__() != args.__len__() + 1:
        raise ValueError("number of placeholders should equal the number of "
                         "arguments")
    found = []
    for at, part in enumerate(parts):
        found.append(literal(part))
        if at < args.__len__():
            found.append(expr_of(args[at]))
    return concat_str(found)


def struct(*exprs: Any, schema: Any = None, eager: bool = False,
           **named_exprs: Any) -> Any:
    if schema is not None:
        raise not_here("struct(schema=)")
    found = Expr("_struct", tuple(exprs_of(*exprs, **named_exprs)))
    return _eagerly(found) if eager else found


def _eagerly(expr: Expr) -> Any:
    from ._frame import DataFrame
    return DataFrame().select(expr).to_series()


def select(*exprs: Any, **named_exprs: Any) -> Any:
    from ._frame import DataFrame
    return DataFrame().select(*exprs, **named_exprs)


def arg_where(condition: Any, *, eager: bool = False) -> Any:
    return condition.arg_true()


def arg_sort_by(exprs: Any, *more_exprs: Any, descending: Any = False,
                nulls_last: Any = False) -> Expr:
    return Expr("_arg_sort_by", tuple(exprs_of(exprs, *more_exprs)),
                {"descending": descending, "nulls_last": nulls_last})


shape("_arg_sort_by")(lambda *many, descending, nulls_last: made(
    many[0], t.UInt32, order_of(list(many), descending, nulls_last).astype(
        "u4")))


def corr(a: Any, b: Any, *, method: str = "pearson", ddof: Any = None,
         propagate_nans: bool = False) -> Expr:
    if method not in ("pearson", "spearman"):
        raise ValueError("method must be one of {'pearson', 'spearman'}, got "
                         f"{method!r}")
    return Expr("_corr", (expr_of(a), expr_of(b)), {"method": method})


def cov(a: Any, b: Any, ddof: int = 1) -> Expr:
    return Expr("_cov", (expr_of(a), expr_of(b)), {"ddof": ddof})


def _paired(one: Any, two: Any) -> Any:
    keep = ~(one._nulls() | two._nulls())
    return [s._v[keep].astype("f8") for s in (one, two)]


def _corr(one: Any, two: Any, method: str) -> Any:
    a, b = _paired(one, two)
    if method == "spearman":
        a, b = (Series("", s).rank().to_numpy() for s in (a, b))
    with np.errstate(all="ignore"):
        found = np.corrcoef(a, b)[0, 1] if a.size > 1 else np.nan
    return Series(one.name, [float(found)])


def _cov(one: Any, two: Any, ddof: int) -> Any:
    a, b = _paired(one, two)
    total = ((a - a.mean()) * (b - b.mean())).sum() if a.size else np.nan
    return Series(one.name, [float(total / (a.size - ddof))]
                  if a.size > ddof else [None], t.Float64)


shape("_corr")(_corr)
shape("_cov")(_cov)


def map_batches(exprs: Any, function: Any, return_dtype: Any = None) -> Expr:
    raise not_here("pl.map_batches", "Expr.map_batches of a struct")


def fold(acc: Any, function: Any, exprs: Any) -> Expr:
    found = expr_of(acc)
    for one in exprs_of(exprs):
        found = function(found, one)
    return found


def reduce(function: Any, exprs: Any) -> Expr:
    first_, *rest = exprs_of(exprs)
    for one in rest:
        first_ = function(first_, one)
    return first_


# -- dates, times, ranges


def _number(one: Any, length: int, default: int = 0) -> Any:
    if one is None:
        return np.full(length, default), None
    return one._spread(length)._v.astype("i8"), one._spread(length)._m


def _datetimes(*parts: Any, unit: str, days_only: bool) -> Any:
    length = _builtins.max(one.__len__() for one in parts if one is not None)
    numbers, masks = zip(*(_number(one, length, at < 3)
                           for at, one in enumerate(parts)))
    year, month, day, hour, minute, second, micro = numbers
    months = ((year - 1970) * 12 + month - 1).astype("M8[M]")
    days = months.astype("M8[D]") + (day - 1)
    bad = (month < 1) | (month > 12) | (days.astype("M8[M]") != months)
    mask = store.either(bad if bad.any() else None, *masks)
    if mask is not None and bad.any():
        raise ComputeError("Invalid date components supplied")
    if days_only:
        return Series._of(parts[0].name, t.Date(), days, mask)
    moment = days.astype("M8[us]") + (
        ((hour * 60 + minute) * 60 + second) * 1_000_000 + micro)
    return Series._of(parts[0].name, t.Datetime(unit), moment.astype(
        f"M8[{unit}]"), mask)


each("_datetime")(lambda *parts, unit, days_only: _datetimes(
    *parts, unit=unit, days_only=days_only))


def _optional(one: Any) -> Expr:
    return literal(0) if one is None else expr_of(one)


def datetime(year: Any, month: Any, day: Any, hour: Any = None,
             minute: Any = None, second: Any = None, microsecond: Any = None,
             *, time_unit: str = "us", time_zone: Any = None) -> Expr:
    parts = [expr_of(one) for one in (year, month, day)] + [
        _optional(one) for one in (hour, minute, second, microsecond)]
    found = Expr("_datetime", tuple(parts), {"unit": time_unit,
                                             "days_only": False})
    found = found.alias("datetime")
    return found.dt.replace_time_zone(time_zone) if time_zone else found


def date(year: Any, month: Any, day: Any) -> Expr:
    parts = [expr_of(one) for one in (year, month, day)] + [literal(0)] * 4
    return Expr("_datetime", tuple(parts), {
        "unit": "us", "days_only": True}).alias("date")


def duration(*, weeks: Any = None, days: Any = None, hours: Any = None,
             minutes: Any = None, seconds: Any = None,
             milliseconds: Any = None, microseconds: Any = None,
             nanoseconds: Any = None, time_unit: Any = None) -> Expr:
    unit = time_unit or ("ns" if nanoseconds is not None else "us")
    sizes = {604800 * 10 ** 9: weeks, spans.DAY: days, 3600 * 10 ** 9: hours,
             60 * 10 ** 9: minutes, 10 ** 9: seconds, 10 ** 6: milliseconds,
             1000: microseconds, 1: nanoseconds}
    scale = {"ns": 1, "us": 1000, "ms": 10 ** 6}[unit]
    found: Any = None
    for size, one in sizes.items():
        if one is None:
            continue
        if size < scale:
            raise not_here("duration() of parts below its time unit")
        part = expr_of(one).cast(t.Int64) * literal(size // scale)
        found = part if found is None else found + part
    return found.cast(t.Duration(unit)).alias("duration")


def _end(value: Any) -> Any:
    if isinstance(value, Expr):
        found = _eagerly(value)
        value = found.to_list()[0]
    if isinstance(value, str):
        value = _dt.datetime.fromisoformat(value)
    return value


def date_range(start: Any, end: Any, interval: Any = "1d", *,
               closed: str = "both", eager: bool = False) -> Any:
    start, end = _end(start), _end(end)
    return _ranged("date_range", start, end, interval, closed, eager,
                   t.Date())


def datetime_range(start: Any, end: Any, interval: Any = "1d", *,
                   closed: str = "both", time_unit: Any = None,
                   time_zone: Any = None, eager: bool = False) -> Any:
    start, end = _end(start), _end(end)
    if time_zone:
        raise not_here("datetime_range(time_zone=)", "dt.replace_time_zone")
    return _ranged("datetime_range", start, end, interval, closed, eager,
                   t.Datetime(time_unit or "us"))


def _ranged(name: str, start: Any, end: Any, interval: Any, closed: str,
            eager: bool, kind: Any) -> Any:
    if closed not in ("both", "left", "right", "none"):
        raise ValueError(f"`closed` got {closed!r}")
    edges = Series("", [start, end], kind)
    values = spans.steps(*edges._v, spans.span_of(interval), closed)
    found = Series._of("literal", kind, values.astype(kind.numpy))
    return found if eager else Expr("lit", (found,))


def int_range(start: Any = 0, end: Any = None, step: int = 1, *,
              dtype: Any = t.Int64, eager: bool = False) -> Any:
    if end is None:
        start, end = 0, start
    if eager:
        return Series("literal", np.arange(start, end, step)).cast(dtype)
    return Expr("_int_range", (literal(start), literal(end)),
                {"step": step, "kind": t.as_dtype(dtype)})


def _int_range(start: Any, end: Any, step: int, kind: Any) -> Any:
    found = np.arange(start.to_list()[0], end.to_list()[0], step)
    return Series("literal", found.astype("i8")).cast(kind)


shape("_int_range")(_int_range)


def arange(start: Any = 0, end: Any = None, step: int = 1, *,
           dtype: Any = t.Int64, eager: bool = False) -> Any:
    return int_range(start, end, step, dtype=dtype, eager=eager)


def linear_space(start: Any, end: Any, num_samples: int, *,
                 closed: str = "both", eager: bool = False) -> Any:
    if closed != "both":
        raise not_here("linear_space(closed=)")
    found = Series("literal", np.linspace(start, end, num_samples))
    return found if eager else literal(found)


def repeat(value: Any, n: Any, *, dtype: Any = None,
           eager: bool = False) -> Any:
    if eager:
        found = as_series(value)
        found = found if dtype is None else found.cast(dtype)
        return found._spread(n).alias("repeat")
    return Expr("_repeat", (literal(value, dtype), literal(n))).alias("repeat")


shape("_repeat")(lambda value, n: value._spread(int(n.to_list()[0])))


def zeros(n: int, dtype: Any = t.Float64, *, eager: bool = False) -> Any:
    return repeat(0, n, dtype=dtype, eager=eager).alias("zeros")


def ones(n: int, dtype: Any = t.Float64, *, eager: bool = False) -> Any:
    return repeat(1, n, dtype=dtype, eager=eager).alias("ones")


def from_epoch(column_: Any, time_unit: str = "s") -> Any:
    many = {"s": 1000, "d": 86_400_000}
    found = expr_of(column_) if isinstance(column_, (str, Expr)) else \
        Series("", column_)
    if time_unit == "d":
        return found.cast(t.Int32).cast(t.Date)
    if time_unit in many:
        return (found.cast(t.Int64) * 1_000_000).cast(t.Datetime("us"))
    return found.cast(t.Int64).cast(t.Datetime(time_unit))


__all__ = [
    "all", "all_horizontal", "any", "any_horizontal", "arange",
    "arg_sort_by", "arg_where", "coalesce", "col", "concat_list",
    "concat_str", "corr", "count", "cov", "cum_count", "cum_sum", "date",
    "date_range", "datetime", "datetime_range", "duration", "element",
    "exclude", "first", "fold", "format", "from_epoch", "head", "implode",
    "int_range", "last", "len", "linear_space", "lit", "max",
    "max_horizontal", "mean", "mean_horizontal", "median", "min",
    "min_horizontal", "n_unique", "nth", "ones", "quantile", "reduce",
    "repeat", "select", "std", "struct", "sum", "sum_horizontal", "tail",
    "var", "when", "zeros"]
