"""values - any value as JSON text, bounded, by its base types only.

JSON values stay as they are, with integers exact and NaN as null. Tuples, sets
and numpy arrays become arrays. Dates, decimals, paths and the like are the
text that print() shows: see texts.py. Any other value, and one that does not
fit, becomes its repr. A warning tells of a null that was a number, and of a
text that was cut.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .channels import fit, json_string, warn
from .deadline import Timeout
from .own import mro_of, type_name
from .texts import learn

import collections
import sys
import types
from typing import Any, Callable, Iterable, NoReturn, Optional

_get_digits = getattr(sys, "get_int_max_str_digits", lambda: 0)
_set_digits = getattr(sys, "set_int_max_str_digits", lambda limit: None)
_modules = sys.modules
_repr_of, _str_of = repr, str

KEY_CHARS = 1000            # of a mapping's key
DEPTH = 64                  # of lists in lists
INT_BITS = 332193           # 100,000 digits: writing more takes too long
INT_DIGITS = 4300           # limit of Python's json.loads() by default


def safe_repr(obj: Any) -> str:
    """repr() as a str, whatever the object's does. Not bounded."""
    try:
        return str.__str__(_repr_of(obj))
    except Timeout:
        raise
    except BaseException as exc:
        return f"<repr failed: {type_name(type(exc))}>"


def _safe_str(obj: Any) -> str:
    """str() as a str, or what safe_repr() gives."""
    try:
        return str.__str__(_str_of(obj))
    except Timeout:
        raise
    except BaseException:
        return safe_repr(obj)


class _Overflow(Exception):
    """A value that JSON cannot represent, or not within the given room."""


class _NotJSON(Exception):
    """A value that must be JSON and is not: its description, its place."""


class _Encoder:
    """Writes a value as JSON text. Overridden methods of int, list or dict are
    not called."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.parts: list[str] = []
        self.open: dict[int, bool] = {}  # ids of the enclosing containers
        self.nulls = 0  # that were NaN and the like

    def put(self, text: str) -> None:
        self.room -= len(text)
        if self.room < 0:
            raise _Overflow
        self.parts.append(text)

    def write(self, obj: Any) -> None:
        bases = mro_of(type(obj))
        for base in bases:
            write = _ENCODERS.get(base)
            if write:
                return write(self, obj)
        learn(_TEXTS, _Encoder.readable, _Encoder.missing)
        for base in bases:
            write = _TEXTS.get(base)
            if write:
                return write(self, obj)
        return self.text(safe_repr(obj))

    def readable(self, obj: Any) -> None:
        self.text(_safe_str(obj))

    def missing(self, _obj: Any) -> None:
        self.nulls += 1
        self.put("null")

    def text(self, text: str) -> None:
        if len(text) > self.room:
            raise _Overflow
        self.put(json_string(text))

    def constant(self, obj: Any) -> None:
        self.put("true" if obj is True else
                 "false" if obj is False else "null")

    def string(self, obj: str) -> None:
        self.text(str.__str__(obj))

    def integer(self, obj: int) -> None:
        bits = int.bit_length(obj)
        if bits > INT_BITS:
            self.text(f"<int of {bits} bits>")
            return
        text = int.__repr__(obj)
        if len(text) - (text[0] == "-") > INT_DIGITS:
            self.text(text)  # as a number, no client in Python could read it
        else:
            self.put(text)

    def real(self, obj: float) -> None:
        text = float.__repr__(obj)
        if text in ("nan", "inf", "-inf"):
            return self.missing(obj)
        self.put(text)

    def enter(self, obj: Any, marker: str) -> bool:
        """False, with MARKER written, for a cycle or a value too deep."""
        if id(obj) in self.open or len(self.open) >= DEPTH:
            self.text(marker)
            return False
        self.open[id(obj)] = True
        return True

    def array(self, obj: Any,
              items: Callable[[Any], Iterable[Any]]) -> None:
        if not self.enter(obj, "[...]"):
            return
        glue = "["
        for item in items(obj):
            self.put(glue)
            self.write(item)
            glue = ","
        self.put("]" if glue == "," else "[]")
        del self.open[id(obj)]

    def mapping(self, obj: dict[Any, Any]) -> None:
        if not self.enter(obj, "{...}"):
            return
        glue = "{"
        seen: set[str] = set()
        for key, item in dict.items(obj):
            name = _key(key)
            if name in seen:
                raise _Overflow  # {1: _, "1": _}: no object can hold both
            seen.add(name)
            self.put(glue)
            self.text(name)
            self.put(":")
            self.write(item)
            glue = ","
        self.put("}" if seen else "{}")
        del self.open[id(obj)]

    def numpy_scalar(self, obj: Any) -> None:
        kind = _numpy.generic.dtype.__get__(obj).kind
        if kind in "biu":
            self.write(_numpy.generic.item(obj))
        elif kind == "f":
            self.real(float(obj))
        elif kind == "U":
            self.string(obj)
        elif kind in "mM" and obj != obj:  # NaT
            self.missing(obj)
        elif kind in "mMc":
            self.readable(obj)
        else:
            self.text(safe_repr(obj))

    def numpy_array(self, obj: Any) -> None:
        array = _numpy.ndarray
        if type(obj) not in (array, _numpy.matrix, _numpy.memmap):
            return self.text(safe_repr(obj))  # masked arrays and the like
        if array.size.__get__(obj) * 2 > self.room:
            raise _Overflow  # before it becomes a list
        kind = array.dtype.__get__(obj).kind
        if kind in "biufUOc":
            return self.write(array.tolist(obj))
        if kind in "mM":  # tolist() would give numbers for nanoseconds
            return self.array(obj, array.__iter__) if array.ndim.__get__(obj) \
                else self.numpy_scalar(obj[()])
        return self.text(safe_repr(obj))


def _key(key: Any) -> str:
    """A mapping's key as text."""
    if issubclass(type(key), str):
        text = str.__str__(key)
    else:
        try:
            text = str.__str__(_str_of(key))
        except Timeout:
            raise
        except BaseException as exc:
            text = f"<str failed: {type_name(type(exc))}>"
    return text if len(text) <= KEY_CHARS else text[:KEY_CHARS] + "..."


