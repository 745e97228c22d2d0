"""solvers - lets pulp solve without starting another program.

pulp writes a file and starts a solver's command, which a guest cannot do.
scipy has a solver of its own, HiGHS, so the commands' classes call that: for
linear problems with shadow prices and reduced costs, and with integers.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import adopt

import importlib
import importlib.util
from typing import Any, Optional

_COMMANDS = ("COIN_CMD", "GLPK_CMD", "HiGHS_CMD", "PULP_CBC_CMD", "SCIP_CMD")
# pulp's status and its solution's, by the status of scipy's linprog
_STATUS = {0: (1, 1), 2: (-1, -1), 3: (-2, -2)}
_STOPPED, _UNDEFINED = 1, (-3, 0)
_LIMITS = {"gapRel": "mip_rel_gap", "maxNodes": "mip_max_nodes"}


class _Rows:
    """The constraints of one kind: coefficients, right sides, names."""

    def __init__(self) -> None:
        self.values: list[float] = []
        self.rows: list[int] = []
        self.columns: list[int] = []
        self.sides: list[float] = []
        self.names: list[tuple[str, int]] = []  # and the factor

    def add(self, name: str, row: Any, factor: int,
            column: dict[Any, int]) -> None:
        for variable, value in row.items():
            self.values.append(factor * value)
            self.rows.append(len(self.sides))
            self.columns.append(column[variable])
        self.sides.append(-factor * row.constant)
        self.names.append((name, factor))

    def matrix(self, width: int) -> Any:
        if not self.sides:
            return None
        sparse = importlib.import_module("scipy.sparse")
        return sparse.csr_matrix((self.values, (self.rows, self.columns)),
                                 shape=(len(self.sides), width))


def _options(solver: Any) -> dict[str, Any]:
    found = {ours: solver.optionsDict[name] for name, ours in _LIMITS.items()
             if solver.optionsDict.get(name) is not None}
    if solver.timeLimit is not None:
        found["time_limit"] = float(solver.timeLimit)
    return found


def _give_back(problem: Any, variables: list[Any], sign: int, found: Any,
               kinds: tuple[_Rows, _Rows]) -> None:
    """Write the solution into the problem's variables and constraints."""
    for variable, value in zip(variables, found.x):
        variable.varValue = float(round(value)) \
            if variable.cat == "Integer" else float(value)
    for name, row in problem.constraints.items():
        row.slack = -row.value() or 0.0
    if any(variable.cat == "Integer" for variable in variables):
        return
    for rows, prices in zip(kinds, (found.ineqlin, found.eqlin)):
        for (name, factor), price in zip(rows.names, prices.marginals):
            problem.constraints[name].pi = sign * factor * float(price) or 0.0
    reduced = found.lower.marginals + found.upper.marginals
    for variable, cost in zip(variables, reduced):
        variable.dj = sign * float(cost) or 0.0


def solve(solver: Any, problem: Any, **_options_of_call: Any) -> int:
    """Solve the problem with HiGHS; replaces actualSolve() of commands."""
    if problem.sos1 or problem.sos2:
        raise NotImplementedError(
            "special ordered sets: the solver here (HiGHS) has none")
    variables = problem.variables()
    column = {variable: at for at, variable in enumerate(variables)}
    sign = -1 if problem.sense == -1 else 1  # linprog minimizes
    costs = [0.0] * len(variables)
    for variable, value in problem.objective.items():
        costs[column[variable]] = sign * value
    below, equal = _Rows(), _Rows()
    for name, row in problem.constraints.items():
        (below if row.sense else equal).add(name, row, -row.sense or 1,
                                            column)
    whole = [int(solver.mip and variable.cat == "Integer")
             for variable in variables]
    found = importlib.import_module("scipy.optimize").linprog(
        costs, below.matrix(len(variables)), below.sides or None,
        equal.matrix(len(variables)), equal.sides or None,
        [(variable.lowBound, variable.upBound) for variable in variables],
        method="highs", integrality=whole if any(whole) else None,
        options=_options(solver))
    status, solution = _STATUS.get(found.status, _UNDEFINED)
    if found.status == _STOPPED:  # with the best solution so far, or none
        status, solution = (0, 0) if found.x is None else (1, 2)
    if found.x is not None:
        _give_back(problem, variables, sign, found, (below, equal))
    problem.assignStatus(status, solution)
    return status


def _is_available(_solver: Any) -> Optional[bool]:
    return True


def _change(apis: Any) -> None:
    if importlib.util.find_spec("scipy") is None:
        return
    for name in _COMMANDS:
        command = getattr(apis, name, None)
        if command is not None:
            command.available, command.actualSolve = _is_available, solve
    apis.LpSolverDefault = apis.PULP_CBC_CMD(msg=False)


adopt("pulp.apis", _change)
