"""colors - colours as the library writes them, for matplotlib."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

_RGB = re.compile(r"rgba?\(([^)]*)\)$")
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$")


def _names() -> Any:
    from matplotlib.colors import CSS4_COLORS
    return CSS4_COLORS


def is_color(text: str) -> bool:
    text = text.strip()
    return bool(_HEX.match(text) or _RGB.match(text) or
                text.lower() in _names() or text == "transparent")


def rgba(value: Any, alpha: Any = None) -> Any:
    """VALUE as four numbers from 0 to 1; nothing is drawn for None."""
    if hasattr(value, "to_css"):
        value = value.to_css()
    if value is None or value == "transparent" or \
            isinstance(value, float) and np.isnan(value):
        return (0.0, 0.0, 0.0, 0.0)
    if isinstance(value, str):
        found = _of_text(value.strip())
    elif isinstance(value, (tuple, list, np.ndarray)):
        found = tuple(float(one) / 255 for one in value[:3]) + (
            float(value[3]) if len(value) > 3 else 1.0,)
    elif isinstance(value, (int, np.integer)):
        found = tuple((int(value) >> shift & 255) / 255
                      for shift in (24, 16, 8, 0))
    else:
        raise ValueError(f"expected a color, got {value!r}")
    return found if alpha is None else (*found[:3], found[3] * float(alpha))


def _of_text(text: str) -> Any:
    found = _RGB.match(text)
    if found:
        parts = [one for one in re.split(r"[,/\s]+", found[1].strip()) if one]
        numbers = [float(one.rstrip("%")) * (2.55 if "%" in one and at < 3
                                             else 1)
                   for at, one in enumerate(parts)]
        return tuple(one / 255 for one in numbers[:3]) + (
            numbers[3] if len(numbers) > 3 else 1.0,)
    if _HEX.match(text):
        if len(text) < 6:
            text = "#" + "".join(one * 2 for one in text[1:])
        parts = [int(text[at:at + 2], 16) / 255
                 for at in range(1, len(text), 2)]
        return tuple(parts) if len(parts) == 4 else (*parts, 1.0)
    named = _names().get(text.lower())
    if named is None:
        raise ValueError(f"expected a color, got {text!r}")
    return _of_text(named)


def rgbas(values: Any, alphas: Any, count: int) -> Any:
    """COUNT colours, each with its alpha."""
    alphas = np.broadcast_to(np.asarray(
        1.0 if alphas is None else alphas, dtype=float), (count,))
    if isinstance(values, Column):
        each = [rgba(one) for one in values]
    else:
        each = [rgba(values)] * count
    found = np.array(each, dtype=float).reshape(count, 4)
    found[:, 3] *= alphas
    return found


class Column(list):  # type: ignore[type-arg]
    """A value for each row, unlike a colour of three numbers."""
