"""distance - the metrics, a module each, and the lists of edits."""

from __future__ import annotations

from . import (OSA, DamerauLevenshtein, Hamming, Indel, Jaro, JaroWinkler,
               LCSseq, Levenshtein, Postfix, Prefix)
from ._edits import (Editop, Editops, MatchingBlock, Opcode, Opcodes,
                     ScoreAlignment)

__all__ = ["Editop", "Editops", "MatchingBlock", "Opcode", "Opcodes",
           "ScoreAlignment", "OSA", "DamerauLevenshtein", "Hamming", "Indel",
           "Jaro", "JaroWinkler", "LCSseq", "Levenshtein", "Postfix",
           "Prefix"]
