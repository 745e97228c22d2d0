"""figures - makes matplotlib.pyplot show its figures as displays.

Pyplot is adapted whenever it is imported, in the preload or by a program.
show() sends and closes the open figures, and so does the end of a program.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .deadline import Timeout, check_clock, guarded
from .display import show_figure
from .errors import format_error
from .job import Now

import atexit
import importlib
import importlib.machinery
import sys
from typing import Any, Optional

# Fonts with Chinese, Japanese and Korean characters, best first.
_WIDE_FONTS = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC",
    "WenQuanYi Zen Hei", "WenQuanYi Micro Hei", "Droid Sans Fallback",
)
WIDE_SAMPLE = "\u4e2d\u6587 \u65e5\u672c\u8a9e"
_figures: Any = None  # matplotlib's table of open figures


def _open_figures() -> list[tuple[int, Any]]:
    """(number, figure) of the open figures, in the order of their numbers."""
    if _figures is None or not _figures.figs:
        return []
    return [(manager.num, manager.canvas.figure)
            for manager in _figures.get_all_fig_managers()]


def show(*_args: Any, **_options: Any) -> None:
    """plt.show(): send and close all open figures."""
    check_clock()
    for number, figure in _open_figures():
        try:
            show_figure(Now.job, figure, False)
        finally:
            _figures.destroy(number)


def _show_one(figure: Any, warn: bool = True) -> None:
    """Figure.show(): send and close one figure."""
    check_clock()
    show_figure(Now.job, figure, False)
    for number, opened in _open_figures():
        if opened is figure:
            _figures.destroy(number)


def show_left() -> None:
    """Send and close the figures that the program left open."""
    for number, figure in _open_figures():
        _, exc = guarded(show_figure, Now.job, figure, False)
        if exc is not None:
            if type(exc) is Timeout:
                raise exc
            print(f"figure {number} could not be drawn: {format_error(exc)}",
                  file=sys.stderr)


def close_left() -> None:
    """Close the figures that a call left open, so that the next has none."""
    for number, _ in _open_figures():
        _figures.destroy(number)


def wide_font(manager: Any) -> Optional[str]:
    """The file of an installed font with characters that DejaVu lacks, or
    None."""
    files = {font.name: font.fname for font in reversed(manager.ttflist)}
    for name in _WIDE_FONTS:
        if name in files:
            return files[name]
    return None


def _widen_fonts(manager: Any) -> None:
    """Draw characters that the chosen font lacks with a wide one. This acts
    where fonts are looked up, because styles and programs replace the list of
    families."""
    wide = wide_font(manager)
    # Change the class, because an instance is saved with its attributes.
    find = getattr(type(manager), "_find_fonts_by_props", None)
    if not wide or not find:
        return

    def find_and_widen(self: Any, prop: Any, fontext: str = "ttf",
                       *args: Any, **options: Any) -> list[str]:
        found = find(self, prop, fontext, *args, **options)
        if fontext == "ttf" and wide not in found:
            found.append(wide)
        return found

    type(manager)._find_fonts_by_props = find_and_widen


def _adopt_pyplot(pyplot: Any) -> None:
    """Make a newly imported pyplot show its figures here."""
    global _figures
    _figures = pyplot._pylab_helpers.Gcf
    pyplot.show = show
    pyplot.Figure.show = _show_one
    # they are shown after the exit hooks
    atexit.unregister(_figures.destroy_all)
    _widen_fonts(importlib.import_module("matplotlib.font_manager")
                 .fontManager)


class _PyplotFinder:
    """An import hook that adapts pyplot whenever it is imported."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
        if name != "matplotlib.pyplot":
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec and spec.loader:
            execute = spec.loader.exec_module

            def execute_and_adopt(module: Any) -> None:
                execute(module)
                _adopt_pyplot(module)

            spec.loader.exec_module = execute_and_adopt
        return spec


sys.meta_path.insert(0, _PyplotFinder)
if "matplotlib.pyplot" in sys.modules:
    _adopt_pyplot(sys.modules["matplotlib.pyplot"])
