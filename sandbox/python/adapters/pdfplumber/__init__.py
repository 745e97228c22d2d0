"""pdfplumber - text and tables of PDF files, by pdfminer.

Characters, words, lines and tables of pages, as pdfplumber 0.11 finds them. A
table's edges come from lines and rectangles, or are given: those that only the
text shows (strategy "text") and pictures of pages are not here.
"""

from __future__ import annotations

from . import utils
from .pdf import PDF

__version__ = "0.11"
__all__ = ["PDF", "open", "utils"]

open = PDF.open


def __getattr__(name: str) -> object:
    raise AttributeError(f"pdfplumber.{name} is not here: this module reads "
                         "texts, words and tables")
