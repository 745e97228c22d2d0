"""Functions of texts."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import lru_cache
from typing import Any

from . import _types as types
from ._errors import InvalidInputException, fail, lacks

_V, _I, _B = types.VARCHAR, types.BIGINT, types.BOOLEAN
_VS = types.list_of(types.VARCHAR)
_BLANK = " "


def substring(text: str, start: int, size: int | None = None) -> str:
    """Characters from START, which counts from 1, or from the end."""
    length = len(text)
    if start < 0:
        first = length + start
    else:
        first = start - 1
    last = length if size is None else first + size
    if size is not None and size < 0:
        first, last = last, first
    return text[max(first, 0):max(last, 0)]


def left(text: str, count: int) -> str:
    return text[:count] if count >= 0 else text[:max(len(text) + count, 0)]


def right(text: str, count: int) -> str:
    if count >= 0:
        return text[max(len(text) - count, 0):]
    return text[-count:]


def lpad(text: str, size: int, fill: str) -> str:
    missing = size - len(text)
    if missing <= 0:
        return text[:size]
    return (fill * missing)[:missing] + text


def rpad(text: str, size: int, fill: str) -> str:
    missing = size - len(text)
    return text[:size] if missing <= 0 else text + (fill * missing)[:missing]


def split_part(text: str, mark: str, number: int) -> str:
    parts = text.split(mark) if mark else list(text)
    if number == 0:
        number = 1
    at = number - 1 if number > 0 else len(parts) + number
    return parts[at] if 0 <= at < len(parts) else ""


def split(text: str, mark: str) -> str:
    return json.dumps(text.split(mark) if mark else list(text))


def translate(text: str, old: str, new: str) -> str:
    table: dict[int, Any] = {}
    for at, one in enumerate(old):
        table.setdefault(ord(one), new[at] if at < len(new) else None)
    return text.translate(table)


def levenshtein(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, one in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1,
                                         before + (one != other))
    return row[-1]


def format_(form: str, *values: Any) -> str:
    """{} of fmt; {:,} of whole numbers."""
    try:
        return form.format(*values)
    except (IndexError, KeyError, ValueError) as error:
        fail(InvalidInputException, f"Failed to format: {error}")


def printf(form: str, *values: Any) -> str:
    try:
        return form % values
    except (TypeError, ValueError) as error:
        fail(InvalidInputException, f"Failed to printf: {error}")


# -- regular expressions


@lru_cache(maxsize=256)
def pattern(text: str, options: str = "") -> Any:
    """RE2's pattern; Python's have more, which RE2 refuses."""
    if re.search(r"\(\?(<?[=!]|P=|>|\()|\\[1-9]", text):
        fail(InvalidInputException, f"invalid perl operator: {text}")
    if re.search(r"\\[pPQEzC]|\[\[:", text):
        lacks(f"the pattern {text}", "name the characters")
    flags = 0
    for one in options:
        if one not in "cigsmnp":
            fail(InvalidInputException,
                 f"Unrecognized Regex option {one}")
        flags |= {"i": re.I, "s": re.S, "m": re.M, "n": re.M,
                  "p": re.M}.get(one, 0)
    text = re.sub(r"(?<!\\)\$$", r"\\Z", text) if not flags & re.M else text
    try:
        return re.compile(text, flags | re.ASCII if not re.search(
            r"[^\x00-\x7f]", text) else flags)
    except re.error as error:
        fail(InvalidInputException, f"{error}: {text}")


def matches(text: str, form: str, options: str = "") -> int:
    return int(bool(pattern(form, options).search(text)))


def full_match(text: str, form: str, options: str = "") -> int:
    return int(bool(pattern(form, options).fullmatch(text)))


def replace(text: str, form: str, new: str, options: str = "") -> str:
    new = re.sub(r"\\(?!\d)", r"\\\\", new)
    new = new.replace("\\0", "\\g<0>")
    return pattern(form, options).sub(new, text, 0 if "g" in options else 1)


def extract(text: str, form: str, group: int = 0, options: str = "") -> str:
    found = pattern(form, options).search(text)
    return (found[group] or "") if found else ""


def extract_all(text: str, form: str, group: int = 0) -> str:
    return json.dumps([found[group] or "" for found in
                       pattern(form).finditer(text)])


def split_regex(text: str, form: str) -> str:
    return json.dumps(re.split(pattern(form), text))


def strip_all(text: str, chars: str) -> str:
    return text.strip(chars)


STRINGS: dict[str, list[tuple]] = {
    "lower lcase": [("V", _V, str.lower)],
    "upper ucase": [("V", _V, str.upper)],
    "length len char_length character_length": [("V", _I, len)],
    "strlen": [("V", _I, lambda text: len(text.encode()))],
    "substring substr": [("V I I?", _V, substring)],
    "left": [("V I", _V, left)],
    "right": [("V I", _V, right)],
    "trim btrim": [("V", _V, lambda text: text.strip(_BLANK)),
                   ("V V", _V, strip_all)],
    "ltrim": [("V", _V, lambda text: text.lstrip(_BLANK)),
              ("V V", _V, str.lstrip)],
    "rtrim": [("V", _V, lambda text: text.rstrip(_BLANK)),
              ("V V", _V, str.rstrip)],
    "replace": [("V V V", _V, lambda text, old, new: text.replace(old, new)
                 if old else text)],
    "reverse": [("V", _V, lambda text: text[::-1])],
    "repeat": [("V I", _V, lambda text, count: text * max(count, 0))],
    "lpad": [("V S V", _V, lpad)],
    "rpad": [("V S V", _V, rpad)],
    "contains": [("V V", _B, lambda text, part: int(part in text))],
    "starts_with prefix": [("V V", _B, lambda text, part: int(
        text.startswith(part)))],
    "ends_with suffix": [("V V", _B, lambda text, part: int(
        text.endswith(part)))],
    "instr strpos position": [("V V", _I, lambda text, part:
                               text.find(part) + 1)],
    "split_part": [("V V I", _V, split_part)],
    "string_split str_split split string_to_array": [("V V", _VS, split)],
    "regexp_matches": [("V V V?", _B, matches)],
    "regexp_full_match": [("V V V?", _B, full_match)],
    "regexp_replace": [("V V V V?", _V, replace)],
    "regexp_extract": [("V V I? V?", _V, extract)],
    "regexp_extract_all": [("V V I?", _VS, extract_all)],
    "regexp_split_to_array string_split_regex str_split_regex": [
        ("V V", _VS, split_regex)],
    "ascii": [("V", types.INTEGER, lambda text: ord(text[0]) if text
               else 0)],
    "unicode ord": [("V", types.INTEGER, lambda text: ord(text[0]) if text
                     else -1)],
    "chr": [("I", _V, chr)],
    "md5": [("V", _V, lambda text: hashlib.md5(text.encode()).hexdigest())],
    "sha256": [("V", _V, lambda text: hashlib.sha256(
        text.encode()).hexdigest())],
    "levenshtein editdist3": [("V V", _I, levenshtein)],
    "translate": [("V V V", _V, translate)],
    "to_base64 base64": [("V", _V, lambda text: base64.b64encode(
        text.encode()).decode())],
}
