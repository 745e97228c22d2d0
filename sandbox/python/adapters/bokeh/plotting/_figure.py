"""figure - a plot with a method for each glyph."""

from __future__ import annotations

import warnings
from typing import Any, Optional

import numpy as np
import pandas as pd

from .._base import BokehDeprecationWarning, is_list
from ..core.enums import MarkerType
from ..models import _NAMES as M
from ..models._plots import Plot, range_of

_OPTIONS = {
    "tools": "pan,wheel_zoom,box_zoom,save,reset,help", "tooltips": None,
    "x_axis_label": "", "y_axis_label": "", "x_axis_type": "auto",
    "y_axis_type": "auto", "x_axis_location": "below",
    "y_axis_location": "left", "x_minor_ticks": "auto",
    "y_minor_ticks": "auto", "active_drag": "auto", "active_inspect": "auto",
    "active_scroll": "auto", "active_tap": "auto", "active_multi": "auto",
}
# The glyphs' arguments in their order.
_GLYPHS = {
    "line": "Line x y", "scatter": "Scatter x y size angle marker",
    "vbar": "VBar x width top bottom", "hbar": "HBar y height right left",
    "quad": "Quad left right bottom top", "rect": "Rect x y width height",
    "block": "Block x y width height", "patch": "Patch x y",
    "patches": "Patches xs ys", "multi_line": "MultiLine xs ys",
    "varea": "VArea x y1 y2", "harea": "HArea x1 x2 y",
    "varea_step": "VAreaStep x y1 y2", "step": "Step x y",
    "segment": "Segment x0 y0 x1 y1", "ray": "Ray x y length angle",
    "text": "Text x y text angle x_offset y_offset",
    "wedge": "Wedge x y radius start_angle end_angle direction",
    "annular_wedge": "AnnularWedge x y inner_radius outer_radius start_angle "
                     "end_angle direction",
    "annulus": "Annulus x y inner_radius outer_radius",
    "arc": "Arc x y radius start_angle end_angle direction",
    "ellipse": "Ellipse x y width height angle",
    "image": "Image image x y dw dh", "hspan": "HSpan y", "vspan": "VSpan x",
    "image_rgba": "ImageRGBA image x y dw dh",
}
_ABSENT = ("hexbin hex_tile bezier quadratic image_url image_stack "
           "multi_polygons graph mathml tex hstrip vstrip ngon "
           "harea_step").split()
_RENDERER = ("name", "view", "visible", "level", "x_range_name",
             "y_range_name", "muted", "tags", "coordinates", "context_menu")
_STATES = ("hover_", "selection_", "nonselection_", "muted_")
_SCALARS = {"Line", "Patch", "VArea", "HArea", "Step", "VAreaStep"}
_BLUE = "#1f77b4"


