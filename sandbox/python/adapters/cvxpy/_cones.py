"""_cones - programs with squares, cones and smooth functions, by cvxopt."""

from __future__ import annotations

from typing import Any, Optional

import cvxopt
import cvxopt.solvers
import numpy as np
import scipy.linalg
import scipy.sparse as sp

from . import _linear, settings
from ._linear import Data, Found
from .error import SolverError

_DENSE = 700  # columns: up to here every matrix may be dense


def solve(data: Data, verbose: bool = False) -> Found:
    """The answer for DATA without whole numbers."""
    if data.is_linear():
        return _linear.solve(data, verbose)
    if not len(data.q):
        raise SolverError("a problem with cones has no variables")
    size = max(abs(data.q).max(), abs(data.P).max())
    if not size or data.smooth:
        size = 1.0
    found = _presolved(data.copy(q=data.q / size, P=data.P / size), verbose)
    if found.is_found():
        found.z, found.y = found.z * size, found.y * size
        found.duals = [size * dual for dual in found.duals or ()]
    checked = _linear.check(data, found)
    if checked is None:
        raise SolverError("the point that cvxopt found is outside the "
                          "constraints")
    return checked


# Before cvxopt: rows and columns that say nothing.

def _presolved(given: Data, verbose: bool) -> Found:
    data = _with_fixed(given)
    rows = _rows(data)
    if rows is None:
        return Found(settings.INFEASIBLE)
    G, h, kept, size = rows
    equal = _independent(data.A, data.b)
    if equal is None:
        return Found(settings.INFEASIBLE)
    A, b, used = equal
    cone = _cone_rows(data)
    part = data.copy(G=G, h=h, A=A, b=b)
    free = _free(part, cone)
    flat = free is not None and bool(
        (abs(free @ data.q) > 1e-9 * max(1, abs(data.q).max())).any())
    part = _held(part, free)
    if flat:
        none = sp.csr_matrix(data.P.shape)
        inner = _engine(part.copy(q=0 * data.q, P=none), cone, verbose)
        return Found(settings.UNBOUNDED) if inner.is_found() else inner
    found = _engine(part, cone, verbose)
    if found.is_found():
        found.x = found.x[:len(data.q)]
        found.z = _spread(found.z[:len(kept)] / size, kept, len(given.h))
        found.y = _spread(found.y, used, len(given.b))
    return found


def _spread(values: np.ndarray, places: np.ndarray,
            count: int) -> np.ndarray:
    """VALUES at PLACES below COUNT, among zeros."""
    own, found = places < count, np.zeros(count)
    found[places[own]] = values[:len(places)][own]
    return found


def _with_fixed(data: Data) -> Data:
    """Columns between equal bounds are equations."""
    fixed = data.low == data.high
    if not fixed.any():
        return data
    eye = sp.identity(len(data.q), float, "csr")
    return data.copy(A=sp.vstack([data.A, eye[fixed]], "csr"),
                     b=np.concatenate([data.b, data.low[fixed]]),
                     low=np.where(fixed, -np.inf, data.low),
                     high=np.where(fixed, np.inf, data.high))


def _held(data: Data, free: Optional[np.ndarray]) -> Data:
    """DATA without movement in the directions FREE."""
    if free is None:
        return data
    return data.copy(A=sp.vstack([data.A, free], "csr"),
                     b=np.concatenate([data.b, np.zeros(len(free))]))


def held(data: Data, cone: Any) -> Data:
    return _held(data, _free(data, cone))


def _rows(data: Data) -> Optional[tuple[Any, ...]]:
    """Rows and bounds below h, scaled, without zeros; None: impossible."""
    eye = sp.identity(len(data.q), float, "csr")
    low, high = np.isfinite(data.low), np.isfinite(data.high)
    G = sp.vstack([data.G, -eye[low], eye[high]], "csr")
    h = np.concatenate([data.h, -data.low[low], data.high[high]])
    size = np.asarray(abs(G).max(axis=1).todense()).ravel() \
        if G.shape[0] else np.zeros(0)
    if (h[size == 0] < -1e-9).any():
        return None
    kept = np.flatnonzero(size > 0)
    size = size[kept]
    return sp.csr_matrix(sp.diags(1 / size) @ G[kept]), h[kept] / size, \
        kept, size


