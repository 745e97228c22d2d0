"""colors - RGB and HSL."""

from __future__ import annotations

import colorsys
from typing import Any

__all__ = ["Color", "HSL", "RGB"]


class Color:
    """A colour."""

    def to_css(self) -> str:
        raise NotImplementedError


class RGB(Color):
    """Red, green and blue from 0 to 255."""

    def __init__(self, r: Any, g: Any, b: Any, a: float = 1.0) -> None:
        self.r, self.g, self.b, self.a = int(r), int(g), int(b), a

    def to_css(self) -> str:
        if self.a == 1.0:
            return f"rgb({self.r}, {self.g}, {self.b})"
        return f"rgba({self.r}, {self.g}, {self.b}, {self.a})"

    def to_hex(self) -> str:
        return f"#{self.r:02x}{self.g:02x}{self.b:02x}"

    def to_rgb(self) -> "RGB":
        return self

    __repr__ = to_css


class HSL(Color):
    """Hue in degrees, saturation and lightness from 0 to 1."""

    def __init__(self, h: float, s: float, l: float,  # noqa: E741
                 a: float = 1.0) -> None:
        self.h, self.s, self.l, self.a = h, s, l, a

    def to_rgb(self) -> RGB:
        parts = colorsys.hls_to_rgb(self.h / 360, self.l, self.s)
        return RGB(*(round(one * 255) for one in parts), self.a)

    def to_css(self) -> str:
        return self.to_rgb().to_css()
