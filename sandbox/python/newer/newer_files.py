"""newer_files - newer names of libraries that read and write pictures and
documents.

As newer.py for others: imageio.v3, which Debian 12's imageio 2.4 lacks, a size
of PIL's default font, python-docx's walk over a document and its links,
openpyxl's dictionary of defined names, the part of reportlab that Debian 12
keeps in a package of its own, and the zones of icalendar's times.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import add, lacks, replace

import importlib.util
import os
import sys
import types
from typing import Any, Iterator, NamedTuple

_find_spec, _modules = importlib.util.find_spec, sys.modules
_MILLISECONDS = 10  # a frame of as many seconds is meant in milliseconds
_NO_FILM = ("there is no ffmpeg here, and nothing can be downloaded: write a "
            "GIF, imageio.mimsave('film.gif', frames), or a film by "
            "cv2.VideoWriter")
_MOVING = (".gif", ".tif", ".tiff")
_FILMS = (".mp4", ".avi", ".mov", ".mkv", ".webm", ".wmv")
_FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
_MISSING = "0"      # the version of the part in C that is not there
_NAMES = "openpyxl.workbook.defined_name"
_exists, _suffix = os.path.exists, os.path.splitext


class _Properties(NamedTuple):
    """What imageio.v3.improps() returns."""
    shape: Any
    dtype: Any
    n_images: Any
    is_batch: bool
    spacing: Any


_Properties.__name__ = _Properties.__qualname__ = "ImageProperties"
_Properties.__module__ = "imageio.v3"


# -- imageio

def _is_moving(uri: Any, extension: Any) -> bool:
    name = extension or (uri if isinstance(uri, (str, os.PathLike)) else "")
    return _suffix("x" + os.fspath(name))[1].lower() in _MOVING


def _form(uri: Any, options: dict[str, Any]) -> dict[str, Any]:
    """The older format= for extension=, and no plugin=."""
    extension = options.pop("extension", None)
    options.pop("plugin", None)
    if extension:
        options["format"] = extension
    return options


def _in_seconds(duration: Any) -> Any:
    """A GIF's durations, in milliseconds since 2.28, in seconds before."""
    if isinstance(duration, (list, tuple)):
        return [_in_seconds(one) for one in duration]
    if isinstance(duration, (int, float)) and duration >= _MILLISECONDS:
        return duration / 1000
    return duration


def _frames(uri: Any, imageio: Any, options: dict[str, Any]) -> list[Any]:
    """All frames, which the older reader gives in modes of their own."""
    import numpy
    frames = [numpy.asarray(one) for one in imageio.mimread(
        uri, memtest=False, **options)]
    if len({one.shape for one in frames}) < 2 and not all(
            one.shape[2:] == (4,) and one[..., 3].all() for one in frames):
        return frames
    return [one[..., :3] if one.ndim == 3 else numpy.stack([one] * 3, -1)
            for one in frames]


def _make_v3(imageio: Any) -> Any:
    """imageio.v3 by the functions of v2."""
    import numpy

    def imread(uri: Any, *, index: Any = None, **options: Any) -> Any:
        moving = _is_moving(uri, options.get("extension"))
        options = _form(uri, options)
        if not moving:
            return numpy.asarray(imageio.imread(uri, **options))
        found = _frames(uri, imageio, options)
        if isinstance(index, int):
            return found[index]
        if len(found) == 1 and index is None:
            return found[0]
        return numpy.stack(found)

    def imiter(uri: Any, **options: Any) -> Iterator[Any]:
        options = _form(uri, options)
        yield from _frames(uri, imageio, options)

    def imwrite(uri: Any, image: Any, *, is_batch: Any = None,
                **options: Any) -> Any:
        moving = _is_moving(uri, options.get("extension"))
        options = _form(uri, options)
        if is_batch is None:
            is_batch = isinstance(image, (list, tuple)) or (
                numpy.ndim(image) == 4) or (
                    moving and numpy.ndim(image) == 3 and
                    numpy.shape(image)[-1] not in (3, 4))
        if is_batch:
            return imageio.mimwrite(uri, list(image), **options)
        for name in ("duration", "fps", "loop"):
            options.pop(name, None)
        return imageio.imwrite(uri, numpy.asarray(image), **options)

    def improps(uri: Any, *, index: Any = None, **options: Any) -> Any:
        found = imread(uri, index=index, **options)
        moving = _is_moving(uri, options.get("extension"))
        batch = moving and found.ndim > 2 and index is None
        return _Properties(found.shape, found.dtype,
                           found.shape[0] if batch else None, batch, None)

    def immeta(uri: Any, *, index: Any = None, **options: Any) -> Any:
        with imageio.get_reader(uri, **_form(uri, options)) as reader:
            return dict(reader.get_meta_data(index))

    module = types.ModuleType("imageio.v3")
    add(module, imread=imread, imiter=imiter, imwrite=imwrite,
        improps=improps, immeta=immeta)
    return module


def _change_imageio(imageio: Any) -> None:
    if not _find_spec("imageio.v3"):
        imageio.v3 = _modules["imageio.v3"] = _make_v3(imageio)


