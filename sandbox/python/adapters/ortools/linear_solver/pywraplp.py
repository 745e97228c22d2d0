"""pywraplp - linear and mixed-integer programs, solved by HiGHS of scipy.

`Solver` under the names GLOP, PDLP, CLP, SCIP, CBC, SAT, GLPK and HIGHS: the
same optimum, though where several solutions are best, perhaps another one of
them. GLOP and the other solvers of linear programs take integer variables as
continuous, as the originals do. Not here: bases (basis_status), export to
files, lazy constraints, GUROBI, CPLEX and XPRESS (CreateSolver gives None).
"""

from __future__ import annotations

import time
from typing import Any, Optional

from ._natural import (LinearConstraint, LinearExpr, Sum, SumArray, SumCst,
                       inf)

__all__ = ["Constraint", "LinearConstraint", "LinearExpr",
           "MPSolverParameters", "Objective", "Solver", "Sum", "SumArray",
           "SumCst", "Variable", "inf"]

_MISSING = ("basis_status", "set_is_lazy", "ExportModelAsLpFormat",
            "ExportModelAsMpsFormat", "LoadModelFromProto",
            "ComputeExactConditionNumber", "ExportModelToProto", "NextSolution",
            "SetSolverSpecificParametersAsString", "branching_priority",
            "SetBranchingPriority", "SetStartingLpBasis",
            "LoadSolutionFromProto")


class _Part:
    """What solver, variable, row and objective have in common."""

    def __getattr__(self, name: str) -> Any:
        if name in _MISSING:
            raise NotImplementedError(
                f"{type(self).__name__}.{name} is not here; values, duals and "
                "reduced costs of the solution are")
        raise AttributeError(
            f"'{type(self).__name__}' object has no attribute '{name}'")


class _Bounded(_Part):
    """A variable or a row: it has a number, a name and bounds."""

    _solver: Any
    _index: int
    _name: str
    _lb: float
    _ub: float

    def name(self) -> str:
        return self._name

    def index(self) -> int:
        return self._index

    def lb(self) -> float:
        return self._lb

    def ub(self) -> float:
        return self._ub

    def SetBounds(self, lb: float, ub: float) -> None:
        self._solver._stale()
        self._lb, self._ub = float(lb), float(ub)

    def SetLb(self, lb: float) -> None:
        self.SetBounds(lb, self._ub)

    def SetUb(self, ub: float) -> None:
        self.SetBounds(self._lb, ub)

    SetLB, SetUB, Lb, Ub = SetLb, SetUb, lb, ub


class Variable(_Bounded, LinearExpr):
    """A column."""

    def __init__(self, solver: Any, index: int, lb: float, ub: float,
                 integer: bool, name: str) -> None:
        self._solver, self._index = solver, index
        self._name = name or f"auto_v_{index:09d}"
        self._lb, self._ub, self._integer = float(lb), float(ub), integer
        self._terms, self._constant = {self: 1.0}, 0.0

    __hash__ = object.__hash__

    def __str__(self) -> str:
        return self._name

    __repr__ = __str__

    def integer(self) -> bool:
        return self._integer

    def SetInteger(self, integer: bool) -> None:
        self._solver._stale()
        self._integer = bool(integer)

    Integer = integer

    def solution_value(self) -> float:
        return self._solver._found("values", self._index)

    def reduced_cost(self) -> float:
        return self._solver._found("costs", self._index)

    SolutionValue, ReducedCost = solution_value, reduced_cost


class Constraint(_Bounded):
    """A row."""

    def __init__(self, solver: Any, index: int, lb: float, ub: float,
                 name: str) -> None:
        self._solver, self._index = solver, index
        self._name = name or f"auto_c_{index:09d}"
        self._lb, self._ub = float(lb), float(ub)
        self._factors: dict[Any, float] = {}

    def SetCoefficient(self, variable: Any, factor: float) -> None:
        self._solver._stale()
        self._solver._own(variable)
        self._factors[variable] = float(factor)

    def GetCoefficient(self, variable: Any) -> float:
        return self._factors.get(variable, 0.0)

    def Clear(self) -> None:
        self._solver._stale()
        self._factors.clear()

    def dual_value(self) -> float:
        """What the objective gains if the bound grows by 1."""
        return self._solver._found("duals", self._index)

    DualValue = dual_value


