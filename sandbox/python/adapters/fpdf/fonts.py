"""fpdf.fonts - the fonts of fpdf, measured by reportlab."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from struct import error as StructError, unpack
from typing import Any, Optional

from .drawing import convert_to_device_color
from .enums import TextEmphasis
from .errors import FPDFException

CORE = {
    "helvetica": ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique",
                  "Helvetica-BoldOblique"),
    "times": ("Times-Roman", "Times-Bold", "Times-Italic",
              "Times-BoldItalic"),
    "courier": ("Courier", "Courier-Bold", "Courier-Oblique",
                "Courier-BoldOblique"),
    "symbol": ("Symbol",) * 4,
    "zapfdingbats": ("ZapfDingbats",) * 4}
_STYLES = ("", "B", "I", "BI")
CORE_FONTS = {family + style: names[place]
              for family, names in CORE.items()
              for place, style in enumerate(_STYLES)}
_CONTROLS = {code: "\u00a0" for code in range(32)}
_count = 0


class Font:
    """A font of a document: NAME is reportlab's."""

    def __init__(self, key: str, name: str, unicode: bool) -> None:
        self.fontkey, self.name, self.unicode = key, name, unicode
        self.type = "TTF" if unicode else "core"
        self.lines = (-100, 50, 250, 50)    # underline and strike: place, size
        self._widths: dict[str, float] = {}

    def width(self, letter: str) -> float:
        """The width of a character, in thousandths of the size."""
        found = self._widths.get(letter)
        if found is None:
            from reportlab.pdfbase.pdfmetrics import stringWidth
            found = stringWidth(self.shown(letter), self.name, 1000)
            self._widths[letter] = found
        return found

    def shown(self, text: str) -> str:
        """The text for reportlab: a control character of a core font is a
        space, and Symbol and ZapfDingbats are written by their bytes."""
        if self.unicode:
            return text
        text = text.translate(_CONTROLS)
        if self.name not in ("Symbol", "ZapfDingbats"):
            return text
        import reportlab.pdfbase.pdfmetrics  # noqa: F401, has the codecs

        return text.encode("latin-1").decode(f"{self.name.lower()}encoding",
                                             "replace")


def core_font(key: str) -> Font:
    return Font(key, CORE_FONTS[key], False)


def file_font(key: str, path: Any) -> Font:
    """The font of a TrueType file, which the document embeds."""
    global _count
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFError, TTFont

    if not Path(path).is_file():
        raise FileNotFoundError(f"TTF Font file not found: {path}")
    _count += 1
    name = f"{key}-{_count}"
    try:
        font = TTFont(name, str(path))
    except TTFError as exc:
        raise NotImplementedError(
            f"this fpdf reads TrueType outlines only, which {path} has not "
            f"({exc})") from exc
    pdfmetrics.registerFont(font)
    made = Font(key, name, True)
    made.lines = _lines_of(font.face)
    return made


def _lines_of(face: Any) -> tuple[int, int, int, int]:
    """Where a font of a file wants its lines, in thousandths."""
    try:
        scale = 1000 / unpack(">H", face.get_table("head")[18:20])[0]
        under = unpack(">hh", face.get_table("post")[8:12])
        size, place = unpack(">hh", face.get_table("OS/2")[26:30])
    except (KeyError, StructError):
        return -100, 50, 250, 50
    low, thick, place, size = (round(value * scale)
                               for value in (*under, place, size))
    return low, thick, place, size


@dataclass
class FontFace:
    """What a text looks like; None is as it is elsewhere."""

    family: Optional[str] = None
    emphasis: Any = None
    size_pt: Optional[float] = None
    color: Any = None
    fill_color: Any = None

    def __post_init__(self) -> None:
        if self.emphasis is not None:
            self.emphasis = TextEmphasis.coerce(self.emphasis)
        self.color = convert_to_device_color(self.color)
        self.fill_color = convert_to_device_color(self.fill_color)

    replace = replace

    @staticmethod
    def combine(override: Any, default: Any) -> Any:
        if override is None or default is None:
            return default if override is None else override
        return FontFace(*(
            getattr(default, name) if getattr(override, name) is None
            else getattr(override, name)
            for name in ("family", "emphasis", "size_pt", "color",
                         "fill_color")))


class TextStyle(FontFace):
    def __init__(self, font_family: Optional[str] = None,
                 font_style: Optional[str] = None,
                 font_size_pt: Optional[float] = None, color: Any = None,
                 fill_color: Any = None, underline: bool = False,
                 t_margin: Any = None, l_margin: Any = None,
                 b_margin: Any = None) -> None:
        super().__init__(
            font_family, (font_style or "") + ("U" if underline else ""),
            font_size_pt, color, fill_color)
        self.t_margin, self.l_margin = t_margin or 0, l_margin or 0
        self.b_margin = b_margin or 0


TitleStyle = TextStyle


def undefined(key: str) -> FPDFException:
    return FPDFException(f"Undefined font: {key} - Use built-in fonts or "
                         "FPDF.add_font() beforehand")
