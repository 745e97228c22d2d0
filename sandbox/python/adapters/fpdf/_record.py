"""fpdf._record - pages as lists of what is drawn on them, and their PDF.

Drawing is kept until output(), for only then the number of pages is known.
Coordinates are points from the upper left.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import Any

Op = tuple[Any, ...]


@dataclass(frozen=True)
class Pen:
    """What lines and areas look like."""

    draw: tuple[float, float, float] = (0, 0, 0)
    fill: tuple[float, float, float] = (0, 0, 0)
    width: float = 0.567
    dash: tuple[float, float, float] = (0, 0, 0)
    draw_alpha: float = 1
    fill_alpha: float = 1


class Page:
    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.ops: list[Op] = []


class Printer:
    """Draws recorded pages on a canvas of reportlab."""

    def __init__(self, document: Any) -> None:
        self.document = document
        self.images: dict[int, Any] = {}

    def pdf(self) -> bytes:
        from reportlab.pdfgen.canvas import Canvas

        document, buffer = self.document, BytesIO()
        self.canvas = Canvas(buffer, pageCompression=int(document.compress))
        self._describe()
        pages = document.pages
        self.alias = document.str_alias_nb_pages, str(len(pages))
        for number, page in pages.items():
            self.page = page
            self.canvas.setPageSize((page.width, page.height))
            self.canvas.setLineCap(2)
            self.canvas.bookmarkHorizontalAbsolute(
                f"page-{number}", page.height)
            for name, *rest in page.ops:
                getattr(self, "_" + name)(*rest)
            self.canvas.showPage()
        self.canvas.save()
        return buffer.getvalue()

    def _describe(self) -> None:
        about, canvas = self.document.about, self.canvas
        canvas.setTitle(about.get("title", ""))
        canvas.setAuthor(about.get("author", ""))
        canvas.setSubject(about.get("subject", ""))
        canvas.setKeywords(about.get("keywords", ""))
        canvas.setCreator(about.get("creator", ""))
        if about.get("producer"):
            canvas.setProducer(about["producer"])
        if about.get("lang"):
            canvas._doc.Catalog.Lang = about["lang"]
        for level, name, number, top in self.document.sections:
            key = f"section-{number}-{top}-{name}"
            self.document.pages[number].ops.append(("mark", key, top))
        self._outline()

    def _outline(self) -> None:
        for level, name, number, top in self.document.sections:
            self.canvas.addOutlineEntry(
                name, f"section-{number}-{top}-{name}", level, 0)
        if self.document.sections:
            self.canvas.showOutline()

    def _mark(self, key: str, top: float) -> None:
        self.canvas.bookmarkHorizontalAbsolute(key, self.page.height - top)

    def _use(self, pen: Pen) -> None:
        canvas = self.canvas
        canvas.setStrokeColorRGB(*pen.draw)
        canvas.setFillColorRGB(*pen.fill)
        canvas.setLineWidth(pen.width)
        dash, gap, phase = pen.dash
        canvas.setDash([dash, gap] if dash else [], phase)
        if pen.draw_alpha != 1 or pen.fill_alpha != 1 or \
                self.document.any_alpha:
            canvas.setStrokeAlpha(pen.draw_alpha)
            canvas.setFillAlpha(pen.fill_alpha)

    def _text(self, x: float, y: float, text: str, font: Any, size: float,
              color: Any, space: float, letters: float, alpha: float) -> None:
        name, number = self.alias
        if name:
            text = text.replace(name, number)
        parts = [(x, text)]
        if space and font.unicode:  # a font of files has no word spacing
            parts = []
            for word in text.split(" "):
                parts.append((x, word))
                x += space + sum(map(font.width, word + " ")) * size / 1000
            space = 0
        canvas = self.canvas
        canvas.setFillColorRGB(*color)
        if alpha != 1 or self.document.any_alpha:
            canvas.setFillAlpha(alpha)
        for x, word in parts:
            line = canvas.beginText(x, self.page.height - y)
            line.setFont(font.name, size)
            if space:
                line.setWordSpace(space)
            if letters:
                line.setCharSpace(letters)
            line.textOut(font.shown(word))
            if space:
                line.setWordSpace(0)
            if letters:
                line.setCharSpace(0)
            canvas.drawText(line)

    def _path(self, pen: Pen, parts: list[Op], stroke: int, fill: int,
              clip: bool = False) -> None:
        self._use(pen)
        high, path = self.page.height, self.canvas.beginPath()
        for kind, *places in parts:
            turned = [high - place if at % 2 else place
                      for at, place in enumerate(places)]
            {"m": path.moveTo, "l": path.lineTo, "c": path.curveTo,
             "h": path.close}[kind](*turned)
        if clip:
            self.canvas.clipPath(path, stroke=0, fill=0)
        else:
            self.canvas.drawPath(path, stroke=stroke, fill=fill)

    def _rect(self, pen: Pen, x: float, y: float, w: float, h: float,
              stroke: int, fill: int) -> None:
        self._use(pen)
        self.canvas.rect(x, self.page.height - y - h, w, h, stroke=stroke,
                         fill=fill)

    def _image(self, picture: Any, x: float, y: float, w: float, h: float,
               alpha: float) -> None:
        from reportlab.lib.utils import ImageReader

        if id(picture) not in self.images:
            self.images[id(picture)] = ImageReader(picture)
        if self.document.any_alpha:
            self.canvas.setFillAlpha(alpha)
        self.canvas.drawImage(self.images[id(picture)], x,
                              self.page.height - y - h, w, h, mask="auto")

    def _link(self, x: float, y: float, w: float, h: float,
              target: Any) -> None:
        high = self.page.height
        box = x, high - y - h, x + w, high - y
        if isinstance(target, int):
            number, _ = self.document.links[target]
            if number not in self.document.pages:
                return
            self.canvas.linkAbsolute("", f"page-{number}", box)
        else:
            self.canvas.linkURL(target, box)

    def _push(self, *matrix: float) -> None:
        self.canvas.saveState()
        if matrix:
            self.canvas.transform(*matrix)

    def _pop(self) -> None:
        self.canvas.restoreState()
