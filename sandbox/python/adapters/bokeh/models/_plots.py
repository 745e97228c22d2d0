"""plots - a plot: its axes, grids, tools and what is drawn in it."""

from __future__ import annotations

from typing import Any, Optional

import pandas as pd

from .._base import Each, Model, is_list
from ._tables import CLASSES

_SIDES = ("left", "right", "above", "below", "center")
_TOOLS = {
    "pan": "PanTool", "xpan": "PanTool", "ypan": "PanTool",
    "wheel_zoom": "WheelZoomTool", "xwheel_zoom": "WheelZoomTool",
    "ywheel_zoom": "WheelZoomTool", "xwheel_pan": "WheelPanTool",
    "ywheel_pan": "WheelPanTool", "box_zoom": "BoxZoomTool",
    "xbox_zoom": "BoxZoomTool", "ybox_zoom": "BoxZoomTool",
    "zoom_in": "ZoomInTool", "xzoom_in": "ZoomInTool",
    "yzoom_in": "ZoomInTool", "zoom_out": "ZoomOutTool",
    "xzoom_out": "ZoomOutTool", "yzoom_out": "ZoomOutTool",
    "auto_box_zoom": "BoxZoomTool", "reset": "ResetTool", "save": "SaveTool",
    "undo": "UndoTool", "redo": "RedoTool", "help": "HelpTool",
    "tap": "TapTool", "click": "TapTool", "box_select": "BoxSelectTool",
    "xbox_select": "BoxSelectTool", "ybox_select": "BoxSelectTool",
    "lasso_select": "LassoSelectTool", "poly_select": "PolySelectTool",
    "crosshair": "CrosshairTool", "xcrosshair": "CrosshairTool",
    "ycrosshair": "CrosshairTool", "hover": "HoverTool",
}


def tools_of(given: Any) -> list[Any]:
    """Tools of their names or of themselves."""
    words = given.replace(" ", "").split(",") if isinstance(given, str) \
        else list(given)
    found = []
    for one in words:
        if isinstance(one, CLASSES["Tool"]):
            found.append(one)
        elif isinstance(one, str):
            if not one:
                continue
            if one not in _TOOLS:
                import difflib
                near = difflib.get_close_matches(one.lower(), _TOOLS)
                kind = "similar" if near else "possible"
                raise ValueError(
                    f"unexpected tool name '{one}', {kind} tools are "
                    f"{', '.join(near or sorted(_TOOLS))}")
            found.append(CLASSES[_TOOLS[one]]())
        else:
            raise ValueError("tool should be a string or an instance of Tool "
                             f"class, got {one!r}")
    return found


def _settled(one: Any) -> Any:
    """A name or a factor as the page knows it."""
    if isinstance(one, tuple):
        return tuple(_settled(each) for each in one)
    return str(one)


def range_of(given: Any) -> Any:
    """A range of a list of names, of two ends, or a range itself."""
    if given is None:
        return CLASSES["DataRange1d"]()
    if isinstance(given, CLASSES["Range"]):
        return given
    if isinstance(given, pd.core.groupby.GroupBy):
        return CLASSES["FactorRange"](
            factors=sorted(map(_settled, given.groups)))
    if is_list(given):
        values = list(given)
        if all(isinstance(one, (str, tuple)) for one in values) and values:
            return CLASSES["FactorRange"](factors=values)
        if len(values) == 2:
            return CLASSES["Range1d"](start=values[0], end=values[1])
    raise ValueError(f"Unrecognized range input: '{given}'")


def _factor_start(self: Any, *args: Any, **kwargs: Any) -> None:
    if args and "factors" in kwargs:
        raise ValueError("'factors' keyword cannot be used with positional "
                         "arguments")
    if args:
        kwargs["factors"] = list(args)
    Model.__init__(self, **kwargs)


