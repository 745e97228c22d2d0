"""_linear - linear programs, also of whole numbers, by HiGHS."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import settings
from .error import SolverError


class Data:
    """min x.T P x / 2 + q x, where Gx <= h, Ax = b, low <= x <= high,
    T x + t bounds the norm of each cone, and matrices are semidefinite."""

    def __init__(self, program: Any) -> None:
        self.P, self.q, self.constant = program.objective()
        G, less = program.stack([form for _one, form in program.below])
        A, minus = program.stack([form for _one, form in program.equal])
        self.G, self.h, self.A, self.b = G, -less, A, -minus
        self.low, self.high, self.whole = program.bounds()
        self.cones = [(program.stack([bound]), program.stack([rows]))
                      for bound, rows in program.cones]
        self.matrices = [program.stack([form])
                         for _one, form in program.matrices]
        self.smooth = [(kind, program.stack([rows]), program.stack([bound]))
                       for kind, rows, bound in program.smooth]

    def is_linear(self) -> bool:
        return not (self.P.nnz or self.cones or self.matrices or self.smooth)

    def copy(self, **changes: Any) -> "Data":
        new = object.__new__(Data)
        vars(new).update(vars(self) | changes)
        return new


class Found:
    """A state, the point, and multipliers of Gx <= h, Ax = b, matrices."""

    def __init__(self, status: str, x: Any = None, z: Any = None,
                 y: Any = None, duals: Any = None, steps: int = 0) -> None:
        self.status, self.x, self.z, self.y = status, x, z, y
        self.duals, self.steps = duals, steps

    def is_found(self) -> bool:
        return self.status in (settings.OPTIMAL, settings.OPTIMAL_INACCURATE)


def solve(data: Data, verbose: bool = False) -> Found:
    if not len(data.q):
        fits = (data.h >= -1e-9).all() and (abs(data.b) <= 1e-9).all()
        return Found(settings.OPTIMAL if fits else settings.INFEASIBLE,
                     np.zeros(0), np.zeros(len(data.h)),
                     np.zeros(len(data.b)))
    found = _milp(data, verbose) if data.whole.any() else \
        _linprog(data, verbose)
    if found.status == settings.INFEASIBLE_OR_UNBOUNDED:
        other = solve(data.copy(q=np.zeros(len(data.q))), verbose)
        found.status = settings.UNBOUNDED if other.is_found() else \
            other.status
    return found


def _status(number: int, message: str) -> str:
    if number == 0:
        return settings.OPTIMAL
    if number == 2:
        return settings.INFEASIBLE
    if number == 3:
        return settings.UNBOUNDED
    if number == 4 and "nfeasible" in message:
        return settings.INFEASIBLE_OR_UNBOUNDED
    raise SolverError(f"HiGHS gave no answer: {message}")


def _linprog(data: Data, verbose: bool) -> Found:
    from scipy.optimize import linprog
    rows, equal = len(data.h), len(data.b)
    answer = linprog(
        data.q, data.G if rows else None, data.h if rows else None,
        data.A if equal else None, data.b if equal else None,
        np.stack([data.low, data.high], 1), method="highs",
        options={"disp": verbose})
    status = _status(answer.status, answer.message)
    if status != settings.OPTIMAL:
        return Found(status)
    return Found(status, answer.x,
                 -answer.ineqlin.marginals if rows else np.zeros(0),
                 -answer.eqlin.marginals if equal else np.zeros(0),
                 steps=int(answer.nit))


def _milp(data: Data, verbose: bool) -> Found:
    from scipy.optimize import Bounds, LinearConstraint, milp
    limits = []
    if len(data.h):
        limits.append(LinearConstraint(data.G, -np.inf, data.h))
    if len(data.b):
        limits.append(LinearConstraint(data.A, data.b, data.b))
    answer = milp(
        data.q, integrality=data.whole.astype(int),
        bounds=Bounds(data.low, data.high),
        constraints=limits or None,
        options={"disp": verbose, "mip_rel_gap": 1e-9})
    status = _status(answer.status, answer.message)
    if status != settings.OPTIMAL:
        return Found(status)
    return Found(status, rounded(answer.x, data.whole))


def rounded(x: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.where(whole, np.round(x), x)


def worst(data: Data, x: np.ndarray) -> float:
    """How far X is outside, in units of the numbers concerned."""
    parts: list[Any] = [0.0]

    def outside(by: np.ndarray, *sizes: np.ndarray) -> None:
        if by.size:
            scale = np.maximum.reduce([np.ones(by.shape), *map(abs, sizes)])
            parts.append(np.max(by / scale))

    outside(data.G @ x - data.h, data.h, abs(data.G) @ abs(x))
    outside(abs(data.A @ x - data.b), data.b, abs(data.A) @ abs(x))
    outside(np.maximum(data.low - x, x - data.high), x)
    for (T, t), (U, u) in data.cones:
        bound, rows = T @ x + t, (U @ x + u).reshape(len(t), -1)
        outside(np.linalg.norm(rows, axis=1) - bound, bound)
    for F, f in data.matrices:
        parts.append(_below_zero(F @ x + f))
    for kind, (U, u), (T, t) in data.smooth:
        bound, rows = T @ x + t, (U @ x + u).reshape(len(t), -1)
        found = kind(rows)
        if found is None:
            return float("inf")
        outside(found[0] - bound, bound)
    return float(np.max(parts))


def _below_zero(entries: np.ndarray) -> float:
    side = int(len(entries) ** 0.5 + 0.5)
    matrix = entries.reshape(side, side)
    found = np.linalg.eigvalsh((matrix + matrix.T) / 2)
    return float(-found[0] / max(1, abs(found[-1])))


def check(data: Data, found: Found) -> Optional[Found]:
    """FOUND, if its point keeps to the constraints."""
    if not found.is_found():
        return found
    far = worst(data, found.x) if np.isfinite(found.x).all() else np.inf
    if far > 1e-3:
        return None
    if far > 1e-5:
        found.status = settings.OPTIMAL_INACCURATE
    return found
