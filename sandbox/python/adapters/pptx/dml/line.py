"""line - the outline of a shape, or a connector."""

from __future__ import annotations

from typing import Any, Callable

from ..enum.dml import MSO_LINE
from ..util import Emu, Length
from .color import ColorFormat
from .fill import FillFormat


class LineFormat:
    """An a:ln, which is made when something of it is asked for."""

    def __init__(self, holder: Callable[[], Any]) -> None:
        self._properties = holder

    @property
    def _line(self) -> Any:
        return self._properties().get_or_put("a:ln")

    def _get_or_add_ln(self) -> Any:
        return self._line

    _ln = _line

    @property
    def fill(self) -> FillFormat:
        return FillFormat(self._line)

    @property
    def color(self) -> ColorFormat:
        fill = self.fill
        fill.solid()
        return fill.fore_color

    @property
    def width(self) -> Length:
        line = self._properties().first("a:ln")
        return Emu(0 if line is None else int(line.get("w", "0")))

    @width.setter
    def width(self, value: int | None) -> None:
        self._line.set("w", str(int(value or 0)))

    @property
    def dash_style(self) -> Any:
        line = self._properties().first("a:ln")
        dash = None if line is None else line.first("a:prstDash")
        return None if dash is None else MSO_LINE.from_xml(dash.get("val"))

    @dash_style.setter
    def dash_style(self, value: Any) -> None:
        line = self._line
        line.drop("a:prstDash", "a:custDash")
        if value is not None:
            line.get_or_put("a:prstDash").set("val", MSO_LINE.to_xml(value))
