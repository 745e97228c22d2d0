"""newer_pdfs - what pypdf does since 3.5.

As newer.py for pypdf: Debian 12 has 3.4. A PDF is encrypted by AES with
pikepdf, on its way to the file. Each stream is an object of its own; pypdf 3.4
wrote those of pages that were merged or compressed within the writer, and of
attached files, into others, which other readers refuse.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import add, lacks, replace

import importlib.util
import io
import sys
import types
from typing import Any

_find_spec, _modules = importlib.util.find_spec, sys.modules
_REVISION = {"AES-128": 4, "AES-256-R5": 5, "AES-256": 6}
# pikepdf's permissions, and the bits of the PDF standard that give them.
_PERMISSIONS = {"accessibility": 512, "extract": 16, "modify_annotation": 32,
                "modify_assembly": 1024, "modify_form": 256,
                "modify_other": 8, "print_lowres": 4, "print_highres": 2048}


def _encrypted(data: bytes, revision: int, user: str, owner: str,
               flags: int) -> bytes:
    import pikepdf
    allowed = pikepdf.Permissions(**{
        name: bool(flags & bit) for name, bit in _PERMISSIONS.items()})
    found = io.BytesIO()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        pdf.save(found, encryption=pikepdf.Encryption(
            user=user, owner=owner, R=revision, allow=allowed))
    return found.getvalue()


def _give_objects(self: Any) -> None:
    """Make an object of each stream that stands within another."""
    from pypdf.generic import StreamObject
    left = list(self._objects)
    for one in left:
        pairs = dict.items(one) if isinstance(one, dict) else \
            enumerate(one) if isinstance(one, list) else ()
        for key, value in list(pairs):
            if isinstance(value, (dict, list)):
                left.append(value)
            if isinstance(value, StreamObject):
                one[key] = self._add_object(value)


def _change_writing(writer: Any) -> None:
    plain = writer.write_stream

    def write_stream(self: Any, stream: Any) -> None:
        _give_objects(self)
        how = vars(self).get("_later_encryption")
        if how is None:
            plain(self, stream)
            return
        kept = io.BytesIO()
        plain(self, kept)
        stream.write(_encrypted(kept.getvalue(), *how))

    replace(writer, "write_stream", write_stream)


def _change_encryption(writer: Any) -> None:
    plain = writer.encrypt

    def encrypt(self: Any, user_password: Any = None,
                owner_password: Any = None, use_128bit: bool = True,
                permissions_flag: Any = -1, *args: Any,
                algorithm: Any = None, **options: Any) -> None:
        vars(self).pop("_later_encryption", None)
        if algorithm is None or algorithm in ("RC4-40", "RC4-128"):
            use_128bit = use_128bit and algorithm != "RC4-40"
            plain(self, user_password, owner_password, use_128bit,
                  permissions_flag, *args, **options)
            return
        if algorithm not in _REVISION:
            raise ValueError(f"algorithm '{algorithm}' NOT supported")
        self._later_encryption = (
            _REVISION[algorithm], user_password,
            owner_password or user_password, int(permissions_flag))

    replace(writer, "encrypt", encrypt)


def _make_pages(writer: Any, page_object: type) -> None:
    """Make pages of the cloned dictionaries, as later versions do."""
    kids = writer._pages.get_object()["/Kids"]
    for at, kid in enumerate(kids):
        page = kid.get_object()
        if isinstance(page, page_object):
            continue
        place = page.indirect_reference or writer._add_object(page)
        made = page_object(writer, place)
        dict.update(made, page)
        writer._objects[place.idnum - 1] = made
        kids[at] = place


def _change_beginning(pypdf: Any) -> None:
    writer = pypdf.PdfWriter
    plain, clone = writer.__init__, writer.clone_reader_document_root

    def clone_reader_document_root(self: Any, reader: Any) -> None:
        clone(self, reader)
        _make_pages(self, pypdf.PageObject)

    def __init__(self: Any, fileobj: Any = "", clone_from: Any = None,
                 **options: Any) -> None:
        plain(self, fileobj, **options)
        if clone_from is not None:
            if not isinstance(clone_from, pypdf.PdfReader):
                clone_from = pypdf.PdfReader(clone_from)
            self.clone_document_from_reader(clone_from)

    replace(writer, "__init__", __init__)
    replace(writer, "clone_reader_document_root", clone_reader_document_root)


def _change_merging(page: Any) -> None:
    """merge_page()'s over=; the transformed pages of 3.4 have it."""
    def merge_page(self: Any, page2: Any, expand: bool = False,
                   over: bool = True) -> None:
        self._merge_page(page2, over=over, expand=expand)

    if lacks(page.merge_page, "over"):
        replace(page, "merge_page", merge_page)


def _remove_page(self: Any, page: Any, clean_outline: bool = False) -> None:
    """Remove a page, given by its number or by itself."""
    from pypdf.generic import NameObject, NumberObject
    pages = self._pages.get_object()
    kids = pages["/Kids"]
    if not isinstance(page, int):
        page = [one.get_object() for one in kids].index(page.get_object())
    del kids[page]
    pages[NameObject("/Count")] = NumberObject(len(kids))


def _set_metadata(self: Any, value: Any) -> None:
    self._info.get_object().clear()
    self.add_metadata(dict(value or {}))


def _compress_identical_objects(self: Any, *_args: Any,
                                **_options: Any) -> None:
    """A file is right without it, and larger."""


