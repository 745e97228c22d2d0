"""Chunked arrays: the columns of tables."""

from __future__ import annotations

from typing import Any, Iterator

from . import _types as t
from ._array import Array, concat, kept, make, positions, take
from ._build import array
from ._errors import ArrowIndexError, ArrowInvalid
from ._text import chunks_text


class ChunkedArray:
    """Arrays of one type, one after the other."""

    def __init__(self, chunks: Any = None, type: Any = None) -> None:
        if type is None:
            raise TypeError("Do not call ChunkedArray's constructor directly, "
                            "use `chunked_array` function instead.")
        self.chunks, self.type = chunks, type
        self._whole: Any = chunks[0] if len(chunks) == 1 else None

    def combine_chunks(self) -> Array:
        """One array of all."""
        if self._whole is None:
            self._whole = concat(self.type, self.chunks)
        return self._whole

    num_chunks = property(lambda self: len(self.chunks))
    null_count = property(lambda self: sum(one.null_count
                                           for one in self.chunks))
    nbytes = property(lambda self: sum(one.nbytes for one in self.chunks))

    def get_total_buffer_size(self) -> int:
        return self.nbytes

    def chunk(self, i: int) -> Array:
        return self.chunks[i]

    def iterchunks(self) -> Iterator[Array]:
        return iter(self.chunks)

    def length(self) -> int:
        return len(self)

    def __len__(self) -> int:
        return sum(map(len, self.chunks))

    def __iter__(self) -> Iterator[Any]:
        for one in self.chunks:
            yield from one

    def __getitem__(self, key: Any) -> Any:
        found = self.combine_chunks()[key]
        return _one(found) if isinstance(key, slice) else found

    def slice(self, offset: int = 0, length: Any = None) -> "ChunkedArray":
        if offset < 0:
            raise ArrowIndexError("Offset must be non-negative")
        found = []
        left = max(len(self) - offset, 0) if length is None else length
        for one in self.chunks:
            if offset < len(one) and left > 0:
                found.append(one.slice(offset, left))
                left -= len(found[-1])
            offset = max(offset - len(one), 0)
        return ChunkedArray(found or [self.combine_chunks()[:0]], self.type)

    def to_pylist(self) -> list[Any]:
        return [item for one in self.chunks for item in one.to_pylist()]

    def equals(self, other: Any) -> bool:
        return isinstance(other, ChunkedArray) and self.type == other.type \
            and self.combine_chunks().equals(other.combine_chunks())

    def __eq__(self, other: Any) -> Any:
        return self.equals(other) if isinstance(other, ChunkedArray) else \
            NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def to_string(self, *, indent: int = 0, window: int = 5,
                  container_window: int = 2,
                  skip_new_lines: bool = False) -> str:
        return chunks_text(self.chunks, indent, window, container_window,
                           skip_new_lines)

    __str__ = lambda self: self.to_string()

    def __repr__(self) -> str:
        return (f"<pyarrow.lib.ChunkedArray object at {hex(id(self))}>\n"
                f"{self.to_string()}")

    def to_numpy(self, zero_copy_only: bool = False) -> Any:
        if zero_copy_only:
            raise ValueError("zero_copy_only must be False for "
                             "pyarrow.ChunkedArray.to_numpy")
        return self.combine_chunks().to_numpy(zero_copy_only=False)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        found = self.to_numpy()
        return found if dtype is None else found.astype(dtype)

    def to_pandas(self, **options: Any) -> Any:
        return self.combine_chunks().to_pandas(**options)

    def cast(self, target_type: Any = None, safe: Any = None,
             options: Any = None) -> "ChunkedArray":
        kind = t.ensure_type(target_type)
        return ChunkedArray([one.cast(kind, safe) for one in self.chunks],
                            kind)

    def take(self, indices: Any) -> "ChunkedArray":
        return _one(take(self.combine_chunks(),
                         positions(indices, len(self))))

    def filter(self, mask: Any, null_selection_behavior: str = "drop") -> \
            "ChunkedArray":
        return self.take(kept(mask, len(self), null_selection_behavior))

    def unify_dictionaries(self, memory_pool: Any = None) -> "ChunkedArray":
        return _one(self.combine_chunks())

    def validate(self, *, full: bool = False) -> None:
        """Nothing to do: arrays are made whole."""


def _method(name: str, again: bool) -> Any:
    def method(self: Any, *args: Any, **options: Any) -> Any:
        found = getattr(self.combine_chunks(), name)(*args, **options)
        return _one(found) if again else found
    method.__name__ = name
    return method


for _name in ("is_null", "is_valid", "drop_null", "sort", "fill_null",
              "dictionary_encode"):
    setattr(ChunkedArray, _name, _method(_name, True))
for _name in ("unique", "value_counts", "index", "sum"):
    setattr(ChunkedArray, _name, _method(_name, False))
ChunkedArray.__module__ = "pyarrow.lib"


def _one(given: Array) -> ChunkedArray:
    return ChunkedArray([given], given.type)


def chunked(given: Any, type: Any = None) -> ChunkedArray:
    """GIVEN as a chunked array."""
    found = array(given, type)
    return found if isinstance(found, ChunkedArray) else _one(found)


def chunked_array(arrays: Any, type: Any = None) -> ChunkedArray:
    """pa.chunked_array()"""
    if isinstance(arrays, Array):
        arrays = [arrays]
    kind = t.ensure_type(type, True)
    chunks = [array(one, kind) for one in arrays]
    if kind is None and not chunks:
        raise ValueError("When passing an empty collection of arrays you must "
                         "also pass the data type")
    kind = kind or chunks[0].type
    for one in chunks:
        if one.type != kind:
            raise ArrowInvalid("Array chunks must all be same type")
    return ChunkedArray(chunks, kind)


def concat_arrays(arrays: Any, memory_pool: Any = None) -> Array:
    """pa.concat_arrays()"""
    arrays = list(arrays)
    if not arrays:
        raise ArrowInvalid("Must pass at least one array")
    for one in arrays:
        if one.type != arrays[0].type:
            raise ArrowInvalid("arrays to be concatenated must be identically "
                               f"typed, but {arrays[0].type} and {one.type} "
                               "were encountered.")
    return concat(arrays[0].type, arrays)


def empty(type: Any) -> Array:
    return concat(type, []) if type._kind == "dictionary" else \
        make(type, array([], t.int64())._values.astype(type._np))
