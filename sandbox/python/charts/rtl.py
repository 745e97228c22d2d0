"""rtl - lines of Arabic and Hebrew in the order and the forms that are drawn.

matplotlib draws characters from left to right as they are stored. So the
letters of a line are joined by their presentation forms, and its parts are
put into the order that is seen, by the rules of Unicode's annex 9 without
explicit marks. A line that has presentation forms already is left alone: the
program has done this itself.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__

import re
import unicodedata
from typing import Optional

_class_of, _mark = unicodedata.bidirectional, unicodedata.combining
_decompose, _mirrored = unicodedata.decomposition, unicodedata.mirrored
# Letters of scripts from right to left, without presentation forms.
_is_rtl = re.compile("[\u0590-\u07ff\u08a0-\u08ff]").search
_is_shaped = re.compile("[\ufb50-\ufdff\ufe70-\ufefc]").search
_MIRROR = dict(zip("()[]{}<>\u00ab\u00bb", ")(][}{><\u00bb\u00ab"))

# A letter, or lam and alef: its forms.
_forms: dict[str, dict[str, str]] = {}


def _fill_forms() -> None:
    for code in (*range(0xfb50, 0xfbb2), *range(0xfbd3, 0xfc00),
                 *range(0xfe70, 0xfefd)):
        kind, *letters = _decompose(chr(code)).split() or [""]
        text = "".join(chr(int(letter, 16)) for letter in letters)
        if kind[:1] == "<" and text[:1] != " ":
            _forms.setdefault(text, {})[kind[1:-1]] = chr(code)


def _letters(text: str) -> list[str]:
    """The letters of a text with their marks, lam and alef as one."""
    found: list[str] = []
    for char in text:
        if found and _mark(char):
            found[-1] += char
        elif found and found[-1] + char in _forms:
            found[-1] += char
        else:
            found.append(char)
    return found


def _forms_of(letter: Optional[str]) -> dict[str, str]:
    if not letter:
        return {}
    return _forms.get(letter[:2]) or _forms.get(letter[:1]) or {}


def _join(text: str) -> str:
    """TEXT with each letter in the form that its neighbours ask for."""
    if not _forms:
        _fill_forms()
    letters = _letters(text)
    shaped = []
    for letter, before, after in zip(letters, [None, *letters],
                                     [*letters[1:], None]):
        forms = _forms_of(letter)
        joined = "initial" in _forms_of(before) and "final" in forms
        joins = "final" in _forms_of(after) and "initial" in forms
        kind = ("medial" if joins else "final") if joined else \
            ("initial" if joins else "isolated")
        size = 2 if letter[:2] in _forms else 1
        shaped.append(forms[kind] + letter[size:] if kind in forms
                      else letter)
    return "".join(shaped)


def _levels(text: str) -> list[int]:
    """The embedding level of each character."""
    kinds = [_class_of(char) for char in text]
    strong = [kind for kind in kinds if kind in ("L", "R", "AL")]
    base = 0 if strong[:1] in (["L"], []) else 1
    levels: list[Optional[int]] = []
    last = base
    for place, kind in enumerate(kinds):
        if kind == "NSM" and levels:
            levels.append(levels[-1])
            continue
        level: Optional[int] = None
        if kind in ("R", "AL"):
            level = last = 1
        elif kind == "L":
            level = last = base * 2
        elif kind in ("EN", "AN"):
            level = 2 if last == 1 else last
        elif kind in ("CS", "ES") and 0 < place < len(kinds) - 1 and \
                kinds[place - 1] in ("EN", "AN") == \
                kinds[place + 1] in ("EN", "AN"):
            level = levels[-1]
        levels.append(level)
    return _fill_neutral(levels, base)


def _fill_neutral(levels: list[Optional[int]], base: int) -> list[int]:
    """Characters between two of one direction have that direction; a number
    counts as text from right to left there."""
    found: list[int] = []
    for place, level in enumerate(levels):
        if level is None:
            after = next((one for one in levels[place:] if one is not None),
                         base)
            before = found[-1] if found else base
            sides = {1 if one == 2 and base == 0 else one
                     for one in (before, after)}
            level = sides.pop() if len(sides) == 1 else base
        found.append(level)
    return found


def _order(text: str) -> str:
    """TEXT from left to right, as it is seen. Marks stay behind their
    letters."""
    parts: list[str] = []
    levels: list[int] = []
    for char, level in zip(text, _levels(text)):
        if parts and _mark(char):
            parts[-1] += char
            continue
        parts.append(_MIRROR.get(char, char)
                     if level % 2 and _mirrored(char) else char)
        levels.append(level)
    for level in range(max(levels), 0, -1):
        place = 0
        while place < len(parts):
            end = place
            while end < len(parts) and levels[end] >= level:
                end += 1
            parts[place:end] = reversed(parts[place:end])
            levels[place:end] = reversed(levels[place:end])
            place = end + 1
    return "".join(parts)


def seen(text: str) -> str:
    """A text as its lines are drawn. Formulas are left alone."""
    if str.isascii(text) or not _is_rtl(text) or _is_shaped(text):
        return text
    return "\n".join(_order(_join(line)) if _is_rtl(line) and "$" not in line
                     else line for line in text.split("\n"))
