"""Who goes where: units are matched with goals by bids, then each takes the best area in its reach (4.0)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from pbem.games.polska1939.answers import Move
from pbem.games.polska1939.bot_view import FAR, View
from pbem.games.polska1939.s4_movement import Route, reach
from pbem.games.polska1939.s9_supply import supply
from pbem.games.polska1939.state import AreaId, Occupation, Unit, UnitId, side_of

Routes: TypeAlias = Mapping[AreaId, Route]
FARTHEST = 12
"""Turns; nobody sets out for what is farther away."""
PRESENCE = 1
"""SP wanted where any unit will do."""
STRONG = 12
"""SP of a good division."""
STEP, ARRIVED = 3, 25
"""What half a movement point less to the goal is worth, and to be there."""


@dataclass(frozen=True, slots=True)
class Goal:
    """An area that is worth going to, for `demand` SP in all, in no more than `latest` turns; `strong` units rather."""

    area: AreaId
    worth: int
    demand: int = PRESENCE
    latest: int = FARTHEST
    strong: bool = False


@dataclass(slots=True)
class Plan:
    """Where units will stand: SP by area, filled in as orders are made, and cities that fall by them."""

    view: View
    prize: Callable[[View, AreaId], int]
    mass: dict[AreaId, int]
    fallen: set[AreaId] = field(default_factory=set)
    places: dict[UnitId, AreaId] = field(default_factory=dict)

    @classmethod
    def of(cls, view: View, prize: Callable[[View, AreaId], int]) -> Plan:
        """Nobody moves yet; `prize` says what an enemy's city is worth."""
        return cls(view, prize, dict(view.own))

    def put(self, unit: Unit, area: AreaId) -> None:
        """A unit will stand in an area, and not where it would have stood."""
        before = self.places.get(unit.id, unit.area)
        self.places[unit.id] = area
        self.fallen.update(self._falling(area))
        if area != before:
            self.mass[before] = self.mass.get(before, 0) - unit.strength
            self.mass[area] = self.mass.get(area, 0) + unit.strength

    def moves(self) -> tuple[Move, ...]:
        """The orders that bring units there."""
        units = self.view.state.units
        return tuple(Move(unit=name, to=area) for name, area in self.places.items() if units[name].area != area)

    def supplied(self) -> Mapping[str, frozenset[AreaId]]:
        """Where the side's nations have supply lines when all units stand where they shall."""
        state = self.view.state
        entered = set(self.places.values())
        caught = [u.id for u in state.units.values() if side_of(u.id) is not self.view.side and u.area in entered]
        moved = [replace(state.units[name], area=area) for name, area in self.places.items()]
        after = state.with_units(moved).without_units(caught)
        return supply(self.view.data, after, Occupation.of(after), self.view.side)

    def gain(self, area: AreaId) -> int:
        """What cities are worth that fall to a fighting unit in an area (13.A)."""
        return sum(self.prize(self.view, city) // (1 if city == area else 3) for city in self._falling(area))

    def with_unit(self, unit: Unit, area: AreaId) -> int:
        """SP in an area with a unit in it."""
        return self.mass.get(area, 0) + (0 if self.places.get(unit.id, unit.area) == area else unit.strength)

    def _falling(self, area: AreaId) -> Iterator[AreaId]:
        for city in (area, *self.view.near(area)):
            found = self.view.state.cities.get(city)
            theirs = found and found.holder is self.view.side.enemy and city not in self.fallen
            if theirs and (city == area or not self._is_covered(city)):
                yield city

    def _is_covered(self, city: AreaId) -> bool:
        """Whether enemies in a city or beside it keep it from falling to who comes near it."""
        held = self.view.front.held
        return city in held or not held.isdisjoint(self.view.near(city))


Score: TypeAlias = Callable[[Plan, Unit, AreaId], int]
"""How good an area is for a unit, apart from the way to its goal."""


def bid(view: View, unit: Unit, goal: Goal) -> int:
    """What a goal is worth to a unit: less the longer the way, and for strong units where any unit will do."""
    away = view.roads.turns(view.gait(unit), view.side, unit.area, goal.area)
    if away > min(goal.latest, FARTHEST):
        return 0
    worth = goal.worth * 120 // (away + 2)
    if goal.strong:
        return worth * unit.strength // STRONG if unit.strength > STRONG // 2 else 0
    return worth * (40 - min(unit.strength, 20)) // 40 if goal.demand == PRESENCE else worth


def match(view: View, units: Iterable[Unit], goals: Sequence[Goal]) -> dict[UnitId, Goal]:
    """A goal for each unit, the highest bids first, until a goal has what it demands."""
    wanted = [goal.demand for goal in goals]
    strength = {unit.id: max(PRESENCE, unit.strength) for unit in units}
    bids = [(bid(view, unit, goal), unit.id, number) for unit in units for number, goal in enumerate(goals)]
    found: dict[UnitId, Goal] = {}
    for offer, name, number in sorted(bids, key=lambda one: (-one[0], one[1], one[2])):
        if offer and name not in found and wanted[number] > 0:
            found[name] = goals[number]
            wanted[number] -= strength[name]
    return found


def all_routes(view: View, units: Iterable[Unit]) -> dict[UnitId, Routes]:
    """Where each unit can go."""
    return {unit.id: reach(view.data, view.state, view.front, unit) for unit in units}


def advance(
    plan: Plan, units: Iterable[Unit], routes: Mapping[UnitId, Routes], goals: Mapping[UnitId, Goal], score: Score
) -> None:
    """Each unit takes the area that is best on its way; without a goal the best one in reach."""
    for unit in units:
        goal = goals.get(unit.id)
        ways = plan.view.roads.to(plan.view.gait(unit), plan.view.side, goal.area) if goal else {}
        away = FAR if goal else 0
        options = (unit.area, *routes.get(unit.id, ()))
        marks = [
            (score(plan, unit, area) + _nearer(goal, ways.get(area, away), area), area == unit.area, area)
            for area in options
        ]
        plan.put(unit, max(marks)[2])


def _nearer(goal: Goal | None, way: int, area: AreaId) -> int:
    return (ARRIVED if goal and goal.area == area else 0) - STEP * way


def feed(plan: Plan, units: Iterable[Unit], routes: Mapping[UnitId, Routes], score: Score) -> None:
    """Units that would have no supply line where they shall stand go where there is one, if there is any in reach."""
    supplied = plan.supplied()
    for unit in units:
        fed = supplied[plan.view.data.unit(unit.id).nation]
        if plan.places[unit.id] not in fed:
            options = [area for area in (unit.area, *routes.get(unit.id, ())) if area in fed]
            if options:
                plan.put(unit, max((score(plan, unit, area), area == unit.area, area) for area in options)[2])
