"""sources - tables of data, and filters of their rows."""

from __future__ import annotations

import warnings
from typing import Any, Optional

import numpy as np
import pandas as pd

from .._base import BokehUserWarning, Model, length
from ._tables import CLASSES


class ColumnDataSource(CLASSES["DataSource"]):  # type: ignore[misc]
    """Columns of data by their names."""

    _table = "data={} selection_policy default_values={}"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if len(args) > 1:
            raise TypeError("ColumnDataSource() takes at most 1 positional "
                            "argument")
        data = args[0] if args else kwargs.pop("data", {})
        kwargs.pop("data", None)
        super().__init__(**kwargs)
        self.data = data

    def _checked(self, name: str, value: Any) -> Any:
        if name != "data":
            return value
        found = _Columns(_columns_of(value))
        found.check()
        return found

    @property
    def column_names(self) -> list[str]:
        return list(self.data)

    @property
    def length(self) -> int:
        return max((length(one) or 0 for one in self.data.values()),
                   default=0)

    def add(self, data: Any, name: Optional[str] = None) -> str:
        if name is None:
            at = len(self.data)
            while f"Series {at}" in self.data:
                at += 1
            name = f"Series {at}"
        self.data[name] = data
        return name

    def remove(self, name: str) -> None:
        if name not in self.data:
            warnings.warn(f"Unable to find column '{name}' in data source",
                          BokehUserWarning, stacklevel=2)
        self.data.pop(name, None)

    def to_df(self) -> pd.DataFrame:
        return pd.DataFrame(dict(self.data))

    @classmethod
    def from_df(cls, data: pd.DataFrame) -> dict[str, Any]:
        return _of_frame(data)

    @classmethod
    def from_groupby(cls, data: Any) -> dict[str, Any]:
        return _of_groups(data)

    def stream(self, new_data: Any, rollover: Optional[int] = None) -> None:
        new = {key: list(value) for key, value in
               _columns_of(new_data).items()}
        if set(new) != set(self.data):
            raise ValueError(
                "Must stream updates to all existing columns (missing: "
                f"{', '.join(sorted(set(self.data) - set(new)))})")
        joined = {key: list(self.data[key]) + value
                  for key, value in new.items()}
        # All at once: columns of two lengths would be told of.
        self.data.update({key: value[-rollover:] if rollover else value
                          for key, value in joined.items()})

    def patch(self, patches: dict[str, Any]) -> None:
        for name, changes in patches.items():
            values = list(self.data[name])
            for at, value in changes:
                values[at] = value
            self.data[name] = values


class _Columns(dict):  # type: ignore[type-arg]
    """Columns, which ought to be of one length."""

    def check(self) -> None:
        sizes = {name: length(value) for name, value in self.items()}
        if len(set(sizes.values())) > 1:
            shown = ", ".join(str(pair) for pair in sorted(sizes.items()))
            warnings.warn("ColumnDataSource's columns must be of the same "
                          f"length. Current lengths: {shown}",
                          BokehUserWarning, stacklevel=6)

    def __setitem__(self, name: Any, value: Any) -> None:
        super().__setitem__(name, value)
        self.check()


def _columns_of(data: Any) -> dict[str, Any]:
    if data is None:
        return {}
    if isinstance(data, pd.DataFrame):
        return _of_frame(data)
    if isinstance(data, pd.core.groupby.GroupBy):
        return _of_groups(data)
    if not isinstance(data, dict):
        raise ValueError("expected a dict or pandas.DataFrame, got "
                         f"{data!r}")
    return {str(name): value for name, value in data.items()}


def _flat(names: Any) -> list[str]:
    return ["_".join(str(one) for one in name) if isinstance(name, tuple)
            else str(name) for name in names]


def _of_frame(frame: pd.DataFrame) -> dict[str, Any]:
    """Columns of a table, with its index."""
    frame = frame.copy(deep=False)
    frame.columns = _flat(frame.columns)
    index = frame.index
    if isinstance(index, pd.MultiIndex):
        name = "_".join(str(one) for one in index.names) \
            if all(index.names) else "index"
        values = index.to_flat_index().to_numpy()
    else:
        name = index.name or ("index" if "index" not in frame.columns
                              else "level_0")
        values = index.to_numpy()
    return {str(name): values,
            **{one: frame[one].to_numpy() for one in frame.columns}}


def _of_groups(groups: Any) -> dict[str, Any]:
    return _of_frame(groups.describe())


class GeoJSONDataSource:
    def __init__(self, *_args: Any, **_options: Any) -> None:
        raise NotImplementedError("GeoJSONDataSource is not here: give "
                                  "patches() lists of coordinates")


def kept(view: Any, source: Any) -> Any:
    """The rows of SOURCE that VIEW shows, as true and false."""
    rows = source.length
    if view is None or view.filter is None:
        return np.ones(rows, dtype=bool)
    return _mask(view.filter, source, rows)


def _mask(one: Any, source: Any, rows: int) -> Any:
    kind = type(one).__name__
    if kind == "AllIndices" or one is None:
        return np.ones(rows, dtype=bool)
    if kind == "BooleanFilter":
        return np.ones(rows, dtype=bool) if one.booleans is None else \
            np.asarray(one.booleans, dtype=bool)
    if kind == "IndexFilter":
        found = np.zeros(rows, dtype=bool)
        found[np.asarray(one.indices, dtype=int)] = True
        return found
    if kind == "GroupFilter":
        return np.array([str(value) == str(one.group) for value in
                         source.data[one.column_name]])
    if kind == "InversionFilter":
        return ~_mask(one.operand, source, rows)
    if kind in ("IntersectionFilter", "UnionFilter"):
        masks = [_mask(each, source, rows) for each in one.operands]
        join = np.logical_and if kind[0] == "I" else np.logical_or
        return join.reduce(masks)
    raise NotImplementedError(f"{kind} is not here")


def _both(kind: str) -> Any:
    def join(self: Any, other: Any) -> Any:
        return CLASSES[kind](operands=[self, other])
    return join


_FILTER = CLASSES["Filter"]
_FILTER.__and__ = _both("IntersectionFilter")
_FILTER.__or__ = _both("UnionFilter")
_FILTER.__invert__ = lambda self: CLASSES["InversionFilter"](operand=self)


def _positional(kind: str, *names: str) -> None:
    """Values that a class takes without their names."""
    cls = CLASSES[kind]
    plain = Model.__init__

    def start(self: Any, *args: Any, **kwargs: Any) -> None:
        if len(args) > len(names):
            raise TypeError(f"{kind}.__init__() takes from 1 to "
                            f"{len(names) + 1} positional arguments but "
                            f"{len(args) + 1} were given")
        kwargs.update(zip(names, args))
        plain(self, **kwargs)

    cls.__init__ = start


for _row in ("Range1d start end", "BooleanFilter booleans",
             "IndexFilter indices"):
    _positional(*_row.split())
