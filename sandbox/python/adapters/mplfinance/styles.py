"""styles - the colours of charts, by name or of one's own."""

from __future__ import annotations

import copy
from typing import Any, Optional

Style = dict[str, Any]
_DARK, _LIGHT = "dark_background", "fast"
_BOLD = {"axes.linewidth": 1.5, "axes.labelsize": "large",
         "axes.labelweight": "semibold", "font.weight": "medium"}
_MANY = ["#40e0d0", "#ff00ff", "#ffd700", "#1f77b4", "#ff7f0e", "#2ca02c",
         "#e377c2"]
_GOLD = ["#ffc201", "#ff10ff", "#cd0468", "#1f77b4", "#ff7f0e", "#2ca02c",
         "#40e0d0"]
MARKET = ("candle", "edge", "wick", "ohlc", "volume", "vcedge")
ABSENT = ("brasil", "checkers", "ibd", "kenan", "sas")
# Beyond the names: what matplotlib style it is based on; the colours of rising
# and falling candles, edges, wicks, bars, volumes; their alpha; whether a
# volume's colour is that of the change since the day before.
_MARKETS = {
    "default": ("seaborn-darkgrid", "w k k k k k k k #1f77b4 #1f77b4", 0.9,
                False),
    "classic": (_LIGHT, "w k k k k k k k #181818 #181818", 0.9, False),
    "yahoo": (_LIGHT, "#00b060 #fe3032 #00b060 #fe3032 #606060 #606060 "
              "#00b060 #fe3032 #4dc790 #fd6b6c", 0.9, True),
    "charles": (_LIGHT, "#006340 #a02128 " * 4 + "#007a00 #d50d18", 1.0,
                True),
    "nightclouds": (_DARK, "w #0095ff w #0095ff w w w w w #0095ff", 1.0,
                    False),
    "mike": (_DARK, "#000000 #0080ff #ffffff #0080ff #ffffff #ffffff "
             "#ffffff #ffffff #7189aa #7189aa", 1.0, False),
    "starsandstripes": (_LIGHT, "#082865 #ae0019 " * 5, 0.9, False),
    "binance": ("seaborn-darkgrid", "#70a800 #ea0070 " * 5, 0.9, False),
    "binancedark": (_DARK, "#3dc985 #ef4f60 " * 3 +
                    "green red #247252 #82333f", 1.0, False),
    "blueskies": (_LIGHT, "w #0095ff k #0095ff k #0095ff w w w #0095ff", 1.0,
                  False),
    "tradingview": (_LIGHT, "#26a69a #ef5350 " * 5, 1.0, False),
}
# Averages, on the right, colours of the grid and the ground, rcParams.
_LOOKS: dict[str, tuple[Any, bool, Any, Any, Any, Style]] = {
    "default": (_MANY, False, None, None, "#DCE3EF",
                {**_BOLD, "axes.edgecolor": "black", "lines.linewidth": 2.0,
                 "font.size": 12.0}),
    "classic": (["#1a1a1a", "#262626", "#333333", "#404040"], True,
                "#cccccc", "--", "w",
                {**_BOLD, "axes.edgecolor": "black", "lines.linewidth": 2.0,
                 "font.size": 12.0}),
    "yahoo": (None, True, "#d0d0d0", "-", "#fafafa",
              {"axes.labelcolor": "#101010", "axes.edgecolor": "#f0f0f0",
               "axes.grid.axis": "y", "ytick.color": "#101010",
               "xtick.color": "#101010"}),
    "charles": (["#ef5714", "#ef5714", "#9f4878", "#9f4878"], True,
                "#a0a0a0", "--", "w",
                {**_BOLD, "axes.edgecolor": "white", "axes.grid": True,
                 "axes.grid.axis": "y", "grid.linewidth": 0.4,
                 "lines.linewidth": 2.0, "font.size": 10.0}),
    "nightclouds": (_MANY, False, "#999999", "--", "#0b0b0b",
                    {"patch.linewidth": 1.0, "lines.linewidth": 1.0}),
    "mike": (["#ec009c", "#78ff8f", "#fcf120"], True, None, None, None,
             {**_BOLD, "axes.edgecolor": "white", "axes.grid": True,
              "axes.grid.axis": "both", "grid.alpha": 0.9,
              "grid.color": "#b0b0b0", "grid.linestyle": "--",
              "figure.facecolor": "#0a0a0a", "lines.linewidth": 1.0,
              "font.size": 10.0}),
    "starsandstripes": (None, True, None, None, None,
                        {"axes.edgecolor": "#082865", "axes.grid": True,
                         "axes.grid.axis": "y", "grid.color": "#082865",
                         "grid.linestyle": "--"}),
    "binance": (_GOLD, False, "#d0d0d0", "--", "#ffffff",
                {**_BOLD, "axes.edgecolor": "#e6e6e6",
                 "axes.labelsize": "medium", "lines.linewidth": 2.0,
                 "font.size": 12.0}),
    "binancedark": (_GOLD, True, None, "--", None,
                    {"axes.grid": True, "axes.grid.axis": "y",
                     "axes.edgecolor": "#474d56",
                     "figure.facecolor": "#0a0a0a"}),
    "blueskies": (None, False, None, None, "#dbf1ff",
                  {"patch.linewidth": 1.0, "patch.force_edgecolor": True,
                   "lines.linewidth": 1.0}),
    "tradingview": (["#2962ff", "#2962ff"], True, None, "--", None,
                    {"axes.grid": True, "axes.edgecolor": "grey",
                     "figure.facecolor": "white"}),
}


