"""fpdf.table - the tables of FPDF.table(): rows and cells of text or
pictures, with colspan; rowspan is not here."""

from __future__ import annotations

from typing import Any, Optional

from .enums import (Align, MethodReturnValue, TableBordersLayout,
                    TableCellFillMode, TableHeadingsDisplay, VAlign)
from .drawing import convert_to_device_color
from .errors import FPDFException
from .fonts import CORE_FONTS, FontFace

DEFAULT_HEADINGS_STYLE = FontFace(emphasis="BOLD")


class Cell:
    def __init__(self, text: str = "", align: Any = None, v_align: Any = None,
                 style: Any = None, img: Any = None,
                 img_fill_width: bool = False, colspan: int = 1,
                 padding: Any = None, link: Any = None) -> None:
        self.text, self.style, self.img = text, style, img
        self.align = Align.coerce(align) if align else None
        self.v_align = VAlign.coerce(v_align) if v_align else None
        self.img_fill_width, self.colspan = img_fill_width, colspan
        self.padding, self.link = padding, link


class Row:
    def __init__(self, table: "Table", style: Any = None, v_align: Any = None,
                 min_height: Any = None) -> None:
        self._table, self.style = table, style
        self.v_align = VAlign.coerce(v_align) if v_align else None
        self.min_height = min_height
        self.cells: list[Any] = []

    @property
    def cols_count(self) -> int:
        return sum(cell.colspan for cell in self.cells)

    def cell(self, text: Any = "", align: Any = None, v_align: Any = None,
             style: Any = None, img: Any = None, img_fill_width: bool = False,
             colspan: int = 1, rowspan: int = 1, padding: Any = None,
             link: Any = None, border: Any = None) -> str:
        if rowspan != 1 or border is not None or not isinstance(
                text, (str, int, float, type(None))):
            raise NotImplementedError(
                "cell(rowspan=, border=) and TableSpan are not in this fpdf")
        if text and img:
            raise NotImplementedError("fpdf2 currently does not support "
                                      "inserting text with an image in the "
                                      "same table cell.")
        if isinstance(text, (int, float)):
            raise AttributeError(f"{type(text).__name__!r} object has no "
                                 "attribute 'encode': give cell() a str")
        if style is None:
            here = self._table.document.font_face()
            if here != self._table.initial_style:
                style = here
        self.cells.append(Cell(text or "", align, v_align, style, img,
                               img_fill_width, colspan, padding, link))
        return text or ""


