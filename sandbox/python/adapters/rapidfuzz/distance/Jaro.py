"""Jaro - how many items are near each other, and in order."""

from __future__ import annotations

from typing import Any

from ._parts import functions


def share(one: Any, two: Any) -> float:
    if not one and not two:
        return 1.0
    if not one or not two:
        return 0.0
    if one == two:
        return 1.0
    reach = max(max(len(one), len(two)) // 2 - 1, 0)
    taken = [False] * len(two)
    first = []
    for at, item in enumerate(one):
        for other in range(max(at - reach, 0), min(at + reach + 1, len(two))):
            if not taken[other] and two[other] == item:
                taken[other] = True
                first.append(item)
                break
    same = len(first)
    if not same:
        return 0.0
    second = [item for item, flag in zip(two, taken) if flag]
    swapped = sum(a != b for a, b in zip(first, second)) // 2
    total = same / len(one)
    total += same / len(two)
    total += (same - swapped) / same
    return total / 3.0


def most(one: Any, two: Any) -> float:
    return 1.0


(distance, similarity, normalized_distance,
 normalized_similarity) = functions(share, most, is_similarity=True,
                                    is_float=True)
