"""fpdf - PDF documents by the calls of fpdf2 and PyFPDF, over reportlab.

Pages with header() and footer(), cell(), multi_cell(), write(), table(),
pictures, links, lines and shapes, core fonts and TrueType files. HTML, SVG,
drawing paths, patterns, annotations, encryption and barcodes raise
NotImplementedError. A cell or multi_cell() of width 0 straight after a
multi_cell() of width 0 begins at the left margin, as PyFPDF's did; fpdf2 has
no room there.
"""

from __future__ import annotations

from typing import Any

from . import drawing, enums, errors, fonts
from .enums import Align, TextEmphasis, XPos, YPos
from .errors import FPDFException
from .fonts import FontFace, TextStyle, TitleStyle
from .fpdf import FPDF, HTMLMixin
from ._state import get_page_format

FPDF_VERSION = __version__ = "2.8.3"

__all__ = ["FPDF", "HTMLMixin", "FPDFException", "Align", "TextEmphasis",
           "XPos", "YPos", "FontFace", "TextStyle", "TitleStyle",
           "get_page_format", "drawing", "enums", "errors", "fonts",
           "FPDF_VERSION", "__version__"]


def __getattr__(name: str) -> Any:
    if name in ("Template", "FlexTemplate", "ViewerPreferences"):
        raise NotImplementedError(f"fpdf.{name} is not in this fpdf")
    raise AttributeError(f"module 'fpdf' has no attribute {name!r}")
