"""_strings - the operations of .str, and .cat.

Patterns are Rust's; Python's re knows most of them by the same signs.
"""

from __future__ import annotations

import json
import re
from typing import Any, Callable

from . import _types as t
from ._registry import aggregate, each, rename
from ._series import Series
from .exceptions import ComputeError, InvalidOperationError, not_here


def _texts(s: Any) -> Any:
    if not t.is_text(s.dtype) and not isinstance(s.dtype, t.Null):
        raise InvalidOperationError(
            "expected String type, got: " + s.dtype.text())
    return s._v


def _each(s: Any, how: Callable[[str], Any], kind: Any = t.String) -> Any:
    """HOW of each text, as KIND."""
    values = [None if one is None else how(one) for one in _texts(s)]
    return Series(s.name, values, kind)


def _beside(s: Any, other: Any, how: Callable[[str, Any], Any],
            kind: Any = t.String) -> Any:
    """HOW of each text and of OTHER, which may be a column."""
    if not isinstance(other, Series):
        if other is None:
            return Series.full_null(s.name, len(s), t.as_dtype(kind))
        return _each(s, lambda one: how(one, other), kind)
    length = max(len(s), len(other))
    pairs = zip(_texts(s._spread(length)), other._spread(length).to_list())
    return Series(s.name, [None if a is None or b is None else how(a, b)
                           for a, b in pairs], kind)


def pattern_of(text: str) -> Any:
    """Rust's pattern TEXT for Python's re."""
    text = re.sub(r"\\p\{(?:L|Letter)\}", r"[^\\W\\d_]", text)
    text = re.sub(r"\\p\{(?:Lu|Uppercase)\}", "[A-Z]", text)
    text = re.sub(r"\\p\{(?:N|Nd)\}", r"\\d", text).replace(r"\z", r"\Z")
    if r"\p" in text:
        raise not_here(rf"\p in the pattern {text!r}")
    if re.search(r"(?<!\\)\(\?(<?[=!])|(?<!\\)\\[1-9]", text):
        raise ComputeError(
            f"regex error: regex parse error:\n    {text}\nerror: "
            "look-around, including look-ahead and look-behind, is not "
            "supported")
    flags = re.match(r"\(\?([imsux]+)\)", text)
    try:
        return re.compile(text) if flags is None or "u" not in flags[1] \
            else re.compile(text[flags.end():])
    except re.error as why:
        raise ComputeError(f"regex error: regex parse error:\n    {text}\n"
                           f"error: {why}") from None


def _template(value: str) -> str:
    """Rust's $1 and ${name} in a replacement as Python's."""
    value = value.replace("\\", "\\\\")
    value = re.sub(r"\$\{(\w+)\}|\$(\w+)",
                   lambda m: rf"\g<{m[1] or m[2]}>", value.replace(
                       "$$", "\0"))
    return value.replace("\0", "$")


def _give(name: str, how: Callable[[str], Any], kind: Any = t.String) -> None:
    def run(s: Any) -> Any:
        return _each(s, how, kind)
    each("str." + name)(run)


_give("to_uppercase", str.upper)
_give("to_lowercase", str.lower)
_give("to_titlecase", lambda one: re.sub(
    r"[^\W_]+", lambda m: m[0][:1].upper() + m[0][1:].lower(), one))
_give("len_chars", len, t.UInt32)
_give("len_bytes", lambda one: len(one.encode()), t.UInt32)
_give("reverse", lambda one: one[::-1])


@each("str.contains")
def _contains(s: Any, pattern: Any, *, literal: bool = False,
              strict: bool = True) -> Any:
    if literal or isinstance(pattern, Series):
        if not literal:
            return _beside(s, pattern, lambda a, b: pattern_of(b).search(a)
                           is not None, t.Boolean)
        return _beside(s, pattern, lambda a, b: b in a, t.Boolean)
    find = pattern_of(pattern).search
    return _each(s, lambda one: find(one) is not None, t.Boolean)


@each("str.contains_any")
def _contains_any(s: Any, patterns: Any, *,
                  ascii_case_insensitive: bool = False) -> Any:
    words = list(patterns)
    if ascii_case_insensitive:
        words = [one.lower() for one in words]
        return _each(s, lambda one: any(word in one.lower()
                                        for word in words), t.Boolean)
    return _each(s, lambda one: any(word in one for word in words), t.Boolean)


