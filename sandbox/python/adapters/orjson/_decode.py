"""loads: Python's json, without that which is not JSON."""

from __future__ import annotations

import json
import math
import re
from typing import Any

_SPACE = " \t\n\r"
_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|(NaN|-?Infinity)', re.S)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|(-?\d[-+.\deE]*)', re.S)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.S)
# Words of json's errors, and those of orjson.
_WORDS = (
    ("Extra data", "unexpected content after document"),
    ("Invalid control character", "unexpected control character in string"),
    ("Invalid \\u", "invalid escaped sequence in string"),
    ("Invalid \\escape", "invalid escaped character in string"),
)


class JSONDecodeError(json.JSONDecodeError):
    """A text that is not JSON."""


JSONDecodeError.__module__ = "orjson"


class _Constant(Exception):
    pass


class _Infinite(Exception):
    pass


def _refuse(name: str) -> None:
    raise _Constant(name)


def _int(text: str) -> Any:
    """A whole number: one of more than 64 bits is a float."""
    if len(text) < 19:
        return int(text)
    if len(text) <= 20:
        value = int(text)
        if -(1 << 63) <= value < 1 << 64:
            return value
    return _float(text)


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise _Infinite(text)
    return value


_decoder = json.JSONDecoder(parse_constant=_refuse, parse_int=_int,
                            parse_float=_float)


def _text(obj: Any) -> str:
    if isinstance(obj, str):
        try:
            obj.encode()
        except UnicodeEncodeError:
            raise JSONDecodeError("str is not valid UTF-8: surrogates not "
                                  "allowed", "", 0) from None
        return obj
    if not isinstance(obj, (bytes, bytearray, memoryview)):
        raise JSONDecodeError("Input must be bytes, bytearray, memoryview, "
                              "or str", "", 0)
    try:
        return bytes(obj).decode()
    except UnicodeDecodeError:
        raise JSONDecodeError("str is not valid UTF-8: surrogates not "
                              "allowed", "", 0) from None


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _reworded(error: json.JSONDecodeError, text: str) -> JSONDecodeError:
    """The error of json in orjson's words."""
    for start, words in _WORDS:
        if error.msg.startswith(start):
            return JSONDecodeError(words, text, error.pos)
    at = _skip(text, error.pos)
    if error.msg.startswith("Unterminated string") or at >= len(text):
        return JSONDecodeError("unexpected end of data", text, len(text))
    # A later Python points at the comma itself.
    if text[at] == ",":
        after = _skip(text, at + 1)
        if text[after:after + 1] in ("]", "}"):
            at = after
    before = text[:at].rstrip(_SPACE)
    if text[at] in "]}" and before.endswith(","):
        return JSONDecodeError("trailing comma is not allowed", text,
                               len(before) - 1)
    return JSONDecodeError("unexpected character", text, at)


def _number_at(text: str) -> int:
    """Where the number is that no float holds."""
    for found in _TOKEN.finditer(text):
        if found[1] and math.isinf(float(found[1])):
            return found.start()
    return 0


def _check_surrogates(text: str) -> None:
    """Refuse escapes of halves of characters, which json lets through."""
    high = -1           # the end of a first half that lacks its second
    for found in _ESCAPE.finditer(text):
        code = int(found[1], 16) if found[1] else 0
        low = 0xDC00 <= code < 0xE000
        if high >= 0 and not (low and found.start() == high):
            break
        if low and high < 0:
            raise JSONDecodeError("invalid high surrogate in string", text,
                                  found.start())
        high = found.end() if 0xD800 <= code < 0xDC00 else -1
    if high >= 0:
        raise JSONDecodeError("no low surrogate in string", text, high - 6)


def loads(obj: Any, /) -> Any:
    """The value of the JSON text OBJ: str, bytes, bytearray or memoryview."""
    text = _text(obj)
    if not text:
        raise JSONDecodeError("Input is a zero-length, empty document", "", 0)
    try:
        value = _decoder.decode(text)
    except json.JSONDecodeError as error:
        raise _reworded(error, text) from None
    except _Constant:
        at = next(one.start() for one in _CONSTANT.finditer(text) if one[1])
        raise JSONDecodeError("unexpected character", text, at) from None
    except _Infinite:
        raise JSONDecodeError("number is infinity when parsed as double",
                              text, _number_at(text)) from None
    except RecursionError:
        raise JSONDecodeError("Recursion limit reached", text, 0) from None
    if "\\ud" in text or "\\uD" in text:
        _check_surrogates(text)
    return value
