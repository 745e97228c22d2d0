"""_dynamic - groups that are windows of time: group_by_dynamic, rolling."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _spans as spans
from . import _types as t
from ._eval import aggregated, unique_names
from ._expr import exprs_of
from ._group import Aggregates, key_of
from ._groups import Groups
from ._series import Series
from ._times import local, to_utc
from .exceptions import InvalidOperationError

_WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
         "sunday")


class _Index:
    """The column of times (or whole numbers), as clocks at its place."""

    def __init__(self, series: Any) -> None:
        self.series, self.kind = series, series.dtype
        self.whole = series.dtype.is_integer()
        if not self.whole and not isinstance(series.dtype, (t.Date,
                                                            t.Datetime)):
            raise InvalidOperationError("expected Date, Datetime or integer "
                                        f"type, got: {series.dtype.text()}")
        self.values = series._v.astype("i8") if self.whole else \
            local(series.dtype, series._v)

    def floor(self, values: Any, span: Any) -> Any:
        if self.whole:
            return values - values % span.nanos
        return spans.floor(values, span)

    def plus(self, values: Any, span: Any) -> Any:
        return values + span.nanos if self.whole else spans.plus(values, span)

    def column(self, values: Any, name: str) -> Any:
        zone = getattr(self.kind, "time_zone", None)
        if zone:
            values = to_utc(values, zone)
        return Series._of(name, self.kind, values.astype(self.kind.numpy))


def _inside(index: Any, low: Any, high: Any, closed: str) -> Any:
    """The first row of each window, and the one after its last."""
    sides = {"left": ("left", "left"), "right": ("right", "right"),
             "both": ("left", "right"), "none": ("right", "left")}
    if closed not in sides:
        raise ValueError("`closed` must be one of {'left', 'right', 'both', "
                         f"'none'}}, got {closed!r}")
    first, last = sides[closed]
    return (np.searchsorted(index, low, first),  # type: ignore[call-overload]
            np.searchsorted(index, high, last))  # type: ignore[call-overload]


def _agg(frame: Any, wanted: Any, rows: list[Any], names: Any) -> list[Any]:
    """The aggregates of groups that may share rows."""
    every = np.concatenate(rows) if rows else np.zeros(0, "i8")
    sizes = np.array([len(one) for one in rows], "i8")
    groups = Groups(np.repeat(np.arange(len(rows)), sizes), len(rows))
    columns = {name: one._take(every) for name, one in frame._columns.items()}
    return aggregated(wanted, columns, groups, names)


class _Windows(Aggregates):
    def _parts(self, frame: Any, group_by: Any) -> tuple[list[Any], Any]:
        """The rows of each group, and the groups' heads."""
        keys = frame._selected(exprs_of(group_by)) \
            if group_by is not None else []
        groups = Groups.by(keys, frame.height)
        if not frame.height:
            return [], [one.clear() for one in keys]
        rows = groups.rows()
        first = groups.order[groups.starts]
        return rows, [one._take(first) for one in keys]


