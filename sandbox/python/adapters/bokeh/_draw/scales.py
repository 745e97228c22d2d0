"""scales - values of data as places on an axis."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pandas as pd

_EPOCH = datetime.datetime(1970, 1, 1)


def moment(value: Any) -> float:
    """A date or a time as milliseconds."""
    if isinstance(value, pd.Period):
        value = value.to_timestamp()
    if isinstance(value, (datetime.timedelta, np.timedelta64)):
        return float(pd.Timedelta(value) / pd.Timedelta(1, "ms"))
    if isinstance(value, datetime.time):
        return (value.hour * 3600 + value.minute * 60 + value.second) * 1e3 + \
            value.microsecond / 1e3
    stamp = pd.Timestamp(value)
    if stamp is pd.NaT:
        return float("nan")
    if stamp.tzinfo is not None:
        stamp = stamp.tz_localize(None)
    return float((stamp - pd.Timestamp(_EPOCH)) / pd.Timedelta(1, "ms"))


_TIMES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64,
          np.timedelta64, pd.Timestamp, pd.Period)


def numbers(values: Any) -> Any:
    """VALUES as numbers; nothing is a gap."""
    found = np.asarray(values)
    if found.dtype.kind in "iufb":
        return found.astype(float)
    if found.dtype.kind == "M":
        ms = found.astype("datetime64[ns]").astype("int64") / 1e6
        return np.where(np.isnat(found), np.nan, ms)
    if found.dtype.kind == "m":
        return found.astype("timedelta64[ns]").astype("int64") / 1e6
    return np.array([number(one) for one in values], dtype=float)


def number(value: Any) -> float:
    if value is None or value is pd.NaT or value is pd.NA:
        return float("nan")
    return moment(value) if isinstance(value, _TIMES) else float(value)


class Scale:
    """A range: the ends of an axis, and places on it."""

    def __init__(self, given: Any, kind: str) -> None:
        self.given, self.kind = given, kind
        self.factors = type(given).__name__ == "FactorRange"
        self.least, self.most = np.inf, -np.inf
        self.places: dict[Any, float] = {}
        if self.factors:
            self._lay()

    # -- names

    def _lay(self) -> None:
        """The place of each name, of each group and of each within it."""
        given = self.given
        pads = {1: given.factor_padding, 2: given.group_padding,
                3: given.group_padding}
        at, before = 0.0, None
        self.spans: dict[Any, list[float]] = {}
        for one in given.factors:
            parts = one if isinstance(one, tuple) else (one,)
            if before is not None:
                if parts[0] != before[0] or len(parts) == 1:
                    at += pads[len(parts)]
                elif len(parts) == 3 and parts[1] != before[1]:
                    at += given.subgroup_padding
            self.places[one if len(parts) > 1 else parts[0]] = at + 0.5
            for depth in range(1, len(parts)):
                span = self.spans.setdefault(parts[:depth], [at, at + 1])
                span[1] = at + 1
            at, before = at + 1, parts
        self.length = at
        self.levels = 0 if before is None else len(before)
        for parts, span in self.spans.items():
            middle = sum(span) / 2
            self.places.setdefault(parts if len(parts) > 1 else parts[0],
                                   middle)

    def _place(self, value: Any) -> float:
        if isinstance(value, (list, np.ndarray)):
            value = tuple(value)
        if isinstance(value, tuple) and value and not isinstance(
                value[-1], str):
            head = value[:-1] if len(value) > 2 else value[0]
            return self._place(head) + float(value[-1])
        if isinstance(value, tuple) and len(value) == 1:
            value = value[0]
        if isinstance(value, (int, float, np.number)):
            return float(value)
        return self.places.get(value, float("nan"))

    def map(self, values: Any) -> Any:
        if self.factors:
            return np.array([self._place(one) for one in values], dtype=float)
        return numbers(values)

    def of(self, value: Any) -> float:
        return self._place(value) if self.factors else number(value)

    # -- ends

    def learn(self, values: Any) -> None:
        found = np.asarray(values, dtype=float)
        found = found[np.isfinite(found)]
        if self.kind == "log":
            found = found[found > 0]
        if len(found):
            self.least = min(self.least, float(found.min()))
            self.most = max(self.most, float(found.max()))

    def ends(self) -> tuple[float, float]:
        given = self.given
        if self.factors:
            return self._factor_ends()
        if type(given).__name__ == "Range1d":
            return number(given.start), number(given.end)
        low, high = self._auto()
        low = low if given.start is None else number(given.start)
        high = high if given.end is None else number(given.end)
        return (high, low) if given.flipped else (low, high)

    def _factor_ends(self) -> tuple[float, float]:
        given, pad = self.given, float(self.given.range_padding or 0)
        more = self.length * pad / 2 if \
            given.range_padding_units == "percent" else pad
        low = 0.0 - more if given.start is None else float(given.start)
        high = self.length + more if given.end is None else float(given.end)
        return low, high if high > low else low + 1

    def _auto(self) -> tuple[float, float]:
        """The ends of the data, with room at both."""
        low, high, given = self.least, self.most, self.given
        log = self.kind == "log"
        if not np.isfinite(low):
            return (0.1, 10.0) if log else (0.0, 1.0)
        pad = given.range_padding
        if log:
            logs = np.log10([low, high])
            half = (logs[1] - logs[0] or 1) * (1 + pad) / 2
            middle = logs.mean()
            return 10 ** (middle - half), 10 ** (middle + half)
        if high == low:
            half = given.default_span / 2
        elif given.range_padding_units == "percent":
            half = (high - low) * (1 + pad) / 2
        else:
            half = (high - low) / 2 + pad
        return (low + high) / 2 - half, (low + high) / 2 + half