def _factor_checked(self: Any, name: str, value: Any) -> Any:
    if name != "factors":
        return value
    found = [tuple(one) if isinstance(one, (tuple, list)) else one
             for one in value]
    for one in found:
        parts = one if isinstance(one, tuple) else (one,)
        if not all(isinstance(part, str) for part in parts):
            raise ValueError(
                f"failed to validate {self!r}.factors: expected an element of "
                "either Seq(String), Seq(Tuple(String, String)) or "
                f"Seq(Tuple(String, String, String)), got {found!r}")
    twice = sorted({str(one) for one in found if found.count(one) > 1})
    if twice:
        raise ValueError("FactorRange must specify a unique list of "
                         f"categorical factors, duplicates: {twice}")
    return found


CLASSES["FactorRange"].__init__ = _factor_start
CLASSES["FactorRange"]._checked = _factor_checked


def _legend_checked(self: Any, name: str, value: Any) -> Any:
    """Items may be pairs of a label and renderers."""
    if name == "items":
        return [one if isinstance(one, Model) else CLASSES["LegendItem"](
            label=one[0], renderers=list(one[1])) for one in value]
    return Model._checked(self, name, value)


CLASSES["Legend"]._checked = _legend_checked


def _palette_checked(self: Any, name: str, value: Any) -> Any:
    if name == "palette" and isinstance(value, str):
        from ..palettes import named
        return named(value)
    return Model._checked(self, name, value)


CLASSES["ColorMapper"]._checked = _palette_checked


def _tabs_checked(self: Any, name: str, value: Any) -> Any:
    if name == "tabs":
        return [one if isinstance(one, CLASSES["TabPanel"]) else
                CLASSES["TabPanel"](title=one[0], child=one[1])
                for one in value]
    return Model._checked(self, name, value)


CLASSES["Tabs"]._checked = _tabs_checked


def _with_heads(kind: str, **heads: Any) -> None:
    """The class KIND has heads of arrows if a program gives none."""
    def start(self: Any, **kwargs: Any) -> None:
        for name, (head, size) in heads.items():
            if name not in kwargs:
                kwargs[name] = CLASSES[head](size=size)
        Model.__init__(self, **kwargs)

    CLASSES[kind].__init__ = start


_with_heads("Whisker", lower_head=("TeeHead", 10), upper_head=("TeeHead", 10))
_with_heads("Arrow", end=("OpenHead", 25))


def _children_start(self: Any, *args: Any, **kwargs: Any) -> None:
    if args:
        kwargs["children"] = list(args)
    Model.__init__(self, **kwargs)


for _name in ("Row", "Column"):
    CLASSES[_name].__init__ = _children_start


