"""The encoder behind dumps: a method for each type."""

from __future__ import annotations

from ._options import (
    OPT_INDENT_2, OPT_NAIVE_UTC, OPT_NON_STR_KEYS, OPT_OMIT_MICROSECONDS,
    OPT_PASSTHROUGH_DATACLASS, OPT_PASSTHROUGH_DATETIME,
    OPT_PASSTHROUGH_SUBCLASS, OPT_SERIALIZE_NUMPY, OPT_SORT_KEYS,
    OPT_STRICT_INTEGER, OPT_UTC_Z)

import dataclasses
import datetime
import enum
import json
import sys
import uuid
from typing import Any, Callable, Iterable, Optional

_quote = json.encoder.encode_basestring
_DEPTH = 254            # of containers, and of calls of default
_HEAP = 1 << 9          # a type's flag: made by a class statement
_FLOATS = ("float64", "float32", "float16")
_WHOLE = frozenset(f"{sign}int{bits}" for sign in ("", "u")
                   for bits in (8, 16, 32, 64))


class Fragment:
    """JSON that is ready: it goes into the document as it is."""

    __slots__ = ("contents",)

    def __init__(self, contents: Any) -> None:
        self.contents = contents


Fragment.__module__ = "orjson"


def _name(kind: type) -> str:
    """The name of KIND as C knows it: with a module, if C made it."""
    if kind.__flags__ & _HEAP or kind.__module__ == "builtins":
        return kind.__name__
    return f"{kind.__module__}.{kind.__qualname__}"


def _float(value: float) -> str:
    """VALUE's shortest text, with a point from 1e-5 up to 1e16."""
    return _plain(repr(value)) if value - value == 0 else "null"


def _plain(text: str) -> str:
    if "e" not in text:
        return text
    digits, _, power = text.partition("e")
    exponent = int(power)
    if exponent != -5:
        return f"{digits}e{exponent}"
    sign = "-" if digits[0] == "-" else ""
    return f"{sign}0.0000{digits.lstrip('-').replace('.', '')}"


def _zone(offset: datetime.timedelta, utc_z: bool) -> str:
    """An offset as +HH:MM: seconds are rounded."""
    seconds = round(offset.total_seconds())
    if seconds == 0:
        return "Z" if utc_z else "+00:00"
    sign, minutes = "-" if seconds < 0 else "+", (abs(seconds) + 30) // 60
    return f"{sign}{minutes // 60:02}:{minutes % 60:02}"