def _change_writer(functions: Any) -> None:
    """The durations of frames, which mimwrite() hands on to it."""
    plain = functions.get_writer
    if _find_spec("imageio.v3"):
        return

    def get_writer(uri: Any, format: Any = None, mode: str = "?",
                   **options: Any) -> Any:
        if "duration" in options:
            options["duration"] = _in_seconds(options["duration"])
        return plain(uri, format, mode, **options)

    replace(functions, "get_writer", get_writer)
    functions.save = functions.get_writer


def _change_films(plugin: Any) -> None:
    """Without ffmpeg, words that are true here, for its own download."""
    plain = plugin.get_exe

    def get_exe() -> Any:
        try:
            return plain()
        except plugin.NeedDownloadError:
            raise plugin.NeedDownloadError(_NO_FILM) from None

    replace(plugin, "get_exe", get_exe)


def _change_openings(module: Any) -> None:
    """Without a plugin for films the one of TIFFs is taken, which fails by an
    argument that it does not know."""
    plain = module.imopen

    def imopen(uri: Any, io_mode: str, *rest: Any, **options: Any) -> Any:
        if io_mode[:1] == "w" and _suffix(str(uri))[1].lower() in _FILMS and \
                not any(map(_find_spec, ("imageio_ffmpeg", "av"))):
            raise OSError(_NO_FILM)
        return plain(uri, io_mode, *rest, **options)

    replace(module, "imopen", imopen)


# -- PIL, python-docx, reportlab

def _change_font(module: Any) -> None:
    """load_default()'s size, of Pillow 10.1."""
    plain = module.load_default
    if not lacks(plain, "size"):
        return

    def load_default(size: Any = None) -> Any:
        if size is None or not _exists(_FONT):
            return plain()
        return module.truetype(_FONT, round(size))

    replace(module, "load_default", load_default)


def _change_operations(module: Any) -> None:
    """ImageOps.cover(), of Pillow 10.1."""
    def cover(image: Any, size: Any, method: int = 3) -> Any:
        scale = max(size[0] / image.width, size[1] / image.height)
        return image.resize((round(image.width * scale),
                             round(image.height * scale)), resample=method)

    add(module, cover=cover)


def _iter_inner_content(self: Any) -> Iterator[Any]:
    """The paragraphs and tables of a document or a cell, in their order."""
    from docx.table import Table
    from docx.text.paragraph import Paragraph

    body = self._body if hasattr(self, "_body") else self
    for child in body._element.iterchildren():
        if child.tag.endswith("}p"):
            yield Paragraph(child, body)
        elif child.tag.endswith("}tbl"):
            yield Table(child, body)


class _Hyperlink:
    """A link within a paragraph."""

    def __init__(self, link: Any, paragraph: Any) -> None:
        from docx.text.run import Run
        self._link, self._parent = link, paragraph
        self.runs = [Run(one, paragraph) for one in link.iterchildren()
                     if one.tag.endswith("}r")]

    def _value(self, name: str) -> str:
        return next((value for key, value in self._link.attrib.items()
                     if key.endswith("}" + name)), "")

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)

    @property
    def address(self) -> str:
        key = self._value("id")
        return self._parent.part.rels[key].target_ref if key else ""

    @property
    def fragment(self) -> str:
        return self._value("anchor")

    @property
    def url(self) -> str:
        return self.address + (self.fragment and "#" + self.fragment)


_Hyperlink.__name__ = _Hyperlink.__qualname__ = "Hyperlink"
_Hyperlink.__module__ = "docx.text.hyperlink"


def _inner_content(self: Any) -> Iterator[Any]:
    """The runs and links of a paragraph, in their order."""
    from docx.text.run import Run
    for child in self._p.iterchildren():
        if child.tag.endswith("}r"):
            yield Run(child, self)
        elif child.tag.endswith("}hyperlink"):
            yield _Hyperlink(child, self)


def _change_paragraphs(module: Any) -> None:
    """The text of links is a part of a paragraph's, since python-docx 1.0."""
    paragraph = module.Paragraph
    if hasattr(paragraph, "hyperlinks"):
        return
    paragraph.text = property(
        lambda self: "".join(one.text for one in _inner_content(self)),
        paragraph.text.fset, doc=paragraph.text.__doc__)
    add(paragraph, iter_inner_content=_inner_content,
        hyperlinks=property(lambda self: [
            one for one in _inner_content(self)
            if isinstance(one, _Hyperlink)]))


def _change_document(module: Any) -> None:
    add(module.Document, iter_inner_content=_iter_inner_content)


def _paper(bg: Any) -> tuple[int, int, int]:
    """The red, green and blue of a background: a number, or a colour."""
    number = bg if isinstance(bg, int) else bg.int_rgb()
    return number >> 16 & 255, number >> 8 & 255, number & 255


