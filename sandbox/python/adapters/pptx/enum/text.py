"""text - how texts stand."""

from ._base import BaseEnum


class PP_PARAGRAPH_ALIGNMENT(BaseEnum):
    CENTER = 2, "ctr"
    DISTRIBUTE = 5, "dist"
    JUSTIFY = 4, "just"
    JUSTIFY_LOW = 7, "justLow"
    LEFT = 1, "l"
    RIGHT = 3, "r"
    THAI_DISTRIBUTE = 6, "thaiDist"
    MIXED = -2, ""


class MSO_VERTICAL_ANCHOR(BaseEnum):
    TOP = 1, "t"
    MIDDLE = 3, "ctr"
    BOTTOM = 4, "b"
    MIXED = -2, ""


class MSO_AUTO_SIZE(BaseEnum):
    NONE = 0
    SHAPE_TO_FIT_TEXT = 1
    TEXT_TO_FIT_SHAPE = 2
    MIXED = -2


class MSO_TEXT_UNDERLINE_TYPE(BaseEnum):
    NONE = 0, "none"
    WORDS = 17, "words"
    SINGLE_LINE = 2, "sng"
    DOUBLE_LINE = 3, "dbl"
    HEAVY_LINE = 4, "heavy"
    DOTTED_LINE = 5, "dotted"
    DASH_LINE = 7, "dash"
    WAVY_LINE = 13, "wavy"
    MIXED = -2, ""


PP_ALIGN = PP_PARAGRAPH_ALIGNMENT
MSO_ANCHOR = MSO_VERTICAL_ANCHOR
MSO_UNDERLINE = MSO_TEXT_UNDERLINE_TYPE
