"""shapetree - the shapes of a slide, and how new ones come."""

from __future__ import annotations

from typing import Any, Iterator
from xml.sax.saxutils import quoteattr

from ..enum.shapes import (CALLED, MSO_CONNECTOR, MSO_SHAPE, MSO_SHAPE_TYPE,
                           PP_PLACEHOLDER)
from ..oxml import new, qn
from ..oxml.ns import nsmap
from .autoshape import (Connector, PicturePlaceholder, Shape,
                        SlidePlaceholder, _OtherPlaceholder)
from .base import BaseShape
from .graphfrm import GraphicFrame
from .picture import IMAGE, Image, Picture

_PLACE = '<a:off x="%d" y="%d"/><a:ext cx="%d" cy="%d"/>'
_STYLE = ('<p:style><a:lnRef idx="1"><a:schemeClr val="accent1"/></a:lnRef>'
          '<a:fillRef idx="3"><a:schemeClr val="accent1"/></a:fillRef>'
          '<a:effectRef idx="2"><a:schemeClr val="accent1"/></a:effectRef>'
          '<a:fontRef idx="minor"><a:schemeClr val="lt1"/></a:fontRef>'
          '</p:style>')
_LINE_STYLE = (
    '<p:style><a:lnRef idx="2"><a:schemeClr val="accent1"/></a:lnRef>'
    '<a:fillRef idx="0"><a:schemeClr val="accent1"/></a:fillRef>'
    '<a:effectRef idx="1"><a:schemeClr val="accent1"/></a:effectRef>'
    '<a:fontRef idx="minor"><a:schemeClr val="tx1"/></a:fontRef></p:style>')
_CALLED = {"title": "Title", "ctrTitle": "Title", "subTitle": "Subtitle",
           "body": "Text Placeholder", "obj": "Content Placeholder",
           "pic": "Picture Placeholder", "chart": "Chart Placeholder",
           "tbl": "Table Placeholder", "media": "Media Placeholder",
           "clipArt": "ClipArt Placeholder", "dgm": "SmartArt Placeholder",
           "sldImg": "Slide Image Placeholder",
           "hdr": "Header Placeholder"}
_TEXTUAL = ("title", "ctrTitle", "subTitle", "body", "obj")
_TABLE_STYLE = "{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}"
_TAGS = ("sp", "pic", "graphicFrame", "cxnSp", "grpSp")


class GroupShape(BaseShape):
    """A group of shapes."""

    def _kind(self) -> Any:
        return MSO_SHAPE_TYPE.GROUP

    @property
    def shapes(self) -> Any:
        return Shapes(self._element, self._parent._owner)


def shape_of(element: Any, parent: Any) -> BaseShape:
    name = element.tag.rpartition("}")[2]
    holders = element.xpath("p:nvSpPr/p:nvPr/p:ph")
    if holders:
        kind = {"pic": PicturePlaceholder, "tbl": _OtherPlaceholder,
                "chart": _OtherPlaceholder}.get(holders[0].get("type"),
                                                SlidePlaceholder)
        return kind(element, parent)
    return {"sp": Shape, "pic": Picture, "graphicFrame": GraphicFrame,
            "cxnSp": Connector, "grpSp": GroupShape}[name](element, parent)


