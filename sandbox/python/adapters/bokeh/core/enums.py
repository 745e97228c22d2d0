"""enums - names that properties take."""

from __future__ import annotations

MarkerType = (
    "asterisk", "circle", "circle_cross", "circle_dot", "circle_x",
    "circle_y", "cross", "dash", "diamond", "diamond_cross", "diamond_dot",
    "dot", "hex", "hex_dot", "inverted_triangle", "plus", "square",
    "square_cross", "square_dot", "square_pin", "square_x", "star",
    "star_dot", "triangle", "triangle_dot", "triangle_pin", "x", "y")
LegendLocation = (
    "top_left", "top_center", "top_right", "center_left", "center_center",
    "center_right", "bottom_left", "bottom_center", "bottom_right", "top",
    "left", "center", "right", "bottom")
