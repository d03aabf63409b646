"""What terrain lets a unit pass, and at what cost (4.2, 10.1.7), and the steps from area to area that follow.

A step is made once for a board, a gait and a side, since the whole map is asked about every unit at every question.
Costs are in half movement points. Rulings 4-1 to 4-5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from pbem.games.polska1939.board import Board, Feature, Terrain
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import MOTORIZED, Cost, Kind, Nation, Passage
from pbem.games.polska1939.state import AreaId, Side

WHOLE = 999
"""A cost that no allowance reaches: such a step can only be the whole of a movement (4.2.3)."""


class Gait(StrEnum):
    """Units that move alike (2.0, 4.1.2)."""

    FOOT = "foot"
    CAVALRY = "cavalry"
    MOTORIZED = "motorized"
    HEADQUARTERS = "headquarters"


def gait(kind: Kind) -> Gait:
    """How a type of unit moves."""
    if kind is Kind.HQ:
        return Gait.HEADQUARTERS
    if kind in MOTORIZED:
        return Gait.MOTORIZED
    return Gait.CAVALRY if kind is Kind.CAV else Gait.FOOT


def is_passable(data: GameData, kind: Kind, start: str, goal: str) -> bool:
    """Whether terrain lets a type of unit go from an area to one beside it, by border or else by node.

    Nothing crosses a lake. Motorized units and HQs do not cross a swamp border (4.2.4), nor go over mountains or
    into them but by a pass or a road (4.2.5, 4.2.6, ruling 4-2).
    """
    features = _features(data.board, start, goal)
    if Feature.LAKE in features:
        return False
    if kind not in MOTORIZED:
        return True
    mountains = Feature.MOUNTAIN in features or data.board.areas[goal].terrain is Terrain.MOUNTAINS
    return Feature.SWAMP not in features and (not mountains or Feature.PASS in features)


def entry_cost(data: GameData, kind: Kind, start: str, goal: str) -> Cost:
    """Half movement points for going to an area beside another, by terrain alone (4.2.1, 4.2.2, 10.1.7).

    ALL where a swamp takes every point (ruling 4-1), NO where the unit cannot pass (ruling 4-2). Rivers are dear for
    motorized units alone, the Vistula for cavalry too (ruling 4-3), and an HQ pays the same everywhere (ruling 4-4).
    Fortifications cost nothing (4.1.10); the enemy's border (4.1.8) is not in it.
    """
    if not is_passable(data, kind, start, goal):
        return Passage.NO
    if kind is Kind.HQ:
        return data.figures.movement.headquarters_area_halves
    costs = [data.forces.terrain[name].cost(kind) for name in _terrains(data.board, start, goal)]
    return Passage.ALL if Passage.ALL in costs else sum(cost for cost in costs if isinstance(cost, int))


def _terrains(board: Board, start: str, goal: str) -> Iterator[str]:
    """Rows of the terrain table that count: the base of every area, the area's terrain, what the border adds."""
    yield Terrain.CLEAR
    if board.areas[goal].terrain is not Terrain.CLEAR:
        yield board.areas[goal].terrain
    features = _features(board, start, goal)
    for feature in (Feature.RIVER, Feature.VISTULA, Feature.SWAMP):
        if feature in features:
            yield feature


def _features(board: Board, start: str, goal: str) -> frozenset[Feature]:
    """What lies on the border between two areas; nothing where only a node joins them."""
    border = board.borders.get((start, goal))
    return border.features if border else frozenset()


# ---------------------------------------------------------------------- steps


class Step(NamedTuple):
    """A way to an area beside. `region` is the one whose enemies make it dearer, empty for none (4.1.8).

    A way through a node has the areas `around` it, in which enemies close it (4.1.5, 4.1.7).
    """

    to: AreaId
    cost: int
    region: str
    around: tuple[AreaId, ...] = ()


Steps = Mapping[AreaId, tuple[Step, ...]]


@dataclass(frozen=True, slots=True)
class Ways:
    """Steps of a gait by borders and by nodes: in ordinary movement, and in regions free of enemies (4.1.3)."""

    borders: Steps
    nodes: Steps
    free_borders: Steps
    free_nodes: Steps


@dataclass(slots=True)
class _Made:
    """Ways made for a board so far, by gait and side."""

    data: GameData
    ways: dict[tuple[Gait, Side], Ways] = field(default_factory=dict)


_MADE: list[_Made] = []
_MOST_MADE = 4
_KINDS = {Gait.FOOT: Kind.INF, Gait.CAVALRY: Kind.CAV, Gait.MOTORIZED: Kind.ARM, Gait.HEADQUARTERS: Kind.HQ}


def ways_of(data: GameData, manner: Gait, side: Side) -> Ways:
    """The ways of a gait for a side, the same object for the same data."""
    made = next((made for made in _MADE if made.data is data), None)
    if made is None:
        made = _Made(data)
        _MADE[:] = [made, *_MADE[: _MOST_MADE - 1]]
    found = made.ways.get((manner, side))
    if found is None:
        found = made.ways[manner, side] = _make_ways(data, _KINDS[manner], side)
    return found


def _make_ways(data: GameData, kind: Kind, side: Side) -> Ways:
    areas = [AreaId(code) for code in data.board.areas]
    borders = {area: tuple(_border_steps(data, kind, side, area)) for area in areas}
    nodes = {area: tuple(_node_steps(data, kind, side, area)) for area in areas}
    return Ways(borders, nodes, _free(data, borders), _free(data, nodes))


def _border_steps(data: GameData, kind: Kind, side: Side, area: AreaId) -> Iterator[Step]:
    for near in data.board.neighbours[area]:
        cost = entry_cost(data, kind, area, near)
        if cost is not Passage.NO:
            yield Step(AreaId(near), _whole(cost), _dear_region(data, side, area, near))


def _node_steps(data: GameData, kind: Kind, side: Side, area: AreaId) -> Iterator[Step]:
    """Steps through nodes without a river (4.1.6); what is fortified around a node never closes it (4.1.7)."""
    for link in data.board.across_node.get(area, ()):
        cost = entry_cost(data, kind, area, link.to)
        if not link.river and cost is not Passage.NO:
            around = tuple(AreaId(code) for code in link.around if not _is_fortified(data, code))
            yield Step(AreaId(link.to), _whole(cost), _dear_region(data, side, area, link.to), around)


def _free(data: GameData, steps: Steps) -> Steps:
    """Steps in free regions: terrain costs nothing, but swamps take everything (4.1.3 and its exception)."""
    flat = data.figures.movement.free_area_halves

    def free(step: Step) -> Step:
        return Step(step.to, step.cost if step.cost == WHOLE else flat, "", step.around)

    return {area: tuple(map(free, found)) for area, found in steps.items()}


def _whole(cost: Cost) -> int:
    return cost if isinstance(cost, int) else WHOLE


def _is_fortified(data: GameData, area: str) -> bool:
    return data.board.areas[area].fortress or data.board.areas[area].fortified


def _dear_region(data: GameData, side: Side, start: str, goal: str) -> str:
    """The region behind an enemy border, in which enemies cost a point more (4.1.8); never fortified (ruling 4-5)."""
    country = data.board.areas[goal].country
    crosses = country != data.board.areas[start].country and (country == Nation.POLAND) is (side is Side.GERMAN)
    return data.board.areas[goal].region if crosses and not _is_fortified(data, goal) else ""
