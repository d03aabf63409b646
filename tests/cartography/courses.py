"""Rivers run in bends: points between the given ones, put aside by a rule that depends on the name alone."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from math import cos, hypot, radians, sin, tau

from tests.cartography.plane import Point

SHORTEST_KM = 2.2
SWAY = 0.16


def winding(name: str, points: Sequence[Point], sway: float = SWAY) -> list[Point]:
    """The line through all given points, broken up until no piece is longer than SHORTEST_KM."""
    found = [points[0]]
    for number, (a, b) in enumerate(pairwise(points)):
        found += [*_between(f"{name}/{number}", a, b, sway), b]
    return found


def _between(key: str, a: Point, b: Point, sway: float) -> list[Point]:
    far = hypot(b[0] - a[0], b[1] - a[1])
    if far <= SHORTEST_KM:
        return []
    aside = (_chance(key) * 2 - 1) * sway
    along = 0.5 + (_chance(f"{key}/along") - 0.5) * 0.2
    middle = (
        a[0] + (b[0] - a[0]) * along - (b[1] - a[1]) * aside,
        a[1] + (b[1] - a[1]) * along + (b[0] - a[0]) * aside,
    )
    return [*_between(f"{key}a", a, middle, sway), middle, *_between(f"{key}b", middle, b, sway)]


def _chance(key: str) -> float:
    """A number from 0 to 1 that is the same for the same key, everywhere and always."""
    return int.from_bytes(sha256(key.encode()).digest()[:4], "big") / 2**32


def blob(name: str, middle: Point, wide: float, high: float, turn: float) -> list[Point]:
    """A lake: an ellipse turned by degrees, its shore pushed in and out."""
    found = []
    for number in range(24):
        angle = number * tau / 24
        far = 0.5 * (0.82 + 0.36 * _chance(f"{name}/{number}"))
        x, y = cos(angle) * wide * far, sin(angle) * high * far
        c, s = cos(radians(turn)), sin(radians(turn))
        found.append((middle[0] + x * c - y * s, middle[1] + x * s + y * c))
    return found
