"""_package - the zip file: its parts, their kinds and relationships.

A part of the file is parsed when a program uses it. The others are written
byte for byte as they were read.
"""

from __future__ import annotations

import os
import posixpath
import re
import zipfile
from typing import Any

from lxml import etree

from .exc import PackageNotFoundError
from .oxml import parse_xml
from .oxml.ns import nsmap

OFFICE = nsmap["r"] + "/"
KIND = "application/vnd.openxmlformats-officedocument."
PRESENTATION = KIND + "presentationml."
RELATIONS = "application/vnd.openxmlformats-package.relationships+xml"
CORE = nsmap["cp"].replace("officeDocument", "package")
CORE_KIND = "application/vnd.openxmlformats-package.core-properties+xml"
CORE_TYPE = nsmap["pr"] + "/metadata/core-properties"
_HEAD = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_KINDS = {"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
          "gif": "image/gif", "bmp": "image/bmp", "tiff": "image/tiff",
          "wmf": "image/x-wmf", "emf": "image/x-emf",
          "xlsx": KIND + "spreadsheetml.sheet"}


class Relation:
    def __init__(self, kind: str, target: Any, external: bool) -> None:
        self.reltype, self.target_part = kind, target
        self.is_external = external
        self._target = target

    @property
    def target_ref(self) -> str:
        return self._target if self.is_external else self._target.partname


class Part:
    """A file of the package."""

    def __init__(self, package: Any, name: str, kind: str,
                 blob: bytes) -> None:
        self.package, self.partname, self.content_type = package, name, kind
        self._blob = blob
        self._root: Any = None
        self.rels: dict[str, Relation] = {}

    @property
    def root(self) -> Any:
        if self._root is None:
            self._root = parse_xml(self._blob)
        return self._root

    _element = root

    @property
    def blob(self) -> bytes:
        if self._root is None:
            return self._blob
        return _HEAD + etree.tostring(self._root, encoding="UTF-8")

    def relate_to(self, target: Any, kind: str,
                  is_external: bool = False) -> str:
        """The id of the relationship, which is made if there is none."""
        for name, relation in self.rels.items():
            if relation.reltype == kind and relation._target is target \
                    and not is_external:
                return name
        number = 1
        while f"rId{number}" in self.rels:
            number += 1
        self.rels[f"rId{number}"] = Relation(kind, target, is_external)
        return f"rId{number}"

    def drop_rel(self, name: str) -> None:
        del self.rels[name]

    def related_part(self, name: str) -> Any:
        return self.rels[name].target_part

    def related(self, kind: str) -> Any:
        """The first part that is related so, or None."""
        return next((one.target_part for one in self.rels.values()
                     if one.reltype == OFFICE + kind), None)

    def relations(self) -> bytes:
        root = etree.Element(f"{{{nsmap['pr']}}}Relationships",
                             nsmap={None: nsmap["pr"]})
        folder = posixpath.dirname(self.partname)
        for name, relation in self.rels.items():
            one = etree.SubElement(root, f"{{{nsmap['pr']}}}Relationship")
            one.set("Id", name)
            one.set("Type", relation.reltype)
            if relation.is_external:
                one.set("Target", relation._target)
                one.set("TargetMode", "External")
            else:
                one.set("Target", posixpath.relpath(
                    relation._target.partname, folder))
        return _HEAD + etree.tostring(root, encoding="UTF-8")


def _relations_name(name: str) -> str:
    folder, file = posixpath.split(name)
    return posixpath.join(folder, "_rels", file + ".rels")


class Package(Part):
    """All parts: those that are reached from the package's relations."""

    def __init__(self) -> None:
        super().__init__(self, "/", "", b"")
        self.known: dict[str, Part] = {}

    def add(self, name: str, kind: str, blob: bytes) -> Part:
        part = self.known[name] = Part(self, name, kind, blob)
        return part

    def free_name(self, form: str) -> str:
        """A name that has no part yet, for a form such as '/a/b%d.xml'."""
        taken = {part.partname for part in self.parts()}
        taken.update(part for part in self.known)
        number = 1
        while form % number in taken:
            number += 1
        return form % number

    def parts(self) -> list[Part]:
        found: dict[int, Part] = {}

        def walk(part: Part) -> None:
            for relation in part.rels.values():
                target = relation._target
                if not relation.is_external and id(target) not in found:
                    found[id(target)] = target
                    walk(target)

        walk(self)
        return list(found.values())

    # ---- the file ----
    @classmethod
    def open(cls, file: Any) -> Package:
        if isinstance(file, (str, os.PathLike)):
            if not zipfile.is_zipfile(file):
                raise PackageNotFoundError("Package not found at '%s'"
                                           % os.fspath(file))
        with zipfile.ZipFile(file) as archive:
            return cls().read({"/" + name: archive.read(name)
                               for name in archive.namelist()})

    def read(self, files: dict[str, bytes]) -> Package:
        types = parse_xml(files["/[Content_Types].xml"])
        defaults = {one.get("Extension").lower(): one.get("ContentType")
                    for one in types.xpath("ct:Default")}
        named = {one.get("PartName"): one.get("ContentType")
                 for one in types.xpath("ct:Override")}

        def load(part: Part) -> None:
            text = files.get(_relations_name(part.partname))
            for one in () if text is None else parse_xml(text):
                name, target = one.get("Id"), one.get("Target")
                external = one.get("TargetMode") == "External"
                if not external:
                    target = self.known.get(path := posixpath.normpath(
                        posixpath.join(posixpath.dirname(part.partname),
                                       target)))
                    if target is None:
                        if path not in files:
                            continue    # such as "NULL"
                        end = path.rpartition(".")[2].lower()
                        target = self.add(path, named.get(
                            path, defaults.get(end, "")), files[path])
                        load(target)
                part.rels[name] = Relation(one.get("Type"), target, external)

        load(self)
        return self

    def save(self, file: Any) -> None:
        parts = self.parts()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("[Content_Types].xml", _types(parts))
            archive.writestr("_rels/.rels", self.relations())
            for part in parts:
                archive.writestr(part.partname[1:], part.blob)
                if part.rels:
                    archive.writestr(_relations_name(part.partname)[1:],
                                     part.relations())


def _types(parts: list[Part]) -> bytes:
    defaults = {"rels": RELATIONS, "xml": "application/xml"}
    named = []
    for part in parts:
        end = re.sub(r".*\.", "", part.partname).lower()
        if _KINDS.get(end) == part.content_type:
            defaults[end] = part.content_type
        else:
            named.append((part.partname, part.content_type))
    lines = [f'<Default Extension="{one}" ContentType="{kind}"/>'
             for one, kind in sorted(defaults.items())]
    lines += [f'<Override PartName="{name}" ContentType="{kind}"/>'
              for name, kind in sorted(named)]
    return _HEAD + (f'<Types xmlns="{nsmap["ct"]}">' + "".join(lines)
                    + "</Types>").encode()
