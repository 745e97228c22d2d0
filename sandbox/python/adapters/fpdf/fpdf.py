"""fpdf.fpdf - the class FPDF: pages, cells, text, shapes and pictures."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Iterator, Optional

from ._lines import Breaker, Line
from ._pictures import RasterImageInfo, opened
from ._record import Page, Printer
from ._shapes import Shapes
from ._state import get_page_format
from .enums import (Align, MethodReturnValue, WrapMode, XPos, YPos)
from .errors import FPDFException

_UNSET: Any = object()


class _Output(bytearray):
    """A PDF. As PyFPDF's output(dest="S") was a str, it can be encoded."""

    def encode(self, *_how: Any) -> bytes:
        return bytes(self)


class Padding:
    """Space within a cell: one number, two, or four as in CSS."""

    def __init__(self, top: float = 0, right: float = 0, bottom: float = 0,
                 left: float = 0) -> None:
        self.top, self.right = top, right
        self.bottom, self.left = bottom, left

    @classmethod
    def new(cls, value: Any) -> "Padding":
        if isinstance(value, Padding):
            return value
        if isinstance(value, (int, float)):
            return cls(value, value, value, value)
        if len(value) == 2:
            return cls(*value, *value)
        if len(value) == 3:
            return cls(*value, value[1])
        if len(value) == 4:
            return cls(*value)
        raise ValueError(f"Invalid padding {value}")


def _where(ln: Any, new_x: Any, new_y: Any, below: bool) -> tuple[Any, Any]:
    """Where to go on after a cell; LN is PyFPDF's word for it."""
    if ln is _UNSET:
        return XPos.coerce(new_x), YPos.coerce(new_y)
    ways = [(XPos.RIGHT, YPos.NEXT if below else YPos.TOP),
            (XPos.LMARGIN, YPos.NEXT), (XPos.LEFT, YPos.NEXT)]
    if below:
        ways.append((XPos.RIGHT, YPos.TOP))
    if ln not in range(len(ways)):
        raise ValueError(f'Invalid value for parameter "ln" ({ln}), must be '
                         f"an int between 0 and {len(ways) - 1}.")
    return ways[ln]


