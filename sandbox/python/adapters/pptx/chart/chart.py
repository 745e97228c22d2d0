"""chart - a chart that is on a slide."""

from __future__ import annotations

from typing import Any

from .._package import KIND, OFFICE, Part
from ..dml.fill import FillFormat
from ..dml.line import LineFormat
from ..enum.chart import (XL_CHART_TYPE, XL_LABEL_POSITION,
                          XL_LEGEND_POSITION, XL_MARKER_STYLE,
                          XL_TICK_LABEL_POSITION, XL_TICK_MARK)
from ..oxml import OxmlElement, absent, new, qn
from ..text.text import Font, TextFrame

_TEXT = '<c:%s><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr/></a:pPr>%s' \
    '</a:p></c:%s>'
_SHAPED = ("spPr", "txPr", "extLst")
_CHART = ("title", "autoTitleDeleted", "pivotFmts", "view3D", "floor",
          "sideWall", "backWall", "plotArea", "legend", "plotVisOnly",
          "dispBlanksAs", "extLst")
_AXIS = ("axId", "scaling", "delete", "axPos", "majorGridlines",
         "minorGridlines", "title", "numFmt", "majorTickMark",
         "minorTickMark", "tickLblPos", "spPr", "txPr", "crossAx", "crosses",
         "crossesAt", "auto", "lblAlgn", "lblOffset", "noMultiLvlLbl",
         "crossBetween", "majorUnit", "minorUnit", "dispUnits", "extLst")
_LABELS = ("dLbl", "delete", "numFmt", "spPr", "txPr", "dLblPos",
           "showLegendKey", "showVal", "showCatName", "showSerName",
           "showPercent", "showBubbleSize", "separator", "showLeaderLines",
           "leaderLines", "extLst")
_SERIES = ("idx", "order", "tx", "spPr", "invertIfNegative", "explosion",
           "marker", "dPt", "dLbls", "trendline", "errBars", "cat", "xVal",
           "val", "yVal", "smooth", "shape", "extLst")
_PLOT = ("barDir", "grouping", "scatterStyle", "varyColors", "ser", "dLbls",
         "dropLines", "gapWidth", "overlap", "serLines", "hiLowLines",
         "upDownBars", "marker", "smooth", "firstSliceAng", "holeSize",
         "axId", "extLst")
_LEGEND = ("legendPos", "legendEntry", "layout", "overlay", *_SHAPED)
_SCALING = ("logBase", "orientation", "max", "min")


def chart_part(package: Any, kind: Any, data: Any) -> Part:
    """A new chart with its workbook."""
    from ._writer import chart_xml, workbook
    part = package.add(package.free_name("/ppt/charts/chart%d.xml"),
                       KIND + "drawingml.chart+xml", chart_xml(kind, data))
    _with_workbook(part, workbook(kind, data))
    return part


def _with_workbook(part: Part, blob: bytes) -> None:
    package = part.package
    book = package.add(package.free_name(
        "/ppt/embeddings/Microsoft_Excel_Sheet%d.xlsx"),
        KIND + "spreadsheetml.sheet", blob)
    name = part.relate_to(book, OFFICE + "package")
    part.root.append(new(f'<c:externalData r:id="{name}"><c:autoUpdate '
                         'val="0"/></c:externalData>'))


def _value(element: Any, name: str) -> str | None:
    found = element.first("c:" + name)
    return None if found is None else found.get("val", "1")


def _put(element: Any, name: str, value: Any, order: tuple) -> None:
    element.drop("c:" + name)
    if value is not None:
        element.get_or_put("c:" + name, order).set("val", str(value))


def _flag(name: str, order: tuple) -> property:
    return property(
        lambda self: _value(self._element, name) in ("1", "true"),
        lambda self, value: _put(self._element, name, int(bool(value)),
                                 order))


def _word(name: str, kind: Any, order: tuple) -> property:
    def get(self: Any) -> Any:
        value = _value(self._element, name)
        return None if value is None else kind.from_xml(value)

    return property(get, lambda self, value: _put(
        self._element, name, None if value is None else kind.to_xml(value),
        order))


class _Holder:
    """An element that can have properties of its shape and of its text."""

    _order: tuple[str, ...] = _SHAPED

    def __init__(self, element: Any) -> None:
        self._element = element

    @property
    def font(self) -> Font:
        if self._element.first("c:txPr") is None:
            self._element.put(new(_TEXT % (
                "txPr", '<a:endParaRPr lang="en-US"/>', "txPr")), self._order)
        p = self._element.xpath("c:txPr/a:p")[0]
        return Font(lambda: p.get_or_add_pPr().get_or_put("a:defRPr"))

    @property
    def format(self) -> Any:
        return _Format(lambda: self._element.get_or_put("c:spPr",
                                                        self._order))


