"""palettes - lists of colours by name, from matplotlib's colour maps.

A brewer palette of fewer colours than the most is chosen from the longest.
"""

from __future__ import annotations

import math
import re
from typing import Any

_GRADED = {"Viridis": "viridis", "Magma": "magma", "Inferno": "inferno",
           "Plasma": "plasma", "Cividis": "cividis", "Turbo": "turbo"}
_SEQUENTIAL = ("YlGn YlGnBu GnBu BuGn PuBuGn PuBu BuPu RdPu PuRd OrRd YlOrRd "
               "YlOrBr Purples Blues Greens Oranges Reds Greys").split()
_DIVERGING = "PuOr BrBG PRGn PiYG RdBu RdGy RdYlBu Spectral RdYlGn".split()
_CHOSEN = {"Accent": "Accent", "Dark2": "Dark2", "Paired": "Paired",
           "Pastel1": "Pastel1", "Pastel2": "Pastel2", "Set1": "Set1",
           "Set2": "Set2", "Set3": "Set3", "Category10": "tab10",
           "Category20": "tab20", "Category20b": "tab20b",
           "Category20c": "tab20c"}
_COLORBLIND = ("#0072B2", "#E69F00", "#F0E442", "#009E73", "#56B4E9",
               "#D55E00", "#CC79A7", "#000000")
_SPECTRAL = {
    3: "#99d594 #ffffbf #fc8d59", 4: "#2b83ba #abdda4 #fdae61 #d7191c",
    5: "#2b83ba #abdda4 #ffffbf #fdae61 #d7191c",
    6: "#3288bd #99d594 #e6f598 #fee08b #fc8d59 #d53e4f",
    7: "#3288bd #99d594 #e6f598 #ffffbf #fee08b #fc8d59 #d53e4f",
    8: "#3288bd #66c2a5 #abdda4 #e6f598 #fee08b #fdae61 #f46d43 #d53e4f",
}
_NAME = re.compile(r"(Category20[bc]|Category[12]0|Dark2|Pastel[12]|Set[123]|"
                   r"[A-Za-z]+?)_?(\d+)?$")
_cache: dict[str, dict[int, tuple[str, ...]]] = {}


def _hex(color: Any, upper: bool = False) -> str:
    text = "#" + "".join(f"{int(one * 255 + (0 if upper else 0.5)):02x}"
                         for one in color[:3])
    return text.upper() if upper else text


def _picked(colors: Any, count: int) -> tuple[str, ...]:
    """COUNT of COLORS, from the first to the last."""
    if count == 1:
        return (colors[0],)
    step = (len(colors) - 1) / (count - 1)
    return tuple(colors[int(math.floor(at * step + 1e-9))]
                 for at in range(count))


def _graded(name: str) -> dict[int, tuple[str, ...]]:
    import matplotlib

    shades = matplotlib.colormaps[_GRADED[name]]
    whole = tuple(_hex(shades(at), name != "Turbo") for at in range(256))
    return {**{count: _picked(whole, count) for count in range(3, 12)},
            256: whole}


def _brewer(name: str) -> dict[int, tuple[str, ...]]:
    import matplotlib
    from matplotlib import _cm

    shades = matplotlib.colormaps[name].reversed()
    whole = tuple(_hex(one) for one in reversed(_cm.datad[name]))
    most = len(whole)
    found = {count: tuple(_hex(shades(at / (count - 1)))
                          for at in range(count)) for count in range(3, most)}
    found[most] = whole
    if name == "Spectral":
        found.update({count: tuple(text.split())
                      for count, text in _SPECTRAL.items()})
    if name in _SEQUENTIAL:
        found[256] = tuple(_hex(shades(at)) for at in range(256))
    if name == "Greys":
        found[256] = tuple(_hex((at / 255,) * 3) for at in range(256))
    return found


def _chosen(name: str) -> dict[int, tuple[str, ...]]:
    import matplotlib

    whole = [_hex(one) for one in matplotlib.colormaps[_CHOSEN[name]].colors]
    return {count: tuple(whole[:count])
            for count in range(3, len(whole) + 1)}


