"""slide - slides, their layouts and masters, and notes."""

from __future__ import annotations

from typing import Any, Iterator

from . import _template
from ._package import OFFICE, PRESENTATION, Part
from .dml.fill import FillFormat
from .enum.shapes import PP_PLACEHOLDER as KIND
from .oxml import OxmlElement, new, qn
from .shapes.shapetree import ENDS, Placeholders, Shapes
from .text.text import TextFrame

# What a layout's placeholder inherits from: the master has only these.
_OF_MASTER = {KIND.CENTER_TITLE: KIND.TITLE, KIND.TITLE: KIND.TITLE,
              KIND.DATE: KIND.DATE, KIND.FOOTER: KIND.FOOTER,
              KIND.SLIDE_NUMBER: KIND.SLIDE_NUMBER}


class _Background:
    def __init__(self, cSld: Any) -> None:
        self._cSld = cSld

    @property
    def fill(self) -> FillFormat:
        found = self._cSld.xpath("p:bg/p:bgPr")
        if found:
            return FillFormat(found[0])
        self._cSld.drop("p:bg")
        self._cSld.put(new("<p:bg><p:bgPr><a:noFill/><a:effectLst/></p:bgPr>"
                           "</p:bg>"))
        return self.fill


class _Base:
    """A page of any kind."""

    _by_idx = False

    def __init__(self, part: Part) -> None:
        self.part = part

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Base) and self.part is other.part

    def __hash__(self) -> int:
        return hash(id(self.part))

    _element = property(lambda self: self.part.root)
    element = _element

    @property
    def _cSld(self) -> Any:
        return self._element.first("p:cSld")

    @property
    def name(self) -> str:
        return self._cSld.get("name", "")

    @property
    def shapes(self) -> Shapes:
        return Shapes(self._cSld.first("p:spTree"), self)

    placeholders = property(lambda self: Placeholders(self.shapes))
    background = property(lambda self: _Background(self._cSld))


class SlideMaster(_Base):
    """A master."""

    def _model_of(self, _wanted: Any) -> None:
        return None

    @property
    def slide_layouts(self) -> SlideLayouts:
        return SlideLayouts(self)


class SlideLayout(_Base):
    """A layout: what a slide begins with."""

    @property
    def slide_master(self) -> SlideMaster:
        return SlideMaster(self.part.related("slideMaster"))

    def _model_of(self, wanted: Any) -> Any:
        kind = _OF_MASTER.get(wanted.type, KIND.BODY)
        return next((one for one in self.slide_master.placeholders
                     if one.placeholder_format.type is kind), None)

    def iter_cloneable_placeholders(self) -> Iterator[Any]:
        return (one for one in self.placeholders
                if one.placeholder_format.type not in ENDS)


class SlideLayouts:
    """The layouts of a master."""

    def __init__(self, master: SlideMaster) -> None:
        self._master = master

    def _all(self) -> list[SlideLayout]:
        part = self._master.part
        return [SlideLayout(part.rels[one.rId].target_part) for one in
                part.root.xpath("p:sldLayoutIdLst/p:sldLayoutId")]

    def __iter__(self) -> Iterator[SlideLayout]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __getitem__(self, place: int) -> SlideLayout:
        try:
            return self._all()[place]
        except IndexError:
            raise IndexError("slide layout index out of range") from None

    def index(self, layout: SlideLayout) -> int:
        return self._all().index(layout)

    def get_by_name(self, name: str, default: Any = None) -> Any:
        return next((one for one in self._all() if one.name == name), default)


class NotesSlide(_Base):
    """The notes of a slide."""

    def _model_of(self, wanted: Any) -> Any:
        return None

    @property
    def notes_placeholder(self) -> Any:
        return next((one for one in self.placeholders
                     if one.placeholder_format.type is KIND.BODY), None)

    @property
    def notes_text_frame(self) -> TextFrame | None:
        found = self.notes_placeholder
        return None if found is None else found.text_frame