def _independent(A: Any, b: np.ndarray
                 ) -> Optional[tuple[Any, np.ndarray, np.ndarray]]:
    """Rows of A that do not follow from others; None: they contradict."""
    if not A.shape[0]:
        return A, b, np.arange(0)
    size = np.asarray(np.sqrt(A.multiply(A).sum(axis=1))).ravel()
    if (abs(b[size == 0]) > 1e-9).any():
        return None
    kept = np.flatnonzero(size > 0)
    scaled = (sp.diags(1 / size[kept]) @ A[kept]).toarray()
    target = b[kept] / size[kept]
    if not len(kept):
        return A[kept], b[kept], kept
    R, order = scipy.linalg.qr(scaled.T, mode="r", pivoting=True)
    diagonal = abs(np.diag(R))
    rank = int((diagonal > 1e-10 * diagonal[0]).sum())
    basis = np.sort(order[:rank])
    if rank < len(kept):
        share = np.linalg.lstsq(scaled[basis].T, scaled.T, rcond=None)[0]
        if (abs(share.T @ target[basis] - target) >
                1e-7 * max(1, abs(target).max())).any():
            return None
    return A[kept[basis]], b[kept[basis]], kept[basis]


def _cone_rows(data: Data) -> tuple[Any, np.ndarray, list[int], list[int]]:
    """-s of each second-order cone and matrix, as rows Gx + s = h."""
    parts, ends, sides, squares = [], [], [], []
    for (T, t), (U, u) in data.cones:
        width = len(u) // len(t)
        for row in range(len(t)):
            rows = slice(row * width, (row + 1) * width)
            parts += [-T[row], -U[rows]]
            ends += [t[row:row + 1], u[rows]]
        sides += [width + 1] * len(t)
    for F, f in data.matrices:
        side = int(len(f) ** 0.5 + 0.5)
        turned = np.arange(side * side).reshape(side, side).T.ravel()
        parts.append(-(F + F[turned]) / 2)
        ends.append((f + f[turned]) / 2)
        squares.append(side)
    if not parts:
        return sp.csr_matrix((0, len(data.q))), np.zeros(0), sides, squares
    return sp.vstack(parts, "csr"), np.concatenate(ends), sides, squares


def _free(data: Data, cone: Any, force: bool = False) -> Optional[np.ndarray]:
    """Directions that change neither a row nor a square."""
    count = len(data.q)
    if count > _DENSE and not force:
        return None
    parts = [data.P, data.G, data.A, cone[0]]
    for _kind, (U, _u), (T, _t) in data.smooth:
        parts += [U, T]
    whole = sp.vstack(parts, "csr")
    size = np.asarray(np.sqrt(whole.multiply(whole).sum(axis=1))).ravel()
    scaled = sp.diags(1 / np.where(size > 0, size, 1)) @ whole
    values, vectors = np.linalg.eigh((scaled.T @ scaled).toarray())
    found = vectors[:, values < 1e-12 * max(1.0, values[-1])].T
    return found if len(found) else None


# cvxopt itself.

def _matrix(given: Any) -> Any:
    """GIVEN for cvxopt: dense if it is small or full."""
    if sp.issparse(given):
        rows, columns = given.shape
        if rows * columns <= 40000 or given.nnz > 0.2 * rows * columns:
            return cvxopt.matrix(given.toarray().astype(float))
        part = given.tocoo()
        return cvxopt.spmatrix(part.data.tolist(), part.row.tolist(),
                               part.col.tolist(), given.shape, "d")
    return cvxopt.matrix(np.asarray(given, float))


def _options(verbose: bool, near: float) -> dict[str, Any]:
    return {"show_progress": verbose, "abstol": near, "reltol": near,
            "feastol": near, "maxiters": 200}


