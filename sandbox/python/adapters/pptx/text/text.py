"""text - TextFrame, paragraphs, runs and fonts."""

from __future__ import annotations

import re
from typing import Any

from ..dml.color import ColorFormat
from ..dml.fill import FillFormat
from ..enum.text import (MSO_AUTO_SIZE, MSO_UNDERLINE, MSO_VERTICAL_ANCHOR,
                         PP_ALIGN)
from ..oxml import OxmlElement, absent, qn
from ..util import Centipoints, Emu, Length
from .._package import OFFICE

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f]")
_FITS = {"a:noAutofit": MSO_AUTO_SIZE.NONE,
         "a:spAutoFit": MSO_AUTO_SIZE.SHAPE_TO_FIT_TEXT,
         "a:normAutofit": MSO_AUTO_SIZE.TEXT_TO_FIT_SHAPE}


def _clean(text: str) -> str:
    return _CONTROL.sub(lambda found: "_x%04X_" % ord(found[0]), text)


def _flag(name: str) -> property:
    def get(self: Any) -> bool | None:
        value = self._properties().get(name)
        return None if value is None else value in ("1", "true")

    def put(self: Any, value: bool | None) -> None:
        _set(self._properties(), name,
             None if value is None else str(int(bool(value))))

    return property(get, put)


def _set(element: Any, name: str, value: str | None) -> None:
    if value is not None:
        element.set(name, value)
    elif name in element.attrib:
        del element.attrib[name]


class Font:
    """The character properties of a run or of a paragraph."""

    def __init__(self, properties: Any) -> None:
        self._properties = properties

    language_id = absent("language_id", "the language of texts is not set")
    bold = _flag("b")
    italic = _flag("i")

    @property
    def size(self) -> Length | None:
        value = self._properties().get("sz")
        return None if value is None else Centipoints(int(value))

    @size.setter
    def size(self, value: int | None) -> None:
        points = None if value is None else int(value) // 127
        if points is not None and not 100 <= points <= 400000:
            raise ValueError("value must be in range 100 to 400000 "
                             f"inclusive, got {points}")
        _set(self._properties(), "sz", points and str(points))

    @property
    def underline(self) -> Any:
        value = self._properties().get("u")
        if value is None:
            return None
        kind = MSO_UNDERLINE.from_xml(value)
        return {0: False, 2: True}.get(int(kind), kind)

    @underline.setter
    def underline(self, value: Any) -> None:
        if isinstance(value, bool):
            value = MSO_UNDERLINE.SINGLE_LINE if value else MSO_UNDERLINE.NONE
        _set(self._properties(), "u",
             None if value is None else MSO_UNDERLINE.to_xml(value))

    @property
    def name(self) -> str | None:
        latin = self._properties().first("a:latin")
        return None if latin is None else latin.get("typeface")

    @name.setter
    def name(self, value: str | None) -> None:
        properties = self._properties()
        properties.drop("a:latin")
        if value is not None:
            properties.get_or_put("a:latin").set("typeface", value)

    @property
    def fill(self) -> FillFormat:
        return FillFormat(self._properties())

    @property
    def color(self) -> ColorFormat:
        fill = self.fill
        fill.solid()
        return fill.fore_color

    @property
    def _element(self) -> Any:
        return self._properties()

    _rPr = _element


class _Hyperlink:
    """The link of a run or of a shape."""

    def __init__(self, properties: Any, part: Any) -> None:
        self._properties, self._part = properties, part

    @property
    def address(self) -> str | None:
        link = self._properties().first("a:hlinkClick")
        name = None if link is None else link.get(qn("r:id"))
        return self._part.rels[name].target_ref if name else None

    @address.setter
    def address(self, value: str | None) -> None:
        properties = self._properties()
        link = properties.first("a:hlinkClick")
        if link is not None:
            self._part.rels.pop(link.get(qn("r:id")), None)
            properties.remove(link)
        if value:
            name = self._part.relate_to(value, OFFICE + "hyperlink", True)
            properties.get_or_put("a:hlinkClick").set(qn("r:id"), name)


class _Run:
    def __init__(self, r: Any, parent: Any) -> None:
        self._r = self._element = r
        self._parent, self.part = parent, parent.part

    @property
    def text(self) -> str:
        return self._r.first("a:t").text or ""

    @text.setter
    def text(self, value: str) -> None:
        self._r.first("a:t").text = _clean(value)

    @property
    def font(self) -> Font:
        return Font(self._r.get_or_add_rPr)

    @property
    def hyperlink(self) -> _Hyperlink:
        return _Hyperlink(self._r.get_or_add_rPr, self.part)


