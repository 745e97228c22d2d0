"""layers - a glyph's properties as values, one for each row."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .._base import length
from .._colors import Column, is_color, rgbas
from ..core.enums import MarkerType
from ..models._sources import kept
from .scales import numbers


class Missing(Exception):
    """A column that the source does not have."""


def mapped_colors(mapper: Any, values: Any) -> list[Any]:
    """Colours of VALUES by a mapper."""
    kind = type(mapper).__name__
    palette = list(mapper.palette)
    if kind == "CategoricalColorMapper":
        return [_of_factor(mapper, one, palette, mapper.nan_color)
                for one in values]
    if kind == "EqHistColorMapper":
        raise NotImplementedError("EqHistColorMapper is not here")
    each, (low, high) = numbers(values), span_of(mapper, values)
    if kind == "LogColorMapper":
        with np.errstate(divide="ignore", invalid="ignore"):
            each, low, high = (np.log(one) for one in (each, low, high))
    width = (high - low) or 1.0
    found: list[Any] = []
    for one in each:
        if one != one:
            found.append(mapper.nan_color)
        elif one < low:
            found.append(mapper.low_color or palette[0])
        elif one > high:
            found.append(mapper.high_color or palette[-1])
        else:
            at = int((one - low) / width * len(palette))
            found.append(palette[min(at, len(palette) - 1)])
    return found


def span_of(mapper: Any, values: Any) -> tuple[float, float]:
    """The least and the largest value of a mapper of numbers."""
    low, high = mapper.low, mapper.high
    if low is None or high is None:
        each = numbers(values)
        each = each[np.isfinite(each)]
        low = (each.min() if len(each) else 0.0) if low is None else low
        high = (each.max() if len(each) else 1.0) if high is None else high
    return float(numbers([low])[0]), float(numbers([high])[0])


def _of_factor(mapper: Any, value: Any, given: list[Any], nothing: Any,
               ) -> Any:
    """The one of GIVEN for a name or a part of names."""
    if isinstance(value, (tuple, list)):
        value = tuple(value)[mapper.start:mapper.end]
        value = value[0] if len(value) == 1 else value
    factors = [tuple(one) if isinstance(one, list) else one
               for one in mapper.factors]
    if value not in factors:
        return nothing
    at = factors.index(value)
    return given[at] if at < len(given) else nothing


def refuse_units(one: Any, *known: str) -> None:
    """Lengths and places in pixels are not here, but for the names KNOWN."""
    for name in one._props:
        if name.endswith("_units") and name not in known and \
                getattr(one, name) == "screen":
            raise NotImplementedError(f"{type(one).__name__}.{name}='screen' "
                                      "is not here")
    if getattr(one, "radius_dimension", "x") != "x":
        raise NotImplementedError("radius_dimension is 'x' alone here")


class Layer:
    """A renderer's glyph with the values of its rows."""

    def __init__(self, renderer: Any, x: Any, y: Any) -> None:
        self.renderer, self.glyph = renderer, renderer.glyph
        self.x_scale, self.y_scale = x, y
        self.source = renderer.data_source
        self.data = self.source.data
        self.kind = type(self.glyph).__name__
        refuse_units(self.glyph)
        self.artists: list[Any] = []
        self.mask = kept(renderer.view, self.source)
        sizes = {length(one) or 0 for one in self.data.values()}
        if len(sizes) > 1:
            self.mask = self.mask[:min(sizes)]
        self.count = int(self.mask.sum()) if self.data else 1
        self.rows = np.flatnonzero(self.mask) if self.data else \
            np.zeros(1, dtype=int)

    # -- values

    def column(self, name: str, prop: str) -> list[Any]:
        if name not in self.data:
            raise Missing(
                "ERROR:bokeh.core.validation.check:E-1001 (BAD_COLUMN_NAME): "
                "Glyph refers to nonexistent column name. This could either "
                "be due to a misspelling or typo, or due to an expected "
                f"column being missing. : key \"{prop}\" value \"{name}\" "
                f"[renderer: {self.renderer!r}]")
        values = self.data[name]
        if hasattr(values, "iloc"):
            return [values.iloc[at] for at in self.rows]
        return [values[at] for at in self.rows]

    def _expression(self, one: Any) -> Any:
        kind = type(one).__name__
        if kind == "CumSum":
            sums = np.cumsum(numbers(self.data[one.field]))
            if one.include_zero:
                sums = np.append(0.0, sums[:-1])
            return list(sums[self.rows])
        if kind == "Stack":
            total = np.zeros(self.count)
            for name in one.fields:
                total = total + numbers(self.column(name, "stack"))
            return list(total)
        raise NotImplementedError(f"the expression {kind} is not here")

    def given(self, prop: str) -> tuple[bool, Any]:
        """Whether PROP is one value for each row, and the value or values."""
        value = getattr(self.glyph, prop)
        change = None
        if isinstance(value, dict):
            change = value.get("transform")
            if "expr" in value:
                return True, self._changed(self._expression(value["expr"]),
                                           change)
            if "value" in value:
                return False, value["value"]
            value = self.column(value["field"], prop)
            return True, self._changed(value, change)
        if isinstance(value, str) and self._is_field(prop, value):
            return True, self.column(value, prop)
        return False, value

    def _is_field(self, prop: str, value: str) -> bool:
        if prop.endswith("color"):
            return not is_color(value)
        if prop == "marker":
            return value not in MarkerType
        if prop in ("text", "hatch_pattern"):
            return value in self.data or prop == "text"
        return not prop.endswith(("font", "style", "align", "baseline",
                                  "dash", "join", "cap", "size", "dimension",
                                  "anchor", "direction")) or \
            prop == "size" or value in self.data

    def _changed(self, values: list[Any], change: Any) -> list[Any]:
        kind = type(change).__name__
        if change is None:
            return values
        if kind == "Dodge":
            return [self._shifted(one, change.value) for one in values]
        if kind == "Jitter":
            return self._jittered(values, change)
        if kind.endswith("ColorMapper"):
            return mapped_colors(change, values)
        if kind == "CategoricalMarkerMapper":
            return [_of_factor(change, one, change.markers,
                               change.default_value) for one in values]
        if kind == "CategoricalPatternMapper":
            return [_of_factor(change, one, change.patterns,
                               change.default_value) for one in values]
        raise NotImplementedError(f"the transform {kind} is not here")

    @staticmethod
    def _shifted(value: Any, away: float) -> Any:
        if isinstance(value, str):
            return (value, away)
        if isinstance(value, (tuple, list)):
            return (*value, away)
        return numbers([value])[0] + away

    def _jittered(self, values: list[Any], change: Any) -> list[Any]:
        """Places that are moved a little, the same for the same plot."""
        chance = np.random.RandomState(len(values))
        if change.distribution == "normal":
            moves = chance.normal(change.mean, change.width, len(values))
        else:
            moves = change.mean + (chance.random_sample(len(values)) - 0.5) \
                * change.width
        return [self._shifted(one, float(move))
                for one, move in zip(values, moves)]

    def values(self, prop: str) -> list[Any]:
        many, found = self.given(prop)
        return list(found) if many else [found] * self.count

    def num(self, prop: str) -> Any:
        """Numbers that are no places."""
        many, found = self.given(prop)
        return numbers(found) if many else \
            np.full(self.count, numbers([found])[0])

    def _place(self, prop: str, scale: Any) -> Any:
        many, found = self.given(prop)
        return scale.map(found) if many else \
            np.full(self.count, scale.of(found))

    def x(self, prop: str) -> Any:
        return self._place(prop, self.x_scale)

    def y(self, prop: str) -> Any:
        return self._place(prop, self.y_scale)

    def angle(self, prop: str = "angle") -> Any:
        found = self.num(prop)
        units = getattr(self.glyph, prop + "_units", "rad")
        return np.radians(found) if units == "deg" else \
            found * 2 * np.pi if units == "turn" else found

    def colors(self, group: str, count: Any = None) -> Any:
        """The colours of `line` or `fill`, with their alpha."""
        count = self.count if count is None else count
        many, found = self.given(group + "_color")
        alpha = self.given(group + "_alpha")[1]
        if many:
            found = Column(found)
            if len(found) != count:
                found = Column([found[0]] * count)
        alpha = numbers(alpha if isinstance(alpha, list) else [alpha])
        alpha = alpha if len(alpha) in (1, count) else alpha[:1]
        return rgbas(found, alpha if len(alpha) > 1 else alpha[0], count)

    def widths(self) -> Any:
        return self.num("line_width") * 0.72

    def dash(self, width: float = 1.0) -> Any:
        return dash_of(self.given("line_dash")[1], width)


_DASHES = {"dashed": [6], "dotted": [2, 4], "dotdash": [2, 4, 6, 4],
           "dashdot": [6, 4, 2, 4]}


def dash_of(given: Any, width: float = 1.0) -> Any:
    """A dash for matplotlib, whose unit is the line's width."""
    if isinstance(given, list) and given and isinstance(given[0], (str,
                                                                   list)):
        given = given[0]
    if given in (None, "solid", [], ()):
        return "solid"
    if isinstance(given, str):
        given = _DASHES.get(given) or [float(one) for one in given.split()]
    given = [float(one) for one in given]
    if len(given) % 2:
        given = given * 2
    return (0, [max(one, 0.1) for one in given])


def tell(text: str) -> None:
    print(text, file=sys.stderr)
