"""_checks - whether values keep a constraint, by its definition alone.

Each solution is held against these before a program sees it.
"""

from __future__ import annotations

from typing import Any, Sequence

from ._core import Lin


def value_of(lin: Lin, values: Sequence[int]) -> int:
    return lin[1] + sum(by * values[var] for var, by in lin[0])


def is_true(literal: int, values: Sequence[int]) -> bool:
    return values[literal - 1] == 1 if literal > 0 else \
        values[-literal - 1] == 0


def holds(kind: str, args: tuple[Any, ...], given: Sequence[int],
          values: Sequence[int]) -> bool:
    """Whether VALUES keep the constraint KIND of ARGS."""
    if not all(is_true(one, values) for one in given):
        return True
    return bool(_RULES[kind](values, *args))


def _count(values: Any, literals: Sequence[int]) -> int:
    return sum(is_true(one, values) for one in literals)


def _linear(values: Any, lin: Lin, spans: Any) -> bool:
    at = value_of(lin, values)
    return any(low <= at <= high for low, high in spans)


def _all_different(values: Any, lins: list[Lin]) -> bool:
    return len({value_of(one, values) for one in lins}) == len(lins)


def _element(values: Any, index: Lin, items: list[Lin], target: Lin) -> bool:
    at = value_of(index, values)
    return 0 <= at < len(items) and \
        value_of(items[at], values) == value_of(target, values)


def _max(values: Any, target: Lin, items: list[Lin]) -> bool:
    return value_of(target, values) == max(value_of(one, values)
                                           for one in items)


def _multiply(values: Any, target: Lin, items: list[Lin]) -> bool:
    product = 1
    for one in items:
        product *= value_of(one, values)
    return value_of(target, values) == product


def _quotient(top: int, below: int) -> int:
    return abs(top) // below * (1 if top >= 0 else -1)


def _divide(values: Any, target: Lin, top: Lin, below: Lin) -> bool:
    by = value_of(below, values)
    return by > 0 and value_of(target, values) == _quotient(
        value_of(top, values), by)


def _modulo(values: Any, target: Lin, top: Lin, below: Lin) -> bool:
    by, at = value_of(below, values), value_of(top, values)
    return by > 0 and value_of(target, values) == at - by * _quotient(at, by)


def _interval(values: Any, start: Lin, size: Lin, end: Lin) -> bool:
    length = value_of(size, values)
    return length >= 0 and \
        value_of(start, values) + length == value_of(end, values)


def _present(values: Any, intervals: Sequence[Any]) -> list[tuple[int, int]]:
    """Starts and ends of those that are there; the others are None."""
    return [(value_of(one.begin, values), value_of(one.stop, values))
            if one.lit is None or is_true(one.lit, values) else None
            for one in intervals]               # type: ignore[misc]


def _no_overlap(values: Any, intervals: list[Any]) -> bool:
    there = sorted(one for one in _present(values, intervals) if one)
    return all(one[1] <= two[0] for one, two in zip(there, there[1:]))


def _no_overlap_2d(values: Any, xs: list[Any], ys: list[Any]) -> bool:
    boxes = [(x, y) for x, y in zip(_present(values, xs),
                                    _present(values, ys)) if x and y]
    return not any(
        all(a[0] < b[1] and b[0] < a[1] for a, b in zip(one, two))
        for place, one in enumerate(boxes) for two in boxes[:place])


def _cumulative(values: Any, intervals: list[Any], demands: list[Lin],
                capacity: Lin) -> bool:
    spans = _present(values, intervals)
    limit = value_of(capacity, values)
    for at in {span[0] for span in spans if span}:
        load = sum(value_of(need, values) for span, need in zip(spans, demands)
                   if span and span[0] <= at < span[1])
        if load > limit:
            return False
    return True


def _taken(values: Any, arcs: list[Any]) -> list[tuple[int, int]]:
    return [(tail, head) for tail, head, lit in arcs if is_true(lit, values)]


def _circuit(values: Any, arcs: list[Any]) -> bool:
    nodes = {end for tail, head, _ in arcs for end in (tail, head)}
    taken = _taken(values, arcs)
    after = dict(taken)
    if len(taken) != len(nodes) or len(after) != len(nodes) or \
            set(after.values()) != nodes:
        return False
    moving = [tail for tail, head in taken if tail != head]
    if not moving:
        return True
    at, steps = after[moving[0]], 1
    while at != moving[0]:
        at, steps = after[at], steps + 1
    return steps == len(moving)


def _routes(values: Any, arcs: list[Any]) -> bool:
    nodes = {end for tail, head, _ in arcs for end in (tail, head)} - {0}
    taken = _taken(values, arcs)
    after = {tail: head for tail, head in taken if tail}
    heads = [head for _, head in taken if head]
    if len([tail for tail, _ in taken if tail]) != len(nodes) or \
            len(after) != len(nodes) or sorted(heads) != sorted(nodes):
        return False
    seen = {tail for tail, head in taken if tail == head and tail}
    for tail, head in taken:
        if tail == 0:
            while head:
                seen.add(head)
                head = after[head]
    return seen == nodes


def _table(values: Any, lins: list[Lin], rows: list[Any],
           forbidden: bool) -> bool:
    found = tuple(value_of(one, values) for one in lins)
    return (found in set(map(tuple, rows))) != forbidden


def _inverse(values: Any, direct: list[Lin], back: list[Lin]) -> bool:
    left = [value_of(one, values) for one in direct]
    right = [value_of(one, values) for one in back]
    return all(0 <= at < len(right) and right[at] == place
               for place, at in enumerate(left))


def _automaton(values: Any, lins: list[Lin], start: int, finals: list[int],
               moves: list[Any]) -> bool:
    states = {start}
    for one in lins:
        label = value_of(one, values)
        states = {head for tail, by, head in moves
                  if tail in states and by == label}
    return bool(states & set(finals))


_RULES: dict[str, Any] = {
    "linear": _linear, "all_different": _all_different, "element": _element,
    "or": lambda values, literals: _count(values, literals) > 0,
    "and": lambda values, literals: _count(values, literals) == len(literals),
    "xor": lambda values, literals: _count(values, literals) % 2 == 1,
    "at_most_one": lambda values, literals: _count(values, literals) <= 1,
    "exactly_one": lambda values, literals: _count(values, literals) == 1,
    "max": _max, "multiply": _multiply, "divide": _divide, "modulo": _modulo,
    "interval": _interval, "no_overlap": _no_overlap,
    "no_overlap_2d": _no_overlap_2d, "cumulative": _cumulative,
    "circuit": _circuit, "routes": _routes, "table": _table,
    "inverse": _inverse, "automaton": _automaton,
}
