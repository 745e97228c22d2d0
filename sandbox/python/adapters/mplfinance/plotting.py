"""plotting - plot(): the panels, the prices and what is drawn with them."""

from __future__ import annotations

from itertools import cycle
from typing import Any, Optional

from . import styles
from .addplots import drawn, filled, panel_of, series_of

_KINDS = {"candle": "candle", "candlestick": "candle", "ohlc": "ohlc",
          "bars": "ohlc", "ohlc_bars": "ohlc", "line": "line"}
_REFUSED_KINDS = ("renko", "pnf", "p&f", "pointnfigure", "hollow",
                  "hollow_and_filled", "hnf")
_DEFAULTS: dict[str, Any] = {
    "type": "ohlc", "style": "default", "volume": False, "mav": None,
    "columns": None, "show_nontrading": False, "figscale": 1.0,
    "figratio": (8.0, 5.75), "figsize": None, "linecolor": None,
    "title": None, "axtitle": None, "ylabel": "Price", "ylabel_lower": None,
    "xlabel": None, "addplot": None, "savefig": None, "block": True,
    "returnfig": False, "hlines": None, "vlines": None, "panel_ratios": None,
    "main_panel": 0, "volume_panel": 1, "num_panels": None,
    "datetime_format": None, "xrotation": 45, "axisoff": False,
    "closefig": "auto", "fill_between": None, "tight_layout": False,
    "ylim": None, "xlim": None, "set_ylim": None, "ax": None,
    "mavcolors": None, "scale_padding": 1.0, "warn_too_much_data": None,
    "volume_alpha": None, "fontscale": None, "saxbelow": True,
    "volume_ylim": None}
_REFUSED = {
    "alines": "hlines= and vlines= are", "tlines": "hlines= and vlines= are",
    "ema": "make_addplot(df['Close'].ewm(span=...).mean()) is",
    "renko_params": "type='candle' is", "pnf_params": "type='candle' is",
    "return_calculated_values": "df['Close'].rolling(...) is",
    "return_width_config": "the figure of returnfig=True is",
    "marketcolors": "make_mpf_style(marketcolors=...) is",
    "marketcolor_overrides": "make_mpf_style(marketcolors=...) is",
    "mco_faceonly": "make_mpf_style(marketcolors=...) is",
    "update_width_config": "make_addplot(width=) is",
    "scale_width_adjustment": "make_addplot(width=) is",
    "volume_yscale": "axes of returnfig=True are",
    "yscale": "axes of returnfig=True are",
    "hollow_and_filled": "type='candle' is", "study": "addplot= is"}
Config = dict[str, Any]


def plot(data: Any, **kwargs: Any) -> Any:
    """Draws the prices of DATA, with columns Open, High, Low, Close."""
    import matplotlib.pyplot as plt
    config = _config(kwargs)
    prices = _prices(data, config)
    style = config["style"]
    if isinstance(style, str):
        style = styles.named(style)
    with plt.rc_context():
        if config["ax"] is None:
            styles.applied(style)
        return _plot(data, prices, config, style)


def _config(kwargs: Config) -> Config:
    for key, value in kwargs.items():
        if key in _REFUSED:
            raise NotImplementedError(f"plot({key}=) is not here; "
                                      f"{_REFUSED[key]}")
        if key not in _DEFAULTS:
            raise KeyError(f'Unrecognized kwarg="{key}"')
    config = {**_DEFAULTS, **kwargs}
    kind = config["type"]
    if kind in _REFUSED_KINDS:
        raise NotImplementedError(f"plot(type='{kind}') is not here; candle, "
                                  "ohlc and line are")
    if kind not in _KINDS or not styles.known_style(config["style"]):
        name = "type" if kind not in _KINDS else "style"
        raise TypeError(f'kwarg "{name}" validator returned False for value: '
                        f'"{config[name]}"')
    config["type"] = _KINDS[kind]
    if config["fontscale"] is not None:
        raise NotImplementedError("plot(fontscale=) is not here; style= with "
                                  "rc={'font.size': ...} is")
    added = config["addplot"]
    config["addplot"] = [added] if isinstance(added, dict) else added or []
    if not all(isinstance(one, dict) for one in config["addplot"]):
        raise TypeError("addplot must be `dict`, or `list of dict`, NOT "
                        f"{type(added)}")
    return config


