"""chart - kinds of charts, and where their parts stand."""

from ._base import BaseEnum


class XL_CHART_TYPE(BaseEnum):
    AREA = 1
    AREA_STACKED = 76
    AREA_STACKED_100 = 77
    BAR_CLUSTERED = 57
    BAR_STACKED = 58
    BAR_STACKED_100 = 59
    BUBBLE = 15
    COLUMN_CLUSTERED = 51
    COLUMN_STACKED = 52
    COLUMN_STACKED_100 = 53
    DOUGHNUT = -4120
    DOUGHNUT_EXPLODED = 80
    LINE = 4
    LINE_MARKERS = 65
    LINE_STACKED = 63
    LINE_MARKERS_STACKED = 66
    PIE = 5
    PIE_EXPLODED = 69
    RADAR = -4151
    RADAR_FILLED = 82
    RADAR_MARKERS = 81
    THREE_D_COLUMN = -4100
    THREE_D_PIE = -4102
    XY_SCATTER = -4169
    XY_SCATTER_LINES = 74
    XY_SCATTER_LINES_NO_MARKERS = 75
    XY_SCATTER_SMOOTH = 72
    XY_SCATTER_SMOOTH_NO_MARKERS = 73


class XL_LEGEND_POSITION(BaseEnum):
    BOTTOM = -4107, "b"
    CORNER = 2, "tr"
    CUSTOM = -4161, ""
    LEFT = -4131, "l"
    RIGHT = -4152, "r"
    TOP = -4160, "t"


class XL_DATA_LABEL_POSITION(BaseEnum):
    ABOVE = 0, "t"
    BELOW = 1, "b"
    BEST_FIT = 5, "bestFit"
    CENTER = -4108, "ctr"
    INSIDE_BASE = 4, "inBase"
    INSIDE_END = 3, "inEnd"
    LEFT = -4131, "l"
    MIXED = 6, ""
    OUTSIDE_END = 2, "outEnd"
    RIGHT = -4152, "r"


class XL_TICK_LABEL_POSITION(BaseEnum):
    HIGH = -4127, "high"
    LOW = -4134, "low"
    NEXT_TO_AXIS = 4, "nextTo"
    NONE = -4142, "none"


class XL_TICK_MARK(BaseEnum):
    CROSS = 4, "cross"
    INSIDE = 2, "in"
    NONE = -4142, "none"
    OUTSIDE = 3, "out"


class XL_MARKER_STYLE(BaseEnum):
    AUTOMATIC = -4105, "auto"
    CIRCLE = 8, "circle"
    DIAMOND = 2, "diamond"
    NONE = -4142, "none"
    SQUARE = 1, "square"
    TRIANGLE = 3, "triangle"


XL_LABEL_POSITION = XL_DATA_LABEL_POSITION
