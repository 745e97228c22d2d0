"""_curves - smooth functions as constraints, by cvxopt.solvers.cpl."""

from __future__ import annotations

from typing import Any, Optional

import cvxopt
import cvxopt.solvers
import numpy as np
import scipy.sparse as sp

from . import _cones, settings
from ._linear import Data, Found
from .error import SolverError


class _Functions:
    """What cpl calls: values, gradients and Hessians of all functions."""

    def __init__(self, data: Data, start: np.ndarray) -> None:
        self.start, self.columns = start, len(data.q)
        self.parts = [(kind, U.toarray(), u, T.toarray(), t)
                      for kind, (U, u), (T, t) in data.smooth]
        self.count = sum(len(part[4]) for part in self.parts)

    def __call__(self, x: Any = None, z: Any = None) -> Any:
        if x is None:
            return self.count, cvxopt.matrix(self.start)
        found = self.at(np.ravel(x))
        if found is None:
            return None
        value, slope = cvxopt.matrix(found[0]), cvxopt.matrix(found[1])
        if z is None:
            return value, slope
        return value, slope, cvxopt.matrix(self.bend(found[2], np.ravel(z)))

    def at(self, x: np.ndarray) -> Optional[tuple[Any, Any, Any]]:
        values, slopes, bends = [], [], []
        for kind, U, u, T, t in self.parts:
            rows = (U @ x + u).reshape(len(t), -1)
            found = kind(rows)
            if found is None:
                return None
            value, slope, bend = found
            wide = U.reshape(len(t), -1, self.columns)
            values.append(value - T @ x - t)
            slopes.append(np.einsum("rk,rkn->rn", slope, wide) - T)
            bends.append((wide, bend))
        return np.concatenate(values), np.concatenate(slopes), bends

    def bend(self, bends: Any, z: np.ndarray) -> np.ndarray:
        total, place = np.zeros((self.columns, self.columns)), 0
        for wide, bend in bends:
            weights = z[place:place + len(wide)]
            place += len(wide)
            inner = np.einsum("r,rkl,rln->rkn", weights, bend, wide)
            total += wide.reshape(-1, self.columns).T @ \
                inner.reshape(-1, self.columns)
        return total


def solve(data: Data, cone: Any, verbose: bool) -> Found:
    if data.P.nnz:
        return solve(*_cones.lifted(data, cone), verbose)
    if len(data.q) > 3 * _cones._DENSE:
        raise SolverError("a problem with exp, log or other powers than 2 "
                          f"has too many variables: {len(data.q)}")
    start = _start(data, cone)
    if isinstance(start, Found):
        return start
    for near in (1e-8, 1e-6):
        found = _try(_Functions(data, start), data, cone, verbose, near)
        if found is not None:
            return found
    inside = _inside(data, cone, start)
    if isinstance(inside, Found):
        return inside
    if inside is not None:
        found = _try(_Functions(data, inside), data, cone, verbose, 1e-6)
        if found is not None:
            return found
    raise SolverError(
        "cvxopt did not converge; the problem may be unbounded, infeasible, "
        "or have its optimum at the edge of a function's domain")


def _try(functions: _Functions, data: Data, cone: Any, verbose: bool,
         near: float) -> Optional[Found]:
    try:
        answer = cvxopt.solvers.cpl(
            cvxopt.matrix(data.q), functions,
            *_cones.arguments(data, cone),
            options=_cones._options(verbose, near))
    except (ArithmeticError, ZeroDivisionError, ValueError, TypeError,
            OverflowError):
        return None
    answer["z"] = answer["zl"]
    return _cones.judged(data, cone, answer)


def _inside(data: Data, cone: Any, start: np.ndarray) -> Any:
    """A point where each function has room, or the state infeasible."""
    count = len(data.q)
    smooth = [(kind, (_cones._wide(U), u),
               (sp.hstack([T, np.ones((len(t), 1))], "csr"), t))
              for kind, (U, u), (T, t) in data.smooth]
    least = sp.csr_matrix(([-1.0], ([0], [count])), (1, count + 1))
    wide = data.copy(q=np.append(np.zeros(count), 1.0), smooth=smooth,
                     P=sp.csr_matrix((count + 1, count + 1)),
                     G=sp.vstack([_cones._wide(data.G), least], "csr"),
                     h=np.append(data.h, 1.0), A=_cones._wide(data.A))
    wider = (_cones._wide(cone[0]), *cone[1:])
    found = _try(_Functions(wide, np.append(start, 0.0)),
                 _cones.held(wide, wider), wider, False, 1e-7)
    if found is None or not found.is_found():
        return None
    if found.x[-1] > 1e-5:
        return Found(settings.INFEASIBLE)
    return found.x[:count] if found.x[-1] < -1e-6 else None


def _start(data: Data, cone: Any) -> Any:
    """A point inside the domains and the other constraints, or a state."""
    inner = [(U, u) for kind, (U, u), _bound in data.smooth if kind.positive]
    plain = data.copy(smooth=[])
    if not inner:
        return _nearest(plain, cone, [], 0.0)
    count = len(data.q)
    rows = [sp.hstack([-U, np.ones((len(u), 1))], "csr") for U, u in inner]
    top = sp.csr_matrix(([1.0], ([0], [count])), (1, count + 1))
    wide = plain.copy(
        P=sp.csr_matrix((count + 1, count + 1)),
        q=np.append(np.zeros(count), -1.0),
        G=sp.vstack([_cones._wide(data.G), *rows, top], "csr"),
        h=np.concatenate([data.h, *[u for _U, u in inner], [1.0]]),
        A=_cones._wide(data.A))
    wider = (_cones._wide(cone[0]), *cone[1:])
    found = _cones._engine(_cones.held(wide, wider), wider, False)
    if not found.is_found():
        return found
    room = found.x[-1]
    if room < -1e-7:
        return Found(settings.INFEASIBLE)
    if room < 1e-9:
        raise SolverError("the domain of log or another function meets the "
                          "constraints only at its edge")
    return _nearest(plain, cone, inner, room / 2)


def _nearest(data: Data, cone: Any, inner: Any, room: float) -> Any:
    """The point nearest to 0 with that much room in each domain."""
    count = len(data.q)
    near = data.copy(
        P=sp.identity(count, float, "csr"), q=np.zeros(count),
        G=sp.vstack([data.G, *[-U for U, _u in inner]], "csr"),
        h=np.concatenate([data.h, *[u - room for _U, u in inner]]))
    found = _cones._engine(near, cone, False)
    return found.x[:count] if found.is_found() else found
