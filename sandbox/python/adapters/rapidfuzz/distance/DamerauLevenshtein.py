"""DamerauLevenshtein - as Levenshtein, and neighbours can change places."""

from __future__ import annotations

from typing import Any

from ._parts import functions
from .LCSseq import most


def edits(one: Any, two: Any) -> int:
    """A part that was swapped can be edited again."""
    far = len(one) + len(two)
    table = [[far] * (len(two) + 2) for _ in range(len(one) + 2)]
    for at in range(len(one) + 1):
        table[at + 1][1] = at
    for at in range(len(two) + 1):
        table[1][at + 1] = at
    seen: dict[Any, int] = {}
    for row, item in enumerate(one, 1):
        column_of_same = 0
        before, now = table[row], table[row + 1]
        for column, other in enumerate(two, 1):
            above, left = seen.get(other, 0), column_of_same
            same = item == other
            if same:
                column_of_same = column
            swapped = (table[above][left] + (row - above - 1) + 1 +
                       (column - left - 1))
            now[column + 1] = min(before[column] + (not same),
                                  now[column] + 1, before[column + 1] + 1,
                                  swapped)
        seen[item] = row
    return table[-1][-1]


(distance, similarity, normalized_distance,
 normalized_similarity) = functions(edits, most)
