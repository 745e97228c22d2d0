"""base - what all shapes have: a name, a place, a kind."""

from __future__ import annotations

from typing import Any

from ..dml.fill import FillFormat
from ..dml.line import LineFormat
from ..enum.shapes import MSO_SHAPE_TYPE, PP_PLACEHOLDER
from ..oxml import OxmlElement, absent
from ..text.text import TextFrame, _Hyperlink, new_body
from ..util import Emu, Length


class _PlaceholderFormat:
    def __init__(self, ph: Any) -> None:
        self._ph = self.element = ph

    @property
    def idx(self) -> int:
        return int(self._ph.get("idx", "0"))

    @property
    def type(self) -> Any:
        return PP_PLACEHOLDER.from_xml(self._ph.get("type", "obj"))


class _ClickAction:
    target_slide = absent("target_slide", "hyperlink.address works")

    def __init__(self, shape: Any) -> None:
        self.hyperlink = _Hyperlink(lambda: shape._cNvPr, shape.part)


class _Shadow:
    def __init__(self, properties: Any) -> None:
        self._properties = properties

    @property
    def inherit(self) -> bool:
        return self._properties.first("a:effectLst") is None

    @inherit.setter
    def inherit(self, value: bool) -> None:
        self._properties.drop("a:effectLst")
        if not value:
            self._properties.put(OxmlElement("a:effectLst"))


def _side(part: str, name: str) -> property:
    def get(self: Any) -> Length | None:
        return self._where(part, name)

    def put(self: Any, value: int) -> None:
        self._place(part, name, int(value))

    return property(get, put)


class BaseShape:
    """A shape: an element of a slide's tree."""

    has_table = has_chart = has_text_frame = False

    def __init__(self, element: Any, parent: Any) -> None:
        self._element = self._parent_element = element
        self._parent, self.part = parent, parent.part

    element = property(lambda self: self._element)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BaseShape) and \
            self._element is other._element

    def __hash__(self) -> int:
        return hash(self._element)

    @property
    def _cNvPr(self) -> Any:
        return self._element.xpath("./*/p:cNvPr")[0]

    shape_id = property(lambda self: int(self._cNvPr.get("id")))

    @property
    def name(self) -> str:
        return self._cNvPr.get("name", "")

    @name.setter
    def name(self, value: str) -> None:
        self._cNvPr.set("name", value)

    # ---- the place ----
    def _xfrm(self) -> Any:
        return next(iter(self._element.xpath(
            "./p:xfrm | ./p:spPr/a:xfrm | ./p:grpSpPr/a:xfrm")), None)

    def _where(self, part: str, name: str) -> Length | None:
        xfrm = self._xfrm()
        found = None if xfrm is None else xfrm.first("a:" + part)
        if found is not None:
            return Emu(int(found.get(name)))
        model = self._model()
        return None if model is None else model._where(part, name)

    def _place(self, part: str, name: str, value: int) -> None:
        xfrm = self._xfrm()
        if xfrm is None or xfrm.first("a:off") is None:
            places = [self._where(*one) or 0 for one in
                      (("off", "x"), ("off", "y"), ("ext", "cx"),
                       ("ext", "cy"))]
            if xfrm is None:
                xfrm = self._element.spPr.get_or_put("a:xfrm")
            for at, (tag, keys) in enumerate((("a:off", ("x", "y")),
                                              ("a:ext", ("cx", "cy")))):
                one = xfrm.get_or_put(tag)
                for number, key in enumerate(keys):
                    one.set(key, str(places[2 * at + number]))
        xfrm.first("a:" + part).set(name, str(value))

    left, top = _side("off", "x"), _side("off", "y")
    width, height = _side("ext", "cx"), _side("ext", "cy")

    @property
    def rotation(self) -> float:
        xfrm = self._xfrm()
        return 0.0 if xfrm is None else int(xfrm.get("rot", "0")) / 60000

    @rotation.setter
    def rotation(self, value: float) -> None:
        if self._xfrm() is None:
            self.left = self.left or 0
        self._xfrm().set("rot", str(round(value % 360 * 60000)))

    # ---- placeholders ----
    @property
    def _ph(self) -> Any:
        return next(iter(self._element.xpath("./*/p:nvPr/p:ph")), None)

    is_placeholder = property(lambda self: self._ph is not None)

    @property
    def placeholder_format(self) -> _PlaceholderFormat:
        if self._ph is None:
            raise ValueError("shape is not a placeholder")
        return _PlaceholderFormat(self._ph)

    def _model(self) -> Any:
        """The placeholder of the layout or the master for this one."""
        if self._ph is None:
            return None
        return self._parent._owner._model_of(self.placeholder_format)

    @property
    def shape_type(self) -> Any:
        return MSO_SHAPE_TYPE.PLACEHOLDER if self.is_placeholder \
            else self._kind()

    def _kind(self) -> Any:
        raise NotImplementedError("shape_type of " + self._element.tag)

    click_action = property(lambda self: _ClickAction(self))


class _Drawn(BaseShape):
    """A shape with an outline."""

    line = property(lambda self: LineFormat(lambda: self._element.spPr))
    shadow = property(lambda self: _Shadow(self._element.spPr))


class Textual(_Drawn):
    """A shape with an inside and with text."""

    has_text_frame = True
    fill = property(lambda self: FillFormat(self._element.spPr))

    @property
    def text_frame(self) -> TextFrame:
        body = self._element.txBody
        if body is None:
            body = new_body("p:txBody")
            self._element.put(body, ("txBody", "extLst"))
        return TextFrame(body, self)

    @property
    def text(self) -> str:
        return self.text_frame.text

    @text.setter
    def text(self, value: str) -> None:
        self.text_frame.text = value
