"""color - RGB values, and the colour of a text, a fill or a line."""

from __future__ import annotations

from typing import Any

from ..enum.dml import MSO_COLOR_TYPE, MSO_THEME_COLOR
from ..oxml import OxmlElement, qn

_KINDS = {"srgbClr": ("_SRgbColor", MSO_COLOR_TYPE.RGB),
          "schemeClr": ("_SchemeColor", MSO_COLOR_TYPE.SCHEME),
          "hslClr": ("_HslColor", MSO_COLOR_TYPE.HSL),
          "prstClr": ("_PrstColor", MSO_COLOR_TYPE.PRESET),
          "scrgbClr": ("_ScRgbColor", MSO_COLOR_TYPE.SCRGB),
          "sysClr": ("_SysColor", MSO_COLOR_TYPE.SYSTEM)}


class RGBColor(tuple):
    """Three numbers of 0 to 255; its text is such as '3C2F80'."""

    def __new__(cls, r: int, g: int, b: int) -> RGBColor:
        for value in (r, g, b):
            if not isinstance(value, int) or not 0 <= value <= 255:
                raise ValueError("RGBColor() takes three integer values "
                                 "0-255")
        return super().__new__(cls, (r, g, b))

    def __str__(self) -> str:
        return "%02X%02X%02X" % self

    @classmethod
    def from_string(cls, text: str) -> RGBColor:
        return cls(*(int(text[at:at + 2], 16) for at in (0, 2, 4)))


class ColorFormat:
    """The colour that is a child of an element such as a:solidFill."""

    def __init__(self, holder: Any) -> None:
        self._holder = holder

    @property
    def _color(self) -> Any:
        return self._holder.first(*("a:" + kind for kind in _KINDS))

    def _kind(self) -> tuple[str, Any]:
        color = self._color
        return ("_NoneColor", None) if color is None else \
            _KINDS[color.tag.rpartition("}")[2]]

    def _change(self, name: str, value: str) -> None:
        color = self._color
        if color is not None:
            self._holder.remove(color)
        color = OxmlElement(name)
        color.set("val", value)
        self._holder.insert(0, color)

    @property
    def type(self) -> Any:
        return self._kind()[1]

    @property
    def rgb(self) -> RGBColor:
        if self.type is not MSO_COLOR_TYPE.RGB:
            raise AttributeError("no .rgb property on color type '%s'"
                                 % self._kind()[0])
        return RGBColor.from_string(self._color.get("val"))

    @rgb.setter
    def rgb(self, value: RGBColor) -> None:
        if not isinstance(value, RGBColor):
            raise ValueError("assigned value must be type RGBColor")
        self._change("a:srgbClr", str(value))

    @property
    def theme_color(self) -> Any:
        if self.type is None:
            raise AttributeError("no .theme_color property on color type "
                                 "'_NoneColor'")
        if self.type is not MSO_COLOR_TYPE.SCHEME:
            return MSO_THEME_COLOR.NOT_THEME_COLOR
        return MSO_THEME_COLOR.from_xml(self._color.get("val"))

    @theme_color.setter
    def theme_color(self, value: Any) -> None:
        self._change("a:schemeClr", MSO_THEME_COLOR.to_xml(value))

    @property
    def brightness(self) -> float:
        color = self._color
        if color is None:
            return 0
        parts = {name: color.find(qn("a:" + name))
                 for name in ("lumMod", "lumOff")}
        if parts["lumOff"] is not None:
            return int(parts["lumOff"].get("val")) / 100000
        if parts["lumMod"] is not None:
            return int(parts["lumMod"].get("val")) / 100000 - 1
        return 0

    @brightness.setter
    def brightness(self, value: float) -> None:
        if not -1 <= value <= 1:
            raise ValueError("brightness must be number in range -1.0 to 1.0")
        color = self._color
        if color is None:
            raise ValueError("can't set brightness when color.type is None. "
                             "Set color.rgb or .theme_color first.")
        color.drop("a:lumMod", "a:lumOff")
        if value:
            part = OxmlElement("a:lumMod")
            part.set("val", str(round((1 - abs(value)) * 100000)))
            color.append(part)
        if value > 0:
            part = OxmlElement("a:lumOff")
            part.set("val", str(round(value * 100000)))
            color.append(part)
