"""Codes of letters and digits: Code 39 and Code 128."""

from __future__ import annotations

from .base import Barcode
from .errors import IllegalCharacterError

from typing import Any

_SMALL = {"module_width": 0.2, "quiet_zone": 2.54}

# Code 39: which of the 9 bars and gaps of a character are wide. Two bars are,
# by the column, and one gap, by the row; four signs have three wide gaps.
_CHARS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%"
_COLUMNS = "08 28 02 48 04 24 68 06 26 46".split()
_ROWS = {"3": "1234567890", "5": "ABCDEFGHIJ", "7": "KLMNOPQRST",
         "1": "UVWXYZ-. *"}
_WIDE = {char: bars + gap for gap, chars in _ROWS.items()
         for char, bars in zip(chars, _COLUMNS)}
_WIDE |= {"$": "135", "/": "137", "+": "157", "%": "357"}

# Code 128: the widths of the 6 bars and gaps of each number.
_WIDTHS = """
212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312
231212 112232 122132 122231 113222 123122 123221 223211 221132 221231 213212
223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 232121
111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331
132131 113123 113321 133121 313121 211331 231131 213113 213311 213131 311123
311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 121124
121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114
413111 241112 134111 111242 121142 121241 114212 124112 124211 411212 421112
421211 212141 214121 412121 111143 111341 131141 114113 114311 411113 411311
113141 114131 311141 411131 211412 211214 211232""".split()
_STOP = "2331112"
_A = "".join(map(chr, [*range(32, 96), *range(32)]))
_B = "".join(map(chr, range(32, 128)))
_START = {"A": 103, "B": 104, "C": 105}
_TO = {"A": 101, "B": 100, "C": 99}


def _modules(widths: str) -> str:
    """Bars and gaps of these WIDTHS in turn."""
    return "".join("10"[place % 2] * int(width)
                   for place, width in enumerate(widths))


def check_code(code: str, name: str, allowed: str) -> None:
    wrong = [char for char in code if char not in allowed]
    if wrong:
        raise IllegalCharacterError("The following characters are not valid "
                                    f"for {name}: {', '.join(wrong)}")


class Code39(Barcode):
    """Capitals, digits and 7 signs; a character of check by default."""

    name = "Code 39"
    own_options = _SMALL

    def __init__(self, code: str, writer: Any = None,
                 add_checksum: bool = True) -> None:
        self.code = code.upper()
        check_code(self.code, self.name, _CHARS)
        if add_checksum:
            self.code += self.calculate_checksum()
        self.writer = writer or self.default_writer()

    def __str__(self) -> str:
        return self.code

    def get_fullcode(self) -> str:
        return self.code

    def calculate_checksum(self) -> str:
        return _CHARS[sum(map(_CHARS.index, self.code)) % 43]

    def build(self) -> list[str]:
        # A star is at both ends.
        wide = [_WIDE[char] for char in f"*{self.code}*"]
        return ["0".join(
            _modules("".join("3" if str(place) in one else "1"
                             for place in range(9))) for one in wide)]


class Code128(Barcode):
    """All of ASCII; runs of digits are in pairs."""

    name = "Code 128"
    own_options = _SMALL

    def __init__(self, code: str, writer: Any = None) -> None:
        check_code(code, self.name, _A + _B)
        self.code = code
        self.writer = writer or self.default_writer()

    def __str__(self) -> str:
        return self.code

    def get_fullcode(self) -> str:
        return self.code

    def _set_for(self, at: int, now: str) -> str:
        """The set of characters for the one AT, after the set NOW."""
        char, ahead = self.code[at], self.code[at:at + 4]
        if now != "C" and len(ahead) == 4 and ahead.isdigit():
            return "C"
        if now == "C":
            if char.isdigit():
                return "C"
            return "B" if char in _B else "A"
        other = "A" if now == "B" else "B"
        return now if char in (_B if now == "B" else _A) else other

    @property
    def encoded(self) -> list[int]:
        """The numbers of the code, without that of check."""
        numbers, now, at = [_START["B"]], "B", 0
        while at < len(self.code):
            kind = self._set_for(at, now)
            pair = self.code[at:at + 2]
            if kind == "C" and not (len(pair) == 2 and pair.isdigit()):
                # A digit is left over: it belongs to what comes after.
                after = pair[1:]
                kind = "B" if not after or after in _B else "A"
            if kind != now:
                numbers.append(_TO[kind])
                now = kind
            numbers.append(int(pair) if now == "C" else
                           (_A if now == "A" else _B).index(pair[0]))
            at += 2 if now == "C" else 1
        # A code that changes at once starts with the other set.
        for kind, number in _TO.items():
            if numbers[1:2] == [number] and len(numbers) > 2:
                numbers[:2] = [_START[kind]]
                break
        return numbers

    def build(self) -> list[str]:
        numbers = self.encoded
        check = sum(number * max(place, 1)
                    for place, number in enumerate(numbers)) % 103
        return ["".join(_modules(_WIDTHS[number])
                        for number in [*numbers, check]) + _modules(_STOP)]
