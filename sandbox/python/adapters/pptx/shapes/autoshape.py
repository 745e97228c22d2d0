"""autoshape - shapes with text: drawn ones, text boxes, placeholders."""

from __future__ import annotations

from typing import Any

from ..enum.shapes import MSO_SHAPE, MSO_SHAPE_TYPE
from ..oxml import new
from ..util import Emu
from .base import BaseShape, Textual, _Drawn

# The handles of some shapes: their names and values at the beginning.
_HANDLES = {
    "roundRect": {"adj": 16667}, "homePlate": {"adj": 50000},
    "chevron": {"adj": 50000}, "triangle": {"adj": 50000},
    "parallelogram": {"adj": 25000}, "trapezoid": {"adj": 25000},
    "rightArrow": {"adj1": 50000, "adj2": 50000},
    "leftArrow": {"adj1": 50000, "adj2": 50000},
    "upArrow": {"adj1": 50000, "adj2": 50000},
    "downArrow": {"adj1": 50000, "adj2": 50000},
    "donut": {"adj": 25000}, "plus": {"adj": 25000}, "can": {"adj": 25000},
    "cube": {"adj": 25000}, "round1Rect": {"adj": 16667},
    "round2SameRect": {"adj1": 16667, "adj2": 0},
    "rect": {}, "ellipse": {}, "diamond": {}, "rtTriangle": {},
}


class AdjustmentCollection:
    """The handles of a drawn shape, as parts of 1."""

    def __init__(self, geometry: Any) -> None:
        self._geometry = geometry
        kind = geometry.get("prst")
        if kind not in _HANDLES:
            raise NotImplementedError(f"adjustments of {kind}")
        self._begin = _HANDLES[kind]

    def __len__(self) -> int:
        return len(self._begin)

    def _values(self) -> dict[str, int]:
        given = {one.get("name"): int(one.get("fmla").split()[-1])
                 for one in self._geometry.xpath("a:avLst/a:gd")}
        return {name: given.get(name, value)
                for name, value in self._begin.items()}

    def __getitem__(self, place: int) -> float:
        return list(self._values().values())[place] / 100000

    def __setitem__(self, place: int, value: float) -> None:
        values = self._values()
        values[list(values)[place]] = int(value * 100000)
        listed = self._geometry.get_or_put("a:avLst")
        for child in list(listed):
            listed.remove(child)
        for name, number in values.items():
            listed.append(new(f'<a:gd name="{name}" fmla="val {number}"/>'))


class Shape(Textual):
    """A drawn shape, a text box or a placeholder."""

    def _geometry(self) -> Any:
        return self._element.spPr.first("a:prstGeom")

    def _kind(self) -> Any:
        if self._element.xpath("p:nvSpPr/p:cNvSpPr[@txBox='1']"):
            return MSO_SHAPE_TYPE.TEXT_BOX
        if self._geometry() is not None:
            return MSO_SHAPE_TYPE.AUTO_SHAPE
        if self._element.spPr.first("a:custGeom") is not None:
            return MSO_SHAPE_TYPE.FREEFORM
        raise NotImplementedError("Shape instance of unrecognized shape type")

    @property
    def auto_shape_type(self) -> Any:
        if self.is_placeholder or self._geometry() is None or \
                self._kind() is not MSO_SHAPE_TYPE.AUTO_SHAPE:
            raise ValueError("shape is not an auto shape")
        return MSO_SHAPE.from_xml(self._geometry().get("prst"))

    @property
    def adjustments(self) -> AdjustmentCollection:
        return AdjustmentCollection(self._geometry())


class SlidePlaceholder(Shape):
    """A placeholder of a slide."""


class _OtherPlaceholder(SlidePlaceholder):
    """A placeholder for a table or a chart alone."""

    def _insert(self, *_arguments: Any) -> Any:
        raise NotImplementedError("insert_table and insert_chart: "
                                  "shapes.add_table() and add_chart() work")

    insert_table = insert_chart = _insert


