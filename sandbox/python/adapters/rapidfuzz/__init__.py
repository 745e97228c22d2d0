"""rapidfuzz - how alike texts are, by edit distances.

The scorers of `fuzz`, `process` and the metrics of `distance` with the scores
of rapidfuzz 3.12, in Python over big integers as bit vectors. Token scorers
take texts alone, no sequences of other things.
"""

from __future__ import annotations

from . import distance, fuzz, process, utils

__version__ = "3.12.2"
__all__ = ["distance", "fuzz", "process", "utils"]


def __getattr__(name: str) -> object:
    if name in ("string_metric", "levenshtein"):
        raise AttributeError(
            f"rapidfuzz has no {name} since version 3; use rapidfuzz.distance "
            "(Levenshtein, Hamming, JaroWinkler, ...)")
    raise AttributeError(f"module 'rapidfuzz' has no attribute '{name}'")
