"""fill - what is inside a shape, a cell or a background."""

from __future__ import annotations

from typing import Any

from ..enum.dml import MSO_FILL
from ..oxml import OxmlElement, absent, new
from .color import ColorFormat

_FILLS = {"noFill": ("_NoFill", MSO_FILL.BACKGROUND),
          "solidFill": ("_SolidFill", MSO_FILL.SOLID),
          "gradFill": ("_GradFill", MSO_FILL.GRADIENT),
          "blipFill": ("_BlipFill", MSO_FILL.PICTURE),
          "pattFill": ("_PattFill", MSO_FILL.PATTERNED),
          "grpFill": ("_GrpFill", MSO_FILL.GROUP)}
_NAMES = tuple("a:" + name for name in _FILLS)
_GRADIENT = (
    '<a:gradFill rotWithShape="1"><a:gsLst>'
    '<a:gs pos="0"><a:schemeClr val="accent1"><a:tint val="100000"/>'
    '<a:shade val="100000"/><a:satMod val="130000"/></a:schemeClr></a:gs>'
    '<a:gs pos="100000"><a:schemeClr val="accent1"><a:tint val="50000"/>'
    '<a:shade val="100000"/><a:satMod val="350000"/></a:schemeClr></a:gs>'
    '</a:gsLst><a:lin scaled="0"/></a:gradFill>')


class _GradientStop:
    def __init__(self, stop: Any) -> None:
        self._stop = stop
        self.color = ColorFormat(stop)

    @property
    def position(self) -> float:
        return int(self._stop.get("pos")) / 100000

    @position.setter
    def position(self, value: float) -> None:
        self._stop.set("pos", str(round(value * 100000)))


class FillFormat:
    """The fill that is a child of an element such as p:spPr."""

    pattern = absent("pattern", "solid() and gradient() fills work")

    def __init__(self, holder: Any) -> None:
        self._holder = holder

    @property
    def _fill(self) -> Any:
        return self._holder.first(*_NAMES)

    _xPr = property(lambda self: self._holder)

    def _kind(self) -> tuple[str, Any]:
        fill = self._fill
        return ("_NoneFill", None) if fill is None else \
            _FILLS[fill.tag.rpartition("}")[2]]

    def _change(self, fill: Any) -> None:
        self._holder.drop(*_NAMES)
        self._holder.put(fill)

    @property
    def type(self) -> Any:
        return self._kind()[1]

    def solid(self) -> None:
        if self.type is not MSO_FILL.SOLID:
            self._change(OxmlElement("a:solidFill"))

    def background(self) -> None:
        self._change(OxmlElement("a:noFill"))

    def gradient(self) -> None:
        if self.type is not MSO_FILL.GRADIENT:
            self._change(new(_GRADIENT))

    def patterned(self) -> None:
        raise NotImplementedError("patterned(): solid(), gradient() and "
                                  "background() work")

    @property
    def fore_color(self) -> ColorFormat:
        name, kind = self._kind()
        if kind is not MSO_FILL.SOLID:
            raise TypeError(f"fill type {name} has no foreground color, call "
                            ".solid() or .patterned() first")
        return ColorFormat(self._fill)

    @property
    def back_color(self) -> ColorFormat:
        raise TypeError(f"fill type {self._kind()[0]} has no background "
                        "color, call .patterned() first")

    def _gradient(self) -> Any:
        if self.type is not MSO_FILL.GRADIENT:
            raise TypeError("Fill is not of type MSO_FILL_TYPE.GRADIENT")
        return self._fill

    @property
    def gradient_stops(self) -> list[_GradientStop]:
        return [_GradientStop(stop)
                for stop in self._gradient().xpath("a:gsLst/a:gs")]

    @property
    def gradient_angle(self) -> float | None:
        line = self._gradient().first("a:lin")
        if line is None:
            raise ValueError("not a linear gradient")
        angle = int(line.get("ang", "0")) / 60000
        return 0.0 if angle == 0 else 360.0 - angle

    @gradient_angle.setter
    def gradient_angle(self, value: float) -> None:
        line = self._gradient().first("a:lin")
        if line is None:
            raise ValueError("not a linear gradient")
        line.set("ang", str(round((360 - value) % 360 * 60000)))
