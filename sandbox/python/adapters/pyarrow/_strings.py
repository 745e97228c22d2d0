"""Functions of texts."""

from __future__ import annotations

import re
from typing import Any, Callable


from . import _types as t
from ._array import Array, objects
from ._build import of_rows
from ._errors import ArrowInvalid
from ._pairs import aligned, elementwise, shaped
from ._statistics import refuse


def _texts(name: str, work: Callable[..., Any], type: Any = None) -> Any:
    """A function of each text: a text, or a value of TYPE."""
    def function(one: Array, *args: Any, **options: Any) -> Array:
        if one.type._kind not in t.TEXTS:
            if one.type._kind != "null":
                raise refuse(name, one.type)
            one = one.cast(t.string())
        found = [None if text is None else work(text, *args, **options)
                 for text in one._values]
        return of_rows(objects(found), type or one.type, False)
    function.__name__ = name
    return elementwise(function)


def _match(text: str, pattern: str, *, ignore_case: bool = False) -> bool:
    return pattern.lower() in text.lower() if ignore_case else pattern in text


def _starts(text: str, pattern: str, *, ignore_case: bool = False) -> bool:
    return text.lower().startswith(pattern.lower()) if ignore_case else \
        text.startswith(pattern)


def _ends(text: str, pattern: str, *, ignore_case: bool = False) -> bool:
    return text.lower().endswith(pattern.lower()) if ignore_case else \
        text.endswith(pattern)


def _expression(pattern: str, ignore_case: bool = False) -> Any:
    try:
        return re.compile(pattern, re.IGNORECASE if ignore_case else 0)
    except re.error as error:
        raise ArrowInvalid(f"Invalid regular expression: {error}") from None


def _match_regex(text: str, pattern: str, *,
                 ignore_case: bool = False) -> bool:
    return bool(_expression(pattern, ignore_case).search(text))


def _like(text: str, pattern: str, *, ignore_case: bool = False) -> bool:
    made = re.escape(pattern).replace("%", ".*").replace("_", ".")
    return bool(re.fullmatch(made, text, re.DOTALL | (
        re.IGNORECASE if ignore_case else 0)))


def _count(text: str, pattern: str, *, ignore_case: bool = False) -> int:
    return text.lower().count(pattern.lower()) if ignore_case else \
        text.count(pattern)


def _find(text: str, pattern: str, *, ignore_case: bool = False) -> int:
    found = text.lower().find(pattern.lower()) if ignore_case else \
        text.find(pattern)
    return len(text[:found].encode()) if found > 0 else found


def _replace(text: str, pattern: str, replacement: str, *,
             max_replacements: Any = None) -> str:
    return text.replace(pattern, replacement,
                        -1 if max_replacements is None else max_replacements)


def _replace_regex(text: str, pattern: str, replacement: str, *,
                   max_replacements: Any = None) -> str:
    made = re.sub(r"\\(\d)", r"\\g<\1>", replacement)
    return _expression(pattern).sub(made, text, max_replacements or 0)


def _slice(text: str, start: int, stop: Any = None, step: int = 1) -> str:
    return text[start:stop:step]


def _trim(side: str) -> Callable[..., str]:
    def work(text: str, characters: str) -> str:
        return getattr(text, side)(characters)
    return work


def _split(text: str, pattern: str, *, max_splits: Any = None,
           reverse: bool = False) -> list[str]:
    return (text.rsplit if reverse else text.split)(
        pattern, -1 if max_splits is None else max_splits)


def _split_blanks(text: str, *, max_splits: Any = None,
                  reverse: bool = False) -> list[str]:
    if max_splits is None:
        return re.split(r"\s+", text)
    if reverse:
        return text.rsplit(None, max_splits)
    return re.split(r"\s+", text, maxsplit=max_splits)


def _centred(text: str, width: int, padding: str = " ") -> str:
    left = (width - len(text)) // 2
    return text if left < 0 else padding * left + text + padding * (
        width - len(text) - left)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:].lower()