class Objective(_Part):
    """What is made least, or most."""

    def __init__(self, solver: Any) -> None:
        self._solver = solver
        self._factors: dict[Any, float] = {}
        self._offset, self._most = 0.0, False

    def SetCoefficient(self, variable: Any, factor: float) -> None:
        self._solver._stale()
        self._solver._own(variable)
        self._factors[variable] = float(factor)

    def GetCoefficient(self, variable: Any) -> float:
        return self._factors.get(variable, 0.0)

    def SetOptimizationDirection(self, maximize: bool) -> None:
        self._solver._stale()
        self._most = bool(maximize)

    def SetMinimization(self) -> None:
        self.SetOptimizationDirection(False)

    def SetMaximization(self) -> None:
        self.SetOptimizationDirection(True)

    def minimization(self) -> bool:
        return not self._most

    def maximization(self) -> bool:
        return self._most

    def SetOffset(self, value: float) -> None:
        self._solver._stale()
        self._offset = float(value)

    def AddOffset(self, value: float) -> None:
        self.SetOffset(self._offset + value)

    def offset(self) -> float:
        return self._offset

    Offset = offset

    def Clear(self) -> None:
        self._solver._stale()
        self._factors.clear()
        self._offset, self._most = 0.0, False

    def Value(self) -> float:
        return sum((var.solution_value() * factor
                    for var, factor in self._factors.items()), self._offset)

    def BestBound(self) -> float:
        return self._solver._found("bound", None)


class MPSolverParameters:
    """Options of Solve(): the gap, and others that change nothing here."""

    RELATIVE_MIP_GAP, PRIMAL_TOLERANCE, DUAL_TOLERANCE = 0, 1, 2
    PRESOLVE, LP_ALGORITHM, INCREMENTALITY, SCALING = 1000, 1001, 1002, 1003
    PRESOLVE_OFF, PRESOLVE_ON = 0, 1
    DUAL, PRIMAL, BARRIER = 10, 11, 12
    INCREMENTALITY_OFF, INCREMENTALITY_ON = 0, 1
    SCALING_OFF, SCALING_ON = 0, 1

    def __init__(self) -> None:
        self._given: dict[int, Any] = {}

    def SetDoubleParam(self, param: int, value: float) -> None:
        self._given[param] = value

    def SetIntegerParam(self, param: int, value: int) -> None:
        self._given[param] = value

    def GetDoubleParam(self, param: int) -> float:
        return self._given.get(
            param, 1e-4 if param == self.RELATIVE_MIP_GAP else 1e-7)

    def GetIntegerParam(self, param: int) -> int:
        return self._given.get(param, -1)


_LINEAR = {"CLP": 0, "GLPK_LP": 1, "GLOP": 2, "PDLP": 8, "HIGHS_LP": 15}
_MIXED = {"SCIP": 3, "GLPK": 4, "CBC": 5, "BOP": 12, "SAT": 14, "CP_SAT": 14,
          "HIGHS": 16}
_LONG = {"GLPK_MIP": "GLPK", "CLP_LINEAR_PROGRAMMING": "CLP",
         "GLOP_LINEAR_PROGRAMMING": "GLOP", "PDLP_LINEAR_PROGRAMMING": "PDLP",
         "GLPK_LINEAR_PROGRAMMING": "GLPK_LP",
         "HIGHS_LINEAR_PROGRAMMING": "HIGHS_LP",
         "SCIP_MIXED_INTEGER_PROGRAMMING": "SCIP",
         "CBC_MIXED_INTEGER_PROGRAMMING": "CBC",
         "GLPK_MIXED_INTEGER_PROGRAMMING": "GLPK",
         "HIGHS_MIXED_INTEGER_PROGRAMMING": "HIGHS",
         "BOP_INTEGER_PROGRAMMING": "BOP", "SAT_INTEGER_PROGRAMMING": "SAT"}


