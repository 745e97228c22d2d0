"""table - tables: their cells, columns and rows."""

from __future__ import annotations

from typing import Any, Iterator

from .dml.fill import FillFormat
from .enum.text import MSO_VERTICAL_ANCHOR
from .oxml import OxmlElement, qn
from .text.text import TextFrame, new_body
from .util import Emu, Length


def _flag(name: str) -> property:
    def get(self: Any) -> bool:
        properties = self._tbl.first("a:tblPr")
        return properties is not None and \
            properties.get(name) in ("1", "true")

    def put(self: Any, value: bool) -> None:
        properties = self._tbl.first("a:tblPr")
        if properties is None:
            properties = OxmlElement("a:tblPr")
            self._tbl.insert(0, properties)
        properties.set(name, str(int(bool(value))))

    return property(get, put)


def _margin(name: str, default: int) -> property:
    def get(self: Any) -> Length:
        tcPr = self._tc.tcPr
        return Emu(int(default if tcPr is None else tcPr.get(name, default)))

    def put(self: Any, value: int | None) -> None:
        tcPr = self._tc.get_or_add_tcPr()
        if value is not None:
            tcPr.set(name, str(int(value)))
        elif name in tcPr.attrib:
            del tcPr.attrib[name]

    return property(get, put)


class _Cell:
    def __init__(self, tc: Any, parent: Any) -> None:
        self._tc = self._element = tc
        self._parent, self.part = parent, parent.part

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Cell) and self._tc is other._tc

    def __hash__(self) -> int:
        return hash(self._tc)

    @property
    def text_frame(self) -> TextFrame:
        body = self._tc.txBody
        if body is None:
            body = new_body("a:txBody")
            self._tc.put(body)
        return TextFrame(body, self)

    @property
    def text(self) -> str:
        return self.text_frame.text

    @text.setter
    def text(self, value: str) -> None:
        self.text_frame.text = value

    fill = property(lambda self: FillFormat(self._tc.get_or_add_tcPr()))
    margin_left, margin_right = _margin("marL", 91440), _margin("marR", 91440)
    margin_top, margin_bottom = _margin("marT", 45720), _margin("marB", 45720)

    @property
    def vertical_anchor(self) -> Any:
        tcPr = self._tc.tcPr
        value = None if tcPr is None else tcPr.get("anchor")
        return None if value is None else MSO_VERTICAL_ANCHOR.from_xml(value)

    @vertical_anchor.setter
    def vertical_anchor(self, value: Any) -> None:
        tcPr = self._tc.get_or_add_tcPr()
        if value is not None:
            tcPr.set("anchor", MSO_VERTICAL_ANCHOR.to_xml(value))
        elif "anchor" in tcPr.attrib:
            del tcPr.attrib["anchor"]

    # ---- merged cells ----
    span_width = property(lambda self: int(self._tc.get("gridSpan", "1")))
    span_height = property(lambda self: int(self._tc.get("rowSpan", "1")))
    is_spanned = property(lambda self: any(
        self._tc.get(name) in ("1", "true") for name in ("hMerge", "vMerge")))
    is_merge_origin = property(lambda self: not self.is_spanned and (
        self.span_width > 1 or self.span_height > 1))

    def _place(self) -> tuple[int, int]:
        row = self._tc.getparent()
        return (row.getparent().findall(qn("a:tr")).index(row),
                row.findall(qn("a:tc")).index(self._tc))

    def _block(self, rows: range,
               columns: range) -> list[tuple[int, int, Any]]:
        lines = self._tc.getparent().getparent().findall(qn("a:tr"))
        return [(row, column, lines[row].findall(qn("a:tc"))[column])
                for row in rows for column in columns]

    def merge(self, other: _Cell) -> None:
        if other._tc.getparent().getparent() is not \
                self._tc.getparent().getparent():
            raise ValueError("other_cell from different table")
        (top, bottom), (left, right) = map(
            sorted, zip(self._place(), other._place()))
        block = self._block(range(top, bottom + 1), range(left, right + 1))
        if any(_Cell(tc, self).is_spanned or _Cell(tc, self).is_merge_origin
               for _row, _column, tc in block):
            raise ValueError("range contains one or more merged cells")
        for row, column, tc in block:
            if row == top and bottom > top:
                tc.set("rowSpan", str(bottom - top + 1))
            if column == left and right > left:
                tc.set("gridSpan", str(right - left + 1))
            if column > left:
                tc.set("hMerge", "1")
            if row > top:
                tc.set("vMerge", "1")
        self._gather([_Cell(tc, self) for _row, _column, tc in block])

    @staticmethod
    def _gather(cells: list[_Cell]) -> None:
        """The texts of all go into the first."""
        first = cells[0].text_frame
        for one in cells[1:]:
            if not one.text:
                continue
            if not first.text:
                for p in first._txBody.findall(qn("a:p")):
                    first._txBody.remove(p)
            for p in one.text_frame._txBody.findall(qn("a:p")):
                first._txBody.append(p)
            one.text_frame.add_paragraph()

    def split(self) -> None:
        if not self.is_merge_origin:
            raise ValueError("not a merge-origin cell; only a merge-origin "
                             "cell can be split")
        row, column = self._place()
        for _row, _column, tc in self._block(
                range(row, row + self.span_height),
                range(column, column + self.span_width)):
            for name in ("rowSpan", "gridSpan", "hMerge", "vMerge"):
                tc.attrib.pop(name, None)


class _Size:
    def __init__(self, element: Any, name: str, table: Any) -> None:
        self._element, self._name, self._table = element, name, table
        self.part = table.part

    def _get(self) -> Length:
        return Emu(int(self._element.get(self._name)))

    def _put(self, value: int) -> None:
        self._element.set(self._name, str(int(value)))
        self._table._resized()


class _Column(_Size):
    width = property(_Size._get, _Size._put)


class _Row(_Size):
    height = property(_Size._get, _Size._put)

    @property
    def cells(self) -> Any:
        return [_Cell(tc, self) for tc in self._element.findall(qn("a:tc"))]

    _tr = property(lambda self: self._element)


class _Sizes:
    def __init__(self, found: list[Any]) -> None:
        self._found = found

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._found)

    def __getitem__(self, place: int) -> Any:
        return self._found[place]


class Table:
    """A table: cell(row, column), rows, columns."""

    def __init__(self, tbl: Any, frame: Any) -> None:
        self._tbl, self._graphic_frame = tbl, frame
        self.part = frame.part

    first_row, last_row = _flag("firstRow"), _flag("lastRow")
    first_col, last_col = _flag("firstCol"), _flag("lastCol")
    horz_banding, vert_banding = _flag("bandRow"), _flag("bandCol")

    def cell(self, row_idx: int, col_idx: int) -> _Cell:
        row = self._tbl.findall(qn("a:tr"))[row_idx]
        return _Cell(row.findall(qn("a:tc"))[col_idx], self)

    def iter_cells(self) -> Iterator[_Cell]:
        return (_Cell(tc, self) for tc in self._tbl.iter(qn("a:tc")))

    @property
    def columns(self) -> _Sizes:
        return _Sizes([_Column(one, "w", self)
                       for one in self._tbl.xpath("a:tblGrid/a:gridCol")])

    @property
    def rows(self) -> _Sizes:
        return _Sizes([_Row(one, "h", self)
                       for one in self._tbl.findall(qn("a:tr"))])

    def _resized(self) -> None:
        """The frame is as large as its columns and rows are."""
        self._graphic_frame.width = sum(one.width for one in self.columns)
        self._graphic_frame.height = sum(one.height for one in self.rows)
