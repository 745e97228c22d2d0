"""io - files, pages and pictures of plots."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any, Optional

from .._base import BokehUserWarning
from ..document import Document
from .export import (export_png, export_svg, export_svgs,
                     get_screenshot_as_png)

__all__ = ["curdoc", "export_png", "export_svg", "export_svgs",
           "get_screenshot_as_png", "output_file", "output_notebook",
           "push_notebook", "reset_output", "save", "set_curdoc", "show"]


class _State:
    """Where show() and save() put a page."""

    file: Optional[str] = None
    title: Optional[str] = None
    notebook = False
    document = Document()
    shown = 0


def curdoc() -> Document:
    return _State.document


def set_curdoc(doc: Document) -> None:
    _State.document = doc


def output_file(filename: Any, title: str = "Bokeh Plot", mode: Any = None,
                root_dir: Any = None) -> None:
    """The file that show() and save() write."""
    _State.file, _State.title = os.fspath(filename), title


def output_notebook(resources: Any = None, verbose: bool = False,
                    hide_banner: bool = False, load_timeout: int = 5000,
                    notebook_type: str = "jupyter") -> None:
    """show() displays plots instead of writing a file."""
    _State.notebook = True


def reset_output(state: Any = None) -> None:
    _State.file, _State.title, _State.notebook = None, None, False


def push_notebook(*_args: Any, **_options: Any) -> None:
    """A picture that was shown does not change."""


def _default_file() -> str:
    """A file beside the program, with the program's name."""
    name = os.path.splitext(os.path.basename(sys.argv[0] or ""))[0]
    return f"{name}.html" if name.isidentifier() else "bokeh_plot.html"


def _write(obj: Any, filename: str, title: Any) -> str:
    from .._draw.pages import page

    text = page(obj.roots if isinstance(obj, Document) else obj, title)
    with open(filename, "w", encoding="utf-8") as stream:
        stream.write(text)
    return os.path.abspath(filename)


def _checked(obj: Any) -> None:
    from ..models import _NAMES as M

    for one in obj if isinstance(obj, (list, tuple)) else [obj]:
        if not isinstance(one, (M["LayoutDOM"], M["TabPanel"], Document)):
            raise ValueError("expected a LayoutDOM, a Document or a sequence "
                             f"of them, got {one!r}")


def save(obj: Any, filename: Any = None, resources: Any = None,
         title: Optional[str] = None, template: Any = None,
         state: Any = None) -> str:
    """Write a page; returns the file's whole name."""
    _checked(obj)
    if template is not None:
        raise NotImplementedError("save(template=...) is not here")
    if filename is None:
        filename = _State.file or _default_file()
    if title is None:
        title = _State.title
        if title is None:
            warnings.warn("save() called but no title was supplied and "
                          "output_file(...) was never called, using default "
                          "title 'Bokeh Plot'", BokehUserWarning,
                          stacklevel=2)
    return _write(obj, os.fspath(filename), title)


def show(obj: Any, browser: Any = None, new: str = "tab",
         notebook_handle: bool = False, notebook_url: Any = None,
         **kwargs: Any) -> None:
    """Write the page of output_file(), and display the picture."""
    from .._draw.sheets import together

    _checked(obj)
    with together():
        _show(obj)


def _show(obj: Any) -> None:
    if _State.file or not _State.notebook:
        name = _State.file
        if name is None:
            # Pages of further calls do not take the place of the first.
            _State.shown += 1
            stem = os.path.splitext(_default_file())[0]
            name = f"{stem}.html" if _State.shown == 1 else \
                f"{stem}-{_State.shown}.html"
        _write(obj, name, _State.title)
    _display(obj)


def _display(obj: Any) -> None:
    try:
        from IPython.display import display
    except ImportError:
        return
    from .._draw.pages import bundle

    for one in obj if isinstance(obj, (list, tuple)) else [obj]:
        found = bundle(one) if not isinstance(one, Document) else {}
        if not _State.notebook:
            # A client without displays has the file; it needs no words.
            found.pop("text/plain", None)
        if found:
            display(found, raw=True)
