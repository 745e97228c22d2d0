"""_core - what both solvers read: variables, clauses, sums, and values.

A literal is v + 1 for a variable v that is 0 or 1, and -(v + 1) for its
opposite. A sum (terms, constant) has terms ((variable, coefficient), ...).
"""

from __future__ import annotations

from typing import Any, Iterable, Optional

from ._words import INT_MAX, INT_MIN, Spans, merged

Lin = tuple[tuple[tuple[int, int], ...], int]
LARGE = 10 ** 15            # HiGHS counts in floats


def scaled(lin: Lin, factor: int) -> Lin:
    return (tuple((var, by * factor) for var, by in lin[0] if factor),
            lin[1] * factor)


def added(*lins: Lin) -> Lin:
    """The sum of sums."""
    terms: dict[int, int] = {}
    for lin in lins:
        for var, by in lin[0]:
            terms[var] = terms.get(var, 0) + by
    return (tuple((var, by) for var, by in terms.items() if by),
            sum(lin[1] for lin in lins))


def constant(value: int) -> Lin:
    return ((), value)


class Core:
    """Variables with domains, clauses, at-most-ones, and bounded sums."""

    def __init__(self, domains: Iterable[Spans]) -> None:
        self.spans: list[Spans] = [list(one) for one in domains]
        self.clauses: list[list[int]] = []
        self.at_most: list[list[int]] = []
        self.linears: list[tuple[Any, Spans, list[int]]] = []
        self.equals: dict[tuple[int, int], int] = {}
        self.goal: Optional[Lin] = None
        self._truth: Optional[int] = None

    # -- variables and literals

    def new(self, low: int, high: int) -> int:
        if low > high:
            self.clauses.append([])
            high = low
        self.spans.append([(low, high)])
        return len(self.spans) - 1

    def new_literal(self) -> int:
        return self.new(0, 1) + 1

    @property
    def true(self) -> int:
        if self._truth is None:
            self._truth = self.new(1, 1) + 1
        return self._truth

    def low(self, var: int) -> int:
        return self.spans[var][0][0]

    def high(self, var: int) -> int:
        return self.spans[var][-1][1]

    def has(self, var: int, value: int) -> bool:
        return any(low <= value <= high for low, high in self.spans[var])

    def size(self, var: int) -> int:
        return sum(high - low + 1 for low, high in self.spans[var])

    def values(self, var: int) -> list[int]:
        return [one for low, high in self.spans[var]
                for one in range(low, high + 1)]

    def bounds(self, lin: Lin) -> tuple[int, int]:
        """The least and the largest value of LIN by its variables' bounds."""
        low = high = lin[1]
        for var, by in lin[0]:
            ends = by * self.low(var), by * self.high(var)
            low, high = low + min(ends), high + max(ends)
        return low, high

    def variable(self, lin: Lin) -> int:
        """A variable that equals LIN."""
        if len(lin[0]) == 1 and lin[0][0][1] == 1 and lin[1] == 0:
            return lin[0][0][0]
        var = self.new(*self.bounds(lin))
        self.linear(added(lin, (((var, -1),), 0)), [(0, 0)])
        return var

    def equal(self, lin: Lin, value: int) -> int:
        """A literal that is true where LIN is VALUE."""
        if not lin[0]:
            return self.true if lin[1] == value else -self.true
        if len(lin[0]) > 1:
            lin = (((self.variable(lin), 1),), 0)
        (var, by), = lin[0]
        quotient, rest = divmod(value - lin[1], by)
        if rest or not self.has(var, quotient):
            return -self.true
        if self.low(var) >= 0 and self.high(var) <= 1:
            return var + 1 if quotient else -(var + 1)
        key = (var, quotient)
        if key not in self.equals:
            self.equals[key] = self.new_literal()
        return self.equals[key]

    def attainable(self, lin: Lin) -> list[int]:
        """The values of LIN, which has one variable or none."""
        if not lin[0]:
            return [lin[1]]
        (var, by), = lin[0]
        return [by * one + lin[1] for one in self.values(var)]

    # -- constraints

    def clause(self, literals: Iterable[int],
               given: Iterable[int] = ()) -> None:
        """One of LITERALS is true, if all of GIVEN are."""
        self.clauses.append([*literals, *(-one for one in given)])

    def linear(self, lin: Lin, spans: Spans,
               given: Iterable[int] = ()) -> None:
        """LIN is in SPANS, if all of GIVEN are true."""
        low, high = self.bounds(lin)
        inside = [(max(low, one), min(high, two)) for one, two in merged(spans)
                  if one <= high and two >= low]
        if inside == [(low, high)]:
            return
        if not inside:
            self.clause([], given)
            return
        moved = [(one - lin[1], two - lin[1]) for one, two in inside]
        self.linears.append((lin[0], moved, list(given)))

    def at_least(self, lin: Lin, bound: int,
                 given: Iterable[int] = ()) -> None:
        self.linear(lin, [(bound, INT_MAX * 4)], given)

    def no_more(self, lin: Lin, bound: int, given: Iterable[int] = ()) -> None:
        self.linear(lin, [(INT_MIN * 4, bound)], given)

    def same(self, one: Lin, two: Lin, given: Iterable[int] = ()) -> None:
        self.linear(added(one, scaled(two, -1)), [(0, 0)], given)

    # -- tighter bounds

    def capped(self, most: int) -> "Core":
        """The same with a goal of at most MOST, and narrower domains."""
        copy = Core(self.spans)
        copy.clauses, copy.at_most = list(self.clauses), self.at_most
        copy.linears, copy.equals = list(self.linears), self.equals
        copy.goal = self.goal
        assert self.goal is not None
        copy.no_more(self.goal, most)
        if not copy.tighten():
            copy.clauses.append([])
        return copy

    def tighten(self, rounds: int = 40) -> bool:
        """Narrow domains by sums that hold always; whether one is empty."""
        always = [one for one in self.linears if not one[2]]
        for _ in range(rounds):
            changed = False
            for terms, spans, _given in always:
                found = self._narrow(terms, spans[0][0], spans[-1][1])
                if found is None:
                    return False
                changed = changed or found
            if not changed:
                break
        return True

    def _narrow(self, terms: Any, least: int, most: int) -> Optional[bool]:
        low, high = self.bounds((terms, 0))
        if low > most or high < least:
            return None
        changed = False
        for var, by in terms:
            one, two = by * self.low(var), by * self.high(var)
            if by < 0:
                one, two = two, one
            # the others' least is low - one, their most is high - two
            top, floor = most - (low - one), least - (high - two)
            if top >= two and floor <= one:
                continue
            bottom, ceiling = ((-(-floor // by), top // by) if by > 0 else
                               (-(-top // by), floor // by))
            inside = [(max(bottom, left), min(ceiling, right))
                      for left, right in self.spans[var]
                      if max(bottom, left) <= min(ceiling, right)]
            if not inside:
                return None
            if inside != self.spans[var]:
                self.spans[var], changed = inside, True
                low, high = self.bounds((terms, 0))
        return changed