class Table:
    def __init__(self, document: Any, rows: Any = (), *, align: Any = "CENTER",
                 v_align: Any = "MIDDLE", borders_layout: Any = "ALL",
                 cell_fill_color: Any = None, cell_fill_mode: Any = "NONE",
                 col_widths: Any = None, first_row_as_headings: bool = True,
                 gutter_height: float = 0, gutter_width: float = 0,
                 headings_style: Any = DEFAULT_HEADINGS_STYLE,
                 line_height: Any = None, markdown: bool = False,
                 text_align: Any = "JUSTIFY", width: Any = None,
                 wrapmode: Any = "WORD", padding: Any = None,
                 num_heading_rows: int = 1, repeat_headings: Any = 1,
                 min_row_height: Any = None,
                 outer_border_width: Any = None) -> None:
        if outer_border_width:
            raise NotImplementedError("table(outer_border_width=...) is not "
                                      "in this fpdf")
        self.document = document
        self._align, self._v_align = Align.coerce(align), VAlign.coerce(
            v_align)
        self._layout = TableBordersLayout.coerce(borders_layout)
        self._fill = convert_to_device_color(cell_fill_color)
        self._fill_mode = TableCellFillMode.coerce(cell_fill_mode) \
            if isinstance(cell_fill_mode, str) else cell_fill_mode
        self._widths, self._width = col_widths, width
        self._gaps = gutter_width, gutter_height
        self._headings_style = headings_style
        self._line = 2 * document.font_size if line_height is None \
            else line_height
        self._text_align, self._markdown = text_align, markdown
        self._wrapmode, self._least = wrapmode, min_row_height
        self._padding = 0 if padding is None else padding
        self._headings = num_heading_rows if first_row_as_headings else 0
        self._repeat = TableHeadingsDisplay.coerce(repeat_headings)
        self.initial_style: Any = None
        self.rows: list[Row] = []
        for row in rows:
            self.row(row)

    def row(self, cells: Any = (), style: Any = None, v_align: Any = None,
            min_height: Any = None) -> Row:
        if self.initial_style is None:
            self.initial_style = self.document.font_face()
        row = Row(self, style, v_align, min_height)
        self.rows.append(row)
        for cell in cells:
            if isinstance(cell, dict):
                row.cell(**cell)
            else:
                row.cell(cell)
        return row

    # measures

    def _measure(self) -> None:
        """The width of the table and where its columns are."""
        document = self.document
        self._columns = max((row.cols_count for row in self.rows), default=0)
        fixed = isinstance(self._widths, (int, float))
        if self._width is None:
            self._width = self._columns * self._widths \
                if self._widths and fixed else document.epw
        elif fixed and self._columns * self._widths != self._width:
            raise ValueError(f"Invalid value provided width={self._width} "
                             "should be a multiple of col_widths="
                             f"{self._widths}")
        if self._width > document.epw + 1e-9:
            raise ValueError(f"Invalid value provided width={self._width}: "
                             f"effective page width is {document.epw}")
        if self._align == Align.J:
            raise ValueError("JUSTIFY is an invalid value for FPDF.table() "
                             "'align' parameter")

    def _check_headings(self) -> None:
        style, document = self._headings_style, self.document
        if not self._headings:
            return
        if not style:
            raise ValueError("headings_style must be provided to FPDF.table()"
                             " if num_heading_rows>1 or "
                             "first_row_as_headings=True")
        if style.emphasis is None:
            return
        family = style.family or document.font_family
        letters = style.emphasis.style.replace("U", "")
        key = family.lower() + letters
        if key not in CORE_FONTS and key not in document.fonts and \
                family.lower() not in ("arial",):
            raise FPDFException(
                f"Using font '{family}' with emphasis '{letters}' in table "
                "headings require the corresponding font style to be added "
                "using add_font()")

    def _span(self, at: int, column: int, count: int = 1) -> float:
        """The width of COUNT columns."""
        gap = self._gaps[0]
        room = self._width - (self._columns - 1) * gap
        between = (count - 1) * gap
        if not self._widths:
            return float(count * room / self._columns + between)
        if isinstance(self._widths, (int, float)):
            return float(count * self._widths + between)
        if column + count > len(self._widths):
            raise ValueError("Invalid .col_widths specified: missing width "
                             f"for table() column {column + 1} on row "
                             f"{at + 1}")
        return float(sum(self._widths[column:column + count]) * room /
                     sum(self._widths) + between)

    # drawing

    def render(self) -> None:
        self._measure()
        self._check_headings()
        document = self.document
        margin = document.l_margin
        if self._align == Align.C:
            document.l_margin = (document.w - self._width) / 2
        elif self._align == Align.R:
            document.l_margin = document.w - document.r_margin - self._width
        else:
            document.l_margin = document.x
        document.x = document.l_margin
        with document._writing_off():
            self._sizes = [self._row_size(at) for at in range(len(self.rows))]
        heights = [height for height, _ in self._sizes]
        if len(self.rows) > self._headings > 0:
            document._break_if_needed(sum(heights[:self._headings + 1]))
        for at in range(len(self.rows)):
            self._render_row(at, heights[at])
        document.l_margin = document.x = margin

    def _render_row(self, at: int, height: float) -> None:
        document = self.document
        if document._break_if_needed(height):
            if document.y + height > document.page_break_trigger:
                raise ValueError(f"The row with index {at} is too high and "
                                 "cannot be rendered on a single page")
            if self._repeat and at >= self._headings:
                for heading in range(self._headings):
                    self._draw_row(heading)
        if at:
            document.y += self._gaps[1]
        self._draw_row(at)

    def _row_size(self, at: int) -> tuple[float, list[float]]:
        """The height of a row, and of what is in its cells."""
        row, texts, pictures, column = self.rows[at], [], [], 0
        for cell in row.cells:
            picture, text = self._content(at, column, cell, None)
            texts.append(picture if cell.img_fill_width else text)
            pictures.append(picture)
            column += cell.colspan
        height = max(texts, default=0) or max(pictures, default=0) or \
            self._line
        return max(height, row.min_height or self._least or 0), texts

    def _draw_row(self, at: int) -> None:
        document, column = self.document, 0
        y, left = document.y, document.l_margin
        height, texts = self._sizes[at]
        for place, cell in enumerate(self.rows[at].cells):
            x = left + sum(self._span(at, before) + self._gaps[0]
                           for before in range(column))
            document.set_xy(x, y)
            style = self._style(at, column, cell)
            document._box(x, y, x + self._span(at, column, cell.colspan),
                          y + height,
                          self._border(at, column, place, cell),
                          style.fill_color)
            document.set_xy(x, y)
            self._content(at, column, cell, height, texts[place])
            column += cell.colspan
        document.set_xy(left, y + height)

    def _style(self, at: int, column: int, cell: Cell) -> Any:
        style = self.initial_style
        if self._fill and self._fill_mode.should_fill_cell(at, column):
            style = style.replace(fill_color=self._fill)
        if at < self._headings:
            style = FontFace.combine(self._headings_style, style)
        style = FontFace.combine(self.rows[at].style, style)
        return FontFace.combine(cell.style, style)

    def _content(self, at: int, column: int, cell: Cell,
                 height: Optional[float], used: float = 0) -> \
            tuple[float, float]:
        """Draw the text or picture of a cell; give the height of each."""
        from .fpdf import Padding

        document, row = self.document, self.rows[at]
        width = self._span(at, column, cell.colspan)
        pad = Padding.new(cell.padding or self._padding)
        x, y, picture, text = document.x, document.y, 0.0, 0.0
        if cell.img:
            line = document.line_width
            free = cell.img_fill_width or height is None
            document.set_xy(x + pad.left + line / 2, y + pad.top + line / 2)
            info = document.image(
                cell.img, w=width - pad.left - pad.right - line,
                h=0 if free or height is None
                else height - pad.top - pad.bottom - line,
                keep_aspect_ratio=True, link=cell.link or "")
            picture = info.rendered_height + pad.top + pad.bottom + line
            document.set_xy(x, y)
        if not cell.text:
            return picture, text
        spare = 0 if height is None else height - used
        v_align = cell.v_align or row.v_align or self._v_align
        document.y += {VAlign.M: spare / 2, VAlign.B: spare}.get(v_align, 0)
        align = cell.align or self._text_align
        if not isinstance(align, (Align, str)):
            align = align[column]
        with document.use_font_face(self._style(at, column, cell)):
            text = document.multi_cell(
                width, self._line, cell.text, align=align,
                max_line_height=self._line, new_x="RIGHT", new_y="TOP",
                markdown=self._markdown, wrapmode=self._wrapmode,
                output=MethodReturnValue.HEIGHT, padding=pad,
                link=cell.link or "")
        return picture, text

    def _border(self, at: int, column: int, place: int, cell: Cell) -> Any:
        """The sides of a cell that are drawn."""
        layout, kinds = self._layout, TableBordersLayout
        if layout in (kinds.ALL, kinds.NONE):
            return int(layout == kinds.ALL)
        count, headings = len(self.rows), self._headings
        last_row = at + 1 == count
        last = column + cell.colspan == len(self.rows[at].cells)
        away = set()
        if layout == kinds.SINGLE_TOP_LINE:
            return "B" if count > 1 and at < headings else 0
        if layout == kinds.HORIZONTAL_LINES:
            if count == 1:
                return 0
            return "B" if at == 0 else "T" if last_row else "TB"
        if layout == kinds.NO_HORIZONTAL_LINES:
            away |= {"T"} if at > headings else set()
            away |= set() if last_row else {"B"}
        else:
            away |= {"L"} if column == 0 else set()
            away |= {"R"} if last else set()
            if layout == kinds.INTERNAL:
                away |= {"T"} if at == 0 else set()
                away |= {"B"} if last_row else set()
            else:
                away |= {"T"} if at == 0 or at > headings or count == 1 \
                    else set()
                away |= {"B"} if at > headings - 1 else set()
        return "".join(side for side in "LRTB" if side not in away) or 0
