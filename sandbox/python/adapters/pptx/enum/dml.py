"""dml - the names of colours, fills and lines."""

from ._base import BaseEnum


class MSO_THEME_COLOR_INDEX(BaseEnum):
    NOT_THEME_COLOR = 0, ""
    ACCENT_1 = 5, "accent1"
    ACCENT_2 = 6, "accent2"
    ACCENT_3 = 7, "accent3"
    ACCENT_4 = 8, "accent4"
    ACCENT_5 = 9, "accent5"
    ACCENT_6 = 10, "accent6"
    BACKGROUND_1 = 14, "bg1"
    BACKGROUND_2 = 16, "bg2"
    DARK_1 = 1, "dk1"
    DARK_2 = 3, "dk2"
    FOLLOWED_HYPERLINK = 12, "folHlink"
    HYPERLINK = 11, "hlink"
    LIGHT_1 = 2, "lt1"
    LIGHT_2 = 4, "lt2"
    TEXT_1 = 13, "tx1"
    TEXT_2 = 15, "tx2"
    MIXED = -2, ""


class MSO_COLOR_TYPE(BaseEnum):
    RGB = 1
    SCHEME = 2
    HSL = 101
    PRESET = 102
    SCRGB = 103
    SYSTEM = 104


class MSO_FILL_TYPE(BaseEnum):
    BACKGROUND = 5
    GRADIENT = 3
    GROUP = 101
    PATTERNED = 2
    PICTURE = 6
    SOLID = 1
    TEXTURED = 4


class MSO_LINE_DASH_STYLE(BaseEnum):
    DASH = 4, "dash"
    DASH_DOT = 5, "dashDot"
    DASH_DOT_DOT = 6, "lgDashDotDot"
    LONG_DASH = 7, "lgDash"
    LONG_DASH_DOT = 8, "lgDashDot"
    ROUND_DOT = 3, "sysDot"
    SOLID = 1, "solid"
    SQUARE_DOT = 2, "sysDash"
    DASH_STYLE_MIXED = -2, ""


MSO_THEME_COLOR = MSO_THEME_COLOR_INDEX
MSO_FILL = MSO_FILL_TYPE
MSO_LINE = MSO_LINE_DASH_STYLE