def _array_of(base: Any) -> Callable[[_Encoder, Any], None]:
    items = base.__iter__
    return lambda encoder, obj: encoder.array(obj, items)


_ENCODERS: dict[type, Callable[[_Encoder, Any], None]] = {
    base: _array_of(base) for base in
             (list, tuple, set, frozenset, collections.deque)}
_ENCODERS.update({
    type(None): _Encoder.constant, bool: _Encoder.constant,
    int: _Encoder.integer, float: _Encoder.real, str: _Encoder.string,
    dict: _Encoder.mapping,
})
_TEXTS: dict[type, Callable[[_Encoder, Any], None]] = {}
PLAIN = frozenset(_ENCODERS) | {bytes, complex, type, types.FunctionType}
_numpy: Any = None


def numpy_module() -> Any:
    """The numpy module, or None. Registers its types once it is imported."""
    global _numpy
    module = _modules.get("numpy")
    if _numpy is None and hasattr(module, "ndarray"):
        _numpy = module
        _ENCODERS[module.generic] = _Encoder.numpy_scalar
        _ENCODERS[module.ndarray] = _Encoder.numpy_array
    return _numpy


class _StrictEncoder(_Encoder):
    """Writes only JSON values, and refuses all others."""

    def __init__(self, room: int) -> None:
        super().__init__(room)
        self.path: list[str] = []

    def refuse(self, what: str) -> NoReturn:
        raise _NotJSON(what, "".join(self.path)[:KEY_CHARS])

    def write(self, obj: Any) -> None:
        for base in mro_of(type(obj)):
            if base in _STRICT:
                return _STRICT[base](self, obj)
        return self.refuse(f"{type_name(type(obj))} is not JSON")

    def real(self, obj: float) -> None:
        text = float.__repr__(obj)
        if text in ("nan", "inf", "-inf"):
            self.refuse(f"{text} is not JSON")
        self.put(text)

    def integer(self, obj: int) -> None:
        text = int.__repr__(obj) if int.bit_length(obj) <= INT_BITS else ""
        if not text or len(text.lstrip("-")) > INT_DIGITS:
            self.refuse("an int of that size is not sent")
        self.put(text)

    def enter(self, obj: Any, marker: str) -> bool:
        if id(obj) in self.open:
            self.refuse("a value that holds itself is not JSON")
        if len(self.open) >= DEPTH:
            self.refuse(f"more than {DEPTH} values inside one another are "
                        "not sent")
        return super().enter(obj, marker)

    def key(self, key: Any) -> str:
        for base in mro_of(type(key)):
            if base in _STRICT_KEYS:
                return _STRICT_KEYS[base](key)
        return self.refuse(f"a key that is {type_name(type(key))} is not "
                           "JSON")

    def array(self, obj: Any,
              items: Callable[[Any], Iterable[Any]]) -> None:
        def steps() -> Iterable[Any]:
            for index, item in enumerate(items(obj)):
                self.path.append(f"[{index}]")
                yield item
                self.path.pop()
        super().array(obj, lambda _: steps())

    def mapping(self, obj: dict[Any, Any]) -> None:
        if not self.enter(obj, ""):
            return
        glue = "{"
        # Of {1: _, "1": _} the later counts, as it does for json.loads().
        named = {self.key(key): item for key, item in dict.items(obj)}
        for name, item in named.items():
            self.put(glue)
            self.text(name)
            self.put(":")
            self.path.append(f"[{name[:KEY_CHARS]!r}]")
            self.write(item)
            self.path.pop()
            glue = ","
        self.put("}" if glue == "," else "{}")
        del self.open[id(obj)]