def _engine(data: Data, cone: Any, verbose: bool,
            relaxing: bool = True) -> Found:
    """By one of cvxopt's solvers, after the other if it gives up."""
    if data.smooth:
        from . import _curves
        return _curves.solve(data, cone, verbose)
    if not data.P.nnz and not data.cones and not data.matrices:
        return _linear.solve(data.copy(
            low=np.full(len(data.q), -np.inf),
            high=np.full(len(data.q), np.inf)), verbose)
    for near, kkt in ((1e-9, None), (1e-7, "ldl")):
        found = _try(data, cone, verbose, near, kkt)
        if found is not None:
            return _polished(data, found)
    if data.P.nnz:
        return _engine(*lifted(data, cone), verbose)
    if relaxing and _is_impossible(data, cone):
        return Found(settings.INFEASIBLE)
    raise SolverError("cvxopt did not converge; scale the numbers of the "
                      "problem, or bound its variables")


def arguments(data: Data, cone: Any) -> tuple[Any, ...]:
    """G, h, dims, A and b of cvxopt."""
    G = sp.vstack([data.G, cone[0]], "csr")
    dims = {"l": data.G.shape[0], "q": cone[2], "s": cone[3]}
    return (_matrix(G), _matrix(np.concatenate([data.h, cone[1]])), dims,
            _matrix(data.A), _matrix(data.b))


def _is_impossible(data: Data, cone: Any) -> bool:
    """Do the constraints need more room than there is?"""
    count = len(data.q)
    ones: list[Any] = []
    for side in cone[2]:
        ones += [-1.0] + [0.0] * (side - 1)
    for side in cone[3]:
        ones += list(-np.eye(side).ravel())
    rows = [np.full((len(data.h), 1), -1.0), [[-1.0]]]
    wide = data.copy(
        q=np.append(np.zeros(count), 1.0),
        G=sp.hstack([sp.vstack([data.G, np.zeros((1, count))]),
                     np.vstack(rows)], "csr"),
        h=np.append(data.h, 1.0), A=_wide(data.A),
        P=sp.csr_matrix((count + 1, count + 1)))
    column = np.reshape(ones, (-1, 1))
    wider = (sp.hstack([cone[0], column], "csr"), *cone[1:])
    found = _engine(held(wide, wider), wider, False, relaxing=False)
    return found.is_found() and bool(found.x[count] > 1e-5)


def _try(data: Data, cone: Any, verbose: bool, near: float,
         kkt: Optional[str] = None) -> Optional[Found]:
    given = arguments(data, cone)
    options = _options(verbose, near)
    try:
        if data.P.nnz:
            answer = cvxopt.solvers.coneqp(
                _matrix(data.P), _matrix(data.q), *given, kktsolver=kkt,
                options=options)
        else:
            answer = cvxopt.solvers.conelp(_matrix(data.q), *given,
                                           kktsolver=kkt, options=options)
    except (ArithmeticError, ZeroDivisionError):
        return None
    except ValueError as error:
        return _with_free(data, cone, verbose) \
            if "Rank" in str(error) else None
    return judged(data, cone, answer)


def _with_free(data: Data, cone: Any, verbose: bool) -> Optional[Found]:
    """Again without the directions that nothing bounds."""
    if len(data.q) <= _DENSE or len(data.q) > 4 * _DENSE:
        return None
    free = _free(data, cone, force=True)
    if free is None or (abs(free @ data.q) > 1e-9).any():
        return None
    return _try(_held(data, free), cone, verbose, 1e-9)


def _is_near(answer: dict[str, Any]) -> bool:
    """Is ANSWER good enough, though cvxopt aimed nearer?"""
    gaps = [answer[name] for name in ("gap", "relative gap")
            if answer[name] is not None]
    far = [answer[name] for name in ("primal infeasibility",
                                     "dual infeasibility")]
    return None not in far and bool(gaps) and all(
        np.isfinite(part) for part in far + gaps) and \
        max(*far, min(gaps)) <= 1e-6 and \
        bool(np.isfinite(np.ravel(answer["x"])).all())


