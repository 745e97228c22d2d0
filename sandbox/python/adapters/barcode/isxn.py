"""Numbers of books and journals, whose bars are those of EAN-13."""

from __future__ import annotations

from .ean import EuropeanArticleNumber13
from .errors import BarcodeError, WrongCountryCodeError

from typing import Any


def _mod11(digits: str, weights: Any) -> str:
    """The digit for a sum of weights modulo 11: X is ten."""
    rest = sum(weight * int(digit)
               for weight, digit in zip(weights, digits)) % 11
    return "X" if rest == 10 else str(rest)


class InternationalStandardBookNumber13(EuropeanArticleNumber13):
    """ISBN of 13 digits."""

    name = "ISBN-13"

    def __init__(self, isbn: str, writer: Any = None,
                 no_checksum: bool = False, guardbar: bool = False) -> None:
        isbn = isbn.replace("-", "")
        if isbn[:3] not in ("978", "979"):
            raise WrongCountryCodeError("ISBN must start with 978 or 979.")
        if isbn[:3] == "979" and isbn[3:4] not in ("1", "8"):
            raise BarcodeError("ISBN must start with 97910 or 97911.")
        self.isbn13 = isbn
        super().__init__(isbn, writer, no_checksum, guardbar)


class InternationalStandardBookNumber10(InternationalStandardBookNumber13):
    """ISBN of 10 digits; the bars are those of its 13."""

    name = "ISBN-10"
    isbn10 = ""

    def __init__(self, isbn: str, writer: Any = None) -> None:
        isbn = isbn.replace("-", "")[:9]
        super().__init__("978" + isbn, writer)
        self.isbn10 = isbn + _mod11(isbn, range(1, 10))

    def __str__(self) -> str:
        return self.isbn10


class InternationalStandardSerialNumber(EuropeanArticleNumber13):
    """ISSN of 8 digits."""

    name = "ISSN"

    def __init__(self, issn: str, writer: Any = None) -> None:
        issn = issn.replace("-", "")[:7]
        super().__init__(f"977{issn}00", writer)
        # Weights from 8 down to 2, and a digit that completes the sum.
        self.issn = issn + _mod11(issn, range(-8, -1))

    def __str__(self) -> str:
        return self.issn


ISBN13 = InternationalStandardBookNumber13
ISBN10 = InternationalStandardBookNumber10
ISSN = InternationalStandardSerialNumber
