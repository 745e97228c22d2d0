"""utils - the usual preparation of texts before they are compared."""

from __future__ import annotations

import re
from typing import Any

_other = re.compile(r"[\W_]")


def default_process(sentence: str) -> str:
    """Lower case, blanks for all but letters and digits, ends stripped."""
    if not isinstance(sentence, str):
        raise TypeError("sentence must be a String")
    lowered = sentence.lower()
    if len(lowered) != len(sentence):
        lowered = "".join(_lower(char) for char in sentence)
    return _other.sub(" ", lowered).strip()


def _lower(char: str) -> str:
    lowered = char.lower()
    return lowered if len(lowered) == 1 else lowered[0]


def is_none(value: Any) -> bool:
    """Whether VALUE stands for a missing one: None, NaN, pandas.NA."""
    if value is None or isinstance(value, float) and value != value:
        return True
    return type(value).__name__ == "NAType"
