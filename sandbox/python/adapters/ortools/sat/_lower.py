"""_lower - each constraint of a model, in the words of the core."""

from __future__ import annotations

from typing import Any, Sequence

from ._core import Core, Lin, added, constant, scaled

WIDE = 64                   # values of a factor that get a case each


def lower(core: Core, kind: str, args: tuple[Any, ...],
          given: Sequence[int]) -> None:
    """Write the constraint KIND of ARGS into CORE."""
    _RULES[kind](core, list(given), *args)


def _linear(core: Core, given: list[int], lin: Lin, spans: Any) -> None:
    core.linear(lin, spans, given)


def _or(core: Core, given: list[int], literals: list[int]) -> None:
    core.clause(literals, given)


def _and(core: Core, given: list[int], literals: list[int]) -> None:
    for one in literals:
        core.clause([one], given)


def _xor(core: Core, given: list[int], literals: list[int]) -> None:
    so_far = -core.true
    for one in literals:
        odd = core.new_literal()
        for left, right, whole in ((1, 1, -1), (1, -1, 1), (-1, 1, 1),
                                   (-1, -1, -1)):
            core.clause([-left * so_far, -right * one, whole * odd])
        so_far = odd
    core.clause([so_far], given)


def _at_most_one(core: Core, given: list[int], literals: list[int]) -> None:
    if given:
        terms = added(*[literal(one) for one in literals])
        core.no_more(terms, 1, given)
    else:
        core.at_most.append(list(literals))


def _exactly_one(core: Core, given: list[int], literals: list[int]) -> None:
    core.clause(literals, given)
    _at_most_one(core, given, literals)


def literal(one: int) -> Lin:
    """A literal as a sum: 0 or 1."""
    return (((one - 1, 1),), 0) if one > 0 else (((-one - 1, -1),), 1)


def _all_different(core: Core, _given: list[int], lins: list[Lin]) -> None:
    single = [one if len(one[0]) < 2 else (((core.variable(one), 1),), 0)
              for one in lins]
    sizes = [core.size(one[0][0][0]) if one[0] else 1 for one in single]
    if max(sizes, default=0) > 40 + 10 * len(lins):
        for place, one in enumerate(single):
            for other in single[:place]:
                _differ(core, one, other)
        return
    holders: dict[int, list[int]] = {}
    for one in single:
        for value in core.attainable(one):
            holders.setdefault(value, []).append(core.equal(one, value))
    for literals in holders.values():
        if len(literals) > 1:
            core.at_most.append(literals)
    if len(holders) == len(single):
        for literals in holders.values():
            core.clause(literals)
    elif len(holders) < len(single):
        core.clause([])


def _differ(core: Core, one: Lin, other: Lin) -> None:
    gap = added(one, scaled(other, -1))
    low, high = core.bounds(gap)
    core.linear(gap, [(low, -1), (1, high)])


def _element(core: Core, _given: list[int], index: Lin, items: list[Lin],
             target: Lin) -> None:
    core.linear(index, [(0, len(items) - 1)])
    low, high = core.bounds(index)
    cases = [(core.equal(index, place), items[place])
             for place in range(max(low, 0), min(high, len(items) - 1) + 1)]
    core.clause([case for case, _ in cases])
    for case, item in cases:
        core.same(target, item, [case])
    if not target[0] or any(item[0] for _, item in cases):
        return
    by_value: dict[int, list[int]] = {}
    for case, item in cases:
        by_value.setdefault(item[1], []).append(case)
    core.linear(target, [(value, value) for value in by_value])


def _max(core: Core, _given: list[int], target: Lin, items: list[Lin],
         ) -> None:
    cases = []
    for item in items:
        core.at_least(added(target, scaled(item, -1)), 0)
        if len(items) > 1:
            cases.append(core.new_literal())
        core.no_more(added(target, scaled(item, -1)), 0, cases[-1:])
    if cases:
        core.clause(cases)
    ends = [core.bounds(item) for item in items]
    core.linear(target, [(max(one for one, _ in ends),
                          max(two for _, two in ends))])


