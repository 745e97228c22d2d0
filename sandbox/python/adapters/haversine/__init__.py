"""haversine - distances of points on the earth, along great circles.

`haversine`, `haversine_vector`, `inverse_haversine`,
`inverse_haversine_vector`, `Unit` and `Direction` of haversine 2.9. Points
are pairs of latitude and longitude in degrees; the earth is a sphere of
6371.0088 km.
"""

from __future__ import annotations

import math
from enum import Enum
from math import pi
from typing import Any

__version__ = "2.9.0"
__all__ = ["Direction", "Unit", "haversine", "haversine_vector",
           "inverse_haversine", "inverse_haversine_vector"]

_RADIUS = 6371.0088         # km


class Unit(str, Enum):
    """What a distance is given in."""

    KILOMETERS = "km"
    METERS = "m"
    MILES = "mi"
    NAUTICAL_MILES = "nmi"
    FEET = "ft"
    INCHES = "in"
    RADIANS = "rad"
    DEGREES = "deg"


class Direction(float, Enum):
    """Bearings, in radians from north by east."""

    NORTH = 0.0
    NORTHEAST = pi * 0.25
    EAST = pi * 0.5
    SOUTHEAST = pi * 0.75
    SOUTH = pi
    SOUTHWEST = pi * 1.25
    WEST = pi * 1.5
    NORTHWEST = pi * 1.75


_IN_ONE_KM = {
    Unit.KILOMETERS: 1.0, Unit.METERS: 1000.0, Unit.MILES: 0.621371192,
    Unit.NAUTICAL_MILES: 0.539956803, Unit.FEET: 3280.839895013,
    Unit.INCHES: 39370.078740158, Unit.RADIANS: 1 / _RADIUS,
    Unit.DEGREES: 1 / _RADIUS * (180.0 / pi),
}


def _radius(unit: Any) -> float:
    """The earth's radius in UNIT; KeyError for another word."""
    return _RADIUS * _IN_ONE_KM[unit]


def _normal(lat: float, lon: float) -> tuple[float, float]:
    """The same point with a latitude to 90 and a longitude to 180."""
    lat = (lat + 90) % 360 - 90
    if lat > 90:
        lat, lon = 180 - lat, lon + 180
    return lat, (lon + 180) % 360 - 180


def _check(lat: float, lon: float) -> None:
    if lat < -90 or lat > 90:
        raise ValueError(f"Latitude {lat} is out of range [-90, 90]")
    if lon < -180 or lon > 180:
        raise ValueError(f"Longitude {lon} is out of range [-180, 180]")


def haversine(point1: Any, point2: Any, unit: Any = Unit.KILOMETERS,
              normalize: bool = False, check: bool = True) -> float:
    """The distance from POINT1 to POINT2."""
    (lat1, lon1), (lat2, lon2) = point1, point2
    if normalize:
        lat1, lon1 = _normal(lat1, lon1)
        lat2, lon2 = _normal(lat2, lon2)
    elif check:
        _check(lat1, lon1)
        _check(lat2, lon2)
    phi1, phi2 = math.radians(lat1), math.radians(lat2)
    across = math.radians(lon2) - math.radians(lon1)
    half = (math.sin((phi2 - phi1) * 0.5) ** 2
            + math.cos(phi1) * math.cos(phi2) * math.sin(across * 0.5) ** 2)
    return _radius(unit) * (2 * math.asin(math.sqrt(half)))


def _columns(points: Any, normalize: bool, check: bool) -> tuple[Any, Any]:
    """Latitudes and longitudes of POINTS."""
    import numpy as np

    rows = np.atleast_2d(np.asarray(points))
    lat, lon = rows[:, 0], rows[:, 1]
    if normalize and len(rows):
        pairs = [_normal(float(one), float(two))
                 for one, two in zip(lat, lon)]
        lat, lon = np.array(pairs).T
    elif check and len(rows):
        if np.abs(lat).max() > 90:
            raise ValueError("Latitude(s) out of range [-90, 90]")
        if np.abs(lon).max() > 180:
            raise ValueError("Longitude(s) out of range [-180, 180]")
    return lat, lon


def haversine_vector(array1: Any, array2: Any, unit: Any = Unit.KILOMETERS,
                     comb: bool = False, normalize: bool = False,
                     check: bool = True) -> Any:
    """Distances of points in pairs, or of each to each with COMB."""
    import numpy as np

    one = np.atleast_2d(np.asarray(array1))
    two = np.atleast_2d(np.asarray(array2))
    if not comb and one.shape != two.shape:
        raise IndexError("Without comb=True both arrays need the same shape: "
                         f"{one.shape} and {two.shape}")
    lat1, lon1 = map(np.radians, _columns(one, normalize, check))
    lat2, lon2 = map(np.radians, _columns(two, normalize, check))
    if comb:                # a row for each point of array2
        lat2, lon2 = lat2[:, None], lon2[:, None]
    half = (np.sin((lat2 - lat1) * 0.5) ** 2
            + np.cos(lat1) * np.cos(lat2) * np.sin((lon2 - lon1) * 0.5) ** 2)
    return _radius(unit) * (2 * np.arcsin(np.sqrt(half)))


def inverse_haversine(point: Any, distance: float, direction: Any,
                      unit: Any = Unit.KILOMETERS) -> tuple[float, float]:
    """The point at DISTANCE from POINT, in DIRECTION (radians)."""
    lat, lon = map(math.radians, point)
    arc, bearing = distance / _radius(unit), float(direction)
    end = math.asin(math.cos(arc) * math.sin(lat)
                    + math.sin(arc) * math.cos(lat) * math.cos(bearing))
    turn = math.atan2(math.sin(bearing) * math.sin(arc) * math.cos(lat),
                      math.cos(arc) - math.sin(lat) * math.sin(end))
    return math.degrees(end), math.degrees(lon + turn)


def inverse_haversine_vector(array: Any, distance: Any, direction: Any,
                             unit: Any = Unit.KILOMETERS) -> Any:
    """The same for many points: arrays of latitudes and of longitudes."""
    import numpy as np

    points = np.atleast_2d(np.asarray(array))
    if points.ndim != 2 or points.shape[1] != 2 or not (
            len(points) == len(distance) == len(direction)):
        raise IndexError("Arrays must be of same size.")
    ends = [inverse_haversine(*row, unit)
            for row in zip(points, distance, direction)]
    lat, lon = np.array(ends).reshape(-1, 2).T
    return lat, lon
