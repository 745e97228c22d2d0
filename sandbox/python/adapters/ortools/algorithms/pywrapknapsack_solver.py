"""pywrapknapsack_solver - the older name of python.knapsack_solver."""

from __future__ import annotations

from .python.knapsack_solver import KnapsackSolver

__all__ = ["KnapsackSolver"]