def _family(name: str) -> Any:
    if name not in _cache:
        if name in _GRADED:
            _cache[name] = _graded(name)
        elif name in _SEQUENTIAL or name in _DIVERGING:
            _cache[name] = _brewer(name)
        elif name in _CHOSEN:
            _cache[name] = _chosen(name)
        elif name == "Colorblind":
            _cache[name] = {count: _COLORBLIND[:count]
                            for count in range(3, 9)}
        else:
            return None
    return _cache[name]


def _found(name: str) -> Any:
    if _family(name) is not None:
        return dict(_family(name))
    parts = _NAME.match(name)
    family = _family(parts[1]) if parts else None
    if family is None or not parts[2] or int(parts[2]) not in family:
        return None
    return family[int(parts[2])]


def named(name: str) -> list[str]:
    """The palette of a name, as properties take it."""
    found = _found(name)
    if isinstance(found, dict) or found is None:
        raise ValueError(f"expected a palette, got {name!r}")
    return list(found)


_ALL = [*_GRADED, *_SEQUENTIAL, *_DIVERGING, *_CHOSEN, "Colorblind"]
_TABLES = {
    "all_palettes": _ALL, "brewer": [*_SEQUENTIAL, *_DIVERGING, "Accent",
                                     "Dark2", "Paired", "Pastel1", "Pastel2",
                                     "Set1", "Set2", "Set3"],
    "d3": ["Category10", "Category20", "Category20b", "Category20c"],
    "mpl": ["Magma", "Inferno", "Plasma", "Viridis", "Cividis"],
    "colorblind": ["Colorblind"],
}


def linear_palette(palette: Any, n: int) -> tuple[str, ...]:
    """N of PALETTE's colours, evenly."""
    if n > len(palette):
        raise ValueError(f"Requested {n} colors, function can only return "
                         "colors up to the base palette's length "
                         f"({len(palette)})")
    return _picked(palette, n)


def interp_palette(palette: Any, n: int) -> tuple[str, ...]:
    """N colours between those of PALETTE."""
    import numpy as np
    from ._colors import rgba

    known = np.array([rgba(one)[:3] for one in palette])
    at = np.linspace(0, len(known) - 1, n)
    each = [np.interp(at, np.arange(len(known)), known[:, part])
            for part in range(3)]
    return tuple(_hex(one) for one in np.column_stack(each))


def diverging_palette(palette1: Any, palette2: Any, n: int,
                      midpoint: float = 0.5) -> tuple[str, ...]:
    first = round(n * midpoint)
    return linear_palette(palette1, first) + \
        tuple(reversed(linear_palette(palette2, n - first)))


def _of(name: str) -> Any:
    def shades(n: int) -> tuple[str, ...]:
        return linear_palette(_found(name + "256"), n)
    return shades


viridis, magma, inferno = _of("Viridis"), _of("Magma"), _of("Inferno")
plasma, cividis, turbo = _of("Plasma"), _of("Cividis"), _of("Turbo")
grey = gray = _of("Greys")


def _names() -> list[str]:
    """All names, of all counts."""
    found = [*_TABLES, "small_palettes", "viridis", "magma", "inferno",
             "plasma", "cividis", "turbo", "grey", "gray", "linear_palette",
             "interp_palette", "diverging_palette"]
    for name in _ALL:
        gap = "_" if name[-1:].isdigit() or name[-2:-1].isdigit() else ""
        found += [name, *(f"{name}{gap}{count}" for count in _family(name))]
    return found


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return _names()
    if name in _TABLES:
        return {one: dict(_family(one)) for one in _TABLES[name]}
    if name == "small_palettes":
        return {one: {count: colors for count, colors in _family(one).items()
                      if count < 256} for one in _ALL}
    found = None if name.startswith("_") else _found(name)
    if found is None:
        raise AttributeError(f"module 'bokeh.palettes' has no attribute "
                             f"{name!r}")
    return found
