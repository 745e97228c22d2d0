"""_writer - the XML and the workbook of a new chart."""

from __future__ import annotations

import datetime
import io
import numbers
from typing import Any
from xml.sax.saxutils import escape

from ..enum.chart import XL_CHART_TYPE as X
from ..oxml.ns import nsdecls

_COLUMNS = {X.COLUMN_CLUSTERED: ("col", "clustered"),
            X.COLUMN_STACKED: ("col", "stacked"),
            X.COLUMN_STACKED_100: ("col", "percentStacked"),
            X.BAR_CLUSTERED: ("bar", "clustered"),
            X.BAR_STACKED: ("bar", "stacked"),
            X.BAR_STACKED_100: ("bar", "percentStacked")}
_GROUPS = {X.LINE: "standard", X.LINE_MARKERS: "standard",
           X.LINE_STACKED: "stacked", X.LINE_MARKERS_STACKED: "stacked",
           X.AREA: "standard", X.AREA_STACKED: "stacked",
           X.AREA_STACKED_100: "percentStacked"}
_MARKED = (X.LINE_MARKERS, X.LINE_MARKERS_STACKED)
_AREAS = (X.AREA, X.AREA_STACKED, X.AREA_STACKED_100)
_SCATTERS = {X.XY_SCATTER: "lineMarker", X.XY_SCATTER_LINES: "lineMarker",
             X.XY_SCATTER_LINES_NO_MARKERS: "lineMarker",
             X.XY_SCATTER_SMOOTH: "smoothMarker",
             X.XY_SCATTER_SMOOTH_NO_MARKERS: "smoothMarker"}
_BARE = (X.XY_SCATTER_LINES_NO_MARKERS, X.XY_SCATTER_SMOOTH_NO_MARKERS)
_AXES = '<c:axId val="-2068027336"/><c:axId val="-2113994440"/>'


def _letter(number: int) -> str:
    out = ""
    while number:
        number, rest = divmod(number - 1, 26)
        out = chr(65 + rest) + out
    return out


def _cache(kind: str, where: str, values: list[Any], form: str = "") -> str:
    """References to the workbook's cells, with what is in them."""
    points = "".join(f'<c:pt idx="{place}"><c:v>{escape(str(value))}</c:v>'
                     '</c:pt>' for place, value in enumerate(values)
                     if value is not None)
    code = f"<c:formatCode>{escape(form)}</c:formatCode>" if form else ""
    return (f'<c:{kind}Ref><c:f>{where}</c:f><c:{kind}Cache>{code}'
            f'<c:ptCount val="{len(values)}"/>{points}</c:{kind}Cache>'
            f'</c:{kind}Ref>')


def _plain(values: list[Any]) -> list[Any]:
    """Numbers without numpy's reprs."""
    out = []
    for one in values:
        if one is not None and not isinstance(one, (int, float)):
            one = float(one)
        if isinstance(one, float):
            one = None if one != one else float(one)
        out.append(one)
    return out


def _categories(data: Any) -> tuple[str, list[Any]]:
    labels = [one.label for one in data.categories]
    if any(isinstance(one, datetime.date) for one in labels):
        raise NotImplementedError("dates as categories: give texts, such as "
                                  "date.strftime('%Y-%m-%d')")
    if labels and all(isinstance(one, numbers.Number) for one in labels):
        return "num", _plain(labels)
    return "str", ["" if one is None else str(one) for one in labels]


def _head(number: int, series: Any) -> str:
    where = f"Sheet1!${_letter(number + 2)}$1"
    return (f'<c:idx val="{number}"/><c:order val="{number}"/>'
            f'<c:tx>{_cache("str", where, [series.name])}</c:tx>')


def _series(data: Any, before: str = "", after: str = "") -> str:
    kind, labels = _categories(data)
    last, out = len(labels) + 1, ""
    for number, one in enumerate(data):
        values = _plain(one.values)
        column = _letter(number + 2)
        cat = _cache(kind, f"Sheet1!$A$2:$A${last}", labels,
                     "General" if kind == "num" else "")
        val = _cache("num", f"Sheet1!${column}$2:${column}${last}",
                     values, one.number_format)
        out += (f'<c:ser>{_head(number, one)}{before}'
                + (f'<c:cat>{cat}</c:cat>' if labels else '')
                + f'<c:val>{val}</c:val>{after}</c:ser>')
    return out


def _points(data: Any, kind: Any) -> str:
    out, row = "", 1
    for number, one in enumerate(data):
        first, last = row + 1, row + len(one.points)
        xs, ys = (_cache("num", f"Sheet1!${letter}${first}:${letter}${last}",
                         _plain([point[at] for point in one.points]),
                         one.number_format)
                  for at, letter in enumerate("AB"))
        look = ""
        if kind is X.XY_SCATTER:
            look = ('<c:spPr><a:ln w="47625"><a:noFill/></a:ln></c:spPr>')
        elif kind in _BARE:
            look = '<c:marker><c:symbol val="none"/></c:marker>'
        smooth = int(_SCATTERS[kind] == "smoothMarker")
        head = _head(number, one).replace("$%s$1<" % _letter(number + 2),
                                          f"$B${row}<")
        out += (f'<c:ser>{head}{look}<c:xVal>{xs}</c:xVal><c:yVal>{ys}'
                f'</c:yVal><c:smooth val="{smooth}"/></c:ser>')
        row = last + 2
    return out


