"""Arguments of functions: arrays, chunked arrays, scalars and plain values.

A function's result is of the widest form among its arguments.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _types as t
from ._array import Array, make, take
from ._build import array
from ._chunks import ChunkedArray, chunked
from ._scalars import Scalar

_TIMED = ("timestamp", "date32", "date64")


def is_one(given: Any) -> bool:
    """Whether GIVEN is one value, no array of some."""
    return isinstance(given, (Scalar, str, bytes, dict)) or \
        not hasattr(given, "__len__")


def plain(given: Any) -> Array:
    """An array of GIVEN, of one value too, without dictionaries."""
    if isinstance(given, Scalar):
        found = array([given.as_py()], given.type)
    elif is_one(given):
        found = array([given])
    else:
        found = array(given).combine_chunks()
    return found.dictionary_decode() if found.type._kind == "dictionary" \
        else found


def aligned(*given: Any) -> list[Array]:
    """Arrays of the same length: a single value is repeated."""
    arrays = [plain(one) for one in given]
    sizes = [len(one) for one, two in zip(arrays, given) if not is_one(two)]
    size = sizes[0] if sizes else 1
    for one in sizes:
        if one != size:
            from ._errors import ArrowInvalid
            raise ArrowInvalid("Array arguments must all be the same length")
    return [take(one, np.zeros(size, np.int64)) if is_one(two) and size != 1
            else one for one, two in zip(arrays, given)]


def shaped(found: Array, *given: Any) -> Any:
    """FOUND in the form of the arguments."""
    if any(isinstance(one, ChunkedArray) for one in given):
        return chunked(found)
    return found[0] if all(map(is_one, given)) else found


def elementwise(work: Callable[..., Array]) -> Callable[..., Any]:
    """A function of one array, of any form of it."""
    def function(x: Any, /, *args: Any, **options: Any) -> Any:
        from ._expressions import Expression
        if isinstance(x, Expression):
            return x._apply(function, *args, **options)
        options.pop("memory_pool", None)
        return shaped(work(plain(x), *args, **options), x)
    function.__name__ = function.__qualname__ = work.__name__.strip("_")
    function.__doc__ = work.__doc__
    return function


def together(*arrays: Array) -> Any:
    """The mask of places where none is null; None for all."""
    valid = None
    for one in arrays:
        if one._valid is not None:
            valid = one._valid if valid is None else valid & one._valid
    return valid


def _integers(a: Any, b: Any) -> Any:
    bits = max(a._bits, b._bits)
    signs = (a._kind[0] == "u", b._kind[0] == "u")
    if signs[0] == signs[1]:
        return t.type_for_alias(("u" if signs[0] else "") + f"int{bits}")
    unsigned = a._bits if signs[0] else b._bits
    bits = max(bits, min(unsigned * 2, 64))
    return t.type_for_alias(f"int{bits}")


def common(a: Any, b: Any) -> Any:
    """The type that values of types A and B are brought to, or None."""
    if a == b or b._kind == "null":
        return a
    if a._kind == "null":
        return b
    kinds = {a._kind, b._kind}
    if kinds <= t.INTEGERS:
        return _integers(a, b)
    if kinds <= t.INTEGERS | t.FLOATS:
        return t.float64() if "double" in kinds else \
            t.float32() if "float" in kinds else t.float16()
    if "decimal" in kinds and kinds & t.FLOATS:
        return t.float64()
    if kinds <= t.INTEGERS | {"decimal"}:
        return a if a._kind == "decimal" and b._kind != "decimal" else b \
            if a._kind != "decimal" else t.decimal128(38, max(a.scale,
                                                              b.scale))
    if kinds <= t.TEXTS:
        return t.large_string()
    if kinds <= t.TEXTS | t.BYTES:
        return t.binary()
    return _common_time(a, b, kinds)


def _common_time(a: Any, b: Any, kinds: set[str]) -> Any:
    units = sorted((one.unit for one in (a, b) if hasattr(one, "unit")),
                   key=t._UNITS.__getitem__)
    if kinds <= {"date32", "date64"}:
        return t.date64()
    if kinds <= set(_TIMED):
        zones = {one.tz for one in (a, b) if one._kind == "timestamp"}
        if len(kinds) > 1 and None not in zones or \
                len({zone is None for zone in zones}) > 1:
            return None
        return t.timestamp(units[-1], zones.pop())
    if kinds == {"duration"}:
        return t.duration(units[-1])
    if kinds <= {"time32", "time64"}:
        return (t.time32 if units[-1] in ("s", "ms") else t.time64)(units[-1])
    return None


def values_result(type: Any, values: Any, valid: Any) -> Array:
    """An array of computed VALUES; those that are not valid may be any."""
    if values.dtype == object and valid is not None:
        values = values.copy()
        values[~valid] = None
    return make(type, values, valid)
