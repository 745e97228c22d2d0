"""fonts - draws any script with matplotlib, without a program naming a font.

The font of a text is DejaVu Sans unless the program chooses another. A
character that it lacks is drawn with the first installed font that has it. Such
a font is opened only when a text needs it, because that takes a millisecond.
This acts where fonts are looked up, because styles and programs replace the
list of families, often with names of another system.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import adopt
from .rtl import seen

import logging
import os
import shutil
import sys
from typing import Any, Iterator, Optional

_exists, _which = os.path.exists, shutil.which

# Installed ones of these are asked first, in this order.
_PREFERRED = (
    "DejaVu Sans",
    # Chinese, Japanese and Korean; Droid's has no Korean
    "WenQuanYi Micro Hei", "Noto Sans CJK SC", "Noto Sans CJK JP",
    "Source Han Sans SC", "WenQuanYi Zen Hei", "Droid Sans Fallback",
    "NanumGothic", "UnDotum", "Baekmuk Dotum",
    "Garuda", "Loma", "Noto Sans Thai",
    "Symbola",
    "Noto Sans Symbols2", "Noto Sans Devanagari", "Noto Sans Bengali",
    "Noto Sans Tamil", "Noto Sans Telugu", "Noto Sans Gujarati",
    "Noto Sans Ethiopic", "Noto Sans Khmer", "Noto Sans Myanmar",
    "FreeSans",
)
# Bitmaps of nearly every character: the last choice.
_LAST = ("Unifont", "Unifont Upper")

# Fonts of other systems that have serifs, or equal widths.
_SERIF = frozenset(["times new roman", "times", "georgia", "cambria",
                    "garamond", "palatino", "book antiqua", "simsun",
                    "nsimsun", "songti sc", "stsong", "fangsong"])
_MONO = frozenset(["courier new", "courier", "consolas", "menlo", "monaco",
                   "lucida console", "andale mono", "source code pro",
                   "jetbrains mono", "fira code", "cascadia code"])
_GENERIC = frozenset(["sans-serif", "sans serif", "sans", "serif", "cursive",
                      "fantasy", "monospace"])
# Drawn as nothing: marks of direction, joiners, selectors of a variant.
_INVISIBLE = frozenset([*range(0x20), *range(0x7f, 0xa0), 0xfeff,
                        *range(0x200b, 0x2010), *range(0x2028, 0x202f),
                        *range(0xfe00, 0xfe10)])


class _Fonts:
    """What is known of the installed fonts."""
    manager: Any = None         # matplotlib's font manager
    places: list[str] = []      # files in the order in which they are asked
    maps: dict[str, bytes] = {}  # file: one bit for each character it has
    chosen: dict[int, Optional[str]] = {}  # character: its file
    needed: list[str] = []      # files that texts have needed
    wide = False                # a text was not ASCII
    told: set[str] = set()      # missing files that were named
    names: set[str] = set()     # of the families, in small letters
    count = 0                   # of fonts, when the names were taken


_find: Any = None               # matplotlib's own function
_Properties: Any = None         # matplotlib's FontProperties


def _characters(file: str) -> bytes:
    """The characters of a font, as a bit each."""
    found = _Fonts.maps.get(file)
    if found is None:
        ft2font = sys.modules["matplotlib.ft2font"]
        try:
            codes = ft2font.FT2Font(file).get_charmap()
        except Exception:  # of a kind that FreeType or matplotlib cannot read
            codes = {}
        bits = bytearray(max(codes, default=0) // 8 + 1)
        for code in codes:
            bits[code >> 3] |= 1 << (code & 7)
        found = _Fonts.maps[file] = bytes(bits)
    return found


def _has(file: str, code: int) -> bool:
    bits = _characters(file)
    return code >> 3 < len(bits) and bits[code >> 3] >> (code & 7) & 1 == 1


def _plainest(entries: list[Any]) -> str:
    """The file of a family that is upright and of normal weight."""
    def oddness(entry: Any) -> tuple[bool, int]:
        weight = entry.weight if isinstance(entry.weight, int) else 400
        return entry.style != "normal", abs(weight - 400)
    return min(entries, key=oddness).fname


def _order() -> list[str]:
    """The files to ask, one of each family."""
    families: dict[str, list[Any]] = {}
    for entry in _Fonts.manager.ttflist:
        families.setdefault(entry.name, []).append(entry)
    names = [name for name in _PREFERRED if name in families]
    names += sorted(set(families) - {*_PREFERRED, *_LAST})
    names += [name for name in _LAST if name in families]
    return [_plainest(families[name]) for name in names]


def _choose(code: int) -> Optional[str]:
    """The first font with a character; None if no font has it."""
    if not _Fonts.places:
        _Fonts.places = _order()
    _names()
    for file in _Fonts.places:
        if _has(file, code):
            return file
    return None


def need(text: str) -> None:
    """Take the fonts into use that TEXT needs."""
    if str.isascii(text):
        return
    _Fonts.wide = True
    for char in set(text):
        code = ord(char)
        if code in _Fonts.chosen or code < 0x80 or code in _INVISIBLE:
            continue
        file = _Fonts.chosen[code] = _choose(code)
        if file and file not in _Fonts.needed:
            _Fonts.needed.append(file)
            _Fonts.needed.sort(key=_Fonts.places.index)


def warm() -> bool:
    """Read the preferred fonts' characters. Returns whether a wide one is
    there."""
    if _Fonts.manager is None:
        return False
    _Fonts.places = _order()
    _names()
    for file in _Fonts.places[:len(_PREFERRED)]:
        _characters(file)
    return _choose(0x4e2d) is not None


def _names() -> set[str]:
    """The installed families. A program can add some."""
    entries = _Fonts.manager.ttflist
    if len(entries) != _Fonts.count:
        _Fonts.count = len(entries)
        _Fonts.names = {entry.name.lower() for entry in entries}
    return _Fonts.names


def _known_families(prop: Any) -> Iterator[str]:
    """The families of a property that are generic or installed, and ours for
    those that are not."""
    names = _names()
    for family in prop.get_family():
        low = family.lower()
        if low in _GENERIC or low in names:
            yield family
        elif low in _SERIF:
            yield "DejaVu Serif"
        elif low in _MONO:
            yield "DejaVu Sans Mono"


def _is_there(file: Any) -> bool:
    """Whether a font's file exists. If not, that is said once."""
    if _exists(file):
        return True
    name = str(file)
    if name not in _Fonts.told and len(_Fonts.told) < 10:
        _Fonts.told.add(name)
        print(f"There is no font file {name}: an installed font is used.",
              file=sys.stderr)
    return False


