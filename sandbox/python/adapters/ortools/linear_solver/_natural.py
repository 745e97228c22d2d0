"""_natural - linear expressions, and constraints written with operators."""

from __future__ import annotations

import numbers
from typing import Any, Iterable

inf = float("inf")


class LinearExpr:
    """A sum of variables with coefficients, and a constant."""

    _terms: dict[Any, float]
    _constant: float

    def __init__(self, terms: dict[Any, float], constant: float,
                 text: str) -> None:
        self._terms, self._constant, self._text = terms, constant, text

    def __str__(self) -> str:
        return self._text

    def solution_value(self) -> float:
        """The value of the last solution."""
        return sum((var.solution_value() * factor
                    for var, factor in self._terms.items()), self._constant)

    def SolutionValue(self) -> float:
        return self.solution_value()

    def _scaled(self, factor: Any, text: str) -> Any:
        if not isinstance(factor, numbers.Number):
            raise TypeError("a linear expression can be multiplied by a "
                            f"number, not by {type(factor).__name__}")
        return LinearExpr({var: one * factor
                           for var, one in self._terms.items()},
                          self._constant * factor, text)

    def __add__(self, other: Any) -> Any:
        return SumArray([self, other])

    def __radd__(self, other: Any) -> Any:
        return SumArray([self, other])

    def __sub__(self, other: Any) -> Any:
        return SumArray([self, -other])

    def __rsub__(self, other: Any) -> Any:
        return SumArray([-self, other])

    def __mul__(self, factor: Any) -> Any:
        return self._scaled(factor, f"({factor} * {self})")

    __rmul__ = __mul__

    def __truediv__(self, factor: Any) -> Any:
        if not isinstance(factor, numbers.Number):
            raise TypeError("a linear expression can be divided by a number "
                            f"alone, not by {type(factor).__name__}")
        return self * (1.0 / factor)        # type: ignore[operator]

    def __neg__(self) -> Any:
        return self._scaled(-1, f"-{self}")

    def __eq__(self, other: Any) -> Any:
        if isinstance(other, numbers.Number):
            return LinearConstraint(self, other, other)
        return LinearConstraint(self - other, 0.0, 0.0)

    def __ge__(self, other: Any) -> Any:
        if isinstance(other, numbers.Number):
            return LinearConstraint(self, other, inf)
        return LinearConstraint(self - other, 0.0, inf)

    def __le__(self, other: Any) -> Any:
        if isinstance(other, numbers.Number):
            return LinearConstraint(self, -inf, other)
        return LinearConstraint(self - other, -inf, 0.0)

    def __lt__(self, _other: Any) -> Any:
        raise ValueError(
            'Operators "<" and ">" not supported with the linear solver')

    __gt__ = __lt__

    def __ne__(self, _other: Any) -> Any:
        raise ValueError('Operator "!=" not supported with the linear solver')

    __hash__ = object.__hash__


def _part(item: Any) -> Any:
    if isinstance(item, LinearExpr):
        return item
    if isinstance(item, numbers.Number):
        return LinearExpr({}, item, str(item))      # type: ignore[arg-type]
    raise TypeError(f"{type(item).__name__} is no linear expression")


def SumArray(items: Iterable[Any]) -> LinearExpr:
    """The sum of ITEMS."""
    terms: dict[Any, float] = {}
    constant: Any = 0.0
    words: list[str] = []
    for part in map(_part, items):
        for var, factor in part._terms.items():
            terms[var] = terms.get(var, 0.0) + factor
        constant += part._constant
        words.append(part)
    return _Sum(terms, constant, words)


class _Sum(LinearExpr):
    """A sum; its text is made when it is asked for."""

    def __str__(self) -> str:
        text = ""
        for part in self._text:
            word = str(part)
            if text and word[0] == "-":
                text += " - " + word[1:]
            else:
                text += (" + " if text else "") + word
        return f"({text})"


def Sum(*items: Any) -> LinearExpr:
    """The sum of the arguments."""
    return SumArray(items)


SumCst = Sum


class LinearConstraint:
    """An expression between two bounds."""

    def __init__(self, expr: Any, lb: float, ub: float) -> None:
        self._expr, self._lb, self._ub = expr, lb, ub

    def __bool__(self) -> bool:
        raise NotImplementedError(
            "a constraint has no truth value here: give each one to Add(), "
            "and a <= x <= b in two parts")

    def __str__(self) -> str:
        if self._lb == self._ub:
            return f"{self._expr} == {self._lb}"
        if self._lb > -inf:
            return f"{self._expr} >= {self._lb}"
        return f"{self._expr} <= {self._ub}"

    def Extract(self, solver: Any, name: str = "") -> Any:
        """The row of SOLVER for this constraint."""
        part = _part(self._expr)
        row = solver.RowConstraint(self._lb - part._constant,
                                   self._ub - part._constant, name)
        for var, factor in part._terms.items():
            row.SetCoefficient(var, float(factor))
        return row
