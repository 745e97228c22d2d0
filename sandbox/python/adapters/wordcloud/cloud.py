"""cloud - finds a free place for each word, and draws them.

The places that are taken are an integral picture: a box is free if its sum is
0. One of all free places of a word is taken by chance.
"""

from __future__ import annotations

import os
import re
import warnings
from math import ceil
from random import Random
from typing import Any, Optional

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from . import colors, words

FONTS = "/usr/share/fonts/truetype/"
FONT = os.environ.get("FONT_PATH", FONTS + "dejavu/DejaVuSans.ttf")
ASIAN_FONT = FONTS + "wqy/wqy-microhei.ttc"
_ASIAN = re.compile("[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
                    "\uff00-\uffef\U00020000-\U0003ffff]")
TURNED = Image.Transpose.ROTATE_90
NO_PLACE = ("Couldn't find space to draw. Either the Canvas size is too small "
            "or too much of the image is masked out.")


class _Taken:
    """Which places of the canvas are taken.

    The arrays are made once: new ones for each question cost more time than
    the sums.
    """

    def __init__(self, height: int, width: int, mask: Any) -> None:
        self.pixels = np.zeros((height, width), dtype=np.uint8)
        self.sums = np.zeros((height, width), dtype=np.uint32)
        self._work = np.empty((3, height * width), dtype=np.uint32)
        if mask is not None:
            self.take(mask.astype(np.uint8), 0, 0)

    def take(self, part: Any, row: int, column: int) -> None:
        """Takes the places of PART, a picture at ROW and COLUMN."""
        height, width = part.shape
        self.pixels[row:row + height, column:column + width] += part
        sums = self.sums[row:, column:]
        lines = self._work[0, :sums.size].reshape(sums.shape)
        np.cumsum(self.pixels[row:, column:], axis=1, dtype=np.uint32,
                  out=lines)
        np.cumsum(lines, axis=0, dtype=np.uint32, out=sums)
        if row:
            sums += self.sums[row - 1, column:]
        if column:
            sums += self.sums[row:, column - 1][:, None]
        if row and column:
            sums -= self.sums[row - 1, column - 1]

    def free(self, height: int, width: int, chance: Random) -> Any:
        """A free box of that size, or None."""
        sums = self.sums
        rows, columns = sums.shape[0] - height, sums.shape[1] - width
        if rows <= 0 or columns <= 0:
            return None
        size, shape = rows * columns, (rows, columns)
        below, beyond = (work[:size].reshape(shape)
                         for work in self._work[:2])
        empty = self._work[2].view(bool)[:size].reshape(shape)
        np.subtract(sums[height:, :columns], sums[:rows, :columns], out=below)
        np.subtract(sums[height:, width:], sums[:rows, width:], out=beyond)
        np.equal(below, beyond, out=empty)
        count = int(np.count_nonzero(empty))
        if not count:
            return None
        chosen = chance.randint(0, count)
        if not chosen:
            return None
        in_rows = np.cumsum(np.count_nonzero(empty, axis=1))
        row = int(np.searchsorted(in_rows, chosen))
        before = int(in_rows[row - 1]) if row else 0
        return row, int(np.flatnonzero(empty[row])[chosen - before - 1])


