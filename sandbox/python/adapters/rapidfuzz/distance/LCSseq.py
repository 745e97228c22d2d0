"""LCSseq - the longest common subsequence."""

from __future__ import annotations

from typing import Any

from ._edits import Editops, Opcodes, backtrack
from ._parts import common_ends, functions, places, prepared


def common(one: Any, two: Any, block: Any = None) -> int:
    """How many items the longest common subsequence has."""
    if one == two:
        return len(one)
    if block is None:
        block = places(one)
    full = (1 << len(one)) - 1
    row = full
    for item in two:
        bits = block.get(item)
        if bits:
            same = row & bits
            row = (row + same) | (row - same)
    return (~row & full).bit_count()


def most(one: Any, two: Any) -> int:
    return max(len(one), len(two))


(distance, similarity, normalized_distance,
 normalized_similarity) = functions(common, most, is_similarity=True)


def editops(s1: Any, s2: Any, *, processor: Any = None,
            score_hint: Any = None) -> Editops:
    """The inserts and deletes that make S2 of S1."""
    one, two = prepared(s1, s2, processor)
    begin, end = common_ends(one, two)
    rows = _rows(one[begin:len(one) - end], two[begin:len(two) - end])
    return backtrack(one, two, begin, end,
                     lambda row, col: rows[row] >> col & 1,
                     lambda row, col: not rows[row] >> col & 1)


def _rows(one: Any, two: Any) -> list[int]:
    block, full = places(one), (1 << len(one)) - 1
    row, rows = full, []
    for item in two:
        same = row & block.get(item, 0)
        row = ((row + same) | (row - same)) & full
        rows.append(row)
    return rows


def opcodes(s1: Any, s2: Any, *, processor: Any = None,
            score_hint: Any = None) -> Opcodes:
    return editops(s1, s2, processor=processor).as_opcodes()
