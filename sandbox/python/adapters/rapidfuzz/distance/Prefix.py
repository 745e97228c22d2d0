"""Prefix - how long the common begin is."""

from __future__ import annotations

from typing import Any

from ._parts import common_ends, functions
from .LCSseq import most


def common(one: Any, two: Any) -> int:
    return common_ends(one, two)[0]


(distance, similarity, normalized_distance,
 normalized_similarity) = functions(common, most, is_similarity=True)
