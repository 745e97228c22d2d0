"""fpdf.enums - the enumerations of fpdf that the adapter knows."""

from __future__ import annotations

from enum import Enum, IntEnum, IntFlag
from typing import Any


def _coerced(kind: Any, value: Any) -> Any:
    """A member of an enumeration by itself, its value or its name."""
    if isinstance(value, kind):
        return value
    if isinstance(value, (str, int)):
        try:
            return kind(value)
        except ValueError:
            pass
    if isinstance(value, str):
        for name in (value.upper(), value.upper().replace(" ", "_")):
            if name in kind.__members__:
                return kind[name]
        raise ValueError(f"{value} is not a valid {kind.__name__}")
    raise TypeError(f"{value} cannot be converted to a {kind.__name__}")


class _Coercive(Enum):
    @classmethod
    def coerce(cls, value: Any) -> Any:
        return _coerced(cls, value)


class _Upper(_Coercive):
    @classmethod
    def coerce(cls, value: Any) -> Any:
        return _coerced(cls, value.upper() if isinstance(value, str)
                        else value)


class XPos(_Upper):
    LEFT = "LEFT"
    RIGHT = "RIGHT"
    START = "START"
    END = "END"
    WCONT = "WCONT"
    CENTER = "CENTER"
    LMARGIN = "LMARGIN"
    RMARGIN = "RMARGIN"


class YPos(_Upper):
    TOP = "TOP"
    LAST = "LAST"
    NEXT = "NEXT"
    TMARGIN = "TMARGIN"
    BMARGIN = "BMARGIN"


class Align(_Upper):
    C = "CENTER"
    X = "X_CENTER"
    L = "LEFT"
    R = "RIGHT"
    J = "JUSTIFY"

    @classmethod
    def coerce(cls, value: Any) -> Any:
        return cls.L if value == "" else super().coerce(value)


class VAlign(_Upper):
    M = "MIDDLE"
    T = "TOP"
    B = "BOTTOM"


class WrapMode(_Upper):
    WORD = "WORD"
    CHAR = "CHAR"


class RenderStyle(_Coercive):
    D = "DRAW"
    F = "FILL"
    DF = "DRAW_FILL"

    @classmethod
    def coerce(cls, value: Any) -> Any:
        if not value:
            return cls.D
        return cls.DF if value == "FD" else super().coerce(value)


class TableBordersLayout(_Upper):
    ALL = "ALL"
    NONE = "NONE"
    INTERNAL = "INTERNAL"
    MINIMAL = "MINIMAL"
    HORIZONTAL_LINES = "HORIZONTAL_LINES"
    NO_HORIZONTAL_LINES = "NO_HORIZONTAL_LINES"
    SINGLE_TOP_LINE = "SINGLE_TOP_LINE"


class TableCellFillMode(_Upper):
    NONE = "NONE"
    ALL = "ALL"
    ROWS = "ROWS"
    COLUMNS = "COLUMNS"
    EVEN_ROWS = "EVEN_ROWS"
    EVEN_COLUMNS = "EVEN_COLUMNS"

    def should_fill_cell(self, i: int, j: int) -> bool:
        return {"ALL": True, "ROWS": bool(i % 2), "COLUMNS": bool(j % 2),
                "EVEN_ROWS": not i % 2, "EVEN_COLUMNS": not j % 2,
                }.get(self.value, False)


class TableHeadingsDisplay(IntEnum):
    NONE = 0
    ON_TOP_OF_EVERY_PAGE = 1

    @classmethod
    def coerce(cls, value: Any) -> Any:
        return _coerced(cls, value)


class MethodReturnValue(IntFlag):
    PAGE_BREAK = 1
    LINES = 2
    HEIGHT = 4

    @classmethod
    def coerce(cls, value: Any) -> Any:
        return _coerced(cls, value)


class TextEmphasis(IntFlag):
    NONE = 0
    B = 1
    I = 2  # noqa: E741
    U = 4
    S = 8

    @property
    def style(self) -> str:
        return "".join(name for name in "BIUS" if self & type(self)[name])

    @classmethod
    def coerce(cls, value: Any) -> Any:
        if not value:
            return cls.NONE
        if isinstance(value, str):
            long = {"BOLD": "B", "ITALICS": "I", "ITALIC": "I",
                    "UNDERLINE": "U", "STRIKETHROUGH": "S", "NONE": ""}
            letters = long.get(value.upper(), value.upper())
            if set(letters) - set("BIUS"):
                raise ValueError(f"{value} is not a valid TextEmphasis")
            return cls(sum(cls[letter] for letter in set(letters)))
        return _coerced(cls, value)


class AccessPermission(IntFlag):
    PRINT_LOW_RES = 4
    MODIFY = 8
    COPY = 16
    ANNOTATION = 32


class PageOrientation(_Upper):
    PORTRAIT = "P"
    LANDSCAPE = "L"


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    raise NotImplementedError(f"fpdf.enums.{name} is not in this fpdf")
