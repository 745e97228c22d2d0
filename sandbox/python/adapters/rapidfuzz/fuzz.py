"""fuzz - how alike two texts are, from 0 to 100.

ratio and partial_ratio compare any sequences, the token scorers texts alone.
"""

from __future__ import annotations

from math import ceil
from typing import Any, Callable, Optional

from .distance import Indel
from .distance._edits import ScoreAlignment
from .distance._parts import places, prepared
from .distance.LCSseq import common
from .utils import is_none

Score = Callable[..., float]
UNBASE = 0.95


def _scorer(function: Score) -> Score:
    """FUNCTION(one, two, cutoff), with the arguments of all scorers."""
    def score(s1: Any, s2: Any, *, processor: Any = None,
              score_cutoff: Optional[float] = None,
              score_hint: Any = None) -> float:
        if is_none(s1) or is_none(s2):
            return 0
        one, two = prepared(s1, s2, processor)
        cutoff = score_cutoff or 0
        found = function(one, two, cutoff)
        return float(found) if found >= cutoff else 0.0

    score.__module__ = "rapidfuzz.fuzz"
    score.__name__ = score.__qualname__ = function.__name__.lstrip("_")
    score.__doc__ = function.__doc__
    score.scorer = (100.0, 0.0, "f")  # type: ignore[attr-defined]
    return score


def _words(text: Any) -> list[str]:
    if type(text) is not str:
        if not all(0 <= item < 0x110000 for item in text):
            raise NotImplementedError(
                "the token scorers here take texts alone; fuzz.ratio and "
                "fuzz.partial_ratio take other sequences too")
        text = "".join(map(chr, text))
    return sorted(text.split())


def _ratio(one: Any, two: Any, cutoff: float = 0) -> float:
    """The share of letters in common, in the same order."""
    most = len(one) + len(two)
    far = Indel.edits(one, two) / most if most else 0.0
    share = 1.0 - far
    return share * 100 if share >= cutoff / 100 else 0.0


Best = tuple[float, int, int]       # a score, the begin and end of the part


def _windows(one: Any, two: Any) -> Best:
    """The best share of the shorter ONE at any place of TWO."""
    first, second, block = len(one), len(two), places(one)

    def share(part: Any) -> float:
        whole = first + len(part)
        return 1.0 - (whole - 2 * common(one, part, block)) / whole

    best, begin, end = 0.0, 0, first
    if second > first:
        far, begin = _whole_windows(one, two, block)
        best, end = 1.0 - far / (2 * first), begin + first
        if far == 0:
            return 1.0, begin, end
    for at in range(1, first):
        if two[at - 1] in block and (score := share(two[:at])) > best:
            best, begin, end = score, 0, at
    for at in range(second - first, second):
        if two[at] in block and (score := share(two[at:])) > best:
            best, begin, end = score, at, second
    return best, begin, end