class _Prices:
    """Columns of numbers, and where they stand on the axis of time."""

    def __init__(self, data: Any, columns: Any, all_days: bool) -> None:
        import matplotlib.dates as mdates
        import numpy as np
        self.dates = mdates.date2num(data.index.to_pydatetime())
        self.x = self.dates if all_days else np.arange(len(data))
        self.open, self.high, self.low, self.close = (
            _numbers(data, name) for name in columns[:4])
        self.volume = _numbers(data, columns[4]) \
            if columns[4] in data.columns else None
        self.step = (self.x[-1] - self.x[0]) / max(len(data), 1) or 1.0
        self.rises = self.open < self.close


def _numbers(data: Any, name: str) -> Any:
    if name not in data.columns:
        raise ValueError(
            f'Column "{name}" NOT FOUND in Input DataFrame!\n         CHECK '
            "that your column names are correct AND/OR, use kwarg `columns` "
            "to specify your column names.")
    if data[name].dtype.kind not in "iuf":
        raise ValueError(f'Data for column "{name}" must be ALL float or int.')
    return data[name].to_numpy(dtype=float)


def _prices(data: Any, config: Config) -> _Prices:
    import pandas as pd
    if not isinstance(data, pd.DataFrame):
        raise TypeError("Expect data as DataFrame")
    if not isinstance(data.index, pd.DatetimeIndex):
        raise TypeError("Expect data.index as DatetimeIndex")
    columns = config["columns"] or ("Open", "High", "Low", "Close", "Volume")
    if len(columns) != 5:
        raise ValueError("columns must be five names: open, high, low, close "
                         "and volume")
    config["close"] = columns[3]
    prices = _Prices(data, columns, config["show_nontrading"])
    if config["volume"] and prices.volume is None:
        raise ValueError("Request for volume, but NO volume data.")
    return prices


def _plot(data: Any, prices: _Prices, config: Config, style: Config) -> Any:
    panels = _own_axes(config) if config["ax"] is not None else \
        _panels(config, style)
    main = panels[config["main_panel"]][0]
    width = _between(len(prices.x), (2.25, 1.8, 1.3, 0.81, 0.8, 0.79))
    _draw_prices(main, prices, config, style["marketcolors"], width)
    _draw_averages(main, data, prices, config, style, width)
    _set_limits(main, prices, config)
    if config["volume"]:
        _draw_volume(panels, prices, config, style["marketcolors"])
    _draw_added(panels, prices, config, width)
    _draw_lines(main, prices, config)
    if config["fill_between"] is not None:
        filled(main, prices.x, config["fill_between"])
    _set_words(panels, prices, config, style)
    return _finished(main.figure, panels, config)


# -- the panels


def _panels(config: Config, style: Config) -> list[tuple[Any, Any]]:
    """A figure's axes: for each panel the first and the second ones."""
    import matplotlib.pyplot as plt
    wide, high = config["figsize"] or (
        side * config["figscale"] for side in config["figratio"])
    figure = plt.figure(figsize=(wide, high))
    count = _panel_count(config)
    shares = _shares(config, count)
    tight, scale = config["tight_layout"], config["scale_padding"]
    scales = scale if isinstance(scale, dict) else dict.fromkeys(
        ("left", "right", "top", "bottom"), scale)
    left, right, top, bottom = (
        pad * scales.get(side, 1.0) * (less if tight else 1.0)
        for side, pad, less in (("left", 0.18, 0.6), ("right", 0.10, 0.24),
                                ("top", 0.12, 0.24), ("bottom", 0.18, 0.6)))
    if _on_right(config, style):
        left, right = right, left
    panels: list[tuple[Any, Any]] = []
    for at in range(count):
        lift = sum(shares[at + 1:]) * (1 - bottom - top)
        axes = figure.add_axes(
            [left, bottom + lift, 1 - left - right,
             shares[at] * (1 - bottom - top)],
            sharex=panels[0][0] if panels else None)
        axes.set_axisbelow(config["saxbelow"])
        other = axes.twinx()
        other.grid(False)
        other.set_visible(True)
        panels.append((axes, other))
    return panels


def _on_right(config: Config, style: Config) -> bool:
    return bool(style.get("y_on_right"))


def _panel_count(config: Config) -> int:
    if config["num_panels"] is not None:
        return int(config["num_panels"])
    used = {0, config["main_panel"]}
    used |= {panel_of(one) for one in config["addplot"]}
    if config["volume"]:
        used.add(config["volume_panel"])
    missing = [at for at in range(len(used)) if at not in used]
    if missing:
        raise ValueError(f"inferred panel list is missing panels: {missing}")
    return len(used)


