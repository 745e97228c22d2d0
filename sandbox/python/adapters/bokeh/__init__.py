"""bokeh - plots as pages: figures with glyphs, axes, legends and layouts.

A page has a picture (SVG, drawn by matplotlib) and native tooltips. It has no
script: tools, callbacks and controls are accepted and do nothing.
"""

from __future__ import annotations

__version__ = "3.4.3"
__all__ = ["__version__"]
