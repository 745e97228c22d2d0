"""Expressions of columns, for Table.filter() and filters=."""

from __future__ import annotations

from typing import Any, Callable

from ._errors import lacks
from ._scalars import Scalar


class Expression:
    """What is computed of a table later."""

    def __init__(self, work: Callable[[Any], Any], text: str,
                 names: Any = ()) -> None:
        self._on, self._text = work, text
        self._names = list(dict.fromkeys(names))

    @staticmethod
    def of(function: Any, *args: Any, **options: Any) -> "Expression":
        """FUNCTION of ARGS, of which some are expressions."""
        def work(table: Any) -> Any:
            return function(*(one._on(table) if isinstance(one, Expression)
                              else one for one in args), **options)
        words = [one._text if isinstance(one, Expression) else repr(one)
                 for one in args]
        name = getattr(function, "__name__", "f").rstrip("_")
        text = f"({words[0]} {_SIGNS[name]} {words[1]})" if name in _SIGNS \
            else f"{name}({', '.join(words)})"
        return Expression(work, text, [
            name for one in args if isinstance(one, Expression)
            for name in one._names])

    def _apply(self, function: Any, *args: Any, **options: Any) -> \
            "Expression":
        return Expression.of(function, self, *args, **options)

    def __repr__(self) -> str:
        return f"<pyarrow.compute.Expression {self._text}>"

    def __str__(self) -> str:
        return self._text

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise ValueError("An Expression cannot be evaluated to python True or "
                         "False. If you are using the 'and', 'or' or 'not' "
                         "operators, use '&', '|' or '~' instead.")

    def __invert__(self) -> "Expression":
        return self._by("invert")

    def _by(self, name: str, *args: Any, **options: Any) -> "Expression":
        from . import compute
        return Expression.of(getattr(compute, name), self, *args, **options)

    def isin(self, values: Any) -> "Expression":
        return self._by("is_in", value_set=values)

    def is_null(self, nan_is_null: bool = False) -> "Expression":
        return self._by("is_null", nan_is_null=nan_is_null)

    def is_valid(self) -> "Expression":
        return self._by("is_valid")

    def is_nan(self) -> "Expression":
        return self._by("is_nan")

    def cast(self, type: Any = None, safe: Any = None) -> "Expression":
        from . import compute
        return Expression.of(lambda one: compute.cast(one, type, safe), self)


_SIGNS = {"equal": "==", "not_equal": "!=", "less": "<", "less_equal": "<=",
          "greater": ">", "greater_equal": ">=", "add": "+", "subtract": "-",
          "multiply": "*", "divide": "/", "and_kleene": "and",
          "or_kleene": "or"}
_OPERATORS = {"__eq__": "equal", "__ne__": "not_equal", "__lt__": "less",
              "__le__": "less_equal", "__gt__": "greater",
              "__ge__": "greater_equal", "__add__": "add_checked",
              "__sub__": "subtract_checked", "__mul__": "multiply_checked",
              "__truediv__": "divide_checked", "__and__": "and_kleene",
              "__or__": "or_kleene"}


def _operator(name: str) -> Any:
    def method(self: Expression, other: Any) -> Expression:
        return self._by(name, other)
    return method


for _method, _name in _OPERATORS.items():
    setattr(Expression, _method, _operator(_name))


def field(*names: Any) -> Expression:
    """The column of a name."""
    if len(names) != 1 or isinstance(names[0], tuple):
        raise lacks("field() of a name within a struct")
    name = names[0]
    return Expression(lambda table: table.column(name), str(name), [name])


def scalar(value: Any) -> Expression:
    """A value as an expression."""
    from ._scalars import scalar as make
    made: Scalar = make(value)
    return Expression(lambda _table: made, repr(value))


def _one(part: Any) -> Expression:
    if len(part) != 3:
        raise ValueError(f"Malformed filters: {part!r}")
    name, sign, value = part
    column = field(name)
    if sign in ("in", "not in"):
        found = column.isin(list(value))
        return ~found if sign == "not in" else found
    names = {two: one for one, two in _SIGNS.items()}
    names["="] = "equal"
    if sign not in names or sign in ("+", "-", "*", "/", "and", "or"):
        raise ValueError(f'"{part}" is not a valid operator in predicates.')
    return column._by(names[sign], value)


def from_filters(filters: Any) -> Expression:
    """The expression of filters=: [("a", ">", 1)], or a list of those."""
    if isinstance(filters, Expression):
        return filters
    if not filters:
        raise ValueError("Malformed filters")
    groups = [filters] if isinstance(filters[0][0], str) else filters
    found: Any = None
    for group in groups:
        both: Any = None
        for part in group:
            one = _one(part)
            both = one if both is None else both & one
        found = both if found is None else found | both
    return found