class WordCloud:
    """The words of a text, laid out and drawn."""

    def __init__(self, font_path: Optional[str] = None, width: int = 400,
                 height: int = 200, margin: int = 2, ranks_only: Any = None,
                 prefer_horizontal: float = 0.9, mask: Any = None,
                 scale: float = 1, color_func: Any = None,
                 max_words: int = 200, min_font_size: int = 4,
                 stopwords: Any = None, random_state: Any = None,
                 background_color: Any = "black",
                 max_font_size: Optional[int] = None, font_step: int = 1,
                 mode: str = "RGB", relative_scaling: Any = "auto",
                 regexp: Optional[str] = None, collocations: bool = True,
                 colormap: Any = None, normalize_plurals: bool = True,
                 contour_width: float = 0, contour_color: Any = "black",
                 repeat: bool = False, include_numbers: bool = False,
                 min_word_length: int = 0, collocation_threshold: float = 30,
                 ) -> None:
        given = dict(locals())
        del given["self"], given["ranks_only"]
        vars(self).update(given)
        self._own_font = font_path is None
        self.font_path: str = FONT if font_path is None else font_path
        self.mask, self.width, self.height = mask, width, height
        if color_func is None and colormap is None:
            colormap = "viridis"
        self.color_func = color_func or colors.colormap_color_func(colormap)
        self.stopwords = words.STOPWORDS if stopwords is None else stopwords
        if isinstance(random_state, int):
            random_state = Random(random_state)
        self.random_state = random_state
        if relative_scaling == "auto":
            relative_scaling = 0 if repeat else 0.5
        if relative_scaling < 0 or relative_scaling > 1:
            raise ValueError("relative_scaling needs to be between 0 and 1, "
                             f"got {relative_scaling:f}.")
        self.relative_scaling = relative_scaling
        if ranks_only is not None:
            warnings.warn("ranks_only is deprecated and will be removed as it "
                          "had no effect. Look into relative_scaling.",
                          DeprecationWarning)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"'WordCloud' object has no attribute '{name}'")

    def fit_words(self, frequencies: Any) -> "WordCloud":
        return self.generate_from_frequencies(frequencies)

    def generate(self, text: str) -> "WordCloud":
        return self.generate_from_text(text)

    def generate_from_text(self, text: str) -> "WordCloud":
        return self.generate_from_frequencies(self.process_text(text))

    def process_text(self, text: str) -> dict[str, int]:
        """How often each word and pair of words is in TEXT."""
        found = words.split(text, self.regexp, self.include_numbers,
                            self.min_word_length)
        stopwords = {word.lower() for word in self.stopwords}
        if self.collocations:
            return words.with_pairs(found, stopwords, self.normalize_plurals,
                                    self.collocation_threshold)
        return words.counted([word for word in found
                              if word.lower() not in stopwords],
                             self.normalize_plurals)[0]

    # -- the layout

    def generate_from_frequencies(self, frequencies: Any,
                                  max_font_size: Optional[int] = None,
                                  ) -> "WordCloud":
        """Lays out the words; FREQUENCIES is a dict."""
        ranked = sorted(frequencies.items(), key=lambda item: item[1],
                        reverse=True)
        if not ranked:
            raise ValueError("We need at least 1 word to plot a word cloud, "
                             f"got {len(ranked)}.")
        most = float(ranked[0][1])
        shares = [(word, count / most)
                  for word, count in ranked[:self.max_words]]
        if self._own_font:
            asian = any(_ASIAN.search(word) for word, _ in shares)
            self.font_path = ASIAN_FONT if asian and \
                os.path.exists(ASIAN_FONT) else FONT
        chance = self.random_state or Random()
        mask = None if self.mask is None else \
            self._get_bolean_mask(self.mask)
        if mask is not None:
            self.height, self.width = mask.shape
        size = max_font_size or self.max_font_size or self._first_size(shares)
        self.words_ = dict(shares)
        self.layout_ = self._laid_out(self._repeated(shares), size, mask,
                                      chance)
        return self

    def _first_size(self, shares: list[tuple[str, float]]) -> int:
        """The size of the first word, by trying with two."""
        if len(shares) == 1:
            return int(self.height)
        self.generate_from_frequencies(dict(shares[:2]),
                                       max_font_size=self.height)
        sizes = [item[1] for item in self.layout_]
        if not sizes:
            raise ValueError(NO_PLACE)
        if len(sizes) == 1:
            return int(sizes[0])
        return int(2 * sizes[0] * sizes[1] / (sizes[0] + sizes[1]))

    def _repeated(self, shares: list[tuple[str, float]],
                  ) -> list[tuple[str, float]]:
        if not self.repeat or len(shares) >= self.max_words:
            return shares
        weight, found = shares[-1][1], list(shares)
        for time in range(1, ceil(self.max_words / len(shares))):
            found += [(word, share * weight ** time)
                      for word, share in shares]
        return found

    def _laid_out(self, shares: list[tuple[str, float]], size: int,
                  mask: Any, chance: Random) -> list[Any]:
        taken = _Taken(self.height, self.width, mask)
        found, last = [], 1.0
        scaling = self.relative_scaling
        for word, share in shares:
            if share == 0:
                continue
            if scaling:
                size = int(round((scaling * (share / last) + (1 - scaling)) *
                                 size))
            turn = None if chance.random() < self.prefer_horizontal else \
                TURNED
            size, turn, place, font = self._placed(word, size, turn, taken,
                                                   chance)
            if place is None:
                break
            row, column = (at + self.margin // 2 for at in place)
            width, height = font.getbbox(word)[2:]
            part = Image.new("L", (min(width, self.width - column),
                                   min(height, self.height - row)))
            ImageDraw.Draw(part).text((0, 0), word, fill="white", font=font)
            color = self.color_func(
                word, font_size=size, position=(row, column),
                orientation=turn, random_state=chance,
                font_path=self.font_path)
            found.append(((word, share), size, (row, column), turn, color))
            taken.take(np.asarray(part), row, column)
            last = share
        return found

    def _placed(self, word: str, size: int, turn: Any, taken: _Taken,
                chance: Random) -> tuple[int, Any, Any, Any]:
        """The largest size at which there is a place for WORD."""
        turned = False
        while size >= self.min_font_size:
            font = ImageFont.TransposedFont(
                ImageFont.truetype(self.font_path, size), orientation=turn)
            box = font.getbbox(word, anchor="lt")
            place = taken.free(box[3] - box[1] + self.margin,
                               box[2] - box[0] + self.margin, chance)
            if place is not None:
                return size, turn, place, font
            if not turned and self.prefer_horizontal < 1:
                turned, turn = True, TURNED
            else:
                size, turn = size - self.font_step, None
        return size, turn, None, None

    # -- the picture

    def _check_generated(self) -> None:
        if "layout_" not in vars(self):
            raise ValueError("WordCloud has not been calculated, call "
                             "generate first.")

    def recolor(self, random_state: Any = None, color_func: Any = None,
                colormap: Any = None) -> "WordCloud":
        """Other colours for the same places."""
        if isinstance(random_state, int):
            random_state = Random(random_state)
        self._check_generated()
        if color_func is None:
            color_func = self.color_func if colormap is None else \
                colors.colormap_color_func(colormap)
        self.layout_ = [
            (word, size, place, turn, color_func(
                word=word[0], font_size=size, position=place,
                orientation=turn, random_state=random_state,
                font_path=self.font_path))
            for word, size, place, turn, _ in self.layout_]
        return self

    def to_image(self) -> Any:
        """A picture of PIL."""
        self._check_generated()
        picture = Image.new(self.mode, (int(self.width * self.scale),
                                        int(self.height * self.scale)),
                            self.background_color)
        draw = ImageDraw.Draw(picture)
        for (word, _), size, (row, column), turn, color in self.layout_:
            font = ImageFont.truetype(self.font_path, int(size * self.scale))
            draw.text((int(column * self.scale), int(row * self.scale)), word,
                      fill=color,
                      font=ImageFont.TransposedFont(font, orientation=turn))
        return self._draw_contour(picture)

    def to_file(self, filename: Any) -> "WordCloud":
        self.to_image().save(filename, optimize=True)
        return self

    def to_array(self) -> Any:
        return np.array(self.to_image())

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        array = self.to_array()
        return array if dtype is None else array.astype(dtype)

    def to_svg(self, *args: Any, **kwargs: Any) -> str:
        raise NotImplementedError("WordCloud.to_svg is not here; to_file('"
                                  "x.png') and to_image() are")

    def to_html(self) -> str:
        raise NotImplementedError("WordCloud.to_html is not here; to_file('"
                                  "x.png') and to_image() are")

    def _get_bolean_mask(self, mask: Any) -> Any:
        """True where no word may be: where MASK is white."""
        if mask.dtype.kind == "f":
            warnings.warn("mask image should be unsigned byte between 0 and "
                          "255. Got a float array")
        if mask.ndim == 2:
            return mask == 255
        if mask.ndim == 3:
            return np.all(mask[:, :, :3] == 255, axis=-1)
        raise ValueError(f"Got mask of invalid shape: {mask.shape}")

    def _draw_contour(self, img: Any) -> Any:
        if self.mask is None or self.contour_width == 0:
            return img
        mask = self._get_bolean_mask(self.mask) * 255
        edge = Image.fromarray(mask.astype(np.uint8)).resize(img.size)
        lines = np.array(edge.filter(ImageFilter.FIND_EDGES))
        lines[[0, -1], :] = 0
        lines[:, [0, -1]] = 0
        wide = Image.fromarray(lines).filter(
            ImageFilter.GaussianBlur(radius=self.contour_width / 10))
        place = Image.fromarray((np.array(wide) > 0).astype(np.uint8) * 255)
        img.paste(Image.new(img.mode, img.size, self.contour_color), (0, 0),
                  place)
        return img
