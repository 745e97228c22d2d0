"""OSA - optimal string alignment: neighbours can change places once."""

from __future__ import annotations

from typing import Any

from ._parts import functions
from .LCSseq import most


def edits(one: Any, two: Any) -> int:
    last: list[int] = []
    row = list(range(len(two) + 1))
    for at, item in enumerate(one, 1):
        now = [at]
        for column, other in enumerate(two, 1):
            best = min(row[column] + 1, now[-1] + 1,
                       row[column - 1] + (item != other))
            if (at > 1 and column > 1 and item == two[column - 2] and
                    one[at - 2] == other):
                best = min(best, last[column - 2] + 1)
            now.append(best)
        last, row = row, now
    return row[-1]


(distance, similarity, normalized_distance,
 normalized_similarity) = functions(edits, most)
