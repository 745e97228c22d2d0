"""page - the things on a page, by their places: from the left and the top."""

from __future__ import annotations

from typing import Any, Callable, Iterator, Optional

from pdfminer.converter import PDFPageAggregator
from pdfminer.layout import LTChar, LTCurve, LTImage, LTLine, LTRect
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdftypes import resolve1
from pdfminer.utils import decode_text

from .table import Table, TableFinder
from .text import Words, found_in, laid_out, text_map

Thing = dict[str, Any]
Box = tuple[float, float, float, float]
KINDS = {"chars": "char", "lines": "line", "rects": "rect",
         "curves": "curve", "images": "image"}
LAYOUT = ("x_density", "y_density")


def _color(value: Any) -> Any:
    if value is None or isinstance(value, tuple):
        return value
    return tuple(value) if isinstance(value, list) else (value,)


def _leaves(things: Any) -> Iterator[Any]:
    for thing in things:
        if isinstance(thing, (LTChar, LTCurve, LTImage)):
            yield thing
        elif hasattr(thing, "__iter__"):  # a form
            yield from _leaves(thing)


def _is_in(box: Box, thing: Thing) -> bool:
    return (thing["x0"] >= box[0] and thing["top"] >= box[1] and
            thing["x1"] <= box[2] and thing["bottom"] <= box[3])


def _clipped(box: Box, thing: Thing) -> Optional[Thing]:
    """What of THING is in BOX, or None."""
    x0, top = max(thing["x0"], box[0]), max(thing["top"], box[1])
    x1, bottom = min(thing["x1"], box[2]), min(thing["bottom"], box[3])
    if x1 < x0 or bottom < top or (x1 - x0) + (bottom - top) == 0:
        return None
    return {**thing, "x0": x0, "x1": x1, "top": top, "bottom": bottom,
            "doctop": thing["doctop"] + top - thing["top"],
            "width": x1 - x0, "height": bottom - top}


class Area:
    """What a page and a part of one have in common."""

    is_original = False

    def __init__(self, page_number: int, box: Box,
                 objects: Optional[dict[str, list[Thing]]] = None) -> None:
        self.page_number, self.bbox = page_number, box
        self._objects = objects

    width = property(lambda self: self.bbox[2] - self.bbox[0])
    height = property(lambda self: self.bbox[3] - self.bbox[1])

    @property
    def objects(self) -> dict[str, list[Thing]]:
        assert self._objects is not None
        return self._objects

    chars = property(lambda self: self.objects.get("char", []))
    lines = property(lambda self: self.objects.get("line", []))
    rects = property(lambda self: self.objects.get("rect", []))
    curves = property(lambda self: self.objects.get("curve", []))
    images = property(lambda self: self.objects.get("image", []))
    edges = property(lambda self: TableFinder(self, {}).all_edges())

    # ---- texts

    def extract_text(self, layout: bool = False, **options: Any) -> str:
        if layout:
            dense = {name: options.pop(name) for name in LAYOUT
                     if name in options}
            return laid_out(self.chars, Words(**options), self.bbox, **dense)
        return "".join(letter for letter, _ in
                       text_map(self.chars, Words(**options)))

    def extract_text_simple(self, **options: Any) -> str:
        return self.extract_text(**options)

    def extract_text_lines(self, strip: bool = True, return_chars: bool = True,
                           **options: Any) -> list[Thing]:
        rows = self.search(r"[^\n]+", return_chars=return_chars, **options)
        for row in rows if strip else ():
            row["text"] = row["text"].strip()
        return rows

    def extract_words(self, **options: Any) -> list[Thing]:
        words = Words(**options)
        return [words.word(piece) for piece in words.pieces(self.chars)]

    def search(self, pattern: Any, regex: bool = True, case: bool = True,
               return_groups: bool = True, return_chars: bool = True,
               **options: Any) -> list[Thing]:
        rows = list(found_in(text_map(self.chars, Words(**options)), pattern,
                             regex, case, return_groups))
        for row in rows if not return_chars else ():
            del row["chars"]
        return rows

    # ---- tables

    def find_tables(self, table_settings: Optional[dict] = None
                    ) -> list[Table]:
        return TableFinder(self, table_settings or {}).tables

    def find_table(self, table_settings: Optional[dict] = None
                   ) -> Optional[Table]:
        """The table of the most cells."""
        tables = self.find_tables(table_settings)
        return min(tables, default=None, key=lambda one: (
            -len(one.cells), one.bbox[1], one.bbox[0]))

    def extract_tables(self, table_settings: Optional[dict] = None
                       ) -> list[list[list[Optional[str]]]]:
        finder = TableFinder(self, table_settings or {})
        return [one.extract(**finder.text_options) for one in finder.tables]

    def extract_table(self, table_settings: Optional[dict] = None
                      ) -> Optional[list[list[Optional[str]]]]:
        finder = TableFinder(self, table_settings or {})
        table = self.find_table(table_settings)
        return None if table is None else table.extract(**finder.text_options)

    # ---- parts

    def _part(self, box: Box, select: Callable[[Thing], Optional[Thing]]
              ) -> Area:
        found = {kind: [kept for kept in map(select, things) if kept]
                 for kind, things in self.objects.items()}
        return Area(self.page_number, box, found)

    def _box(self, bbox: Any, relative: bool, strict: bool) -> Box:
        x0, top, x1, bottom = bbox
        if relative:
            x0, x1 = x0 + self.bbox[0], x1 + self.bbox[0]
            top, bottom = top + self.bbox[1], bottom + self.bbox[1]
        if strict and (x1 <= x0 or bottom <= top):
            raise ValueError(f"Bounding box {(x0, top, x1, bottom)} has an "
                             "area of zero.")
        own = self.bbox
        if strict and (x0 < own[0] or top < own[1] or x1 > own[2] or
                       bottom > own[3]):
            raise ValueError(
                f"Bounding box {(x0, top, x1, bottom)} is not fully within "
                f"parent page bounding box {own}")
        return x0, top, x1, bottom

    def crop(self, bbox: Any, relative: bool = False,
             strict: bool = True) -> Area:
        box = self._box(bbox, relative, strict)
        return self._part(box, lambda thing: _clipped(box, thing))

    def within_bbox(self, bbox: Any, relative: bool = False,
                    strict: bool = True) -> Area:
        box = self._box(bbox, relative, strict)
        return self._part(box, lambda thing: thing if _is_in(box, thing)
                          else None)

    def outside_bbox(self, bbox: Any, relative: bool = False,
                     strict: bool = True) -> Area:
        box = self._box(bbox, relative, strict)
        return self._part(self.bbox, lambda thing: None
                          if _clipped(box, thing) else thing)

    def filter(self, test_function: Callable[[Thing], bool]) -> Area:
        return self._part(self.bbox, lambda thing: thing
                          if test_function(thing) else None)

    def dedupe_chars(self, tolerance: float = 1) -> Area:
        """Without characters that are drawn twice at one place."""
        seen: list[tuple[Any, float, float]] = []

        def first(thing: Thing) -> Optional[Thing]:
            if thing["object_type"] != "char":
                return thing
            look = tuple(thing[name] for name in ("text", "fontname", "size"))
            if any(look == other and abs(thing["x0"] - x) <= tolerance and
                   abs(thing["top"] - y) <= tolerance
                   for other, x, y in seen):
                return None
            seen.append((look, thing["x0"], thing["top"]))
            return thing

        return self._part(self.bbox, first)

    def to_image(self, *_args: Any, **_options: Any) -> Any:
        raise NotImplementedError(
            "pages become pictures by fitz: fitz.open(path)[0].get_pixmap"
            "(dpi=150).save('page.png')")


