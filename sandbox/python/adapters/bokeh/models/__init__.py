"""models - all classes by their names."""

from __future__ import annotations

from typing import Any

from .._base import Model
from ._plots import Plot
from ._sources import ColumnDataSource, GeoJSONDataSource
from ._tables import CLASSES

_NAMES = {**CLASSES, "Plot": Plot, "ColumnDataSource": ColumnDataSource,
          "GeoJSONDataSource": GeoJSONDataSource, "Model": Model}
globals().update(_NAMES)
__all__ = sorted(_NAMES)


def __getattr__(name: str) -> Any:
    if name == "Panel":
        raise ImportError("cannot import name 'Panel' from 'bokeh.models'; "
                          "since bokeh 3 its name is TabPanel")
    raise AttributeError(f"module 'bokeh.models' has no attribute {name!r}")