def _shares(config: Config, count: int) -> list[float]:
    """The parts of the height."""
    ratios = config["panel_ratios"]
    if ratios is None or count == 1:
        sizes: list[float] = [2] * count
        sizes[config["main_panel"]] = 5
    elif len(ratios) == count:
        sizes = list(ratios)
    elif len(ratios) == 2:
        sizes = [ratios[1]] * count
        sizes[config["main_panel"]] = ratios[0]
    else:
        raise ValueError(
            "len(panel_ratios) must be 2, or must be same as number of panels"
            f"\nlen(panel_ratios)={len(ratios)}  num panels={count}")
    return [size / sum(sizes) for size in sizes]


def _own_axes(config: Config) -> list[tuple[Any, Any]]:
    """Axes of the caller: ax=, and volume= if it is one."""
    panels = [(config["ax"], None)]
    if any(panel_of(one) or one["ax"] is not None
           for one in config["addplot"]):
        raise NotImplementedError("plot(ax=) draws addplot= in panel 0 alone "
                                  "here")
    if config["volume"] is True:
        raise ValueError("`volume` must be of type `matplotlib.axis.Axes`")
    if config["volume"]:
        panels.append((config["volume"], None))
        config["volume_panel"] = 1
    return panels


# -- what is drawn


def _between(count: int, values: tuple[float, ...]) -> float:
    """A width for COUNT prices; VALUES are for 30, 60, ... of them."""
    import numpy as np
    return float(np.interp(count, np.arange(len(values)) * 30 + 30, values))


def _draw_prices(axes: Any, prices: _Prices, config: Config, market: Config,
                 width: float) -> None:
    if config["type"] == "line":
        axes.plot(prices.x, prices.close, linewidth=width,
                  color=config["linecolor"] or market.get("line", "k"))
        return
    unit = prices.step if config["show_nontrading"] else 1.0
    if config["type"] == "candle":
        _draw_candles(axes, prices, market, unit)
    else:
        _draw_bars(axes, prices, market, unit)


def _colors(pair: Config, rises: Any) -> list[Any]:
    return [pair["up"] if up else pair["down"] for up in rises]


def _draw_candles(axes: Any, prices: _Prices, market: Config, unit: float,
                  ) -> None:
    import numpy as np
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.colors import to_rgba
    count = len(prices.x)
    half = _between(count, (0.65, 0.575, 0.5, 0.445, 0.435, 0.425, 0.42,
                            0.415)) * unit / 2
    line = _between(count, (1.0, 0.875, 0.75, 0.625, 0.5, 0.44))
    low, high = (np.minimum(prices.open, prices.close),
                 np.maximum(prices.open, prices.close))
    boxes, wicks = [], []
    for x, bottom, top, least, most in zip(prices.x, low, high, prices.low,
                                           prices.high):
        boxes.append([(x - half, bottom), (x - half, top), (x + half, top),
                      (x + half, bottom)])
        wicks += [[(x, least), (x, bottom)], [(x, top), (x, most)]]
    faces = [to_rgba(color, market["alpha"])
             for color in _colors(market["candle"], prices.rises)]
    axes.add_collection(LineCollection(
        wicks, linewidths=line,
        colors=_colors(market["wick"], np.repeat(prices.rises, 2))))
    axes.add_collection(PolyCollection(
        boxes, facecolors=faces, linewidths=line,
        edgecolors=_colors(market["edge"], prices.rises)))


def _draw_bars(axes: Any, prices: _Prices, market: Config, unit: float,
               ) -> None:
    import numpy as np
    from matplotlib.collections import LineCollection
    tick, lines = 0.35 * unit, []
    for x, first, most, least, last in zip(prices.x, prices.open, prices.high,
                                           prices.low, prices.close):
        lines += [[(x, least), (x, most)], [(x - tick, first), (x, first)],
                  [(x, last), (x + tick, last)]]
    axes.add_collection(LineCollection(
        lines, colors=_colors(market["ohlc"], np.repeat(prices.rises, 3)),
        linewidths=_between(len(prices.x), (1.5, 1.175, 0.85, 0.525))))


def _draw_averages(axes: Any, data: Any, prices: _Prices, config: Config,
                   style: Config, width: float) -> None:
    spans = config["mav"]
    if spans is None:
        return
    colors = config["mavcolors"] or style.get("mavcolors")
    some = cycle(colors) if colors else None
    for span in [spans] if isinstance(spans, int) else list(spans)[:7]:
        mean = data[config["close"]].rolling(span).mean().to_numpy()
        axes.plot(prices.x, mean, linewidth=width,
                  **({"color": next(some)} if some else {}))