def _product(core: Core, target: Lin, one: Lin, two: Lin) -> None:
    """TARGET is ONE times TWO."""
    if len(one[0]) > 1:
        one = (((core.variable(one), 1),), 0)
    if len(two[0]) > 1:
        two = (((core.variable(two), 1),), 0)
    sizes = [core.size(lin[0][0][0]) if lin[0] else 1 for lin in (one, two)]
    if sizes[0] > sizes[1]:
        one, two, sizes = two, one, sizes[::-1]
    if one[0] == two[0] and sizes[0] <= 2000 or sizes[0] <= WIDE:
        cases = []
        for value in core.attainable(one):
            cases.append(core.equal(one, value))
            other = two
            if one[0] and one[0][0][0] in dict(two[0]):
                (var, by), = one[0]
                at = (value - one[1]) // by
                other = constant(two[0][0][1] * at + two[1])
            core.same(target, scaled(other, value), cases[-1:])
        core.clause(cases)
        _corners(core, target, one, two)
        return
    low, high = core.bounds(one)
    bits, parts = (high - low).bit_length(), [scaled(two, low)]
    total: Lin = constant(low)
    for place in range(bits):
        bit = core.new_literal()
        total = added(total, scaled(literal(bit), 1 << place))
        part: Lin = (((core.new(min(0, core.bounds(two)[0]),
                                max(0, core.bounds(two)[1])), 1),), 0)
        core.same(part, two, [bit])
        core.same(part, constant(0), [-bit])
        parts.append(scaled(part, 1 << place))
    core.same(one, total)
    core.same(target, added(*parts))
    _corners(core, target, one, two)


def _corners(core: Core, target: Lin, one: Lin, two: Lin) -> None:
    ends = [left * right for left in core.bounds(one)
            for right in core.bounds(two)]
    core.linear(target, [(min(ends), max(ends))])


def _multiply(core: Core, _given: list[int], target: Lin, items: list[Lin],
              ) -> None:
    so_far = constant(1)
    for place, item in enumerate(items):
        if not so_far[0]:
            product = scaled(item, so_far[1])
        elif not item[0]:
            product = scaled(so_far, item[1])
        else:
            ends = [left * right for left in core.bounds(so_far)
                    for right in core.bounds(item)]
            last = place == len(items) - 1
            product = target if last else (
                ((core.new(min(ends), max(ends)), 1),), 0)
            _product(core, product, so_far, item)
            if last:
                return
        so_far = product
    core.same(target, so_far)