class _Format:
    def __init__(self, properties: Any) -> None:
        self.line = LineFormat(properties)
        self._properties = properties

    fill = property(lambda self: FillFormat(self._properties()))


class _Title:
    """A title's words; the frame is made when it is asked for."""

    def __init__(self, title: Any, part: Any) -> None:
        self._element, self.part = title, part

    has_text_frame = property(
        lambda self: bool(self._element.xpath("c:tx/c:rich")))

    @property
    def text_frame(self) -> TextFrame:
        if not self.has_text_frame:
            self._element.drop("c:tx")
            tx = OxmlElement("c:tx")
            tx.append(new(_TEXT % ("rich", "", "rich")))
            self._element.insert(0, tx)
        return TextFrame(self._element.xpath("c:tx/c:rich")[0], self)

    @property
    def format(self) -> _Format:
        return _Format(lambda: self._element.get_or_put(
            "c:spPr", ("tx", "layout", "overlay", *_SHAPED)))


def _new_title() -> Any:
    return new('<c:title><c:layout/><c:overlay val="0"/></c:title>')


class _Legend(_Holder):
    _order = _LEGEND
    horz_offset = absent("horz_offset", "position works")

    @property
    def position(self) -> Any:
        return XL_LEGEND_POSITION.from_xml(
            _value(self._element, "legendPos") or "r")

    @position.setter
    def position(self, value: Any) -> None:
        _put(self._element, "legendPos", XL_LEGEND_POSITION.to_xml(value),
             _LEGEND)

    # "Included in the layout" is what an overlay is, as with the original.
    @property
    def include_in_layout(self) -> bool:
        return _value(self._element, "overlay") in (None, "1", "true")

    @include_in_layout.setter
    def include_in_layout(self, value: bool | None) -> None:
        _put(self._element, "overlay",
             None if value is None else int(bool(value)), _LEGEND)


class _Labels(_Holder):
    _order = _LABELS
    position = _word("dLblPos", XL_LABEL_POSITION, _LABELS)
    show_value = _flag("showVal", _LABELS)
    show_percentage = _flag("showPercent", _LABELS)
    show_category_name = _flag("showCatName", _LABELS)
    show_series_name = _flag("showSerName", _LABELS)
    show_legend_key = _flag("showLegendKey", _LABELS)

    @property
    def number_format(self) -> str:
        found = self._element.first("c:numFmt")
        return "General" if found is None else found.get("formatCode")

    @number_format.setter
    def number_format(self, value: str) -> None:
        found = self._element.get_or_put("c:numFmt", self._order)
        found.set("formatCode", value)
        found.set("sourceLinked", "0")

    @property
    def number_format_is_linked(self) -> bool:
        found = self._element.first("c:numFmt")
        return found is None or found.get("sourceLinked", "1") != "0"

    @number_format_is_linked.setter
    def number_format_is_linked(self, value: bool) -> None:
        found = self._element.get_or_put("c:numFmt", self._order)
        found.set("sourceLinked", str(int(bool(value))))
        found.set("formatCode", found.get("formatCode", "General"))


class _TickLabels(_Labels):
    _order = _AXIS

    @property
    def offset(self) -> int:
        return int(_value(self._element, "lblOffset") or 100)

    @offset.setter
    def offset(self, value: int) -> None:
        if self._element.tag != qn("c:catAx"):
            raise ValueError("only a category axis has an offset")
        _put(self._element, "lblOffset", value, _AXIS)


def _limit(name: str) -> property:
    def get(self: Any) -> float | None:
        value = _value(self._element.first("c:scaling"), name)
        return None if value is None else float(value)

    return property(get, lambda self, value: _put(
        self._element.first("c:scaling"), name,
        None if value is None else float(value), _SCALING))


def _unit(name: str) -> property:
    def get(self: Any) -> float | None:
        value = _value(self._element, name)
        return None if value is None else float(value)

    return property(get, lambda self, value: _put(
        self._element, name, None if value is None else float(value), _AXIS))


def _child(name: str, make: Any) -> property:
    """Whether there is a child; setting makes it or takes it away."""
    def get(self: Any) -> bool:
        return self._element.first("c:" + name) is not None

    def put(self: Any, value: bool) -> None:
        if not value:
            self._element.drop("c:" + name)
        elif not get(self):
            self._element.put(make(), self._order)

    return property(get, put)


def _gridlines() -> Any:
    return OxmlElement("c:majorGridlines")


