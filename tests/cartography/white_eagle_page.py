"""From the plane to the page of White Eagle Defiant: tenths of a millimetre on A1 landscape, y downwards."""

from __future__ import annotations

from collections.abc import Iterable

import shapely

from tests.cartography.plane import Point

WIDTH, HEIGHT = 8410, 5940
LEFT, TOP = 106, 106
UNITS_PER_KM = 8
WEST, EAST, NORTH, SOUTH = -412, 380, -338, 378
"""The frame of the map in the plane, in kilometres; y runs to the south."""
RIGHT, BOTTOM = LEFT + (EAST - WEST) * UNITS_PER_KM, TOP + (SOUTH - NORTH) * UNITS_PER_KM
BEYOND = 13
"""Kilometres that land and rivers run on behind the frame."""
FRAME = shapely.box(WEST - BEYOND, NORTH - BEYOND, EAST + BEYOND, SOUTH + BEYOND)
Units = tuple[int, int]


def units(point: Point) -> Units:
    """A point of the plane in whole units of the page."""
    return round(LEFT + (point[0] - WEST) * UNITS_PER_KM), round(TOP + (point[1] - NORTH) * UNITS_PER_KM)


def line(points: Iterable[Point]) -> list[int]:
    """Points in whole units, one number after the other, without doubles."""
    found: list[Units] = []
    for point in points:
        at = units((point[0], point[1]))
        if not found or found[-1] != at:
            found.append(at)
    return [value for at in found for value in at]
