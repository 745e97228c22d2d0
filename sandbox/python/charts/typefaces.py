"""typefaces - a font for programs that name a file of another system.

Programs name arial.ttf, or C:/Windows/Fonts/msyh.ttc. A missing file is
replaced by an installed font of the same kind, in PIL and reportlab, and the
answer's warnings say so.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .channels import warn
from .job import Now

import functools
import os
import re
from typing import Any, Optional

_FOLDER = "/usr/share/fonts/truetype/"
# Kinds of names, the best first, and the files that replace them.
_WIDE = ("wqy/wqy-microhei.ttc", "wqy/wqy-zenhei.ttc",
         "droid/DroidSansFallbackFull.ttf")
_KINDS = (
    (r"simhei|simsun|simkai|simfang|fangsong|msyh|yahei|cjk|pingfang|stheiti|"
     r"songti|heiti|hei\b|wqy|gothic|meiryo|mincho|msjh|malgun|nanum|batang|"
     r"hiragino|yugo|kaiti|deng|uming|ukai|sourcehan|arialuni", _WIDE),
    (r"mono|courier|\bcour|consola|menlo|monaco",
     ("dejavu/DejaVuSansMono.ttf",)),
    (r"times|georgia|garamond|palatino|cambria|book|(?<!sans)serif",
     ("dejavu/DejaVuSerif.ttf",)),
    (r"", ("dejavu/DejaVuSans.ttf",)),
)
_BOLD = re.compile(r"bold|bd\b|black|heavy|[a-z]b\b|-b\b", re.I)
_FONT = re.compile(r"[^\0]*\.(ttf|ttc|otf)$", re.I)
_exists = os.path.exists


def replacement(name: Any) -> Optional[str]:
    """The file for a font's file that is not there, or None."""
    if not isinstance(name, (str, os.PathLike)):
        return None
    path = os.fspath(name)
    if not isinstance(path, str) or not path or _exists(path):
        return None
    plain = re.split(r"[/\\]", path)[-1]
    if "." in plain and not _FONT.match(plain):
        return None
    stem = plain.partition(".")[0]
    for pattern, files in _KINDS:
        found = [_FOLDER + file for file in files if _exists(_FOLDER + file)]
        if found and re.search(pattern, stem, re.I):
            bold = found[0].replace(".ttf", "-Bold.ttf")
            chosen = bold if _BOLD.search(stem) and _exists(bold) else \
                found[0]
            warn(f"The font {plain[:80]} is not installed; {chosen} is used.")
            Now.job.missed.pop(path, None)  # this warning tells it
            return chosen
    return None


def _change_pil(module: Any) -> None:
    old = module.truetype

    @functools.wraps(old)
    def truetype(font: Any = None, *args: Any, **options: Any) -> Any:
        try:
            return old(font, *args, **options)
        except OSError:
            other = replacement(font)
            if other is None:
                raise
        return old(other, *args, **options)

    module.truetype = truetype


def _change_reportlab(module: Any) -> None:
    old, refusal = module.TTFOpenFile, module.TTFError

    @functools.wraps(old)
    def TTFOpenFile(fn: Any) -> Any:
        try:
            found = old(fn)
            Now.job.missed.pop(fn, None)  # it is in a folder of fonts
            return found
        except refusal:
            other = replacement(fn)
            if other is None:
                raise
        return old(other)

    module.TTFOpenFile = TTFOpenFile


when_imported({"PIL.ImageFont": _change_pil,
               "reportlab.pdfbase.ttfonts": _change_reportlab})