@each("str.starts_with")
def _starts_with(s: Any, prefix: Any) -> Any:
    return _beside(s, prefix, str.startswith, t.Boolean)


@each("str.ends_with")
def _ends_with(s: Any, suffix: Any) -> Any:
    return _beside(s, suffix, str.endswith, t.Boolean)


@each("str.find")
def _find(s: Any, pattern: str, *, literal: bool = False,
          strict: bool = True) -> Any:
    def place(one: str) -> Any:
        if literal:
            at = one.find(pattern)
        else:
            found = pattern_of(pattern).search(one)
            at = found.start() if found else -1
        return None if at < 0 else len(one[:at].encode())
    return _each(s, place, t.UInt32)


@each("str.count_matches")
def _count_matches(s: Any, pattern: str, *, literal: bool = False) -> Any:
    if literal:
        return _each(s, lambda one: one.count(pattern), t.UInt32)
    find = pattern_of(pattern).finditer
    return _each(s, lambda one: sum(1 for _ in find(one)), t.UInt32)


@each("str.replace")
def _replace(s: Any, pattern: str, value: Any, *, literal: bool = False,
             n: int = 1) -> Any:
    if isinstance(value, Series):
        return _beside(s, value, lambda a, b: _replace(
            Series("", [a]), pattern, b, literal=literal, n=n)[0])
    if n == 0:
        return s
    if literal:
        return _each(s, lambda one: one.replace(pattern, value, n))
    change, template = pattern_of(pattern).sub, _template(value)
    return _each(s, lambda one: change(template, one, max(n, 0)))


@each("str.replace_all")
def _replace_all(s: Any, pattern: str, value: Any, *,
                 literal: bool = False) -> Any:
    return _replace(s, pattern, value, literal=literal, n=-1)


@each("str.replace_many")
def _replace_many(s: Any, patterns: Any, replace_with: Any = None, *,
                  ascii_case_insensitive: bool = False) -> Any:
    if isinstance(patterns, dict):
        patterns, replace_with = list(patterns), list(patterns.values())
    patterns = list(patterns)
    words = [replace_with] * len(patterns) if isinstance(replace_with, str) \
        else list(replace_with)
    words = words * len(patterns) if len(words) == 1 else words
    table = dict(zip(patterns, words))
    if ascii_case_insensitive:
        table = {name.lower(): one for name, one in table.items()}
    find = re.compile("|".join(map(re.escape, patterns)),
                      re.I if ascii_case_insensitive else 0)
    return _each(s, lambda one: find.sub(lambda m: table[
        m[0].lower() if ascii_case_insensitive else m[0]], one))


def _strip(name: str, how: Any) -> None:
    def run(s: Any, characters: Any = None) -> Any:
        if characters is None:
            return _each(s, how)
        return _beside(s, characters, how)
    each("str." + name)(run)


_strip("strip_chars", str.strip)
_strip("strip_chars_start", str.lstrip)
_strip("strip_chars_end", str.rstrip)


@each("str.strip_prefix")
def _strip_prefix(s: Any, prefix: Any) -> Any:
    return _beside(s, prefix, str.removeprefix)


@each("str.strip_suffix")
def _strip_suffix(s: Any, suffix: Any) -> Any:
    return _beside(s, suffix, str.removesuffix)


@each("str.slice")
def _slice(s: Any, offset: Any, length: Any = None) -> Any:
    def cut(one: str, start: int) -> str:
        begin = max(0, len(one) + start) if start < 0 else start
        size = len(one) if length is None else length
        if start < 0 and len(one) + start < 0:
            size = max(0, size + len(one) + start)
        return one[begin:begin + size]
    if isinstance(length, Series):
        raise not_here("str.slice(length=an expression)")
    return _beside(s, offset, cut)


@each("str.head")
def _head(s: Any, n: int) -> Any:
    return _each(s, lambda one: one[:n])


@each("str.tail")
def _tail(s: Any, n: int) -> Any:
    return _each(s, lambda one: one[-n:] if n > 0 else one[-n:] if n else "")


@each("str.zfill")
def _zfill(s: Any, length: int) -> Any:
    return _beside(s, length, str.zfill)