def _divided(core: Core, top: Lin, below: Lin) -> tuple[Lin, Lin]:
    """The quotient of TOP by BELOW towards 0, and their product."""
    low, high = core.bounds(top)
    if core.bounds(below)[0] < 1:
        raise NotImplementedError(
            "a division or modulo is here for divisors of 1 or more alone")
    least = core.bounds(below)[0]
    quotient: Lin = (((core.new(-(max(-low, 0) // least),
                                max(high, 0) // least), 1),), 0)
    if below[0]:
        product: Lin = (((core.new(min(low, 0), max(high, 0)), 1),), 0)
        _product(core, product, quotient, below)
    else:
        product = scaled(quotient, below[1])
    rest = added(top, scaled(product, -1))
    negative = core.new_literal()
    core.at_least(top, 0, [-negative])
    core.no_more(top, -1, [negative])
    core.at_least(rest, 0, [-negative])
    core.no_more(rest, 0, [negative])
    core.no_more(added(rest, scaled(below, -1)), -1, [-negative])
    core.at_least(added(rest, below), 1, [negative])
    return quotient, product


def _divide(core: Core, _given: list[int], target: Lin, top: Lin,
            below: Lin) -> None:
    core.same(target, _divided(core, top, below)[0])


def _modulo(core: Core, _given: list[int], target: Lin, top: Lin,
            below: Lin) -> None:
    product = _divided(core, top, below)[1]
    core.same(target, added(top, scaled(product, -1)))


def _interval(core: Core, given: list[int], start: Lin, size: Lin, end: Lin,
              ) -> None:
    core.same(added(start, size), end, given)
    core.at_least(size, 0, given)


def _no_overlap(core: Core, _given: list[int], intervals: list[Any]) -> None:
    for place, one in enumerate(intervals):
        for other in intervals[:place]:
            _apart(core, one, other)
    _energy(core, intervals, [constant(1)] * len(intervals), constant(1))


def _apart(core: Core, one: Any, other: Any) -> None:
    """One of both ends before the other begins, if both are there."""
    both = [lit for lit in (one.lit, other.lit) if lit is not None]
    first = core.new_literal()
    core.no_more(added(one.stop, scaled(other.begin, -1)), 0, [*both, first])
    core.no_more(added(other.stop, scaled(one.begin, -1)), 0, [*both, -first])


def _energy(core: Core, intervals: list[Any], demands: list[Lin],
            capacity: Lin) -> None:
    """From the first start to the last end there is room for all."""
    always = [(one, need) for one, need in zip(intervals, demands)
              if one.lit is None]
    if len(always) < 3 or capacity[0] or capacity[1] < 1:
        return
    work = sum(core.bounds(one.length)[0] * max(core.bounds(need)[0], 0)
               for one, need in always)
    begins = [core.bounds(one.begin) for one, _ in always]
    ends = [core.bounds(one.stop) for one, _ in always]
    first: Lin = (((core.new(min(low for low, _ in begins),
                             min(high for _, high in begins)), 1),), 0)
    last: Lin = (((core.new(max(low for low, _ in ends),
                            max(high for _, high in ends)), 1),), 0)
    _max(core, [], last, [one.stop for one, _ in always])
    _max(core, [], scaled(first, -1),
         [scaled(one.begin, -1) for one, _ in always])
    core.at_least(added(last, scaled(first, -1)), -(-work // capacity[1]))
    _below_goal(core, last, [one.stop for one, _ in always])


def _below_goal(core: Core, last: Lin, stops: list[Lin]) -> None:
    """Where the goal is at least each of STOPS, it is at least LAST."""
    if core.goal is None or len(core.goal[0]) != 1 or core.goal[0][0][1] < 1:
        return
    goal = core.goal[0][0][0]
    steps = []                              # high is at least low + gap
    for terms, spans, given in core.linears:
        if not given and len(terms) == 2 and len(spans) == 1:
            for (high, one), (low, two) in (terms, terms[::-1]):
                if (one, two) == (1, -1):
                    steps.append((high, low, spans[0][0]))
                    steps.append((low, high, -spans[0][1]))
    least = {goal: 0}                       # goal is at least var + least
    for _ in range(40):
        changed = False
        for high, low, gap in steps:
            if high in least and least[high] + gap > least.get(low, -10 ** 12):
                least[low], changed = least[high] + gap, True
        if not changed:
            break
    for stop in stops:
        if len(stop[0]) != 1 or stop[0][0][1] != 1 or \
                least.get(stop[0][0][0], -10 ** 12) < stop[1]:
            return
    core.at_least((((goal, 1), (last[0][0][0], -1)), 0), 0)


def _no_overlap_2d(core: Core, _given: list[int], xs: list[Any],
                   ys: list[Any]) -> None:
    if any(core.bounds(one.length)[0] < 1 for one in (*xs, *ys)):
        raise NotImplementedError(
            "add_no_overlap_2d() is here for sizes of 1 or more alone")
    boxes = list(zip(xs, ys))
    for place, one in enumerate(boxes):
        for other in boxes[:place]:
            both = [side.lit for side in (*one, *other)
                    if side.lit is not None]
            cases = []
            for axis in (0, 1):
                for left, right in ((one, other), (other, one)):
                    cases.append(core.new_literal())
                    gap = added(left[axis].stop, scaled(right[axis].begin, -1))
                    core.no_more(gap, 0, [*both, cases[-1]])
            core.clause(cases, both)


def _cumulative(core: Core, _given: list[int], intervals: list[Any],
                demands: list[Lin], capacity: Lin) -> None:
    """At the start of each interval, the demands of those that run."""
    _energy(core, intervals, demands, capacity)
    tasks = list(zip(intervals, demands))
    least = [core.bounds(need)[0] if core.bounds(task.length)[0] > 0 else 0
             for task, need in tasks]
    for place, one in enumerate(intervals):
        for at, other in enumerate(intervals[:place]):
            if least[place] and least[at] and \
                    least[place] + least[at] > core.bounds(capacity)[1]:
                _apart(core, one, other)
    for task, demand in tasks:
        load = [demand]
        given = [] if task.lit is None else [task.lit]
        if core.bounds(task.length)[0] < 1:
            some = core.new_literal()
            core.at_least(task.length, 1, [some])
            core.no_more(task.length, 0, [*given, -some])
            given = [*given, some]
        for other, need in tasks:
            if other is not task:
                load.append(_load(core, given, task, other, need))
        core.no_more(added(*load, scaled(capacity, -1)), 0, given)


def _load(core: Core, given: list[int], task: Any, other: Any,
          need: Lin) -> Lin:
    """What OTHER takes at the start of TASK: NEED, or nothing."""
    before = added(other.begin, scaled(task.begin, -1))
    after = added(other.stop, scaled(task.begin, -1))
    if core.bounds(before)[0] > 0 or core.bounds(after)[1] <= 0:
        return constant(0)
    late, over, runs = (core.new_literal() for _ in range(3))
    there = [*given] + ([] if other.lit is None else [other.lit])
    core.at_least(before, 1, [*there, late])
    core.no_more(after, 0, [*there, over])
    core.clause([runs, late, over], there)
    if not need[0]:
        return scaled(literal(runs), need[1])
    taken: Lin = (((core.new(0, max(core.bounds(need)[1], 0)), 1),), 0)
    core.at_least(added(taken, scaled(need, -1)), 0, [runs])
    return taken


def _circuit(core: Core, _given: list[int], arcs: list[Any]) -> None:
    """One circle through all nodes that have no loop."""
    nodes = sorted({end for tail, head, _ in arcs for end in (tail, head)})
    loops = {tail: lit for tail, head, lit in arcs if tail == head}
    _in_and_out(core, arcs, nodes)
    fixed = next((node for node in nodes if node not in loops), None)
    if fixed is None:
        roots = {node: core.new_literal() for node in nodes}
        core.at_most.append(list(roots.values()))
    else:
        roots = {node: core.true if node == fixed else -core.true
                 for node in nodes}
    _ranks(core, arcs, nodes, roots)


def _routes(core: Core, _given: list[int], arcs: list[Any]) -> None:
    """Circles that meet in node 0 alone."""
    nodes = sorted({end for tail, head, _ in arcs for end in (tail, head)})
    _in_and_out(core, arcs, [node for node in nodes if node])
    roots = {node: -core.true if node else core.true for node in nodes}
    _ranks(core, [arc for arc in arcs if arc[0] or arc[1]], nodes, roots)


def _in_and_out(core: Core, arcs: list[Any], nodes: list[int]) -> None:
    for node in nodes:
        _exactly_one(core, [], [lit for tail, _, lit in arcs if tail == node])
        _exactly_one(core, [], [lit for _, head, lit in arcs if head == node])


def _ranks(core: Core, arcs: list[Any], nodes: list[int],
           roots: dict[int, int]) -> None:
    """Each arc leads to a higher rank, or to a root."""
    rank: dict[int, Lin] = {node: (((core.new(0, len(nodes) - 1), 1),), 0)
                            for node in nodes}
    for node in nodes:
        core.no_more(rank[node], 0, [roots[node]])
    for tail, head, lit in arcs:
        if tail != head and roots[head] != core.true:
            given = [lit] if roots[head] == -core.true else \
                [lit, -roots[head]]
            core.at_least(added(rank[head], scaled(rank[tail], -1)), 1, given)


def _table(core: Core, _given: list[int], lins: list[Lin],
           rows: list[Any], forbidden: bool) -> None:
    single = [one if len(one[0]) < 2 else (((core.variable(one), 1),), 0)
              for one in lins]
    if forbidden:
        for row in rows:
            core.clause([-core.equal(one, value)
                         for one, value in zip(single, row)])
        return
    cases: list[int] = []
    holders: list[dict[int, list[int]]] = [{} for _ in single]
    for row in rows:
        cases.append(core.new_literal())
        for one, value, known in zip(single, row, holders):
            core.clause([core.equal(one, value)], [cases[-1]])
            known.setdefault(value, []).append(cases[-1])
    _exactly_one(core, [], cases)
    for one, known in zip(single, holders):
        core.linear(one, [(value, value) for value in known])
        for value, literals in known.items():
            core.clause(literals, [core.equal(one, value)])


def _inverse(core: Core, _given: list[int], direct: list[Lin],
             back: list[Lin]) -> None:
    for one in (*direct, *back):
        core.linear(one, [(0, len(direct) - 1)])
    for place, one in enumerate(direct):
        for value, other in enumerate(back):
            left, right = core.equal(one, value), core.equal(other, place)
            core.clause([right], [left])
            core.clause([left], [right])


def _automaton(core: Core, _given: list[int], lins: list[Lin], start: int,
               finals: list[int], moves: list[Any]) -> None:
    states = sorted({start, *finals, *(move[0] for move in moves),
                     *(move[2] for move in moves)})
    place = {state: at for at, state in enumerate(states)}
    now: Lin = constant(place[start])
    rows = [(place[tail], label, place[head]) for tail, label, head in moves]
    for one in lins:
        then: Lin = (((core.new(0, len(states) - 1), 1),), 0)
        _table(core, [], [now, one, then], rows, False)
        now = then
    core.linear(now, [(place[one], place[one]) for one in finals])


_RULES = {
    "linear": _linear, "or": _or, "and": _and, "xor": _xor,
    "at_most_one": _at_most_one, "exactly_one": _exactly_one,
    "all_different": _all_different, "element": _element, "max": _max,
    "multiply": _multiply, "divide": _divide, "modulo": _modulo,
    "interval": _interval, "no_overlap": _no_overlap,
    "no_overlap_2d": _no_overlap_2d, "cumulative": _cumulative,
    "circuit": _circuit, "routes": _routes, "table": _table,
    "inverse": _inverse, "automaton": _automaton,
}
