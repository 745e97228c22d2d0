"""Snappy: its raw format, read whole, written with matches that numpy finds.

The writer looks for repeated words of 8 bytes at places that are multiples of
8. That finds runs and columns of few numbers, and leaves texts as they are.
"""

from __future__ import annotations

import numpy as np

from ._varint import read_varint, varint

_NEAR = 1 << 16


def decompress(data: bytes, most: int) -> bytes:
    """The bytes of DATA, not more than MOST."""
    size, at = read_varint(data, 0, 32)
    if size > most:
        raise ValueError("snappy: more bytes than the page's header says")
    end, out, made = len(data), bytearray(), 0
    while at < end:
        tag = data[at]
        kind, count = tag & 3, (tag >> 2) + 1
        if kind == 2:
            back = data[at + 1] | data[at + 2] << 8
            at += 3
        elif kind == 0:
            count, at = _literal_size(data, count, at + 1)
            if count > end - at:
                raise ValueError("snappy: a literal is cut off")
            out += data[at:at + count]
            at += count
            made += count
            continue
        elif kind == 1:
            count = (tag >> 2 & 7) + 4
            back = (tag >> 5) << 8 | data[at + 1]
            at += 2
        else:
            back = int.from_bytes(data[at + 1:at + 5], "little")
            at += 5
        if not 0 < back <= made:
            raise ValueError("snappy: a copy from before the start")
        start = made - back
        if back >= count:
            out += out[start:start + count]
        else:
            out += (out[start:] * (count // back + 1))[:count]
        made += count
        if made > size:
            break
    if made != size:
        raise ValueError("snappy: another number of bytes than it says")
    return bytes(out)


def _literal_size(data: bytes, count: int, at: int) -> tuple[int, int]:
    if count <= 60:
        return count, at
    wide = count - 60
    return int.from_bytes(data[at:at + wide], "little") + 1, at + wide


def _literal(part: bytes) -> bytes:
    size = len(part) - 1
    if size < 60:
        return bytes([size << 2]) + part
    wide = (size.bit_length() + 7) // 8
    return bytes([(59 + wide) << 2]) + size.to_bytes(wide, "little") + part


def _copy(count: int, back: int) -> bytes:
    near = back.to_bytes(2, "little")
    full, rest = divmod(count, 64)
    made = (b"\xfe" + near) * full
    return made + bytes([(rest - 1) << 2 | 2]) + near if rest else made


def _matches(words: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Runs of words that stood before at the same distance: starts, ends,
    distances in words."""
    count = len(words)
    order = np.argsort(words, kind="stable")
    ordered = words[order]
    same = ordered[1:] == ordered[:-1]
    back = np.zeros(count, np.int64)
    back[order[1:][same]] = (order[1:] - order[:-1])[same]
    back[back * 8 >= _NEAR] = 0
    edges = np.flatnonzero(np.diff(back)) + 1
    starts = np.concatenate(([0], edges))
    ends = np.concatenate((edges, [count]))
    kept = (back[starts] > 0) & (ends - starts > 1)
    return starts[kept], ends[kept], back[starts[kept]]


def compress(data: bytes) -> bytes:
    parts = [varint(len(data))]
    done = 0
    if len(data) >= 64:
        words = np.frombuffer(data, np.uint64, len(data) // 8)
        for start, end, back in zip(*(one.tolist()
                                      for one in _matches(words))):
            if start * 8 > done:
                parts.append(_literal(data[done:start * 8]))
            parts.append(_copy((end - start) * 8, back * 8))
            done = end * 8
    if done < len(data):
        parts.append(_literal(data[done:]))
    return b"".join(parts)
