"""min_cost_flow - the cheapest flow from supplies: SimpleMinCostFlow."""

from __future__ import annotations

import enum
from typing import Any

from ._arcs import Arcs


class _Status(enum.IntEnum):
    (NOT_SOLVED, OPTIMAL, FEASIBLE, INFEASIBLE, UNBALANCED, BAD_RESULT,
     BAD_COST_RANGE, BAD_CAPACITY_RANGE) = range(8)


class SimpleMinCostFlow(Arcs):
    """Arcs with capacities and costs, nodes with supplies."""

    Status = _Status
    (NOT_SOLVED, OPTIMAL, FEASIBLE, INFEASIBLE, UNBALANCED, BAD_RESULT,
     BAD_COST_RANGE, BAD_CAPACITY_RANGE) = _Status

    def __init__(self) -> None:
        super().__init__()
        self._supplies: dict[int, int] = {}

    def add_arc_with_capacity_and_unit_cost(
            self, tail: int, head: int, capacity: int,
            unit_cost: int) -> int:
        return self._arc(tail, head, capacity, unit_cost)

    def add_arcs_with_capacity_and_unit_cost(
            self, tails: Any, heads: Any, capacities: Any,
            unit_costs: Any) -> Any:
        import numpy as np

        return np.array([self._arc(*row) for row in zip(
            tails, heads, capacities, unit_costs)], dtype=int)

    def set_node_supply(self, node: int, supply: int) -> None:
        self._supplies[int(node)] = int(supply)

    def set_nodes_supplies(self, nodes: Any, supplies: Any) -> None:
        for node, supply in zip(nodes, supplies):
            self.set_node_supply(node, supply)

    def supply(self, node: int) -> int:
        return self._supplies.get(node, 0)

    def unit_cost(self, arc: int) -> int:
        return self._costs[arc]

    def num_nodes(self) -> int:
        return max(super().num_nodes(), max(self._supplies, default=-1) + 1)

    def solve(self) -> Any:
        """The status; optimal_cost() and flow() tell the rest."""
        self._flows = []
        if sum(self._supplies.values()):
            return self.UNBALANCED
        if not self._tails:
            empty = not any(self._supplies.values())
            return self.OPTIMAL if empty else self.INFEASIBLE
        flows = self._solve(self._costs, dict(self._supplies))
        if flows is None:
            return self.INFEASIBLE
        self._flows = flows
        return self.OPTIMAL

    def solve_max_flow_with_min_cost(self) -> Any:
        raise NotImplementedError(
            "solve_max_flow_with_min_cost() is not here; solve() is")

    def optimal_cost(self) -> int:
        return sum(flow * cost for flow, cost in zip(self._flows,
                                                     self._costs))

    def maximum_flow(self) -> int:
        return sum(max(one, 0) for one in self._supplies.values()) \
            if self._flows else 0