_LIST = t.list_(t.string())
_WORK: dict[str, tuple[Any, Any]] = {
    "utf8_upper": (str.upper, None), "utf8_lower": (str.lower, None),
    "ascii_upper": (str.upper, None), "ascii_lower": (str.lower, None),
    "utf8_capitalize": (_capital, None), "utf8_title": (str.title, None),
    "utf8_swapcase": (str.swapcase, None),
    "utf8_reverse": (lambda text: text[::-1], None),
    "utf8_length": (len, t.int32()),
    "binary_length": (lambda text: len(text.encode()), t.int32()),
    "utf8_trim_whitespace": (str.strip, None),
    "utf8_ltrim_whitespace": (str.lstrip, None),
    "utf8_rtrim_whitespace": (str.rstrip, None),
    "ascii_trim_whitespace": (str.strip, None),
    "utf8_trim": (_trim("strip"), None),
    "utf8_ltrim": (_trim("lstrip"), None),
    "utf8_rtrim": (_trim("rstrip"), None),
    "utf8_lpad": (lambda text, width, padding=" ": text.rjust(width, padding),
                  None),
    "utf8_rpad": (lambda text, width, padding=" ": text.ljust(width, padding),
                  None),
    "utf8_center": (_centred, None),
    "utf8_slice_codeunits": (_slice, None),
    "replace_substring": (_replace, None),
    "replace_substring_regex": (_replace_regex, None),
    "match_substring": (_match, t.bool_()),
    "match_substring_regex": (_match_regex, t.bool_()),
    "match_like": (_like, t.bool_()), "starts_with": (_starts, t.bool_()),
    "ends_with": (_ends, t.bool_()), "count_substring": (_count, t.int32()),
    "find_substring": (_find, t.int32()), "split_pattern": (_split, _LIST),
    "utf8_split_whitespace": (_split_blanks, _LIST),
    "utf8_is_alpha": (str.isalpha, t.bool_()),
    "utf8_is_digit": (str.isdigit, t.bool_()),
    "utf8_is_alnum": (str.isalnum, t.bool_()),
    "utf8_is_upper": (str.isupper, t.bool_()),
    "utf8_is_lower": (str.islower, t.bool_()),
    "utf8_is_space": (str.isspace, t.bool_()),
    "string_is_ascii": (str.isascii, t.bool_())}
for _name, (_work, _type) in _WORK.items():
    globals()[_name] = _texts(_name, _work, _type)


@elementwise
def extract_regex(one: Array, pattern: str) -> Array:
    """Named groups as a struct; a null where nothing matches."""
    rule = _expression(pattern)
    names = list(rule.groupindex)
    rows = []
    for text in one._values:
        found = None if text is None else rule.search(text)
        rows.append(found and found.groupdict(""))
    return of_rows(objects(rows), t.struct([(name, t.string())
                                            for name in names]), False)


def binary_join_element_wise(*strings: Any, null_handling: str = "emit_null",
                             null_replacement: str = "",
                             options: Any = None) -> Any:
    """Texts joined; the last argument stands between them."""
    if null_handling not in ("emit_null", "skip", "replace"):
        raise ValueError(f"'{null_handling}' is not a valid null handling")
    found = []
    for *parts, between in zip(*(one.cast(t.string())._values
                                 for one in aligned(*strings))):
        if null_handling == "skip":
            parts = [one for one in parts if one is not None]
        elif null_handling == "replace":
            parts = [null_replacement if one is None else one
                     for one in parts]
        found.append(None if between is None or None in parts
                     else between.join(parts))
    return shaped(of_rows(objects(found), t.string(), False), *strings)


@elementwise
def binary_join(one: Array, separator: str) -> Array:
    """Lists of texts as texts."""
    rows = [None if row is None or None in row else separator.join(row)
            for row in one._values]
    return of_rows(objects(rows), t.string(), False)


__all__ = [*_WORK, "extract_regex", "binary_join_element_wise", "binary_join"]