class FPDF(Shapes):
    MARKDOWN_BOLD_MARKER = "**"
    MARKDOWN_ITALICS_MARKER = "__"
    MARKDOWN_UNDERLINE_MARKER = "--"

    def __init__(self, orientation: Any = "portrait", unit: Any = "mm",
                 format: Any = "A4", font_cache_dir: Any = None,
                 **other: Any) -> None:
        if other:
            raise TypeError(f"FPDF({next(iter(other))}=...) is not known")
        super().__init__(orientation, unit, format)
        self._wide_end = False      # a multi_cell() ended at the margin

    # pages

    def header(self) -> None:
        """Draws the top of each page; a subclass defines it."""

    def footer(self) -> None:
        """Draws the bottom of each page; a subclass defines it."""

    def add_page(self, orientation: str = "", format: Any = "",
                 same: bool = False, **other: Any) -> None:
        if set(other) - {"duration", "transition"}:
            raise NotImplementedError(
                f"add_page({next(iter(other))}=...) is not in this fpdf")
        if self.buffer:
            raise FPDFException("A page cannot be added on a closed document,"
                                " after calling output()")
        kept = self._snapshot()
        if self.page > 0:
            self._render_footer()
        self.page += 1
        if not same:
            self._turn(self._orientation(orientation or self.def_orientation),
                       *(get_page_format(format, self.k) if format else
                         (self.dw_pt, self.dh_pt)))
        if self.page not in self.pages:
            self.pages[self.page] = Page(self.w_pt, self.h_pt)
        self.x, self.y = self.l_margin, self.t_margin
        self._restore(kept)
        self._draw_background()
        self.header()
        self._restore(kept)

    def _draw_background(self) -> None:
        if not self.page_background:
            return
        if isinstance(self.page_background, tuple):
            kept = self.fill_color
            self.set_fill_color(*self.page_background)
            self.rect(0, 0, self.w, self.h, style="F")
            self.fill_color = kept
        else:
            self.image(self.page_background, 0, 0, self.w, self.h)

    def set_page_background(self, background: Any) -> None:
        self.page_background = background

    def _render_footer(self) -> None:
        self.in_footer = True
        self.footer()
        self.in_footer = False

    def alias_nb_pages(self, alias: str = "{nb}") -> None:
        self.str_alias_nb_pages = alias

    def will_page_break(self, height: float) -> bool:
        return bool(self.y + height > self.page_break_trigger and
                    not self.in_footer and self.accept_page_break)

    def _break_if_needed(self, height: float) -> bool:
        if not self.will_page_break(height):
            return False
        if self._quiet:     # as high as it would be on a new page
            self.y = self.t_margin
            return True
        x = self.x
        self.add_page(same=True)
        self.x = x
        return True

    @contextmanager
    def _writing_off(self) -> Iterator[None]:
        """Measure, draw nothing and stay where we are."""
        kept, place = self._snapshot(), (self.x, self.y, self._lasth,
                                         self._wide_end)
        self._quiet += 1
        try:
            yield
        finally:
            self._quiet -= 1
            self._restore(kept)
            self.x, self.y, self._lasth, self._wide_end = place

    @contextmanager
    def unbreakable(self) -> Iterator[Any]:
        raise NotImplementedError(
            "FPDF.unbreakable() is not in this fpdf: ask "
            "will_page_break(height) and call add_page()")
        yield self

    # text in cells

    def _check_page(self) -> None:
        if self.page == 0 and not self._quiet:
            raise FPDFException("No page open, you need to call add_page() "
                                "first")

    def _at_line_begin(self, w: Any) -> None:
        """PyFPDF went on at the left margin after a multi_cell() of the whole
        width, where fpdf2 has no room left."""
        if self._wide_end and w == 0 and \
                abs(self.x - (self.w - self.r_margin)) < 1e-6:
            self.x = self.l_margin
        self._wide_end = False

    def cell(self, w: Any = None, h: Any = None, text: str = "",
             border: Any = 0, ln: Any = _UNSET, align: Any = Align.L,
             fill: bool = False, link: Any = "", center: bool = False,
             markdown: bool = False, new_x: Any = XPos.RIGHT,
             new_y: Any = YPos.TOP, txt: Any = _UNSET) -> bool:
        self._check_page()
        text = text if txt is _UNSET else txt
        if not self.font_family:
            raise FPDFException("No font set, you need to call set_font() "
                                "beforehand")
        if isinstance(w, str) or isinstance(h, str):
            raise ValueError("Parameter 'w' and 'h' must be numbers, not "
                             "strings. You can omit them by passing string "
                             "content with text=")
        align = Align.coerce(align)
        new_x, new_y = _where(ln, new_x, new_y, False)
        self._at_line_begin(w)
        line = self._line(self._letters(text, markdown))
        return self._show(line, w, h, Align.L if align == Align.J else align,
                          new_x, new_y, border, fill, link, center)

    def _show(self, line: Line, w: Any, h: Any, align: Any, new_x: Any,
              new_y: Any, border: Any = 0, fill: bool = False,
              link: Any = "", center: bool = False,
              margins: Optional[tuple[float, float]] = None) -> bool:
        """Draw one line in its cell. MARGINS are within it, on its left and
        right."""
        left, right = margins or (self.c_margin, self.c_margin)
        text_width = line.width / self.k
        if w is None:
            w = text_width + left + right
        elif w == 0:
            w = self.w - self.r_margin - self.x
        if center:
            self.x = self.l_margin + (self.epw - w) / 2
        elif align == Align.X:
            self.x -= w / 2
        size = max((style.size for _, style in line.letters), default=0) \
            / self.k
        h = size if h is None else h
        broken = self._break_if_needed(h)
        self._cell_box(self.x, self.y, w, h, border, fill)
        dx, space = left, 0.0
        if align == Align.R:
            dx = w - left - text_width
        elif align in (Align.C, Align.X):
            dx = (w - text_width) / 2
        elif align == Align.J and line.justified and " " in line.text:
            space = (w - left - right - text_width) / line.text.count(" ")
        shown = self._show_runs(line, self.x + dx, h, size, space) \
            if line.letters else 0
        if link and line.letters:
            self.link(self.x + dx, self.y + 0.5 * h - 0.5 * size, text_width,
                      size, link)
        self._lasth = h or self.font_size
        begin = self.x + (dx if line.letters else 0)
        self._go_on(new_x, new_y, w, h, begin, shown, right)
        return broken

    def _show_runs(self, line: Line, x: float, h: float, size: float,
                   space: float) -> float:
        """Draw the pieces of a line; give their width."""
        k, begin = self.k, x
        y = self.y + 0.5 * h + 0.3 * size
        for text, style in line.runs():
            width = sum(style.font.width(letter) for letter in text) * \
                style.size / 1000 / k + text.count(" ") * space + \
                style.spacing * len(text) / k
            self._out("text", x * k, y * k, text, style.font, style.size,
                      style.color, space * k, style.spacing,
                      self._fill_alpha)
            self._strokes(style, x, y, width)
            if style.link:
                self.link(x, self.y + 0.5 * h - 0.5 * style.size / k, width,
                          style.size / k, style.link)
            x += width
        return x - begin

    def _strokes(self, style: Any, x: float, y: float, width: float) -> None:
        """The lines under a text and through it."""
        high, k = style.size / 1000, self.k
        pen = self._pen()
        pen = type(pen)(style.color, style.color, pen.width, (0, 0, 0),
                        pen.draw_alpha, pen.fill_alpha)
        low, thin, middle, thick = style.font.lines
        for wanted, place, size in ((style.underline, low, thin),
                                    (style.strike, middle, thick)):
            if wanted:
                self._out("rect", pen, x * k, y * k - place * high, width * k,
                          size * high, 0, 1)

    def _go_on(self, new_x: Any, new_y: Any, w: float, h: float,
               begin: float, shown: float, right: float) -> None:
        places = {
            XPos.LEFT: self.x, XPos.RIGHT: self.x + w, XPos.START: begin,
            XPos.END: begin + shown, XPos.CENTER: begin + shown / 2,
            XPos.WCONT: begin + shown - right if shown else begin,
            XPos.LMARGIN: self.l_margin, XPos.RMARGIN: self.w - self.r_margin}
        self.x = places[new_x]
        self.y = {YPos.NEXT: self.y + h, YPos.TMARGIN: self.t_margin,
                  YPos.BMARGIN: self.h - self.b_margin}.get(new_y, self.y)

    def multi_cell(self, w: float, h: Any = None, text: str = "",
                   border: Any = 0, align: Any = Align.J, fill: bool = False,
                   split_only: bool = False, link: Any = "",
                   ln: Any = _UNSET, max_line_height: Any = None,
                   markdown: bool = False, print_sh: bool = False,
                   new_x: Any = _UNSET, new_y: Any = YPos.NEXT,
                   wrapmode: Any = WrapMode.WORD, dry_run: bool = False,
                   output: Any = MethodReturnValue.PAGE_BREAK,
                   center: bool = False, padding: Any = 0,
                   txt: Any = _UNSET) -> Any:
        self._check_page()
        text = text if txt is _UNSET else txt
        if split_only or dry_run:
            with self._writing_off():
                return self.multi_cell(
                    w, h, text, border, align, fill, False, link, ln,
                    max_line_height, markdown, print_sh, new_x, new_y,
                    wrapmode, False, MethodReturnValue.LINES if split_only
                    else output, center, padding)
        if isinstance(w, str) or isinstance(h, str):
            raise ValueError("Parameter 'w' and 'h' must be numbers, not "
                             "strings. You can omit them by passing string "
                             "content with text=")
        default_end = new_x is _UNSET and ln is _UNSET
        new_x, new_y = _where(ln, XPos.RIGHT if new_x is _UNSET else new_x,
                              new_y, True)
        align, pad = Align.coerce(align), Padding.new(padding)
        self._at_line_begin(w)
        h = self.font_size if h is None else h
        whole = w == 0
        w = (self.w - self.r_margin - self.x if whole else w) - \
            pad.right - pad.left
        margins = (0 if pad.left else self.c_margin,
                   0 if pad.right else self.c_margin)
        lines = self._wrapped(self._letters(text, markdown),
                              lambda: w - sum(margins), align, wrapmode)
        place = self.x, self.y
        if align != Align.X:
            self.x += pad.left
        self.y += pad.top
        if center:
            self.x = self.w / 2 if align == Align.X else \
                self.l_margin + (self.epw - w) / 2
            place = self.x, self.y - pad.top
        high = h if max_line_height is None or len(lines) == 1 else \
            min(h, max_line_height)
        broken = self._show_lines(lines, w, h, high, align, new_x, new_y,
                                  border, fill, link, margins, pad, place[0])
        total = self._end_lines(lines, h, high, new_x, new_y, place[1],
                                broken, pad)
        self._wide_end = whole and default_end
        return self._told(output, broken, lines, total + pad.top + pad.bottom)

    def _wrapped(self, letters: Any, room: Callable[[], float], align: Any,
                 wrapmode: Any) -> list[Line]:
        breaker = Breaker(letters, align == Align.J,
                          WrapMode.coerce(wrapmode) == WrapMode.CHAR)
        found = []
        line = breaker.line(room() * self.k)
        while line is not None:
            found.append(line)
            line = breaker.line(room() * self.k)
        return found or [Line()]

    def _show_lines(self, lines: list[Line], w: float, h: float, high: float,
                    align: Any, new_x: Any, new_y: Any, border: Any,
                    fill: bool, link: Any, margins: Any, pad: Padding,
                    begin: float) -> bool:
        """Draw the lines of a multi_cell(), and a box on each page."""
        broken = False
        for at, line in enumerate(lines):
            if self._break_if_needed(h + pad.bottom):
                broken = True
                self.y += pad.top
            if (fill or border) and (at == 0 or broken):
                fit = int((self.h - self.y - pad.top - pad.bottom -
                           self.b_margin) // high)
                box = max(h - at * high, min(fit, len(lines) - at) * high)
                x = self.x - (w / 2 if align == Align.X else 0)
                self._box(x - pad.left, self.y - pad.top, x + w + pad.right,
                          self.y + box + pad.bottom, border,
                          self.fill_color if fill else None)
            last = at == len(lines) - 1
            self._show(line, w, high, align, new_x if last else XPos.LEFT,
                       new_y if last else YPos.NEXT, link=link,
                       margins=margins)
            if not last and align == Align.X:
                self.x = begin
        return broken

    def _end_lines(self, lines: list[Line], h: float, high: float,
                   new_x: Any, new_y: Any, top: float, broken: bool,
                   pad: Padding) -> float:
        """Go where a multi_cell() ends; give its height."""
        total = high * len(lines)
        if total < h:
            if new_y == YPos.NEXT:
                self.y += h - total
            total = h
        if broken and new_y == YPos.TOP:
            top = self.y
        if lines[-1].newline and new_y in (YPos.LAST, YPos.NEXT):
            self.ln()
        if new_y == YPos.TOP:
            self.y = top
        elif new_y == YPos.NEXT:
            self.y += pad.bottom
        if new_x == XPos.RIGHT:
            self.x += pad.right
        elif new_x == XPos.LEFT:
            self.x -= pad.left
        return total

    @staticmethod
    def _told(output: Any, broken: bool, lines: list[Line],
              height: float) -> Any:
        wanted, told = MethodReturnValue.coerce(output), []
        if wanted & MethodReturnValue.PAGE_BREAK:
            told.append(broken)
        if wanted & MethodReturnValue.LINES:
            told.append([line.text for line in lines])
        if wanted & MethodReturnValue.HEIGHT:
            told.append(height)
        return told[0] if len(told) == 1 else tuple(told)

    def write(self, h: Any = None, text: str = "", link: Any = "",
              print_sh: bool = False, wrapmode: Any = WrapMode.WORD,
              txt: Any = _UNSET) -> bool:
        self._check_page()
        text = text if txt is _UNSET else txt
        self._at_line_begin(0)
        if isinstance(h, str):
            raise ValueError("Parameter 'h' must be a number, not a string. "
                             "You can omit it by passing string content with "
                             "text=")
        h = self.font_size if h is None else h
        widths = iter([self.w - self.x - self.r_margin])
        lines = self._wrapped(
            self._letters(text, False),
            lambda: next(widths, self.epw) - 2 * self.c_margin, Align.L,
            wrapmode)
        if not text:
            return False
        broken = False
        for at, line in enumerate(lines):
            if at:
                self.ln()
            broken |= self._show(line, line.width / self.k +
                                 2 * self.c_margin, h, Align.L, XPos.WCONT,
                                 YPos.TOP, link=link)
        if lines[-1].newline:
            self.ln()
        return broken

    def text(self, x: float, y: float, text: str = "",
             txt: Any = _UNSET) -> None:
        self._check_page()
        line = self._line(self._letters(text if txt is _UNSET else txt,
                                        False))
        kept, self.y = self.y, y
        self._show_runs(line, x, 0, 0, 0)
        self.y = kept

    # pictures and links

    def image(self, name: Any, x: Any = None, y: Any = None, w: float = 0,
              h: float = 0, type: str = "", link: Any = "", title: Any = None,
              alt_text: Any = None, dims: Any = None,
              keep_aspect_ratio: bool = False) -> RasterImageInfo:
        self._check_page()
        picture = opened(self, name)
        wide, high = picture.size
        if w == h == 0:
            w, h = wide / self.k, high / self.k
        elif w == 0:
            w = h * wide / high
        elif h == 0:
            h = w * high / wide
        if y is None:
            self._break_if_needed(h)
            y = self.y
            self.y += h
        shown_w, shown_h = w, h
        if keep_aspect_ratio:
            scale = min(w / wide, h / high)
            shown_w, shown_h = wide * scale, high * scale
        x = self._picture_x(self.x if x is None else x,
                            shown_w if keep_aspect_ratio else w)
        x += (w - shown_w) / 2
        y += (h - shown_h) / 2
        k = self.k
        self._out("image", picture, x * k, y * k, shown_w * k, shown_h * k,
                  self._fill_alpha)
        if link:
            self.link(x, y, shown_w, shown_h, link)
        return RasterImageInfo(w=wide, h=high, rendered_width=shown_w,
                               rendered_height=shown_h)

    def _picture_x(self, x: Any, w: float) -> float:
        if isinstance(x, (int, float)):
            return x
        align = Align.coerce(x)
        if align not in (Align.C, Align.L, Align.R):
            raise ValueError(f"Unsupported 'x' value passed to .image(): {x}")
        return {Align.C: (self.w - w) / 2, Align.L: self.l_margin,
                Align.R: self.w - w - self.r_margin}[align]

    def add_link(self, y: float = 0, x: float = 0, page: int = -1,
                 zoom: Any = "null") -> int:
        number = len(self.links) + 1
        self.set_link(number, y, x, page)
        return number

    def set_link(self, link: int, y: float = 0, x: float = 0,
                 page: int = -1, zoom: Any = "null") -> None:
        self.links[link] = (self.page if page == -1 else page), y

    def link(self, x: float, y: float, w: float, h: float, link: Any,
             alt_text: Any = None, **other: Any) -> None:
        if other:
            raise NotImplementedError(
                f"link({next(iter(other))}=...) is not in this fpdf")
        k = self.k
        self._out("link", x * k, y * k, w * k, h * k, link)

    def start_section(self, name: str, level: int = 0,
                      strict: bool = True) -> None:
        if level and (not self.sections or
                      level > self.sections[-1][0] + 1) and strict:
            raise ValueError(f"Incoherent hierarchy: level {level}")
        self.sections.append((level, name, self.page, self.y * self.k))

    # tables and HTML

    @contextmanager
    def table(self, rows: Any = (), **options: Any) -> Iterator[Any]:
        from .table import Table

        self._check_page()
        if not self.font_family:
            raise FPDFException("No font set, you need to call set_font() "
                                "beforehand")
        self._wide_end = False
        table = Table(self, rows, **options)
        yield table
        table.render()

    def write_html(self, text: str, **options: Any) -> None:
        from .html import write_html

        self._check_page()
        if not self.font_family:
            self.set_font("times", size=self.font_size_pt)
        write_html(self, text, options)

    # the document

    def set_title(self, title: str) -> None:
        self.about["title"] = title

    def set_author(self, author: str) -> None:
        self.about["author"] = author

    def set_subject(self, subject: str) -> None:
        self.about["subject"] = subject

    def set_keywords(self, keywords: Any) -> None:
        self.about["keywords"] = keywords if isinstance(keywords, str) else \
            " ".join(keywords)

    def set_creator(self, creator: str) -> None:
        self.about["creator"] = creator

    def set_producer(self, producer: str) -> None:
        self.about["producer"] = producer

    def set_lang(self, lang: str) -> None:
        self.about["lang"] = lang

    def set_creation_date(self, date: Any = None) -> None:
        """The date is that of the writing here."""

    def set_display_mode(self, zoom: Any, layout: Any = "continuous") -> None:
        """How a viewer begins is left to it."""

    def set_compression(self, compress: bool) -> None:
        self.compress = compress

    def set_doc_option(self, opt: str, value: Any) -> None:
        if opt != "core_fonts_encoding":
            raise FPDFException(f'Unknown document option "{opt}"')
        self.core_fonts_encoding = value

    def output(self, name: Any = "", dest: Any = "", **_options: Any) -> Any:
        if not self.buffer:
            if self.page == 0:
                self.add_page()
            self._render_footer()
            self.buffer = _Output(Printer(self).pdf())
        if name and str(dest).upper() != "S":
            if isinstance(name, (str, Path)) or hasattr(name, "__fspath__"):
                Path(name).write_bytes(self.buffer)
            else:
                name.write(self.buffer)
            return None
        return self.buffer

    def close(self) -> None:
        """output() ends the document."""


class HTMLMixin:
    """PyFPDF's; write_html() is FPDF's own now."""


__all__ = ["FPDF", "HTMLMixin", "XPos", "YPos", "get_page_format"]
