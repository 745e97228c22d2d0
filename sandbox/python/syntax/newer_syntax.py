"""newer_syntax - reads a program that the compiler refuses as a newer Python's.

Programs are written for Python 3.12 to 3.14, while Debian 12 has 3.11. Each
line stays where it is.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .newer_statements import Mark, complete, older_statements
from .newer_strings import older_strings

import sys

NEWEST = sys.version_info >= (3, 14)
BYTES = 200000  # of a program that is read again


def older(text: str) -> tuple[str, dict[int, Mark]]:
    """TEXT as an older Python reads it, and what complete() adds to its
    tree."""
    if NEWEST or len(text) > BYTES:
        return text, {}
    if sys.version_info < (3, 12):
        text = older_strings(text)
    return older_statements(text)
