"""presentation - the presentation, and what is known of its document."""

from __future__ import annotations

import datetime
from typing import Any

from . import _template
from ._package import CORE_TYPE, Package, Part
from .oxml import OxmlElement
from .slide import ORDER, SlideLayouts, SlideMaster, Slides
from .util import Emu, Length

_KINDS = tuple(f"application/vnd.{one}.main+xml" for one in (
    "openxmlformats-officedocument.presentationml.presentation",
    "ms-powerpoint.presentation.macroEnabled"))


def _text(tag: str) -> property:
    def get(self: Any) -> str:
        found = self._root.first(tag)
        return "" if found is None else found.text or ""

    def put(self: Any, value: str) -> None:
        value = str(value)
        if len(value) > 255:
            raise ValueError("exceeded 255 char limit for property, got:\n\n"
                             f"'{value}'")
        self._root.get_or_put(tag).text = value

    return property(get, put)


def _time(tag: str) -> property:
    def get(self: Any) -> Any:
        found = self._root.first(tag)
        try:
            return datetime.datetime.strptime(
                found.text[:19], "%Y-%m-%dT%H:%M:%S")
        except (AttributeError, TypeError, ValueError):
            return None

    def put(self: Any, value: Any) -> None:
        if not isinstance(value, datetime.datetime):
            raise ValueError("property requires <type 'datetime.datetime'> "
                             f"object, got {type(value)}")
        part = self._root.get_or_put(tag)
        part.text = value.strftime("%Y-%m-%dT%H:%M:%SZ")
        if tag.startswith("dcterms:"):
            from .oxml import qn
            part.set(qn("xsi:type"), "dcterms:W3CDTF")

    return property(get, put)


class CoreProperties:
    """Title, author and the like."""

    def __init__(self, part: Part) -> None:
        self._root = part.root

    author, title = _text("dc:creator"), _text("dc:title")
    subject, comments = _text("dc:subject"), _text("dc:description")
    language, identifier = _text("dc:language"), _text("dc:identifier")
    keywords, category = _text("cp:keywords"), _text("cp:category")
    content_status = _text("cp:contentStatus")
    last_modified_by, version = _text("cp:lastModifiedBy"), _text("cp:version")
    created, modified = _time("dcterms:created"), _time("dcterms:modified")
    last_printed = _time("cp:lastPrinted")

    @property
    def revision(self) -> int:
        found = self._root.first("cp:revision")
        return int(found.text) if found is not None and \
            (found.text or "").isdigit() else 0

    @revision.setter
    def revision(self, value: int) -> None:
        if not isinstance(value, int) or value < 1:
            raise ValueError("revision property requires positive int, got "
                             f"'{value}'")
        self._root.get_or_put("cp:revision").text = str(value)


def _size(name: str) -> property:
    def get(self: Any) -> Length | None:
        size = self._element.first("p:sldSz")
        return None if size is None else Emu(int(size.get(name)))

    def put(self: Any, value: int) -> None:
        size = self._element.first("p:sldSz")
        if size is None:
            size = OxmlElement("p:sldSz")
            size.set("cx", "9144000")
            size.set("cy", "6858000")
            self._element.put(size, ORDER)
        size.set(name, str(int(value)))
        size.attrib.pop("type", None)   # it would be another size's

    return property(get, put)


class Presentation:
    """A presentation."""

    def __init__(self, package: Package) -> None:
        self.part = package.related("officeDocument")

    _element = property(lambda self: self.part.root)
    element = _element
    slide_width, slide_height = _size("cx"), _size("cy")

    @property
    def slides(self) -> Slides:
        return Slides(self.part)

    @property
    def slide_masters(self) -> list[SlideMaster]:
        return [SlideMaster(self.part.rels[one.rId].target_part) for one in
                self._element.xpath("p:sldMasterIdLst/p:sldMasterId")]

    slide_master = property(lambda self: self.slide_masters[0])

    @property
    def slide_layouts(self) -> SlideLayouts:
        return self.slide_master.slide_layouts

    @property
    def core_properties(self) -> CoreProperties:
        package = self.part.package
        for relation in package.rels.values():
            if relation.reltype == CORE_TYPE:
                return CoreProperties(relation.target_part)
        return CoreProperties(_template.core(package,
                                             "PowerPoint Presentation"))

    def save(self, file: Any) -> None:
        self.part.package.save(file)


def opened(file: Any = None) -> Presentation:
    """A file's presentation, or a new one."""
    if file is None:
        return Presentation(_template.template())
    package = Package.open(file)
    main = package.related("officeDocument")
    if main is None or main.content_type not in _KINDS:
        raise ValueError("file '%s' is not a PowerPoint file, content type "
                         "is '%s'" % (file, main and main.content_type))
    return Presentation(package)
