"""graphfrm - the frames of tables and of charts."""

from __future__ import annotations

from typing import Any

from ..enum.shapes import MSO_SHAPE_TYPE
from ..oxml import qn
from ..table import Table
from .base import BaseShape

_DATA = "a:graphic/a:graphicData/"


class GraphicFrame(BaseShape):
    """A table or a chart on a slide."""

    has_table = property(lambda self: bool(self._element.xpath(
        _DATA + "a:tbl")))
    has_chart = property(lambda self: bool(self._element.xpath(
        _DATA + "c:chart")))

    def _kind(self) -> Any:
        if self.has_table:
            return MSO_SHAPE_TYPE.TABLE
        if self.has_chart:
            return MSO_SHAPE_TYPE.CHART
        if "diagram" in self._element.xpath("a:graphic/a:graphicData/@uri")[0]:
            return MSO_SHAPE_TYPE.IGX_GRAPHIC
        return MSO_SHAPE_TYPE.EMBEDDED_OLE_OBJECT

    @property
    def table(self) -> Table:
        if not self.has_table:
            raise ValueError("shape does not contain a table")
        return Table(self._element.xpath(_DATA + "a:tbl")[0], self)

    @property
    def chart(self) -> Any:
        if not self.has_chart:
            raise ValueError("shape does not contain a chart")
        from ..chart.chart import Chart
        name = self._element.xpath(_DATA + "c:chart")[0].get(qn("r:id"))
        return Chart(self.part.rels[name].target_part)