class _Axis(_Holder):
    _order = _AXIS

    def __init__(self, element: Any, part: Any) -> None:
        super().__init__(element)
        self.part = part

    crosses = absent("crosses", "axes cross at zero")
    crosses_at = absent("crosses_at", "axes cross at zero")
    maximum_scale, minimum_scale = _limit("max"), _limit("min")
    major_unit, minor_unit = _unit("majorUnit"), _unit("minorUnit")
    has_major_gridlines = _child("majorGridlines", _gridlines)
    has_minor_gridlines = _child("minorGridlines",
                                 lambda: OxmlElement("c:minorGridlines"))
    has_title = _child("title", _new_title)
    tick_label_position = _word("tickLblPos", XL_TICK_LABEL_POSITION, _AXIS)
    major_tick_mark = _word("majorTickMark", XL_TICK_MARK, _AXIS)
    minor_tick_mark = _word("minorTickMark", XL_TICK_MARK, _AXIS)

    @property
    def axis_title(self) -> _Title:
        self.has_title = True
        return _Title(self._element.first("c:title"), self.part)

    @property
    def major_gridlines(self) -> _Holder:
        return _Holder(self._element.get_or_put("c:majorGridlines", _AXIS))

    @property
    def tick_labels(self) -> _TickLabels:
        return _TickLabels(self._element)

    @property
    def visible(self) -> bool:
        return _value(self._element, "delete") not in ("1", "true")

    @visible.setter
    def visible(self, value: bool) -> None:
        _put(self._element, "delete", int(not value), _AXIS)

    @property
    def reverse_order(self) -> bool:
        return _value(self._element.first("c:scaling"),
                      "orientation") == "maxMin"

    @reverse_order.setter
    def reverse_order(self, value: bool) -> None:
        _put(self._element.first("c:scaling"), "orientation",
             "maxMin" if value else "minMax", _SCALING)


def _new_labels(shown: bool) -> Any:
    return new('<c:dLbls>' + "".join(
        f'<c:{name} val="{int(shown and name == "showVal")}"/>' for name in
        _LABELS if name.startswith("show") and name != "showLeaderLines")
        + '</c:dLbls>')


class _Marker(_Holder):
    _order = ("symbol", "size", "spPr", "extLst")
    style = _word("symbol", XL_MARKER_STYLE, _order)

    @property
    def size(self) -> int | None:
        value = _value(self._element, "size")
        return None if value is None else int(value)

    @size.setter
    def size(self, value: int | None) -> None:
        _put(self._element, "size", value, self._order)


class _Points:
    def __init__(self, series: Any) -> None:
        self._series = series

    def __len__(self) -> int:
        return len(self._series.values)

    def __iter__(self) -> Any:
        return (self[place] for place in range(len(self)))

    def __getitem__(self, place: int) -> Any:
        if not 0 <= place < len(self):
            raise IndexError("point index out of range")
        element = self._series._element
        found = element.xpath(f"c:dPt[c:idx/@val='{place}']")
        if not found:
            found = [element.put(new(f'<c:dPt><c:idx val="{place}"/></c:dPt>'),
                                 _SERIES)]
        return _Point(found[0])


class _Point(_Holder):
    _order = ("idx", "invertIfNegative", "marker", "bubble3D", "explosion",
              "spPr", "extLst")

    @property
    def data_label(self) -> Any:
        raise NotImplementedError("data_label of one point: data_labels of "
                                  "the series or of the plot work")


class _Series(_Holder):
    _order = _SERIES
    smooth = _flag("smooth", _SERIES)
    invert_if_negative = _flag("invertIfNegative", _SERIES)

    @property
    def name(self) -> str:
        found = self._element.xpath("c:tx//c:v")
        return found[0].text or "" if found else ""

    @property
    def values(self) -> tuple[Any, ...]:
        found = self._element.xpath("(c:val | c:yVal)//c:ptCount/@val")
        out: list[Any] = [None] * int(found[0] if found else 0)
        for point in self._element.xpath("(c:val | c:yVal)//c:pt"):
            out[int(point.get("idx"))] = float(point.first("c:v").text)
        return tuple(out)

    points = property(_Points)

    @property
    def marker(self) -> _Marker:
        return _Marker(self._element.get_or_put("c:marker", _SERIES))

    @property
    def data_labels(self) -> _Labels:
        if self._element.first("c:dLbls") is None:
            self._element.put(_new_labels(False), _SERIES)
        return _Labels(self._element.first("c:dLbls"))


def _number(name: str, default: int) -> property:
    return property(
        lambda self: int(_value(self._element, name) or default),
        lambda self, value: _put(self._element, name, int(value), _PLOT))


