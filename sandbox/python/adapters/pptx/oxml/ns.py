"""ns - the prefixes of the format."""

from __future__ import annotations

_HOST = "http://schemas.openxmlformats.org/"
nsmap = {
    "a": _HOST + "drawingml/2006/main",
    "c": _HOST + "drawingml/2006/chart",
    "cp": _HOST + "package/2006/metadata/core-properties",
    "ct": _HOST + "package/2006/content-types",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "p": _HOST + "presentationml/2006/main",
    "p14": "http://schemas.microsoft.com/office/powerpoint/2010/main",
    "pic": _HOST + "drawingml/2006/picture",
    "pr": _HOST + "package/2006/relationships",
    "r": _HOST + "officeDocument/2006/relationships",
    "xml": "http://www.w3.org/XML/1998/namespace",
    "xsi": "http://www.w3.org/2001/XMLSchema-instance",
}
_nsmap = nsmap


def qn(name: str) -> str:
    """'a:t' as lxml writes it: '{...}t'."""
    prefix, _, local = name.partition(":")
    return f"{{{nsmap[prefix]}}}{local}"


def nsdecls(*prefixes: str) -> str:
    return " ".join(f'xmlns:{one}="{nsmap[one]}"' for one in prefixes)
