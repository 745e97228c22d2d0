"""colors - the functions that give each word its colour."""

from __future__ import annotations

import colorsys
from random import Random
from typing import Any, Callable, Optional

from PIL import ImageColor, ImageFont

import numpy as np

Color = Callable[..., str]


def random_color_func(word: Any = None, font_size: Any = None,
                      position: Any = None, orientation: Any = None,
                      font_path: Any = None,
                      random_state: Optional[Random] = None) -> str:
    """Any hue."""
    random_state = random_state or Random()
    return f"hsl({random_state.randint(0, 255)}, 80%, 50%)"


def get_single_color_func(color: str) -> Color:
    """A function that gives shades of COLOR."""
    red, green, blue = ImageColor.getrgb(color)[:3]
    hue, saturation, _ = colorsys.rgb_to_hsv(red / 255, green / 255,
                                             blue / 255)

    def single_color_func(word: Any = None, font_size: Any = None,
                          position: Any = None, orientation: Any = None,
                          font_path: Any = None,
                          random_state: Optional[Random] = None) -> str:
        random_state = random_state or Random()
        value = random_state.uniform(0.2, 1)
        return _rgb(255 * part for part in
                    colorsys.hsv_to_rgb(hue, saturation, value))

    return single_color_func


def _rgb(parts: Any) -> str:
    return "rgb({:.0f}, {:.0f}, {:.0f})".format(*parts)


class colormap_color_func:
    """Colours of one of matplotlib's colormaps."""

    def __init__(self, colormap: Any) -> None:
        import matplotlib.pyplot as plt
        self.colormap = plt.get_cmap(colormap)

    def __call__(self, word: Any, font_size: Any, position: Any,
                 orientation: Any, random_state: Optional[Random] = None,
                 **kwargs: Any) -> str:
        random_state = random_state or Random()
        color = self.colormap(random_state.uniform(0, 1))
        return _rgb(max(0.0, 255 * part) for part in color[:3])


class ImageColorGenerator:
    """The mean colour of a picture where the word stands."""

    def __init__(self, image: Any, default_color: Any = None) -> None:
        if image.ndim not in (2, 3):
            raise ValueError("ImageColorGenerator needs an image with ndim 2 "
                             f"or 3, got {image.ndim}")
        if image.ndim == 3 and image.shape[2] not in (3, 4):
            raise ValueError("A color image needs to have 3 or 4 channels, "
                             f"got {image.shape[2]}")
        self.image = image
        self.default_color = default_color

    def __call__(self, word: str, font_size: int, font_path: str,
                 position: Any, orientation: Any, **kwargs: Any) -> str:
        font = ImageFont.truetype(font_path, font_size)
        box = ImageFont.TransposedFont(font, orientation).getbbox(word)
        row, column = position[:2]
        patch = self.image[row:row + box[2], column:column + box[3]]
        if patch.ndim == 3:
            patch = patch[:, :, :3].reshape(-1, 3)
        if not all(patch.shape):
            if self.default_color is None:
                raise ValueError(
                    "ImageColorGenerator is smaller than the canvas")
            return "rgb(%d, %d, %d)" % tuple(self.default_color)
        if self.image.ndim == 2:
            raise NotImplementedError("colors of a gray picture are not here; "
                                      "give one in RGB")
        return "rgb(%d, %d, %d)" % tuple(np.mean(patch, axis=0))