@each("str.pad_start")
def _pad_start(s: Any, length: int, fill_char: str = " ") -> Any:
    return _each(s, lambda one: one.rjust(length, fill_char))


@each("str.pad_end")
def _pad_end(s: Any, length: int, fill_char: str = " ") -> Any:
    return _each(s, lambda one: one.ljust(length, fill_char))


@each("str.extract")
def _extract(s: Any, pattern: Any, group_index: int = 1) -> Any:
    find = pattern_of(pattern).search

    def pick(one: str) -> Any:
        found = find(one)
        return None if found is None or found.re.groups < group_index \
            else found[group_index]
    return _each(s, pick)


@each("str.extract_all")
def _extract_all(s: Any, pattern: Any) -> Any:
    find = pattern_of(pattern).finditer
    return _each(s, lambda one: [m[0] for m in find(one)], t.List(t.String))


@each("str.extract_groups")
def _extract_groups(s: Any, pattern: str) -> Any:
    found = pattern_of(pattern)
    names = {at: name for name, at in found.groupindex.items()}
    names = [names.get(at, str(at)) for at in range(1, found.groups + 1)]

    def pick(one: str) -> Any:
        match = found.search(one)
        return dict(zip(names, match.groups() if match else
                        [None] * len(names)))
    return _each(s, pick, t.Struct({name: t.String for name in names}))


@each("str.split")
def _split(s: Any, by: Any, *, inclusive: bool = False) -> Any:
    def cut(one: str, sign: str) -> list[str]:
        if sign == "":
            return list(one)
        parts = one.split(sign)
        if not inclusive:
            return parts
        parts = [part + sign for part in parts[:-1]] + parts[-1:]
        return parts[:-1] if parts[-1] == "" else parts
    return _beside(s, by, cut, t.List(t.String))


def _fields(s: Any, parts: Any, count: int) -> Any:
    names = [f"field_{at}" for at in range(count)]
    values = [None if one is None else dict(zip(
        names, one + [None] * (count - len(one)))) for one in parts]
    values = [dict.fromkeys(names) if one is None else one for one in values]
    return Series(s.name, values, t.Struct({one: t.String for one in names}))


@each("str.split_exact")
def _split_exact(s: Any, by: str, n: int, *, inclusive: bool = False) -> Any:
    parts = _split(s, by, inclusive=inclusive)._v
    return _fields(s, [one and one[:n + 1] for one in parts], n + 1)


@each("str.splitn")
def _splitn(s: Any, by: str, n: int) -> Any:
    return _fields(s, [None if one is None else one.split(by, n - 1)
                       for one in _texts(s)], n)


@each("str.to_integer")
def _to_integer(s: Any, *, base: int = 10, dtype: Any = t.Int64,
                strict: bool = True) -> Any:
    def read(one: str) -> Any:
        try:
            return int(one, base)
        except ValueError:
            if strict:
                raise ComputeError(
                    f"strict integer parsing failed for 1 value(s): "
                    f"[\"{one}\"]; error message for the first shown value: "
                    f"'invalid digit found in string'") from None
            return None
    return _each(s, read, dtype)


@each("str.json_decode")
def _json_decode(s: Any, dtype: Any = None,
                 infer_schema_length: Any = 100) -> Any:
    values = [None if one is None else json.loads(one) for one in _texts(s)]
    return Series(s.name, values, dtype)


@each("str.json_path_match")
def _json_path_match(s: Any, json_path: str) -> Any:
    raise not_here("str.json_path_match", "str.json_decode")


@aggregate("str.join")
def joined(s: Any, g: Any, delimiter: str = "", *,
           ignore_nulls: bool = True) -> Any:
    """The texts of each group in one."""
    values = s.cast(t.String)._v
    found = []
    for rows in g.rows():
        some = [values[at] for at in rows if values[at] is not None]
        found.append(delimiter.join(some) if ignore_nulls or
                     len(some) == len(rows) else None)
    return Series(s.name, found, t.String)


rename("str.concat", "str.join")


@each("cat.get_categories")
def _get_categories(s: Any) -> Any:
    return Series(s.name, list(dict.fromkeys(one for one in s._v
                                             if one is not None)), t.String)


@each("cat.set_ordering")
def _set_ordering(s: Any, ordering: str) -> Any:
    return s._with(s._v, s._m, t.Categorical(ordering))

