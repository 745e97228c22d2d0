"""_varint - whole numbers in groups of seven bits, as Thrift, the runs of
levels and Snappy have them."""

from __future__ import annotations


def read_varint(data: bytes, at: int, bits: int = 64) -> tuple[int, int]:
    """The number of at most BITS bits at AT, and the place behind it."""
    found = shift = 0
    while True:
        byte = data[at]
        at += 1
        found |= (byte & 127) << shift
        if byte < 128:
            return found, at
        shift += 7
        if shift >= bits:
            raise ValueError("a number has too many bytes")


def varint(number: int) -> bytes:
    made = bytearray()
    while number > 127:
        made.append(number & 127 | 128)
        number >>= 7
    made.append(number)
    return bytes(made)
