"""_whole - whole numbers beside squares and cones, by branch and bound."""

from __future__ import annotations

import heapq
import itertools
from typing import Any

import numpy as np

from . import _cones, _linear, settings
from ._linear import Data, Found
from .error import SolverError

_NODES = 5000
_NEAR = 1e-5


def solve(data: Data, verbose: bool = False) -> Found:
    if not data.whole.any():
        return _cones.solve(data, verbose)
    if data.is_linear():
        return _linear.solve(data, verbose)
    return _branched(data)


def _objective(data: Data, x: np.ndarray) -> float:
    return float(x @ (data.P @ x) / 2 + data.q @ x)


def _branched(data: Data) -> Found:
    """The node of the lowest bound comes first."""
    numbers = itertools.count()
    root = data.copy(whole=np.zeros(len(data.q), bool),
                     low=_tight(data, data.low, np.ceil),
                     high=_tight(data, data.high, np.floor))
    first = _cones.solve(root)
    if not first.is_found():
        return first
    best, least = Found(settings.INFEASIBLE), np.inf
    heap: list[Any] = [(_objective(data, first.x), next(numbers), root,
                        first)]
    while heap:
        bound, count, node, found = heapq.heappop(heap)
        if bound >= least - 1e-8 * max(1, abs(least)):
            break
        if count > _NODES:
            raise SolverError("too many combinations of whole numbers for "
                              "the branch and bound of this adapter")
        for part in _children(data, node, found):
            answer = _cones.solve(part)
            if not answer.is_found():
                continue
            value = _objective(data, answer.x)
            if (part.low == part.high)[data.whole].all():
                if value < least:
                    best, least = answer, value
                if value <= bound + 1e-7 * max(1, abs(bound)):
                    break  # nothing in this node is lower
            elif value < least:
                heapq.heappush(heap, (value, next(numbers), part, answer))
    if best.is_found():
        best.x = _linear.rounded(best.x, data.whole)
        best.z = best.y = best.duals = None
    return best


def _tight(data: Data, ends: np.ndarray, round_to: Any) -> np.ndarray:
    return np.where(data.whole, round_to(ends), ends)


def _children(data: Data, node: Data, found: Found) -> list[Data]:
    """Two halves, and the nearest whole point if it is near."""
    x = found.x
    apart = np.where(data.whole, abs(x - np.round(x)), 0)
    place = int(apart.argmax())
    if apart[place] > _NEAR:
        low, high = node.low.copy(), node.high.copy()
        low[place], high[place] = np.ceil(x[place]), np.floor(x[place])
        return [node.copy(high=high), node.copy(low=low)]
    free = data.whole & (node.low != node.high)
    nearest = np.clip(np.round(x), node.low, node.high)
    whole = node.copy(low=np.where(data.whole, nearest, node.low),
                      high=np.where(data.whole, nearest, node.high))
    return [whole] + _around(node, nearest, np.flatnonzero(free))


def _around(node: Data, nearest: np.ndarray,
            places: np.ndarray) -> list[Data]:
    """NODE without the point: a part below and above it, place by place."""
    parts = []
    low, high = node.low.copy(), node.high.copy()
    for place in places:
        if low[place] <= nearest[place] - 1:
            less = high.copy()
            less[place] = nearest[place] - 1
            parts.append(node.copy(low=low.copy(), high=less))
        if high[place] >= nearest[place] + 1:
            more = low.copy()
            more[place] = nearest[place] + 1
            parts.append(node.copy(low=more, high=high.copy()))
        low[place] = high[place] = nearest[place]
    return parts