def _change_forms(writer: Any) -> None:
    plain = writer.update_page_form_field_values

    def update_page_form_field_values(
            self: Any, page: Any, fields: Any, flags: Any = 0,
            auto_regenerate: Any = True, flatten: bool = False) -> None:
        if auto_regenerate:
            self.set_need_appearances_writer()
        pages = self.pages if page is None else \
            page if isinstance(page, list) else [page]
        for one in pages:
            if "/Annots" in one:
                plain(self, one, fields, flags)

    replace(writer, "update_page_form_field_values",
            update_page_form_field_values)


def _attachments(self: Any) -> dict[str, list[bytes]]:
    """The files within a PDF: a list for each name."""
    found: dict[str, list[bytes]] = {}
    names = self.trailer["/Root"].get("/Names", {})
    left = [names.get("/EmbeddedFiles", {})]
    for one in left:  # a tree of names
        left += [kid.get_object() for kid in one.get("/Kids", ())]
        pairs = one.get("/Names", [])
        for name, file in zip(pairs[::2], pairs[1::2]):
            data = file.get_object()["/EF"]["/F"].get_data()
            found.setdefault(str(name), []).append(data)
    return found


# -- pypdf.annotations

_BUILT = {"Text": "text", "FreeText": "free_text", "Line": "line",
          "Rectangle": "rectangle", "Ellipse": "ellipse",
          "Polygon": "polygon", "Link": "link"}


def _built_by(pypdf: Any, name: str) -> type:
    """A class of annotations by the function that made them before."""
    generic = pypdf.generic

    def __init__(self: Any, *args: Any, title_bar: Any = None,
                 interior_color: Any = None, **options: Any) -> None:
        dict.__init__(self)
        if interior_color is not None:
            options["interiour_color"] = interior_color
        if name == "Line" and title_bar is not None:
            options["title_bar"], title_bar = title_bar, None
        self.update(getattr(generic.AnnotationBuilder, _BUILT[name])(
            *args, **options))
        if name == "Line":      # pypdf 3.4 writes a name that is none
            self[generic.NameObject("/LE")] = generic.ArrayObject(
                [generic.NameObject("/None")] * 2)
        if title_bar is not None:
            self[generic.NameObject("/T")] = generic.TextStringObject(
                title_bar)

    return type(name, (generic.DictionaryObject,), {
        "__init__": __init__, "__module__": "pypdf.annotations"})


def _highlight_of(pypdf: Any) -> type:
    generic = pypdf.generic
    of_numbers, name = (lambda values: generic.ArrayObject(
        map(generic.FloatObject, values))), generic.NameObject

    class Highlight(generic.DictionaryObject):  # type: ignore[misc]
        def __init__(self, *, rect: Any, quad_points: Any,
                     highlight_color: str = "ff0000",
                     printing: bool = False, title_bar: Any = None) -> None:
            dict.__init__(self)
            color = [int(highlight_color.lstrip("#")[at:at + 2], 16) / 255
                     for at in (0, 2, 4)]
            self.update({
                name("/Type"): name("/Annot"),
                name("/Subtype"): name("/Highlight"),
                name("/Rect"): generic.RectangleObject(rect),
                name("/QuadPoints"): of_numbers(quad_points),
                name("/C"): of_numbers(color)})
            if printing:
                self[name("/F")] = generic.NumberObject(4)
            if title_bar is not None:
                self[name("/T")] = generic.TextStringObject(title_bar)

    Highlight.__module__ = "pypdf.annotations"
    Highlight.__qualname__ = "Highlight"
    return Highlight


def _no_annotation(name: str) -> Any:
    raise AttributeError(
        f"module 'pypdf.annotations' has no attribute {name!r} here; it has "
        + ", ".join(sorted({*_BUILT, "Highlight"})))


def _change_annotations(pypdf: Any) -> None:
    module = types.ModuleType("pypdf.annotations")
    vars(module).update({name: _built_by(pypdf, name) for name in _BUILT},
                        Highlight=_highlight_of(pypdf),
                        __getattr__=_no_annotation)
    pypdf.annotations = _modules["pypdf.annotations"] = module
    plain = pypdf.PdfWriter.add_annotation

    def add_annotation(self: Any, page_number: Any, annotation: Any) -> Any:
        """PAGE_NUMBER may be the page itself."""
        if not isinstance(page_number, int):
            page_number = [one.get_object() for one in self.pages].index(
                page_number.get_object())
        plain(self, page_number, annotation)
        return self.pages[page_number]["/Annots"][-1].get_object()

    replace(pypdf.PdfWriter, "add_annotation", add_annotation)


def _change_pypdf(pypdf: Any) -> None:
    writer = pypdf.PdfWriter
    if lacks(writer.encrypt, "algorithm"):
        _change_writing(writer)
        if _find_spec("pikepdf"):
            _change_encryption(writer)
    if lacks(writer.__init__, "clone_from"):
        _change_beginning(pypdf)
    if lacks(writer.update_page_form_field_values, "auto_regenerate"):
        _change_forms(writer)
        # A later version has these from a base class.
        add(pypdf.PdfReader, attachments=property(_attachments))
        add(writer, metadata=property(
            lambda self: self._info.get_object(), _set_metadata))
    _change_merging(pypdf.PageObject)
    if _find_spec("pypdf.annotations") is None:
        _change_annotations(pypdf)
    add(writer, remove_page=_remove_page,
        compress_identical_objects=_compress_identical_objects)


when_imported({"pypdf": _change_pypdf})