class Plot(CLASSES["Plot"]):  # type: ignore[misc]
    """An empty plot."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        for name in ("x_range", "y_range"):
            if not self.is_set(name):
                setattr(self, name, CLASSES["DataRange1d"]())
        if not self.is_set("toolbar"):
            self.toolbar = CLASSES["Toolbar"]()
        if self.title is None:
            self.title = CLASSES["Title"]()

    def _checked(self, name: str, value: Any) -> Any:
        if name == "title" and isinstance(value, str):
            return CLASSES["Title"](text=value)
        if name in ("x_range", "y_range"):
            return range_of(value)
        if name in ("extra_x_ranges", "extra_y_ranges"):
            return {key: range_of(one) for key, one in value.items()}
        return super()._checked(name, value)

    # -- parts

    def _parts(self, kind: str, *sides: str) -> Any:
        return [one for side in sides or _SIDES
                for one in getattr(self, side)
                if isinstance(one, CLASSES[kind])]

    @property
    def xaxis(self) -> Any:
        return Each(self._parts("Axis", "above", "below"))

    @property
    def yaxis(self) -> Any:
        return Each(self._parts("Axis", "left", "right"))

    @property
    def axis(self) -> Any:
        return Each([*self.xaxis, *self.yaxis])

    def _grids(self, dimension: Optional[int]) -> Any:
        return Each(one for one in self._parts("Grid", "center")
                    if dimension in (None, one.dimension))

    @property
    def xgrid(self) -> Any:
        return self._grids(0)

    @property
    def ygrid(self) -> Any:
        return self._grids(1)

    @property
    def grid(self) -> Any:
        return self._grids(None)

    @property
    def legend(self) -> Any:
        return Each(self._parts("Legend"), "legend")

    @property
    def tools(self) -> list[Any]:
        return self.toolbar.tools

    @tools.setter
    def tools(self, tools: Any) -> None:
        self.toolbar.tools = tools_of(tools)

    @property
    def hover(self) -> Any:
        return Each(one for one in self.tools
                    if isinstance(one, CLASSES["HoverTool"]))

    def add_layout(self, obj: Any, place: str = "center") -> None:
        if place not in _SIDES:
            raise ValueError(
                f"Invalid place '{place}' specified. Valid place values are: "
                "'left', 'right', 'above', 'below' or 'center'")
        if isinstance(obj, CLASSES["Legend"]):
            # A legend that is given another place leaves the first.
            for side in _SIDES:
                if obj in getattr(self, side):
                    getattr(self, side).remove(obj)
        getattr(self, place).append(obj)

    def add_tools(self, *tools: Any) -> None:
        for one in tools:
            self.toolbar.tools.extend(
                tools_of([one] if not isinstance(one, (list, tuple))
                         else one))

    def remove_tools(self, *tools: Any) -> None:
        for one in tools:
            if one not in self.toolbar.tools:
                raise ValueError(f"Invalid tool {one} specified. Available "
                                 "tools are "
                                 f"{self.toolbar.tools}")
            self.toolbar.tools.remove(one)

    def add_glyph(self, source_or_glyph: Any, glyph: Any = None,
                  **kwargs: Any) -> Any:
        source = source_or_glyph
        if glyph is None:
            from ._sources import ColumnDataSource
            source, glyph = ColumnDataSource(), source_or_glyph
        if not isinstance(glyph, CLASSES["Glyph"]):
            raise ValueError("'glyph' argument to add_glyph() must be Glyph "
                             "subclass")
        kwargs.setdefault("view", CLASSES["CDSView"](
            filter=CLASSES["AllIndices"]()))
        found = CLASSES["GlyphRenderer"](data_source=source, glyph=glyph,
                                         **kwargs)
        self.renderers.append(found)
        return found

    def add_tile(self, *_args: Any, **_options: Any) -> None:
        raise NotImplementedError("add_tile() is not here: tiles come from a "
                                  "network")

    def row(self, *_args: Any) -> None:
        raise NotImplementedError("Plot.row() is not here")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None,
                          ) -> dict[str, Any]:
        from .._draw.pages import bundle
        return bundle(self)


def _layout_bundle(self: Any, include: Any = None, exclude: Any = None,
                   ) -> dict[str, Any]:
    from .._draw.pages import bundle
    return bundle(self)


def _color_bar(self: Any, **kwargs: Any) -> Any:
    """The bar of the one colour mapper of a renderer's glyph."""
    for name in ("fill_color", "line_color", "text_color", "color_mapper"):
        if name not in self.glyph._props:
            continue
        value = getattr(self.glyph, name)
        if name == "color_mapper" and value is not None:
            return CLASSES["ColorBar"](color_mapper=value, **kwargs)
        mapper = value.get("transform") if isinstance(value, dict) else \
            getattr(value, "transform", None)
        if isinstance(mapper, CLASSES["ColorMapper"]):
            return CLASSES["ColorBar"](color_mapper=mapper, **kwargs)
    raise ValueError("expected a glyph with a color mapper")


CLASSES["GlyphRenderer"].construct_color_bar = _color_bar
for _name in ("Row", "Column", "GridBox", "GridPlot", "Tabs", "Widget"):
    CLASSES[_name]._repr_mimebundle_ = _layout_bundle
