"""plotly_axes - where plotly's figures have their values, by matplotlib.

plotly draws in a browser, and there is none here. plotly_pictures.py draws its
figures with matplotlib instead. This file has what that needs: values as
numbers, colours, and the axes with their settings.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .values import numpy_module

import base64
import datetime
import importlib
import numbers
import re
from typing import Any, Iterable, Optional

Trace = dict[str, Any]
_Real = numbers.Real        # numpy's too
_import = importlib.import_module
_b64decode = base64.b64decode
_is_date = re.compile(r"\d{4}-\d\d(-\d\d([T ]\d\d:\d\d.*)?)?").fullmatch
_field = re.compile(r"%\{(\w+)(?::([^}]*))?\}")
_split_color = re.compile(r"rgba?\(([^)]*)\)").fullmatch
_CSS = {"grey": "gray", "transparent": "none"}
_SI = {-9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T"}
_DOTS = 100                 # an inch. plotly counts in pixels
FREE = {"l": 80, "r": 60, "t": 70, "b": 70}  # pixels around, by default


def decoded(data: Any) -> Any:
    """An array of a figure: newer versions of plotly have base64 there."""
    np: Any = numpy_module()
    if isinstance(data, dict) and "bdata" in data:
        flat = np.frombuffer(_b64decode(data["bdata"]), data["dtype"])
        shape = [int(n) for n in str(data.get("shape", "-1")).split(",")]
        return flat.reshape(shape)
    return data


def array(data: Any) -> list[Any]:
    """The values of a figure's array; [] if there is none."""
    data = decoded(data)
    return [] if data is None else list(data)


def at(settings: Any, *path: str) -> Any:
    """A setting inside settings, or None."""
    for name in path:
        if not isinstance(settings, dict):
            return None
        settings = settings.get(name)
    return settings


def setting(layout: dict[str, Any], *path: str) -> Any:
    """A setting of the layout, or else of its template."""
    found = at(layout, *path)
    return at(layout, "template", "layout", *path) if found is None else found


def plain(text: Any) -> str:
    """A label, which plotly writes in a little HTML. matplotlib would take
    a dollar for mathematics."""
    if isinstance(text, dict):
        text = text.get("text")
    text = re.sub(r"<br ?/?>", "\n", "" if text is None else str(text))
    text = re.sub(r"</?[a-zA-Z][^>]*>", "", text)
    if len(text) > 2 and text[0] == text[-1] == "$":
        return text
    return text.replace("$", r"\$")


