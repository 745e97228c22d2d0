"""fpdf._state - fonts, colours, margins and the place on the page."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator, Optional

from . import fonts
from ._lines import Line, Style, letter_width, marked_letters
from ._record import Op, Page, Pen
from .drawing import DeviceGray, convert_to_device_color
from .enums import TextEmphasis
from .errors import (FPDFException, FPDFPageFormatException,
                     FPDFUnicodeEncodingException)
from .fonts import FontFace

_UNITS = {"pt": 1, "mm": 72 / 25.4, "cm": 72 / 2.54, "in": 72}
PAGE_FORMATS = {"a3": (841.89, 1190.55), "a4": (595.28, 841.89),
                "a5": (420.94, 595.28), "letter": (612, 792),
                "legal": (612, 1008), "a2": (1190.55, 1683.78),
                "a1": (1683.78, 2383.94), "a0": (2383.94, 3370.39),
                "a6": (297.64, 420.94)}
_ALIASES = {"arial": "helvetica", "couriernew": "courier",
            "timesnewroman": "times"}
_KEPT = ("draw_color", "fill_color", "text_color", "line_width",
         "dash_pattern", "font_family", "font_style", "font_size_pt",
         "underline", "strikethrough", "current_font", "char_spacing",
         "_fill_alpha", "_draw_alpha")


def get_page_format(format: Any, k: Optional[float] = None) -> Any:
    """The size of a page in points."""
    if isinstance(format, str):
        size = PAGE_FORMATS.get(format.lower())
        if size is None:
            raise FPDFPageFormatException(format, unknown=True)
        return size
    if k is None:
        raise FPDFPageFormatException(format, one=True)
    try:
        return format[0] * k, format[1] * k
    except Exception as exc:
        raise FPDFPageFormatException(f"Arguments must be numbers: {format}"
                                      ) from exc


class State:
    """What FPDF knows between its calls; draws nothing by itself."""

    def __init__(self, orientation: Any, unit: Any, format: Any) -> None:
        self.k = _UNITS.get(unit, unit)
        if isinstance(self.k, str):
            raise FPDFException(f"Incorrect unit: {unit}")
        self.pages: dict[int, Page] = {}
        self.page = 0
        self.links: dict[int, tuple[int, float]] = {}
        self.about: dict[str, str] = {}
        self.sections: list[tuple[int, str, int, float]] = []
        self.buffer: Optional[bytearray] = None
        self.fonts: dict[str, fonts.Font] = {}
        self.compress, self.any_alpha = True, False
        self.in_footer, self._quiet = False, 0
        self._lasth: float = 0
        self.core_fonts_encoding = "latin-1"
        self.str_alias_nb_pages = "{nb}"
        self.page_background: Any = None
        self._begin_style()
        self.dw_pt, self.dh_pt = get_page_format(format, self.k)
        self.def_orientation = self._orientation(orientation)
        self._turn(self.def_orientation, self.dw_pt, self.dh_pt)
        margin = 7200 / 254 / self.k
        self.x = self.y = self.l_margin = self.t_margin = margin
        self.r_margin, self.c_margin = margin, margin / 10
        self.set_auto_page_break(True, 2 * margin)

    def _begin_style(self) -> None:
        self.font_family, self.font_style = "", ""
        self.font_size_pt: float = 12
        self.underline = self.strikethrough = False
        self.current_font: Any = None
        self.char_spacing: float = 0
        self.draw_color = self.fill_color = self.text_color = DeviceGray(0)
        self.line_width = 0.567 / self.k
        self.dash_pattern = {"dash": 0, "gap": 0, "phase": 0}
        self._fill_alpha = self._draw_alpha = 1.0

    @staticmethod
    def _orientation(value: Any) -> str:
        found = {"p": "P", "portrait": "P", "l": "L", "landscape": "L"}.get(
            str(value).lower())
        if found is None:
            raise FPDFException(f"Incorrect orientation: {value}")
        return found

    def _turn(self, orientation: str, width: float, height: float) -> None:
        across = orientation == "L"
        self.cur_orientation = orientation
        self.w_pt, self.h_pt = (height, width) if across else (width, height)
        self.w, self.h = self.w_pt / self.k, self.h_pt / self.k

    # margins, and where things are

    @property
    def epw(self) -> float:
        return self.w - self.l_margin - self.r_margin

    @property
    def eph(self) -> float:
        return self.h - self.t_margin - self.b_margin

    @property
    def page_break_trigger(self) -> float:
        return self.h - self.b_margin

    @property
    def font_size(self) -> float:
        return self.font_size_pt / self.k

    @property
    def pages_count(self) -> int:
        return len(self.pages)

    @property
    def is_ttf_font(self) -> bool:
        return bool(self.current_font and self.current_font.unicode)

    @property
    def emphasis(self) -> TextEmphasis:
        return TextEmphasis.coerce(self._style_letters())

    def _style_letters(self) -> str:
        return (self.font_style + ("U" if self.underline else "") +
                ("S" if self.strikethrough else ""))

    def page_no(self) -> int:
        return self.page

    def set_margin(self, margin: float) -> None:
        self.set_margins(margin, margin)
        self.set_auto_page_break(self.auto_page_break, margin)

    def set_margins(self, left: float, top: float, right: float = -1) -> None:
        self.set_left_margin(left)
        if self.y < top or self.y == self.t_margin:
            self.y = top
        self.t_margin = top
        self.r_margin = left if right == -1 else right

    def set_left_margin(self, margin: float) -> None:
        if self.x < margin or self.x == self.l_margin:
            self.x = margin
        self.l_margin = margin

    def set_top_margin(self, margin: float) -> None:
        self.t_margin = margin

    def set_right_margin(self, margin: float) -> None:
        self.r_margin = margin

    def set_auto_page_break(self, auto: bool, margin: float = 0) -> None:
        self.auto_page_break, self.b_margin = auto, margin

    @property
    def accept_page_break(self) -> bool:
        return self.auto_page_break

    def get_x(self) -> float:
        return self.x

    def get_y(self) -> float:
        return self.y

    def set_x(self, x: float) -> None:
        self.x = x if x >= 0 else self.w + x

    def set_y(self, y: float) -> None:
        self.x, self.y = self.l_margin, y if y >= 0 else self.h + y

    def set_xy(self, x: float, y: float) -> None:
        self.set_y(y)
        self.set_x(x)

    def ln(self, h: Optional[float] = None) -> None:
        self.x = self.l_margin
        self.y += (self._lasth or self.font_size) if h is None else h

    # colours and lines

    def set_draw_color(self, r: Any, g: Any = -1, b: Any = -1) -> None:
        self.draw_color = convert_to_device_color(r, g, b)

    def set_fill_color(self, r: Any, g: Any = -1, b: Any = -1) -> None:
        self.fill_color = convert_to_device_color(r, g, b)

    def set_text_color(self, r: Any, g: Any = -1, b: Any = -1) -> None:
        self.text_color = convert_to_device_color(r, g, b)

    def set_line_width(self, width: float) -> None:
        self.line_width = width

    def set_dash_pattern(self, dash: float = 0, gap: float = 0,
                         phase: float = 0) -> None:
        if not (isinstance(dash, (int, float)) and dash >= 0):
            raise ValueError("Dash length must be zero or a positive number.")
        if not (isinstance(gap, (int, float)) and gap >= 0):
            raise ValueError("gap length must be zero or a positive number.")
        self.dash_pattern = {"dash": dash, "gap": gap, "phase": phase}

    def _pen(self, fill: Any = None) -> Pen:
        dash = self.dash_pattern
        lengths = [dash[name] * self.k for name in ("dash", "gap", "phase")]
        if lengths[0] and not lengths[1]:
            lengths[1] = lengths[0]
        return Pen(self.draw_color.colors, (fill or self.fill_color).colors,
                   self.line_width * self.k, tuple(lengths),
                   self._draw_alpha, self._fill_alpha)

    # fonts

    def add_font(self, family: Optional[str] = None, style: Any = "",
                 fname: Any = None, uni: Any = None,
                 **other: Any) -> None:
        if other:
            raise NotImplementedError(
                f"add_font({next(iter(other))}=...) is not in this fpdf")
        if not fname:
            raise ValueError('"fname" parameter is required')
        if str(fname).lower().endswith(".pkl"):
            raise ValueError("Warning: .pkl fonts are deprecated")
        letters = "".join(sorted(str(style).upper()))
        if set(letters) - set("BI"):
            raise ValueError("Unknown style provided (only B & I letters are "
                             f"allowed): {style}")
        key = (family or Path(fname).stem).lower() + letters
        if key not in self.fonts and key not in fonts.CORE_FONTS:
            self.fonts[key] = fonts.file_font(key, fname)

    def set_font(self, family: Optional[str] = None, style: Any = "",
                 size: float = 0) -> None:
        family = (family or self.font_family).lower()
        letters = style.style if isinstance(style, TextEmphasis) else \
            style.upper()
        if set(letters) - set("BIUS"):
            raise ValueError("Unknown style provided (only B/I/S/U letters "
                             f"are allowed): {style}")
        self.underline, self.strikethrough = "U" in letters, "S" in letters
        kept = ("B" if "B" in letters else "") + ("I" if "I" in letters
                                                   else "")
        if family in _ALIASES and family + kept not in self.fonts:
            family = _ALIASES[family]
        elif family in ("symbol", "zapfdingbats"):
            kept = ""
        self.current_font = self._font(family + kept)
        self.font_family, self.font_style = family, kept
        self.font_size_pt = size or self.font_size_pt

    def _font(self, key: str) -> fonts.Font:
        if key not in self.fonts:
            if key not in fonts.CORE_FONTS:
                raise fonts.undefined(key)
            self.fonts[key] = fonts.core_font(key)
        return self.fonts[key]

    def set_font_size(self, size: float) -> None:
        self.font_size_pt = size

    def set_char_spacing(self, spacing: float) -> None:
        self.char_spacing = spacing

    def set_stretching(self, stretching: float) -> None:
        if stretching != 100:
            raise NotImplementedError("set_stretching() is not in this fpdf")

    def font_face(self) -> FontFace:
        fill = None if self.fill_color == DeviceGray(0) else self.fill_color
        return FontFace(self.font_family, self.emphasis, self.font_size_pt,
                        None if self.text_color == DeviceGray(0)
                        else self.text_color, fill)

    # text as it is measured

    def normalize_text(self, text: str) -> str:
        """The text, if the font has its characters."""
        if not self.is_ttf_font:
            try:
                text.encode(self.core_fonts_encoding)
            except UnicodeEncodeError as exc:
                raise FPDFUnicodeEncodingException(
                    exc.start, text[exc.start],
                    self.font_family + self.font_style) from exc
        return text

    def _style_of(self, on: set[str], link: Any) -> Style:
        key = self.font_family + "".join(
            letter for letter in "BI" if letter in on)
        return Style(self._font(key), self.font_size_pt,
                     self.text_color.colors, "U" in on, "S" in on, link,
                     self.char_spacing)

    def _letters(self, text: str, markdown: bool) -> list[Any]:
        if not self.font_family:
            raise FPDFException("No font set, you need to call set_font() "
                                "beforehand")
        text = self.normalize_text(text).replace("\r", "")
        if "\u00ad" in text:
            raise NotImplementedError("soft hyphens (U+00AD) are not in this "
                                      "fpdf: take them out of the text")
        on = set(self._style_letters())
        if markdown:
            return marked_letters(text, self._style_of, on)
        style = self._style_of(on, "")
        return [(letter, style) for letter in text]

    def get_string_width(self, s: str, normalized: bool = False,
                         markdown: bool = False) -> float:
        return self._line(self._letters(s, markdown)).width / self.k

    def _line(self, letters: list[Any]) -> Line:
        width = sum(letter_width(*letter) for letter in letters)
        if letters:
            width -= letters[-1][1].spacing
        return Line(letters, width)

    # what is kept and given back

    def _snapshot(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _KEPT}

    def _restore(self, kept: dict[str, Any]) -> None:
        for name, value in kept.items():
            setattr(self, name, value)

    @contextmanager
    def use_font_face(self, font_face: Any) -> Iterator[None]:
        if not font_face:
            yield
            return
        kept = self._snapshot()
        self.set_font(font_face.family, self._style_letters()
                      if font_face.emphasis is None
                      else font_face.emphasis.style, font_face.size_pt or 0)
        if font_face.color is not None:
            self.text_color = font_face.color
        if font_face.fill_color is not None:
            self.fill_color = font_face.fill_color
        yield
        self._restore(kept)

    def _out(self, *op: Any) -> None:
        """Record what is drawn, OP[0] the name of it."""
        if self.buffer:
            raise FPDFException("Content cannot be added on a finalized "
                                "document, after calling output()")
        if self.page == 0:
            raise FPDFException("No page open, you need to call add_page() "
                                "first")
        if not self._quiet:
            self.pages[self.page].ops.append(op)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in _ABSENT:
            raise AttributeError(f"{type(self).__name__!r} object has no "
                                 f"attribute {name!r}")
        raise NotImplementedError(f"FPDF.{name}() is not in this fpdf; "
                                  "reportlab has the like")


_ABSENT = frozenset("""set_encryption set_text_shaping drawing_context new_path
    draw_path use_pattern set_fallback_fonts embed_file bezier arc solid_arc
    file_attachment_annotation text_annotation free_text_annotation add_action
    highlight add_text_markup_annotation ink_annotation skew mirror sign
    text_columns sign_pkcs12 interleaved2of5 code39 insert_toc_placeholder
    offset_rendering rotate add_output_intent set_page_label use_text_style
    set_section_title_styles     elliptic_clip round_clip""".split())

__all__ = ["State", "Op", "get_page_format", "PAGE_FORMATS"]
