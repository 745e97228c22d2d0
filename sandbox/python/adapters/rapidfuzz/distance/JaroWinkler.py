"""JaroWinkler - as Jaro, and more for a common begin."""

from __future__ import annotations

from typing import Any

from . import Jaro
from ._parts import common_ends, functions


def share(one: Any, two: Any, prefix_weight: float = 0.1) -> float:
    found = Jaro.share(one, two)
    if found > 0.7:
        begin = common_ends(one[:4], two[:4])[0]
        found += begin * prefix_weight * (1.0 - found)
        found = min(found, 1.0)
    return found


def most(one: Any, two: Any, prefix_weight: float = 0.1) -> float:
    return 1.0


(distance, similarity, normalized_distance,
 normalized_similarity) = functions(share, most, is_similarity=True,
                                    is_float=True,
                                    options=("prefix_weight",))
