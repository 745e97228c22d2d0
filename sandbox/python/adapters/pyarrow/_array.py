"""Arrays: the values of one type, some of them null.

The values are a numpy array; texts, lists and other objects are in an array of
objects, with None for a null. `_valid` is a mask, or None where none is null.
"""

from __future__ import annotations

import datetime
from typing import Any, Iterator

import numpy as np

from . import _types as t
from ._errors import ArrowIndexError, ArrowInvalid, lacks
from ._text import array_text

_EPOCH = datetime.datetime(1970, 1, 1)
_DAY = datetime.date(1970, 1, 1).toordinal()
_ZONED: dict[str, Any] = {}


def zone_of(name: str) -> Any:
    """The time zone of a type's tz."""
    if name not in _ZONED:
        import pandas
        _ZONED[name] = pandas.DatetimeTZDtype("ns", name).tz
    return _ZONED[name]


def _datetimes(type: Any, values: Any) -> list[Any]:
    """Of integers since the epoch; Timestamps where they are nanoseconds."""
    import pandas
    if type.unit == "ns":
        made = pandas.DatetimeIndex(values.view("M8[ns]"))
        return list(made.tz_localize("UTC").tz_convert(zone_of(type.tz))
                    if type.tz else made)
    found = values.view(f"M8[{type.unit}]").astype("M8[us]").tolist()
    if not type.tz:
        return found
    zone = zone_of(type.tz)
    return [one.replace(tzinfo=datetime.timezone.utc).astimezone(zone)
            for one in found]


def _durations(type: Any, values: Any) -> list[Any]:
    import pandas
    if type.unit == "ns":
        return list(pandas.TimedeltaIndex(values.view("m8[ns]")))
    return values.view(f"m8[{type.unit}]").astype("m8[us]").tolist()


