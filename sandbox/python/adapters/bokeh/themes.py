"""themes - looks of all plots."""

from __future__ import annotations

from typing import Any, Optional

from .models import _NAMES as M

__all__ = ["Theme", "built_in_themes"]
_INK, _DARK = "#e0e0e0", "#20262b"


def _dark(ground: str, ink: str, grid: Optional[str] = None) -> Any:
    return {
        "figure": {"background_fill_color": ground, "border_fill_color":
                   ground, "outline_line_color": ink,
                   "outline_line_alpha": 0.25},
        "Grid": {"grid_line_color": grid or ink, "grid_line_alpha": 0.25},
        "Axis": {"major_tick_line_alpha": 0, "major_tick_line_color": ink,
                 "minor_tick_line_color": None, "axis_line_alpha": 0,
                 "axis_line_color": ink, "major_label_text_color": ink,
                 "axis_label_text_color": ink,
                 "axis_label_text_font_style": "normal"},
        "Legend": {"background_fill_color": ground,
                   "background_fill_alpha": 0.25, "border_line_alpha": 0,
                   "label_text_color": ink},
        "ColorBar": {"title_text_color": ink, "major_label_text_color": ink,
                     "background_fill_color": ground},
        "Title": {"text_color": ink, "text_font_size": "18px"},
    }


_LIGHT = {
    "Axis": {"major_tick_line_alpha": 0, "minor_tick_line_color": None,
             "axis_line_alpha": 0, "axis_label_text_font_style": "normal"},
    "Legend": {"border_line_alpha": 0, "background_fill_alpha": 0.25},
    "Title": {"text_font_size": "18px"},
}
_BUILT: dict[str, Any] = {
    "light_minimal": _LIGHT, "caliber": _LIGHT,
    "dark_minimal": _dark(_DARK, _INK), "night_sky": _dark("#2C001e", "white"),
    "contrast": _dark("#000000", "white"),
}
_plain: dict[str, Any] = {}


class Theme:
    """Defaults of properties by classes."""

    def __init__(self, filename: Any = None, json: Any = None) -> None:
        if filename is not None:
            import yaml
            with open(filename, encoding="utf-8") as stream:
                json = yaml.safe_load(stream)
        if json is None:
            raise ValueError("Theme requires json or a filename to construct")
        self.json = json


built_in_themes = {name: Theme(json={"attrs": attrs})
                   for name, attrs in _BUILT.items()}


def _below(cls: Any) -> list[Any]:
    return [cls] + [one for sub in cls.__subclasses__()
                    for one in _below(sub)]


def use(theme: Any) -> None:
    """Make a theme's values the defaults."""
    for cls, props in _plain.items():
        cls._props = props  # type: ignore[attr-defined]
    _plain.clear()
    if theme is None:
        return
    if isinstance(theme, str):
        if theme not in built_in_themes:
            raise ValueError(f"'{theme}' is not a built-in theme; one of "
                             f"{', '.join(built_in_themes)}")
        theme = built_in_themes[theme]
    for name, values in theme.json.get("attrs", {}).items():
        top = M["Plot"] if name in ("figure", "Figure", "Plot") \
            else M.get(name)
        if top is None:
            raise ValueError(f"the theme's {name} is no model")
        for cls in _below(top):
            _plain.setdefault(cls, cls._props)
            cls._props = {**cls._props, **values}
