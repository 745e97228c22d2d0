"""Indel - how many inserts and deletes make one of the other."""

from __future__ import annotations

from typing import Any

from ._parts import functions
from .LCSseq import common, editops, opcodes

__all__ = ["distance", "similarity", "normalized_distance",
           "normalized_similarity", "editops", "opcodes"]


def edits(one: Any, two: Any) -> int:
    return len(one) + len(two) - 2 * common(one, two)


def most(one: Any, two: Any) -> int:
    return len(one) + len(two)


(distance, similarity, normalized_distance,
 normalized_similarity) = functions(edits, most)
