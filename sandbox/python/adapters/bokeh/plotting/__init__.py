"""plotting - figure() and all that goes with it."""

from __future__ import annotations

from typing import Any

from ..document import Document
from ..io import (curdoc, export_png, export_svg, output_file,
                  output_notebook, reset_output, save, show)
from ..layouts import column, gridplot, layout, row
from ..models import _NAMES as _M
from ._figure import figure

ColumnDataSource = _M["ColumnDataSource"]
__all__ = ["ColumnDataSource", "Document", "column", "curdoc", "export_png",
           "export_svg", "figure", "from_networkx", "gridplot", "layout",
           "output_file", "output_notebook", "reset_output", "row", "save",
           "show", "markers"]


def from_networkx(*_args: Any, **_options: Any) -> Any:
    raise NotImplementedError("from_networkx() is not here: draw segment() "
                              "and scatter() at the places of a layout of "
                              "networkx")


def markers() -> None:
    """Print the names of the markers."""
    from ..core.enums import MarkerType

    print("Available markers: \n\n - " + "\n - ".join(MarkerType))
    print("\nShortcuts: \n\n '*' : asterisk\n '+' : cross\n 'o' : circle\n "
          "'x' : x")
