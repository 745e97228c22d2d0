"""_clauses - the core as clauses for CryptoMiniSat.

A variable with the values v0 < v1 < ... has a literal "at most v" for each
but the last (order encoding). A sum of many variables becomes a tree of sums
of two, each with the values that it can have.
"""

from __future__ import annotations

import heapq
import time
from array import array
from bisect import bisect_left
from typing import Any, Optional, Sequence

import numpy as np
import pycryptosat

from ._core import Core, Lin

TRUE = 1                    # a variable that is always true
MOST_VALUES = 200_000       # of one variable
MOST_CLAUSES = 2_000_000    # of all


class TooLarge(Exception):
    """The model would have too many clauses."""


class View:
    """Ascending values, and for each the literal "at most this value"."""

    def __init__(self, values: Any, literals: Any) -> None:
        self.values, self.literals = values, literals

    def times(self, factor: int) -> "View":
        if factor > 0:
            return View(self.values * factor, self.literals)
        most = np.append(-self.literals[:-1][::-1], TRUE)
        return View(self.values[::-1] * factor, most)

    def at_most(self, bounds: Any) -> Any:
        """The literals "at most BOUND", for an array of bounds."""
        place = np.searchsorted(self.values, bounds, side="right") - 1
        return np.where(place < 0, -TRUE, self.literals[place])

    def at_least(self, bounds: Any) -> Any:
        return -self.at_most(np.asarray(bounds) - 1)


