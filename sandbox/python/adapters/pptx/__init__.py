"""pptx - presentations of PowerPoint: making, reading and changing them.

The everyday part of python-pptx over lxml: slides of the usual layouts,
placeholders, texts, pictures, tables, drawn shapes, charts, notes, and files
that others wrote, where everything that is not changed stays. There are no
groups, freeforms, movies or OLE objects to be made, and no pattern fills;
what is absent raises NotImplementedError or AttributeError with its name.
"""

from __future__ import annotations

from typing import Any

from .chart import chart as _chart, data as _data  # as pptx.chart.data
from .presentation import opened as _opened

__version__ = "1.0.2"
__all__ = ["Presentation"]


def Presentation(pptx: Any = None) -> Any:
    """A new presentation, or that of a path or a file object."""
    return _opened(pptx)