def _draw_volume(panels: list[tuple[Any, Any]], prices: _Prices,
                 config: Config, market: Config) -> None:
    import numpy as np
    axes = panels[config["volume_panel"]][0]
    rises = prices.rises
    if market.get("vcdopcod"):
        rises = np.append(rises[:1], prices.close[1:] > prices.close[:-1])
    unit = prices.step if config["show_nontrading"] else 1.0
    width = _between(len(prices.x), (0.98, 0.96, 0.95, 0.925, 0.9, 0.9,
                                     0.875, 0.825)) * unit
    alpha = config["volume_alpha"] or market.get("volume_alpha")
    axes.bar(prices.x, prices.volume, width=width, linewidth=0.65,
             color=_colors(market["volume"], rises), alpha=alpha,
             edgecolor=_colors(market.get("vcedge") or market["volume"],
                               rises))
    most, least = np.nanmax(prices.volume), np.nanmin(prices.volume)
    axes.set_ylim(*(config["volume_ylim"] or
                    (0.3 * least, 1.1 * most if most else 1)))


def _order(values: Any) -> tuple[float, float]:
    """The magnitudes of the least and the largest of VALUES."""
    import numpy as np
    ends = np.abs([np.nanmin(values), np.nanmax(values)])
    low, high = np.log10(np.maximum(ends, 1e-7))
    return float(low), float(high)


def _draw_added(panels: list[tuple[Any, Any]], prices: _Prices,
                config: Config, width: float) -> None:
    import numpy as np
    low, high = _order(np.append(prices.low, prices.high))
    ranges = {config["main_panel"]: (low - 0.5, high + 0.5)}
    if config["volume"]:
        low, high = _order(prices.volume)
        ranges[config["volume_panel"]] = (low - 0.5, high + 0.5)
    for one in config["addplot"]:
        panel = panel_of(one)
        first, second = panels[panel]
        axes = first
        if one["ax"] is not None and config["ax"] is None:
            raise NotImplementedError("make_addplot(ax=) is not here; "
                                      "panel= is")
        for y in series_of(one):
            other = one["secondary_y"]
            if other == "auto":
                if np.isnan(y).all():
                    continue
                low, high = _order(y)
                least, most = ranges.setdefault(panel,
                                                (low - 0.5, high + 0.5))
                other = low < least or high > most
            axes = second if other and second is not None else first
            drawn(axes, prices.x, y, one, width)
            for span in _spans(one["mav"]):
                axes.plot(prices.x, _rolling(y, span), linewidth=width)
        if one["ylabel"] is not None:
            axes.set_ylabel(one["ylabel"])
        if one["ylim"] is not None:
            axes.set_ylim(*one["ylim"])
        if one["title"] is not None:
            axes.set_title(one["title"])
        if one["y_on_right"] is not None:
            _to_side(axes, one["y_on_right"])
        if one["label"] is not None:
            axes.legend()


def _spans(mav: Any) -> list[int]:
    return [] if mav is None else [mav] if isinstance(mav, int) else list(mav)


def _rolling(y: Any, span: int) -> Any:
    import pandas as pd
    return pd.Series(y).rolling(span).mean().to_numpy()


def _draw_lines(axes: Any, prices: _Prices, config: Config) -> None:
    """hlines= and vlines=: values, lists of them, or dicts with the look."""
    import matplotlib.dates as mdates
    import numpy as np
    import pandas as pd
    for name in ("hlines", "vlines"):
        given = config[name]
        if given is None:
            continue
        look = dict(given) if isinstance(given, dict) else {name: given}
        places = look.pop(name)
        if isinstance(places, (str, int, float)) or not hasattr(places,
                                                                "__len__"):
            places = [places]
        if name == "hlines":
            left, right = prices.x[0] - prices.step, prices.x[-1] + prices.step
            axes.hlines(places, left, right, **_look(look))
            continue
        days = mdates.date2num([pd.Timestamp(day).to_pydatetime()
                                for day in places])
        if not config["show_nontrading"]:
            days = np.interp(days, prices.dates, prices.x)
        axes.vlines(days, *axes.get_ylim(), **_look(look))


def _look(look: Config) -> Config:
    names = {"linestyle": "linestyles", "linewidth": "linewidths",
             "color": "colors"}
    return {names.get(key, key): value for key, value in look.items()}


# -- limits and words


