"""fpdf.drawing - colours. Paths and drawing contexts are not here."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional


class DeviceRGB(NamedTuple):
    r: float
    g: float
    b: float
    a: Optional[float] = None

    @property
    def colors(self) -> tuple[float, float, float]:
        return self.r, self.g, self.b


class DeviceGray(NamedTuple):
    g: float
    a: Optional[float] = None

    @property
    def colors(self) -> tuple[float, float, float]:
        return self.g, self.g, self.g


def color_from_hex_string(text: str) -> DeviceRGB:
    digits = text[1:]
    if not text.startswith("#") or len(digits) not in (3, 4, 6, 8):
        raise ValueError(f"{text} could not be interpreted as a RGB(A) hex "
                         "string")
    if len(digits) < 6:
        digits = "".join(digit * 2 for digit in digits)
    parts = [int(digits[at:at + 2], 16) / 255
             for at in range(0, len(digits), 2)]
    return DeviceRGB(*parts)


def convert_to_device_color(r: Any, g: Any = -1, b: Any = -1) -> Any:
    """A colour of numbers up to 255, a tuple of them, or a text #rrggbb."""
    if isinstance(r, (DeviceGray, DeviceRGB)):
        return r
    if isinstance(r, str):
        if r.startswith("#"):
            return color_from_hex_string(r)
        raise ValueError(f"{r!r} is no colour: write it as '#rrggbb'")
    if isinstance(r, (list, tuple)):
        return convert_to_device_color(*r)
    if r is None:
        return None
    if (r, g, b) == (0, 0, 0) or g is None or g == -1:
        return DeviceGray(r / 255)
    return DeviceRGB(r / 255, g / 255, b / 255)


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    raise NotImplementedError(
        f"fpdf.drawing.{name} is not in this fpdf: draw with line(), rect(), "
        "polygon(), ellipse()")
