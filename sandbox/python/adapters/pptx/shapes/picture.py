"""picture - pictures of slides, and their files."""

from __future__ import annotations

import hashlib
import io
import os
from typing import Any

from .._package import OFFICE
from ..enum.shapes import MSO_SHAPE_TYPE
from ..oxml import absent, qn
from .base import _Drawn

_ENDS = {"PNG": ("png", "image/png"), "JPEG": ("jpg", "image/jpeg"),
         "GIF": ("gif", "image/gif"), "BMP": ("bmp", "image/bmp"),
         "TIFF": ("tiff", "image/tiff")}


class Image:
    """A picture's file."""

    def __init__(self, blob: bytes, filename: str | None,
                 content_type: str = "") -> None:
        from PIL import Image as pillow
        self.blob, self.filename = blob, filename
        with pillow.open(io.BytesIO(blob)) as picture:
            if picture.format not in _ENDS:
                raise ValueError("unsupported image format, expected one of: "
                                 f"{_ENDS.keys()}, got '{picture.format}'")
            self.ext, self.content_type = _ENDS[picture.format]
            self.size, dpi = picture.size, picture.info.get("dpi")
        self.dpi = tuple(map(_whole, dpi)) if isinstance(dpi, tuple) \
            else (72, 72)
        self.sha1 = hashlib.sha1(blob).hexdigest()

    @classmethod
    def from_file(cls, file: Any) -> Image:
        if isinstance(file, (str, os.PathLike)):
            with open(file, "rb") as opened:
                return cls(opened.read(), os.path.basename(file))
        file.seek(0)
        return cls(file.read(), None)

    def scaled(self, width: int | None, height: int | None
               ) -> tuple[int, int]:
        """Its own size, or that with the same proportions."""
        own = [int(914400 * pixels / dpi)
               for pixels, dpi in zip(self.size, self.dpi)]
        if width is None and height is None:
            return own[0], own[1]
        if width is None:
            width = int(round(own[0] * height / own[1]))
        if height is None:
            height = int(round(own[1] * width / own[0]))
        return int(width), int(height)

    def part(self, package: Any) -> Any:
        """Its part: one for all pictures of the same bytes."""
        for part in package.parts():
            if part.content_type.startswith("image/") and \
                    part.blob == self.blob:
                return part
        name = package.free_name("/ppt/media/image%d." + self.ext)
        return package.add(name, self.content_type, self.blob)


def _whole(dpi: Any) -> int:
    try:
        value = int(round(float(dpi)))
    except (TypeError, ValueError):
        return 72
    return value if 1 <= value <= 2048 else 72


def _crop(name: str) -> property:
    def get(self: Any) -> float:
        found = self._fill().first("a:srcRect")
        return 0.0 if found is None else int(found.get(name, "0")) / 100000

    def put(self: Any, value: float) -> None:
        self._fill().get_or_put("a:srcRect", (
            "srcRect", "tile", "stretch")).set(name,
                                               str(round(value * 100000)))

    return property(get, put)


class Picture(_Drawn):
    """A picture on a slide."""

    auto_shape_type = absent("auto_shape_type of a picture",
                             "crop_left and the like work")

    def _kind(self) -> Any:
        return MSO_SHAPE_TYPE.MEDIA if self._element.xpath(
            "p:nvPicPr/p:nvPr/a:videoFile") else MSO_SHAPE_TYPE.PICTURE

    def _fill(self) -> Any:
        return self._element.first("p:blipFill")

    crop_left, crop_right = _crop("l"), _crop("r")
    crop_top, crop_bottom = _crop("t"), _crop("b")

    @property
    def image(self) -> Image:
        name = self._fill().first("a:blip").get(qn("r:embed"))
        if name is None:
            raise ValueError("no embedded image")
        return Image(self.part.rels[name].target_part.blob, None)


IMAGE = OFFICE + "image"