def _whole_windows(one: Any, two: Any, block: dict[Any, int],
                   ) -> tuple[int, int]:
    """The distance of the best part as long as ONE, and its place.

    A part and the next one differ by two edits at most, so halves that cannot
    have a better one are left out.
    """
    size, known = len(one), {}
    best, place = 2 * size, 0
    spans = [(0, len(two) - size - 1)]
    while spans:
        halves = []
        for left, right in spans:
            for at in (left, right):
                if at not in known:
                    part = two[at:at + size]
                    known[at] = 2 * size - 2 * common(one, part, block)
                    if known[at] < best:
                        best, place = known[at], at
                        if not best:
                            return best, place
            gap, differ = right - left, abs(known[left] - known[right])
            if gap > 1 and min(known[left], known[right]) - (
                    gap + differ // 2) < best:
                halves += [(left, left + gap // 2), (left + gap // 2, right)]
        spans = halves
    return best, place


def partial_ratio_alignment(s1: Any, s2: Any, *, processor: Any = None,
                            score_cutoff: Optional[float] = None,
                            ) -> Optional[ScoreAlignment]:
    """The part of the longer text that is most like the shorter one."""
    if is_none(s1) or is_none(s2):
        return None
    share, here = _alignment(*prepared(s1, s2, processor))
    if share < (score_cutoff or 0) / 100:
        return None
    return ScoreAlignment(share * 100, *here)


def _alignment(one: Any, two: Any) -> tuple[float, tuple[int, ...]]:
    """The best share, and the begin and end of both parts."""
    if not len(one) and not len(two):
        return 1.0, (0, 0, 0, 0)
    swap = len(one) > len(two)
    short, long = (two, one) if swap else (one, two)
    if not len(short):
        return 0.0, (0, 0, 0, 0)
    share, begin, end = _windows(short, long)
    here: tuple[int, ...] = (0, len(short), begin, end)
    if share != 1 and len(one) == len(two):
        other, begin, end = _windows(long, short)
        if other > share:
            share, here = other, (begin, end, 0, len(long))
    return share, here[2:] + here[:2] if swap else here


def _partial_ratio(one: Any, two: Any, cutoff: float = 0) -> float:
    """ratio() of the shorter text and the best part of the longer one."""
    share = _alignment(one, two)[0]
    return share * 100 if share >= cutoff / 100 else 0.0


def _token_sort_ratio(one: Any, two: Any, cutoff: float = 0) -> float:
    """ratio() of the sorted words."""
    return _ratio(" ".join(_words(one)), " ".join(_words(two)), cutoff)


def _share(far: int, whole: int, cutoff: float) -> float:
    found = 100.0 - 100 * far / whole if whole else 100.0
    return found if found >= cutoff else 0.0


def _token_set_ratio(one: Any, two: Any, cutoff: float = 0) -> float:
    """The words in common count once, whatever the order."""
    first, second = set(_words(one)), set(_words(two))
    if not first or not second:
        return 0.0
    both = first & second
    left, right = first - second, second - first
    if both and (not left or not right):
        return 100.0
    lefts, rights = " ".join(sorted(left)), " ".join(sorted(right))
    part = len(" ".join(both))
    ahead = part + bool(part) + len(lefts)
    behind = part + bool(part) + len(rights)
    far = Indel.edits(lefts, rights)
    found = 0.0
    if far <= ceil((ahead + behind) * (1 - cutoff / 100)):
        found = _share(far, ahead + behind, cutoff)
    if not part:
        return found
    return max(found, _share(1 + len(lefts), part + ahead, cutoff),
               _share(1 + len(rights), part + behind, cutoff))


def _token_ratio(one: Any, two: Any, cutoff: float = 0) -> float:
    """The better of token_set_ratio() and token_sort_ratio()."""
    return max(_token_set_ratio(one, two, cutoff),
               _token_sort_ratio(one, two, cutoff))


def _partial_token_sort_ratio(one: Any, two: Any, cutoff: float = 0,
                              ) -> float:
    """partial_ratio() of the sorted words."""
    return _partial_ratio(" ".join(_words(one)), " ".join(_words(two)),
                          cutoff)


def _partial_token_set_ratio(one: Any, two: Any, cutoff: float = 0,
                             ) -> float:
    """100 with a word in common, else partial_ratio() of the words."""
    first, second = set(_words(one)), set(_words(two))
    if not first or not second:
        return 0.0
    if first & second:
        return 100.0
    return _partial_ratio(" ".join(sorted(first - second)),
                          " ".join(sorted(second - first)), cutoff)


def _partial_token_ratio(one: Any, two: Any, cutoff: float = 0) -> float:
    """The better of the two partial scores of words."""
    first, second = _words(one), _words(two)
    left, right = set(first) - set(second), set(second) - set(first)
    if len(left) < len(set(first)):
        return 100.0
    found = _partial_ratio(" ".join(first), " ".join(second), cutoff)
    if len(first) == len(left) and len(second) == len(right):
        return found
    return max(found, _partial_ratio(" ".join(sorted(left)),
                                     " ".join(sorted(right)),
                                     max(cutoff, found)))


def _WRatio(one: Any, two: Any, cutoff: float = 0) -> float:
    """The best of the others, each with a weight."""
    if not len(one) or not len(two):
        return 0.0
    longer = max(len(one), len(two)) / min(len(one), len(two))
    found = _ratio(one, two, cutoff)
    if longer < 1.5:
        cutoff = max(cutoff, found) / UNBASE
        return max(found, _token_ratio(one, two, cutoff) * UNBASE)
    scale = 0.9 if longer < 8.0 else 0.6
    cutoff = max(cutoff, found) / scale
    found = max(found, _partial_ratio(one, two, cutoff) * scale)
    cutoff = max(cutoff, found) / UNBASE
    return max(found, _partial_token_ratio(one, two, cutoff) * UNBASE * scale)


def _QRatio(one: Any, two: Any, cutoff: float = 0) -> float:
    """ratio(), but 0 if one of them is empty."""
    return _ratio(one, two, cutoff) if len(one) and len(two) else 0.0


ratio = _scorer(_ratio)
partial_ratio = _scorer(_partial_ratio)
token_sort_ratio = _scorer(_token_sort_ratio)
token_set_ratio = _scorer(_token_set_ratio)
token_ratio = _scorer(_token_ratio)
partial_token_sort_ratio = _scorer(_partial_token_sort_ratio)
partial_token_set_ratio = _scorer(_partial_token_set_ratio)
partial_token_ratio = _scorer(_partial_token_ratio)
WRatio = _scorer(_WRatio)
QRatio = _scorer(_QRatio)
