"""Borders as arcs: lines on the grid from one junction to the next, each with the area on either side.

Two areas share an arc, not two copies of a line, so that neighbours never gape or overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from math import hypot

import numpy as np

from tests.cartography.ground import CELL_KM, NORTH, WEST
from tests.cartography.growth import NOWHERE
from tests.cartography.plane import Point

Corner = tuple[int, int]
Sides = tuple[int, int]


@dataclass
class Arc:
    """A border line from corner `start` to corner `end`; `sides` are the areas it parts, the lesser first."""

    sides: Sides
    start: Corner
    end: Corner
    points: list[Point]
    line: str = ""

    @property
    def length(self) -> float:
        """Kilometres."""
        return length(self.points)


@dataclass
class Net:
    """All arcs, and for each junction the arcs that end there."""

    arcs: list[Arc] = field(default_factory=list)

    def at(self) -> Mapping[Corner, list[Arc]]:
        found: dict[Corner, list[Arc]] = {}
        for arc in self.arcs:
            found.setdefault(arc.start, []).append(arc)
            found.setdefault(arc.end, []).append(arc)
        return found


def length(points: list[Point]) -> float:
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))


def place_of(corner: Corner) -> Point:
    """Corners count from the upper left of a grid with one row of nothing around it."""
    return WEST + (corner[1] - 1) * CELL_KM, NORTH + (corner[0] - 1) * CELL_KM


def part_corners(owner: np.ndarray) -> np.ndarray:
    """No area touches itself at a corner: one of the cells between goes over to it."""
    owner = owner.copy()
    for _ in range(9):
        first, second = owner[:-1, :-1], owner[:-1, 1:]
        third, fourth = owner[1:, :-1], owner[1:, 1:]
        down = (first == fourth) & (first != second) & (first != third)
        up = (second == third) & (second != first) & (second != fourth)
        changes = [*((r, c, 0) for r, c in np.argwhere(down)), *((r, c, 1) for r, c in np.argwhere(up))]
        if not changes:
            break
        for row, column, turned in changes:
            here = (row, column + 1) if turned else (row, column)
            other = (row, column) if turned else (row, column + 1)
            if owner[here] != NOWHERE:
                owner[other] = owner[here]
            else:
                owner[here] = owner[other]
    return owner


def trace(owner: np.ndarray) -> Net:
    """Every arc of the grid, in reading order."""
    grid = np.pad(owner, 1, constant_values=NOWHERE)
    steps = _steps(grid)
    junctions = {corner for corner, near in steps.items() if len(near) != 2}
    net = Net()
    used: set[tuple[Corner, Corner]] = set()
    for start in sorted(junctions):
        for to in sorted(steps[start]):
            if (start, to) not in used:
                path = _walk(start, to, steps, junctions, used)
                sides = steps[start][to]
                net.arcs.append(Arc(sides, path[0], path[-1], [place_of(corner) for corner in path]))
    return net


def _steps(grid: np.ndarray) -> dict[Corner, dict[Corner, Sides]]:
    """From each corner along the edges between unlike cells."""
    found: dict[Corner, dict[Corner, Sides]] = {}
    for (a, b), sides in _edges(grid):
        found.setdefault(a, {})[b] = sides
        found.setdefault(b, {})[a] = sides
    return found


def _edges(grid: np.ndarray) -> Iterator[tuple[tuple[Corner, Corner], Sides]]:
    for row, column in np.argwhere(grid[:, 1:] != grid[:, :-1]):
        a, b = int(grid[row, column]), int(grid[row, column + 1])
        yield ((int(row), int(column) + 1), (int(row) + 1, int(column) + 1)), (min(a, b), max(a, b))
    for row, column in np.argwhere(grid[1:, :] != grid[:-1, :]):
        a, b = int(grid[row, column]), int(grid[row + 1, column])
        yield ((int(row) + 1, int(column)), (int(row) + 1, int(column) + 1)), (min(a, b), max(a, b))


def _walk(
    start: Corner,
    to: Corner,
    steps: Mapping[Corner, Mapping[Corner, Sides]],
    junctions: set[Corner],
    used: set[tuple[Corner, Corner]],
) -> list[Corner]:
    path = [start, to]
    used |= {(start, to), (to, start)}
    while path[-1] not in junctions:
        onward = next(corner for corner in steps[path[-1]] if corner != path[-2])
        used |= {(path[-1], onward), (onward, path[-1])}
        path.append(onward)
    return path


def merge_short(net: Net, least_km: float, kept: set[Sides]) -> dict[Corner, Corner]:
    """Draw short borders together to a point. Returns where each corner went; the net is changed.

    A border stays when it is `kept`, touches the edge of the map, or when its areas meet elsewhere too.
    """
    moved: dict[Corner, Corner] = {}
    count: dict[Sides, int] = {}
    for arc in net.arcs:
        count[arc.sides] = count.get(arc.sides, 0) + 1
    for arc in sorted(net.arcs, key=lambda each: (each.length, each.sides)):
        if arc.length >= least_km or count[arc.sides] > 1 or arc.sides in kept or arc.start == arc.end:
            continue
        ends = net.at()
        around = {side for other in (*ends[arc.start], *ends[arc.end]) for side in other.sides}
        if NOWHERE in around or len(around) > 5:
            continue
        moved[arc.end] = arc.start
        where = ((arc.points[0][0] + arc.points[-1][0]) / 2, (arc.points[0][1] + arc.points[-1][1]) / 2)
        net.arcs.remove(arc)
        for other in net.arcs:
            _bring(other, arc.start, arc.end, where)
    return moved


def _bring(arc: Arc, start: Corner, end: Corner, where: Point) -> None:
    if arc.start in (start, end):
        arc.start = start
        arc.points = [where, *_beyond(arc.points, where)]
    if arc.end in (start, end):
        arc.end = start
        arc.points = [*reversed(_beyond(arc.points[::-1], where)), where]


def _beyond(points: list[Point], where: Point) -> list[Point]:
    """The points after the first, without those that lie too near the new end."""
    rest = points[1:]
    while len(rest) > 2 and hypot(rest[0][0] - where[0], rest[0][1] - where[1]) < 2 * CELL_KM:
        rest = rest[1:]
    return rest


def around(corner: Corner, arcs: list[Arc]) -> list[int]:
    """The areas around a junction in order, beginning with the least."""
    links: dict[int, list[int]] = {}
    for arc in arcs:
        for a, b in (arc.sides, arc.sides[::-1]):
            links.setdefault(a, []).append(b)
    ring = [min(links)]
    while len(ring) < len(links):
        onward = [side for side in sorted(links[ring[-1]]) if side not in ring]
        if not onward:
            raise ValueError(f"the areas around {corner} make no ring: {links}")
        ring.append(onward[0])
    return ring
