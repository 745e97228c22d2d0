"""mplfinance - charts of prices: candles, bars, lines, volumes, averages.

plot() with panels, additional plots, styles and saved files, over matplotlib.
Renko and point-and-figure charts, hollow candles, trend lines (alines, tlines)
and mpf.figure() raise NotImplementedError.
"""

from __future__ import annotations

from typing import Any

from .addplots import make_addplot
from .plotting import plot
from .styles import available_styles, make_marketcolors, make_mpf_style

__version__ = "0.12.10b0"
__all__ = ["plot", "make_addplot", "make_mpf_style", "make_marketcolors",
           "available_styles", "figure", "show"]


def figure(*args: Any, **kwargs: Any) -> Any:
    raise NotImplementedError(
        "mplfinance.figure is not here; use plot(..., returnfig=True), or "
        "plot(..., ax=axes) with axes of matplotlib.pyplot.subplots()")


def show(*args: Any, **kwargs: Any) -> None:
    import matplotlib.pyplot as plt
    plt.show(*args, **kwargs)


def __getattr__(name: str) -> Any:
    if name in ("original_flavor", "kwarg_help", "write_style_file"):
        raise AttributeError(f"mplfinance has no {name} here; plot(), "
                             "make_addplot() and the styles are")
    raise AttributeError(f"module 'mplfinance' has no attribute '{name}'")