def available_styles() -> list[str]:
    return list(_MARKETS)


def named(name: str) -> Style:
    """A style of its own by NAME."""
    if name in ABSENT:
        raise NotImplementedError(
            f"The style '{name}' is not here; these are: "
            f"{', '.join(available_styles())}")
    base, words, alpha, by_day = _MARKETS[name]
    mavs, right, grid, line, face, rc = _LOOKS[name]
    colors = words.split()
    market: Style = {part: {"up": colors[at], "down": colors[at + 1]}
                     for part, at in zip(MARKET, (0, 2, 4, 6, 8, 8))}
    market.update(vcdopcod=by_day, alpha=alpha)
    return copy.deepcopy({
        "style_name": name, "base_mpl_style": base, "marketcolors": market,
        "mavcolors": mavs, "y_on_right": right, "gridcolor": grid,
        "gridstyle": line, "facecolor": face, "rc": rc,
        "base_mpf_style": name})


def known_style(value: Any) -> bool:
    return isinstance(value, dict) or value in _MARKETS or value in ABSENT


def applied(style: Style) -> None:
    """Sets matplotlib's parameters, as STYLE says."""
    import matplotlib.pyplot as plt
    base = style.get("base_mpl_style")
    for one in [base] if isinstance(base, str) else base or ():
        old = str(one).replace("seaborn-", "seaborn-v0_8-")
        plt.style.use(old if old in plt.style.available else one)
    rc = plt.rcParams
    rc.update(dict(style.get("rc") or {}))
    for key, name in (("facecolor", "axes.facecolor"),
                      ("edgecolor", "axes.edgecolor"),
                      ("figcolor", "figure.facecolor"),
                      ("gridcolor", "grid.color"),
                      ("gridstyle", "grid.linestyle")):
        if style.get(key) is not None:
            rc[name] = style[key]
            if key.startswith("grid"):
                rc["axes.grid"] = True
    axis = style.get("gridaxis")
    if axis:
        rc["axes.grid"] = True
        rc["axes.grid.axis"] = {"h": "y", "v": "x", "b": "both"}[axis[0]]


_STYLE_WORDS = ("base_mpf_style base_mpl_style marketcolors mavcolors "
                "facecolor edgecolor figcolor gridcolor gridstyle gridaxis "
                "y_on_right rc legend_loc style_name").split()


def make_mpf_style(**kwargs: Any) -> Style:
    """A style of one's own, perhaps based on another one."""
    for key in kwargs:
        if key not in _STYLE_WORDS:
            raise KeyError(f'Unrecognized kwarg="{key}"')
    base = kwargs.get("base_mpf_style")
    if base is not None and (base in ABSENT or base in _MARKETS):
        style = named(base)
        rc = {**dict(style["rc"]), **dict(kwargs.get("rc") or {})}
        style.update({key: value for key, value in kwargs.items()
                      if value is not None})
        style["rc"] = rc
    elif base is not None:
        raise TypeError('kwarg "base_mpf_style" validator returned False for '
                        f'value: "{base}"')
    else:
        style = {word: kwargs.get(word) for word in _STYLE_WORDS}
    if style["marketcolors"] is None:
        style["marketcolors"] = named("default")["marketcolors"]
    return style


def make_marketcolors(up: Any = None, down: Any = None, *, edge: Any = None,
                      wick: Any = None, ohlc: Any = None, volume: Any = None,
                      vcedge: Any = None, vcdopcod: Optional[bool] = None,
                      alpha: Optional[float] = None, inherit: bool = False,
                      base_mpf_style: Optional[str] = None,
                      hollow: Any = None) -> Style:
    """The colours of rising and falling prices."""
    if hollow is not None:
        raise NotImplementedError("make_marketcolors(hollow=) is not here, as "
                                  "hollow candles are not")
    market: Style = named(base_mpf_style or "default")["marketcolors"]
    candle = market["candle"]
    candle.update({key: value for key, value in (("up", up), ("down", down))
                   if value is not None})
    given = {"edge": edge, "wick": wick, "ohlc": ohlc, "volume": volume,
             "vcedge": vcedge}
    for part, value in given.items():
        if inherit and part != "vcedge":
            value = "inherit"
        if value is not None:
            market[part] = _pair(part, value, candle)
    if volume is not None and vcedge is None or inherit:
        market["vcedge"] = dict(market["volume"])
    if vcdopcod is not None:
        market["vcdopcod"] = vcdopcod
    if alpha is not None:
        market["alpha"] = alpha
    return market


def _pair(part: str, value: Any, candle: Style) -> Style:
    from matplotlib.colors import is_color_like
    if isinstance(value, dict):
        pair = dict(value)
    elif isinstance(value, str) and value and "inherit".startswith(value):
        pair = dict(candle)
    else:
        pair = {"up": value, "down": value}
    for way in ("up", "down"):
        if not is_color_like(pair[way]):
            raise ValueError(f"NOT is_color_like() for {part}['{way}'] = "
                             f"{pair[way]}")
    return pair
