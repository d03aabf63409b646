"""Latitude and longitude to a plane in kilometres: Albers' equal-area conic, x to the east, y to the south.

Equal areas, so that a day's march is as long in the mountains as in the marshes; parallels 49.5 and 54.5 N keep
lengths within half a percent over the whole map. A sphere is enough for a map of this scale.
"""

from __future__ import annotations

from math import cos, radians, sin, sqrt

Point = tuple[float, float]
EARTH_KM = 6371.0
MIDDLE_LAT, MIDDLE_LON = radians(52.0), radians(22.4)
SOUTH, NORTH = radians(49.5), radians(54.5)
CONE = (sin(SOUTH) + sin(NORTH)) / 2
TERM = cos(SOUTH) ** 2 + 2 * CONE * sin(SOUTH)


def _radius(lat: float) -> float:
    return EARTH_KM * sqrt(TERM - 2 * CONE * sin(lat)) / CONE


def project(lat: float, lon: float) -> Point:
    """Degrees to kilometres east and south of 52 N, 22.4 E."""
    turn = CONE * (radians(lon) - MIDDLE_LON)
    far = _radius(radians(lat))
    return far * sin(turn), far * cos(turn) - _radius(MIDDLE_LAT)
