"""Encodings of values, by physical type."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from .._errors import ArrowInvalid, lacks
from . import _levels

BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE, BYTES, FIXED = range(8)
PHYSICAL = ["BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE",
            "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"]
ENCODINGS = ["PLAIN", "GROUP_VAR_INT", "PLAIN_DICTIONARY", "RLE",
             "BIT_PACKED", "DELTA_BINARY_PACKED", "DELTA_LENGTH_BYTE_ARRAY",
             "DELTA_BYTE_ARRAY", "RLE_DICTIONARY", "BYTE_STREAM_SPLIT"]
NUMPY = {INT32: np.dtype("<i4"), INT64: np.dtype("<i8"),
         FLOAT: np.dtype("<f4"), DOUBLE: np.dtype("<f8")}
_SIZE = struct.Struct("<I")


class Texts:
    """Byte strings of one block of bytes: where each begins and ends."""

    def __init__(self, data: bytes, starts: list[int], ends: list[int]
                 ) -> None:
        self.data, self.starts, self.ends = data, starts, ends

    def __len__(self) -> int:
        return len(self.starts)

    def bytes(self) -> list[bytes]:
        data = self.data
        return [data[a:b] for a, b in zip(self.starts, self.ends)]

    def texts(self) -> list[str]:
        data = self.data
        if data.isascii():
            text = data.decode("ascii")
            return [text[a:b] for a, b in zip(self.starts, self.ends)]
        try:
            return [data[a:b].decode() for a, b in
                    zip(self.starts, self.ends)]
        except UnicodeDecodeError:
            raise ArrowInvalid("Invalid UTF8 payload") from None


def _plain_bytes(data: bytes, count: int) -> Texts:
    starts, ends, at, size = [], [], 0, _SIZE.unpack_from
    for _ in range(count):
        start = at + 4
        at = start + size(data, at)[0]
        starts.append(start)
        ends.append(at)
    if at > len(data):
        raise ValueError("texts are cut off")
    return Texts(data, starts, ends)


def _fixed(data: bytes, count: int, width: int) -> Texts:
    if count * width > len(data) or width < 0:
        raise ValueError("values are cut off")
    starts = list(range(0, count * width, width)) if width else [0] * count
    return Texts(data, starts, [one + width for one in starts])


def plain(data: bytes, physical: int, count: int, width: int) -> Any:
    """PLAIN"""
    if physical == BYTES:
        return _plain_bytes(data, count)
    if physical == FIXED:
        return _fixed(data, count, width)
    if physical == INT96:
        return _fixed(data, count, 12)
    if physical == BOOLEAN:
        return _levels.unpack(data, 1, count).astype(bool)
    return np.frombuffer(data, NUMPY[physical], count)


def _deltas(data: bytes, physical: int, count: int, _width: int) -> Any:
    found, _ = _levels.read_deltas(data)
    return found[:count].astype(NUMPY[physical])


def _delta_lengths(data: bytes, _physical: int, count: int, _w: int) -> Texts:
    sizes, at = _levels.read_deltas(data)
    return _of_sizes(data[at:], sizes[:count])


def _of_sizes(data: bytes, sizes: Any) -> Texts:
    if len(sizes) and (sizes.min() < 0 or sizes.max() > len(data)):
        raise ValueError("texts are cut off")
    ends = np.cumsum(sizes)
    if len(ends) and ends[-1] > len(data):
        raise ValueError("texts are cut off")
    return Texts(data, (ends - sizes).tolist(), ends.tolist())


def _delta_texts(data: bytes, _physical: int, count: int, _w: int) -> Texts:
    shared, at = _levels.read_deltas(data)
    sizes, more = _levels.read_deltas(data[at:])
    rests = _of_sizes(data[at + more:], sizes[:count]).bytes()
    made, last, total = [], b"", 0
    for same, rest in zip(shared.tolist(), rests):
        if not 0 <= same <= len(last):
            raise ValueError("a text begins as none before")
        last = last[:same] + rest
        total += len(last)
        if total > 1 << 31:
            raise ValueError("too many bytes of texts")
        made.append(last)
    return joined(made)


def joined(parts: list[bytes]) -> Texts:
    ends = np.cumsum([len(one) for one in parts], dtype=np.int64)
    starts = [0, *ends[:-1].tolist()] if parts else []
    return Texts(b"".join(parts), starts, ends.tolist())


def _split(data: bytes, physical: int, count: int, width: int) -> Any:
    size = NUMPY[physical].itemsize if physical in NUMPY else width
    raw = np.frombuffer(data, np.uint8, count * size).reshape(size, count)
    whole = np.ascontiguousarray(raw.T)
    if physical in NUMPY:
        return whole.view(NUMPY[physical]).ravel()
    return _fixed(whole.tobytes(), count, size)


def _run_booleans(data: bytes, _physical: int, count: int, _w: int) -> Any:
    size = int.from_bytes(data[:4], "little")
    return _levels.read_runs(data[4:4 + size], 1, count).astype(bool)


_READ = {0: plain, 3: _run_booleans, 5: _deltas, 6: _delta_lengths,
         7: _delta_texts, 9: _split}


def read(encoding: int, data: bytes, physical: int, count: int,
         width: int) -> Any:
    """COUNT values, as a numpy array or as Texts."""
    if encoding not in _READ:
        name = ENCODINGS[encoding] if 0 <= encoding < len(ENCODINGS) \
            else encoding
        raise lacks(f"The encoding {name}")
    found = _READ[encoding](data, physical, count, width)
    if len(found) != count:
        raise ValueError("too few values in a page")
    return found


def write(values: Any, physical: int) -> bytes:
    """PLAIN: of a numpy array, or of a list of byte strings."""
    if physical == BOOLEAN:
        return np.packbits(values.astype(np.uint8),
                           bitorder="little").tobytes()
    if physical in NUMPY:
        return values.astype(NUMPY[physical]).tobytes()
    if physical == FIXED:
        return b"".join(values)
    sizes = np.fromiter(map(len, values), np.uint32, len(values))
    parts: list[bytes] = [b""] * (2 * len(values))
    raw = sizes.astype("<u4").tobytes()
    parts[0::2] = [raw[i:i + 4] for i in range(0, len(raw), 4)]
    parts[1::2] = values
    return b"".join(parts)


def write_split(values: Any, physical: int) -> bytes:
    """BYTE_STREAM_SPLIT"""
    size = NUMPY[physical].itemsize
    raw = values.astype(NUMPY[physical]).view(np.uint8)
    return np.ascontiguousarray(raw.reshape(-1, size).T).tobytes()
