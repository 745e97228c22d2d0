"""imagehash - short fingerprints of pictures, whose distance tells likeness.

`average_hash`, `phash`, `phash_simple`, `dhash`, `dhash_vertical`, `whash`,
`colorhash`,
`hex_to_hash`, `hex_to_flathash`, `old_hex_to_hash` and the class ImageHash of
imagehash 4.3. `crop_resistant_hash` is left out.
"""

from __future__ import annotations

from typing import Any, Callable, Optional

import numpy
from PIL import Image

__version__ = "4.3.1"
__all__ = ["ANTIALIAS", "ImageHash", "average_hash", "colorhash", "dhash",
           "dhash_vertical", "hex_to_flathash", "hex_to_hash",
           "old_hex_to_hash", "phash", "phash_simple", "whash"]

# Pillow's name of the filter was another one before version 9.1.
ANTIALIAS = getattr(Image, "Resampling", Image).LANCZOS


def _binary_array_to_hex(arr: Any) -> str:
    bits = "".join("1" if bit else "0" for bit in numpy.ravel(arr))
    return f"{int(bits, 2):0{(len(bits) + 3) // 4}x}"


class ImageHash:
    """The bits of a hash: str() is hex, `-` the count of bits that differ."""

    def __init__(self, binary_array: Any) -> None:
        self.hash = binary_array

    def __str__(self) -> str:
        return _binary_array_to_hex(self.hash.flatten())

    def __repr__(self) -> str:
        return repr(self.hash)

    def __sub__(self, other: Any) -> Any:
        if other is None:
            raise TypeError("Other hash must not be None.")
        if self.hash.size != other.hash.size:
            raise TypeError("ImageHashes must be of the same shape.",
                            self.hash.shape, other.hash.shape)
        return numpy.count_nonzero(self.hash.ravel() != other.hash.ravel())

    def __eq__(self, other: object) -> bool:
        if other is None:
            return False
        return numpy.array_equal(
            self.hash.ravel(), other.hash.ravel())  # type: ignore

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        """A number of 8 bits: those at the same place of 8 are one."""
        places = numpy.flatnonzero(self.hash)
        return int((1 << (places % 8)).sum())

    def __len__(self) -> int:
        return self.hash.size


def hex_to_hash(hexstr: str) -> ImageHash:
    """The square hash that str() made HEXSTR of."""
    side = int(numpy.sqrt(len(hexstr) * 4))
    return ImageHash(_bits(hexstr, side * side).reshape((side, side)))


def _bits(hexstr: str, count: int) -> Any:
    text = f"{int(hexstr, 16):0{count}b}"
    return numpy.array([bit == "1" for bit in text])


def hex_to_flathash(hexstr: str, hashsize: int) -> ImageHash:
    """A hash of one row, as colorhash makes: HASHSIZE is its binbits."""
    size = int(len(hexstr) * 4 / hashsize)
    return ImageHash(_bits(hexstr, hashsize * size).reshape((1, -1)))


