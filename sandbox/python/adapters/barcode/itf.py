"""Interleaved 2 of 5: pairs of digits, one in bars and one in gaps."""

from __future__ import annotations

from .base import Barcode
from .errors import IllegalCharacterError

from typing import Any, Optional

_DIGITS = ("nnwwn", "wnnnw", "nwnnw", "wwnnn", "nnwnw",
           "wnwnn", "nwwnn", "nnnww", "wnnwn", "nwnwn")


class ITF(Barcode):
    """An even count of digits; a 0 is put before an odd one."""

    name = "ITF"

    def __init__(self, code: str, writer: Any = None, narrow: int = 2,
                 wide: int = 5) -> None:
        if not code.isdigit():
            raise IllegalCharacterError("ITF code can only contain numbers.")
        self.code = code if len(code) % 2 == 0 else "0" + code
        self.writer = writer or self.default_writer()
        self.narrow, self.wide = narrow, wide

    def __str__(self) -> str:
        return self.code

    def get_fullcode(self) -> str:
        return self.code

    def build(self) -> list[str]:
        data = "nnnn"
        for bar, gap in zip(self.code[::2], self.code[1::2]):
            data += "".join(map("".join, zip(_DIGITS[int(bar)],
                                             _DIGITS[int(gap)])))
        data += "wnn"
        return ["".join("10"[place % 2] * (
            self.wide if width == "w" else self.narrow)
            for place, width in enumerate(data))]

    def render(self, writer_options: Optional[dict[str, Any]] = None,
               text: Optional[str] = None) -> Any:
        options = {"module_width": 0.2 / self.narrow, "quiet_zone": 6.4,
                   **(writer_options or {})}
        return super().render(options, text)