class figure(Plot):
    """A new plot, with axes, grids and tools."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if args:
            raise TypeError("figure.__init__() takes 1 positional argument "
                            f"but {len(args) + 1} were given")
        options = {name: kwargs.pop(name, default)
                   for name, default in _OPTIONS.items()}
        near = {**_OPTIONS}
        for name in kwargs:
            if name not in self._props and name != "id":
                self._refuse_argument(name, near)
        ends = {name: kwargs.pop(name, None)
                for name in ("x_range", "y_range")}
        super().__init__(**kwargs)
        self.x_range, self.y_range = map(range_of, ends.values())
        self._dress(options)
        self.tools = options["tools"]
        if options["tooltips"] is not None:
            self.add_tools(M["HoverTool"](tooltips=options["tooltips"]))

    @classmethod
    def _refuse_argument(cls, name: str, more: Any) -> None:
        kept = cls._props
        try:
            cls._props = {**kept, **more}
            cls._refuse(name)
        finally:
            cls._props = kept

    def _dress(self, options: dict[str, Any]) -> None:
        for at, name in enumerate("xy"):
            kind = options[f"{name}_axis_type"]
            kind = self._axis_kind(kind, getattr(self, f"{name}_range"))
            scale = {"LogAxis": "LogScale",
                     "CategoricalAxis": "CategoricalScale"}
            setattr(self, f"{name}_scale",
                    M[scale.get(kind or "", "LinearScale")]())
            axis = M[kind]() if kind else None
            if axis is not None:
                self._furnish(axis, kind)
                axis.axis_label = options[f"{name}_axis_label"] or None
                place = options[f"{name}_axis_location"]
                if place is not None:
                    self.add_layout(axis, place)
            self.add_layout(M["Grid"](dimension=at, axis=axis))

    @staticmethod
    def _furnish(axis: Any, kind: str) -> None:
        ticker, formatter = {
            "LogAxis": ("LogTicker", "LogTickFormatter"),
            "DatetimeAxis": ("DatetimeTicker", "DatetimeTickFormatter"),
            "CategoricalAxis": ("CategoricalTicker",
                                "CategoricalTickFormatter"),
        }.get(kind, ("BasicTicker", "BasicTickFormatter"))
        axis.ticker, axis.formatter = M[ticker](), M[formatter]()

    @staticmethod
    def _axis_kind(kind: Any, given: Any) -> Optional[str]:
        if kind is None:
            return None
        if kind == "mercator":
            raise NotImplementedError("axis_type='mercator' is not here")
        found = {"linear": "LinearAxis", "log": "LogAxis",
                 "datetime": "DatetimeAxis"}.get(kind)
        if found:
            return found
        if kind != "auto":
            raise ValueError(f"Unrecognized axis_type: '{kind}'")
        if isinstance(given, M["FactorRange"]):
            return "CategoricalAxis"
        if isinstance(given, M["Range1d"]) and _is_time(given.start):
            return "DatetimeAxis"
        return "LinearAxis"

    # -- glyphs

    def _add(self, kind: str, given: dict[str, Any],
             kwargs: dict[str, Any]) -> Any:
        """A renderer of a glyph with GIVEN data and visual properties."""
        cls = M[kind]
        legend = {name: kwargs.pop(name) for name in
                  ("legend_label", "legend_field", "legend_group")
                  if kwargs.get(name) is not None}
        if len(legend) > 1:
            raise ValueError("Only one of legend_label, legend_field, "
                             "legend_group may be provided, got: "
                             f"{nice(list(legend))}")
        source = kwargs.pop("source", None)
        own = source is None
        if own:
            source = M["ColumnDataSource"]()
        elif not isinstance(source, M["ColumnDataSource"]):
            source = M["ColumnDataSource"](source)
        renderer = {name: kwargs.pop(name) for name in _RENDERER
                    if name in kwargs}
        states = _states(cls, kwargs)
        values = {**given, **_visuals(cls, kwargs)}
        for name in values:
            if name not in cls._props:
                cls._refuse(name)
        _move_data(cls, values, source, own)
        glyph = cls(**values)
        found = self.add_glyph(source, glyph, **renderer)
        found.__dict__["_states"] = states
        if legend:
            self._label(found, *next(iter(legend.items())))
        return found

    def _label(self, renderer: Any, kind: str, value: Any) -> None:
        legends = self.legend
        if legends:
            legend = legends[0]
        else:
            legend = M["Legend"]()
            self.add_layout(legend)
        if kind == "legend_group":
            self._label_groups(legend, renderer, value)
            return
        label = {"value": str(value)} if kind == "legend_label" else \
            {"field": value}
        for item in legend.items:
            if item.label == label:
                item.renderers.append(renderer)
                return
        legend.items.append(M["LegendItem"](label=label,
                                            renderers=[renderer]))

    @staticmethod
    def _label_groups(legend: Any, renderer: Any, name: Any) -> None:
        data = renderer.data_source.data
        if name not in data:
            raise ValueError("Column to be grouped does not exist in glyph "
                             "data source")
        first: dict[Any, int] = {}
        for at, value in enumerate(data[name]):
            first.setdefault(value, at)
        legend.items += [M["LegendItem"](label={"value": str(value)},
                                         renderers=[renderer], index=at)
                         for value, at in first.items()]

    def circle(self, *args: Any, **kwargs: Any) -> Any:
        """Circles of a radius; of a size in pixels in older programs."""
        given = dict(zip(("x", "y", "radius"), args))
        kwargs.update(given)
        if "radius" in kwargs:
            return self._add("Circle", {}, kwargs)
        _outdated("'circle() method with size value'",
                  "'scatter(size=...) instead'")
        return self._add("Scatter", {"marker": "circle"}, kwargs)

    def scatter(self, *args: Any, **kwargs: Any) -> Any:
        """Markers."""
        given = _placed("scatter", "x y size angle marker".split(), args,
                        kwargs)
        marker = given.get("marker", kwargs.pop("marker", "circle"))
        given["marker"] = _MARKS.get(marker, marker) \
            if isinstance(marker, str) else marker
        if isinstance(marker, str) and "radius" in kwargs:
            if marker != "circle":
                raise ValueError("Can only use 'radius' with marker 'circle'")
            given.pop("marker")
            return self._add("Circle", given, kwargs)
        return self._add("Scatter", given, kwargs)

    # -- piles

    def _pile(self, method: str, stackers: Any, ends: tuple[str, str],
              kwargs: dict[str, Any]) -> list[Any]:
        stackers = list(stackers)
        for name, value in kwargs.items():
            if isinstance(value, (list, tuple)) and \
                    len(value) != len(stackers) and name != "source":
                raise ValueError("Keyword argument sequences for broadcasting "
                                 "must all be the same lengths. Got lengths: "
                                 f"{sorted({len(stackers), len(value)})}")
        found = []
        for at, name in enumerate(stackers):
            own = {key: value[at] if isinstance(value, (list, tuple))
                   else value for key, value in kwargs.items()}
            first = M["Stack"](fields=stackers[:at])
            last = M["Stack"](fields=stackers[:at + 1])
            own[ends[0]], own[ends[1]] = {"expr": first}, {"expr": last}
            own.setdefault("name", name)
            found.append(getattr(self, method)(**own))
        return found

    def vbar_stack(self, stackers: Any, **kwargs: Any) -> list[Any]:
        return self._pile("vbar", stackers, ("bottom", "top"), kwargs)

    def hbar_stack(self, stackers: Any, **kwargs: Any) -> list[Any]:
        return self._pile("hbar", stackers, ("left", "right"), kwargs)

    def varea_stack(self, stackers: Any, **kwargs: Any) -> list[Any]:
        return self._pile("varea", stackers, ("y1", "y2"), kwargs)

    def harea_stack(self, stackers: Any, **kwargs: Any) -> list[Any]:
        return self._pile("harea", stackers, ("x1", "x2"), kwargs)

    def _line_stack(self, name: str, stackers: Any, kwargs: Any) -> list[Any]:
        stackers = list(stackers)
        found = []
        for at, one in enumerate(stackers):
            own = {key: value[at] if isinstance(value, (list, tuple))
                   else value for key, value in kwargs.items()}
            own[name] = {"expr": M["Stack"](fields=stackers[:at + 1])}
            own.setdefault("name", one)
            found.append(self.line(**own))
        return found

    def vline_stack(self, stackers: Any, **kwargs: Any) -> list[Any]:
        return self._line_stack("y", stackers, kwargs)

    def hline_stack(self, stackers: Any, **kwargs: Any) -> list[Any]:
        return self._line_stack("x", stackers, kwargs)


def nice(words: list[str]) -> str:
    return ", ".join(words)


def _outdated(old: str, new: str) -> None:
    warnings.warn(f"{old} was deprecated since Bokeh 3.4.0 and will be "
                  f"removed, use {new} instead.", BokehDeprecationWarning,
                  stacklevel=3)


def _is_time(value: Any) -> bool:
    import datetime

    return isinstance(value, (datetime.date, np.datetime64, pd.Timestamp,
                              pd.Period))


def _placed(name: str, names: list[str], args: Any, kwargs: Any) -> Any:
    """Positional arguments by their names."""
    if len(args) > len(names):
        raise TypeError(f"figure.{name}() takes from 1 to {len(names) + 1} "
                        f"positional arguments but {len(args) + 1} were "
                        "given")
    found = dict(zip(names, args))
    for one in found:
        if one in kwargs:
            raise TypeError(f"figure.{name}() got multiple values for "
                            f"argument '{one}'")
    return found


def _groups(cls: Any) -> list[str]:
    """line_, fill_, ... that a glyph has."""
    return [group for group in ("line_", "fill_", "hatch_", "text_")
            if group + "color" in cls._props]


def _visuals(cls: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
    """Visual properties with the defaults of the methods: blue."""
    found = dict(kwargs)
    color, alpha = found.pop("color", None), found.pop("alpha", None)
    for group in _groups(cls):
        plain = "black" if group in ("text_", "hatch_") else _BLUE
        found.setdefault(group + "color", plain if color is None else color)
        found.setdefault(group + "alpha", 1.0 if alpha is None else alpha)
    if cls.__name__ == "Image":
        palette = found.pop("palette", None)
        if palette is not None and found.get("color_mapper") is not None:
            raise ValueError("both 'palette' and 'color_mapper' are given")
        if found.get("color_mapper") is None:
            if palette is None:
                from ..palettes import named
                palette = named("Greys9")
            found["color_mapper"] = M["LinearColorMapper"](palette=palette)
    return found


def _states(cls: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
    """Looks of a glyph that is chosen, pointed at or muted: taken out of
    KWARGS, and checked."""
    found = {}
    for name in list(kwargs):
        for state in _STATES:
            if not name.startswith(state):
                continue
            rest = name[len(state):]
            if rest not in cls._props and rest not in ("color", "alpha"):
                cls._refuse(name)
            found[name] = kwargs.pop(name)
            break
    return found


def _move_data(cls: Any, values: dict[str, Any], source: Any,
               own: bool) -> None:
    """Sequences among VALUES become columns of the source."""
    loose = []
    columns = {}
    for name, value in list(values.items()):
        if name in ("line_dash", "decorations", "tags") or \
                name.endswith("dash"):
            continue
        if name.endswith("color") and isinstance(value, tuple) and \
                len(value) in (3, 4) and all(
                    isinstance(one, (int, float)) for one in value):
            continue
        if isinstance(value, str) and name.endswith("color") and own:
            _check_color(cls, name, value)
        if is_list(value) or isinstance(value, np.ndarray):
            if name.endswith("color") and cls.__name__ in _SCALARS:
                raise ValueError(f"failed to validate {cls.__name__}(...)."
                                 f"{name}: expected a color, got {value!r}")
            loose.append(name)
            columns[name] = value
            values[name] = {"field": name} if name in (
                "text", "marker") or name.endswith(("color", "pattern")) \
                else name
        elif name == "image" and not isinstance(value, (str, dict)):
            raise ValueError("expected an element of List(Array) for image")
    if loose and not own:
        shown = " and ".join(loose)
        raise RuntimeError(
            f"\n\nExpected {shown} to reference fields in the supplied data "
            "source.\n\nWhen a 'source' argument is passed to a glyph method, "
            "values that are sequences\n(like lists or arrays) must come from "
            "references to data columns in the source.\n")
    if columns:
        source.data = {**source.data, **columns}


def _check_color(cls: Any, name: str, value: str) -> None:
    from .._colors import is_color

    if not is_color(value):
        raise ValueError(
            f"failed to validate {cls.__name__}(...).{name}: expected an "
            "element of either String, Nullable(Color), ... or a column of "
            f"the source, got {value!r}")


_MARKS = {"o": "circle", "*": "asterisk", "+": "cross", "^": "triangle",
          "v": "inverted_triangle", "s": "square", "d": "diamond",
          "x": "x", ".": "dot"}


def _glyph_method(name: str, row: str) -> Any:
    kind, *names = row.split()

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return self._add(kind, _placed(name, names, args, kwargs), kwargs)

    method.__name__, method.__doc__ = name, f"Draw {kind}."
    return method


def _marker_method(name: str) -> Any:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        _outdated(f"'{name}() method'",
                  f"\"scatter(marker='{name}', ...) instead\"")
        return self._add("Scatter", {**_placed(name, ["x", "y", "size",
                                                      "angle"], args, kwargs),
                                     "marker": name}, kwargs)

    method.__name__ = name
    return method


def _absent_method(name: str) -> Any:
    def method(self: Any, *_args: Any, **_kwargs: Any) -> Any:
        raise NotImplementedError(f"figure.{name}() is not here")
    return method


for _name in MarkerType:
    if _name != "circle":
        setattr(figure, _name, _marker_method(_name))
for _name, _row in _GLYPHS.items():
    if _name != "scatter":
        setattr(figure, _name, _glyph_method(_name, _row))
for _name in _ABSENT:
    setattr(figure, _name, _absent_method(_name))
