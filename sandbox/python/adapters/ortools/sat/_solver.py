"""_solver - CpSolver, its parameters, and the callbacks for solutions."""

from __future__ import annotations

import time
from fractions import Fraction
from math import inf
from typing import Any, Optional

from ._search import UNKNOWN
from ._words import LinearExpr, whole

_NAMES = ("UNKNOWN", "MODEL_INVALID", "FEASIBLE", "INFEASIBLE", "OPTIMAL")
_OPTIONS = """
    num_search_workers num_workers log_search_progress log_to_stdout
    random_seed cp_model_presolve cp_model_probing_level linearization_level
    search_branching symmetry_level relative_gap_limit absolute_gap_limit
    log_subsolver_statistics use_lns use_lns_only interleave_search
    randomize_search instantiate_all_variables optimize_with_core
    keep_all_feasible_solutions_in_presolve repair_hint hint_conflict_limit
    log_prefix use_optional_variables max_memory_in_mb preferred_variable_order
    fill_additional_solutions_in_response solution_pool_size
    use_feasibility_jump fix_variables_to_their_hinted_value
    boolean_encoding_level
    use_erwa_heuristic
    optimize_with_max_hs use_rins_lns presolve_probing_deterministic_time_limit
""".split()


class _Parameters:
    """Options of a solver, by name."""

    def __init__(self) -> None:
        vars(self).update(
            {name: 0 for name in _OPTIONS}, max_time_in_seconds=inf,
            enumerate_all_solutions=False, stop_after_first_solution=False)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in vars(self):
            raise NotImplementedError(
                f"parameters.{name} is not here; max_time_in_seconds, "
                "enumerate_all_solutions and stop_after_first_solution are")
        vars(self)[name] = value

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"parameters.{name} is not here")


class _Values:
    """The solution that a solver or a callback shows."""

    _values: Optional[list[int]] = None
    _objective = _bound = 0.0
    _begun = _took = 0.0
    _asked = False

    def value(self, expression: Any) -> int:
        """The value of EXPRESSION in the solution."""
        if not isinstance(expression, LinearExpr):
            return whole(expression)
        if not self._asked:
            raise RuntimeError("solve() has not been called")
        if self._values is None:
            raise IndexError("there is no solution: look at the status first")
        terms, constant = expression._flat()
        return constant + sum(by * self._values[var]
                              for var, by in terms.items())

    def boolean_value(self, literal: Any) -> bool:
        return bool(self.value(literal))

    def values(self, variables: Any) -> Any:
        return variables.apply(self.value)

    boolean_values = values
    Value, BooleanValue = value, boolean_value

    @property
    def objective_value(self) -> float:
        return self._objective

    @property
    def best_objective_bound(self) -> float:
        return self._bound

    @property
    def wall_time(self) -> float:
        return self._took or time.monotonic() - self._begun

    user_time = wall_time

    @property
    def num_conflicts(self) -> int:
        return 0

    num_branches = num_booleans = num_binary_propagations = num_conflicts
    num_integer_propagations = num_conflicts

    def ObjectiveValue(self) -> float:
        return self._objective

    def BestObjectiveBound(self) -> float:
        return self._bound

    def WallTime(self) -> float:
        return self.wall_time

    UserTime = WallTime

    def NumConflicts(self) -> int:
        return 0

    NumBranches = NumBooleans = NumConflicts


class CpSolverSolutionCallback(_Values):
    """Called for each solution: subclasses have on_solution_callback()."""

    def __init__(self) -> None:
        self._stop = False

    def on_solution_callback(self) -> None:
        """What a subclass does for each solution."""

    def OnSolutionCallback(self) -> None:
        self.on_solution_callback()

    def stop_search(self) -> None:
        self._stop = True

    def has_response(self) -> bool:
        return self._values is not None

    StopSearch, HasResponse = stop_search, has_response


class ObjectiveSolutionPrinter(CpSolverSolutionCallback):
    """Prints the objective of each solution."""

    def __init__(self) -> None:
        super().__init__()
        self._count, self._first = 0, time.time()

    def on_solution_callback(self) -> None:
        took = time.time() - self._first
        print(f"Solution {self._count}, time = {took:0.2f} s, objective = "
              f"{self.objective_value:g}", flush=True)
        self._count += 1

    def solution_count(self) -> int:
        return self._count


