"""libraries - ctypes.util.find_library() without another program.

The library's own function asks ldconfig, a compiler or a linker. This one reads
the loader's list of libraries, which ldconfig would print, and names those that
a guest can open.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__

import ctypes.util
import os
import struct
from typing import Iterator, Optional

_LIST = "/etc/ld.so.cache"
_MAGIC = b"glibc-ld.so.cache1.1"
_HEAD = struct.Struct("=20sI")       # magic, number of entries
_HEAD_BYTES = 48
_ENTRY = struct.Struct("=iIIIQ")     # flags, name, path, version, hardware
_open, _exists = open, os.path.exists


def _text_at(data: bytes, at: int) -> str:
    return data[at:data.index(b"\0", at)].decode("utf-8", "replace")


def _listed() -> Iterator[tuple[str, str]]:
    """The names and paths of the loader's list, in its order."""
    with _open(_LIST, "rb") as file:
        data = file.read()
    start = data.index(_MAGIC)  # an older list may stand before it
    _, count = _HEAD.unpack_from(data, start)
    first = start + _HEAD_BYTES
    for at in range(first, first + count * _ENTRY.size, _ENTRY.size):
        _, name, path, _, _ = _ENTRY.unpack_from(data, at)
        yield _text_at(data, start + name), _text_at(data, start + path)


def find_library(name: str) -> Optional[str]:
    start = f"lib{name}."
    try:
        for found, path in _listed():
            if found.startswith(start) and _exists(path):
                return found
    except (OSError, ValueError, struct.error):
        pass
    return None


ctypes.util.find_library = find_library
