"""LCSseq - the longest common subsequence."""

from __future__ import annotations

from typing import Any

from ._edits import Editops, Opcodes
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
    col, row = len(one) - begin - end, len(two) - begin - end
    rows = _rows(one[begin:begin + col], two[begin:begin + row])
    found = []
    while row and col:
        if rows[row - 1] >> (col - 1) & 1:
            col -= 1
            found.append(("delete", col + begin, row + begin))
            continue
        row -= 1
        if row and not rows[row - 1] >> (col - 1) & 1:
            found.append(("insert", col + begin, row + begin))
        else:
            col -= 1
    while col:
        col -= 1
        found.append(("delete", col + begin, row + begin))
    while row:
        row -= 1
        found.append(("insert", col + begin, row + begin))
    return Editops(found[::-1], len(one), len(two))


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