class Solver(_Part):
    """A program: columns, rows, an objective, and its solution."""

    CLP_LINEAR_PROGRAMMING, GLPK_LINEAR_PROGRAMMING = 0, 1
    GLOP_LINEAR_PROGRAMMING, SCIP_MIXED_INTEGER_PROGRAMMING = 2, 3
    GLPK_MIXED_INTEGER_PROGRAMMING, CBC_MIXED_INTEGER_PROGRAMMING = 4, 5
    GUROBI_LINEAR_PROGRAMMING, GUROBI_MIXED_INTEGER_PROGRAMMING = 6, 7
    PDLP_LINEAR_PROGRAMMING, BOP_INTEGER_PROGRAMMING = 8, 12
    SAT_INTEGER_PROGRAMMING = 14
    HIGHS_LINEAR_PROGRAMMING, HIGHS_MIXED_INTEGER_PROGRAMMING = 15, 16
    OPTIMAL, FEASIBLE, INFEASIBLE, UNBOUNDED = 0, 1, 2, 3
    ABNORMAL, MODEL_INVALID, NOT_SOLVED = 4, 5, 6
    FREE, AT_LOWER_BOUND, AT_UPPER_BOUND, FIXED_VALUE, BASIC = range(5)

    def __init__(self, name: str, problem_type: int) -> None:
        if problem_type not in {*_LINEAR.values(), *_MIXED.values()}:
            raise NotImplementedError(
                f"the solver of type {problem_type} is not here; GLOP, SCIP, "
                "CBC and SAT are")
        self._name, self._type = name, problem_type
        self._columns: list[Variable] = []
        self._rows: list[Constraint] = []
        self._objective = Objective(self)
        self._limit: Optional[float] = None
        self._solution: dict[str, Any] = {}
        self._started, self._counts = time.monotonic(), (0, 0)
        self._threads = 1

    @staticmethod
    def CreateSolver(solver_id: str) -> Optional["Solver"]:
        word = solver_id.upper()
        word = _LONG.get(word, word)
        kind = _LINEAR.get(word, _MIXED.get(word))
        return None if kind is None else Solver(solver_id, kind)

    @staticmethod
    def SupportsProblemType(problem_type: int) -> bool:
        return problem_type in {*_LINEAR.values(), *_MIXED.values()}

    @staticmethod
    def infinity() -> float:
        return inf

    Infinity = infinity

    def _stale(self) -> None:
        """The program changed: its last solution is none."""
        self._solution = {}

    def _own(self, variable: Any) -> None:
        if getattr(variable, "_solver", None) is not self:
            raise ValueError(f"{variable} is no variable of this solver")

    def _found(self, what: str, index: Optional[int]) -> Any:
        if not self._solution.get("solved"):
            return 0.0
        if what in ("costs", "duals") and self._is_mixed():
            raise NotImplementedError(
                "a mixed-integer program has no duals and reduced costs; use "
                "GLOP for a linear one")
        found = self._solution[what]
        return found if index is None else float(found[index])

    def _is_mixed(self) -> bool:
        return self._type in _MIXED.values() and any(
            one.integer() for one in self._columns)

    # -- columns and rows

    def Var(self, lb: float, ub: float, integer: bool,
            name: str = "") -> Variable:
        self._stale()
        self._columns.append(Variable(self, len(self._columns), lb, ub,
                                      bool(integer), name))
        return self._columns[-1]

    def NumVar(self, lb: float, ub: float, name: str = "") -> Variable:
        return self.Var(lb, ub, False, name)

    def IntVar(self, lb: float, ub: float, name: str = "") -> Variable:
        return self.Var(lb, ub, True, name)

    def BoolVar(self, name: str = "") -> Variable:
        return self.Var(0, 1, True, name)

    def RowConstraint(self, *given: Any) -> Constraint:
        """A row of bounds and a name, each of which may be left out."""
        self._stale()
        name = given[-1] if given and isinstance(given[-1], str) else ""
        bounds = [one for one in given if not isinstance(one, str)]
        lb, ub = bounds if bounds else (-inf, inf)
        self._rows.append(Constraint(self, len(self._rows), lb, ub, name))
        return self._rows[-1]

    Constraint = RowConstraint

    def Add(self, constraint: Any, name: str = "") -> Any:
        if isinstance(constraint, bool):
            bound = 0 if constraint else 1
            return self.RowConstraint(bound, bound, name)
        return constraint.Extract(self, name)

    @staticmethod
    def Sum(items: Any) -> LinearExpr:
        return SumArray(items)

    def Objective(self) -> Any:
        return self._objective

    def _aim(self, expr: Any, most: bool) -> None:
        goal = self._objective
        goal.Clear()
        goal.SetOptimizationDirection(most)
        part = SumArray([expr])
        goal.AddOffset(part._constant)
        for var, factor in part._terms.items():
            goal.SetCoefficient(var, factor)

    def Minimize(self, expr: Any) -> None:
        self._aim(expr, False)

    def Maximize(self, expr: Any) -> None:
        self._aim(expr, True)

    def Clear(self) -> None:
        self._objective.Clear()
        self._columns.clear()
        self._rows.clear()

    def variables(self) -> list[Variable]:
        return list(self._columns)

    def constraints(self) -> list[Any]:
        return list(self._rows)

    def variable(self, index: int) -> Variable:
        return self._columns[index]

    def constraint(self, index: int) -> Any:
        return self._rows[index]

    def NumVariables(self) -> int:
        return len(self._columns)

    def NumConstraints(self) -> int:
        return len(self._rows)

    def LookupVariable(self, name: str) -> Optional[Variable]:
        return next((one for one in self._columns if one.name() == name), None)

    def LookupConstraint(self, name: str) -> Any:
        return next((one for one in self._rows if one.name() == name), None)

    # -- options

    def SetTimeLimit(self, milliseconds: int) -> None:
        self._limit = milliseconds / 1000

    set_time_limit = SetTimeLimit

    def SetNumThreads(self, count: int) -> bool:
        self._threads = count
        return True

    def GetNumThreads(self) -> int:
        return self._threads

    def EnableOutput(self) -> None:
        """HiGHS of scipy says nothing in either case."""

    SuppressOutput = EnableOutput

    def SetHint(self, variables: Any, values: Any) -> None:
        """A hint changes how long a search takes, and not what it finds."""

    # -- the solution

    def Solve(self, parameters: Optional[MPSolverParameters] = None) -> int:
        """Solve; the status, which is also a number."""
        from . import _highs

        gap = 0.0 if parameters is None else parameters._given.get(
            MPSolverParameters.RELATIVE_MIP_GAP, 0.0)
        run = _highs.mixed if self._is_mixed() else _highs.linear
        status, self._solution = run(self, gap)
        self._solution["solved"] = status in (self.OPTIMAL, self.FEASIBLE)
        self._counts = (self._solution.get("iterations", 0),
                        self._solution.get("nodes", 0))
        return status

    def wall_time(self) -> int:
        """Milliseconds since the solver was made."""
        return int((time.monotonic() - self._started) * 1000)

    def iterations(self) -> int:
        return self._counts[0]

    def nodes(self) -> int:
        return self._counts[1]

    WallTime, Iterations = wall_time, iterations

    def ComputeConstraintActivities(self) -> list[float]:
        return [sum(var.solution_value() * factor
                    for var, factor in row._factors.items())
                for row in self._rows]

    def VerifySolution(self, tolerance: float, _log_errors: bool) -> bool:
        """Whether the last solution keeps all bounds to TOLERANCE."""
        if not self._solution.get("solved"):
            return False
        spans = [(var.solution_value(), var) for var in self._columns]
        spans += list(zip(self.ComputeConstraintActivities(), self._rows))
        return all(one.lb() - tolerance <= value <= one.ub() + tolerance
                   for value, one in spans)

    def SolverVersion(self) -> str:
        return "HiGHS of scipy"


def __getattr__(name: str) -> object:
    raise AttributeError(f"module 'ortools.linear_solver.pywraplp' has no "
                         f"attribute '{name}' here")
