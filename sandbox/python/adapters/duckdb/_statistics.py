"""The numbers of aggregates, each from the rows of a group."""

from __future__ import annotations

import math
from collections import Counter
from functools import reduce
from typing import Any, Callable


def moments(rows: list) -> tuple[int, float, float]:
    """Count, mean and sum of squares, as they are updated row by row."""
    count, mean, squares = 0, 0.0, 0.0
    for row in rows:
        count += 1
        delta = row[0] - mean
        mean += delta / count
        squares += delta * (row[0] - mean)
    return count, mean, squares


def variance(less: int) -> Callable[[list], Any]:
    def finish(rows: list) -> Any:
        count, _, squares = moments(rows)
        return squares / (count - less) if count > less else None
    return finish


def deviation(less: int) -> Callable[[list], Any]:
    square = variance(less)

    def finish(rows: list) -> Any:
        made = square(rows)
        return None if made is None else math.sqrt(made)
    return finish


def _together(rows: list) -> tuple[int, float, float, float]:
    """Count, means of both columns, and the sum of their products."""
    count, mean_y, mean_x, product = 0, 0.0, 0.0, 0.0
    for y, x in rows:
        count += 1
        delta = x - mean_x
        mean_x += delta / count
        delta_y = y - mean_y
        mean_y += delta_y / count
        product += delta * (y - mean_y)
    return count, mean_y, mean_x, product


def covariance(less: int) -> Callable[[list], Any]:
    def finish(rows: list) -> Any:
        count, _, _, product = _together(rows)
        return product / (count - less) if count > less else None
    return finish


def correlation(rows: list) -> Any:
    if not rows:
        return None
    one, other = (deviation(0)([(row[k],) for row in rows]) for k in (0, 1))
    if not one or not other:
        from ._errors import lacks
        lacks("NaN (corr() of a column without variance)")
    return covariance(0)(rows) / (one * other)


def slope(rows: list) -> Any:
    spread = variance(0)([(row[1],) for row in rows])
    return covariance(0)(rows) / spread if spread else None


def intercept(rows: list) -> Any:
    steep = slope(rows)
    if steep is None:
        return None
    count = len(rows)
    return sum(row[0] for row in rows) / count - steep * sum(
        row[1] for row in rows) / count


def r_squared(rows: list) -> Any:
    if not rows or not variance(0)([(row[1],) for row in rows]):
        return None
    if not variance(0)([(row[0],) for row in rows]):
        return 1.0
    return correlation(rows) ** 2


def _moment(rows: list, order: int) -> tuple[int, Any]:
    """How many rows, and the moment of ORDER over the spread to that power;
    None where there are not enough rows, or all are the same."""
    values = [row[0] for row in rows]
    count = len(values)
    if count < order:
        return count, None
    mean = sum(values) / count
    square = sum((one - mean) ** 2 for one in values) / count
    if square <= 0:
        return count, None
    moment = sum((one - mean) ** order for one in values) / count
    return count, moment / square ** (order / 2)


def skewness(rows: list) -> Any:
    count, third = _moment(rows, 3)
    return third and math.sqrt(count * (count - 1)) / (count - 2) * third


def kurtosis(rows: list) -> Any:
    count, fourth = _moment(rows, 4)
    if fourth is None:
        return None
    return (count - 1) / ((count - 2) * (count - 3)) * (
        (count + 1) * (fourth - 3) + 6)


def entropy(rows: list) -> float:
    count = len(rows)
    return sum(-one / count * math.log2(one / count)
               for one in Counter(row[0] for row in rows).values()) + 0.0


def geometric(rows: list) -> Any:
    if not rows:
        return None
    return math.exp(sum(math.log(row[0]) for row in rows) / len(rows))


def _at(values: list, fraction: float, smooth: bool, whole: bool) -> Any:
    if not smooth:
        return values[max(0, math.ceil(fraction * len(values)) - 1)]
    place = (len(values) - 1) * fraction
    low = math.floor(place)
    high = math.ceil(place)
    if low == high:
        return values[low]
    between = values[low] + (values[high] - values[low]) * (place - low)
    return int(between) if whole else between


def quantile(fractions: Any, smooth: bool, whole: bool) -> Any:
    import json

    def finish(rows: list) -> Any:
        values = sorted(row[0] for row in rows)
        if not values:
            return None
        if isinstance(fractions, list):
            return json.dumps([_at(values, one, smooth, whole)
                               for one in fractions])
        return _at(values, fractions, smooth, whole)
    return finish


def all_and(values: list) -> int:
    return reduce(lambda a, b: a & b, values)


def all_or(values: list) -> int:
    return reduce(lambda a, b: a | b, values)


def all_xor(values: list) -> int:
    return reduce(lambda a, b: a ^ b, values)
