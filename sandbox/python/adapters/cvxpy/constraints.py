"""constraints - equalities, inequalities and cones."""

from __future__ import annotations

import itertools
from typing import Any, Optional

import numpy as np

from . import _affine
from ._expression import Expression, Shape

_numbers = itertools.count(1)


class Constraint:
    """Arguments, and how far their values are from what it demands."""

    def __init__(self, args: list[Any]) -> None:
        self.args: list[Expression] = [_affine.expression(arg)
                                       for arg in args]
        self.id = self.constr_id = next(_numbers)
        self._dual: Any = None

    @property
    def expr(self) -> Expression:
        return self.args[0]

    @property
    def shape(self) -> Shape:
        return self.expr.shape

    @property
    def size(self) -> int:
        return self.expr.size

    def is_dcp(self, dpp: bool = False) -> bool:
        if dpp:
            raise NotImplementedError("is_dcp(dpp=True) is not here")
        return all(arg.is_affine() for arg in self.args)

    def variables(self) -> list[Any]:
        return _leaves(self.args, "variables")

    def parameters(self) -> list[Any]:
        return _leaves(self.args, "parameters")

    def constants(self) -> list[Any]:
        return _leaves(self.args, "constants")

    @property
    def residual(self) -> Any:
        """The distance of each entry; None before variables have values."""
        value = self.expr.value
        return None if value is None else self._distance(value)

    def _distance(self, value: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__}.residual is not "
                                  "here")

    def violation(self) -> Any:
        found = self.residual
        if found is None:
            raise ValueError("Cannot compute the violation of a constraint "
                             "whose expression is None-valued.")
        return found

    def value(self, tolerance: float = 1e-8) -> bool:
        return bool(np.all(self.violation() <= tolerance))

    @property
    def dual_value(self) -> Any:
        return self._dual

    def save_dual_value(self, value: Any) -> None:
        self._dual = value

    def _refuse(self) -> Any:
        raise Exception("a constraint is neither true nor false; write a "
                        "chain like 1 <= x <= 2 as two constraints")

    def __bool__(self) -> bool:
        return bool(self._refuse())

    def _chained(self, other: Any) -> Any:
        return self._refuse()

    __hash__ = object.__hash__
    __le__ = __ge__ = __lt__ = __gt__ = _chained

    def __eq__(self, other: Any) -> Any:
        return self is other

    def name(self) -> str:
        raise NotImplementedError

    def __str__(self) -> str:
        return self.name()

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self.args))
        return f"{type(self).__name__}({shown})"


def _leaves(args: list[Any], kind: str) -> list[Any]:
    found = [leaf for arg in args for leaf in getattr(arg, kind)()]
    return list({id(leaf): leaf for leaf in found}.values())


class _Pair(Constraint):
    def __init__(self, lhs: Any, rhs: Any) -> None:
        super().__init__([lhs, rhs])
        self._difference = self.args[0] - self.args[1]

    @property
    def expr(self) -> Expression:
        return self._difference


class Inequality(_Pair):
    """lhs <= rhs"""

    def is_dcp(self, dpp: bool = False) -> bool:
        if dpp:
            raise NotImplementedError("is_dcp(dpp=True) is not here")
        return bool(self.expr.is_convex())

    def _distance(self, value: Any) -> Any:
        return np.maximum(value, 0)

    def name(self) -> str:
        return f"{self.args[0]} <= {self.args[1]}"


class Equality(_Pair):
    """lhs == rhs"""

    def is_dcp(self, dpp: bool = False) -> bool:
        if dpp:
            raise NotImplementedError("is_dcp(dpp=True) is not here")
        return bool(self.expr.is_affine())

    def _distance(self, value: Any) -> Any:
        return np.abs(value)

    def name(self) -> str:
        return f"{self.args[0]} == {self.args[1]}"


class Zero(Constraint):
    """expr == 0"""

    def __init__(self, expr: Any) -> None:
        super().__init__([expr])

    _distance = Equality._distance

    def name(self) -> str:
        return f"{self.expr} == 0"


class PSD(Constraint):
    """The symmetric part of a matrix has no negative eigenvalue."""

    def __init__(self, expr: Any) -> None:
        super().__init__([expr])
        shape = self.expr.shape
        if self.expr.size > 1 and (len(shape) != 2 or shape[0] != shape[1]):
            raise ValueError(f"Non-square matrix in positive definite "
                             f"constraint: {shape}")

    def _distance(self, value: Any) -> Any:
        square = np.reshape(value, (int(value.size ** 0.5 + 0.5), -1))
        found = np.linalg.eigvalsh((square + square.T) / 2)
        return np.maximum(-found[0], 0)

    def name(self) -> str:
        return f"{self.expr} >> 0"


class SOC(Constraint):
    """norm(X) <= t, of a vector or of each column (row: axis=1) of X."""

    def __init__(self, t: Any, X: Any, axis: int = 0) -> None:
        super().__init__([t, X])
        bound, parts = self.args
        if parts.ndim < 2:
            parts = _affine.reshape(parts, (1, parts.size), "C")
        elif axis == 0:
            parts = parts.T
        if bound.ndim > 1 or bound.size != parts.shape[0]:
            raise ValueError(f"Invalid dimensions {bound.shape} "
                             f"{self.args[1].shape} of a second-order cone")
        self.rows, self.axis = parts, axis

    @property
    def dual_value(self) -> Any:
        raise NotImplementedError(
            "the dual of SOC is not here; write norm(X) <= t, which has one")

    @property
    def residual(self) -> Any:
        bound, rows = self.args[0].value, self.rows.value
        if bound is None or rows is None:
            return None
        return np.maximum(np.linalg.norm(rows, axis=1) - np.ravel(bound), 0)

    def name(self) -> str:
        return f"SOC({self.args[0]}, {self.args[1]})"


class Smooth(Constraint):
    """KIND of each row of INPUTS is at most the entry of BOUND."""

    def __init__(self, kind: Any, inputs: Expression,
                 bound: Expression) -> None:
        super().__init__([inputs, bound])
        self.kind = kind


def NonNeg(expr: Any) -> Constraint:
    return Inequality(0, expr)


def NonPos(expr: Any) -> Constraint:
    return Inequality(expr, 0)


def of_bool(given: bool, name: Optional[str] = None) -> Constraint:
    """A comparison of numbers alone, which Python has answered."""
    return Inequality(0, 1) if given else Inequality(1, 0)