# Keys as json.dumps() writes them by default.
_STRICT_KEYS: dict[type, Callable[[Any], str]] = {
    str: str.__str__, int: int.__repr__,
    float: lambda key: _FLOAT_NAMES.get(float.__repr__(key)) or
    float.__repr__(key),
    bool: lambda key: "true" if key else "false",
    type(None): lambda _: "null",
}
_FLOAT_NAMES = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}


_STRICT: dict[type, Callable[[_StrictEncoder, Any], None]] = {
    type(None): _StrictEncoder.constant, bool: _StrictEncoder.constant,
    int: _StrictEncoder.integer, float: _StrictEncoder.real,
    str: _StrictEncoder.string, dict: _StrictEncoder.mapping,
    list: lambda encoder, obj: encoder.array(obj, list.__iter__),
    tuple: lambda encoder, obj: encoder.array(obj, tuple.__iter__),
}


def encode_strictly(value: Any, room: int) -> str:
    """VALUE as JSON text of at most ROOM characters. Raises TypeError with the
    part that is not JSON."""
    encoder = _StrictEncoder(room)
    digits = _get_digits()
    _set_digits(0)
    try:
        encoder.write(value)
        return "".join(encoder.parts)
    except _Overflow:
        words = f"it takes more than {room} bytes as JSON"
    except _NotJSON as exc:
        what, path = exc.args
        words = what + (f" (at {path})" if path else "")
    finally:
        _set_digits(digits)
    raise TypeError(f"the value must be JSON: {words}")


def encode(value: Any, room: int) -> str:
    """VALUE as JSON text of at most ROOM characters."""
    numpy_module()
    encoder = _Encoder(room)
    digits = _get_digits()
    _set_digits(0)
    try:
        encoder.write(value)
        _tell_nulls(encoder.nulls)
        return "".join(encoder.parts)
    except Timeout:
        raise
    except Exception:
        text = str.__str__(value) if type(value) is str else safe_repr(value)
        return fit(text, room)
    finally:
        _set_digits(digits)


def encode_or_none(value: Any, room: int, tell: bool = True) -> Optional[str]:
    """VALUE as JSON text; None if it takes more than ROOM characters. TELL:
    warn of a null that was a number."""
    numpy_module()
    encoder = _Encoder(room)
    digits = _get_digits()
    _set_digits(0)
    try:
        encoder.write(value)
    except (_Overflow, RecursionError):
        return None
    finally:
        _set_digits(digits)
    if tell:
        _tell_nulls(encoder.nulls)
    return "".join(encoder.parts)


def _tell_nulls(count: int) -> None:
    if count == 1:
        warn("a value that is NaN, NaT or infinite became null, because JSON "
             "has none of them")
    elif count:
        warn(f"{count:,} values that are NaN, NaT or infinite became null, "
             "because JSON has none of them")
