"""fpdf.html - FPDF.write_html(): HTML as paragraphs, lists and tables.

Headings, paragraphs, lists, links, fonts, pictures and tables look as those of
fpdf2 do; gaps between them are near its gaps. CSS is not read: a <style> and
style= are passed over, as fpdf2 does. Other tags raise.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any, NamedTuple

from .drawing import convert_to_device_color
from .enums import Align, WrapMode, XPos, YPos
from .fonts import FontFace

_SIZES = {"h1": 24, "h2": 18, "h3": 14, "h4": 12, "h5": 10, "h6": 8}
_MARKS = {"b": "B", "strong": "B", "i": "I", "em": "I", "u": "U", "s": "S",
          "del": "S", "dt": "B", "ins": "U"}
_BLOCKS = {"p", "div", "section", "article", "header", "footer", "main",
           "center", "blockquote", "pre", "dl", "dt", "dd", *_SIZES}
_PLAIN = {"html", "body", "head", "meta", "link", "span", "thead", "tbody",
          "tfoot", "font", "code", "a", "ul", "ol", "li", "table", "tr",
          "td", "th", "br", "hr", "img", "title", "style", "script",
          "colgroup", "col", "small"}
_UNREAD = {"style", "script", "title"}
_ALONE = {"br", "hr", "img", "meta", "link", "col"}
_INDENT = 5.0           # millimetres of a list's item
_RED = "#960000"        # headings


class _State(NamedTuple):
    tag: str
    marks: frozenset[str]
    family: str
    size: float
    color: Any
    link: Any = ""
    align: Any = Align.L
    indent: float = 0.0
    is_pre: bool = False


class Html(HTMLParser):
    def __init__(self, pdf: Any, options: dict[str, Any]) -> None:
        super().__init__()
        self.pdf = pdf
        self.sizes = {**_SIZES, **(options.pop("heading_sizes", None) or {})}
        self.separators = options.pop("table_line_separators", False)
        self.image_map = options.pop("image_map", None) or (lambda src: src)
        options.pop("warn_on_tags_not_matching", None)
        options.pop("render_title_tag", None)
        if options:
            raise NotImplementedError(
                f"write_html({next(iter(options))}=...) is not in this fpdf")
        marks = frozenset(pdf._style_letters())
        self.states = [_State("", marks, pdf.font_family, pdf.font_size_pt,
                              pdf.text_color)]
        self.letters: list[Any] = []
        self.lists: list[Any] = []
        self.mark: Any = None       # of the list's item that begins
        self.rows: Any = None       # of the table that is open
        self.unread = 0

    @property
    def now(self) -> _State:
        return self.states[-1]

    # ---- text ----
    def handle_data(self, data: str) -> None:
        if self.unread:
            return
        if not self.now.is_pre:
            data = re.sub(r"\s+", " ", data)
            if not self.letters or self.letters[-1][0] in " \n":
                data = data.lstrip(" ")
        if self.rows is not None:
            if self.rows and self.rows[-1]:
                self.rows[-1][-1]["text"] += data
            return
        self._add(data)

    def _add(self, text: str) -> None:
        pdf, now = self.pdf, self.now
        kept = pdf._snapshot()
        pdf.set_font(now.family, "".join(sorted(now.marks)), now.size)
        pdf.text_color = now.color
        self.letters += [(letter, style._replace(link=now.link))
                         for letter, style in pdf._letters(text, False)]
        pdf._restore(kept)

    def _flush(self) -> None:
        """Draw the paragraph that was gathered."""
        pdf, letters, self.letters = self.pdf, self.letters, []
        while letters and letters[-1][0] in " \n":
            letters.pop()
        if not letters:
            return
        if pdf.x > pdf.l_margin + 1e-6 and not self.mark:
            pdf.ln()
        size = max(style.size for _, style in letters) / pdf.k
        high = size * (1.15 if self.now.is_pre else 1.3)
        pdf.x = pdf.l_margin + self.now.indent
        self._draw_mark(high, size)
        width = pdf.w - pdf.r_margin - pdf.x
        lines = pdf._wrapped(letters, lambda: width - 2 * pdf.c_margin,
                             self.now.align, WrapMode.WORD)
        for line in lines:
            pdf._show(line, width, high, self.now.align, XPos.LEFT,
                      YPos.NEXT)
        pdf.x = pdf.l_margin

    def _draw_mark(self, high: float, size: float) -> None:
        """The point or the number of a list's item."""
        pdf, mark, self.mark = self.pdf, self.mark, None
        if mark is None:
            return
        pdf._break_if_needed(high)
        kept, x = pdf._snapshot(), pdf.x
        pdf.set_font(self.now.family, "", self.now.size)
        pdf.text_color = pdf.fill_color = convert_to_device_color("#be0000")
        if mark == "disc":
            wide = size * 0.3
            pdf.ellipse(x - 0.6 * _INDENT * 72 / 25.4 / pdf.k,
                        pdf.y + (high - wide) / 2, wide, wide, "F")
        else:
            line = pdf._line(pdf._letters(mark, False))
            pdf.x = x - line.width / pdf.k - 2 * pdf.c_margin
            pdf._show(line, None, high, Align.L, XPos.RIGHT, YPos.TOP)
        pdf._restore(kept)
        pdf.x = x

    def _gap(self, part: float) -> None:
        """Room above or below a block, in parts of the text's size."""
        if self.pdf.y > self.pdf.t_margin + 1e-6:
            self.pdf.y += part * self.states[0].size / self.pdf.k

    # ---- tags ----
    def handle_starttag(self, tag: str, attrs: Any) -> None:
        known = {*_MARKS, *_BLOCKS, *_PLAIN}
        if tag not in known:
            raise NotImplementedError(
                f"write_html(): <{tag}> is not in this fpdf; it has "
                + ", ".join(sorted(known - _UNREAD)))
        given = {name: value or "" for name, value in attrs}
        if tag in _UNREAD:
            self.unread += 1
        start = getattr(self, f"_start_{tag}", None)
        if tag in _BLOCKS:
            self._start_block(tag)
        if tag not in _ALONE:
            self.states.append(self._state_of(tag, given))
        if start is not None:
            start(given)

    def _state_of(self, tag: str, given: dict[str, str]) -> _State:
        now = self.now._replace(tag=tag)
        if tag in _MARKS:
            now = now._replace(marks=now.marks | {_MARKS[tag]})
        if tag in self.sizes:
            now = now._replace(size=self.sizes[tag],
                               color=convert_to_device_color(_RED))
        if tag in ("pre", "code"):
            now = now._replace(family="courier", is_pre=tag == "pre" or
                               now.is_pre)
        if tag == "a":
            now = now._replace(link=given.get("href", ""),
                               marks=now.marks | {"U"},
                               color=convert_to_device_color("#0000ff"))
        if tag == "small":
            now = now._replace(size=now.size * 0.8)
        step = 72 / 25.4 / self.pdf.k
        indent = {"li": _INDENT, "dd": 10, "blockquote": 6}.get(tag, 0)
        align = "center" if tag == "center" else given.get("align", "")
        if align and tag in _BLOCKS:
            now = now._replace(align=Align.coerce(align.upper()))
        return self._fonts(now._replace(indent=now.indent + indent * step),
                           given if tag == "font" else {})

    @staticmethod
    def _fonts(now: _State, given: dict[str, str]) -> _State:
        if "color" in given:
            now = now._replace(color=convert_to_device_color(given["color"]))
        if "size" in given:
            now = now._replace(size=float(given["size"]))
        face = given.get("face") or given.get("font-family")
        return now._replace(family=face.lower()) if face else now

    def _start_block(self, tag: str) -> None:
        self._flush()
        self._gap(0.5 if tag in _SIZES else 0.3 if tag in (
            "p", "pre", "blockquote", "center") else 0)

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNREAD and self.unread:
            self.unread -= 1
        if tag in _ALONE or all(one.tag != tag for one in self.states):
            return
        if tag in _BLOCKS or tag in ("li", "ul", "ol"):
            self._flush()
            self.mark = None
        if tag in ("p", "pre", "blockquote", *_SIZES):
            self._gap(0.3)
        if tag in ("ul", "ol"):
            self.lists.pop()
        if tag == "table":
            self._draw_table()
        while self.states.pop().tag != tag:
            pass

    def _start_ul(self, given: dict[str, str]) -> None:
        self._flush()
        self.lists.append(None)

    def _start_ol(self, given: dict[str, str]) -> None:
        self._flush()
        self.lists.append(int(given.get("start", 1)) - 1)

    def _start_li(self, given: dict[str, str]) -> None:
        kept = self.states.pop()
        self._flush()
        self.states.append(kept)
        self.mark = "disc"
        if self.lists and self.lists[-1] is not None:
            self.lists[-1] += 1
            self.mark = f"{self.lists[-1]}."

    def _start_br(self, given: dict[str, str]) -> None:
        if self.rows is not None:
            if self.rows and self.rows[-1]:
                self.rows[-1][-1]["text"] += "\n"
            return
        if not self.letters:
            self.pdf.y += self.now.size / self.pdf.k
        self._add("\n")

    def _start_hr(self, given: dict[str, str]) -> None:
        self._flush()
        self._gap(0.6)
        pdf = self.pdf
        pdf.line(pdf.l_margin, pdf.y, pdf.w - pdf.r_margin, pdf.y)
        self._gap(0.6)

    def _start_img(self, given: dict[str, str]) -> None:
        if self.rows is not None:
            raise NotImplementedError("write_html(): a picture within a "
                                      "table is not in this fpdf")
        self._flush()
        w, h = (float(given.get(name) or 0) / self.pdf.k
                for name in ("width", "height"))
        self.pdf.image(self.image_map(given["src"]), w=w, h=h,
                       x=Align.C if self.now.align == Align.C else None)

    # ---- tables ----
    def _start_table(self, given: dict[str, str]) -> None:
        self._flush()
        if self.rows is not None:
            raise NotImplementedError("write_html(): a table within a table "
                                      "is not in this fpdf")
        self.rows, self.given = [], given

    def _start_tr(self, given: dict[str, str]) -> None:
        self.rows.append([])

    def _start_td(self, given: dict[str, str], is_head: bool = False) -> None:
        self.rows[-1].append({"text": "", "is_head": is_head, **given})

    def _start_th(self, given: dict[str, str]) -> None:
        self._start_td(given, True)

    def _widths(self, cells: Any) -> Any:
        parts = [one.get("width", "").rstrip("%") for one in cells]
        return [float(part) for part in parts] if parts and all(parts) \
            else None

    def _draw_table(self) -> None:
        rows, self.rows = [row for row in self.rows if row], None
        if not rows:
            return
        has_head = all(one["is_head"] for one in rows[0])
        layout = ("ALL" if self.separators else "NO_HORIZONTAL_LINES") \
            if "border" in self.given else (
                "HORIZONTAL_LINES" if self.separators else "SINGLE_TOP_LINE")
        width = self.given.get("width", "")
        wide = self.pdf.epw * float(width[:-1]) / 100 \
            if width.endswith("%") else float(width or 0) / self.pdf.k
        size = self.now.size
        with self.pdf.table(
                borders_layout=layout, first_row_as_headings=has_head,
                align=self.given.get("align", "center").upper(),
                line_height=size / self.pdf.k * 1.3, width=wide or None,
                col_widths=self._widths(rows[0])) as table:
            for cells in rows:
                row = table.row()
                for one in cells:
                    self._draw_cell(row, one)
        self._gap(0.3)

    @staticmethod
    def _draw_cell(row: Any, one: dict[str, Any]) -> None:
        head, fill = one["is_head"], one.get("bgcolor")
        style = FontFace(emphasis="BOLD" if head else None,
                         fill_color=fill) if head or fill else None
        align = one.get("align", "center" if head else "left").upper()
        row.cell(one["text"].strip(), align=align, style=style,
                 colspan=int(one.get("colspan", 1)),
                 rowspan=int(one.get("rowspan", 1)))

    def close(self) -> None:
        super().close()
        self._flush()


def write_html(pdf: Any, text: str, options: dict[str, Any]) -> None:
    kept = pdf._snapshot()
    reader = Html(pdf, options)
    reader.feed(text)
    reader.close()
    pdf._restore(kept)
