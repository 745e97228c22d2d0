"""_highs - a program of pywraplp as arrays for scipy, and its answer."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import optimize, sparse

OPTIMAL, FEASIBLE, INFEASIBLE, UNBOUNDED, ABNORMAL, _INVALID, NOT_SOLVED = \
    range(7)


def _arrays(solver: Any) -> tuple[Any, Any, Any, Any]:
    """Costs (least is best), the matrix, bounds of rows and of columns."""
    columns, rows = solver._columns, solver._rows
    sign = -1.0 if solver._objective._most else 1.0
    costs = np.zeros(len(columns))
    for var, factor in solver._objective._factors.items():
        costs[var._index] = sign * factor
    cells = [(row._index, var._index, factor) for row in rows
             for var, factor in row._factors.items()]
    places = np.array([cell[:2] for cell in cells], dtype=int).reshape(-1, 2)
    matrix = sparse.csr_matrix(
        ([cell[2] for cell in cells], (places[:, 0], places[:, 1])),
        shape=(len(rows), len(columns)))
    return (costs, matrix,
            np.array([(row._lb, row._ub) for row in rows]).reshape(-1, 2),
            np.array([(var._lb, var._ub)
                      for var in columns]).reshape(-1, 2))


def _answer(solver: Any, result: Any, costs: Any) -> tuple[int, Any]:
    """The status of RESULT, and its solution."""
    sign = -1.0 if solver._objective._most else 1.0
    kinds = {0: OPTIMAL, 2: INFEASIBLE, 3: UNBOUNDED,
             1: NOT_SOLVED if result.x is None else FEASIBLE}
    status = kinds.get(result.status, ABNORMAL)
    if status == ABNORMAL and "nfeasible or unbounded" in str(result.message):
        status = _which(solver)
    found: dict[str, Any] = {}
    if status in (OPTIMAL, FEASIBLE):
        bound = getattr(result, "mip_dual_bound", None)
        best = float(costs @ result.x) if bound is None else bound
        found = {"values": result.x,
                 "bound": sign * best + solver._objective._offset}
    found["iterations"] = int(getattr(result, "nit", 0) or 0)
    found["nodes"] = int(getattr(result, "mip_node_count", 0) or 0)
    return status, found


def _which(solver: Any) -> int:
    """Whether a program is infeasible or unbounded: solve it without costs."""
    kept = solver._objective._factors
    solver._objective._factors = {}
    try:
        status, _ = (mixed if solver._is_mixed() else linear)(solver, 0.0)
    finally:
        solver._objective._factors = kept
    return {OPTIMAL: UNBOUNDED, INFEASIBLE: INFEASIBLE}.get(status, ABNORMAL)


def _trivial(solver: Any, rows: Any, bounds: Any) -> Any:
    """The answer of a program without columns, or with crossed bounds."""
    crossed = any((pair[:, 0] > pair[:, 1]).any() for pair in (rows, bounds))
    if crossed:
        return INFEASIBLE, {}
    if solver._columns:
        return None
    if not ((rows[:, 0] <= 0) & (rows[:, 1] >= 0)).all():
        return INFEASIBLE, {}
    return OPTIMAL, {"values": [], "costs": [], "duals": [0.0] * len(rows),
                     "bound": solver._objective._offset}


def mixed(solver: Any, gap: float) -> tuple[int, Any]:
    """Solve with integers."""
    costs, matrix, rows, bounds = _arrays(solver)
    trivial = _trivial(solver, rows, bounds)
    if trivial:
        return trivial
    whole = np.array([var._integer for var in solver._columns], dtype=int)
    options: dict[str, Any] = {"mip_rel_gap": gap}
    if solver._limit is not None:
        options["time_limit"] = solver._limit
    limits = [optimize.LinearConstraint(matrix, rows[:, 0], rows[:, 1])] \
        if len(rows) else []
    result = optimize.milp(
        costs, constraints=limits, integrality=whole,
        bounds=optimize.Bounds(bounds[:, 0], bounds[:, 1]), options=options)
    status, found = _answer(solver, result, costs)
    if "values" in found:
        found["values"] = np.where(whole, np.round(result.x), result.x)
    return status, found


def linear(solver: Any, _gap: float) -> tuple[int, Any]:
    """Solve without integers, with duals and reduced costs."""
    costs, matrix, rows, bounds = _arrays(solver)
    trivial = _trivial(solver, rows, bounds)
    if trivial:
        return trivial
    equal = rows[:, 0] == rows[:, 1]
    upper = ~equal & np.isfinite(rows[:, 1])
    lower = ~equal & np.isfinite(rows[:, 0])
    below = sparse.vstack([matrix[upper], -matrix[lower]])
    options = {} if solver._limit is None else {"time_limit": solver._limit}
    result = optimize.linprog(
        costs, A_ub=below, b_ub=np.r_[rows[upper, 1], -rows[lower, 0]],
        A_eq=matrix[equal], b_eq=rows[equal, 0], bounds=bounds,
        method="highs", options=options)
    status, found = _answer(solver, result, costs)
    if "values" not in found:
        return status, found
    sign = -1.0 if solver._objective._most else 1.0
    duals = np.zeros(len(rows))
    if result.ineqlin is not None and "marginals" in result.ineqlin:
        both = result.ineqlin.marginals
        duals[upper] = both[:upper.sum()]
        duals[lower] -= both[upper.sum():]
        duals[equal] = result.eqlin.marginals
    found["duals"] = sign * duals + 0.0
    found["costs"] = sign * (costs - matrix.T @ duals) + 0.0
    return status, found
