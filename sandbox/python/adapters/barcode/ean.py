"""Numbers of goods: EAN-13, EAN-8, JAN and UPC-A."""

from __future__ import annotations

from .base import Barcode
from .errors import (IllegalCharacterError, NumberOfDigitsError,
                     WrongCountryCodeError)

from typing import Any, Optional

# Each digit of the left half; the right half has the opposite modules, and
# the set B has the right half's backwards.
_LEFT = ("0001101", "0011001", "0010011", "0111101", "0100011",
         "0110001", "0101111", "0111011", "0110111", "0001011")
_RIGHT = tuple(code.translate({48: "1", 49: "0"}) for code in _LEFT)
_SETS = {"A": _LEFT, "B": tuple(code[::-1] for code in _RIGHT), "C": _RIGHT}
# The sets of the left half tell the first digit.
_FIRST = ("AAAAAA", "AABABB", "AABBAB", "AABBBA", "ABAABB",
          "ABBAAB", "ABBBAA", "ABABAB", "ABABBA", "ABBABA")
_EDGE, _MIDDLE = "101", "01010"


def bars(digits: str, sets: str) -> str:
    return "".join(_SETS[kind][int(digit)]
                   for digit, kind in zip(digits, sets))


def check_digit(digits: str) -> int:
    """What makes the sum, with weights 3 and 1 from the right, end in 0."""
    odd, even = map(int, digits[::-2]), map(int, digits[-2::-2])
    return -(3 * sum(odd) + sum(even)) % 10


class EuropeanArticleNumber13(Barcode):
    """EAN-13 of 12 digits; a 13th one is computed."""

    name = "EAN-13"
    digits = 12
    own_options = {"module_width": 0.33}

    def __init__(self, ean: str, writer: Any = None,
                 no_checksum: bool = False, guardbar: bool = False) -> None:
        if guardbar:
            raise NotImplementedError(
                "barcode: guardbar=True is not in the adapter")
        whole, ean = ean, ean[:self.digits]
        if not ean.isdigit():
            raise IllegalCharacterError("EAN code can only contain numbers.")
        if len(ean) != self.digits:
            raise NumberOfDigitsError(f"EAN must have {self.digits} digits, "
                                      f"not {len(ean)}.")
        self.ean = ean
        self.ean += (whole[self.digits:self.digits + 1] or "0") \
            if no_checksum else str(self.calculate_checksum())
        self.writer = writer or self.default_writer()

    def __str__(self) -> str:
        return self.ean

    def get_fullcode(self) -> str:
        return self.ean

    def calculate_checksum(self, value: Optional[str] = None) -> int:
        return check_digit((value or self.ean)[:self.digits])

    def build(self) -> list[str]:
        return [_EDGE + bars(self.ean[1:7], _FIRST[int(self.ean[0])]) +
                _MIDDLE + bars(self.ean[7:], "CCCCCC") + _EDGE]

    def to_ascii(self) -> str:
        return self.build()[0].replace("1", "|").replace("0", " ")


class JapanArticleNumber(EuropeanArticleNumber13):
    """EAN-13 of Japan."""

    name = "JAN"

    def __init__(self, jan: str, writer: Any = None,
                 no_checksum: bool = False, guardbar: bool = False) -> None:
        number = int(jan[:3]) if jan[:3].isdigit() else 0
        if not (450 <= number <= 460 or 490 <= number <= 500):
            raise WrongCountryCodeError("Country code isn't between 450-460 "
                                        "or 490-500.")
        super().__init__(jan, writer, no_checksum, guardbar)


class EuropeanArticleNumber8(EuropeanArticleNumber13):
    """EAN-8 of 7 digits; an 8th one is computed."""

    name = "EAN-8"
    digits = 7

    def build(self) -> list[str]:
        return [_EDGE + bars(self.ean[:4], "AAAA") + _MIDDLE +
                bars(self.ean[4:], "CCCC") + _EDGE]


class UniversalProductCodeA(EuropeanArticleNumber13):
    """UPC-A of 11 digits; a 12th one is computed."""

    name = "UPC-A"
    digits = 11

    def __init__(self, upc: str, writer: Any = None,
                 make_ean: bool = False) -> None:
        self.ean_wanted = make_ean
        upc = upc[:self.digits]
        if not upc.isdigit():
            raise IllegalCharacterError("UPC code can only contain numbers.")
        if len(upc) != self.digits:
            raise NumberOfDigitsError(f"UPC must have {self.digits} digits, "
                                      f"not {len(upc)}.")
        self.upc = f"{upc}{check_digit(upc)}"
        self.writer = writer or self.default_writer()

    def __str__(self) -> str:
        return self.get_fullcode()

    def get_fullcode(self) -> str:
        return "0" + self.upc if self.ean_wanted else self.upc

    def calculate_checksum(self, value: Optional[str] = None) -> int:
        return check_digit((value or self.upc)[:self.digits])

    def build(self) -> list[str]:
        return [_EDGE + bars(self.upc[:6], "AAAAAA") + _MIDDLE +
                bars(self.upc[6:], "CCCCCC") + _EDGE]


EAN13, EAN8 = EuropeanArticleNumber13, EuropeanArticleNumber8
JAN, UPCA = JapanArticleNumber, UniversalProductCodeA
