"""From the plane to the page: tenths of a millimetre on A1 landscape, y downwards.

Where many small areas crowd together the page swells a little, as if seen through a lens; lengths and neighbours in
the data files are measured in the plane, not on the page.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp

from tests.cartography.ground import EAST, NORTH, SOUTH, WEST
from tests.cartography.plane import Point, project

WIDTH, HEIGHT = 8410, 5940
LEFT, TOP = 106, 106
UNITS_PER_KM = 6.4
Units = tuple[int, int]
RIGHT, BOTTOM = round(LEFT + (EAST - WEST) * UNITS_PER_KM), round(TOP + (SOUTH - NORTH) * UNITS_PER_KM)
LENSES = (
    (project(50.45, 18.78), 0.72, 64.0),
    (project(54.52, 18.42), 0.60, 40.0),
    (project(53.32, 27.00), 0.50, 34.0),
    (project(50.15, 26.75), 0.50, 34.0),
    (project(48.85, 26.55), 0.30, 50.0),
    (project(53.45, 18.95), 0.35, 45.0),
    (project(52.75, 21.10), 0.20, 60.0),
    (project(51.02, 18.05), 0.40, 42.0),
)
"""Middle, strength and reach in km."""


def swollen(point: Point) -> Point:
    """A point of the plane moved away from the middles of the lenses near it."""
    x, y = point
    for (east, south), strength, reach in LENSES:
        dx, dy = point[0] - east, point[1] - south
        share = strength * exp(-(dx * dx + dy * dy) / (reach * reach))
        x, y = x + dx * share, y + dy * share
    return x, y


def exact(point: Point) -> Point:
    """A point of the plane on the page, not yet in whole units."""
    x, y = swollen(point)
    return LEFT + (x - WEST) * UNITS_PER_KM, TOP + (y - NORTH) * UNITS_PER_KM


def units(point: Point) -> Units:
    """A point of the plane in whole units of the page; what lies off the page is moved to its edge."""
    x, y = exact(point)
    return min(max(round(x), 0), WIDTH), min(max(round(y), 0), HEIGHT)


def line(points: Iterable[Point]) -> list[Units]:
    """Points in whole units, without doubles."""
    found: list[Units] = []
    for point in map(units, points):
        if not found or found[-1] != point:
            found.append(point)
    return found