class DynamicGroupBy(_Windows):
    """Windows that begin each EVERY, and last for PERIOD."""

    def __init__(self, frame: Any, index_column: Any, every: Any,
                 period: Any, offset: Any, boundaries: bool, closed: str,
                 label: str, group_by: Any, start_by: str) -> None:
        if start_by not in ("window", "datapoint", *_WEEK):
            raise ValueError(f"`start_by` got {start_by!r}")
        if label not in ("left", "right", "datapoint"):
            raise ValueError("`label` must be one of {'left', 'right', "
                             f"'datapoint'}}, got {label!r}")
        self._frame, self._index = frame, _Index(key_of(frame, index_column)
                                                 if group_by is None else
                                                 frame._selected(exprs_of(
                                                     index_column))[0])
        self._every = spans.span_of(every)
        self._period = spans.span_of(period) if period else self._every
        self._offset = spans.span_of(offset) if offset else None
        self._boundaries, self._closed = boundaries, closed
        self._label, self._by, self._start = label, group_by, start_by

    def _starts(self, values: Any) -> Any:
        """The beginnings of all windows that could hold one of VALUES."""
        index, every = self._index, self._every
        first, end = values[:1], values[-1]
        if self._start == "window":
            first = index.floor(first, every)
        elif self._start in _WEEK:
            day = spans.Span(0, _WEEK.index(self._start), 0)
            week = spans.Span(0, 7, 0, True)
            first = index.plus(index.floor(first, week), day)
            if first[0] > values[0]:
                first = index.plus(first, week.times(-1))
        if self._offset:
            first = index.plus(first, self._offset)
            while first[0] > values[0]:
                first = index.plus(first, every.times(-1))
        while self._start == "window" and \
                index.plus(index.plus(first, every.times(-1)),
                           self._period)[0] >= values[0]:
            first = index.plus(first, every.times(-1))
        found = [first]
        while found[-1][0] <= end:
            found.append(index.plus(first, every.times(len(found))))
        return np.concatenate(found)

    def agg(self, *aggs: Any, **named_aggs: Any) -> Any:
        wanted = exprs_of(*aggs, **named_aggs)
        parts, heads = self._parts(self._frame, self._by)
        rows: list[Any] = []
        lows, of = [], []
        for at, part in enumerate(parts):
            values = self._index.values[part]
            low = self._starts(values)
            start, stop = _inside(values, low, self._index.plus(
                low, self._period), self._closed)
            for one in np.flatnonzero(stop > start):
                rows.append(part[start[one]:stop[one]])
                lows.append(low[one:one + 1])
                of.append(at)
        low = np.concatenate(lows) if lows else self._index.values[:0]
        columns = [one._take(np.array(of, "i8")) for one in heads]
        columns += self._edges(low, rows)
        names = {one.name for one in columns}
        columns += _agg(self._frame, wanted, rows, names)
        unique_names([one.name for one in columns])
        return self._frame._of(columns)

    def _edges(self, low: Any, rows: list[Any]) -> list[Any]:
        index = self._index
        high = index.plus(low, self._period)
        shown = {"left": low, "right": high}.get(self._label)
        if shown is None:
            firsts = np.array([one[0] for one in rows], "i8")
            shown = index.values[firsts]
        found = [index.column(low, "_lower_boundary"),
                 index.column(high, "_upper_boundary")] \
            if self._boundaries else []
        return [*found, index.column(shown, index.series.name)]


class Rolling(_Windows):
    """For each row, a window of PERIOD before it."""

    def __init__(self, frame: Any, index_column: Any, period: Any,
                 offset: Any, closed: str, group_by: Any) -> None:
        self._frame, self._by, self._closed = frame, group_by, closed
        self._index = _Index(frame._selected(exprs_of(index_column))[0])
        self._period = spans.span_of(period)
        self._offset = spans.span_of(offset) if offset else \
            self._period.times(-1)

    def agg(self, *aggs: Any, **named_aggs: Any) -> Any:
        wanted = exprs_of(*aggs, **named_aggs)
        parts, heads = self._parts(self._frame, self._by)
        index = self._index
        rows: list[Any] = []
        of, order = [], []
        for at, part in enumerate(parts):
            values = index.values[part]
            low = index.plus(values, self._offset)
            start, stop = _inside(values, low, index.plus(low, self._period),
                                  self._closed)
            rows += [part[a:b] for a, b in zip(start, stop)]
            of += [at] * len(part)
            order.append(part)
        every = np.concatenate(order) if order else np.zeros(0, "i8")
        columns = [one._take(np.array(of, "i8")) for one in heads]
        columns.append(index.series._take(every))
        names = {one.name for one in columns}
        columns += _agg(self._frame, wanted, rows, names)
        unique_names([one.name for one in columns])
        return self._frame._of(columns)


