"""linear_sum_assignment - the cheapest pairs: SimpleLinearSumAssignment."""

from __future__ import annotations

import enum
from typing import Any


class _Status(enum.IntEnum):
    OPTIMAL, INFEASIBLE, POSSIBLE_OVERFLOW = range(3)


class SimpleLinearSumAssignment:
    """Costs of pairs; a pair without one cannot be."""

    Status = _Status
    OPTIMAL, INFEASIBLE, POSSIBLE_OVERFLOW = _Status

    def __init__(self) -> None:
        self._arcs: list[tuple[int, int, int]] = []
        self._mates: list[int] = []

    def add_arc_with_cost(self, left_node: int, right_node: int,
                          cost: int) -> int:
        self._arcs.append((int(left_node), int(right_node), int(cost)))
        return len(self._arcs) - 1

    def add_arcs_with_cost(self, left_nodes: Any, right_nodes: Any,
                           costs: Any) -> Any:
        import numpy as np

        return np.array([self.add_arc_with_cost(*row) for row in zip(
            left_nodes, right_nodes, costs)], dtype=int)

    def num_arcs(self) -> int:
        return len(self._arcs)

    def num_nodes(self) -> int:
        return max((max(left, right) for left, right, _ in self._arcs),
                   default=-1) + 1

    def left_node(self, arc: int) -> int:
        return self._arcs[arc][0]

    def right_node(self, arc: int) -> int:
        return self._arcs[arc][1]

    def cost(self, arc: int) -> int:
        return self._arcs[arc][2]

    def _costs(self) -> Any:
        import numpy as np

        table = np.full((self.num_nodes(),) * 2, np.inf)
        for left, right, cost in self._arcs:
            table[left, right] = min(table[left, right], cost)
        return table

    def solve(self) -> Any:
        """The status; right_mate() and optimal_cost() tell the rest."""
        from scipy import optimize

        self._mates, self._table = [], self._costs()
        try:
            _, mates = optimize.linear_sum_assignment(self._table)
        except ValueError:
            return self.INFEASIBLE
        self._mates = [int(one) for one in mates]
        return self.OPTIMAL

    def right_mate(self, left_node: int) -> int:
        return self._mates[left_node]

    def assignment_cost(self, left_node: int) -> int:
        return int(self._table[left_node, self._mates[left_node]])

    def optimal_cost(self) -> int:
        return sum(self.assignment_cost(left)
                   for left in range(len(self._mates)))