def _set_limits(axes: Any, prices: _Prices, config: Config) -> None:
    import numpy as np
    low, high = np.nanmin(prices.low), np.nanmax(prices.high)
    left, right = prices.x[0] - prices.step, prices.x[-1] + prices.step
    axes.update_datalim([(left, low), (right, high)])
    axes.autoscale_view()
    if config["tight_layout"]:
        more = 0.25 * (np.nanstd(prices.low) + np.nanstd(prices.high)) / 2
        axes.set_xlim(prices.x[0] - 0.75, prices.x[-1] + 0.75)
        axes.set_ylim(low - more, high + more)
    if config["xlim"] is not None:
        axes.set_xlim(*config["xlim"])
    ylim = config["ylim"] or config["set_ylim"]
    if ylim is not None:
        axes.set_ylim(*ylim)


def _format_of(dates: Any) -> str:
    import matplotlib.dates as mdates
    first, last = mdates.num2date(dates[0]), mdates.num2date(dates[-1])
    if (dates[-1] - dates[0]) / len(dates) < 0.33:
        return "%H:%M" if first.date() == last.date() else "%b %d, %H:%M"
    return "%b %d" if first.year == last.year else "%Y-%b-%d"


def _formatter(prices: _Prices, config: Config) -> Any:
    import matplotlib.dates as mdates
    from matplotlib.ticker import FuncFormatter
    form = config["datetime_format"] or _format_of(prices.dates)
    if config["show_nontrading"]:
        return mdates.DateFormatter(form)

    def words(x: float, _: Optional[int] = None) -> str:
        at = int(round(x))
        if not 0 <= at < len(prices.dates):
            return ""
        return str(mdates.num2date(prices.dates[at]).strftime(form))

    return FuncFormatter(words)


def _to_side(axes: Any, right: bool) -> None:
    if right:
        axes.yaxis.tick_right()
        axes.yaxis.set_label_position("right")
    else:
        axes.yaxis.tick_left()
        axes.yaxis.set_label_position("left")


def _set_words(panels: list[tuple[Any, Any]], prices: _Prices,
               config: Config, style: Config) -> None:
    main, own = panels[config["main_panel"]][0], config["ax"] is not None
    formatter = _formatter(prices, config)
    for at, (first, second) in enumerate(panels):
        first.xaxis.set_major_formatter(formatter)
        first.tick_params(axis="x", rotation=config["xrotation"],
                          labelbottom=own or at == len(panels) - 1)
        if second is not None:
            _sides(first, second, _on_right(config, style))
    if config["ylabel"]:
        main.set_ylabel(config["ylabel"])
    if config["volume"]:
        axes = panels[config["volume_panel"]][0]
        word = config["ylabel_lower"]
        axes.set_ylabel(("Volume" if word is None else word) + _power(axes))
    elif config["ylabel_lower"] is not None and len(panels) > 1:
        panels[1][0].set_ylabel(config["ylabel_lower"])
    if config["xlabel"] is not None:
        panels[-1][0].set_xlabel(config["xlabel"])
    if config["axtitle"] is not None:
        panels[0][0].set_title(config["axtitle"])
    title = config["title"]
    if title is not None:
        given = dict(title) if isinstance(title, dict) else {"title": title}
        text = given.pop("title")
        main.figure.suptitle(text, **{"size": "x-large", "va": "center",
                                      "weight": "semibold", **given})
    if config["axisoff"]:
        for axes in main.figure.axes:
            axes.set_axis_off()


def _sides(first: Any, second: Any, right: bool) -> None:
    """The first axes' labels on their side; the second ones' if used."""
    if right:
        _to_side(first, True)
        _to_side(second, False)
    if not second.has_data():
        second.set_yticks([])
        second.patch.set_visible(False)


def _power(axes: Any) -> str:
    """Takes the power of ten from the axis, for the label."""
    axes.figure.canvas.draw()
    text = str(axes.yaxis.get_major_formatter().get_offset())
    axes.yaxis.offsetText.set_visible(False)
    if not text:
        return ""
    return "  $10^{%d}$" % int(text.replace("\N{MINUS SIGN}", "-")[2:]) \
        if text.startswith("1e") else f"  {text}"


def _finished(figure: Any, panels: list[tuple[Any, Any]], config: Config,
              ) -> Any:
    import matplotlib.pyplot as plt
    if config["ax"] is not None:
        return None
    target = config["savefig"]
    if target is not None:
        given = dict(target) if isinstance(target, dict) else \
            {"fname": target}
        if config["tight_layout"]:
            given.setdefault("bbox_inches", "tight")
        figure.savefig(given.pop("fname"), **given)
        if config["closefig"] and not config["returnfig"]:
            plt.close(figure)
    if config["returnfig"]:
        return figure, [axes for pair in panels for axes in pair]
    if target is None:
        plt.show(block=config["block"])
        if config["closefig"] and config["block"]:
            plt.close(figure)
    return None