def _change_drawings(module: Any) -> None:
    """A drawing's picture without the part in C: its PDF, as PyMuPDF draws
    it."""
    if getattr(module._pmBackend, "_version", "") != _MISSING or \
            not _find_spec("fitz"):
        return

    def drawToPIL(d: Any, dpi: float = 72, bg: Any = 0xffffff,
                  configPIL: Any = None, showBoundary: Any = None,
                  backend: Any = None) -> Any:
        import fitz
        from PIL import Image
        from reportlab.graphics import renderPDF

        document = fitz.open("pdf", renderPDF.drawToString(d))
        dots = document[0].get_pixmap(dpi=round(dpi), alpha=True)
        ink = Image.frombytes("RGBA", (dots.width, dots.height), dots.samples)
        sheet = Image.new("RGB", ink.size, _paper(bg))
        sheet.paste(ink, mask=ink.getchannel("A"))
        return sheet

    def drawToFile(d: Any, fn: Any, fmt: str = "GIF", dpi: float = 72,
                   bg: Any = 0xffffff, configPIL: Any = None,
                   showBoundary: Any = None, backend: Any = None) -> None:
        form = {"JPG": "JPEG", "TIF": "TIFF"}.get(fmt.upper(), fmt.upper())
        drawToPIL(d, dpi, bg).save(fn, form, dpi=(dpi, dpi),
                                   **(configPIL or {}))

    replace(module, "drawToPIL", drawToPIL)
    replace(module, "drawToFile", drawToFile)
    module.save = module.drawToFile


def _change_graphics(graphics: Any) -> None:
    """Charts import a part in C that Debian 12 has in another package. They
    need it for outlines of PostScript fonts alone."""
    name = graphics.__name__ + "._renderPM"
    if _find_spec(name):
        return

    def makeT1Font(*_args: Any, **_options: Any) -> Any:
        raise ImportError("reportlab's _renderPM is not installed, and "
                          "nothing can be installed here: save the drawing "
                          "as PDF or SVG (reportlab.graphics.renderPDF, "
                          "renderSVG)")

    module = types.ModuleType(name)
    add(module, makeT1Font=makeT1Font, gstate=makeT1Font, delCache=makeT1Font,
        pil2pict=makeT1Font)
    module._version = _MISSING  # type: ignore[attr-defined]
    graphics._renderPM = _modules[name] = module


# -- icalendar

def _change_calendars(icalendar: Any) -> None:
    """A time of zoneinfo keeps its zone: icalendar 4 wrote "CEST", which no
    reader knows."""
    add(icalendar.Calendar,
        events=property(lambda self: self.walk("VEVENT")))
    plain = getattr(icalendar.parser, "tzid_from_dt", None)
    if plain is None or hasattr(icalendar.Event, "start"):
        return

    def tzid_from_dt(dt: Any) -> Any:
        return getattr(dt.tzinfo, "key", None) or plain(dt)

    replace(icalendar.parser, "tzid_from_dt", tzid_from_dt)
    icalendar.prop.tzid_from_dt = icalendar.parser.tzid_from_dt
    add(icalendar.Event,
        start=property(lambda self: self.decoded("dtstart")),
        end=property(lambda self: self.decoded("dtend")))


# -- openpyxl

def _global_names(names: Any) -> dict[str, Any]:
    """The names of a workbook, without those of one sheet."""
    return {one.name: one for one in names.definedName
            if one.localSheetId is None}


def _set_name(self: Any, key: str, value: Any) -> None:
    if not isinstance(value, _modules[_NAMES].DefinedName):
        raise TypeError("Value must be a an instance of DefinedName")
    if value.name != key:
        raise ValueError("Key must be the same as the name")
    if key not in self:
        self.append(value)
    else:
        self.definedName = [value if one is self.get(key) else one
                            for one in self.definedName]


def _change_defined_names(module: Any) -> None:
    """A workbook's names are a dictionary since openpyxl 3.1."""
    names = getattr(module, "DefinedNameList", None)
    if names is None:
        return
    from openpyxl.xml.functions import Element

    def to_tree(self: Any, tagname: Any = None, idx: Any = None,
                namespace: Any = None) -> Any:
        # The plain one takes what dict(self) gives for attributes.
        tree = Element(tagname or self.tagname)
        for one in self.definedName:
            tree.append(one.to_tree("definedName"))
        return tree

    replace(names, "to_tree", to_tree)
    add(names, __setitem__=_set_name,
        __iter__=lambda self: iter(_global_names(self)),
        keys=lambda self: _global_names(self).keys(),
        values=lambda self: _global_names(self).values(),
        items=lambda self: _global_names(self).items(),
        add=lambda self, value: _set_name(self, value.name, value))


when_imported({
    "PIL.ImageFont": _change_font,
    "PIL.ImageOps": _change_operations,
    "docx.document": _change_document,
    "docx.text.paragraph": _change_paragraphs,
    "icalendar": _change_calendars,
    "imageio": _change_imageio,
    "imageio.core.functions": _change_writer,
    "imageio.core.imopen": _change_openings,
    "imageio.plugins.ffmpeg": _change_films,
    _NAMES: _change_defined_names,
    "reportlab.graphics": _change_graphics,
    "reportlab.graphics.renderPM": _change_drawings,
})