class Slide(_Base):
    """A slide."""

    _by_idx = True

    @property
    def slide_layout(self) -> SlideLayout:
        return SlideLayout(self.part.related("slideLayout"))

    def _model_of(self, wanted: Any) -> Any:
        return self.slide_layout.placeholders.get(wanted.idx)

    @property
    def slide_id(self) -> int:
        main = self.part.package.related("officeDocument")
        for one in main.root.xpath("p:sldIdLst/p:sldId"):
            if main.rels[one.rId].target_part is self.part:
                return int(one.get("id"))
        raise ValueError("the slide is not in the presentation")

    @property
    def follow_master_background(self) -> bool:
        return self._cSld.first("p:bg") is None

    @property
    def has_notes_slide(self) -> bool:
        return self.part.related("notesSlide") is not None

    @property
    def notes_slide(self) -> NotesSlide:
        part = self.part.related("notesSlide")
        if part is None:
            part = _new_notes(self.part)
        return NotesSlide(part)


def _notes_master(package: Any) -> Part:
    main = package.related("officeDocument")
    master = main.related("notesMaster")
    if master is None:
        master = _template.notes_master(package, main)
        name = main.relate_to(master, OFFICE + "notesMaster")
        listed = OxmlElement("p:notesMasterIdLst")
        one = OxmlElement("p:notesMasterId")
        one.set(qn("r:id"), name)
        listed.append(one)
        main.root.put(listed, ORDER)
    return master


def _new_notes(slide: Part) -> Part:
    package, master = slide.package, _notes_master(slide.package)
    part = package.add(
        package.free_name("/ppt/notesSlides/notesSlide%d.xml"),
        PRESENTATION + "notesSlide+xml", _template.slide("notes", ""))
    part.relate_to(master, OFFICE + "notesMaster")
    part.relate_to(slide, OFFICE + "slide")
    slide.relate_to(part, OFFICE + "notesSlide")
    notes = NotesSlide(part)
    for one in SlideMaster(master).placeholders:
        if one.placeholder_format.type in (KIND.SLIDE_IMAGE, KIND.BODY,
                                           KIND.SLIDE_NUMBER):
            notes.shapes._clone(one, "Notes Placeholder" if one.
                                placeholder_format.type is KIND.BODY else "")
    return part


ORDER = ("sldMasterIdLst", "notesMasterIdLst", "handoutMasterIdLst",
         "sldIdLst", "sldSz", "notesSz", "embeddedFontLst", "custShowLst",
         "photoAlbum", "custDataLst", "kinsoku", "defaultTextStyle",
         "modifyVerifier", "extLst")


class Slides:
    """The slides of a presentation."""

    def __init__(self, part: Part) -> None:
        self.part = part

    @property
    def _sldIdLst(self) -> Any:
        return self.part.root.get_or_put("p:sldIdLst", ORDER)

    def _all(self) -> list[Slide]:
        return [Slide(self.part.rels[one.rId].target_part)
                for one in self._sldIdLst]

    def __iter__(self) -> Iterator[Slide]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._sldIdLst)

    def __getitem__(self, place: int) -> Slide:
        try:
            return self._all()[place]
        except IndexError:
            raise IndexError("slide index out of range") from None

    def index(self, slide: Slide) -> int:
        for place, one in enumerate(self._all()):
            if one == slide:
                return place
        raise ValueError("%s is not in slide collection" % slide)

    def get(self, slide_id: int, default: Any = None) -> Any:
        return next((one for one in self._all()
                     if one.slide_id == slide_id), default)

    def add_slide(self, slide_layout: SlideLayout) -> Slide:
        package, listed = self.part.package, self._sldIdLst
        part = package.add(package.free_name("/ppt/slides/slide%d.xml"),
                           PRESENTATION + "slide+xml",
                           _template.slide("sld", ""))
        part.relate_to(slide_layout.part, OFFICE + "slideLayout")
        one = OxmlElement("p:sldId")
        one.set("id", str(max([255, *(int(old.get("id"))
                                      for old in listed)]) + 1))
        one.set(qn("r:id"), self.part.relate_to(part, OFFICE + "slide"))
        listed.append(one)
        slide = Slide(part)
        for placeholder in slide_layout.iter_cloneable_placeholders():
            slide.shapes._clone(placeholder)
        return slide
