"""_arcs - arcs with numbers, and a flow over them by HiGHS of scipy."""

from __future__ import annotations

from typing import Any, Optional, Sequence


class Arcs:
    """Arcs from tails to heads, in the order in which they were added."""

    def __init__(self) -> None:
        self._tails: list[int] = []
        self._heads: list[int] = []
        self._most: list[int] = []
        self._costs: list[int] = []
        self._flows: list[int] = []

    def _arc(self, tail: int, head: int, most: int, cost: int) -> int:
        if tail < 0 or head < 0:
            raise ValueError("a node has a number of 0 or more")
        self._tails.append(int(tail))
        self._heads.append(int(head))
        self._most.append(int(most))
        self._costs.append(int(cost))
        return len(self._tails) - 1

    def num_arcs(self) -> int:
        return len(self._tails)

    def num_nodes(self) -> int:
        return max([*self._tails, *self._heads], default=-1) + 1

    def tail(self, arc: int) -> int:
        return self._tails[arc]

    def head(self, arc: int) -> int:
        return self._heads[arc]

    def capacity(self, arc: int) -> int:
        return self._most[arc]

    def flow(self, arc: int) -> int:
        return self._flows[arc] if self._flows else 0

    def flows(self, arcs: Any) -> Any:
        import numpy as np

        return np.array([self.flow(int(one)) for one in arcs], dtype=int)

    def _solve(self, costs: Sequence[int],
               balances: dict[int, Optional[int]]) -> Optional[list[int]]:
        """The cheapest flow; a node's balance is 0, or any if it is None."""
        import numpy as np
        from scipy import optimize, sparse

        count, nodes = len(self._tails), self.num_nodes()
        if not count:
            return []
        ones = np.ones(count)
        places = np.r_[self._tails, self._heads]
        matrix = sparse.csr_matrix(
            (np.r_[ones, -ones], (places, np.r_[np.arange(count),
                                                np.arange(count)])),
            shape=(nodes, count))
        kept = [node for node in range(nodes)
                if balances.get(node, 0) is not None]
        result = optimize.milp(
            np.array(costs, dtype=float), integrality=np.ones(count),
            bounds=optimize.Bounds(0, np.array(self._most, dtype=float)),
            options={"mip_rel_gap": 0.0},
            constraints=optimize.LinearConstraint(
                matrix[kept], *[[balances.get(node, 0) or 0
                                 for node in kept]] * 2))
        return None if result.x is None or result.status else \
            [int(one) for one in np.round(result.x)]
