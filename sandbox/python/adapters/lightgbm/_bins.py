"""bins - the values of features as small numbers.

A numeric feature has bins of about equal count, zero has one of its own, and
missing values have the last. A categorical feature has a bin for each of its
most frequent categories.
"""

from __future__ import annotations

from typing import Any

import numpy as np

MISSING = 255               # the bin of missing values
_ZERO = 1e-35
_CATEGORIES = 254


def _middle(values: Any, at: int) -> float:
    return (values[at] + values[at + 1]) / 2


def _edges(values: Any, counts: Any, most: int, least: int) -> list[float]:
    """Upper bounds of at most MOST bins of sorted VALUES; the last has none."""
    if not len(values) or most < 2:
        return []
    if len(values) <= most:
        return _few(values, counts, least)
    total, found = int(counts.sum()), []
    most = max(1, min(most, total // max(least, 1)))
    mean = total / most
    big = counts >= mean
    rest_bins = most - int(big.sum())
    rest = int(counts[~big].sum())
    mean = rest / max(rest_bins, 1)
    held = 0
    for at in range(len(values) - 1):
        if not big[at]:
            rest -= counts[at]
        held += counts[at]
        if big[at] or held >= mean or \
                big[at + 1] and held >= max(1.0, mean * 0.5):
            found.append(_middle(values, at))
            if len(found) >= most - 1:
                break
            held = 0
            if not big[at]:
                rest_bins -= 1
                mean = rest / max(rest_bins, 1)
    return found


def _few(values: Any, counts: Any, least: int) -> list[float]:
    found, held = [], 0
    for at in range(len(values) - 1):
        held += counts[at]
        if held >= least:
            found.append(_middle(values, at))
            held = 0
    return found


def _numeric(values: Any, most: int, least: int) -> Any:
    """Upper bounds of the bins of VALUES, which are not missing."""
    distinct, counts = np.unique(values, return_counts=True)
    below, above = distinct < -_ZERO, distinct > _ZERO
    zero = int(counts[~below & ~above].sum())
    edges: list[float] = []
    others = max(int(counts.sum()) - zero, 1)
    if below.any():
        share = int(counts[below].sum() / others * (most - 1))
        edges += _edges(distinct[below], counts[below], max(share, 1), least)
        edges.append(-_ZERO)
    if above.any():
        left = most - 1 - len(edges)
        more = _edges(distinct[above], counts[above], left, least)
        edges += [_ZERO, *more] if left > 0 else []
    return np.array(edges[:most - 1])


class Bins:
    """How each feature is made small numbers."""

    def __init__(self, data: Any, categorical: Any, most: int, least: int,
                 ) -> None:
        self.categorical = np.zeros(data.shape[1], dtype=bool)
        self.categorical[list(categorical)] = True
        self.missing = np.isnan(data).any(axis=0)
        self.edges = [self._learn(data[:, at], at, most, least)
                      for at in range(data.shape[1])]
        self.counts = np.array(
            [len(edges) + (not self.categorical[at])
             for at, edges in enumerate(self.edges)], dtype=np.uint32)
        for at in np.flatnonzero(self.categorical):
            self.missing[at] = True  # of categories that were not seen
            self.counts[at] = max(self.counts[at], 1)

    def _learn(self, values: Any, at: int, most: int, least: int) -> Any:
        values = values[~np.isnan(values)]
        if self.categorical[at]:
            distinct, counts = np.unique(values[values >= 0].astype(int),
                                         return_counts=True)
            kept = np.argsort(-counts, kind="stable")[:min(most, _CATEGORIES)]
            return np.sort(distinct[kept]).astype(float)
        return _numeric(values, most - bool(self.missing[at]), least)

    def useful(self) -> int:
        """How many features have more than one value."""
        return int(((self.counts + self.missing) > 1).sum())

    def total(self) -> int:
        return int((self.counts + (self.missing & ~self.categorical)).sum())

    def apply(self, data: Any) -> Any:
        found = np.empty(data.shape, dtype=np.uint8, order="F")
        for at, edges in enumerate(self.edges):
            values = data[:, at]
            if self.categorical[at]:
                found[:, at] = _category(values, edges)
                continue
            none = np.isnan(values)
            if none.any():
                values = np.where(none, 0.0, values)
            found[:, at] = np.searchsorted(edges, values, side="left")
            if self.missing[at]:
                found[none, at] = MISSING
        return found


def _category(values: Any, known: Any) -> Any:
    if not len(known):
        return MISSING
    whole = np.where(np.isnan(values), -1, values).astype(int).astype(float)
    place = np.minimum(np.searchsorted(known, whole), len(known) - 1)
    return np.where(known[place] == whole, place, MISSING)