class Page(Area):
    """A page of a file."""

    is_original = True

    def __init__(self, pdf: Any, source: Any, number: int,
                 above: float) -> None:
        x0, y0, x1, y1 = map(float, source.mediabox)
        wide, high = abs(x1 - x0), abs(y1 - y0)
        self.rotation = source.rotate
        if self.rotation in (90, 270):
            wide, high = high, wide
        super().__init__(number, (0, 0, wide, high))
        self.pdf, self.page_obj, self.initial_doctop = pdf, source, above
        self.mediabox, self.cropbox = source.mediabox, source.cropbox

    def __repr__(self) -> str:
        return f"<Page:{self.page_number}>"

    @property
    def objects(self) -> dict[str, list[Thing]]:
        if self._objects is None:
            self._objects = {}
            for thing in _leaves(self.layout):
                made = self._thing(thing)
                self._objects.setdefault(made["object_type"], []).append(made)
        return self._objects

    @property
    def layout(self) -> Any:
        resources = PDFResourceManager()
        device = PDFPageAggregator(resources, pageno=self.page_number)
        PDFPageInterpreter(resources, device).process_page(self.page_obj)
        return device.get_result()

    def _place(self, x0: float, y0: float, x1: float, y1: float) -> Thing:
        top = self.height - y1
        return {"page_number": self.page_number, "x0": x0, "y0": y0, "x1": x1,
                "y1": y1, "width": x1 - x0, "height": y1 - y0, "top": top,
                "bottom": self.height - y0, "doctop": self.initial_doctop +
                top}

    def _thing(self, thing: Any) -> Thing:
        made = self._place(*thing.bbox)
        if isinstance(thing, LTChar):
            state = thing.graphicstate
            made.update(
                object_type="char", text=thing.get_text(), size=thing.size,
                fontname=thing.fontname, adv=thing.adv, upright=thing.upright,
                matrix=thing.matrix, ncs=getattr(thing.ncs, "name", None),
                non_stroking_color=_color(state.ncolor),
                stroking_color=_color(state.scolor))
        elif isinstance(thing, LTImage):
            made.update(object_type="image", name=thing.name,
                        srcsize=thing.srcsize, stream=thing.stream,
                        bits=thing.bits, imagemask=thing.imagemask,
                        colorspace=thing.colorspace)
        else:
            kind = "line" if isinstance(thing, LTLine) else \
                "rect" if isinstance(thing, LTRect) else "curve"
            made.update(
                object_type=kind, linewidth=thing.linewidth,
                stroke=thing.stroke, fill=thing.fill,
                pts=[(x, self.height - y) for x, y in thing.pts],
                non_stroking_color=_color(thing.non_stroking_color),
                stroking_color=_color(thing.stroking_color))
        return made

    @property
    def annots(self) -> list[Thing]:
        found = []
        for one in resolve1(self.page_obj.annots) or []:
            data = resolve1(one)
            made = self._place(*map(float, resolve1(data["Rect"])))
            address = (resolve1(data.get("A")) or {}).get("URI")
            made.update(object_type="annot", data=data, uri=None
                        if address is None else decode_text(resolve1(address)))
            for name, key in (("title", "T"), ("contents", "Contents")):
                text = resolve1(data.get(key))
                made[name] = decode_text(text) if isinstance(text, bytes) \
                    else text
            found.append(made)
        return found

    @property
    def hyperlinks(self) -> list[Thing]:
        return [one for one in self.annots if one["uri"] is not None]

    def close(self) -> None:
        self._objects = None

    flush_cache = close
