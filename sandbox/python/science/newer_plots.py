"""newer_plots - newer words of altair and plotly.

As newer_drawing.py: programs are written for altair 5.5 and plotly 6, while
Debian 12 has 4.2 and 5.4.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import add, lacks, replace
from .stand_ins import stand_in

import inspect
import re
from typing import Any

# -- altair

# Attributes of a channel, and altair's class for them.
_PARTS = {"axis": "Axis", "bin": "Bin", "header": "Header",
          "impute": "ImputeParams", "legend": "Legend", "scale": "Scale",
          "sort": "EncodingSortField"}
# Parameters of no method, and those that altair reads as attributes.
_READ = ("self", "shorthand", "kwds", "args", "condition", "datum")


def _setter(altair: Any, kind: Any, name: str) -> Any:
    """The method of a channel's class that gives a copy with NAME."""
    def give(self: Any, *values: Any, **options: Any) -> Any:
        value = values[0] if values else getattr(
            altair, _PARTS[name])(**options)
        found = self.copy()
        found._kwds[name] = value
        return found

    give.__name__ = name
    return stand_in(give, kind, name)


def _change_channels(altair: Any) -> None:
    """Y("price").scale(zero=False).title("Price"), of altair 5."""
    channels = altair.vegalite.v4.schema.channels
    for kind in vars(channels).values():
        if not (isinstance(kind, type) and
                issubclass(kind, altair.SchemaBase) and
                kind.__module__ == channels.__name__):
            continue
        for name in inspect.signature(kind.__init__).parameters:
            if name not in _READ and name not in vars(kind):
                setattr(kind, name, _setter(altair, kind, name))


class _Then:
    """A condition with its value, which otherwise() ends."""

    def __init__(self, altair: Any, test: Any, value: Any) -> None:
        self._altair, self._test, self._value = altair, test, value

    def otherwise(self, value: Any, **options: Any) -> Any:
        return self._altair.condition(self._test, self._value, value,
                                      **options)


class _When:
    """What alt.when() returns."""

    def __init__(self, altair: Any, test: Any) -> None:
        self._altair, self._test = altair, test

    def then(self, value: Any, **_options: Any) -> Any:
        return _Then(self._altair, self._test, value)


def _change_altair(altair: Any) -> None:
    add(altair, when=lambda test, **_options: _When(altair, test))
    if not hasattr(altair.vegalite, "v4"):
        return
    _change_channels(altair)

    def selection_point(**options: Any) -> Any:
        return altair.selection_multi(**options)

    def add_params(self: Any, *params: Any) -> Any:
        return self.add_selection(*params)

    add(altair, selection_point=selection_point)
    for kind in (altair.Chart, altair.LayerChart, altair.HConcatChart,
                 altair.VConcatChart, altair.FacetChart):
        if hasattr(kind, "add_selection"):
            add(kind, add_params=add_params)


# -- plotly

def _subtitled(title: dict[str, Any], before: Any = None) -> dict[str, Any]:
    """A title whose subtitle, of plotly 5.23, is a second line of it."""
    if "subtitle" not in title or (
            before is not None and "subtitle" in before):
        return title
    below = title.pop("subtitle")
    text = below.get("text") if isinstance(below, dict) else below
    above = title.get("text") or getattr(before, "text", None) or ""
    return {**title, "text": f"{above}<br><sup>{text}</sup>"} if text \
        else title


def _change_title(module: Any) -> None:
    plain = module.Title.__init__
    if not lacks(plain, "subtitle"):
        return

    def __init__(self: Any, arg: Any = None, **options: Any) -> None:
        if isinstance(arg, dict):
            arg = _subtitled(dict(arg))
        plain(self, arg, **_subtitled(options))

    replace(module.Title, "__init__", __init__)


def _as_mapbox(options: dict[str, Any]) -> dict[str, Any]:
    """A layout's map, of plotly 5.24, as its mapbox."""
    return {"mapbox" + name[3:] if name.split("_")[0] == "map" else name:
            value for name, value in options.items()}


_STYLE = "open-street-map"  # it needs no token, as the newer maps


def _change_layout(module: Any) -> None:
    plain = module.BaseFigure.update_layout

    def update_layout(self: Any, dict1: Any = None, overwrite: bool = False,
                      **options: Any) -> Any:
        options = {**dict1, **options} if isinstance(dict1, dict) else options
        if "map" not in self.layout:
            options = _as_mapbox(options)
        if "barcornerradius" not in self.layout:  # a look, of 5.19
            options.pop("barcornerradius", None)
        if isinstance(options.get("title"), dict):
            options["title"] = _subtitled(dict(options["title"]),
                                          self.layout.title)
        return plain(self, None if isinstance(dict1, dict) else dict1,
                     overwrite, **options)

    replace(module.BaseFigure, "update_layout", update_layout)
    of_layout = module.BaseLayoutType.__getattr__

    def __getattr__(self: Any, prop: str) -> Any:
        is_map = re.fullmatch(r"map\d*", prop) and "map" not in self
        return of_layout(self, "mapbox" + prop[3:] if is_map else prop)

    replace(module.BaseLayoutType, "__getattr__", __getattr__)


def _map_of(plain: Any) -> Any:
    """A map of plotly.express 5.24 by that of 5.4."""
    def draw(*args: Any, map_style: Any = None, **options: Any) -> Any:
        style = map_style if map_style in (
            "open-street-map", "white-bg", "carto-positron",
            "carto-darkmatter") else _STYLE
        return plain(*args, mapbox_style=style, **options)
    return draw


def _with_subtitle(plain: Any) -> Any:
    def draw(*args: Any, subtitle: Any = None, **options: Any) -> Any:
        figure = plain(*args, **options)
        if subtitle is not None:
            figure.update_layout(title={
                "text": figure.layout.title.text, "subtitle": subtitle})
        return figure
    return draw


def _change_express(express: Any) -> None:
    add(express, **{
        name + "_map": _map_of(getattr(express, name + "_mapbox"))
        for name in ("choropleth", "density", "line", "scatter")})
    for name in express.__all__:
        plain = getattr(express, name)
        if inspect.isfunction(plain) and not lacks(plain, "title") and \
                lacks(plain, "subtitle"):
            replace(express, name, _with_subtitle(plain))


def _trace_of(kind: Any) -> Any:
    def trace(*args: Any, **options: Any) -> Any:
        if options.get("subplot") == "map":
            options["subplot"] = "mapbox"
        return kind(*args, **options)
    return trace


def _change_graphs(graphs: Any) -> None:
    from plotly import graph_objs
    for name in ("Choroplethmap", "Densitymap", "Scattermap"):
        if not hasattr(graphs, name):
            setattr(graphs, name, stand_in(_trace_of(
                getattr(graph_objs, name + "box")), graphs, name))


when_imported({
    "altair": _change_altair,
    "plotly.basedatatypes": _change_layout,
    "plotly.express": _change_express,
    "plotly.graph_objects": _change_graphs,
    "plotly.graph_objs.layout._title": _change_title,
})
