"""Lines are drawn after nature: arcs lie on the river or the frontier that they follow, the others run smoothly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, dropwhile, groupby, pairwise
from math import hypot

import shapely
from shapely.ops import substring

from tests.cartography.arcs import Arc, Corner, Net
from tests.cartography.plane import Point

NEAR_KM = 2.8
SHARE = 0.55
CLOSE_KM = 2.2
SHORTEST_RUN = 4
AGAIN_KM = 9.0
FINE_KM = 0.4
LINE_TOLERANCE, FREE_TOLERANCE = 0.3, 1.3


Lines = Mapping[str, Sequence[Point]]
Hit = tuple[str, float, Point]
"""The name of a line, how far along it, and the point there."""


class Courses:
    """Named lines to lie on."""

    def __init__(self, lines: Lines, before: Lines | None = None) -> None:
        """Lines `before` are preferred to nearer ones."""
        self.first = Courses(before) if before else None
        self.lines = {name: shapely.LineString(points) for name, points in lines.items()}
        self.names = list(lines)
        self.tree = shapely.STRtree(list(self.lines.values()))
        if self.first:
            self.lines |= self.first.lines

    def nearest(self, point: Point, within: float = NEAR_KM) -> Hit | None:
        if self.first and (hit := self.first.nearest(point, within)):
            return hit
        at = shapely.Point(point)
        found = [self.names[index] for index in self.tree.query(at, predicate="dwithin", distance=within)]
        if not found:
            return None
        best = min(found, key=lambda name: (self.lines[name].distance(at), name))
        line = self.lines[best]
        along = line.project(at)
        on = line.interpolate(along)
        return best, along, (on.x, on.y)

    def piece(self, name: str, start: float, end: float) -> list[Point]:
        """The part of a line from one place along it to another."""
        part = substring(self.lines[name], start, end)
        return [(x, y) for x, y in part.coords]


def follow(net: Net, courses_of: Mapping[int, Courses], kind: Mapping[int, int]) -> None:
    """Lay arcs on lines. `kind[i]` says which of `courses_of` the arc with index i may follow."""
    plans = [_plan(arc, courses_of[kind[index]]) for index, arc in enumerate(net.arcs)]
    moved: dict[Corner, tuple[int, Point]] = {}
    for index, (arc, plan) in enumerate(zip(net.arcs, plans, strict=True)):
        for corner, hit in ((arc.start, plan[0]), (arc.end, plan[-1])):
            if hit and (corner not in moved or moved[corner][0] > kind[index]):
                moved[corner] = (kind[index], hit[2])
    for index, (arc, plan) in enumerate(zip(net.arcs, plans, strict=True)):
        start, end = (moved[corner][1] if corner in moved else None for corner in (arc.start, arc.end))
        arc.points = _laid(arc.points, plan, courses_of[kind[index]], start, end)


def _plan(arc: Arc, courses: Courses) -> list[Hit | None]:
    """Where each point of an arc would lie on a line; nowhere when the arc keeps off the lines on the whole."""
    hits = [courses.nearest(point) for point in arc.points]
    on_line = [hit for hit in hits if hit]
    if len(on_line) < SHARE * len(hits):
        return [None] * len(hits)
    hits = _steady(hits)
    names = [hit[0] for hit in on_line]
    arc.line = max(sorted(set(names)), key=names.count)
    return hits


def _steady(hits: list[Hit | None]) -> list[Hit | None]:
    """Without hits on a line that is left again at once."""
    kept: list[Hit | None] = []
    for name, run in groupby(hits, key=lambda hit: hit[0] if hit else ""):
        found = list(run)
        kept += found if name == "" or len(found) >= SHORTEST_RUN else [None] * len(found)
    return kept


def _laid(
    points: list[Point], plan: list[Hit | None], courses: Courses, start: Point | None, end: Point | None
) -> list[Point]:
    """The arc piece by piece: along a line where it keeps to one, rounded elsewhere."""
    found: list[Point] = []
    lines = [hit[0] if hit else "" for hit in plan]
    for name, run in groupby(range(len(points)), key=lambda number: lines[number]):
        numbers = list(run)
        if name:
            hits = [hit for hit in (plan[number] for number in numbers) if hit]
            found += courses.piece(name, hits[0][1], hits[-1][1])
        else:
            found += _rounded(_rounded(_eased([points[number] for number in numbers])))
    first, last = start or points[0], end or points[-1]
    inner = _away(_away(found[1:-1], first, found[0])[::-1], last, found[-1])[::-1]
    return _without_doubles([first, *inner, last])


def _away(points: list[Point], end: Point, before: Point) -> list[Point]:
    """Without the points that lie too near an end that was moved from `before`."""
    if hypot(end[0] - before[0], end[1] - before[1]) < CLOSE_KM / 4:
        return points
    return list(dropwhile(lambda point: hypot(point[0] - end[0], point[1] - end[1]) < CLOSE_KM, points))


def _eased(points: list[Point]) -> list[Point]:
    return list(shapely.LineString(points).simplify(FREE_TOLERANCE).coords) if len(points) > 2 else points


def _without_doubles(points: list[Point], least: float = FINE_KM / 2) -> list[Point]:
    """Without points that lie nearer than `least` to the one before, or thrice that to an end."""
    kept = [points[0]]
    for point in points[1:-1]:
        before, start, end = (
            hypot(point[0] - other[0], point[1] - other[1]) for other in (kept[-1], points[0], points[-1])
        )
        if before > least and min(start, end) > 3 * least:
            kept.append(point)
    return [*kept, points[-1]]


def smooth(net: Net) -> None:
    """Fewer points; free arcs are rounded as well."""
    for arc in net.arcs:
        tolerance = LINE_TOLERANCE if arc.line else FREE_TOLERANCE
        points = list(shapely.LineString(arc.points).simplify(tolerance).coords)
        arc.points = _without_doubles(points if arc.line else _rounded(_rounded(points)), FINE_KM)


def _rounded(points: list[Point]) -> list[Point]:
    """Chaikin's corner cutting; the ends stay."""
    if len(points) < 3:
        return points
    middle = [
        (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
        for a, b in pairwise(points)
        for share in (0.25, 0.75)
    ]
    return [points[0], *middle[1:-1], points[-1]]


def untangle(net: Net) -> None:
    """Where two borders from one junction meet again soon after it, the junction moves there.

    The stretch between belongs to the third border then; junctions of more than three stay as they are.
    """
    for corner in sorted(net.at()):
        for _ in range(3):
            ends = net.at()[corner]
            if len(ends) != 3 or len({id(arc) for arc in ends}) != 3 or not _untangled(corner, ends):
                break


def _untangled(corner: Corner, ends: Sequence[Arc]) -> bool:
    """Move the junction once; False when no two of its borders meet again."""
    for first, second in combinations(sorted(ends, key=lambda arc: (not arc.line, arc.sides)), 2):
        one, two = (shapely.LineString(_outward(arc, corner)) for arc in (first, second))
        start = shapely.Point(one.coords[0])
        again = [point for point in _points(one.intersection(two)) if 0.05 < point.distance(start) < AGAIN_KM]
        if not again:
            continue
        meeting = max(again, key=one.project)
        third = next(arc for arc in ends if arc is not first and arc is not second)
        stretch = list(substring(one, 0, one.project(meeting)).coords)
        rests = [list(substring(line, line.project(meeting), line.length).coords) for line in (one, two)]
        if min(map(len, rests)) < 2:
            return False
        for arc, rest in zip((first, second), rests, strict=True):
            _set_outward(arc, corner, [stretch[-1], *rest[1:]])
        _set_outward(third, corner, [*stretch[::-1], *_outward(third, corner)[1:]])
        return True
    return False


def _points(geometry: shapely.Geometry) -> list[shapely.Point]:
    """All corners of an intersection."""
    return [shapely.Point(pair) for part in shapely.get_parts(geometry).tolist() for pair in part.coords]


def _outward(arc: Arc, corner: Corner) -> list[Point]:
    return arc.points if arc.start == corner else arc.points[::-1]


def _set_outward(arc: Arc, corner: Corner, points: list[Point]) -> None:
    arc.points = points if arc.start == corner else points[::-1]


def ring_of(index: int, arcs: Sequence[Arc]) -> list[Point]:
    """The outline of an area, put together from its arcs; the longest where it has several."""
    left = [arc for arc in arcs if index in arc.sides]
    rings = []
    while left:
        first = left.pop(0)
        points, corner = list(first.points), first.end
        while corner != first.start:
            arc = next((each for each in left if corner in (each.start, each.end)), None)
            if arc is None:
                raise ValueError(f"the outline of area {index} is open at {corner}")
            left.remove(arc)
            forth = arc.start == corner
            points += (arc.points if forth else arc.points[::-1])[1:]
            corner = arc.end if forth else arc.start
        rings.append(points)
    return max(rings, key=lambda ring: abs(shapely.Polygon(ring).area) if len(ring) > 3 else 0)