def find_and_widen(self: Any, prop: Any, fontext: str = "ttf", *args: Any,
                   **options: Any) -> list[str]:
    """FontManager._find_fonts_by_props, with the fonts that texts need."""
    if fontext != "ttf":
        return _find(self, prop, fontext, *args, **options)
    prop = _Properties._from_any(prop)
    families = list(prop.get_family())
    known = list(_known_families(prop)) or ["sans-serif"]
    if known != families:
        prop = prop.copy()
        prop.set_family(known)
    found = list(_find(self, prop, fontext, *args, **options))
    if _Fonts.wide:
        found += [file for file in _Fonts.needed if file not in found]
    return found


def _is_told(record: logging.LogRecord) -> bool:
    """Drops what matplotlib says of families that are not installed."""
    return not str(record.msg).startswith(
        ("findfont: Font family", "findfont: Generic family"))


def _adopt_files(manager: Any, properties: Any) -> None:
    """Pass over files of fonts that other systems have."""
    plain_add, plain_set = manager.addfont, properties.set_file

    def addfont(self: Any, path: Any) -> None:
        if _is_there(path):
            plain_add(self, path)

    def set_file(self: Any, file: Any) -> None:
        plain_set(self, file if file and _is_there(file) else None)

    manager.addfont, properties.set_file = addfont, set_file


def _adopt_manager(module: Any) -> None:
    global _find, _Properties
    _Fonts.manager, _Properties = module.fontManager, module.FontProperties
    # Change the class, because an instance is saved with its attributes.
    manager = type(module.fontManager)
    _find = manager._find_fonts_by_props
    manager._find_fonts_by_props = find_and_widen
    _adopt_files(manager, _Properties)
    logging.getLogger("matplotlib.font_manager").addFilter(_is_told)


def _adopt_text(module: Any) -> None:
    """Look at each text that is going to be drawn."""
    plain = module.Text.set_text
    plain_wrapped = module.Text._get_wrapped_text

    def set_text(self: Any, s: Any) -> None:
        plain(self, s)
        need(self._text)

    def wrapped(self: Any) -> str:
        text = plain_wrapped(self)
        shown = seen(text)
        if shown is not text:
            need(shown)
        return shown

    set_text.__doc__ = plain.__doc__
    module.Text.set_text, module.Text._get_wrapped_text = set_text, wrapped
    if not _which("latex"):
        module.Text.get_usetex = _no_latex


def _no_latex(_text: Any) -> bool:
    """Text.get_usetex(): matplotlib's own mathtext draws formulas."""
    return False


def _adopt_text_path(module: Any) -> None:
    plain = module.TextToPath.get_text_path

    def get_text_path(self: Any, prop: Any, s: str,
                      *args: Any, **options: Any) -> Any:
        need(s)
        return plain(self, prop, s, *args, **options)

    module.TextToPath.get_text_path = get_text_path


def _adopt_mathtext(module: Any) -> None:
    """Draw words between formulas with the fonts that have them."""
    fonts = sys.modules["matplotlib.font_manager"]

    def widen(cls: Any) -> None:
        plain = cls.__dict__["_get_glyph"]

        def get_glyph(self: Any, name: str, font_class: str, sym: str) -> Any:
            code = ord(sym) if len(sym) == 1 else 0
            file = _Fonts.chosen.get(code)
            if file is None or _has(_Fonts.places[0], code):
                return plain(self, name, font_class, sym)
            return fonts.get_font(file), code, False

        cls._get_glyph = get_glyph

    for cls in (module.UnicodeFonts, module.DejaVuFonts, module.BakomaFonts):
        widen(cls)


adopt("matplotlib.font_manager", _adopt_manager)
adopt("matplotlib.text", _adopt_text)
adopt("matplotlib.textpath", _adopt_text_path)
adopt("matplotlib._mathtext", _adopt_mathtext)
