"""Runs and packed bits: levels, numbers of a dictionary, booleans, deltas."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._varint import read_varint, varint

MOST = 1 << 31              # values of a page


def unpack(data: bytes, width: int, count: int) -> Any:
    """COUNT numbers of WIDTH bits."""
    if width == 0:
        return np.zeros(count, np.int64)
    need = (count * width + 7) // 8
    raw = np.frombuffer(data, np.uint8, min(need, len(data)))
    if len(raw) < need:
        raise ValueError("packed numbers are cut off")
    if width in (8, 16, 32):
        return raw[:count * width // 8].view(f"<u{width // 8}").astype("i8")
    bits = np.unpackbits(raw, bitorder="little")[:count * width]
    bits = bits.reshape(count, width)
    found = bits[:, 0].astype(np.int64)
    for i in range(1, width):
        found |= bits[:, i].astype(np.int64) << i
    return found


def pack(values: Any, width: int) -> bytes:
    """The reverse; the number of values is a multiple of 8."""
    if width in (8, 16, 32):
        return values.astype(f"<u{width // 8}").tobytes()
    bits = np.empty((len(values), width), np.uint8)
    for i in range(width):
        bits[:, i] = (values >> i) & 1
    return np.packbits(bits.ravel(), bitorder="little").tobytes()


def read_runs(data: bytes, width: int, count: int) -> Any:
    """COUNT numbers in runs and packed groups."""
    if not 0 <= width <= 32 or not 0 <= count < MOST:
        raise ValueError("levels of an unknown width")
    parts, left, at, wide = [], count, 0, (width + 7) // 8
    while left > 0:
        head, at = read_varint(data, at)
        if head & 1:
            size = (head >> 1) * 8
            if size == 0:
                raise ValueError("an empty group")
            taken = min(size, left)
            parts.append(unpack(data[at:at + (head >> 1) * width], width,
                                taken))
            at += (head >> 1) * width
        else:
            taken = min(head >> 1, left)
            if taken == 0:
                raise ValueError("an empty run")
            value = int.from_bytes(data[at:at + wide], "little")
            parts.append(np.full(taken, value, np.int64))
            at += wide
        left -= taken
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


def write_runs(values: Any, width: int) -> bytes:
    """VALUES as one run where all are the same, or as one packed group."""
    count = len(values)
    if count == 0:
        return b""
    if values[0] == values[-1] and (values == values[0]).all():
        return varint(count << 1) + int(values[0]).to_bytes(
            (width + 7) // 8, "little")
    groups = (count + 7) // 8
    padded = np.zeros(groups * 8, np.int64)
    padded[:count] = values
    return varint(groups << 1 | 1) + pack(padded, width)


# -- deltas

def read_deltas(data: bytes) -> tuple[Any, int]:
    """The numbers of DELTA_BINARY_PACKED, and the bytes that they take."""
    block, at = read_varint(data, 0)
    minis, at = read_varint(data, at)
    total, at = read_varint(data, at)
    first, at = read_varint(data, at)
    first = (first >> 1) ^ -(first & 1)
    if total >= MOST or not 0 < minis <= 512 or block % minis or \
            not 0 < block <= 1 << 20:
        raise ValueError("deltas of an unknown form")
    size = block // minis
    if size % 32 or total > len(data) * block + 1:
        raise ValueError("deltas of an unknown form")
    parts, left = [], total - 1
    while left > 0:
        least, at = read_varint(data, at)
        least = (least >> 1) ^ -(least & 1)
        widths = data[at:at + minis]
        at += minis
        for width in widths:
            if left <= 0:
                break
            if width > 64:
                raise ValueError("deltas of more than 64 bits")
            taken = min(size, left)
            part = _wide(data[at:at + width * size // 8], width, taken)
            with np.errstate(over="ignore"):
                parts.append(part + np.int64(least))
            at += width * size // 8
            left -= taken
    return _summed(first, parts, total), at


def _wide(data: bytes, width: int, count: int) -> Any:
    if width <= 32:
        return unpack(data, width, count)
    need = (count * width + 7) // 8
    raw = np.frombuffer(data, np.uint8)[:need]
    if len(raw) < need:
        raise ValueError("packed numbers are cut off")
    bits = np.unpackbits(raw, bitorder="little")[:count * width]
    bits = bits.reshape(count, width).astype(np.uint64)
    found = np.zeros(count, np.uint64)
    for i in range(width):
        found |= bits[:, i] << np.uint64(i)
    return found.view(np.int64)


def _summed(first: int, parts: list[Any], total: int) -> Any:
    if total == 0:
        return np.empty(0, np.int64)
    start = np.array([first % 2**64], np.uint64).view(np.int64)
    with np.errstate(over="ignore"):
        return np.cumsum(np.concatenate([start, *parts]), dtype=np.int64)
