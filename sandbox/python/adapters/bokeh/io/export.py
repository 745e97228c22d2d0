"""export - pictures of plots as files."""

from __future__ import annotations

import io
import os
from typing import Any

__all__ = ["export_png", "export_svg", "export_svgs",
           "get_screenshot_as_png"]


def _name(filename: Any, form: str) -> str:
    if filename is not None:
        return os.fspath(filename)
    from . import _default_file
    return os.path.splitext(_default_file())[0] + "." + form


def _sized(obj: Any, width: Any, height: Any) -> Any:
    if width is None and height is None:
        return obj
    own = {name: value for name, value in (("width", width),
                                           ("height", height)) if value}
    return obj.clone(**own)


def export_png(obj: Any, *, filename: Any = None, width: Any = None,
               height: Any = None, scale_factor: float = 1,
               webdriver: Any = None, timeout: int = 5,
               state: Any = None) -> str:
    """Write a picture; returns the file's whole name."""
    from .._draw.pages import png

    data = png(_sized(obj, width, height), scale_factor)
    name = _name(filename, "png")
    with open(name, "wb") as stream:
        stream.write(data)
    return os.path.abspath(name)


def export_svgs(obj: Any, *, filename: Any = None, width: Any = None,
                height: Any = None, webdriver: Any = None, timeout: int = 5,
                state: Any = None) -> list[str]:
    """A file for each plot below OBJ."""
    from .._draw.pages import is_plot, svg

    plots = [one for one in obj.references() if is_plot(one)]
    if not plots:
        raise RuntimeError("No SVG Plots were found.")
    found = []
    for at, plot in enumerate(plots):
        stem, end = os.path.splitext(_name(filename, "svg"))
        name = stem + (f"_{at}" if at else "") + end
        with open(name, "w", encoding="utf-8") as stream:
            stream.write(svg(_sized(plot, width, height)))
        found.append(os.path.abspath(name))
    return found


def export_svg(obj: Any, *, filename: Any = None, width: Any = None,
               height: Any = None, webdriver: Any = None, timeout: int = 5,
               state: Any = None) -> list[str]:
    return export_svgs(obj, filename=filename, width=width, height=height)[:1]


def get_screenshot_as_png(obj: Any, *, driver: Any = None, timeout: int = 5,
                          resources: Any = None, width: Any = None,
                          height: Any = None, scale_factor: float = 1,
                          state: Any = None) -> Any:
    """A picture of PIL's."""
    from PIL import Image
    from .._draw.pages import png

    return Image.open(io.BytesIO(png(_sized(obj, width, height),
                                     scale_factor)))
