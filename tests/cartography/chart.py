"""The map as a whole: areas with their outlines, borders with what they carry, nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import shapely

from tests.cartography import arcs, ground, growth, inputs, shaping, states
from tests.cartography.arcs import Arc, Corner, Net
from tests.cartography.courses import winding
from tests.cartography.growth import NOWHERE
from tests.cartography.inputs import Place
from tests.cartography.plane import Point

VISTULA_COST, RIVER_COST = 60.0, 22.0
SHORT_KM = 4.6
LINE_SWAY = 0.07
PLAY_KM = 75.0
"""How far the map goes beyond Poland; all of East Prussia belongs to it."""
STATE, RIVER = 0, 1
FRONTIER_RIVERS = ("Wisła", "Prosna", "Zbrucz", "Dniestr", "Dźwina", "Noteć", "Nogat", "Pisa")


@dataclass(frozen=True)
class Border:
    """Two areas that meet along a line; `lines` are the rivers and frontiers that it follows, `km` its length."""

    a: Place
    b: Place
    arcs: tuple[Arc, ...]
    km: float
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Node:
    at: Point
    places: tuple[Place, ...]
    rivers: tuple[str, ...]


@dataclass(frozen=True)
class Chart:
    places: Sequence[Place]
    net: Net
    borders: Sequence[Border]
    nodes: Sequence[Node]
    lines: Mapping[str, Sequence[Point]]
    rivers: Mapping[str, Sequence[Point]]


def make_chart() -> Chart:
    places = inputs.places()
    lines = {name: winding(name, points, LINE_SWAY) for name, points in inputs.lines().items()}
    rivers = {_course(reach): winding(reach.name, reach.points) for reach in inputs.reaches()}
    owner = growth.grow(_ground(lines, rivers), places)
    net = arcs.trace(arcs.part_corners(growth.whole(arcs.part_corners(owner))))
    arcs.merge_short(net, SHORT_KM, kept_borders(places))
    frontier = {name: points for name, points in rivers.items() if name.rstrip("*") in FRONTIER_RIVERS}
    courses = {STATE: shaping.Courses(lines, frontier), RIVER: shaping.Courses(rivers)}
    shaping.follow(net, courses, _kinds(net, places))
    lengths = [arc.length for arc in net.arcs]
    shaping.smooth(net)
    shaping.untangle(net)
    return Chart(places, net, _borders(net, places, lengths), _nodes(net, places, rivers), lines, rivers)


def _course(reach: inputs.Reach) -> str:
    return f"{reach.name}*" if reach.important else reach.name


def _ground(lines: Mapping[str, Sequence[Point]], rivers: Mapping[str, Sequence[Point]]) -> ground.Ground:
    dear: dict[tuple[ground.Cell, ground.Cell], float] = {}
    for name, points in rivers.items():
        ground.crossings(points, VISTULA_COST if name.endswith("*") else RIVER_COST, dear)
    near = shapely.Polygon(states.poland(lines)).buffer(0).buffer(PLAY_KM).simplify(4)
    return ground.Ground(ground.cut(ground.paint(states.painted(lines)), near), dear)


def kept_borders(places: Sequence[Place]) -> set[tuple[int, int]]:
    index = {place.code: number for number, place in enumerate(places)}
    pairs = ((index[row["a"]], index[row["b"]]) for row in inputs.rows("kept_borders.csv"))
    return {(min(pair), max(pair)) for pair in pairs}


def _kinds(net: Net, places: Sequence[Place]) -> dict[int, int]:
    """Arcs between states, and at the edge, follow frontiers and coasts; the others rivers."""
    return {
        number: STATE
        if arc.sides[0] == NOWHERE or places[arc.sides[0]].country != places[arc.sides[1]].country
        else RIVER
        for number, arc in enumerate(net.arcs)
    }


def _borders(net: Net, places: Sequence[Place], lengths: Sequence[float]) -> list[Border]:
    found: dict[tuple[int, int], list[tuple[Arc, float]]] = {}
    for arc, km in zip(net.arcs, lengths, strict=True):
        if arc.sides[0] != NOWHERE:
            found.setdefault(arc.sides, []).append((arc, km))
    return [
        Border(
            places[a],
            places[b],
            tuple(arc for arc, _ in parts),
            sum(km for _, km in parts),
            tuple(sorted({arc.line for arc, _ in parts if arc.line})),
        )
        for (a, b), parts in sorted(found.items())
    ]


def _nodes(net: Net, places: Sequence[Place], rivers: Mapping[str, Sequence[Point]]) -> list[Node]:
    courses = shaping.Courses(rivers)
    found = []
    for corner, ends in sorted(net.at().items()):
        ring = arcs.around(corner, ends)
        if len(ring) > 3 and NOWHERE not in ring:
            at = _point_of(corner, ends)
            near = courses.nearest(at, 1.5)
            found.append(Node(at, tuple(places[index] for index in ring), (near[0],) if near else ()))
    return found


def _point_of(corner: Corner, ends: Sequence[Arc]) -> Point:
    return ends[0].points[0] if ends[0].start == corner else ends[0].points[-1]
