"""oxml - the elements below the objects: lxml with a few more methods."""

from __future__ import annotations

from typing import Any

from lxml import etree

from .ns import nsdecls, nsmap, qn

# The order of children where it is not the order of their coming.
_FILLS = ("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill")
_LINES = ("lnL", "lnR", "lnT", "lnB", "lnTlToBr", "lnBlToTr")
_RUN = ("ln", *_FILLS, "effectLst", "effectDag", "highlight", "uLnTx", "uLn",
        "uFillTx", "uFill", "latin", "ea", "cs", "sym", "hlinkClick",
        "hlinkMouseOver", "rtl", "extLst")
ORDERS = {
    "rPr": _RUN, "defRPr": _RUN, "endParaRPr": _RUN,
    "pPr": ("lnSpc", "spcBef", "spcAft", "buClrTx", "buClr", "buSzTx",
            "buSzPct", "buSzPts", "buFontTx", "buFont", "buNone", "buAutoNum",
            "buChar", "buBlip", "tabLst", "defRPr", "extLst"),
    "spPr": ("xfrm", "custGeom", "prstGeom", *_FILLS, "ln", "effectLst",
             "effectDag", "scene3d", "sp3d", "extLst"),
    "ln": (*_FILLS, "prstDash", "custDash", "round", "bevel", "miter",
           "headEnd", "tailEnd", "extLst"),
    "tcPr": (*_LINES, "cell3D", *_FILLS, "headers", "extLst"),
    "bgPr": (*_FILLS, "effectLst", "effectDag", "extLst"),
    "p": ("pPr", "endParaRPr"),
    "r": ("rPr", "t"), "tc": ("txBody", "tcPr"),
    "bodyPr": ("prstTxWarp", "noAutofit", "normAutofit", "spAutoFit"),
    "cNvPr": ("hlinkClick", "hlinkHover", "extLst"),
    "cSld": ("bg", "spTree", "custDataLst", "controls", "extLst"),
}


class Element(etree.ElementBase):
    """An element; its xpath() knows the usual prefixes."""

    def xpath(self, path: str, **named: Any) -> Any:
        named.setdefault("namespaces", nsmap)
        return super().xpath(path, **named)

    def first(self, *names: str) -> Any:
        """The first child that has one of these names (with prefixes)."""
        wanted = {qn(name) for name in names}
        return next((child for child in self if child.tag in wanted), None)

    def put(self, child: Any, order: tuple[str, ...] = ()) -> Any:
        """A child more, where the schema's order wants it."""
        order = order or ORDERS.get(etree.QName(self).localname, ())
        name = etree.QName(child).localname
        if name in order or name in ("r", "br"):
            later = order[order.index(name) + 1:] if name in order \
                else ("endParaRPr",)
            for place, other in enumerate(self):
                if isinstance(other.tag, str) and \
                        etree.QName(other).localname in later:
                    self.insert(place, child)
                    return child
        self.append(child)
        return child

    def get_or_put(self, name: str, order: tuple[str, ...] = ()) -> Any:
        found = self.first(name)
        return self.put(OxmlElement(name), order) if found is None else found

    def drop(self, *names: str) -> None:
        for name in names:
            for child in self.findall(qn(name)):
                self.remove(child)

    def insert_element_before(self, child: Any, *names: str) -> Any:
        later = self.first(*names)
        if later is None:
            self.append(child)
        else:
            later.addprevious(child)
        return child

    def get_or_add_tcPr(self) -> Any:
        return self.get_or_put("a:tcPr")

    def get_or_add_pPr(self) -> Any:
        found = self.first("a:pPr")
        if found is None:
            found = OxmlElement("a:pPr")
            self.insert(0, found)
        return found

    def get_or_add_rPr(self) -> Any:
        found = self.first("a:rPr")
        if found is None:
            found = OxmlElement("a:rPr")
            self.insert(0, found)
        return found

    def get_or_add_ln(self) -> Any:
        return self.get_or_put("a:ln")

    tcPr = property(lambda self: self.first("a:tcPr"))
    pPr = property(lambda self: self.first("a:pPr"))
    rPr = property(lambda self: self.first("a:rPr"))
    txBody = property(lambda self: self.first("p:txBody", "a:txBody"))
    spPr = property(lambda self: self.first("p:spPr", "c:spPr"))
    rId = property(lambda self: self.get(qn("r:id")))
    xml = property(lambda self: etree.tostring(
        self, encoding="unicode", pretty_print=True))


_parser = etree.XMLParser(remove_blank_text=True, resolve_entities=False)
_parser.set_element_class_lookup(
    etree.ElementDefaultClassLookup(element=Element))


def parse_xml(text: str | bytes) -> Any:
    """The root of a text of XML."""
    if isinstance(text, str):
        text = text.encode()
    return etree.fromstring(text, _parser)


def OxmlElement(name: str, nsmap: Any = None) -> Any:
    """A new element: its name has a prefix."""
    from .ns import nsmap as known
    prefix = name.split(":")[0]
    return _parser.makeelement(qn(name),
                               nsmap=nsmap or {prefix: known[prefix]})


def absent(name: str, words: str) -> property:
    """What the original has and this has not: it raises at any use."""
    def refuse(*_arguments: Any) -> Any:
        raise NotImplementedError(f"{name}: {words}")

    return property(refuse, refuse)


def new(text: str) -> Any:
    """An element written with prefixes, which get declared."""
    return parse_xml(text.replace(
        ">", f" {nsdecls('a', 'p', 'r', 'c')}>", 1) if not
        text.split(">", 1)[0].endswith("/") else text.replace(
        "/>", f" {nsdecls('a', 'p', 'r', 'c')}/>", 1))
