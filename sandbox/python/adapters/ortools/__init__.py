"""ortools - linear programs, constraint programs, knapsacks and flows.

`linear_solver.pywraplp` and `sat.python.cp_model` with the words of OR-Tools
9.12, over scipy's HiGHS and CryptoMiniSat; `algorithms.python.knapsack_solver`
and `graph.python` (max_flow, min_cost_flow, linear_sum_assignment) over scipy
and networkx. Not here: routing (constraint_solver), model_builder, math_opt.
"""

from __future__ import annotations

__version__ = "9.12.4544"


def __getattr__(name: str) -> object:
    if name in ("constraint_solver", "math_opt", "pdlp", "packing", "init",
                "scheduling", "util", "set_cover"):
        raise AttributeError(
            f"ortools.{name} is not here; ortools.sat.python.cp_model and "
            "ortools.linear_solver.pywraplp are")
    raise AttributeError(f"module 'ortools' has no attribute '{name}'")
