"""Errors of barcodes."""

from __future__ import annotations


class BarcodeError(Exception):
    """Of any barcode."""

    def __init__(self, msg: str) -> None:
        super().__init__(msg)
        self.msg = msg

    def __str__(self) -> str:
        return self.msg


class IllegalCharacterError(BarcodeError):
    """A character that the kind of barcode does not have."""


class BarcodeNotFoundError(BarcodeError):
    """A kind of barcode that there is not."""


class NumberOfDigitsError(BarcodeError):
    """Too few digits, or too many."""


class WrongCountryCodeError(BarcodeError):
    """A start of the number that the kind of barcode does not have."""