class Encoder:
    """Writes values by WRITE, a piece of text at a time."""

    def __init__(self, write: Callable[[str], Any],
                 default: Optional[Callable[[Any], Any]],
                 option: int) -> None:
        self.write, self.default, self.option = write, default, option
        self.depth = 0
        self.indent = bool(option & OPT_INDENT_2)
        self.colon = ": " if self.indent else ":"
        self.low, self.high, self.bits = (
            (-(1 << 53) + 1, (1 << 53) - 1, 53)
            if option & OPT_STRICT_INTEGER
            else (-(1 << 63), (1 << 64) - 1, 64))
        self.plain: dict[type, Callable[[Any], str]] = {
            str: _quote, int: self.whole, float: _float,
            bool: lambda value: "true" if value else "false",
            type(None): lambda _value: "null",
            uuid.UUID: lambda value: f'"{value}"'}
        if not option & OPT_PASSTHROUGH_DATETIME:
            self.plain |= self.times()

    def times(self) -> dict[type, Callable[[Any], str]]:
        return {datetime.datetime: lambda value: f'"{self.moment(value)}"',
                datetime.date: lambda value: f'"{value.isoformat()}"',
                datetime.time: lambda value: f'"{self.clock(value)}"'}

    def whole(self, value: int) -> str:
        if not self.low <= value <= self.high:
            raise TypeError(f"Integer exceeds {self.bits}-bit range")
        return int.__repr__(value)

    def moment(self, value: datetime.datetime) -> str:
        if self.option & OPT_OMIT_MICROSECONDS:
            value = value.replace(microsecond=0)
        offset = value.utcoffset()
        if offset is None and self.option & OPT_NAIVE_UTC:
            offset = datetime.timedelta()
        text = value.replace(tzinfo=None).isoformat()
        return text if offset is None else \
            text + _zone(offset, bool(self.option & OPT_UTC_Z))

    def clock(self, value: datetime.time) -> str:
        if value.tzinfo is not None:
            raise TypeError("datetime.time must not have tzinfo set")
        if self.option & OPT_OMIT_MICROSECONDS:
            value = value.replace(microsecond=0)
        return value.isoformat()

    # -- values

    def value(self, obj: Any, level: int) -> None:
        """Write OBJ, which is within LEVEL containers."""
        kind = type(obj)
        text = self.plain.get(kind)
        if text is not None:
            self.write(text(obj))
        elif kind is dict:
            self.pairs(self.keys(obj), level)
        elif kind is list or kind is tuple:
            self.items(obj, level)
        else:
            self.other(obj, kind, level)

    def other(self, obj: Any, kind: type, level: int) -> None:
        """A value of a type that JSON does not have."""
        if isinstance(kind, enum.EnumMeta):
            return self.value(obj.value, level)
        if kind is Fragment:
            return self.fragment(obj)
        if not self.option & OPT_PASSTHROUGH_SUBCLASS and \
                self.subclass(obj, level):
            return None
        if hasattr(kind, "__dataclass_fields__") and \
                not self.option & OPT_PASSTHROUGH_DATACLASS:
            return self.pairs(self.fields(obj), level)
        if self.option & OPT_SERIALIZE_NUMPY and \
                self.numpy(obj, kind, level):
            return None
        return self.unknown(obj, kind, level)

    def fragment(self, obj: Fragment) -> None:
        text = obj.contents
        if isinstance(text, bytes):
            text = text.decode()
        if not isinstance(text, str):
            raise TypeError("orjson.Fragment's content is not of type bytes "
                            "or str")
        self.write(text)

    def subclass(self, obj: Any, level: int) -> bool:
        """Write OBJ if its class is made from one of JSON's types."""
        if isinstance(obj, str):
            self.write(_quote(str.__str__(obj)))
        elif isinstance(obj, int):
            self.write(self.whole(obj))
        elif isinstance(obj, list):
            self.items(obj, level)
        elif isinstance(obj, dict):
            self.pairs(self.keys(obj), level)
        else:
            return False
        return True

    def unknown(self, obj: Any, kind: type, level: int) -> None:
        """A value for the function default, if there is one."""
        words = f"Type is not JSON serializable: {_name(kind)}"
        if self.default is None:
            raise TypeError(words)
        if self.depth >= _DEPTH:
            raise TypeError("default serializer exceeds recursion limit")
        try:
            instead = self.default(obj)
        except Exception as error:
            raise TypeError(words) from error
        self.depth += 1
        self.value(instead, level)
        self.depth -= 1

    # -- containers

    def lines(self, level: int) -> tuple[str, str]:
        """What comes before an item, and what after the last one."""
        if level >= _DEPTH:
            raise TypeError("Recursion limit reached")
        if not self.indent:
            return "", ""
        line = "\n" + "  " * level
        return line + "  ", line

    def items(self, obj: Any, level: int) -> None:
        before, after = self.lines(level)
        if not obj:
            return self.write("[]")
        start = "[" + before
        for one in obj:
            self.write(start)
            self.value(one, level + 1)
            start = "," + before
        return self.write(after + "]")

    def pairs(self, pairs: Iterable[tuple[str, Any]], level: int) -> None:
        before, after = self.lines(level)
        start = "{" + before
        for key, one in pairs:
            self.write(f"{start}{_quote(key)}{self.colon}")
            self.value(one, level + 1)
            start = "," + before
        return self.write("{}" if start[0] == "{" else after + "}")

    def keys(self, obj: dict[Any, Any]) -> Iterable[tuple[str, Any]]:
        if self.option & OPT_NON_STR_KEYS:
            pairs = [(self.key(key), one) for key, one in obj.items()]
        else:
            for key in obj:
                if type(key) is not str:
                    raise TypeError("Dict key must be str")
            pairs = list(obj.items())
        if self.option & OPT_SORT_KEYS:
            pairs.sort(key=lambda pair: pair[0])
        return pairs

    def key(self, key: Any) -> str:
        """The text of a key that need not be one."""
        kind = type(key)
        if kind is str:
            return key
        if isinstance(kind, enum.EnumMeta):
            return self.key(key.value)
        if not self.option & OPT_PASSTHROUGH_SUBCLASS:
            if isinstance(key, str):
                return str.__str__(key)
            if isinstance(key, int) and kind is not bool:
                kind = int
        if kind is int and not -(1 << 63) <= key < 1 << 64:
            raise TypeError("Dict integer key must be within 64-bit range")
        text = self.plain.get(kind) or self.times().get(kind)
        if text is None:
            raise TypeError("Dict key must a type serializable with "
                            "OPT_NON_STR_KEYS")
        return text(key).strip('"')

    def fields(self, obj: Any) -> Iterable[tuple[str, Any]]:
        """A dataclass's attributes; private ones are left out."""
        names: Iterable[str] = getattr(obj, "__dict__", ())
        if not names:
            names = [one.name for one in dataclasses.fields(obj)]
        return [(name, getattr(obj, name)) for name in names
                if not name.startswith("_")]

    # -- numpy

    def numpy(self, obj: Any, kind: type, level: int) -> bool:
        """Write OBJ if it is an array or a number of numpy."""
        np = sys.modules.get("numpy")
        if np is None or not isinstance(obj, (np.ndarray, np.generic)):
            return False
        if kind is not np.ndarray:
            text = self.scalar_text(obj.dtype)
            if text is not None:
                self.write(text(obj))
            return text is not None
        words = self.array_fault(obj)
        if not words:
            self.array(obj, self.scalar_text(obj.dtype), level)
        elif self.default is None:
            raise TypeError(words)
        return not words

    def array_fault(self, obj: Any) -> str:
        """Why the array OBJ is not written, or nothing."""
        if not obj.flags.c_contiguous:
            return ("numpy array is not C contiguous; use ndarray.tolist() "
                    "in default")
        if not obj.dtype.isnative:
            return "numpy array is not native-endianness"
        if obj.ndim == 0 or self.scalar_text(obj.dtype) is None:
            return "unsupported datatype in numpy array"
        return ""

    def scalar_text(self, dtype: Any) -> Optional[Callable[[Any], str]]:
        """The function that makes text of a number of DTYPE."""
        name = dtype.name
        if name in _WHOLE:
            return str
        if name == "bool":
            return lambda value: "true" if value else "false"
        if name in _FLOATS:
            return self.short if name != "float64" else \
                lambda value: _float(float(value))
        if name.startswith("datetime64["):
            return self.numpy_moment
        return None

    def short(self, value: Any) -> str:
        """A float of 32 bits, or of 16, which has the text of one of 32."""
        if value - value != 0:
            return "null"
        import numpy

        value = numpy.float32(value)
        size = abs(float(value))
        if size and not 1e-5 <= size < 1e16:
            return _plain(numpy.format_float_scientific(
                value, trim="-", exp_digits=1))
        return numpy.format_float_positional(value, trim="0")

    def numpy_moment(self, value: Any) -> str:
        moment = value.astype("datetime64[us]").item()
        return "null" if moment is None else f'"{self.moment(moment)}"'

    def array(self, obj: Any, text: Any, level: int) -> None:
        before, after = self.lines(level)
        if not len(obj):
            return self.write("[]")
        start = "[" + before
        for one in obj:
            self.write(start)
            if obj.ndim > 1:
                self.array(one, text, level + 1)
            else:
                self.write(text(one))
            start = "," + before
        return self.write(after + "]")
