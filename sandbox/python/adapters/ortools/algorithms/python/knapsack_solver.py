"""knapsack_solver - the best load of one knapsack, in one or more dimensions.

Every solver type gives the best value, by HiGHS of scipy. With a time limit, in
seconds, the load that is found may not be the best one: is_solution_optimal()
tells.
"""

from __future__ import annotations

import enum
from typing import Any, Optional


class SolverType(enum.IntEnum):
    """Ways to solve, which change nothing here."""

    KNAPSACK_BRUTE_FORCE_SOLVER = 0
    KNAPSACK_64ITEMS_SOLVER = 1
    KNAPSACK_DYNAMIC_PROGRAMMING_SOLVER = 2
    KNAPSACK_MULTIDIMENSION_CBC_MIP_SOLVER = 3
    KNAPSACK_MULTIDIMENSION_BRANCH_AND_BOUND_SOLVER = 5
    KNAPSACK_MULTIDIMENSION_SCIP_MIP_SOLVER = 6
    KNAPSACK_DIVIDE_AND_CONQUER_SOLVER = 9
    KNAPSACK_MULTIDIMENSION_CP_SAT_SOLVER = 10


class KnapsackSolver:
    """Items with profits, their weights in each dimension, capacities."""

    def __init__(self, solver_type: Any, solver_name: str) -> None:
        self._type, self._name = SolverType(solver_type), solver_name
        self._limit: Optional[float] = None
        self._taken: list[bool] = []
        self._proven = False

    def init(self, profits: Any, weights: Any, capacities: Any) -> None:
        """The items; WEIGHTS has a list for each dimension."""
        self._profits = [int(one) for one in profits]
        self._weights = [[int(one) for one in row] for row in weights]
        self._capacities = [int(one) for one in capacities]
        if len(self._weights) != len(self._capacities) or any(
                len(row) != len(self._profits) for row in self._weights):
            raise ValueError("weights need a list for each capacity, with a "
                             "number for each profit")

    def set_time_limit(self, time_limit_seconds: float) -> None:
        self._limit = time_limit_seconds

    def set_use_reduction(self, use_reduction: bool) -> None:
        """A reduction changes how long a search takes."""

    def solve(self) -> int:
        """The profit of the best load."""
        import numpy as np
        from scipy import optimize

        profits = np.array(self._profits, dtype=float)
        options: dict[str, Any] = {"mip_rel_gap": 0.0}
        if self._limit is not None:
            options["time_limit"] = self._limit
        self._taken, self._proven = [False] * len(profits), False
        if not len(profits):
            self._proven = True
            return 0
        result = optimize.milp(
            -profits, integrality=np.ones(len(profits)),
            bounds=optimize.Bounds(0, 1), options=options,
            constraints=optimize.LinearConstraint(
                np.array(self._weights, dtype=float), -np.inf,
                np.array(self._capacities, dtype=float)))
        if result.x is not None:
            taken = [bool(one > 0.5) for one in result.x]
            if self._fits(taken):
                self._taken, self._proven = taken, result.status == 0
        return sum(one for one, there in zip(self._profits, self._taken)
                   if there)

    def _fits(self, taken: list[bool]) -> bool:
        return all(sum(one for one, there in zip(row, taken) if there) <= most
                   for row, most in zip(self._weights, self._capacities))

    def best_solution_contains(self, item_id: int) -> bool:
        return self._taken[item_id]

    def is_solution_optimal(self) -> bool:
        return self._proven

    def get_name(self) -> str:
        return self._name

    Init, Solve = init, solve
    BestSolutionContains, IsSolutionOptimal = (best_solution_contains,
                                               is_solution_optimal)


for _kind in SolverType:
    setattr(KnapsackSolver, _kind.name, _kind)