class VarArrayAndObjectiveSolutionPrinter(ObjectiveSolutionPrinter):
    """Prints the objective and the variables of each solution."""

    def __init__(self, variables: Any) -> None:
        super().__init__()
        self._shown = variables

    def on_solution_callback(self) -> None:
        super().on_solution_callback()
        self._print_values()

    def _print_values(self) -> None:
        for one in self._shown:
            print(f"  {one} = {self.value(one)}", end=" ")
        print(flush=True)


class VarArraySolutionPrinter(VarArrayAndObjectiveSolutionPrinter):
    """Prints the variables of each solution."""

    def on_solution_callback(self) -> None:
        took = time.time() - self._first
        print(f"Solution {self._count}, time = {took:0.2f} s", flush=True)
        self._print_values()
        self._count += 1


class CpSolver(_Values):
    """Solves a model and shows the solution."""

    def __init__(self) -> None:
        self.parameters = _Parameters()
        self.log_callback: Any = None
        self.best_bound_callback: Any = None
        self._status = UNKNOWN

    def __getattr__(self, name: str) -> Any:
        if name.lower().replace("_", "") in (
                "sufficientassumptionsforinfeasibility", "responseproto",
                "stopsearch"):
            raise NotImplementedError(f"CpSolver.{name} is not here")
        raise AttributeError(f"'CpSolver' object has no attribute '{name}'")

    def solve(self, model: Any, solution_callback: Any = None) -> int:
        """The status; values and the objective are the solver's then."""
        from ._search import Search

        self._asked, self._values, self._took = True, None, 0.0
        self._objective = self._bound = 0.0
        self._begun = time.monotonic()
        goal, constant, factor = model._whole_goal() if model._goal else \
            (None, 0, Fraction(1))

        def found() -> bool:
            self._values = search.values
            if search.best is not None:
                self._objective = float(search.best * factor + constant)
            if search.bound is not None and goal:
                self._bound = float(search.bound * factor + constant)
            return self._told(solution_callback)

        search = Search(
            [one._spans for one in model._vars],
            [(row._kind, row._args, row._given) for row in model._rows],
            goal, self.parameters.max_time_in_seconds, found)
        every = self.parameters.enumerate_all_solutions and goal is None
        self._status = search.every() if every else search.run()
        if goal and search.bound is not None and self._values is not None:
            self._bound = float(search.bound * factor + constant)
        self._took = time.monotonic() - self._begun
        return self._status

    def _told(self, callback: Any) -> bool:
        """Show the solution to CALLBACK; whether the search shall end."""
        if callback is not None:
            callback._values, callback._asked = self._values, True
            callback._objective, callback._bound = self._objective, self._bound
            callback._begun = self._begun
            if not hasattr(callback, "_stop"):
                raise RuntimeError(
                    "the callback's __init__() must call "
                    "CpSolverSolutionCallback.__init__(self)")
            callback.OnSolutionCallback()
        return self.parameters.stop_after_first_solution or \
            getattr(callback, "_stop", False)

    def Solve(self, model: Any, solution_callback: Any = None) -> int:
        return self.solve(model, solution_callback)

    def SolveWithSolutionCallback(self, model: Any, callback: Any) -> int:
        return self.solve(model, callback)

    def SearchForAllSolutions(self, model: Any, callback: Any) -> int:
        """Show each solution of a model without an objective."""
        if model.has_objective():
            raise TypeError("a search for all solutions is for models without "
                            "an objective")
        before = self.parameters.enumerate_all_solutions
        self.parameters.enumerate_all_solutions = True
        try:
            return self.solve(model, callback)
        finally:
            self.parameters.enumerate_all_solutions = before

    def status_name(self, status: Optional[int] = None) -> str:
        return _NAMES[self._status if status is None else status]

    StatusName = status_name

    def response_stats(self) -> str:
        """The numbers of the last run, as text."""
        solved = self._values is not None
        return (f"CpSolverResponse summary:\nstatus: {self.status_name()}\n"
                f"objective: {self._objective if solved else 'NA'}\n"
                f"best_bound: {self._bound if solved else 'NA'}\n"
                f"walltime: {self.wall_time:.6g}\n")

    def solution_info(self) -> str:
        return ""

    ResponseStats, SolutionInfo = response_stats, solution_info