class Shapes:
    """The shapes of a slide, a layout, a master, notes or a group."""

    def __init__(self, tree: Any, owner: Any) -> None:
        self._spTree = self._element = self.element = tree
        self._owner, self.part = owner, owner.part

    def _elements(self) -> list[Any]:
        tags = {qn("p:" + tag) for tag in _TAGS}
        return [one for one in self._spTree if one.tag in tags]

    def __iter__(self) -> Iterator[BaseShape]:
        return (shape_of(one, self) for one in self._elements())

    def __len__(self) -> int:
        return len(self._elements())

    def __getitem__(self, place: int) -> BaseShape:
        try:
            return shape_of(self._elements()[place], self)
        except IndexError:
            raise IndexError("shape index out of range") from None

    def index(self, shape: BaseShape) -> int:
        return self._elements().index(shape._element)

    @property
    def title(self) -> Any:
        return next((one for one in self.placeholders
                     if one.placeholder_format.idx == 0), None)

    @property
    def placeholders(self) -> Any:
        return Placeholders(self)

    # ---- new shapes ----
    def _next(self) -> int:
        ids = self._spTree.getroottree().getroot().xpath("//p:cNvPr/@id")
        return max((int(one) for one in ids if one.isdigit()), default=0) + 1

    def _add(self, text: str) -> Any:
        element = new(text)
        self._spTree.append(element)
        extra = self._spTree.first("p:extLst")
        if extra is not None:
            self._spTree.append(extra)
        return shape_of(element, self)

    def _clone(self, placeholder: BaseShape, called: str = "") -> None:
        """A placeholder of the slide for one of its layout."""
        ph = placeholder._ph
        kind, number = ph.get("type", "obj"), self._next()
        name = called or _CALLED.get(kind, "Placeholder")
        if ph.get("orient") == "vert":
            name = "Vertical " + name
        given = "".join(f' {key}={quoteattr(ph.get(key))}'
                        for key in ("type", "orient", "sz", "idx")
                        if key in ph.attrib)
        body = ('<p:txBody><a:bodyPr/><a:lstStyle/><a:p/></p:txBody>'
                if kind in _TEXTUAL else "")
        self._add(f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" '
                  f'name="{name} {number - 1}"/><p:cNvSpPr>'
                  f'<a:spLocks noGrp="1"/></p:cNvSpPr>'
                  f'<p:nvPr><p:ph{given}/></p:nvPr></p:nvSpPr><p:spPr/>'
                  f'{body}</p:sp>')

    def add_textbox(self, left: int, top: int, width: int,
                    height: int) -> Shape:
        number = self._next()
        return self._add(
            f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="TextBox '
            f'{number - 1}"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr>'
            f'<p:spPr><a:xfrm>{_PLACE % (left, top, width, height)}</a:xfrm>'
            '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/>'
            '</p:spPr><p:txBody><a:bodyPr wrap="none"><a:spAutoFit/>'
            '</a:bodyPr><a:lstStyle/><a:p/></p:txBody></p:sp>')

    def add_shape(self, autoshape_type_id: Any, left: int, top: int,
                  width: int, height: int) -> Shape:
        kind, number = MSO_SHAPE.to_xml(autoshape_type_id), self._next()
        return self._add(
            f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{CALLED[kind]} '
            f'{number - 1}"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>'
            f'<a:xfrm>{_PLACE % (left, top, width, height)}</a:xfrm>'
            f'<a:prstGeom prst="{kind}"><a:avLst/></a:prstGeom></p:spPr>'
            f'{_STYLE}<p:txBody><a:bodyPr rtlCol="0" anchor="ctr"/>'
            '<a:lstStyle/><a:p><a:pPr algn="ctr"/></a:p></p:txBody></p:sp>')

    def add_picture(self, image_file: Any, left: int, top: int,
                    width: int | None = None,
                    height: int | None = None) -> Picture:
        image = Image.from_file(image_file)
        name = self.part.relate_to(image.part(self.part.package), IMAGE)
        size, number = image.scaled(width, height), self._next()
        called = quoteattr(image.filename or f"image.{image.ext}")
        return self._add(
            f'<p:pic><p:nvPicPr><p:cNvPr id="{number}" name="Picture '
            f'{number - 1}" descr={called}/><p:cNvPicPr><a:picLocks '
            'noChangeAspect="1"/></p:cNvPicPr><p:nvPr/></p:nvPicPr>'
            f'<p:blipFill><a:blip r:embed="{name}"/><a:stretch><a:fillRect/>'
            '</a:stretch></p:blipFill><p:spPr><a:xfrm>'
            f'{_PLACE % (left, top, *size)}</a:xfrm><a:prstGeom prst="rect">'
            '<a:avLst/></a:prstGeom></p:spPr></p:pic>')

    def _frame(self, called: str, place: tuple, uri: str,
               inside: str) -> GraphicFrame:
        number = self._next()
        return self._add(
            f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="{number}" '
            f'name="{called} {number - 1}"/><p:cNvGraphicFramePr>'
            '<a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr><p:nvPr/>'
            f'</p:nvGraphicFramePr><p:xfrm>{_PLACE % place}</p:xfrm>'
            f'<a:graphic><a:graphicData uri="{uri}">{inside}'
            '</a:graphicData></a:graphic></p:graphicFrame>')

    def add_table(self, rows: int, cols: int, left: int, top: int,
                  width: int, height: int) -> GraphicFrame:
        width, height = int(width), int(height)
        # The last column and row get what is left over.
        wide = [width // cols] * (cols - 1)
        wide.append(width - sum(wide))
        high = [height // rows] * (rows - 1)
        high.append(height - sum(high))
        cell = ('<a:tc><a:txBody><a:bodyPr/><a:lstStyle/><a:p/></a:txBody>'
                '<a:tcPr/></a:tc>')
        table = ('<a:tbl><a:tblPr firstRow="1" bandRow="1"><a:tableStyleId>'
                 f'{_TABLE_STYLE}</a:tableStyleId></a:tblPr><a:tblGrid>'
                 + "".join(f'<a:gridCol w="{one}"/>' for one in wide)
                 + '</a:tblGrid>'
                 + "".join(f'<a:tr h="{one}">{cell * cols}</a:tr>'
                           for one in high) + '</a:tbl>')
        return self._frame("Table", (left, top, width, height),
                           nsmap["a"].replace("main", "table"), table)

    def add_chart(self, chart_type: Any, x: int, y: int, cx: int, cy: int,
                  chart_data: Any) -> GraphicFrame:
        from ..chart.chart import chart_part
        from .._package import OFFICE
        part = chart_part(self.part.package, chart_type, chart_data)
        name = self.part.relate_to(part, OFFICE + "chart")
        return self._frame("Chart", (x, y, cx, cy), nsmap["c"],
                           f'<c:chart r:id="{name}"/>')

    def add_connector(self, connector_type: Any, begin_x: int, begin_y: int,
                      end_x: int, end_y: int) -> Connector:
        kind, number = MSO_CONNECTOR.to_xml(connector_type), self._next()
        flips = (' flipH="1"' if end_x < begin_x else "") + \
            (' flipV="1"' if end_y < begin_y else "")
        place = (min(begin_x, end_x), min(begin_y, end_y),
                 abs(end_x - begin_x), abs(end_y - begin_y))
        return self._add(
            f'<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="{number}" name="Connector '
            f'{number - 1}"/><p:cNvCxnSpPr/><p:nvPr/></p:nvCxnSpPr><p:spPr>'
            f'<a:xfrm{flips}>{_PLACE % place}</a:xfrm><a:prstGeom '
            f'prst="{kind}"><a:avLst/></a:prstGeom></p:spPr>{_LINE_STYLE}'
            '</p:cxnSp>')

    def _absent(self, *_arguments: Any, **_named: Any) -> Any:
        raise NotImplementedError(
            "add_group_shape, build_freeform, add_movie and add_ole_object "
            "are not there: add_shape, add_connector, add_textbox, "
            "add_picture, add_table and add_chart are")

    add_group_shape = build_freeform = add_movie = add_ole_object = _absent


class Placeholders:
    """The placeholders of a slide by their idx, of a layout by place."""

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes
        self._by_idx = shapes._owner._by_idx

    def _all(self) -> list[Any]:
        found = [one for one in self._shapes if one.is_placeholder]
        return sorted(found, key=lambda one: one.placeholder_format.idx) \
            if self._by_idx else found

    def __iter__(self) -> Iterator[Any]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __getitem__(self, idx: int) -> Any:
        if not self._by_idx:
            return self._all()[idx]
        for one in self._all():
            if one.placeholder_format.idx == idx:
                return one
        raise KeyError("no placeholder on this slide with idx == %d" % idx)

    def get(self, idx: Any, default: Any = None) -> Any:
        return next((one for one in self._all()
                     if one.placeholder_format.idx == idx), default)


ENDS = (PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER,
        PP_PLACEHOLDER.SLIDE_NUMBER)
