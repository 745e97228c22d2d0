"""haversine - distances on a sphere between points (latitude, longitude).

haversine(), haversine_vector() and inverse_haversine() of haversine 2.8, in
all its units.
"""

from __future__ import annotations

import enum
import math
from typing import Any

__version__ = "2.8.1"
__all__ = ["haversine", "haversine_vector", "inverse_haversine", "Unit",
           "Direction"]
_RADIUS = 6371.0088     # kilometres


class Unit(str, enum.Enum):
    KILOMETERS = "km"
    METERS = "m"
    MILES = "mi"
    NAUTICAL_MILES = "nmi"
    FEET = "ft"
    INCHES = "in"
    RADIANS = "rad"
    DEGREES = "deg"


class Direction(float, enum.Enum):
    NORTH = 0.0
    NORTHEAST = math.pi * 0.25
    EAST = math.pi * 0.5
    SOUTHEAST = math.pi * 0.75
    SOUTH = math.pi
    SOUTHWEST = math.pi * 1.25
    WEST = math.pi * 1.5
    NORTHWEST = math.pi * 1.75


_OF_KILOMETER = {
    Unit.KILOMETERS: 1.0, Unit.METERS: 1000.0, Unit.MILES: 0.621371192,
    Unit.NAUTICAL_MILES: 0.539956803, Unit.FEET: 3280.839895013,
    Unit.INCHES: 39370.078740158, Unit.RADIANS: 1 / _RADIUS,
    Unit.DEGREES: math.degrees(1 / _RADIUS)}


def _radius(unit: Any) -> float:
    return _RADIUS * _OF_KILOMETER[Unit(unit)]


def _placed(point: Any, normalize: bool, check: bool) -> tuple[float, float]:
    lat, lng = point
    if normalize:
        lat = (lat + 90) % 360 - 90
        if lat > 90:
            lat, lng = 180 - lat, lng + 180
        lng = (lng + 180) % 360 - 180
    elif check:
        for name, value, most in (("Latitude", lat, 90),
                                  ("Longitude", lng, 180)):
            if abs(value) > most:
                raise ValueError(f"{name} {value} is out of range "
                                 f"[-{most}, {most}]")
    return math.radians(lat), math.radians(lng)


def haversine(point1: Any, point2: Any, unit: Any = Unit.KILOMETERS,
              normalize: bool = False, check: bool = True) -> float:
    lat1, lng1 = _placed(point1, normalize, check)
    lat2, lng2 = _placed(point2, normalize, check)
    half = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * \
        math.cos(lat2) * math.sin((lng2 - lng1) / 2) ** 2
    return 2 * _radius(unit) * math.asin(math.sqrt(half))


def haversine_vector(array1: Any, array2: Any, unit: Any = Unit.KILOMETERS,
                     comb: bool = False, normalize: bool = False,
                     check: bool = True) -> Any:
    """The distances of pairs; with COMB from each of ARRAY2 to each of
    ARRAY1."""
    import numpy

    def rows(points: Any) -> Any:
        found = numpy.asarray(points, float)
        return found[None] if found.ndim == 1 else found

    first, second = rows(array1), rows(array2)
    if comb:
        return numpy.array([[haversine(a, b, unit, normalize, check)
                             for a in first] for b in second])
    if first.shape != second.shape:
        raise IndexError("When not in combination mode, arrays must be of "
                         "same size. If mode is required, use comb=True as "
                         "argument.")
    return numpy.array([haversine(a, b, unit, normalize, check)
                        for a, b in zip(first, second)])


def inverse_haversine(point: Any, distance: float, direction: Any,
                      unit: Any = Unit.KILOMETERS, normalize_output:
                      bool = False) -> tuple[float, float]:
    """The point DISTANCE away in DIRECTION, radians from the north."""
    lat, lng = _placed(point, False, True)
    way, turn = distance / _radius(unit), float(direction)
    there = math.asin(math.sin(lat) * math.cos(way) + math.cos(lat) *
                      math.sin(way) * math.cos(turn))
    beside = lng + math.atan2(
        math.sin(turn) * math.sin(way) * math.cos(lat),
        math.cos(way) - math.sin(lat) * math.sin(there))
    found = math.degrees(there), math.degrees(beside)
    return (found[0], (found[1] + 180) % 360 - 180) if normalize_output \
        else found
