"""_methods - the operations as methods of Series and Expr.

A method takes the operation's own parameters, so a call that does not fit is a
TypeError when it is written, as with any function.
"""

from __future__ import annotations

import inspect
from typing import Any, Callable

from . import _lists, _ops, _shapes, _strings, _times, _windows  # noqa: F401
from . import _types as t
from ._expr import Expr, column
from ._groups import Groups
from ._registry import OPERATIONS, Operation
from ._series import Series
from .exceptions import not_here

_signatures: dict[str, inspect.Signature] = {}
# What does the same for a method of polars that is not here.
_INSTEAD = {"apply": "map_elements", "map": "map_batches", "take": "gather",
            "cumsum": "cum_sum", "cumcount": "cum_count", "cummax": "cum_max",
            "cummin": "cum_min", "cumprod": "cum_prod", "suffix":
            "name.suffix", "prefix": "name.prefix", "keep_name": "name.keep",
            "map_dict": "replace_strict", "is_not": "not_", "clip_min": "clip",
            "clip_max": "clip", "pearson_corr": "pl.corr"}


def _signature(operation: Operation) -> inspect.Signature:
    """The parameters of the method: without the groups."""
    found = _signatures.get(operation.name)
    if found is None:
        params = list(inspect.signature(operation.run).parameters.values())
        if operation.kind == "aggregate":
            del params[1:2]
        params = [one for one in params if one.name not in (
            "_groups", "in_place")]
        found = inspect.Signature(params)
        _signatures[operation.name] = found
    return found


def _bound(operation: Operation, target: Any, args: Any, more: Any) -> Any:
    name = operation.name.rpartition(".")[2]
    try:
        return _signature(operation).bind(target, *args, **more)
    except TypeError as why:
        raise TypeError(f"{type(target).__name__}.{name}() {why}") from None


def _as_columns(value: Any) -> Any:
    if isinstance(value, str):
        return column(value)
    if isinstance(value, (list, tuple)):
        return [_as_columns(one) for one in value]
    return value


def _of_expr(operation: Operation) -> Callable[..., Any]:
    def method(self: Expr, *args: Any, **more: Any) -> Expr:
        bound = _bound(operation, self, args, more)
        for name in operation.columns:
            if name in bound.arguments:
                found = _as_columns(bound.arguments[name])
                bound.arguments[name] = tuple(found) \
                    if isinstance(bound.arguments[name], tuple) else found
        for name, one in bound.arguments.items():
            if hasattr(one, "_chain"):
                bound.arguments[name] = one._chain()
        return Expr(operation.name, bound.args, bound.kwargs)
    return method


def _of_series(operation: Operation) -> Callable[..., Any]:
    def method(self: Series, *args: Any, **more: Any) -> Any:
        bound = _bound(operation, self, args, more)
        if operation.kind == "aggregate":
            found = operation.run(self, Groups.one(len(self)),
                                  *bound.args[1:], **bound.kwargs)
            if isinstance(found.dtype, t.List):
                return found
            return found.to_list()[0]
        return operation.run(*bound.args, **bound.kwargs)
    return method


class Accessor:
    """Operations under a name, such as .str."""

    __slots__ = ("_of", "_prefix")

    def __init__(self, of: Any, prefix: str) -> None:
        self._of, self._prefix = of, prefix

    def __getattr__(self, name: str) -> Any:
        operation = OPERATIONS.get(f"{self._prefix}.{name}")
        if operation is None:
            raise AttributeError(f".{self._prefix}.{name} is not here")
        make = _of_expr if isinstance(self._of, Expr) else _of_series
        method = make(operation)
        of = self._of
        return lambda *args, **more: method(of, *args, **more)

    def __dir__(self) -> list[str]:
        start = self._prefix + "."
        return [one[len(start):] for one in OPERATIONS
                if one.startswith(start)]


class _Lists(Accessor):
    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        return self.get(index)


class _Times(Accessor):
    """Aggregates of a Series of times are Python's values."""

    __slots__ = ()

    def _whole(self, name: str) -> Any:
        if isinstance(self._of, Expr):
            raise AttributeError(f".dt.{name} is not here")
        return getattr(self._of, name)()

    def min(self) -> Any:
        return self._whole("min")

    def max(self) -> Any:
        return self._whole("max")

    def mean(self) -> Any:
        return self._whole("mean")

    def median(self) -> Any:
        return self._whole("median")


class _Struct(Accessor):
    __slots__ = ()

    def __getitem__(self, name: str) -> Any:
        return self.field(name)

    @property
    def fields(self) -> list[str]:
        return [one.name for one in self._of.dtype.fields]

    @property
    def schema(self) -> Any:
        return t.Schema({one.name: one.dtype for one in self._of.dtype.fields})

    def unnest(self) -> Any:
        return self._of.to_frame().unnest(self._of.name)


class _Names:
    """.name: other names for the columns of an expression."""

    def __init__(self, of: Expr) -> None:
        self._of = of

    def map(self, function: Callable[[str], str]) -> Expr:
        return Expr("rename", (self._of, function))

    def suffix(self, suffix: str) -> Expr:
        return self.map(lambda name: name + suffix)

    def prefix(self, prefix: str) -> Expr:
        return self.map(lambda name: prefix + name)

    def keep(self) -> Expr:
        return self.map(lambda name: name)

    def to_uppercase(self) -> Expr:
        return self.map(str.upper)

    def to_lowercase(self) -> Expr:
        return self.map(str.lower)

    def replace(self, pattern: str, value: str, *,
                literal: bool = False) -> Expr:
        if literal:
            return self.map(lambda name: name.replace(pattern, value))
        find = _strings.pattern_of(pattern)
        return self.map(lambda name: find.sub(value, name))


_ACCESSORS: dict[str, Any] = {
    "str": lambda of: Accessor(of, "str"), "cat": lambda of: Accessor(
        of, "cat"), "dt": lambda of: _Times(of, "dt"),
    "list": lambda of: _Lists(of, "list"),
    "struct": lambda of: _Struct(of, "struct")}


def _missing(kind: str) -> Callable[[Any, str], Any]:
    def getattr_(self: Any, name: str) -> Any:
        if name in _INSTEAD:
            raise AttributeError(f"'{kind}' object has no attribute '{name}'; "
                                 f"instead take {_INSTEAD[name]}")
        raise AttributeError(f"'{kind}' object has no attribute '{name}'")
    return getattr_


def _cannot(name: str) -> Callable[..., Any]:
    def method(self: Any, *_: Any, **__: Any) -> Any:
        raise not_here(name)
    return method


def _give() -> None:
    for name, operation in OPERATIONS.items():
        if "." in name or name.startswith("_"):
            continue
        if name not in vars(Series):
            setattr(Series, name, _of_series(operation))
        if name not in vars(Expr):
            setattr(Expr, name, _of_expr(operation))
    for name, make in _ACCESSORS.items():
        setattr(Series, name, property(make))
        setattr(Expr, name, property(make))
    Expr.name = property(_Names)  # type: ignore[attr-defined]
    Series.__getattr__ = _missing("Series")  # type: ignore[attr-defined]
    Expr.__getattr__ = _missing("Expr")  # type: ignore[method-assign]
    for kind in (Series, Expr):
        for name in ("rolling_mean_by", "rolling_sum_by", "rolling_min_by",
                     "rolling_max_by", "bitwise_and", "bitwise_or",
                     "peak_max", "peak_min", "inspect", "ewm_mean_by"):
            if name not in vars(kind):
                setattr(kind, name, _cannot(f"{kind.__name__}.{name}"))


_give()
