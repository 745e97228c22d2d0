"""transform - columns that are changed on their way to a glyph."""

from __future__ import annotations

from typing import Any, Optional

from .models import _NAMES as M

__all__ = ["cumsum", "dodge", "factor_cmap", "factor_hatch", "factor_mark",
           "jitter", "linear_cmap", "log_cmap", "eqhist_cmap", "stack",
           "transform"]


class Spec(dict):  # type: ignore[type-arg]
    """A column, a value or an expression, with a transform."""

    def __init__(self, **parts: Any) -> None:
        super().__init__({name: one for name, one in parts.items()
                          if one is not None})

    def __getattr__(self, name: str) -> Any:
        if name in ("field", "value", "expr", "transform", "units"):
            return self.get(name)
        raise AttributeError(name)


def field(name: str, transform: Any = None, units: Any = None) -> Spec:
    return Spec(field=name, transform=transform, units=units)


def value(val: Any, transform: Any = None, units: Any = None) -> Spec:
    found = Spec(transform=transform, units=units)
    found["value"] = val
    return found


def transform(field_name: str, transform: Any) -> Spec:
    return Spec(field=field_name, transform=transform)


def cumsum(field: str, include_zero: bool = False) -> Spec:
    return Spec(expr=M["CumSum"](field=field, include_zero=include_zero))


def stack(*fields: str) -> Spec:
    return Spec(expr=M["Stack"](fields=list(fields)))


def dodge(field_name: str, value: float, range: Any = None) -> Spec:
    return Spec(field=field_name,
                transform=M["Dodge"](value=value, range=range))


def jitter(field_name: str, width: float, mean: float = 0,
           distribution: str = "uniform", range: Any = None) -> Spec:
    return Spec(field=field_name, transform=M["Jitter"](
        mean=mean, width=width, distribution=distribution, range=range))


def factor_cmap(field_name: str, palette: Any, factors: Any, start: float = 0,
                end: Optional[float] = None, nan_color: Any = "gray") -> Spec:
    return Spec(field=field_name, transform=M["CategoricalColorMapper"](
        palette=palette, factors=list(factors), start=start, end=end,
        nan_color=nan_color))


def factor_mark(field_name: str, markers: Any, factors: Any, start: float = 0,
                end: Optional[float] = None) -> Spec:
    return Spec(field=field_name, transform=M["CategoricalMarkerMapper"](
        markers=list(markers), factors=list(factors), start=start, end=end))


def factor_hatch(field_name: str, patterns: Any, factors: Any,
                 start: float = 0, end: Optional[float] = None) -> Spec:
    return Spec(field=field_name, transform=M["CategoricalPatternMapper"](
        patterns=list(patterns), factors=list(factors), start=start, end=end))


def _graded(kind: str) -> Any:
    def make(field_name: str, palette: Any, low: Any, high: Any,
             low_color: Any = None, high_color: Any = None,
             nan_color: Any = "gray") -> Spec:
        return Spec(field=field_name, transform=M[kind](
            palette=palette, low=low, high=high, low_color=low_color,
            high_color=high_color, nan_color=nan_color))
    return make


linear_cmap, log_cmap = _graded("LinearColorMapper"), _graded("LogColorMapper")
eqhist_cmap = _graded("EqHistColorMapper")
