"""utils - what programs take from pdfplumber.utils."""

from __future__ import annotations

from typing import Any, Callable, Union

from .text import Words, cluster, laid_out, text_map


def extract_words(chars: list[dict[str, Any]], **options: Any) -> list[Any]:
    maker = Words(**options)
    return [maker.word(piece) for piece in maker.pieces(chars)]


def extract_text(chars: list[dict[str, Any]], layout: bool = False,
                 **options: Any) -> str:
    if not chars:
        return ""
    if layout:
        box = options.pop("layout_bbox", None) or (
            0, 0, max(one["x1"] for one in chars),
            max(one["bottom"] for one in chars))
        dense = {name: options.pop(name) for name in ("x_density",
                                                      "y_density")
                 if name in options}
        return laid_out(chars, Words(**options), box, **dense)
    return "".join(letter for letter, _ in text_map(chars, Words(**options)))


def cluster_objects(things: list[Any], key: Union[str, Callable[[Any], Any]],
                    tolerance: float) -> list[list[Any]]:
    by = key if callable(key) else lambda thing: thing[key]
    return cluster(things, by, tolerance)
