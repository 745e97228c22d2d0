"""_parts - what the metrics have in common.

A metric is a kernel, which gives the distance or the similarity of two
sequences, and its maximum. From these come four functions each.
"""

from __future__ import annotations

from struct import Struct
from typing import Any, Callable, Optional, Sequence

from ..utils import is_none

Kernel = Callable[..., Any]
Functions = tuple[Callable[..., Any], ...]


def prepared(one: Any, two: Any, processor: Any = None) -> tuple[Any, Any]:
    """Both sequences, of things that can be compared with each other."""
    if processor is not None:
        one, two = processor(one), processor(two)
    if type(one) is str and type(two) is str:
        return one, two
    return _items(one), _items(two)


def _items(value: Any) -> Sequence[int]:
    """Numbers for the items; a letter's is its code point."""
    if isinstance(value, (str, bytes, bytearray)) or hasattr(value,
                                                             "__getitem__"):
        return [_item(item) for item in value]
    raise TypeError("sequence must be a str, bytes or a Sequence[Hashable], "
                    f"not {type(value).__name__}")


def _item(item: Any) -> int:
    if isinstance(item, str) and len(item) == 1:
        return ord(item)
    return hash(item)


def places(text: Any) -> dict[Any, int]:
    """For each item of TEXT, the bits of the places that have it."""
    found: dict[Any, int] = {}
    bit = 1
    for item in text:
        found[item] = found.get(item, 0) | bit
        bit <<= 1
    return found


_narrow = Struct("f")


def _limit(cutoff: Optional[float], default: float) -> float:
    """A cutoff between 0 and 1 as a number of single precision."""
    if cutoff is None:
        return default
    if not 0 <= cutoff <= 1:
        raise TypeError("score_cutoff has to be in the range of 0.0 - 1.0")
    return float(_narrow.unpack(_narrow.pack(cutoff))[0])


def functions(kernel: Kernel, maximum: Kernel, is_similarity: bool = False,
              is_float: bool = False, options: tuple[str, ...] = (),
              ) -> Functions:
    """distance, similarity, normalized_distance, normalized_similarity."""
    worst: Any = 1.0 if is_float else 2 ** 63 - 1

    def values(one: Any, two: Any, processor: Any, more: dict[str, Any],
               ) -> tuple[Any, Any]:
        """The distance and its maximum."""
        for name in more:
            if name not in options:
                raise TypeError(f"got an unexpected keyword argument '{name}'")
        one, two = prepared(one, two, processor)
        most = maximum(one, two, **more)
        value = kernel(one, two, **more)
        return (most - value if is_similarity else value), most

    def distance(s1: Any, s2: Any, *, processor: Any = None,
                 score_cutoff: Optional[float] = None,
                 score_hint: Any = None, **more: Any) -> Any:
        if is_float:
            return normalized_distance(s1, s2, processor=processor,
                                       score_cutoff=score_cutoff, **more)
        found, _ = values(s1, s2, processor, more)
        if score_cutoff is None or found <= score_cutoff:
            return found
        return score_cutoff + 1

    def similarity(s1: Any, s2: Any, *, processor: Any = None,
                   score_cutoff: Optional[float] = None,
                   score_hint: Any = None, **more: Any) -> Any:
        if is_float:
            if is_none(s1) or is_none(s2):
                return 0.0
            found = kernel(*prepared(s1, s2, processor), **more)
            return found if found >= _limit(score_cutoff, 0.0) else 0.0
        found, most = values(s1, s2, processor, more)
        if score_cutoff is None or most - found >= score_cutoff:
            return most - found
        return 0

    def normalized_distance(s1: Any, s2: Any, *, processor: Any = None,
                            score_cutoff: Optional[float] = None,
                            score_hint: Any = None, **more: Any) -> float:
        if is_none(s1) or is_none(s2):
            return 1.0
        found, most = values(s1, s2, processor, more)
        share = found / most if most else 0.0
        return float(share) if share <= _limit(score_cutoff, 1.0) else 1.0

    def normalized_similarity(s1: Any, s2: Any, *, processor: Any = None,
                              score_cutoff: Optional[float] = None,
                              score_hint: Any = None, **more: Any) -> float:
        if is_none(s1) or is_none(s2):
            return 0.0
        found, most = values(s1, s2, processor, more)
        share = 1.0 - (found / most if most else 0.0)
        return float(share) if share >= _limit(score_cutoff, 0.0) else 0.0

    kind = "f" if is_float else "u"
    for function, best, bad, kind in (
            (distance, 0, worst, kind), (similarity, worst, 0, kind),
            (normalized_distance, 0.0, 1.0, "f"),
            (normalized_similarity, 1.0, 0.0, "f")):
        function.scorer = (best, bad, kind)  # type: ignore[attr-defined]
    return (distance, similarity, normalized_distance, normalized_similarity)


def common_ends(one: Any, two: Any) -> tuple[int, int]:
    """How many items both have in common at their begin and end."""
    least = min(len(one), len(two))
    begin = 0
    while begin < least and one[begin] == two[begin]:
        begin += 1
    end = 0
    while end < least - begin and one[-1 - end] == two[-1 - end]:
        end += 1
    return begin, end
