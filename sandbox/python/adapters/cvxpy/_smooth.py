"""_smooth - convex functions with two derivatives, for cvxopt.solvers.cp.

Each takes rows of inputs, and returns None outside its domain, else of each
row the value, the gradient and the Hessian.
"""

from __future__ import annotations

from typing import Any, Callable, Optional

import numpy as np

Found = Optional[tuple[np.ndarray, np.ndarray, np.ndarray]]


class Kind:
    """A function, and which of its inputs must be positive."""

    def __init__(self, of: Callable[[np.ndarray], Found],
                 positive: bool) -> None:
        self.of, self.positive = of, positive

    def __call__(self, rows: np.ndarray) -> Found:
        if self.positive and not (rows > 0).all():
            return None
        with np.errstate(over="ignore", invalid="ignore"):
            found = self.of(rows)
        if found is None or not all(np.isfinite(part).all()
                                    for part in found):
            return None
        return found


def _single(value: Any, slope: Any, bend: Any) -> Found:
    return value[:, 0], slope, bend[:, :, None]


def _exp(u: np.ndarray) -> Found:
    found = np.exp(u)
    return _single(found, found, found)


def _minus_log(u: np.ndarray) -> Found:
    return _single(-np.log(u), -1 / u, 1 / u ** 2)


def _minus_entropy(u: np.ndarray) -> Found:
    return _single(u * np.log(u), 1 + np.log(u), 1 / u)


def _logistic(u: np.ndarray) -> Found:
    share = 0.5 * (1 + np.tanh(u / 2))
    return _single(np.logaddexp(0, u), share, share * (1 - share))


def _relative_entropy(rows: np.ndarray) -> Found:
    x, y = rows.T
    slope = np.stack([np.log(x / y) + 1, -x / y], 1)
    bend = np.stack([np.stack([1 / x, -1 / y], 1),
                     np.stack([-1 / y, x / y ** 2], 1)], 1)
    return x * np.log(x / y), slope, bend


def _log_sum_exp(rows: np.ndarray) -> Found:
    top = rows.max(1, keepdims=True)
    parts = np.exp(rows - top)
    total = parts.sum(1, keepdims=True)
    share = parts / total
    bend = share[:, :, None] * np.eye(rows.shape[1]) - \
        share[:, :, None] * share[:, None, :]
    return (top + np.log(total))[:, 0], share, bend


def power(exponent: float) -> Kind:
    """u ** EXPONENT, or its opposite where that is the convex one."""
    way = -1 if 0 < exponent < 1 else 1

    def of(u: np.ndarray) -> Found:
        return _single(way * u ** exponent,
                       way * exponent * u ** (exponent - 1),
                       way * exponent * (exponent - 1) * u ** (exponent - 2))
    return Kind(of, True)


EXP = Kind(_exp, False)
MINUS_LOG = Kind(_minus_log, True)
MINUS_ENTROPY = Kind(_minus_entropy, True)
LOGISTIC = Kind(_logistic, False)
RELATIVE_ENTROPY = Kind(_relative_entropy, True)
LOG_SUM_EXP = Kind(_log_sum_exp, False)
