"""texts - values as readable text, and the cut of long text.

Values that JSON lacks and that print() shows well are text as print() shows
it: numbers, dates, paths and the like. Those that stand for no value are null.
The types are known by the modules that have them, once these are imported.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__

import sys
from typing import Any, Callable

_modules = sys.modules

# Modules and their types whose str() is readable.
READABLE = (
    ("decimal", ("Decimal",)),
    ("fractions", ("Fraction",)),
    ("datetime", ("date", "time", "timedelta", "tzinfo")),
    ("pathlib", ("PurePath",)),
    ("uuid", ("UUID",)),
    ("enum", ("Enum",)),
    ("ipaddress", ("_IPAddressBase",)),
    ("pandas", ("Interval", "Period")),
)
MISSING = ("NaT", "NA")     # objects of pandas, one of each type

NOTE_CHARS = 40             # of the note below, at most
_LOOK_BACK = 4              # a cut looks for a boundary in this part of it
_BOUNDARIES = ("\n", ", ", " ")


def learn(table: dict[type, Any], readable: Callable[..., Any],
          missing: Callable[..., Any]) -> None:
    """Enter the types of the modules that are imported into TABLE."""
    for module, names in READABLE:
        for name in names:
            kind = getattr(_modules.get(module), name, None)
            if isinstance(kind, type):
                table.setdefault(kind, readable)
    for name in MISSING:
        kind = type(getattr(_modules.get("pandas"), name, None))
        if kind is not type(None):
            table.setdefault(kind, missing)


def cut_at(text: str, most: int) -> int:
    """Where to cut TEXT to at most MOST characters: behind a line, an item or
    a word, if there is one in the last part."""
    for boundary in _BOUNDARIES:
        found = text.rfind(boundary, most - most // _LOOK_BACK, most)
        if found > 0:
            return found + len(boundary)
    return most


def note(left_out: int, behind: str) -> str:
    """The words that end a text which is cut BEHIND something."""
    glue = "" if behind.endswith(("\n", " ")) else " "
    return f"{glue}... {left_out:,} more characters"


def shorten(text: str, most: int) -> str:
    """TEXT of at most MOST characters, with a note if it was cut."""
    if len(text) <= most:
        return text
    end = cut_at(text, most - NOTE_CHARS)
    return text[:end] + note(len(text) - end, text[:end])
