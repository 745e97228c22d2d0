"""_sums - the core as a mixed-integer program for HiGHS of scipy.

A sum that holds under conditions becomes one with a large factor for them. What
HiGHS answers is rounded and then checked, because it counts in floats.
"""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from scipy import optimize, sparse

from ._core import LARGE, Core

MOST_COLUMNS, MOST_CELLS = 40_000, 1_000_000
MOST_CASES = 400            # values of a variable that are told apart


class TooLarge(Exception):
    """The model would have too many columns, or numbers too large."""


class Sums:
    """The arrays of a core."""

    def __init__(self, core: Core) -> None:
        self._core = core
        if any(max(abs(core.low(var)), abs(core.high(var))) > LARGE
               for var in range(len(core.spans))):
            raise TooLarge("bounds")
        self._bounds = [(core.low(var), core.high(var))
                        for var in range(len(core.spans))]
        self._rows: list[Any] = []
        self._limits: list[tuple[float, float]] = []
        self._cells = 0
        for var, spans in enumerate(core.spans):
            if len(spans) > 1:
                self._within(((var, 1),), spans, [])
        for clause in core.clauses:
            self._literals(clause, 1, np.inf)
        for literals in core.at_most:
            self._literals(literals, -np.inf, 1)
        for terms, spans, given in core.linears:
            self._within(terms, spans, given)
        self._cases()
        self._matrix: Any = None

    def _row(self, terms: Any, low: float, high: float) -> None:
        self._rows.append(terms)
        self._limits.append((low, high))
        self._cells += len(terms)
        if self._cells > MOST_CELLS or len(self._bounds) > MOST_COLUMNS:
            raise TooLarge("columns")

    def _literals(self, literals: Any, low: float, high: float) -> None:
        """The count of true LITERALS is between LOW and HIGH."""
        terms: dict[int, float] = {}
        for one in literals:
            var = abs(one) - 1
            terms[var] = terms.get(var, 0) + (1 if one > 0 else -1)
            if one < 0:
                low, high = low - 1, high - 1
        self._row(list(terms.items()), low, high)

    def _binary(self) -> int:
        self._bounds.append((0, 1))
        return len(self._bounds) - 1

    def _within(self, terms: Any, spans: Any, given: Any) -> None:
        """The sum of TERMS is in SPANS if all of GIVEN are true."""
        low, high = self._core.bounds((terms, 0))
        if len(spans) > 1:
            picks = [self._binary() + 1 for _ in spans]
            self._literals([*picks, *(-one for one in given)], 1, np.inf)
            for pick, span in zip(picks, spans):
                self._within(terms, [span], [pick])
            return
        least, most = spans[0]
        if not given:
            self._row(terms, least, most)
            return
        if low < least:
            self._if(terms, given, least - low, least, np.inf)
        if high > most:
            self._if(terms, given, most - high, -np.inf, most)

    def _if(self, terms: Any, given: Any, slack: int, low: float,
            high: float) -> None:
        """A row that gives way by SLACK for each of GIVEN that is false."""
        cells = dict(terms)
        for one in given:
            var = abs(one) - 1
            # false adds SLACK: slack * (1 - x), or slack * x
            if one > 0:
                cells[var] = cells.get(var, 0) - slack
                low, high = low - slack, high - slack
            else:
                cells[var] = cells.get(var, 0) + slack
        self._row(list(cells.items()), low, high)

    def _cases(self) -> None:
        """A binary for each value of the variables that need it."""
        needed: dict[int, dict[int, int]] = {}
        for (var, value), one in self._core.equals.items():
            needed.setdefault(var, {})[value] = one - 1
        for var, known in needed.items():
            if self._core.size(var) > MOST_CASES:
                raise TooLarge("cases")
            values = self._core.values(var)
            columns = [known[value] if value in known else self._binary()
                       for value in values]
            self._row([(one, 1) for one in columns], 1, 1)
            self._row([*zip(columns, values), (var, -1)], 0, 0)
            for value, one in known.items():
                if value not in values:
                    self._row([(one, 1)], 0, 0)

    def _prepare(self) -> Any:
        if self._matrix is None:
            cells = [(place, var, by) for place, terms in enumerate(self._rows)
                     for var, by in terms]
            table = np.array(cells, dtype=float).reshape(-1, 3)
            self._matrix = sparse.csr_matrix(
                (table[:, 2], (table[:, 0].astype(int),
                               table[:, 1].astype(int))),
                shape=(len(self._rows), len(self._bounds)))
        return self._matrix

    def solve(self, limit: float, most: Optional[int],
              ) -> tuple[str, Optional[list[int]], float]:
        """Best values with a goal of at most MOST, and a bound of the goal.

        The word is optimal, infeasible or unknown.
        """
        terms, constant = self._core.goal or ((), 0)
        costs = np.zeros(len(self._bounds))
        for var, by in terms:
            costs[var] = by
        limits = np.array(self._limits).reshape(-1, 2)
        ends = np.array(self._bounds, dtype=float)
        rows = [optimize.LinearConstraint(self._prepare(), limits[:, 0],
                                          limits[:, 1])] if len(limits) else []
        if most is not None:
            rows.append(optimize.LinearConstraint(
                costs[None, :], -np.inf, most - constant))
        result = optimize.milp(
            costs, integrality=np.ones(len(costs)), constraints=rows,
            bounds=optimize.Bounds(ends[:, 0], ends[:, 1]),
            options={"time_limit": max(limit, 0.05), "mip_rel_gap": 0.0})
        bound = getattr(result, "mip_dual_bound", None)
        bound = -np.inf if bound is None or not np.isfinite(bound) else \
            bound + constant
        word = {0: "optimal", 2: "infeasible"}.get(result.status, "unknown")
        if result.x is None:
            return word, None, bound
        whole = [int(one) for one in np.round(result.x[:len(
            self._core.spans)])]
        return word, whole, bound
