"""barcode - bars of EAN, UPC, ISBN, ISSN, Code 39, Code 128 and ITF.

The everyday part of python-barcode 0.15, with its writers of SVG and of images.
"""

from __future__ import annotations

from .codex import Code39, Code128
from .ean import EAN8, EAN13, JAN, UPCA
from .errors import BarcodeNotFoundError
from .isxn import ISBN10, ISBN13, ISSN
from .itf import ITF

import os
from typing import Any, Optional

__version__ = version = "0.15.1"
_KINDS: dict[str, Any] = {
    "code128": Code128, "code39": Code39, "ean": EAN13, "ean13": EAN13,
    "ean8": EAN8, "gs1": ISBN13, "isbn": ISBN13, "isbn10": ISBN10,
    "isbn13": ISBN13, "issn": ISSN, "itf": ITF, "jan": JAN, "upc": UPCA,
    "upca": UPCA}
_LEFT_OUT = ("codabar", "ean13-guard", "ean14", "ean8-guard", "gs1_128",
             "gtin", "nw-7", "pzn")
PROVIDED_BARCODES = sorted(_KINDS)


def get(name: str, code: Optional[str] = None, writer: Any = None,
        options: Optional[dict[str, Any]] = None) -> Any:
    """The class of barcodes NAME, or with CODE a barcode."""
    kind = _KINDS.get(name.lower())
    if kind is None:
        if name.lower() in _LEFT_OUT:
            raise NotImplementedError(
                f"barcode: {name!r} is not in the adapter")
        raise BarcodeNotFoundError(
            f"The barcode {name!r} you requested is not known.")
    return kind if code is None else kind(code, writer, **(options or {}))


def get_class(name: str) -> Any:
    return get(name)


def generate(name: str, code: str, writer: Any = None, output: Any = None,
             writer_options: Optional[dict[str, Any]] = None,
             text: Optional[str] = None) -> Optional[str]:
    """Write the barcode to OUTPUT: a name of a file, or an open file."""
    if output is None:
        raise TypeError("'output' cannot be None")
    made = get(name, code, writer)
    if isinstance(output, (str, os.PathLike)):
        return made.save(output, writer_options, text)
    made.write(output, writer_options, text)
    return None


get_barcode, get_barcode_class = get, get_class