class PicturePlaceholder(SlidePlaceholder):
    """A placeholder that a picture can be put into."""

    def insert_picture(self, image_file: Any) -> Any:
        """The picture fills the place: what is too much is cropped."""
        from .picture import IMAGE, Image
        image = Image.from_file(image_file)
        own, place = (one[0] / one[1] for one in (
            image.size, (self.width, self.height)))
        name = self.part.relate_to(image.part(self.part.package), IMAGE)
        pic = new('<p:pic><p:nvPicPr><p:cNvPicPr><a:picLocks noGrp="1" '
                  'noChangeAspect="1"/></p:cNvPicPr></p:nvPicPr><p:blipFill>'
                  f'<a:blip r:embed="{name}"/><a:stretch><a:fillRect/>'
                  '</a:stretch></p:blipFill><p:spPr/></p:pic>')
        names = pic.first("p:nvPicPr")
        names.insert(0, self._cNvPr)
        names.append(self._element.xpath("p:nvSpPr/p:nvPr")[0])
        self._element.addprevious(pic)
        self._element.getparent().remove(self._element)
        from .shapetree import shape_of
        picture = shape_of(pic, self._parent)
        picture._cNvPr.set("descr", image.filename or f"image.{image.ext}")
        if own > place:
            picture.crop_left = picture.crop_right = (1 - place / own) / 2
        elif own < place:
            picture.crop_top = picture.crop_bottom = (1 - own / place) / 2
        return picture


class Connector(_Drawn):
    """A line between two points."""

    def _kind(self) -> Any:
        return MSO_SHAPE_TYPE.LINE

    def _flips(self, name: str) -> bool:
        return self._xfrm().get(name) in ("1", "true")

    def _points(self) -> list[int]:
        """Of the begin and the end, x and y each."""
        beside, below = self._flips("flipH"), self._flips("flipV")
        return [self.left + self.width * beside,
                self.top + self.height * below,
                self.left + self.width * (not beside),
                self.top + self.height * (not below)]

    def _move(self, at: int, value: int) -> None:
        """Move a point; the other one stays."""
        points = self._points()
        points[at] = int(value)
        (x, y, x2, y2), xfrm = points, self._xfrm()
        for name, is_so in (("flipH", x2 < x), ("flipV", y2 < y)):
            xfrm.attrib.pop(name, None)
            if is_so:
                xfrm.set(name, "1")
        self.left, self.top = Emu(min(x, x2)), Emu(min(y, y2))
        self.width, self.height = Emu(abs(x2 - x)), Emu(abs(y2 - y))

    def _point(at: int) -> Any:  # type: ignore[misc]
        return property(lambda self: Emu(self._points()[at]),
                        lambda self, value: self._move(at, value))

    begin_x, begin_y, end_x, end_y = map(_point, range(4))
    del _point

    def _connect(self, name: str, at: int, shape: Any, site: int) -> None:
        """Tie a point to the middle of a side of SHAPE: 0 its top, 1 its
        left, 2 its bottom, 3 its right."""
        x, y = {0: (0.5, 0), 1: (0, 0.5), 2: (0.5, 1), 3: (1, 0.5)}[site]
        ties = self._element.xpath("p:nvCxnSpPr/p:cNvCxnSpPr")[0]
        ties.drop(f"a:{name}")
        tie = new(f'<a:{name} id="{shape.shape_id}" idx="{site}"/>')
        if name == "stCxn":
            ties.insert(0, tie)
        else:
            ties.append(tie)
        self._move(at, int(shape.left + x * shape.width))
        self._move(at + 1, int(shape.top + y * shape.height))

    def begin_connect(self, shape: BaseShape, cxn_pt_idx: int) -> None:
        self._connect("stCxn", 0, shape, cxn_pt_idx)

    def end_connect(self, shape: BaseShape, cxn_pt_idx: int) -> None:
        self._connect("endCxn", 2, shape, cxn_pt_idx)
