"""_base - enumerations: a number, and what the XML has for it."""

from __future__ import annotations

import enum
from typing import Any


class BaseEnum(int, enum.Enum):
    """A number with a name, and perhaps a word of the XML."""

    def __new__(cls, number: int, word: str | None = None) -> Any:
        self = int.__new__(cls, number)
        self._value_ = number
        self.xml_value = word
        return self

    def __str__(self) -> str:
        return f"{self.name} ({self.value})"

    @classmethod
    def from_xml(cls, word: str | None) -> Any:
        for one in cls:
            if word is not None and one.xml_value == word:
                return one
        raise ValueError(f"{cls.__name__} has no XML mapping for {word!r}")

    @classmethod
    def to_xml(cls, value: Any) -> str:
        word = cls(value).xml_value
        if not word:
            raise ValueError(f"{cls.__name__}.{cls(value).name} has no XML "
                             "representation")
        return word
