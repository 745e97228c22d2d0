"""Compression of pages. No more bytes are made than the page's header says."""

from __future__ import annotations

import zlib
from typing import Any, Callable

from .._errors import ArrowInvalid, lacks
from . import _snappy

NAMES = ["UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD",
         "LZ4_RAW"]
LARGEST = 1 << 31           # bytes of a page
_FEED = 256                 # bytes at once, where an output has no bound


def _gunzip(data: bytes, size: int) -> bytes:
    reader = zlib.decompressobj(47)
    return reader.decompress(data, size + 1)


def _unbrotli(data: bytes, size: int) -> bytes:
    import brotli
    reader, made, total = brotli.Decompressor(), [], 0
    for at in range(0, len(data), _FEED):
        made.append(reader.process(data[at:at + _FEED]))
        total += len(made[-1])
        if total > size:
            raise ValueError("brotli: too many bytes")
    return b"".join(made)


def _unzstd(data: bytes, size: int) -> bytes:
    import zstandard
    if size == 0:
        return b""
    reader = zstandard.ZstdDecompressor().decompressobj()
    made, total = [], 0
    for at in range(0, len(data), _FEED * 16):
        made.append(reader.decompress(data[at:at + _FEED * 16]))
        total += len(made[-1])
        if total > size:
            raise ValueError("zstd: too many bytes")
    return b"".join(made)


def _unlz4(data: bytes, size: int) -> bytes:
    import lz4.block
    return lz4.block.decompress(data, uncompressed_size=size)


def _unhadoop(data: bytes, size: int) -> bytes:
    """LZ4 in the frames of Hadoop, or bare as some writers do."""
    made, at = b"", 0
    try:
        while at < len(data):
            full = int.from_bytes(data[at:at + 4], "big")
            part = int.from_bytes(data[at + 4:at + 8], "big")
            if full > size or part > len(data) - at - 8:
                raise ValueError
            made += _unlz4(data[at + 8:at + 8 + part], full)
            at += 8 + part
    except (ValueError, RuntimeError):
        return _unlz4(data, size)
    return made


def _unlzo(_data: bytes, _size: int) -> bytes:
    raise lacks("The codec LZO")


_UNPACK: list[Callable[[bytes, int], bytes]] = [
    lambda data, _size: data, _snappy.decompress, _gunzip, _unlzo, _unbrotli,
    _unhadoop, _unzstd, _unlz4]


def decompress(codec: int, data: bytes, size: int) -> bytes:
    """The SIZE bytes that DATA holds."""
    if not 0 <= size < LARGEST or not 0 <= codec < len(_UNPACK):
        raise ArrowInvalid("Parquet: a page of unknown codec or size")
    try:
        found = _UNPACK[codec](data, size)
    except ImportError as error:
        raise lacks(f"The codec {NAMES[codec]}", str(error)) from None
    if len(found) != size:
        raise ArrowInvalid("Corrupt compressed data: "
                           f"{len(found)} bytes in place of {size}")
    return found


def _gzip(data: bytes, level: Any) -> bytes:
    writer = zlib.compressobj(6 if level is None else level,
                              zlib.DEFLATED, 31)
    return writer.compress(data) + writer.flush()


def _brotli(data: bytes, level: Any) -> bytes:
    import brotli
    return brotli.compress(data, quality=5 if level is None else level)


def _zstd(data: bytes, level: Any) -> bytes:
    import zstandard
    return zstandard.ZstdCompressor(1 if level is None else level
                                    ).compress(data)


def _lz4(data: bytes, _level: Any) -> bytes:
    import lz4.block
    return lz4.block.compress(data, store_size=False)


_PACK: dict[str, tuple[int, Callable[[bytes, Any], bytes]]] = {
    "NONE": (0, lambda data, _level: data),
    "UNCOMPRESSED": (0, lambda data, _level: data),
    "SNAPPY": (1, lambda data, _level: _snappy.compress(data)),
    "GZIP": (2, _gzip), "BROTLI": (4, _brotli), "LZ4": (7, _lz4),
    "LZ4_RAW": (7, _lz4), "ZSTD": (6, _zstd)}


def packer(name: Any, level: Any) -> tuple[int, Callable[[bytes], bytes]]:
    """The number of the codec NAME, and its function."""
    key = "NONE" if name is None else str(name).upper()
    if key not in _PACK:
        raise ArrowInvalid(f"Unsupported compression: {name}") \
            if key != "LZO" else lacks("The codec LZO")
    number, pack = _PACK[key]
    return number, lambda data: pack(data, level)
