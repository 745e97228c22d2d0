"""data - the numbers of a new chart."""

from __future__ import annotations

from typing import Any, Iterable, Iterator


class _Series:
    def __init__(self, name: str, values: Iterable[Any], form: str) -> None:
        self.name, self.values = name, list(values)
        self.number_format = form
        self.points: list[tuple[Any, Any]] = []

    def add_data_point(self, x: Any, y: Any,
                       number_format: str | None = None) -> None:
        if number_format is not None:
            raise NotImplementedError("number_format of one data point")
        self.points.append((x, y))


class _Data:
    def __init__(self, number_format: str = "General") -> None:
        self.number_format = number_format
        self._series: list[_Series] = []

    def __len__(self) -> int:
        return len(self._series)

    def __iter__(self) -> Iterator[_Series]:
        return iter(self._series)

    def __getitem__(self, place: int) -> _Series:
        return self._series[place]

    def add_series(self, name: str, values: Iterable[Any] = (),
                   number_format: str | None = None) -> _Series:
        series = _Series(name, values, number_format or self.number_format)
        self._series.append(series)
        return series


class _Category:
    def __init__(self, label: Any) -> None:
        self.label = label

    def add_sub_category(self, _label: Any) -> Any:
        raise NotImplementedError("categories of more than one level")


class CategoryChartData(_Data):
    """Categories, and series with a value for each."""

    def __init__(self, number_format: str = "General") -> None:
        super().__init__(number_format)
        self._categories: list[_Category] = []

    @property
    def categories(self) -> list[_Category]:
        return self._categories

    @categories.setter
    def categories(self, labels: Iterable[Any]) -> None:
        self._categories = [_Category(label) for label in labels]

    def add_category(self, label: Any) -> _Category:
        self._categories.append(_Category(label))
        return self._categories[-1]


class ChartData(CategoryChartData):
    """The older name."""


class XyChartData(_Data):
    """Series of points: add_series(name).add_data_point(x, y)."""

    def add_series(self, name: str, number_format: str | None = None
                   ) -> _Series:
        return super().add_series(name, (), number_format)


class BubbleChartData(XyChartData):
    """It has no chart here."""

    def __init__(self, *_arguments: Any) -> None:
        raise NotImplementedError("BubbleChartData: XyChartData with "
                                  "XL_CHART_TYPE.XY_SCATTER works")