class Clauses:
    """A solver of CryptoMiniSat with the clauses of a core."""

    def __init__(self, core: Core, own: int, deadline: float) -> None:
        """Of the variables, the first OWN are the model's."""
        self._core, self._deadline = core, deadline
        self._solver = pycryptosat.Solver()
        self._count, self._top = 0, TRUE
        self._sums: dict[Any, View] = {}
        self._rows([[TRUE]])
        self._twins = self._find_twins()
        self._views: list[View] = [None] * len(    # type: ignore[list-item]
            core.spans)
        for var in range(len(core.spans)):
            if var not in self._twins:
                self._views[var] = self._variable(var)
        for var, (twin, gap) in self._twins.items():
            view = self._views[twin]
            self._views[var] = View(view.values + gap, view.literals)
        for clause in core.clauses:
            self._rows([[self.literal(one) for one in clause] or [-TRUE]])
        for literals in core.at_most:
            self._at_most_one([self.literal(one) for one in literals])
        for (var, value), one in core.equals.items():
            self._equal(var, value, self.literal(one))
        for terms, spans, given in core.linears:
            self._linear(terms, spans, [-self.literal(one) for one in given])
        self._own = [(view.values.tolist(), view.literals.tolist())
                     for view in self._views[:own]]

    def _find_twins(self) -> dict[int, tuple[int, int]]:
        """Variables that equal an earlier one plus a constant."""
        core, twins = self._core, {}
        firsts: set[int] = set()
        for terms, spans, given in core.linears:
            if given or len(terms) != 2 or len(spans) > 1 or \
                    spans[0][0] != spans[0][1] or \
                    (terms[0][1], terms[1][1]) not in ((1, -1), (-1, 1)):
                continue
            (one, by), (two, _) = terms
            gap = spans[0][0] * by              # one is two plus gap
            if two < one:
                first, then = two, one
            else:
                first, then, gap = one, two, -gap
            moved = [(low + gap, high + gap) for low, high in core.spans[first]]
            if then in twins or first in twins or then in firsts or \
                    core.spans[then] != moved:
                continue
            twins[then] = (first, gap)
            firsts.add(first)
        return twins

    # -- clauses

    def _rows(self, rows: Any) -> None:
        """Clauses of one length; those with TRUE hold already."""
        table = np.asarray(rows, dtype=np.int32)
        table = table[~(table == TRUE).any(axis=1)] if table.shape[1] > 1 \
            else table
        self._count += len(table)
        if self._count > MOST_CLAUSES or time.monotonic() > self._deadline:
            raise TooLarge("clauses")
        if not len(table):
            return
        flat = np.zeros((len(table), table.shape[1] + 1), dtype=np.int32)
        flat[:, :-1] = table
        self._solver.add_clauses(array("i", flat.tobytes()))

    def _new(self, count: int) -> Any:
        first = self._top + 1
        self._top += count
        return np.arange(first, first + count, dtype=np.int32)

    def _ordered(self, values: Any) -> View:
        """A new variable of VALUES."""
        literals = np.append(self._new(len(values) - 1), TRUE)
        if len(values) > 2:
            self._rows(np.stack([-literals[:-2], literals[1:-1]], axis=1))
        return View(values, literals)

    def _variable(self, var: int) -> View:
        if self._core.size(var) > MOST_VALUES or max(
                abs(self._core.low(var)), abs(self._core.high(var))) > 2 ** 52:
            raise TooLarge("values")
        return self._ordered(np.array(self._core.values(var), dtype=np.int64))

    def literal(self, one: int) -> int:
        """The solver's literal for a literal of the core."""
        view = self._views[abs(one) - 1]
        is_one = int(-view.at_most(np.array([0]))[0])
        return is_one if one > 0 else -is_one

    def _at_most_one(self, literals: list[int]) -> None:
        if len(literals) <= 6:
            pairs = [[-one, -other] for place, one in enumerate(literals)
                     for other in literals[:place]]
            if pairs:
                self._rows(pairs)
            return
        seen = self._new(len(literals))
        one = np.array(literals, dtype=np.int32)
        self._rows(np.stack([-one, seen], axis=1))
        self._rows(np.stack([-seen[:-1], seen[1:]], axis=1))
        self._rows(np.stack([-seen[:-1], -one[1:]], axis=1))

    def _equal(self, var: int, value: int, one: int) -> None:
        view = self._views[var]
        if not self._core.has(var, value):
            self._rows([[-one]])
            return
        most = int(view.at_most(np.array([value]))[0])
        least = int(view.at_least(np.array([value]))[0])
        self._rows([[-one, most], [-one, least]])
        self._rows([[one, -most, -least]])

    # -- sums

    def _sum(self, views: list[View]) -> View:
        """One view for the sum of VIEWS."""
        heap = [(len(one.values), place, one)
                for place, one in enumerate(views)]
        heapq.heapify(heap)
        place = len(heap)
        while len(heap) > 1:
            one, two = heapq.heappop(heap)[2], heapq.heappop(heap)[2]
            both = self._added(one, two)
            heapq.heappush(heap, (len(both.values), place, both))
            place += 1
        return heap[0][2]

    def _added(self, one: View, two: View) -> View:
        sums = one.values[:, None] + two.values[None, :]
        if self._count + 2 * sums.size > MOST_CLAUSES:
            raise TooLarge("sums")
        both = self._ordered(np.unique(sums))
        shape = sums.shape
        above = np.append(TRUE, -one.literals[:-1]), \
            np.append(TRUE, -two.literals[:-1])
        for left, right, then in (
                (one.literals, two.literals, both.at_most(sums)),
                (*above, both.at_least(sums))):
            self._rows(np.stack([
                np.broadcast_to(-left[:, None], shape).ravel(),
                np.broadcast_to(-right[None, :], shape).ravel(),
                then.ravel()], axis=1))
        return both

    def total(self, terms: Sequence[tuple[int, int]]) -> View:
        """The view of a sum, which is made once."""
        key = tuple(sorted(terms))
        if key not in self._sums:
            opposite = tuple((var, -by) for var, by in key)
            if opposite in self._sums:
                self._sums[key] = self._sums[opposite].times(-1)
            else:
                self._sums[key] = self._sum(
                    [self._views[var].times(by) for var, by in key])
        return self._sums[key]

    def _halves(self, terms: Any) -> tuple[View, View]:
        """TERMS as two sums."""
        zero = View(np.zeros(1, dtype=np.int64),
                    np.array([TRUE], dtype=np.int32))
        key = tuple(sorted(terms))
        if len(key) == 1 or key in self._sums:
            return self.total(key), zero
        if len(key) == 2:
            return self.total(key[:1]), self.total(key[1:])
        by_size = sorted(key, key=lambda one: len(self._views[one[0]].values))
        if len(self._views[by_size[-1][0]].values) > 2:
            return self.total(by_size[-1:]), self.total(by_size[:-1])
        return self.total(key), zero

    def _linear(self, terms: Any, spans: Any, other: list[int]) -> None:
        """The sum of TERMS is in SPANS, or one of OTHER is true."""
        if not other and len(terms) == 2 and any(
                var in self._twins and self._twins[var][0] == twin
                for (var, _), (twin, _) in (terms, terms[::-1])):
            return                              # they are one view
        one, two = self._halves(terms)
        if len(one.values) > len(two.values):
            one, two = two, one
        below = np.append(-TRUE, one.literals[:-1])     # less than the value
        above = -one.literals                           # more than it
        more = [np.full(len(below), literal) for literal in other]
        self._rows(np.stack(
            [below, two.at_most(spans[-1][1] - one.values), *more], axis=1))
        self._rows(np.stack(
            [above, two.at_least(spans[0][0] - one.values), *more], axis=1))
        for (_, low), (high, _) in zip(spans, spans[1:]):
            self._rows(np.stack(
                [below, above, two.at_most(low - one.values),
                 two.at_least(high - one.values), *more], axis=1))

    # -- solving

    def solve(self, limit: float, assumptions: Sequence[int] = (),
              ) -> tuple[Optional[bool], Optional[list[int]]]:
        """Whether there is a solution (None: not known in time), and it."""
        if self._solver.nb_vars() < self._top:
            self._solver.add_clause([TRUE, self._top])
        end, conflicts, found = time.monotonic() + limit, 10_000, None
        while found is None:                # its limit counts processor time
            left = end - time.monotonic()
            if left <= 0:
                break
            found, model = self._solver.solve(
                list(map(int, assumptions)), time_limit=max(left, 0.01),
                confl_limit=conflicts)
            conflicts *= 2
        if not found:
            return found, None
        places = [bisect_left(literals, True, key=lambda one: bool(model[one]))
                  for _, literals in self._own]
        self._others = [
            literal for (_, literals), place in zip(self._own, places)
            if len(literals) > 1
            for literal in (*literals[place - 1:place],
                            *(-one for one in literals[place:place + 1]))
            if literal != -TRUE]
        return True, [values[place]
                      for (values, _), place in zip(self._own, places)]

    def at_most(self, lin: Lin, bound: int) -> int:
        """The literal of LIN being at most BOUND."""
        if not lin[0]:
            return TRUE if lin[1] <= bound else -TRUE
        return int(self.total(lin[0]).at_most(np.array([bound - lin[1]]))[0])

    def add(self, literals: Sequence[int]) -> None:
        self._rows([list(literals)])

    def exclude(self) -> bool:
        """Allow the last solution no more; whether others are possible."""
        self._solver.add_clause([-TRUE, *self._others])
        return bool(self._others)
