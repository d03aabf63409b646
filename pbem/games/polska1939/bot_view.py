"""What a program that plays to win sees in a position: who stands where, in what strength, in supply or not.

Strengths are in SP of units that can fight. Times are in turns and only estimates: the road is empty in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import TypeAlias

from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.s4_movement import Front
from pbem.games.polska1939.s4_terrain import WHOLE, Gait, gait, ways_of
from pbem.games.polska1939.s9_supply import supply
from pbem.games.polska1939.state import AreaId, Occupation, Side, State, Unit, side_of

FAR = 99
"""Turns to where no way leads."""
PACE: Mapping[Gait, int] = {Gait.FOOT: 3, Gait.CAVALRY: 4, Gait.MOTORIZED: 6, Gait.HEADQUARTERS: 12}
"""Half movement points that a unit makes of a turn: on foot between those at the front and those behind it."""
Steps: TypeAlias = Mapping[str, Sequence[tuple[str, int]]]


@dataclass(slots=True)
class Roads:
    """Half movement points from every area to a goal, found once for a board, by gait and side."""

    data: GameData
    far: dict[tuple[Gait, Side, str], Mapping[str, int]] = field(default_factory=dict)
    back: dict[tuple[Gait, Side], Steps] = field(default_factory=dict)

    def to(self, manner: Gait, side: Side, goal: str) -> Mapping[str, int]:
        """What the way to a goal costs from each area from which there is one."""
        found = self.far.get((manner, side, goal))
        if found is None:
            if (manner, side) not in self.back:
                self.back[manner, side] = _steps_back(self.data, manner, side)
            found = self.far[manner, side, goal] = _spread_back(self.back[manner, side], goal)
        return found

    def turns(self, manner: Gait, side: Side, start: str, goal: str) -> int:
        """Turns from an area to another, 0 where they are the same, FAR when there is no way."""
        cost = self.to(manner, side, goal).get(start)
        return FAR if cost is None else -(-cost // PACE[manner])


_KNOWN: list[Roads] = []
_MOST_KNOWN = 2


def roads_of(data: GameData) -> Roads:
    """The roads of a board, the same object for the same data."""
    found = next((known for known in _KNOWN if known.data is data), None)
    if found is None:
        found = Roads(data)
        _KNOWN[:] = [found, *_KNOWN[: _MOST_KNOWN - 1]]
    return found


def _steps_back(data: GameData, manner: Gait, side: Side) -> Steps:
    """For each area those from which a step leads to it, with the cost of the step."""
    found: dict[str, list[tuple[str, int]]] = {area: [] for area in data.board.areas}
    for start, steps in ways_of(data, manner, side).borders.items():
        for step in steps:
            found[step.to].append((start, PACE[manner] if step.cost >= WHOLE else step.cost))
    return found


def _spread_back(back: Steps, goal: str) -> Mapping[str, int]:
    costs, queue = {goal: 0}, [(0, goal)]
    while queue:
        spent, here = heappop(queue)
        if spent == costs[here]:
            for area, step in back[here]:
                cost = spent + step
                if cost < costs.get(area, cost + 1):
                    costs[area] = cost
                    heappush(queue, (cost, area))
    return costs


# ---------------------------------------------------------------------- the position


@dataclass(frozen=True, slots=True)
class View:
    """A position as one side sees it.

    `own` and `foes` are SP by area, `enemies` the enemy's units that can fight, `supplied` areas by nation of the
    own side.
    """

    data: GameData
    state: State
    side: Side
    occupation: Occupation
    front: Front
    own: Mapping[AreaId, int]
    foes: Mapping[AreaId, int]
    enemies: tuple[Unit, ...]
    supplied: Mapping[str, frozenset[AreaId]]
    roads: Roads

    @classmethod
    def of(cls, data: GameData, state: State, side: Side) -> View:
        """Made once for a question."""
        occupation = Occupation.of(state)
        fighting: dict[Side, list[Unit]] = {Side.GERMAN: [], Side.POLISH: []}
        for unit in state.units.values():
            if not (unit.is_hq or unit.loaded):
                fighting[side_of(unit.id)].append(unit)
        return cls(
            data,
            state,
            side,
            occupation,
            Front.of(data, occupation, side),
            _mass(fighting[side]),
            _mass(fighting[side.enemy]),
            tuple(fighting[side.enemy]),
            supply(data, state, occupation, side),
            roads_of(data),
        )

    def mine(self) -> list[Unit]:
        """The own units, in the order of their ids."""
        return [unit for unit in self.state.units.values() if side_of(unit.id) is self.side]

    def near(self, area: str) -> tuple[AreaId, ...]:
        """The areas beside an area."""
        return tuple(map(AreaId, self.data.board.neighbours[area]))

    def gait(self, unit: Unit) -> Gait:
        """How a unit moves."""
        return gait(self.data.unit(unit.id).type)

    def pressure(self, area: str) -> int:
        """SP of the enemy beside an area, 32 at most through a border (5.2.5)."""
        most = self.data.figures.combat.strength_per_border
        foes = self.foes
        return sum([min(most, foes[near]) for near in self.near(area) if near in foes])

    def enemy_turns(self, area: str) -> int:
        """Turns until the first enemy unit can be in an area."""
        starts = {(self.gait(unit), unit.area) for unit in self.enemies}
        return min((self.roads.turns(manner, self.side.enemy, start, area) for manner, start in starts), default=FAR)

    def is_supplied(self, unit: Unit, area: AreaId) -> bool:
        """Whether a unit would have a supply line in an area, as things stand."""
        return area in self.supplied[self.data.unit(unit.id).nation]

    def days_left(self, area: str) -> int:
        """Days until a city's historical day is over, today included; 0 when it is, and for other areas."""
        city = self.state.cities.get(AreaId(area))
        day = self.data.board.areas[area].capture_day
        return day - self.state.day + 1 if city and day and city.point is None else 0


def _mass(units: Iterable[Unit]) -> Mapping[AreaId, int]:
    """SP by area."""
    found: dict[AreaId, int] = {}
    for unit in units:
        found[unit.area] = found.get(unit.area, 0) + unit.strength
    return found
