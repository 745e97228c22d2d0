"""_search - solve a model: clauses and sums by turns, until one has the proof.

Models with a sum to make best begin with HiGHS, all others with
CryptoMiniSat. Each solution is checked by the constraints' definitions. What
stays unproven at the time limit is FEASIBLE or UNKNOWN.
"""

from __future__ import annotations

import time
from typing import Any, Callable, Optional

from . import _checks, _lower
from ._core import Core, Lin

UNKNOWN, MODEL_INVALID, FEASIBLE, INFEASIBLE, OPTIMAL = range(5)
_EARLY = ("linear", "interval", "or", "and", "max")


class Search:
    """One run of a solver over the rows of a model."""

    def __init__(self, domains: Any, rows: Any, goal: Optional[Lin],
                 limit: float, found: Callable[[], bool]) -> None:
        self._domains, self._rows, self._found = domains, rows, found
        self._deadline = time.monotonic() + limit
        self._goal = goal
        self.values: Optional[list[int]] = None
        self.best: Optional[int] = None
        self.bound: Optional[int] = None
        self._stopped = self._doubted = False
        self._core = Core(domains)
        self._core.goal = goal
        self._cap: Optional[int] = None     # of the goal, in the clauses

    # -- before the search

    def _lower_all(self) -> bool:
        """Write all rows into the core; whether it may have a solution."""
        core = self._core
        early = [row for row in self._rows if row[0] in _EARLY]
        late = [row for row in self._rows if row[0] not in _EARLY]
        for rows in (early, late):
            for kind, args, given in rows:
                _lower.lower(core, kind, args, given)
            if any(not clause for clause in core.clauses) or \
                    not core.tighten():
                return False
        if self._goal:
            self.bound = core.bounds(self._goal)[0]
            self._first_cap()
        return True

    def _left(self) -> float:
        return self._deadline - time.monotonic()

    def _accept(self, values: list[int]) -> bool:
        """Whether VALUES are a solution; it is kept if it is the best."""
        own = values[:len(self._domains)]
        if not all(any(low <= value <= high for low, high in spans)
                   for value, spans in zip(own, self._domains)):
            return False
        if not all(_checks.holds(kind, args, given, own)
                   for kind, args, given in self._rows):
            return False
        worth = _checks.value_of(self._goal, own) if self._goal else None
        if self.best is not None and worth is not None and \
                worth >= self.best:
            return True
        self.values, self.best = own, worth
        self._stopped = self._found() or self._stopped
        return True

    def _is_done(self) -> bool:
        return self.values is not None and (
            self._stopped or self._goal is None or
            (self.best is not None and self.bound is not None and
             self.best <= self.bound))

    # -- the search

    def run(self) -> int:
        """The status."""
        if any(not spans for spans in self._domains):
            return MODEL_INVALID
        if not self._lower_all():
            return INFEASIBLE
        engines: list[Any] = [self._by_clauses, self._by_sums]
        if self._goal and len(self._goal[0]) > 2:
            engines.reverse()
        part, useless = 2.0, set()
        while len(useless) < 2:
            for engine in engines:
                if engine in useless:
                    continue
                if self._left() <= 0:
                    return self._status(False)
                share = part if engine is engines[0] else part / 3
                word = engine(min(share, self._left()))
                if word == "useless":
                    useless.add(engine)
                elif word == "infeasible" or self._is_done():
                    return self._status(True)
            part *= 2
        if self._doubted:
            return self._status(True)
        if self.values is not None or self._left() <= 0:
            return self._status(False)
        raise NotImplementedError(
            "this model has too many values for the solvers here: give "
            "variables smaller domains, such as larger units of time")

    def _status(self, proven: bool) -> int:
        if self.values is None:
            return INFEASIBLE if proven or self._doubted else UNKNOWN
        if self._goal is None:
            return OPTIMAL
        if proven and not (self._stopped and self.best != self.bound):
            self.bound = self.best
            return OPTIMAL
        return FEASIBLE

    def _clauses(self) -> Any:
        """The clauses, or None if there were too many."""
        from ._clauses import Clauses, TooLarge

        if not hasattr(self, "_made_clauses"):
            core = self._core if self._cap is None else \
                self._core.capped(self._cap)
            try:
                self._made_clauses: Any = Clauses(
                    core, len(self._domains), self._deadline)
                if self._goal and self._goal[0]:
                    self._made_clauses.total(self._goal[0])
            except TooLarge:
                self._made_clauses = None
        return self._made_clauses

    def _first_cap(self) -> None:
        """For a goal such as a makespan, begin near its least value.

        Horizons are often the sum of all durations; the domains of a shorter
        one make fewer clauses.
        """
        if self._goal and len(self._goal[0]) < 3 and self.bound is not None:
            high = self._core.bounds(self._goal)[1]
            cap = self.bound + max(16, abs(self.bound) // 4,
                                   (high - self.bound) // 16)
            self._cap = cap if cap < high else None

    def _raise_cap(self) -> None:
        """No solution keeps the cap: make clauses with a higher one."""
        assert self._goal and self.bound is not None and self._cap is not None
        high = self._core.bounds(self._goal)[1]
        cap = self._cap + 2 * (self._cap - self.bound + 1)
        self.bound = max(self.bound, self._cap + 1)
        self._cap = cap if cap < high else None
        del self._made_clauses

    def _by_clauses(self, limit: float) -> str:
        """Improve the solution by CryptoMiniSat for LIMIT seconds."""
        end, careful = time.monotonic() + limit, False
        while not self._is_done():
            solver = self._clauses()
            if solver is None:
                return "useless"
            left = min(end - time.monotonic(), self._left())
            if left <= 0:
                return "more"
            aim = self._aim(careful)
            wanted = [] if aim is None else [solver.at_most(self._goal, aim)]
            last = self.best is None or careful
            found, values = solver.solve(left if last else left / 3, wanted)
            if found:
                self._checked(values)
            elif found is None:
                if last:
                    return "more"
                careful = True
            elif self._cap is not None and (aim is None or aim >= self._cap):
                self._raise_cap()
            elif aim is None or self.best is None or aim >= self.best - 1:
                return "infeasible"
            else:
                solver.add([-wanted[0]])
                self.bound = aim + 1
        return "done"

    def _aim(self, careful: bool) -> Optional[int]:
        """The goal to try next, between the bound and the best so far."""
        if self.best is None or self.bound is None:
            return None
        aim = self.best - 1 if careful else (self.bound + self.best - 1) // 2
        return aim if self._cap is None else min(aim, self._cap)

    def _checked(self, values: Any) -> None:
        if not self._accept(values):
            raise RuntimeError("the solver's values break a constraint; "
                               "this is an error of the adapter")

    def _by_sums(self, limit: float) -> str:
        """Improve the solution by HiGHS for LIMIT seconds."""
        from ._sums import Sums, TooLarge

        if not hasattr(self, "_made_sums"):
            try:
                self._made_sums = Sums(self._core)
            except TooLarge:
                return "useless"
        word, values, bound = self._made_sums.solve(
            limit, None if self.best is None else self.best - 1)
        if values is not None and not self._accept(values):
            return "useless"            # its roundings were wrong
        if word == "infeasible":
            if self.values is not None:
                return "infeasible"
            self._doubted = True        # the clauses must say so, too
            return "useless"
        if values is not None and word == "optimal":
            if self._goal:
                self.bound = self.best
            return "done"
        if self._goal and bound > self.bound:
            higher = int(-(-(bound - 1e-6) // 1))
            self.bound = higher if self.best is None else \
                max(self.bound, min(higher, self.best))
        return "more"

    def every(self) -> int:
        """Find all solutions; found() is called for each."""
        if any(not spans for spans in self._domains):
            return MODEL_INVALID
        if not self._lower_all():
            return INFEASIBLE
        self._goal = self._core.goal = self._cap = None
        solver = self._clauses()
        if solver is None:
            raise NotImplementedError(
                "this model has too many values for a search of all solutions")
        while self._left() > 0:
            found, values = solver.solve(self._left())
            if found is None:
                break
            if found is False:
                return INFEASIBLE if self.values is None else OPTIMAL
            self._checked(values)
            if self._stopped:
                return FEASIBLE
            if not solver.exclude():
                return OPTIMAL
        return UNKNOWN if self.values is None else FEASIBLE
