"""fpdf._pictures - pictures of paths, bytes, PIL and numpy."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any


class RasterImageInfo(dict):  # type: ignore[type-arg]
    @property
    def width(self) -> int:
        return self["w"]  # type: ignore[no-any-return]

    @property
    def height(self) -> int:
        return self["h"]  # type: ignore[no-any-return]

    @property
    def rendered_width(self) -> float:
        return self["rendered_width"]  # type: ignore[no-any-return]

    @property
    def rendered_height(self) -> float:
        return self["rendered_height"]  # type: ignore[no-any-return]


def _refuse_svg(begin: bytes) -> None:
    if b"<svg" in begin[:1000].lower():
        raise NotImplementedError(
            "pictures in SVG are not in this fpdf: convert it to PNG, as "
            "with cairosvg.svg2png")


def opened(document: Any, name: Any) -> Any:
    """The picture as one of PIL; the same for the same path."""
    from PIL import Image, UnidentifiedImageError

    kept = document.__dict__.setdefault("_opened", {})
    if isinstance(name, Image.Image):
        return _plain(name.copy())
    if isinstance(name, (str, Path)):
        key: Any = str(name)
        if key.startswith(("http://", "https://")):
            raise NotImplementedError("this fpdf takes no pictures from the "
                                      "network")
        if key not in kept:
            content = Path(name).read_bytes()
            _refuse_svg(content)
            kept[key] = _loaded(Image, io.BytesIO(content))
        return kept[key]
    if isinstance(name, (bytes, bytearray)):
        name = io.BytesIO(name)
    if hasattr(name, "read"):
        name.seek(0)
        content = name.read()
        _refuse_svg(content)
        try:
            return _loaded(Image, io.BytesIO(content))
        except UnidentifiedImageError as exc:
            raise UnidentifiedImageError(
                f"cannot identify image file {name!r}") from exc
    if hasattr(name, "__array_interface__"):
        return _plain(Image.fromarray(name))
    raise ValueError(f"{name!r} is no picture")


def _loaded(image: Any, stream: Any) -> Any:
    picture = image.open(stream)
    picture.load()
    return _plain(picture)


def _plain(picture: Any) -> Any:
    """The picture in a mode that PDF has."""
    if picture.mode == "P" or picture.mode == "LA":
        return picture.convert("RGBA" if picture.mode == "LA" or
                               "transparency" in picture.info else "RGB")
    if picture.mode in ("1", "I", "F", "I;16"):
        return picture.convert("L")
    return picture