def _axis(tag: str, place: str, ids: tuple[str, str], more: str = "",
          grid: bool = False) -> str:
    return (f'<c:{tag}><c:axId val="{ids[0]}"/><c:scaling><c:orientation '
            'val="minMax"/></c:scaling><c:delete val="0"/>'
            f'<c:axPos val="{place}"/>'
            + ("<c:majorGridlines/>" if grid else "")
            + '<c:numFmt formatCode="General" sourceLinked="1"/>'
            '<c:majorTickMark val="out"/><c:minorTickMark val="none"/>'
            f'<c:tickLblPos val="nextTo"/><c:crossAx val="{ids[1]}"/>'
            f'<c:crosses val="autoZero"/>{more}</c:{tag}>')


def _axes(flat: bool = False, scatter: bool = False,
          area: bool = False) -> str:
    ids = ("-2068027336", "-2113994440")
    first, second = ("l", "b") if flat else ("b", "l")
    between = "midCat" if scatter or area else "between"
    if scatter:
        one = _axis("valAx", first, ids,
                    f'<c:crossBetween val="{between}"/>')
    else:
        one = _axis("catAx", first, ids, '<c:auto val="1"/><c:lblAlgn '
                    'val="ctr"/><c:lblOffset val="100"/>'
                    '<c:noMultiLvlLbl val="0"/>')
    return one + _axis("valAx", second, ids[::-1],
                       f'<c:crossBetween val="{between}"/>', True)


def _plot(kind: Any, data: Any) -> str:
    if kind in _COLUMNS:
        way, group = _COLUMNS[kind]
        overlap = "" if group == "clustered" else '<c:overlap val="100"/>'
        return (f'<c:barChart><c:barDir val="{way}"/><c:grouping '
                f'val="{group}"/><c:varyColors val="0"/>'
                + _series(data, '<c:invertIfNegative val="0"/>')
                + f'<c:gapWidth val="150"/>{overlap}'
                f'{_AXES}</c:barChart>' + _axes(way == "bar"))
    if kind in _AREAS:
        return (f'<c:areaChart><c:grouping val="{_GROUPS[kind]}"/>'
                '<c:varyColors val="0"/>' + _series(data) + _AXES
                + '</c:areaChart>' + _axes(area=True))
    if kind in _GROUPS:
        look = "" if kind in _MARKED else \
            '<c:marker><c:symbol val="none"/></c:marker>'
        return (f'<c:lineChart><c:grouping val="{_GROUPS[kind]}"/>'
                '<c:varyColors val="0"/>'
                + _series(data, look, '<c:smooth val="0"/>')
                + f'<c:marker val="1"/>{_AXES}</c:lineChart>' + _axes())
    if kind is X.PIE:
        return ('<c:pieChart><c:varyColors val="1"/>' + _series(data)
                + '<c:firstSliceAng val="0"/></c:pieChart>')
    if kind is X.DOUGHNUT:
        return ('<c:doughnutChart><c:varyColors val="1"/>' + _series(data)
                + '<c:firstSliceAng val="0"/><c:holeSize val="50"/>'
                '</c:doughnutChart>')
    if kind in _SCATTERS:
        return (f'<c:scatterChart><c:scatterStyle val="{_SCATTERS[kind]}"/>'
                '<c:varyColors val="0"/>' + _points(data, kind) + _AXES
                + '</c:scatterChart>' + _axes(scatter=True))
    raise NotImplementedError(
        f"XL_CHART_TYPE.{X(kind).name}: column, bar, line, area, pie, "
        "doughnut and scatter charts work")


def chart_xml(kind: Any, data: Any) -> bytes:
    return (f'<c:chartSpace {nsdecls("c", "a", "r")}><c:date1904 val="0"/>'
            f'<c:chart><c:autoTitleDeleted val="0"/><c:plotArea>'
            f'<c:layout/>{_plot(kind, data)}</c:plotArea><c:plotVisOnly '
            'val="1"/><c:dispBlanksAs val="gap"/></c:chart><c:txPr><a:bodyPr/>'
            '<a:lstStyle/><a:p><a:pPr><a:defRPr sz="1800"/></a:pPr>'
            '<a:endParaRPr lang="en-US"/></a:p></c:txPr></c:chartSpace>'
            ).encode()


def workbook(kind: Any, data: Any) -> bytes:
    """The workbook that a chart is edited with."""
    import openpyxl
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Sheet1"
    if kind in _SCATTERS:
        row = 1
        for one in data:
            sheet.cell(row, 2, one.name)
            for x, y in one.points:
                row += 1
                for column, value in enumerate(_plain([x, y]), 1):
                    sheet.cell(row, column, value)
            row += 2
    else:
        for row, label in enumerate(_categories(data)[1], 2):
            sheet.cell(row, 1, label)
        for column, one in enumerate(data, 2):
            sheet.cell(1, column, one.name)
            for row, value in enumerate(_plain(one.values), 2):
                sheet.cell(row, column, value)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
