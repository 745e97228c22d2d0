"""pdf - a file and its pages."""

from __future__ import annotations

import pathlib
from typing import Any, BinaryIO, Iterator, Optional, Union

from pdfminer.pdfdocument import PDFDocument
from pdfminer.pdfpage import PDFPage
from pdfminer.pdfparser import PDFParser
from pdfminer.pdftypes import resolve1
from pdfminer.psparser import PSLiteral
from pdfminer.utils import decode_text

from .page import Page


def _readable(value: Any) -> Any:
    """A value of the file's information as Python has it."""
    value = resolve1(value)
    if isinstance(value, bytes):
        return decode_text(value)
    if isinstance(value, PSLiteral):
        name = value.name
        return name if isinstance(name, str) else decode_text(name)
    if isinstance(value, list):
        return [_readable(one) for one in value]
    return value


class PDF:
    """An open file. It closes the stream that it has opened itself."""

    def __init__(self, stream: BinaryIO, stream_is_external: bool = False,
                 path: Optional[pathlib.Path] = None,
                 pages: Optional[Any] = None, password: Optional[str] = None):
        self.stream, self.path = stream, path
        self.stream_is_external = stream_is_external
        self.pages_to_parse = None if pages is None else list(pages)
        self.doc = PDFDocument(PDFParser(stream), password=password or "")
        self.metadata: dict[str, Any] = {}
        for info in self.doc.info:
            for name, value in info.items():
                try:
                    self.metadata[name] = _readable(value)
                except Exception:  # one odd value is no reason to fail
                    self.metadata[name] = value
        self._pages: Optional[list[Page]] = None

    @classmethod
    def open(cls, path_or_fp: Union[str, pathlib.Path, BinaryIO],
             pages: Optional[Any] = None, laparams: Optional[dict] = None,
             password: Optional[str] = None, strict_metadata: bool = False,
             unicode_norm: Optional[str] = None, repair: bool = False,
             **others: Any) -> PDF:
        for name, given in (("laparams", laparams), ("repair", repair),
                            ("unicode_norm", unicode_norm), *others.items()):
            if given:
                raise NotImplementedError(f"pdfplumber.open({name}=) is not "
                                          "here")
        if isinstance(path_or_fp, (str, pathlib.Path)):
            path = pathlib.Path(path_or_fp)
            stream = path.open("rb")
            try:
                return cls(stream, path=path, pages=pages, password=password)
            except BaseException:
                stream.close()
                raise
        return cls(path_or_fp, True, pages=pages, password=password)

    @property
    def pages(self) -> list[Page]:
        if self._pages is None:
            self._pages = list(self._parse())
        return self._pages

    def _parse(self) -> Iterator[Page]:
        above = 0.0
        for number, source in enumerate(PDFPage.create_pages(self.doc), 1):
            if self.pages_to_parse is not None and \
                    number not in self.pages_to_parse:
                continue
            page = Page(self, source, number, above)
            yield page
            above += page.height

    def _of_pages(self, name: str) -> list[Any]:
        return [one for page in self.pages for one in getattr(page, name)]

    chars = property(lambda self: self._of_pages("chars"))
    lines = property(lambda self: self._of_pages("lines"))
    rects = property(lambda self: self._of_pages("rects"))
    curves = property(lambda self: self._of_pages("curves"))
    images = property(lambda self: self._of_pages("images"))
    annots = property(lambda self: self._of_pages("annots"))
    hyperlinks = property(lambda self: self._of_pages("hyperlinks"))

    def close(self) -> None:
        self._pages = None
        if not self.stream_is_external:
            self.stream.close()

    def __enter__(self) -> PDF:
        return self

    def __exit__(self, *_exc: Any) -> None:
        self.close()