def old_hex_to_hash(hexstr: str, hash_size: int = 8) -> ImageHash:
    """A hash of the text that imagehash made before version 4."""
    count = hash_size * (hash_size // 4)
    if len(hexstr) != count:
        raise ValueError(f"Expected hex string size of {count}.")
    rows = []
    for at in range(0, count, 2):
        byte = int(hexstr[at:at + 2], 16)
        rows.append([bool(byte >> place & 1) for place in range(8)])
    return ImageHash(numpy.array(rows))


def _grey(image: Any, width: int, height: int) -> Any:
    picture = image.convert("L").resize((width, height), ANTIALIAS)
    return numpy.asarray(picture)


def _check(hash_size: int) -> None:
    if hash_size < 2:
        raise ValueError("Hash size must be greater than or equal to 2")


def average_hash(image: Any, hash_size: int = 8,
                 mean: Callable[[Any], Any] = numpy.mean) -> ImageHash:
    """Which cells of a small picture are lighter than the mean."""
    _check(hash_size)
    pixels = _grey(image, hash_size, hash_size)
    return ImageHash(pixels > mean(pixels))


def phash(image: Any, hash_size: int = 8,
          highfreq_factor: int = 4) -> ImageHash:
    """Which of the lowest frequencies are above their median."""
    _check(hash_size)
    import scipy.fftpack

    size = hash_size * highfreq_factor
    pixels = _grey(image, size, size)
    waves = scipy.fftpack.dct(scipy.fftpack.dct(pixels, axis=0), axis=1)
    low = waves[:hash_size, :hash_size]
    return ImageHash(low > numpy.median(low))


def phash_simple(image: Any, hash_size: int = 8,
                 highfreq_factor: int = 4) -> ImageHash:
    """The same of rows alone, against their mean."""
    import scipy.fftpack

    size = hash_size * highfreq_factor
    waves = scipy.fftpack.dct(_grey(image, size, size))
    low = waves[:hash_size, 1:hash_size + 1]
    return ImageHash(low > low.mean())


def dhash(image: Any, hash_size: int = 8) -> ImageHash:
    """Which cells are lighter than the one to their left."""
    _check(hash_size)
    pixels = _grey(image, hash_size + 1, hash_size)
    return ImageHash(pixels[:, 1:] > pixels[:, :-1])


def dhash_vertical(image: Any, hash_size: int = 8) -> ImageHash:
    """Which cells are lighter than the one above."""
    pixels = _grey(image, hash_size, hash_size + 1)
    return ImageHash(pixels[1:, :] > pixels[:-1, :])


def _whash_scale(image: Any, hash_size: int,
                 image_scale: Optional[int]) -> int:
    if image_scale is not None:
        assert image_scale & (image_scale - 1) == 0, \
            "image_scale is not power of 2"
        scale = image_scale
    else:
        natural = 2 ** int(numpy.log2(min(image.size)))
        scale = max(natural, hash_size)
    assert hash_size & (hash_size - 1) == 0, "hash_size is not power of 2"
    assert hash_size <= scale, "hash_size in a wrong range"
    return scale


def whash(image: Any, hash_size: int = 8, image_scale: Optional[int] = None,
          mode: str = "haar", remove_max_haar_ll: bool = True) -> ImageHash:
    """Which cells of the picture's wavelets are above their median."""
    import pywt

    scale = _whash_scale(image, hash_size, image_scale)
    pixels = _grey(image, scale, scale) / 255.0
    top = int(numpy.log2(scale))
    if remove_max_haar_ll:
        waves = list(pywt.wavedec2(pixels, "haar", level=top))
        waves[0] = waves[0] * 0
        pixels = pywt.waverec2(waves, "haar")
    level = top - int(numpy.log2(hash_size))
    low = pywt.wavedec2(pixels, mode, level=level)[0]
    return ImageHash(low > numpy.median(low))


def _shares(image: Any) -> list[float]:
    """Of all pixels the dark and the grey ones; of the rest, the hues."""
    intensity = numpy.asarray(image.convert("L")).flatten()
    hue, saturation, _ = (numpy.asarray(band).flatten()
                          for band in image.convert("HSV").split())
    dark = intensity < 256 // 8
    grey = saturation < 256 // 3
    coloured = ~dark & ~grey
    faint = coloured & (saturation < 256 * 2 // 3)
    bright = coloured & (saturation > 256 * 2 // 3)
    edges = numpy.linspace(0, 255, 6 + 1)
    total = max(1, coloured.sum())
    shares = [dark.mean(), (~dark & grey).mean()]
    for part in (faint, bright):
        counts = numpy.histogram(hue[part], bins=edges)[0] if part.any() \
            else numpy.zeros(6, dtype=int)
        shares += [count / total for count in counts]
    return shares


def colorhash(image: Any, binbits: int = 3) -> ImageHash:
    """How much is black, grey, and of 6 hues, faint and bright."""
    most = 2 ** binbits
    bits: list[bool] = []
    for share in _shares(image):
        value = min(most - 1, int(share * most))
        bits += [value // 2 ** (binbits - place - 1) %
                 2 ** (binbits - place) > 0 for place in range(binbits)]
    return ImageHash(numpy.asarray(bits).reshape((-1, binbits)))
