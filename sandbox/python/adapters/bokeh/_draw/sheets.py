"""sheets - a plot as a figure of matplotlib.

Axes are drawn first and measured, which gives the frame its place. Each axis of
the plot has axes of matplotlib of its own, so that ranges may differ.
"""

from __future__ import annotations

import contextlib
from typing import Any, Iterator, Optional

import numpy as np

from .._colors import rgba
from . import notes, ticks
from .glyphs import KINDS, font
from .layers import Layer, Missing, dash_of, tell
from .legends import draw_bar, draw_legend
from .scales import Scale

_DPI = 100
_PX = 0.72
_SIDES = {"left": "left", "right": "right", "above": "top", "below": "bottom"}
SETTINGS = {"svg.fonttype": "none", "text.parse_math": False,
            "axes.unicode_minus": True, "path.simplify": True,
            "hatch.linewidth": 0.8, "axes.axisbelow": True}


def size_of(plot: Any) -> tuple[int, int]:
    """Width and height in pixels."""
    wide = plot.width or plot.min_width or 600
    high = plot.height or plot.min_height or 600
    if plot.aspect_ratio not in (None, "auto") and not plot.is_set("height"):
        high = wide / float(plot.aspect_ratio)
    return int(wide), int(high)


class Sheet:
    """A plot that is being drawn."""

    def __init__(self, plot: Any) -> None:
        from matplotlib.figure import Figure
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        self.plot = plot
        self.size = size_of(plot)
        self.figure = Figure([one / _DPI for one in self.size], dpi=_DPI)
        FigureCanvasAgg(self.figure)
        self.figure.patch.set_facecolor(rgba(plot.border_fill_color,
                                             plot.border_fill_alpha))
        self.rect = [0.12, 0.12, 0.8, 0.8]
        self.scales: dict[tuple[str, str], Scale] = {}
        self.sheets: dict[tuple[str, str], Any] = {}
        self.sides: list[tuple[str, Any]] = []
        self.layers: list[Layer] = []
        self.taken = {side: 0.0 for side in _SIDES}

    # -- ranges

    def scale(self, way: str, name: str = "default") -> Scale:
        key = way, name
        if key not in self.scales:
            plot = self.plot
            if name == "default":
                given = getattr(plot, f"{way}_range")
            else:
                more = getattr(plot, f"extra_{way}_ranges")
                if name not in more:
                    raise ValueError(f"the plot has no extra range {name!r}")
                given = more[name]
            own = getattr(plot, f"extra_{way}_scales").get(name) \
                if name != "default" else getattr(plot, f"{way}_scale")
            self.scales[key] = Scale(given, "log" if type(
                own).__name__ == "LogScale" else "linear")
        return self.scales[key]

    def _learn(self) -> None:
        for one in self.plot.renderers:
            if not one.visible or not hasattr(one, "glyph"):
                continue
            layer = Layer(one, self.scale("x", one.x_range_name),
                          self.scale("y", one.y_range_name))
            if layer.kind not in KINDS:
                raise NotImplementedError(f"the glyph {layer.kind} is not "
                                          "here")
            try:
                KINDS[layer.kind].learn(layer)
            except Missing as missing:
                tell(str(missing))
                continue
            self.layers.append(layer)
        for side in ("center", *_SIDES):
            for one in getattr(self.plot, side):
                notes.learn(self, one)

    def ends(self, way: str, name: str = "default") -> tuple[float, float]:
        return self.scale(way, name).ends()

    # -- axes

    def _axes(self, x: str, y: str, label: str, z: float) -> Any:
        """Axes of matplotlib for two ranges, with nothing to be seen."""
        from matplotlib.ticker import NullLocator

        ax = self.figure.add_axes(self.rect, label=label, zorder=z)
        for way, name in (("x", x), ("y", y)):
            if self.scale(way, name).kind == "log":
                getattr(ax, f"set_{way}scale")("log", nonpositive="clip")
            getattr(ax, f"set_{way}lim")(self.ends(way, name))
            ax.tick_params(which="both", axis=way, length=0, labelsize=0,
                           labelleft=False, labelbottom=False)
            getattr(ax, f"{way}axis").set_major_locator(NullLocator())
        ax.minorticks_off()
        ax.patch.set_visible(False)
        for spine in ax.spines.values():
            spine.set_visible(False)
        ax.set_autoscale_on(False)
        return ax

    def sheet(self, x: str = "default", y: str = "default") -> Any:
        """The axes that things of two ranges are drawn on."""
        if (x, y) not in self.sheets:
            self.sheets[x, y] = self._axes(x, y, f"sheet {x} {y}",
                                           1 + len(self.sheets) * 0.01)
        return self.sheets[x, y]

    def _frame(self) -> None:
        plot, ax = self.plot, self.sheet()
        ax.patch.set_visible(True)
        ax.patch.set_facecolor(rgba(plot.background_fill_color,
                                    plot.background_fill_alpha))
        color = rgba(plot.outline_line_color, plot.outline_line_alpha)
        for spine in ax.spines.values():
            spine.set_visible(True)
            spine.set_color(color)
            spine.set_linewidth(float(plot.outline_line_width or 0) * _PX)

    def _draw_axis(self, axis: Any, side: str) -> None:
        """One axis of the plot, on axes of its own."""
        if not axis.visible:
            return
        way = "x" if side in ("above", "below") else "y"
        name = getattr(axis, f"{way}_range_name")
        ax = self._axes(*((name, "default") if way == "x" else
                          ("default", name)),
                        f"axis {len(self.sides)}", 3)
        place = _SIDES[side]
        line = getattr(ax, f"{way}axis")
        spine = ax.spines[place]
        spine.set_visible(True)
        spine.set_color(rgba(axis.axis_line_color, axis.axis_line_alpha))
        spine.set_linewidth(float(axis.axis_line_width or 0) * _PX)
        spine.set_position(("outward", self.taken[side] * _PX))
        # A spine that is moved forgets the ticks, so these come afterwards.
        self._ticks(ax, line, axis, way, name, place)
        text = getattr(axis.axis_label, "text", axis.axis_label)
        if text:
            line.set_label_position(place)
            line.set_label_text(
                str(text), color=rgba(axis.axis_label_text_color,
                                      axis.axis_label_text_alpha),
                **font(axis, "axis_label_text_"))
            line.labelpad = float(axis.axis_label_standoff) * _PX + \
                self._group_room(axis, way) * _PX
        self.sides.append((side, ax))
        if any(one is not axis for one in getattr(self.plot, side)):
            self.taken[side] = float(self._outside(ax)[side]) + 5

    def _group_room(self, axis: Any, way: str) -> float:
        """Pixels that the names of groups take."""
        levels = getattr(self.scale(way, getattr(
            axis, f"{way}_range_name")), "levels", 1)
        return 20.0 * max(0, levels - 1)

    def _ticks(self, ax: Any, line: Any, axis: Any, way: str, name: str,
               place: str) -> None:
        from matplotlib.ticker import FixedFormatter, FixedLocator, \
            NullLocator

        scale = self.scale(way, name)
        places, labels, unit = ticks.of_axis(axis, scale, scale.ends())
        line.set_major_locator(FixedLocator(places))
        line.set_major_formatter(FixedFormatter([str(one) for one in labels]))
        line.set_minor_locator(NullLocator())
        line.set_ticks_position(place)
        color = axis.major_tick_line_color
        inside, outside = axis.major_tick_in, axis.major_tick_out
        shown = color is not None
        turn = axis.major_label_orientation
        degrees = {"horizontal": 0, "normal": 0, "vertical": 90,
                   "parallel": 0}.get(turn, None) \
            if isinstance(turn, str) else np.degrees(float(turn))
        looks = font(axis, "major_label_text_")
        hidden = rgba(axis.major_label_text_color,
                      axis.major_label_text_alpha)[3] == 0 or \
            looks["fontsize"] <= 0
        ax.tick_params(
            axis=way, which="major", direction="inout",
            length=(inside + outside) * _PX if shown else 0,
            width=float(axis.major_tick_line_width or 0) * _PX,
            color=rgba(color), pad=float(axis.major_label_standoff) * _PX,
            labelsize=max(looks["fontsize"], 1),
            **{f"label{place}": not hidden},
            labelcolor=rgba(axis.major_label_text_color,
                            axis.major_label_text_alpha))
        for label in line.get_ticklabels():
            label.set(rotation=degrees or 0, fontweight=looks["fontweight"],
                      fontstyle=looks["fontstyle"])
            if way == "x" and degrees:
                self._turned(label, degrees, place)
        if scale.factors and scale.levels > 1:
            notes.draw_groups(ax, axis, scale, way)
        elif not scale.factors and axis.minor_tick_line_color is not None \
                and unit == "" and len(places) > 1:
            self._minor(ax, line, axis, way, places, scale.ends())

    @staticmethod
    def _turned(label: Any, degrees: float, place: str) -> None:
        """A label below a tick ends at the tick, or begins there."""
        upward = degrees % 360 < 180
        ends = upward == (place == "bottom")
        label.set(ha="right" if ends else "left", va="center",
                  rotation_mode="anchor")

    @staticmethod
    def _minor(ax: Any, line: Any, axis: Any, way: str, places: Any,
               ends: tuple[float, float]) -> None:
        from matplotlib.ticker import FixedLocator

        count = getattr(axis.ticker, "num_minor_ticks", 5) or 0
        if not isinstance(count, int) or count < 2:
            return
        step = (places[1] - places[0]) / count
        low, high = min(ends), max(ends)
        first = np.ceil((low - places[0]) / step)
        last = np.floor((high - places[0]) / step)
        line.set_minor_locator(FixedLocator(
            places[0] + np.arange(first, last + 1) * step))
        ax.tick_params(axis=way, which="minor", direction="out",
                       length=axis.minor_tick_out * _PX, width=_PX,
                       color=rgba(axis.minor_tick_line_color))

    def _grid(self, grid: Any) -> None:
        way = "xy"[grid.dimension]
        axis = grid.axis or next(iter(getattr(self.plot, f"{way}axis")), None)
        if not grid.visible or axis is None:
            return
        name = getattr(axis, f"{way}_range_name")
        scale = self.scale(way, name)
        ends = scale.ends()
        if grid.ticker is not None:
            axis = axis.clone(ticker=grid.ticker)
        places = ticks.of_axis(axis, scale, ends)[0]
        ax = self.sheet(*((name, "default") if way == "x" else
                          ("default", name)))
        draw = ax.axvline if way == "x" else ax.axhline
        span = ax.axvspan if way == "x" else ax.axhspan
        if grid.band_fill_color is not None:
            edges = [min(ends), *sorted(places), max(ends)]
            for low, high in list(zip(edges, edges[1:]))[1::2]:
                span(low, high, facecolor=rgba(grid.band_fill_color,
                                               grid.band_fill_alpha),
                     linewidth=0, zorder=0.2)
        if grid.grid_line_color is not None:
            for place in places:
                draw(place, zorder=0.5, color=rgba(
                    grid.grid_line_color, grid.grid_line_alpha),
                    linewidth=float(grid.grid_line_width) * _PX,
                    linestyle=dash_of(grid.grid_line_dash))

    # -- places

    def _outside(self, ax: Any) -> dict[str, float]:
        """How far the drawn axes reach beyond the frame, in pixels."""
        drawn = self.figure.canvas.get_renderer()
        box = ax.get_tightbbox(drawn)
        frame = ax.get_window_extent(drawn)
        if box is None:
            return dict.fromkeys(_SIDES, 0.0)
        return {"left": frame.x0 - box.x0, "right": box.x1 - frame.x1,
                "above": box.y1 - frame.y1, "below": frame.y0 - box.y0}

    def measure(self) -> dict[str, float]:
        """How far all axes reach beyond the frame at each side."""
        self.reach = dict.fromkeys(_SIDES, 0.0)
        for _, ax in self.sides:
            for side, away in self._outside(ax).items():
                self.reach[side] = max(self.reach[side], float(away))
        return self.reach

    def _settle(self, more: dict[str, float]) -> None:
        """The frame's place, with room for all that is around it."""
        plot = self.plot
        margins = dict(self.reach)
        for side in _SIDES:
            least = {"above": "top", "below": "bottom"}.get(side, side)
            own = getattr(plot, f"min_border_{least}")
            border = plot.min_border if own is None else own
            margins[side] = max(margins[side] + more[side] + 8,
                                float(border or 0), 8)
        wide, high = self.size
        if plot.frame_width:
            wide = plot.frame_width + margins["left"] + margins["right"]
        if plot.frame_height:
            high = plot.frame_height + margins["above"] + margins["below"]
        self.size = int(wide), int(high)
        self.figure.set_size_inches([one / _DPI for one in self.size])
        self.rect = [margins["left"] / wide, margins["below"] / high,
                     max(wide - margins["left"] - margins["right"], 10) /
                     wide, max(high - margins["above"] - margins["below"],
                               10) / high]
        for ax in self.figure.axes:
            ax.set_position(self.rect)
        if plot.match_aspect:
            self._match()

    def _match(self) -> None:
        """A unit of y as long as a unit of x."""
        wide, high = self.rect[2] * self.size[0], self.rect[3] * self.size[1]
        for ax in self.figure.axes:
            (left, right), (low, top) = ax.get_xlim(), ax.get_ylim()
            per = max(abs(right - left) / wide, abs(top - low) / high)
            for way, span, ends in (("x", wide, (left, right)),
                                    ("y", high, (low, top))):
                middle, half = sum(ends) / 2, per * span / 2
                sign = 1 if ends[1] >= ends[0] else -1
                getattr(ax, f"set_{way}lim")(middle - sign * half,
                                             middle + sign * half)

    def ratio(self, ax: Any) -> float:
        """Units of y that are as long as one of x."""
        (left, right), (low, top) = ax.get_xlim(), ax.get_ylim()
        wide, high = self.rect[2] * self.size[0], self.rect[3] * self.size[1]
        return abs((top - low) / high / ((right - left) / wide))

    # -- all

    def draw(self) -> Any:
        plot = self.plot
        self._learn()
        self._frame()
        for side in _SIDES:
            for one in getattr(plot, side):
                if hasattr(one, "axis_label"):
                    self._draw_axis(one, side)
        room, panels = notes.rooms(self)
        self._settle(room)
        for one in plot.center:
            if hasattr(one, "grid_line_color"):
                self._grid(one)
        notes.draw_all(self, under=True)
        self._draw_layers()
        notes.draw_all(self, under=False)
        notes.draw_title(self)
        self._draw_panels(panels)
        return self.figure

    def _draw_layers(self) -> None:
        for at, layer in enumerate(self.layers):
            ax = self.sheet(layer.renderer.x_range_name,
                            layer.renderer.y_range_name)
            layer.ax, layer.ratio = ax, self.ratio(ax)
            before = set(ax.get_children())
            KINDS[layer.kind].draw(ax, layer)
            for one in set(ax.get_children()) - before:
                one.set_zorder(2 + at * 0.001)
            ax.set_xlim(ax.get_xlim())

    def _draw_panels(self, panels: list[tuple[str, Any, float]]) -> None:
        """Legends and bars of colours, in the frame and beside it."""
        for one in self.plot.center:
            if hasattr(one, "click_policy") and one.visible:
                draw_legend(self, one, None, 0)
            elif hasattr(one, "bar_line_color") and one.visible:
                draw_bar(self, one, "center", 0)
        for side, one, away in panels:
            if hasattr(one, "click_policy"):
                draw_legend(self, one, side, away)
            elif hasattr(one, "bar_line_color"):
                draw_bar(self, one, side, away)


def drawn(plot: Any) -> Sheet:
    import matplotlib

    if _kept is not None and id(plot) in _kept:
        return _kept[id(plot)]
    with matplotlib.rc_context(SETTINGS):
        sheet = Sheet(plot)
        sheet.draw()
    if _kept is not None:
        _kept[id(plot)] = sheet
    return sheet


_kept: Optional[dict[int, Sheet]] = None


@contextlib.contextmanager
def together() -> Iterator[None]:
    """Within this a plot is drawn once, for all its forms."""
    global _kept
    before, _kept = _kept, {} if _kept is None else _kept
    try:
        yield
    finally:
        _kept = before


def saved(sheet: Sheet, form: str, scale: float = 1.0) -> bytes:
    """The picture of a drawn plot, as `png` or `svg`."""
    import io

    import matplotlib

    stream = io.BytesIO()
    more: Optional[dict[str, Any]] = {"Date": None} if form == "svg" else None
    with matplotlib.rc_context(SETTINGS):
        sheet.figure.savefig(stream, format=form, metadata=more,
                             facecolor=sheet.figure.get_facecolor(),
                             dpi=_DPI * scale)
    return stream.getvalue()
