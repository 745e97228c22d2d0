"""max_flow - the largest flow from a source to a sink: SimpleMaxFlow."""

from __future__ import annotations

import enum
from typing import Any

from ._arcs import Arcs


class _Status(enum.IntEnum):
    OPTIMAL, POSSIBLE_OVERFLOW, BAD_INPUT, BAD_RESULT = range(4)


class SimpleMaxFlow(Arcs):
    """Arcs with capacities."""

    Status = _Status
    OPTIMAL, POSSIBLE_OVERFLOW, BAD_INPUT, BAD_RESULT = _Status

    def add_arc_with_capacity(self, tail: int, head: int,
                              capacity: int) -> int:
        return self._arc(tail, head, capacity, 0)

    def add_arcs_with_capacity(self, tails: Any, heads: Any,
                               capacities: Any) -> Any:
        import numpy as np

        return np.array([self.add_arc_with_capacity(*row)
                         for row in zip(tails, heads, capacities)], dtype=int)

    def set_arc_capacity(self, arc: int, capacity: int) -> None:
        self._most[arc] = int(capacity)

    def solve(self, source: int, sink: int) -> Any:
        """The status; optimal_flow() and flow() tell the rest."""
        if source == sink or min(source, sink) < 0 or \
                any(most < 0 for most in self._most):
            return self.BAD_INPUT
        self._ends = source, sink
        costs = [(head == source) - (tail == source) for tail, head
                 in zip(self._tails, self._heads)]
        flows = self._solve(costs, {source: None, sink: None})
        if flows is None:
            return self.BAD_RESULT
        self._flows = flows
        return self.OPTIMAL

    def optimal_flow(self) -> int:
        source = self._ends[0]
        return sum(flow * ((tail == source) - (head == source)) for
                   flow, tail, head in zip(self._flows, self._tails,
                                           self._heads))

    def _reached(self, start: int, forward: bool) -> list[int]:
        """Nodes that START can send more to, or get more from."""
        steps = []
        for tail, head, most, flow in zip(self._tails, self._heads,
                                          self._most, self._flows):
            if not forward:
                tail, head = head, tail
            steps += [(tail, head)] * (flow < most) + \
                [(head, tail)] * (flow > 0)
        seen, rest = {start}, [start]
        while rest:
            node = rest.pop()
            more = {head for tail, head in steps if tail == node} - seen
            seen |= more
            rest += more
        return sorted(seen)

    def get_source_side_min_cut(self) -> list[int]:
        return self._reached(self._ends[0], True)

    def get_sink_side_min_cut(self) -> list[int]:
        return self._reached(self._ends[1], False)