def judged(data: Data, cone: Any, answer: dict[str, Any]) -> Optional[Found]:
    """ANSWER, if it is one."""
    status = answer["status"]
    if status == "primal infeasible":
        return Found(settings.INFEASIBLE)
    if status == "dual infeasible":
        inner = _engine(data.copy(q=np.zeros(len(data.q))), cone, False)
        return Found(settings.UNBOUNDED) if inner.is_found() else inner
    if status != "optimal" and not _is_near(answer):
        return None
    z = np.ravel(answer["z"])
    start = data.G.shape[0] + sum(cone[2])
    return Found(settings.OPTIMAL, np.ravel(answer["x"]),
                 z[:data.G.shape[0]], np.ravel(answer["y"]),
                 _square_duals(z[start:], cone[3]),
                 int(answer.get("iterations", 0)))


def _square_duals(z: np.ndarray, sides: list[int]) -> list[np.ndarray]:
    found, start = [], 0
    for side in sides:
        part = np.tril(z[start:start + side * side].reshape(side, side).T)
        found.append(part + np.tril(part, -1).T)
        start += side * side
    return found


def lifted(data: Data, cone: Any) -> tuple[Data, Any]:
    """The squares of the objective below a variable, as a cone."""
    P = data.P.toarray()
    values, vectors = np.linalg.eigh((P + P.T) / 2)
    kept = values > 1e-13 * values[-1]
    root = (vectors[:, kept] * np.sqrt(values[kept])).T
    count = len(data.q)
    t = np.zeros((1, count + 1))
    t[0, -1] = 1
    rows = np.vstack([-t, -t, np.hstack([-root, np.zeros((len(root), 1))])])
    wide = {name: sp.csr_matrix((part.data, part.indices, part.indptr),
                                (part.shape[0], count + 1))
            for name, part in (("G", data.G), ("A", data.A),
                               ("C", cone[0]))}
    half = np.concatenate([[0.5, -0.5], np.zeros(len(root))])
    place = sum(cone[2])
    C = sp.vstack([wide["C"][:place], rows, wide["C"][place:]], "csr")
    smooth = [(kind, (_wide(U), u), (_wide(T), w))
              for kind, (U, u), (T, w) in data.smooth]
    new = data.copy(P=sp.csr_matrix((count + 1, count + 1)),
                    q=np.append(data.q, 1.0), G=wide["G"], A=wide["A"],
                    smooth=smooth, cones=data.cones or [None],
                    low=np.append(data.low, -np.inf),
                    high=np.append(data.high, np.inf))
    return new, (C, np.concatenate([cone[1][:place], half,
                                    cone[1][place:]]),
                 cone[2] + [len(root) + 2], cone[3])


def _wide(part: Any) -> Any:
    return sp.hstack([part, sp.csr_matrix((part.shape[0], 1))], "csr")


def _polished(data: Data, found: Found) -> Found:
    """The exact point where the rows that bind are known."""
    if not found.is_found() or data.cones or data.matrices:
        return found
    room = data.h - data.G @ found.x
    active = found.z > np.maximum(room, 0)
    K = sp.bmat([[data.P, data.G[active].T, data.A.T],
                 [data.G[active], None, None], [data.A, None, None]])
    if K.shape[0] > 1200:
        return found
    step = [-(data.P @ found.x + data.q), room[active],
            data.b - data.A @ found.x]
    new = np.linalg.lstsq(K.toarray(), np.concatenate(step), rcond=1e-12)[0]
    count, bound = len(data.q), int(active.sum())
    x, z = found.x + new[:count], np.zeros(len(data.h))
    z[active] = new[count:count + bound]
    size = max(1, abs(found.x).max())
    slope = data.P @ x + data.q + data.G.T @ z + \
        data.A.T @ new[count + bound:]
    exact = abs(slope).max() <= 1e-9 * max(1, abs(data.q).max()) and \
        abs(new[:count]).max() <= 1e-3 * size and \
        (data.G @ x - data.h <= 1e-9 * np.maximum(1, abs(data.h))).all() \
        and (abs(data.A @ x - data.b) <= 1e-9 *
             np.maximum(1, abs(data.b))).all() and \
        (z >= -1e-9 * max(1, abs(found.z).max(initial=0))).all()
    if exact:
        found.x, found.z = x, np.maximum(z, 0)
        found.y = new[count + bound:]
    return found