def _with_unit(value: float, form: str) -> str:
    """A number in d3's format s: as many digits as it says, and SI's unit."""
    digits = max(int((re.search(r"\.(\d+)", form) or [0, 3])[1]), 1)
    rounded = f"{value:.{digits - 1}e}"
    power = int(rounded.partition("e")[2])
    unit = min(max(power // 3 * 3, -9), 12)
    after = max(digits - 1 - power + unit, 0)
    text = f"{float(rounded) / 10.0 ** unit:.{after}f}"
    if "." in text and ("~" in form or "." not in form):
        text = text.rstrip("0").rstrip(".")
    return (r"\$" if "$" in form else "") + text + _SI[unit]


def formatted(value: Any, form: str) -> str:
    """A number in d3's format, which is Python's but for s, of SI."""
    try:
        if form.endswith("s"):
            return _with_unit(value, form)
        if form.startswith("$"):
            return r"\$" + format(value, form[1:])
        return format(value, form)
    except (TypeError, ValueError):
        return str(value)


def filled(template: str, fields: dict[str, Any]) -> str:
    """A texttemplate with its fields."""
    def one(match: Any) -> str:
        value = fields.get(match[1])
        if match[2]:
            return formatted(value, match[2])
        if isinstance(value, float):
            return f"{value:.6g}"
        return "" if value is None else str(value)

    return plain(_field.sub(one, template))


def color(text: Any, opacity: Any = None) -> Any:
    """A colour of plotly's as matplotlib has it."""
    found: Any = text
    if isinstance(text, str):
        name = text.strip().lower().replace(" ", "")
        parts = _split_color(name)
        if parts:
            numbers = [float(part.strip("%")) for part in parts[1].split(",")]
            found = (*(number / 255 for number in numbers[:3]), *numbers[3:])
        else:
            found = _CSS.get(name, name)
    if opacity is None or found in ("none", None):
        return found
    to_rgba = _import("matplotlib.colors").to_rgba
    red, green, blue, alpha = to_rgba(found)
    return red, green, blue, alpha * float(opacity)


def color_map(scale: Any, reverse: Any = False) -> Any:
    """A colour scale of plotly's as matplotlib's map."""
    if isinstance(scale, str):
        scale = _import("plotly.colors").get_colorscale(scale)
    stops = [(min(max(float(place), 0), 1), color(name))
             for place, name in scale]
    if reverse:
        stops = [(1 - place, name) for place, name in reversed(stops)]
    colors = _import("matplotlib.colors")
    return colors.LinearSegmentedColormap.from_list("plotly", stops)


def ink_on(rgba: Any) -> str:
    """The colour of a text that can be read on another colour."""
    red, green, blue, _ = rgba
    return "black" if 0.3 * red + 0.6 * green + 0.1 * blue > 0.5 else "white"


def _kind_of(values: list[Any]) -> str:
    """What an axis with VALUES is, if its settings do not say."""
    np: Any = numpy_module()
    known = [value for value in values if value is not None and
             not (isinstance(value, float) and value != value)]
    if known and all(isinstance(value, (datetime.date, np.datetime64))
                     for value in known):
        return "date"
    texts = [value for value in known if isinstance(value, (str, bool))]
    if not texts:
        return "linear"
    if len(texts) == len(known) and all(
            isinstance(value, str) and _is_date(value) for value in texts):
        return "date"
    try:
        [float(value) for value in known]
        return "category" if isinstance(texts[0], bool) else "linear"
    except (TypeError, ValueError):
        return "category"


def _time(value: Any) -> Any:
    """A date as numpy has it. plotly takes a number for milliseconds."""
    np: Any = numpy_module()
    if isinstance(value, _Real):
        return np.datetime64(int(value), "ms") if value == value \
            else np.datetime64("NaT")
    return np.datetime64("NaT" if value is None else value)


class Scale:
    """An axis of plotly's: its values as numbers. WEIGHTS: for each name the
    sum of the other axis's values, by which names can be sorted."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings
        kind = settings.get("type")
        self.kind = None if kind in (None, "-") else str(kind)
        self.names: list[str] = [str(name) for name in
                                 array(settings.get("categoryarray"))]
        self.weights: dict[str, float] = {}
        self.seen: list[Any] = []

    def learn(self, values: list[Any], others: list[Any]) -> None:
        self.seen += values
        for index, value in enumerate(values):
            other = others[index] if index < len(others) else 1
            if isinstance(other, _Real):
                name = str(value)
                self.weights[name] = self.weights.get(name, 0) + other

    def settle(self) -> None:
        """All values are known: choose the kind, and the order of names."""
        self.kind = self.kind or _kind_of(self.seen)
        if self.kind != "category":
            return
        self.names += dict.fromkeys(
            str(value) for value in self.seen
            if value is not None and str(value) not in self.names)
        order = str(self.settings.get("categoryorder") or "trace")
        if order.startswith("category"):
            self.names.sort(reverse=order.endswith("descending"))
        elif order.startswith(("total", "sum")):
            self.names.sort(key=lambda name: self.weights.get(name, 0),
                            reverse=order.endswith("descending"))

    def numbers(self, values: Iterable[Any]) -> Any:
        """VALUES as an array of floats."""
        np: Any = numpy_module()
        if self.kind == "category":
            return np.array([self.names.index(str(value))
                             if str(value) in self.names else np.nan
                             for value in values], float)
        if self.kind == "date":
            times = np.array([_time(value) for value in values],
                             "datetime64[us]")
            return _import("matplotlib.dates").date2num(times)
        return np.array([np.nan if value is None else float(value)
                         for value in values], float)

    def place(self, value: Any) -> float:
        """Where an annotation or a shape is."""
        if self.kind == "category" and isinstance(value, _Real):
            return float(value)
        return float(self.numbers([value])[0])

    def _range(self) -> Optional[tuple[float, float]]:
        ends = array(self.settings.get("range"))
        if len(ends) != 2 or None in ends:
            return None
        if self.kind == "log":
            return 10 ** float(ends[0]), 10 ** float(ends[1])
        return self.place(ends[0]), self.place(ends[1])

    def apply(self, axis: Any, letter: str) -> None:
        """Give matplotlib's axis the settings."""
        ax, settings = axis.axes, self.settings
        getattr(ax, f"set_{letter}scale")(
            "log" if self.kind == "log" else "linear")
        if self.kind == "date":
            axis.axis_date()
            locator = _import("matplotlib.dates").AutoDateLocator()
            axis.set_major_locator(locator)
            axis.set_major_formatter(
                _import("matplotlib.dates").ConciseDateFormatter(locator))
        self._apply_ticks(axis)
        axis.set_label_text(plain(settings.get("title")))
        ends = self._range()
        if ends:
            getattr(ax, f"set_{letter}lim")(ends)
        elif settings.get("autorange") == "reversed":
            getattr(ax, f"invert_{letter}axis")()
        if settings.get("visible") is False:
            axis.set_visible(False)

    def _apply_ticks(self, axis: Any) -> None:
        settings = self.settings
        places = array(settings.get("tickvals"))
        texts: list[Any] = array(settings.get("ticktext")) or places
        form = settings.get("tickformat")
        before, after = (plain(settings.get("tick" + end))
                         for end in ("prefix", "suffix"))
        if len(places):
            axis.set_ticks([self.place(place) for place in places],
                           [plain(text) for text in texts[:len(places)]])
        elif self.kind == "category":
            step = max(1, len(self.names) // 40)
            axis.set_ticks(range(0, len(self.names), step),
                           [plain(name) for name in self.names[::step]])
        elif self.kind != "date" and (form or before or after):
            axis.set_major_formatter(
                lambda value, _place: before + (
                    formatted(value, form) if form else f"{value:g}") + after)
        if self.kind == "linear" and not len(places) and \
                all(float(value).is_integer() for value in self.seen
                    if isinstance(value, _Real) and value == value):
            axis.get_major_locator().set_params(integer=True)
        if settings.get("tickangle") is not None:
            axis.set_tick_params(rotation=-float(settings["tickangle"]))
        if settings.get("showticklabels") is False:
            axis.set_tick_params(labelleft=False, labelbottom=False)


class Sheet:
    """A picture: matplotlib's figure, and the axes of plotly's by name."""

    def __init__(self, layout: dict[str, Any], width: float, height: float,
                 right: float) -> None:
        """RIGHT: pixels for the legend."""
        self.layout = layout
        self.size = width, height
        margin = at(layout, "margin") or {}
        free = {side: float(FREE[side] if margin.get(side) is None
                            else max(margin[side], 10)) for side in FREE}
        # Beside the labels of an axis that is on the right.
        self.away = 70 if any(at(axis, "overlaying") for axis in
                              layout.values()) else 10
        if (at(layout, "legend", "y") or 0) < 0:
            free["b"] = max(free["b"], 100)
        free["r"] = max(free["r"], right and right + self.away)
        self.left, self.bottom = free["l"] / width, free["b"] / height
        self.width = max(1 - self.left - free["r"] / width, 0.1)
        self.height = max(1 - self.bottom - free["t"] / height, 0.1)
        self.ink = color(self.setting("font", "color") or "#2a3f5f")
        self.paper = color(self.setting("paper_bgcolor") or "white")
        self.figure = _import("matplotlib.figure").Figure(
            figsize=(width / _DOTS, height / _DOTS), dpi=_DOTS,
            facecolor=self.paper)
        self.scales: dict[str, Scale] = {}
        self.drawn: dict[tuple[str, str], Any] = {}  # axes by their names
        self.keys: list[tuple[str, Any]] = []        # of the legend
        self.bars: set[Any] = set()                  # of colours
        self.lines: dict[Any, Any] = {}              # the last one of axes
        self.sums: dict[Any, Any] = {}               # of areas
        self.parts: dict[str, Any] = {}              # axes that are no pair

    def setting(self, *path: str) -> Any:
        return setting(self.layout, *path)

    def color_of(self, index: int) -> Any:
        way = array(self.setting("colorway")) or ["#636efa"]
        return way[index % len(way)]

    def scale(self, name: str) -> Scale:
        """An axis by its short name: x, y2."""
        if name not in self.scales:
            long = name[0] + "axis" + name[1:]
            common = at(self.layout, "template", "layout",
                        name[0] + "axis") or {}
            self.scales[name] = Scale({**common,
                                       **(at(self.layout, long) or {})})
        return self.scales[name]

    def box(self, across: Any, up: Any) -> tuple[float, ...]:
        """Where a part of the picture is, as matplotlib has it."""
        (left, right), (low, high) = across or (0, 1), up or (0, 1)
        return (self.left + self.width * left,
                self.bottom + self.height * low,
                self.width * (right - left), self.height * (high - low))

    def axes(self, x: str, y: str) -> Any:
        """matplotlib's axes for two of plotly's."""
        if (x, y) in self.drawn:
            return self.drawn[x, y]
        over = self.scale(y).settings.get("overlaying")
        if over:
            ax = self.axes(x, str(over)).twinx()
            self._paint(ax)
            ax.grid(False)
            ax.patch.set_visible(False)
        else:
            ax = self.figure.add_axes(self.box(
                self.scale(x).settings.get("domain"),
                self.scale(y).settings.get("domain")))
            self._paint(ax)
        self.drawn[x, y] = ax
        return ax

    def _paint(self, ax: Any) -> None:
        ax.set_facecolor(color(self.setting("plot_bgcolor") or "white"))
        ax.set_axisbelow(True)
        for spine in ax.spines.values():
            spine.set_visible(False)
        ax.tick_params(colors=self.ink, length=0)
        for axis in (ax.xaxis, ax.yaxis):
            axis.label.set_color(self.ink)
        for letter in "xy":
            grid = self.setting(f"{letter}axis", "gridcolor") or "#dddddd"
            if self.setting(f"{letter}axis", "showgrid") is not False:
                ax.grid(True, axis=letter, color=color(grid), linewidth=1)

    def add_key(self, trace: dict[str, Any], artist: Any) -> None:
        """A row of the legend, unless the trace wants none."""
        if trace.get("showlegend") is not False:
            self.keys.append((trace["_label"], artist))

    def part(self, trace: dict[str, Any], **options: Any) -> Any:
        """Axes of a trace that has a domain, no x and y."""
        return self.figure.add_axes(self.box(
            at(trace, "domain", "x"), at(trace, "domain", "y")), **options)

    def scheme(self, owner: dict[str, Any]) -> dict[str, Any]:
        """The settings of colours by value, which a trace may share."""
        shared = owner.get("coloraxis")
        settings = at(self.layout, str(shared)) if shared else owner
        return {"key": shared or id(owner), **(settings or {})}

    def colors(self, scheme: dict[str, Any], values: Any) -> Any:
        """matplotlib's colours by value, for VALUES."""
        np: Any = numpy_module()
        mid, ends = scheme.get("cmid"), []
        for end, find in (("min", np.nanmin), ("max", np.nanmax)):
            known = [scheme[name] for name in ("c" + end, "z" + end)
                     if scheme.get(name) is not None]
            ends.append(float(known[0] if known else find(values)))
        if mid is not None:
            far = max(abs(end - float(mid)) for end in ends)
            ends = [float(mid) - far, float(mid) + far]
        scale = scheme.get("colorscale") or \
            self.setting("colorscale", "sequential") or "Plasma"
        return _import("matplotlib.cm").ScalarMappable(
            _import("matplotlib.colors").Normalize(*ends),
            color_map(scale, scheme.get("reversescale")))

    def mapped(self, owner: dict[str, Any], values: Any) -> Any:
        """The same for the settings of OWNER, with the bar that shows it."""
        scheme = self.scheme(owner)
        found = self.colors(scheme, values)
        self.show_colors(scheme, found)
        return found

    def show_colors(self, scheme: dict[str, Any], mapped: Any) -> None:
        """Draw the bar of colours, once for all that share it."""
        if scheme["key"] in self.bars or scheme.get("showscale") is False:
            return
        left = self.left + self.width + (0.02 + 0.12 * len(self.bars))
        self.bars.add(scheme["key"])
        cax = self.figure.add_axes((left, self.bottom, 0.025, self.height))
        bar = self.figure.colorbar(mapped, cax=cax)
        bar.outline.set_visible(False)
        cax.set_title(plain(at(scheme, "colorbar", "title")), fontsize=9,
                      color=self.ink, loc="left")
        cax.tick_params(colors=self.ink)

    def coordinates(self, x: Any, y: Any) -> tuple[Any, Any, Any]:
        """matplotlib's axes, and how the two coordinates of an annotation or
        a shape are placed that refers to X and Y: an axis, its domain, or
        the whole picture."""
        transforms = _import("matplotlib.transforms")
        paper = transforms.Affine2D().scale(self.width, self.height) \
            .translate(self.left, self.bottom) + self.figure.transFigure
        names = [str(ref or letter).split(" ")[0]
                 for ref, letter in ((x, "x"), (y, "y"))]
        pairs = [pair for pair in self.drawn if all(
            name in ("paper", own) for name, own in zip(names, pair))]
        if not pairs:
            return None, paper, paper
        ax = self.drawn[pairs[0]]
        return ax, *(paper if name == "paper" else ax.transAxes
                     if str(ref).endswith("domain") else ax.transData
                     for name, ref in zip(names, (x, y)))

    def finish(self) -> None:
        """Apply the settings of all axes, and make room for labels that
        would be cut."""
        for (x, y), ax in self.drawn.items():
            self.scale(x).apply(ax.xaxis, "x")
            self.scale(y).apply(ax.yaxis, "y")
            ax.autoscale_view()
        for letter in "xy":
            self._match(letter)
        for _ in range(3):  # a label keeps its size while axes shrink
            if not self._make_room():
                return

    def _match(self, letter: str) -> None:
        """Give the axes that match each other the same limits."""
        groups: dict[str, list[Any]] = {}
        for pair, ax in self.drawn.items():
            name = pair[letter == "y"]
            root = self.scale(name).settings.get("matches") or name
            groups.setdefault(str(root), []).append(ax)
        for axes in groups.values():
            limits = [getattr(ax, f"get_{letter}lim")() for ax in axes]
            low, high = (find(end for pair in limits for end in pair)
                         for find in (min, max))
            falls = limits[0][0] > limits[0][1]
            for ax in axes:
                getattr(ax, f"set_{letter}lim")(
                    (high, low) if falls else (low, high))

    def _make_room(self) -> bool:
        self.figure.draw_without_rendering()
        width, height = (side / _DOTS for side in self.size)
        need = self.figure.get_tightbbox()
        left, low = max(0, -need.x0 / width), max(0, -need.y0 / height)
        wide = 1 - left - max(0, need.x1 / width - 1)
        high = 1 - low - max(0, need.y1 / height - 1)
        if wide > 0.999 and high > 0.999 or wide < 0.2 or high < 0.2:
            return False
        for ax in self.figure.axes:
            place = ax.get_position()
            ax.set_position((left + place.x0 * wide, low + place.y0 * high,
                             place.width * wide, place.height * high))
        self.left, self.width = left + self.left * wide, self.width * wide
        self.bottom, self.height = low + self.bottom * high, \
            self.height * high
        return True


def own_color(sheet: Sheet, trace: Trace, *parts: str) -> Any:
    """The one colour of a trace, from the first of PARTS that has one."""
    for part in parts:
        found = at(trace, part, "color")
        if isinstance(found, str):
            return color(found)
    return color(sheet.color_of(trace["_index"]))


def swatch(paint: Any) -> Any:
    return _import("matplotlib.patches").Patch(facecolor=paint)


def axes_of(sheet: Sheet, trace: Trace) -> tuple[Any, Any, Any]:
    x, y = trace.get("xaxis") or "x", trace.get("yaxis") or "y"
    return sheet.axes(x, y), sheet.scale(x), sheet.scale(y)


def is_flat(trace: Trace) -> bool:
    return trace.get("orientation") == "h"
