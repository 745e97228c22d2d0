"""_more - atoms of exponentials, logarithms and matrices."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence

import numpy as np
import scipy.special

from . import _affine, _smooth
from ._affine import expression, reshape, sum
from ._atoms import Atom, Graph, flat, rows_along
from ._expression import Expression
from ._leaves import Variable
from .constraints import PSD, Constraint, Smooth


# Exponentials and logarithms.

def _entrywise(name: str, kind: Any, numeric: Callable[..., Any],
               args: Sequence[Any], convex: bool, rising: Sequence[int],
               sign: int) -> Expression:
    """A function of entries, by the convex function KIND."""
    parts = [expression(arg) for arg in args]
    shape = _affine.common_shape(parts)
    parts = [_affine.broadcast(part, shape) for part in parts]

    def graph() -> Graph:
        t = Variable(shape)
        columns = [reshape(part, (part.size, 1), "C") for part in parts]
        return t, [Smooth(kind, _affine.hstack(columns),
                          flat(t if convex else -t))]

    return Atom(name, parts, shape, numeric, graph, convex=convex,
                rising=rising, sign=sign)


def exp(x: Any) -> Expression:
    return _entrywise("exp", _smooth.EXP, np.exp, [x], True, [1], 1)


def log(x: Any) -> Expression:
    def of(value: Any) -> Any:
        return np.where(value > 0, np.log(np.where(value > 0, value, 1)),
                        -np.inf)
    return _entrywise("log", _smooth.MINUS_LOG, of, [x], False, [1], 0)


def log1p(x: Any) -> Expression:
    return log(expression(x) + 1)


def entr(x: Any) -> Expression:
    return _entrywise("entr", _smooth.MINUS_ENTROPY, scipy.special.entr, [x],
                      False, [0], 0)


def logistic(x: Any) -> Expression:
    return _entrywise("logistic", _smooth.LOGISTIC,
                      lambda value: np.logaddexp(0, value), [x], True, [1],
                      1)


def rel_entr(x: Any, y: Any) -> Expression:
    return _entrywise("rel_entr", _smooth.RELATIVE_ENTROPY,
                      scipy.special.rel_entr, [x, y], True, [0, -1], 0)


def kl_div(x: Any, y: Any) -> Expression:
    left, right = expression(x), expression(y)
    shape = _affine.common_shape([left, right])

    def graph() -> Graph:
        return rel_entr(left, right) - left + right, []

    return Atom("kl_div", [left, right], shape, scipy.special.kl_div, graph,
                rising=[0, 0], sign=1)


def log_sum_exp(x: Any, axis: Optional[int] = None,
                keepdims: bool = False) -> Expression:
    part = expression(x)
    rows, shape = rows_along(part, axis, keepdims)

    def graph() -> Graph:
        t = Variable(rows.shape[0])
        return reshape(t, shape, "C"), [Smooth(_smooth.LOG_SUM_EXP, rows, t)]

    return Atom("log_sum_exp", [part], shape, lambda value:
                scipy.special.logsumexp(value, axis, keepdims=keepdims),
                graph, rising=[1], sign=1 if part.is_nonneg() else 0)


# Matrices.

def _square_of(name: str, given: Any) -> Expression:
    part = expression(given)
    if part.ndim != 2 or part.shape[0] != part.shape[1]:
        raise ValueError(f"The argument '{part.name()}' to {name} must "
                         "resolve to a square matrix.")
    return part


def _symmetric_part(part: Expression) -> list[Constraint]:
    """PART is symmetric, if that is not known."""
    return [] if part.is_symmetric() else [
        _affine.upper_tri(part) == _affine.upper_tri(part.T)]


def lambda_max(A: Any) -> Expression:
    part = _square_of("lambda_max", A)

    def graph() -> Graph:
        t = Variable()
        return t, [PSD(t * np.eye(part.shape[0]) - part),
                   *_symmetric_part(part)]

    return Atom("lambda_max", [part], (),
                lambda value: np.linalg.eigvalsh(value)[-1], graph)


def lambda_min(X: Any) -> Expression:
    return -lambda_max(-expression(X))


def _bordered(left: Expression, middle: Expression,
              right: Expression) -> Constraint:
    return PSD(_affine.bmat([[left, middle], [middle.T, right]]))


def sigma_max(A: Any) -> Expression:
    part = expression(A)

    def graph() -> Graph:
        t = Variable()
        rows, columns = part.shape
        return t, [_bordered(t * np.eye(rows), part, t * np.eye(columns))]

    return Atom("sigma_max", [part], (),
                lambda value: np.linalg.norm(value, 2), graph, sign=1)


def normNuc(A: Any) -> Expression:
    part = expression(A)

    def graph() -> Graph:
        left, right = [Variable((side, side), symmetric=True)
                       for side in part.shape]
        return (_affine.trace(left) + _affine.trace(right)) / 2, [
            _bordered(left, part, right)]

    return Atom("normNuc", [part], (),
                lambda value: np.linalg.norm(value, "nuc"), graph, sign=1)


def log_det(A: Any) -> Expression:
    part = _square_of("log_det", A)

    def graph() -> Graph:
        side = part.shape[0]
        below = Variable((side, side))
        upper = _affine.upper_tri(below)
        diagonal = _affine.diag(below)
        return sum(log(diagonal)), [
            upper == 0, *_symmetric_part(part),
            _bordered(part, below, _affine.diag(diagonal))]

    def of(value: Any) -> Any:
        found = np.linalg.eigvalsh(value)
        return np.sum(np.log(found)) if found[0] > 0 else -np.inf

    return Atom("log_det", [part], (), of, graph, convex=False)


def matrix_frac(X: Any, P: Any) -> Expression:
    """trace(X.T @ inv(P) @ X)"""
    part, under = expression(X), _square_of("matrix_frac", P)
    columns = part if part.ndim == 2 else reshape(part, (part.size, 1), "C")
    if columns.shape[0] != under.shape[0]:
        raise ValueError("The arguments to matrix_frac have incompatible "
                         "dimensions.")

    def graph() -> Graph:
        side = columns.shape[1]
        t = Variable((side, side), symmetric=True)
        return _affine.trace(t), [_bordered(t, columns.T, under),
                                  *_symmetric_part(under)]

    def of(x: Any, p: Any) -> Any:
        if np.linalg.eigvalsh(p)[0] <= 0:
            return np.inf
        return np.sum(x * np.linalg.solve(p, x))

    return Atom("matrix_frac", [part, under], (), of, graph, rising=[0, 0],
                sign=1)