def _spacing(name: str) -> property:
    """Space before or after: points alone."""
    def get(self: Any) -> Length | None:
        found = self._p.xpath(f"a:pPr/a:{name}/a:spcPts/@val")
        return Centipoints(int(found[0])) if found else None

    def put(self: Any, value: int | None) -> None:
        self._space(name, None if value is None else
                    ("a:spcPts", int(value) // 127))

    return property(get, put)


class _Paragraph:
    def __init__(self, p: Any, parent: Any) -> None:
        self._p = self._element = p
        self._parent, self.part = parent, parent.part

    @property
    def runs(self) -> tuple[_Run, ...]:
        return tuple(_Run(r, self) for r in self._p.findall(qn("a:r")))

    def add_run(self) -> _Run:
        r = OxmlElement("a:r")
        r.append(OxmlElement("a:t"))
        return _Run(self._p.put(r), self)

    def add_line_break(self) -> None:
        self._p.put(OxmlElement("a:br"))

    def clear(self) -> _Paragraph:
        for child in list(self._p):
            if child.tag != qn("a:pPr"):
                self._p.remove(child)
        return self

    @property
    def text(self) -> str:
        out = []
        for child in self._p:
            if child.tag == qn("a:br"):
                out.append("\v")
            elif child.tag in (qn("a:r"), qn("a:fld")):
                out.append("".join(t.text or ""
                                   for t in child.findall(qn("a:t"))))
        return "".join(out)

    @text.setter
    def text(self, value: str) -> None:
        self.clear()
        for place, line in enumerate(re.split("[\n\v]", value)):
            if place:
                self.add_line_break()
            if line:
                self.add_run().text = line

    @property
    def font(self) -> Font:
        return Font(lambda: self._p.get_or_add_pPr().get_or_put("a:defRPr"))

    @property
    def level(self) -> int:
        pPr = self._p.pPr
        return 0 if pPr is None else int(pPr.get("lvl", "0"))

    @level.setter
    def level(self, value: int) -> None:
        if not 0 <= value <= 8:
            raise ValueError(f"value must be in range 0 to 8 inclusive, "
                             f"got {value}")
        _set(self._p.get_or_add_pPr(), "lvl", str(value) if value else None)

    @property
    def alignment(self) -> Any:
        pPr = self._p.pPr
        value = None if pPr is None else pPr.get("algn")
        return None if value is None else PP_ALIGN.from_xml(value)

    @alignment.setter
    def alignment(self, value: Any) -> None:
        _set(self._p.get_or_add_pPr(), "algn",
             None if value is None else PP_ALIGN.to_xml(value))

    def _space(self, name: str, value: tuple[str, int] | None) -> None:
        pPr = self._p.get_or_add_pPr()
        pPr.drop("a:" + name)
        if value is not None:
            part = OxmlElement(value[0])
            part.set("val", str(value[1]))
            pPr.get_or_put("a:" + name).append(part)

    space_before = _spacing("spcBef")
    space_after = _spacing("spcAft")

    @property
    def line_spacing(self) -> Any:
        found = self._p.xpath("a:pPr/a:lnSpc/*")
        if not found:
            return None
        value = found[0].get("val")
        if found[0].tag == qn("a:spcPts"):
            return Centipoints(int(value))
        return float(value[:-1]) / 100 if value.endswith("%") \
            else int(value) / 100000

    @line_spacing.setter
    def line_spacing(self, value: Any) -> None:
        if isinstance(value, Length):
            self._space("lnSpc", ("a:spcPts", value // 127))
        else:
            self._space("lnSpc", None if value is None else
                        ("a:spcPct", round(value * 100000)))


def _margin(name: str, default: int) -> property:
    def get(self: Any) -> Length:
        return Emu(int(self._bodyPr.get(name, default)))

    def put(self: Any, value: int) -> None:
        self._bodyPr.set(name, str(int(value)))

    return property(get, put)


def new_body(name: str) -> Any:
    """The element of an empty text: NAME is p:txBody or a:txBody."""
    body = OxmlElement(name)
    for part in ("a:bodyPr", "a:lstStyle", "a:p"):
        body.append(OxmlElement(part))
    return body


class TextFrame:
    """The text of a shape or of a cell."""

    def __init__(self, txBody: Any, parent: Any) -> None:
        self._txBody = self._element = txBody
        self._parent, self.part = parent, parent.part

    @property
    def _bodyPr(self) -> Any:
        return self._txBody.first("a:bodyPr")

    @property
    def paragraphs(self) -> tuple[_Paragraph, ...]:
        return tuple(_Paragraph(p, self)
                     for p in self._txBody.findall(qn("a:p")))

    def add_paragraph(self) -> _Paragraph:
        p = OxmlElement("a:p")
        self._txBody.append(p)
        return _Paragraph(p, self)

    def clear(self) -> None:
        for p in self._txBody.findall(qn("a:p"))[1:]:
            self._txBody.remove(p)
        self.paragraphs[0].clear()

    @property
    def text(self) -> str:
        return "\n".join(one.text for one in self.paragraphs)

    @text.setter
    def text(self, value: str) -> None:
        for p in self._txBody.findall(qn("a:p")):
            self._txBody.remove(p)
        for line in value.split("\n"):
            self.add_paragraph().text = line

    margin_left = _margin("lIns", 91440)
    margin_right = _margin("rIns", 91440)
    margin_top = _margin("tIns", 45720)
    margin_bottom = _margin("bIns", 45720)

    @property
    def word_wrap(self) -> bool | None:
        return {"square": True, "none": False}.get(self._bodyPr.get("wrap"))

    @word_wrap.setter
    def word_wrap(self, value: bool | None) -> None:
        if value not in (True, False, None):
            raise ValueError("assigned value must be True, False, or None, "
                             f"got {value}")
        _set(self._bodyPr, "wrap",
             {True: "square", False: "none", None: None}[value])

    @property
    def auto_size(self) -> Any:
        for name, value in _FITS.items():
            if self._bodyPr.first(name) is not None:
                return value
        return None

    @auto_size.setter
    def auto_size(self, value: Any) -> None:
        self._bodyPr.drop(*_FITS)
        for name, one in _FITS.items():
            if value is not None and MSO_AUTO_SIZE(value) is one:
                self._bodyPr.get_or_put(name)

    @property
    def vertical_anchor(self) -> Any:
        value = self._bodyPr.get("anchor")
        return None if value is None else MSO_VERTICAL_ANCHOR.from_xml(value)

    @vertical_anchor.setter
    def vertical_anchor(self, value: Any) -> None:
        _set(self._bodyPr, "anchor", None if value is None else
             MSO_VERTICAL_ANCHOR.to_xml(value))

    def fit_text(self, *_arguments: Any, **_named: Any) -> None:
        raise NotImplementedError("fit_text(): set font.size, or auto_size = "
                                  "MSO_AUTO_SIZE.TEXT_TO_FIT_SHAPE")


