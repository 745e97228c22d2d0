"""shapes - the kinds of shapes and of placeholders."""

from ._base import BaseEnum

# name, number, the XML's word, what shapes are called
_TABLE = """
RECTANGLE 1 rect Rectangle
PARALLELOGRAM 2 parallelogram Parallelogram
TRAPEZOID 3 trapezoid Trapezoid
DIAMOND 4 diamond Diamond
ROUNDED_RECTANGLE 5 roundRect Rounded_Rectangle
OCTAGON 6 octagon Octagon
ISOSCELES_TRIANGLE 7 triangle Isosceles_Triangle
RIGHT_TRIANGLE 8 rtTriangle Right_Triangle
OVAL 9 ellipse Oval
HEXAGON 10 hexagon Hexagon
CROSS 11 plus Cross
REGULAR_PENTAGON 12 pentagon Regular_Pentagon
CAN 13 can Can
CUBE 14 cube Cube
BEVEL 15 bevel Bevel
FOLDED_CORNER 16 foldedCorner Folded_Corner
SMILEY_FACE 17 smileyFace Smiley_Face
DONUT 18 donut Donut
NO_SYMBOL 19 noSmoking "No"_symbol
BLOCK_ARC 20 blockArc Block_Arc
HEART 21 heart Heart
LIGHTNING_BOLT 22 lightningBolt Lightning_Bolt
SUN 23 sun Sun
MOON 24 moon Moon
ARC 25 arc Arc
PLAQUE 28 plaque Plaque
LEFT_BRACKET 29 leftBracket Left_Bracket
RIGHT_BRACKET 30 rightBracket Right_Bracket
LEFT_BRACE 31 leftBrace Left_Brace
RIGHT_BRACE 32 rightBrace Right_Brace
RIGHT_ARROW 33 rightArrow Right_Arrow
LEFT_ARROW 34 leftArrow Left_Arrow
UP_ARROW 35 upArrow Up_Arrow
DOWN_ARROW 36 downArrow Down_Arrow
LEFT_RIGHT_ARROW 37 leftRightArrow Left-Right_Arrow
UP_DOWN_ARROW 38 upDownArrow Up-Down_Arrow
BENT_ARROW 41 bentArrow Bent_Arrow
U_TURN_ARROW 42 uturnArrow U-Turn_Arrow
PENTAGON 51 homePlate Pentagon
CHEVRON 52 chevron Chevron
FLOWCHART_PROCESS 61 flowChartProcess Process
FLOWCHART_ALTERNATE_PROCESS 62 flowChartAlternateProcess Alternate_process
FLOWCHART_DECISION 63 flowChartDecision Decision
FLOWCHART_DATA 64 flowChartInputOutput Data
FLOWCHART_DOCUMENT 67 flowChartDocument Document
FLOWCHART_TERMINATOR 69 flowChartTerminator Terminator
FLOWCHART_CONNECTOR 73 flowChartConnector Connector
EXPLOSION1 89 irregularSeal1 Explosion
EXPLOSION2 90 irregularSeal2 Explosion
STAR_4_POINT 91 star4 4-Point_Star
STAR_5_POINT 92 star5 5-Point_Star
STAR_8_POINT 93 star8 8-Point_Star
RECTANGULAR_CALLOUT 105 wedgeRectCallout Rectangular_Callout
ROUNDED_RECTANGULAR_CALLOUT 106 wedgeRoundRectCallout \
Rounded_Rectangular_Callout
OVAL_CALLOUT 107 wedgeEllipseCallout Oval_Callout
CLOUD_CALLOUT 108 cloudCallout Cloud_Callout
PIE 142 pie Pie
STAR_6_POINT 147 star6 6-Point_Star
ROUND_1_RECTANGLE 151 round1Rect Round_Single_Corner_Rectangle
ROUND_2_SAME_RECTANGLE 152 round2SameRect Round_Same_Side_Corner_Rectangle
SNIP_1_RECTANGLE 155 snip1Rect Snip_Single_Corner_Rectangle
CLOUD 179 cloud Cloud
"""
_rows = [line.split() for line in _TABLE.split("\n") if line]
MSO_AUTO_SHAPE_TYPE = BaseEnum(
    "MSO_AUTO_SHAPE_TYPE",
    {name: (int(number), word) for name, number, word, _called in _rows},
    module=__name__)
CALLED = {word: called.replace("_", " ").replace('"', "&quot;")
          for _name, _number, word, called in _rows}


class MSO_SHAPE_TYPE(BaseEnum):
    AUTO_SHAPE = 1
    CALLOUT = 2
    CANVAS = 20
    CHART = 3
    COMMENT = 4
    DIAGRAM = 21
    EMBEDDED_OLE_OBJECT = 7
    FORM_CONTROL = 8
    FREEFORM = 5
    GROUP = 6
    IGX_GRAPHIC = 24
    INK = 22
    INK_COMMENT = 23
    LINE = 9
    LINKED_OLE_OBJECT = 10
    LINKED_PICTURE = 11
    MEDIA = 16
    OLE_CONTROL_OBJECT = 12
    PICTURE = 13
    PLACEHOLDER = 14
    SCRIPT_ANCHOR = 18
    TABLE = 19
    TEXT_BOX = 17
    TEXT_EFFECT = 15
    WEB_VIDEO = 26
    MIXED = -2


class PP_PLACEHOLDER_TYPE(BaseEnum):
    BITMAP = 9, "clipArt"
    BODY = 2, "body"
    CENTER_TITLE = 3, "ctrTitle"
    CHART = 8, "chart"
    DATE = 16, "dt"
    FOOTER = 15, "ftr"
    HEADER = 14, "hdr"
    MEDIA_CLIP = 10, "media"
    OBJECT = 7, "obj"
    ORG_CHART = 11, "dgm"
    PICTURE = 18, "pic"
    SLIDE_IMAGE = 101, "sldImg"
    SLIDE_NUMBER = 13, "sldNum"
    SUBTITLE = 4, "subTitle"
    TABLE = 12, "tbl"
    TITLE = 1, "title"
    VERTICAL_BODY = 6, ""
    VERTICAL_OBJECT = 17, ""
    VERTICAL_TITLE = 5, ""
    MIXED = -2, ""


class MSO_CONNECTOR_TYPE(BaseEnum):
    CURVE = 3, "curvedConnector3"
    ELBOW = 2, "bentConnector3"
    STRAIGHT = 1, "line"
    MIXED = -2, ""


MSO_SHAPE = MSO_AUTO_SHAPE_TYPE
MSO = MSO_SHAPE_TYPE
PP_PLACEHOLDER = PP_PLACEHOLDER_TYPE
MSO_CONNECTOR = MSO_CONNECTOR_TYPE