class _Plot(_Holder):
    _order = _PLOT
    has_data_labels = _child("dLbls", lambda: _new_labels(True))
    vary_by_categories = _flag("varyColors", _PLOT)
    gap_width, overlap = _number("gapWidth", 150), _number("overlap", 0)

    @property
    def data_labels(self) -> _Labels:
        found = self._element.first("c:dLbls")
        if found is None:
            raise ValueError("plot has no data labels, set has_data_labels "
                             "= True first")
        return _Labels(found)

    @property
    def series(self) -> list[_Series]:
        return [_Series(one) for one in self._element.findall(qn("c:ser"))]

    @property
    def categories(self) -> list[str]:
        points = self._element.xpath("c:ser[1]/c:cat//c:pt/c:v")
        return [one.text or "" for one in points]


class Chart(_Holder):
    """A chart: its legend, title, axes, plots and series."""

    def __init__(self, part: Part) -> None:
        self.part, self._chartSpace = part, part.root
        super().__init__(part.root.first("c:chart"))

    _order = _CHART
    has_legend = _child("legend", lambda: new(
        '<c:legend><c:legendPos val="r"/><c:layout/><c:overlay val="0"/>'
        '</c:legend>'))

    @property
    def legend(self) -> _Legend | None:
        found = self._element.first("c:legend")
        return None if found is None else _Legend(found)

    @property
    def has_title(self) -> bool:
        return self._element.first("c:title") is not None

    @has_title.setter
    def has_title(self, value: bool) -> None:
        if not value:
            self._element.drop("c:title")
        elif not self.has_title:
            self._element.put(_new_title(), _CHART)
        _put(self._element, "autoTitleDeleted", int(not value), _CHART)

    @property
    def chart_title(self) -> _Title:
        self.has_title = True
        return _Title(self._element.first("c:title"), self.part)

    @property
    def font(self) -> Font:
        holder = _Holder(self._chartSpace)
        holder._order = ("chart", *_SHAPED[:2], "externalData")
        return holder.font

    @property
    def chart_style(self) -> int | None:
        value = _value(self._chartSpace, "style")
        return None if value is None else int(value)

    @chart_style.setter
    def chart_style(self, value: int | None) -> None:
        _put(self._chartSpace, "style", value,
             ("style", "clrMapOvr", "pivotSource", "protection", "chart"))

    @property
    def plots(self) -> list[_Plot]:
        return [_Plot(one) for one in self._element.xpath(
            "c:plotArea/*[c:ser]")]

    @property
    def series(self) -> list[_Series]:
        return [one for plot in self.plots for one in plot.series]

    def _axis(self, path: str, name: str) -> _Axis:
        found = self._element.xpath("c:plotArea/" + path)
        if not found:
            raise ValueError(f"chart has no {name} axis")
        return _Axis(found[0], self.part)

    @property
    def category_axis(self) -> _Axis:
        return self._axis("*[self::c:catAx or self::c:dateAx or "
                          "self::c:valAx]", "category")

    @property
    def value_axis(self) -> _Axis:
        both = len(self._element.xpath("c:plotArea/c:valAx")) > 1
        return self._axis(f"c:valAx[{1 + both}]", "value")

    @property
    def chart_type(self) -> Any:
        plot = self._element.xpath("c:plotArea/*[c:ser]")[0]
        name = plot.tag.rpartition("}")[2]
        if name == "barChart":
            way = {"col": "COLUMN", "bar": "BAR"}[_value(plot, "barDir")]
            group = {"clustered": "CLUSTERED", "stacked": "STACKED",
                     "percentStacked": "STACKED_100"}
            return XL_CHART_TYPE[f"{way}_{group[_value(plot, 'grouping')]}"]
        group = {"standard": "", "stacked": "_STACKED",
                 "percentStacked": "_STACKED_100"}.get(
                     _value(plot, "grouping") or "standard")
        bare = plot.xpath("c:ser/c:marker/c:symbol[@val='none']")
        if name == "areaChart":
            return XL_CHART_TYPE["AREA" + group]
        if name == "lineChart" and group != "_STACKED_100":
            return XL_CHART_TYPE["LINE" + ("" if bare else "_MARKERS")
                                 + group]
        if name == "scatterChart":
            if plot.xpath("c:ser/c:spPr/a:ln/a:noFill"):
                return XL_CHART_TYPE.XY_SCATTER
            smooth = _value(plot, "scatterStyle") == "smoothMarker"
            return XL_CHART_TYPE[
                "XY_SCATTER" + ("_SMOOTH" if smooth else "_LINES")
                + ("_NO_MARKERS" if bare else "")]
        for one, kind in (("pieChart", "PIE"), ("doughnutChart", "DOUGHNUT")):
            if name == one:
                return XL_CHART_TYPE[kind]
        raise NotImplementedError("chart_type of " + name)

    def replace_data(self, chart_data: Any) -> None:
        raise NotImplementedError("replace_data(): add a new chart")
