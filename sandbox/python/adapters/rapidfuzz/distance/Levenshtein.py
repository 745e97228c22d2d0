"""Levenshtein - how many inserts, deletes and replacements make one of the
other, each with its own weight.
"""

from __future__ import annotations

from typing import Any

from . import Indel
from ._edits import Editops, Opcodes, backtrack
from ._parts import common_ends, functions, places, prepared

Weights = tuple[int, int, int]


def _weights(weights: Any) -> Weights:
    insert, delete, replace = (1, 1, 1) if weights is None else weights
    if min(insert, delete, replace) < 0:
        raise OverflowError("can't convert negative value to size_t")
    return insert, delete, replace


def edits(one: Any, two: Any, weights: Any = (1, 1, 1)) -> int:
    insert, delete, replace = _weights(weights)
    if insert == delete == replace:
        return insert * _uniform(one, two)
    if insert == delete and replace >= insert + delete:
        return insert * Indel.edits(one, two)
    return _weighted(one, two, insert, delete, replace)


def _uniform(one: Any, two: Any) -> int:
    """All weights 1, by bit vectors."""
    if one == two:
        return 0
    if not one or not two:
        return len(one) + len(two)
    block, plus, minus = places(one), (1 << len(one)) - 1, 0
    full, last, found = plus, 1 << (len(one) - 1), len(one)
    for item in two:
        bits = block.get(item, 0)
        zero = (((bits & plus) + plus) ^ plus) | bits | minus
        right, left = minus | ~(zero | plus), zero & plus
        found += bool(right & last) - bool(left & last)
        right, left = (right << 1) | 1, left << 1
        plus, minus = (left | ~(zero | right)) & full, right & zero & full
    return found


def _weighted(one: Any, two: Any, insert: int, delete: int, replace: int,
              ) -> int:
    row = [delete * at for at in range(len(one) + 1)]
    for item in two:
        before, row[0] = row[0], row[0] + insert
        for at, other in enumerate(one, 1):
            best = before if item == other else min(
                row[at - 1] + delete, row[at] + insert, before + replace)
            before, row[at] = row[at], best
    return row[-1]


def most(one: Any, two: Any, weights: Any = (1, 1, 1)) -> int:
    insert, delete, replace = _weights(weights)
    first, second = len(one), len(two)
    if first >= second:
        other = second * replace + (first - second) * delete
    else:
        other = first * replace + (second - first) * insert
    return min(first * delete + second * insert, other)


(distance, similarity, normalized_distance,
 normalized_similarity) = functions(edits, most, options=("weights",))


def editops(s1: Any, s2: Any, *, processor: Any = None,
            score_hint: Any = None) -> Editops:
    """Edits that make S2 of S1, as few as can be."""
    one, two = prepared(s1, s2, processor)
    begin, end = common_ends(one, two)
    rows = _rows(one[begin:len(one) - end], two[begin:len(two) - end])
    return backtrack(one, two, begin, end,
                     lambda row, col: rows[row][0] >> col & 1,
                     lambda row, col: rows[row][1] >> col & 1)


def _rows(one: Any, two: Any) -> list[tuple[int, int]]:
    """After each item of TWO: where the distance grows and shrinks."""
    full = (1 << len(one)) - 1
    block, plus, minus, rows = places(one), full, 0, []
    for item in two:
        bits = block.get(item, 0)
        zero = (((bits & plus) + plus) ^ plus) | bits | minus
        right, left = minus | ~(zero | plus), zero & plus
        right, left = (right << 1) | 1, left << 1
        plus, minus = (left | ~(zero | right)) & full, right & zero & full
        rows.append((plus, minus))
    return rows


def opcodes(s1: Any, s2: Any, *, processor: Any = None,
            score_hint: Any = None) -> Opcodes:
    return editops(s1, s2, processor=processor).as_opcodes()
