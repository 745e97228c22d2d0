"""Hamming - how many places differ."""

from __future__ import annotations

from typing import Any

from ._edits import Editops, Opcodes
from ._parts import functions, prepared


def edits(one: Any, two: Any, pad: bool = True) -> int:
    least = min(len(one), len(two))
    if not pad and len(one) != len(two):
        raise ValueError("Sequences are not the same length.")
    differ = sum(one[at] != two[at] for at in range(least))
    return differ + max(len(one), len(two)) - least


def most(one: Any, two: Any, pad: bool = True) -> int:
    return max(len(one), len(two))


(distance, similarity, normalized_distance,
 normalized_similarity) = functions(edits, most, options=("pad",))


def editops(s1: Any, s2: Any, *, pad: bool = True, processor: Any = None,
            score_hint: Any = None) -> Editops:
    one, two = prepared(s1, s2, processor)
    if not pad and len(one) != len(two):
        raise ValueError("Sequences are not the same length.")
    least = min(len(one), len(two))
    found = [("replace", at, at) for at in range(least) if one[at] != two[at]]
    found += [("delete", at, len(two)) for at in range(least, len(one))]
    found += [("insert", len(one), at) for at in range(least, len(two))]
    return Editops(found, len(one), len(two))


def opcodes(s1: Any, s2: Any, *, pad: bool = True, processor: Any = None,
            score_hint: Any = None) -> Opcodes:
    return editops(s1, s2, pad=pad, processor=processor).as_opcodes()