def _times(type: Any, values: Any) -> list[Any]:
    step = 10**6 // t._UNITS[type.unit] if type.unit != "ns" else 0
    return [(_EPOCH + datetime.timedelta(
        microseconds=one * step if step else one // 1000)).time()
        for one in values.tolist()]


def _dates(type: Any, values: Any) -> list[Any]:
    days = values if type._kind == "date32" else values // 86_400_000
    return [datetime.date.fromordinal(one + _DAY) for one in days.tolist()]


_PYTHON = {"timestamp": _datetimes, "duration": _durations, "time32": _times,
           "time64": _times, "date32": _dates, "date64": _dates}


def to_python(type: Any, values: Any) -> list[Any]:
    """Python objects of stored VALUES, none of them null."""
    if type._kind in _PYTHON:
        return _PYTHON[type._kind](type, values)
    return values.tolist()


class Array:
    """The base of Int64Array, StringArray and so on."""

    def __init__(self, type: Any = None, values: Any = None,
                 valid: Any = None) -> None:
        if values is None:
            raise TypeError(f"Do not call {self.__class__.__name__}'s "
                            "constructor directly, use one of the "
                            "`pyarrow.Array.from_*` functions instead.")
        self.type, self._values = type, values
        self._valid = None if valid is None or valid.all() else valid

    # what it holds

    def __len__(self) -> int:
        return len(self._values)

    @property
    def null_count(self) -> int:
        return 0 if self._valid is None else int((~self._valid).sum())

    nbytes = property(lambda self: _bytes_of(self))
    offset = property(lambda self: 0)

    def get_total_buffer_size(self) -> int:
        return self.nbytes

    @property
    def _mask(self) -> Any:
        return np.ones(len(self), bool) if self._valid is None \
            else self._valid

    def _with(self, values: Any, valid: Any) -> "Array":
        return make(self.type, values, valid)

    def to_pylist(self) -> list[Any]:
        if self._valid is None:
            return to_python(self.type, self._values)
        found = np.empty(len(self), object)
        kept = to_python(self.type, self._values[self._valid])
        found[self._valid] = _objects(kept)
        return found.tolist()

    tolist = to_pylist

    def __iter__(self) -> Iterator[Any]:
        from ._scalars import Scalar
        return (Scalar(self.type, one) for one in self.to_pylist())

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            valid = self._valid
            return self._with(self._values[key],
                              None if valid is None else valid[key])
        if not -len(self) <= key < len(self):
            raise IndexError("index out of bounds")
        from ._scalars import Scalar
        key = int(key) % len(self)
        return Scalar(self.type, self[key:key + 1].to_pylist()[0])

    def slice(self, offset: int = 0, length: Any = None) -> "Array":
        if offset < 0:
            raise ArrowIndexError("Offset must be non-negative")
        return self[offset:None if length is None else offset + length]

    def equals(self, other: Any) -> bool:
        return type(other) is type(self) and self.type == other.type and \
            self.to_pylist() == other.to_pylist()

    def __eq__(self, other: Any) -> Any:
        return self.equals(other) if isinstance(other, Array) else \
            NotImplemented

    __hash__ = None  # type: ignore[assignment]

    # how it looks

    def to_string(self, *, indent: int = 2, top_level_indent: int = 0,
                  window: int = 10, container_window: int = 2,
                  skip_new_lines: bool = False) -> str:
        return array_text(self, top_level_indent, window, container_window,
                          skip_new_lines, indent)

    __str__ = lambda self: self.to_string()

    def __repr__(self) -> str:
        return (f"<pyarrow.lib.{type(self).__name__} object at "
                f"{hex(id(self))}>\n{self.to_string()}")

    # other forms

    def to_numpy(self, zero_copy_only: bool = True,
                 writable: bool = False) -> Any:
        plain = self.type._kind in t.INTEGERS | t.FLOATS | {"timestamp",
                                                            "duration"}
        if zero_copy_only and (self._valid is not None or not plain):
            why = (f"with {self.null_count} nulls"
                   if self._valid is not None else "of this type")
            raise ArrowInvalid("Needed to copy 1 chunks "
                               f"{why}, but zero_copy_only was True")
        from ._pandas import values_of
        return values_of(self, plain=True)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        found = self.to_numpy(zero_copy_only=False)
        return found if dtype is None else found.astype(dtype)

    def to_pandas(self, **options: Any) -> Any:
        from ._pandas import series_of
        return series_of(self, **options)

    # what is done with it: pyarrow.compute does the work

    def cast(self, target_type: Any = None, safe: Any = None,
             options: Any = None) -> "Array":
        from ._cast import cast
        return cast(self, t.ensure_type(target_type), safe is not False)

    def take(self, indices: Any) -> "Array":
        return take(self, positions(indices, len(self)))

    def filter(self, mask: Any, null_selection_behavior: str = "drop") -> \
            "Array":
        return self.take(kept(mask, len(self), null_selection_behavior))

    def is_null(self, *, nan_is_null: bool = False) -> "Array":
        found = ~self._mask
        if nan_is_null and self._values.dtype.kind == "f":
            found |= np.isnan(self._values)
        return make(t.bool_(), found)

    def is_valid(self) -> "Array":
        return make(t.bool_(), self._mask.copy())

    def drop_null(self) -> "Array":
        return self if self._valid is None else \
            self._with(self._values[self._valid], None)

    def sort(self, order: str = "ascending", **_by: Any) -> "Array":
        from . import compute
        return self.take(compute.array_sort_indices(self, order=order))

    def index(self, value: Any) -> Any:
        from . import compute
        return compute.index(self, value)

    def _by(name: str) -> Any:  # noqa: N805
        def method(self: Any, *args: Any, **options: Any) -> Any:
            from . import compute
            return getattr(compute, name)(self, *args, **options)
        method.__name__ = name
        return method

    unique, value_counts = _by("unique"), _by("value_counts")
    dictionary_encode, fill_null = _by("dictionary_encode"), _by("fill_null")
    sum = _by("sum")
    del _by

    def combine_chunks(self) -> "Array":
        return self

    @staticmethod
    def from_pandas(obj: Any, mask: Any = None, type: Any = None,
                    safe: bool = True) -> Any:
        from ._build import array
        return array(obj, type, mask, from_pandas=True, safe=safe)

    def validate(self, *, full: bool = False) -> None:
        """Nothing to do: arrays are made whole."""

    def buffers(self) -> Any:
        raise lacks("Array.buffers()", "to_numpy() and is_valid() are")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(f"'pyarrow.lib.{type(self).__name__}' object has "
                             f"no attribute '{name}'")


class DictionaryArray(Array):
    """Numbers of the values in a dictionary, which has each once."""

    dictionary: Array

    @property
    def indices(self) -> Array:
        return make(self.type.index_type, self._values, self._valid)

    def _with(self, values: Any, valid: Any) -> Array:
        return of_dictionary(self.type, values, self.dictionary, valid)

    def to_pylist(self) -> list[Any]:
        return self.dictionary_decode().to_pylist()

    def dictionary_decode(self) -> Array:
        taken = np.where(self._mask, self._values, -1).astype(np.int64)
        return take(self.dictionary, taken)

    @staticmethod
    def from_arrays(indices: Any, dictionary: Any, mask: Any = None,
                    ordered: bool = False, **options: Any) -> Array:
        from ._build import array
        if options:
            raise lacks(f"from_arrays() with {', '.join(options)}")
        indices, values = array(indices, mask=mask), array(dictionary)
        return of_dictionary(t.dictionary(indices.type, values.type, ordered),
                             indices._values, values, indices._valid)


class ListArray(Array):
    """Lists, which are Python's."""

    def flatten(self) -> Array:
        from ._build import array
        inner = [one for row in self.drop_null()._values for one in row]
        return array(inner, self.type.value_type)

    values = property(flatten)

    @property
    def offsets(self) -> Array:
        sizes = [0 if row is None else len(row) for row in self._values]
        return make(t.int32(), np.cumsum([0, *sizes]).astype("i4"))

    def value_lengths(self) -> Array:
        from . import compute
        return compute.list_value_length(self)


class StructArray(Array):
    """Dictionaries of the same keys."""

    def field(self, index: Any) -> Array:
        from ._build import array
        one = self.type.field(index)
        return array([row and row[one.name] for row in self.to_pylist()],
                     one.type)

    def flatten(self) -> list[Array]:
        return [self.field(one.name) for one in self.type]

    @staticmethod
    def from_arrays(arrays: Any, names: Any = None, fields: Any = None) -> \
            Array:
        from ._build import array
        arrays = [array(one) for one in arrays]
        if fields is None:
            fields = [t.field(*two) for two in
                      zip(names, (one.type for one in arrays))]
        rows = [dict(zip([one.name for one in fields], row))
                for row in zip(*(one.to_pylist() for one in arrays))]
        return array(rows, t.struct(fields))


# -- classes by type

_NAMES = {"null": "NullArray", "bool": "BooleanArray", "double": "DoubleArray",
          "float": "FloatArray", "halffloat": "HalfFloatArray",
          "string": "StringArray", "large_string": "LargeStringArray",
          "binary": "BinaryArray", "large_binary": "LargeBinaryArray",
          "fixed": "FixedSizeBinaryArray", "date32": "Date32Array",
          "date64": "Date64Array", "time32": "Time32Array",
          "time64": "Time64Array", "timestamp": "TimestampArray",
          "duration": "DurationArray", "decimal": "Decimal128Array",
          "map": "MapArray", "extension": "ExtensionArray",
          **{name: ("UInt" + name[4:] if name[0] == "u" else
                    "Int" + name[3:]) + "Array" for name in t.INTEGERS}}
CLASSES = {kind: type(name, (Array,), {"__module__": "pyarrow.lib"})
           for kind, name in _NAMES.items()}
CLASSES.update(list=ListArray, struct=StructArray, dictionary=DictionaryArray)
for _one in (Array, ListArray, StructArray, DictionaryArray):
    _one.__module__ = "pyarrow.lib"


def make(type: Any, values: Any, valid: Any = None) -> Array:
    """An array of numpy VALUES of the type's own kind."""
    return CLASSES[type._kind](type, values, valid)


def of_dictionary(type: Any, indices: Any, values: Array,
                  valid: Any = None) -> Array:
    made = make(type, indices, valid)
    made.dictionary = values
    return made


def _objects(values: Any) -> Any:
    """A numpy array of objects, even where those are lists."""
    made = np.empty(len(values), object)
    made[:] = values if not values or not hasattr(values[0], "__len__") \
        else [*values, None][:-1]
    return made


def objects(values: list[Any]) -> Any:
    made = np.empty(len(values), object)
    for i, one in enumerate(values):
        made[i] = one
    return made


def of_objects(type: Any, values: Any) -> Array:
    """An array of a list of Python objects that are stored as they are."""
    stored = objects(values) if isinstance(values, list) else values
    return make(type, stored, np.array([one is not None for one in stored],
                                       bool))


def factorized(values: Any) -> tuple[Any, Any]:
    """Numbers of the distinct values, by first appearance, and those. pandas'
    takes texts for the same that are so before a NUL."""
    if values.dtype != object:
        import pandas
        return pandas.factorize(values)
    seen: dict[Any, int] = {}
    codes = np.fromiter((seen.setdefault(one, len(seen)) for one in values),
                        np.int64, len(values))
    return codes, objects(list(seen))


def take(one: Array, where: Any) -> Array:
    """The values at places; a place of -1 is a null."""
    absent = where < 0
    if not absent.any():
        valid = None if one._valid is None else one._valid[where]
        return one._with(one._values[where], valid)
    if not len(one):
        values = np.zeros(len(where), one._values.dtype)
    else:
        values = one._values[np.where(absent, 0, where)]
    valid = one._mask[np.where(absent, 0, where)] & ~absent if len(one) \
        else ~absent
    if values.dtype == object:
        values[~valid] = None
    return one._with(values, valid)


def positions(indices: Any, size: int) -> Any:
    """Indices as places, -1 for a null."""
    from ._build import array
    given = array(indices).combine_chunks()
    found = given._values.astype(np.int64) if len(given) else \
        np.empty(0, np.int64)
    if ((found < 0) | (found >= size))[given._mask].any():
        bad = found[given._mask]
        bad = bad[(bad < 0) | (bad >= size)][0]
        raise ArrowIndexError(f"Index {bad} out of bounds")
    return np.where(given._mask, found, -1)


def kept(mask: Any, size: int, nulls: str = "drop") -> Any:
    """The places that a mask keeps."""
    from ._build import array
    given = array(mask).combine_chunks()
    if str(given.type) != "bool" and len(given):
        raise NotImplementedError(
            f"Function 'array_filter' has no kernel matching input types "
            f"(..., {given.type})")
    if len(given) != size:
        raise ArrowInvalid("Filter inputs must all be the same length")
    if nulls == "emit_null" and given._valid is not None:
        found = np.where(given._mask, np.arange(size), -1)
        return make(t.int64(), found, given._mask)[0:].filter(
            (given._values | ~given._mask))
    return make(t.int64(), np.flatnonzero(
        given._values.astype(bool) & given._mask))


def _bytes_of(one: Array) -> int:
    """About as Arrow counts: the values, offsets and a bit for each null."""
    size = len(one)
    more = 0 if one._valid is None else (size + 7) // 8
    if one.type._kind == "bool":
        return (size + 7) // 8 + more
    if one._values.dtype != object:
        return one._values.nbytes + more
    if one.type._kind == "decimal":
        return 16 * size + more
    return 4 * (size + 1) + more + sum(
        len(v.encode()) if isinstance(v, str) else len(v)
        for v in one._values[one._mask] if hasattr(v, "__len__"))


def concat(type: Any, arrays: list[Array]) -> Array:
    """One array of several of the same type."""
    if len(arrays) == 1:
        return arrays[0]
    if type._kind == "dictionary":
        return _concat_dictionaries(type, arrays)
    if not arrays:
        return make(type, np.empty(0, type._np))
    valid = None
    if any(one._valid is not None for one in arrays):
        valid = np.concatenate([one._mask for one in arrays])
    return make(type, np.concatenate([one._values for one in arrays]), valid)


def _concat_dictionaries(type: Any, arrays: list[Array]) -> Array:
    if not arrays:
        return of_dictionary(type, np.empty(0, type._np),
                             make(type.value_type,
                                  np.empty(0, type.value_type._np)))
    first = arrays[0].dictionary
    if all(one.dictionary is first or one.dictionary.equals(first)
           for one in arrays):
        joined = concat(type.index_type, [one.indices for one in arrays])
        return of_dictionary(type, joined._values, first, joined._valid)
    from .compute import dictionary_encode
    whole = concat(type.value_type, [one.dictionary_decode()
                                     for one in arrays])
    found = dictionary_encode(whole)
    return of_dictionary(type, found._values.astype(type._np),
                         found.dictionary, found._valid)
